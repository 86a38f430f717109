# SPDX-License-Identifier: Apache-2.0
"""The documentation site: every document is a page, links lead from page to page, nothing comes from afar."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from modmul.registry import rooms, systems

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site() -> ModuleType:
    """``tools/site.py``."""
    spec = importlib.util.spec_from_file_location("site_of_modmul", ROOT / "tools" / "site.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_document_is_a_page(site: ModuleType) -> None:
    places = site.places()
    assert len(set(places.values())) == len(places)
    assert {each.path / "README.md" for each in rooms().values()} < set(places)
    assert {folder / "README.md" for _, folder in systems().values()} < set(places)
    assert set((ROOT / "docs").glob("*.md")) < set(places)
    named = {f"guides/{name}.md" for name in site.GUIDES.values()}
    assert named == {place for place in places.values() if place.startswith("guides/")}


def test_links_become_those_of_the_pages(site: ModuleType) -> None:
    file, other = ROOT / "docs" / "a.md", ROOT / "src" / "b" / "README.md"
    known = {file: "guides/a.md", other: "cores/b.md"}
    text = "[b](../src/b/README.md#steps) [code](../Makefile) [here](#x) [web](https://example.org/a.md)"
    found = site.linked(text, file, known)
    assert found == "[b](../cores/b.md#steps) code [here](a.md#x) [web](https://example.org/a.md)"


@pytest.fixture(scope="module")
def built(site: ModuleType) -> Path:
    """The folder of the site, made anew."""
    assert site.main() == 0
    return Path(site.SITE)


def test_the_site_is_whole(built: Path) -> None:
    pages = list(built.rglob("*.html"))
    assert len(pages) > len(rooms()) + len(systems())
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="https?:', text), page
        assert not re.search(r":(?:class|func|meth):<code>", text), page


def test_pages_opened_as_files_are_searched(built: Path, browser: Chrome) -> None:
    browser.get((built / "guides" / "engine.html").as_uri())
    browser.find_element(By.CSS_SELECTOR, ".md-search__input").click()
    browser.find_element(By.CSS_SELECTOR, ".md-search__input").send_keys("Booth recoder")
    found = WebDriverWait(browser, 60).until(
        lambda page: page.find_elements(By.CSS_SELECTOR, ".md-search-result__item a")
    )
    assert any("booth" in str(each.get_attribute("href")) for each in found)
