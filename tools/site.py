# SPDX-License-Identifier: Apache-2.0
"""``make docs``: the documentation as a site in ``build/site``, which loads nothing from a network.

The pages are the documents of the repository, those of wings, cores and systems included, and the docstrings
of the Python modules that are meant for use. Nothing is written twice: links between documents become links
between pages, and a link to a file that is no page becomes its text.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from modmul.registry import rooms, systems

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "build" / "pages"
SITE = ROOT / "build" / "site"

WORKER = "iframe-worker.js"
"""Lets the search work on pages that are opened as files; the plugin `offline` knows it by this name."""

API = ("api", "core", "registry", "room", "design", "moduli", "chips", "verify.simulation")
"""Modules whose docstrings are pages."""

GUIDES = {
    "Which core?": "choosing",
    "What they cost": "cores",
    "The page": "page",
    "Systems": "systems",
    "The engine": "engine",
    "A program for the engine": "engine-tutorial",
    "RSA": "rsa",
    "Elliptic curves": "curves",
    "Whole devices": "whole-devices",
    "On a bus": "bus",
    "The port contract": "contract",
    "Proofs": "proofs",
    "Coverage": "coverage",
    "Mutants": "mutation",
    "Verification": "verification",
    "Leakage": "leakage",
    "Adding a core": "adding-a-core",
    "Adding a chip": "adding-a-chip",
    "Measuring": "measuring",
    "Papers": "papers",
    "Packages": "packages",
    "How it is built": "architecture",
    "SystemVerilog subset": "sv-subset",
    "Residues re-injected": "rrm",
    "Rows of multiplier blocks": "montgomery_dsp",
}
"""Title in the menu to the document of ``docs``."""


def places() -> dict[Path, str]:
    """Each document of the repository that is a page, and where it lies among the pages."""
    found = {
        ROOT / "README.md": "index.md",
        ROOT / "CHANGELOG.md": "changelog.md",
        ROOT / "SECURITY.md": "security.md",
    }
    found |= {ROOT / "CONTRIBUTING.md": "contributing.md"}
    found |= {file: f"guides/{file.name}" for file in sorted((ROOT / "docs").glob("*.md"))}
    for each in rooms().values():
        found[each.path / "README.md"] = f"cores/{each.wing}/{each.core.slug}.md"
        if (evidence := each.path / "EVIDENCE.md").exists():
            found[evidence] = f"cores/{each.wing}/{each.core.slug}-evidence.md"
    for wing in sorted({each.path.parent for each in rooms().values()}):
        found[wing / "README.md"] = f"cores/{wing.name}/index.md"
    for name, (_, folder) in systems().items():
        found[folder / "README.md"] = f"systems/{name}.md"
    return found


def linked(text: str, file: Path, known: Mapping[Path, str]) -> str:
    """A document with its links as they are among the pages; a link to no page becomes its text."""

    def replace(match: re.Match[str]) -> str:
        label, target, anchor = match["label"], match["target"], match["anchor"] or ""
        place = (file.parent / target).resolve() if target else file
        if place in known:
            here = Path(known[file]).parent
            return f"[{label}]({os.path.relpath(known[place], here)}{anchor})"
        return label

    pattern = r"(?<!!)\[(?P<label>[^\]]*)\]\((?P<target>[^)#:\s]*)(?P<anchor>#[^)\s]*)?\)"
    text = re.sub(pattern, replace, text)
    return re.sub(r'(src(?:set)?)="docs/', r'\1="guides/', text)


def write_pages() -> None:
    """Make the folder of pages anew."""
    shutil.rmtree(PAGES, ignore_errors=True)
    known = places()
    for file, place in known.items():
        page = PAGES / place
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(linked(file.read_text(encoding="utf-8"), file, known), encoding="utf-8")
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copyfile(picture, PAGES / "guides" / picture.name)
    shutil.copyfile(ROOT / "tools" / WORKER, PAGES / WORKER)
    for module in API:
        page = PAGES / "api" / f"{module}.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"# modmul.{module}\n\n::: modmul.{module}\n", encoding="utf-8")


def menu() -> list[str]:
    """The site's menu, as the lines of its configuration."""
    lines = ["nav:", "  - Start: index.md"]
    lines += ["  - Guides:", *(f"    - {title}: guides/{name}.md" for title, name in GUIDES.items())]
    lines += ["  - Cores:"]
    for wing in dict.fromkeys(each.wing for each in rooms().values()):
        lines += [f"    - {wing.replace('_', ' ').capitalize()}:", f"      - cores/{wing}/index.md"]
        lines += [
            f"      - {slug}: cores/{wing}/{slug}.md" for slug, each in rooms().items() if each.wing == wing
        ]
    lines += ["  - Systems:", *(f"    - {name}: systems/{name}.md" for name in systems())]
    lines += ["  - Python:", *(f"    - modmul.{module}: api/{module}.md" for module in API)]
    lines += ["  - Changes: changelog.md", "  - Security: security.md", "  - Contributing: contributing.md"]
    return lines


def without_roles(html: str) -> str:
    """A page without the marks that docstrings put before names: ``:func:`records```."""
    role = (
        r":(?:attr|class|data|func|meth|mod):<code>~?(?:[\w.]*\.)?(?P<name>\w+)(?:\s+&lt;[^&]*&gt;)?</code>"
    )
    return re.sub(role, r"<code>\g<name></code>", html)


CONFIGURATION = """\
site_name: modmul
docs_dir: pages
site_dir: site
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.indexes, navigation.top, search.highlight, content.code.copy]
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      toggle: {icon: material/weather-night, name: Dark}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      toggle: {icon: material/weather-sunny, name: Light}
extra:
  polyfills: [iframe-worker.js]
plugins:
  - search
  - offline
  - mkdocstrings:
      handlers:
        python:
          paths: [../src]
          options: {docstring_style: google, show_source: false, show_root_heading: false, heading_level: 2}
markdown_extensions:
  - admonition
  - attr_list
  - md_in_html
  - tables
  - toc: {permalink: true}
  - pymdownx.highlight
  - pymdownx.superfences
not_in_nav: |
  /cores/*/*-evidence.md
validation:
  links: {not_found: warn, anchors: warn}
"""


def main() -> int:
    """Write the site; any warning is an error."""
    write_pages()
    configuration = ROOT / "build" / "mkdocs.yml"
    configuration.write_text(CONFIGURATION + "\n".join(menu()) + "\n", encoding="utf-8")
    shutil.rmtree(SITE, ignore_errors=True)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(configuration)]
    done = subprocess.run(command, cwd=ROOT, check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    if done.returncode == 0:
        for page in SITE.rglob("*.html"):
            page.write_text(without_roles(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"{SITE / 'index.html'}: {len(list(SITE.rglob('*.html')))} pages")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
