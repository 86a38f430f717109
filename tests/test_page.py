# SPDX-License-Identifier: Apache-2.0
"""The report page: self-contained, drawn and sortable in a real browser, honest about frequencies."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from modmul.cli import printing
from modmul.measure import CHIPS
from modmul.measure.weights import Weights
from modmul.moduli import Modulus
from modmul.registry import room, rooms
from modmul.report.page import render, render_papers
from modmul.report.redrawn import Chart, Drawing, Pipeline, redrawn
from modmul.study.columns import OVERLAY_COLUMNS, ROW_COLUMNS, Column, shown
from modmul.study.papers import LEGEND, Line, cited, papers, tables
from modmul.study.rows import Comparison, Overlay, Row, Skipped

NO_BROWSER = Path(__file__).parents[1] / "build" / "no-browser"
"""Left by tools/bootstrap.sh where the system has no Chromium to install."""

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1


def row(
    core: str,
    config: dict[str, int],
    cycles: int,
    luts: int | None,
    fmax: float | None,
    domain: str = "plain",
) -> Row:
    """A made-up measurement at 256 bits."""
    return Row(
        core, f"Title of {core}", "javeed", config, domain, 256, cycles, cycles + 2, cycles + 3,
        luts=luts, ffs=luts and luts // 3, fmax_mhz=fmax, fmax_spread_mhz=fmax and fmax / 25,
        seeds=5 if fmax else 0, verified=1000,
    )  # fmt: skip


def printed(
    design: str,
    core: str,
    device: str,
    slices: int,
    luts: int | None,
    fmax: float,
    cycles: int,
    time: float,
    note: str = "",
) -> Overlay:
    """A published figure at 256 bits."""
    return Overlay(
        "III", design, device, 256, slices, luts, fmax_mhz=fmax, cycles=cycles, time_us=time, note=note,
        derived=("cycles",), paper="javeed", core=core,
    )  # fmt: skip


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """A made-up comparison with every kind of row."""
    return Comparison(
        title="Modular multipliers for P-256 on ECP5",
        modulus=Modulus("p256", P256),
        target=CHIPS["ecp5"],
        rows=[
            row("interleaved_radix2", {}, 256, 2010, 61.3),
            row("interleaved_radix2_parallel", {}, 256, 3380, 88.2),
            row("interleaved_booth4", {}, 128, 4712, 44.1),
            row("interleaved_booth8", {}, 86, 5990, 36.8),
            row("interleaved_csa", {}, 258, 3120, 142.7),
            row("imml_radix4", {}, 128, 6480, 81.9),
            replace(row("imml_radix8", {}, 86, 13950, 60.2), dsp=16, bram=12),
            row("imml_booth4", {"SharedTaps": 1}, 130, 5010, 72.5),
            row("imml_booth4", {"SharedTaps": 0}, 130, 5290, 74.8),
            row("imml_booth8", {}, 90, 7120, 64.0),
            row("montgomery_csa1", {}, 256, 2602, 168.3, "montgomery"),
            row("montgomery_csa2", {}, 128, 3904, 131.0, "montgomery"),
            replace(
                row("fips", {"Word": 32}, 150, None, None, "montgomery"),
                verified=None,
                failure="nextpnr-ecp5 ended with status 1: <no legal placement>",
                log="build/fips/nextpnr.log",
            ),
            row("scalable_booth4_left", {"Word": 64, "Stages": 8}, 300, 1480, None, "montgomery"),
        ],
        skipped=[Skipped("fmlm3", "the modulus is even & this core needs an odd one")],
        overlays=[
            printed("Radix-2 IM", "interleaved_radix2", "Virtex-6", 1012, 2900, 125, 256, 2.03),
            printed("Radix-2 PIM", "interleaved_radix2_parallel", "Virtex-II Pro", 3475, None, 80, 256, 3.02),
            printed("Radix-2 PIM", "interleaved_radix2_parallel", "Virtex-6", 1190, 3207, 174.1, 256, 1.48),
            printed("Radix-4 IMML", "imml_radix4", "Virtex-6", 1985, 6300, 166, 128, 0.78),
            printed("Radix-8 IMML", "imml_radix8", "Virtex-6", 4428, 13880, 124.4, 86, 0.69),
            printed("BE Radix-4 IMML", "imml_booth4", "Virtex-6", 1631, 4935, 137.87, 128, 0.93, "needs 129"),
            printed("CSA-1", "montgomery_csa1", "Virtex-E", 1512, 2904, 95.2, 258, 2.71),
        ],
        command="modmul compare --modulus p256 --target ecp5",
        created="2025-01-31",
        versions={"modmul": "0.1.0", "yosys": "0.70", "nextpnr-ecp5": "0.8"},
        notes=["Every path lies between registers; the wrapper's own registers are not counted."],
    )  # fmt: skip


@pytest.fixture(scope="module")
def page(comparison: Comparison) -> str:
    return render(comparison)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Headless Chromium with a fresh profile; it may not reach the network."""
    binary = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        if NO_BROWSER.exists():
            pytest.skip("no browser: tools/bootstrap.sh could not install Chromium and its driver here")
        pytest.fail("needs Chromium and its driver: apt-get install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = binary
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SE_OFFLINE", "true")
        patch.setenv("SE_AVOID_STATS", "true")
        chrome = Chrome(options=options, service=ChromeService(executable_path=driver))
    yield chrome
    chrome.quit()


def open_page(browser: Chrome, text: str, path: Path) -> None:
    """Show ``text`` and wait until its charts are drawn and the table of cores, if there is one, sortable."""
    path.write_text(text, encoding="utf-8")
    browser.get(path.as_uri())
    browser.set_script_timeout(30)
    browser.execute_async_script(
        """
        const done = arguments[0];
        const ready = () => !document.querySelector("#cores:not(.dataTable)")
            && [...document.querySelectorAll("figure [role=img]")].every(e => e.querySelector(".main-svg"));
        const wait = () => ready() ? done() : requestAnimationFrame(wait);
        wait();
        """
    )


def column(browser: Chrome, heading: str) -> list[str]:
    """The texts of a column of the table of cores, in the order shown."""
    cells: list[str] = browser.execute_script(
        """
        const all = selector => [...document.querySelectorAll(selector)];
        const names = all("#cores thead th").map(th => th.innerText.split("\\n")[0]);
        const index = names.indexOf(arguments[0]);
        return all("#cores tbody tr").map(tr => tr.children[index].innerText.trim());
        """,
        heading,
    )
    return cells


def sort_by(browser: Chrome, heading: str) -> list[str]:
    """Click the heading as a reader would; the column afterwards."""
    before = column(browser, "Core")
    headings = browser.find_elements(By.CSS_SELECTOR, "#cores thead th")
    next(th for th in headings if th.text.split("\n")[0] == heading).click()
    WebDriverWait(browser, 10).until(lambda _: column(browser, "Core") != before, "the rows never moved")
    return column(browser, heading)


def number(text: str) -> float:
    return float(text.replace(",", ""))


class Sources(HTMLParser):
    """Collects what a browser would fetch, and the style sheets."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.styles: list[str] = []
        self.text: list[str] = []
        self.tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag = tag
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data")]

    def handle_endtag(self, tag: str) -> None:
        self.tag = ""

    def handle_data(self, data: str) -> None:
        if self.tag == "style":
            self.styles.append(data)
        elif self.tag != "script":
            self.text.append(data)


def parse(text: str) -> Sources:
    sources = Sources()
    sources.feed(text)
    return sources


def test_json_round_trip(comparison: Comparison) -> None:
    data = json.loads(json.dumps(comparison.to_json()))
    assert data["rows"][0]["time_us"] == pytest.approx(258 / 61.3)
    assert data["rows"][0]["throughput_mbps"] == pytest.approx(256 * 61.3 / 259)
    assert data["overlays"][1]["slices_time_per_bit"] == pytest.approx(40.994, abs=1e-3)
    assert Comparison.from_json(data) == comparison


def test_quantities_without_an_ingredient_are_none() -> None:
    unknown = row("core", {}, 10, None, None)
    assert unknown.time_us is unknown.throughput_mops is unknown.throughput_mbps is None
    assert unknown.lut_equivalents is unknown.area_time_per_bit is unknown.lut_cycles is None
    assert row("core", {}, 125, 1024, None).lut_cycles == 2.0
    assert row("core", {"SharedTaps": 1}, 1, 1, 1).label == "core SharedTaps=1"


def test_multiplier_blocks_and_block_ram_are_not_free() -> None:
    """They count in everything that stands for area, and nowhere else."""
    plain = row("core", {}, 125, 1024, 100.0)
    blocks = replace(plain, dsp=2, bram=1, weights=Weights(dsp=100, bram=824))
    assert (blocks.luts, blocks.lut_equivalents) == (1024, 2048)
    assert plain.area_time_per_bit and blocks.area_time_per_bit == 2 * plain.area_time_per_bit
    assert plain.lut_cycles and blocks.lut_cycles == 2 * plain.lut_cycles
    assert plain.rank < blocks.rank < row("core", {}, 125, 1, None).rank
    assert plain.lut_equivalents == plain.luts
    figure = replace(printed("Design", "core", "Artix-7", 1, 1024, 100, 125, 2.0), dsp=1)
    assert figure.lut_equivalents == 1024 + Weights().dsp


def test_blocks_move_a_core_down_the_ranking(comparison: Comparison) -> None:
    best = comparison.ranked[0]
    rows = [replace(r, dsp=1000) if r == best else r for r in comparison.rows]
    later = replace(comparison, rows=rows)
    assert later.ranked[0] != best and later.ranked[0].core == comparison.ranked[1].core
    text = " ".join(parse(render(later)).text)
    assert str(later.weights) in text and "DSP" in text


def test_weights() -> None:
    """One place, by the target's fabric, changed by text."""
    assert Weights.of(CHIPS["virtex6"]) == Weights(133, 200)
    assert Weights.of(CHIPS["ecp5"]) == Weights(133, 400)
    assert Weights().changed("bram=0, dsp=7") == Weights(7, 0)
    assert Weights().changed("") == Weights()
    assert Weights(1, 2).equivalents(10, None, 3) == 16
    assert Weights().equivalents(None, 1, 1) is None
    for wrong in ("dsp", "dsp=", "dsp=-1", "luts=3", "dsp=1.5"):
        with pytest.raises(ValueError, match="weights are given as dsp=133,bram="):
            Weights().changed(wrong)
    with pytest.raises(ValueError, match="the weight of bram is not negative, got -1"):
        Weights(bram=-1)


def test_a_column_stands_once(comparison: Comparison) -> None:
    """The page and JSON have every column that is shown, with its heading and meaning."""
    text = " ".join(parse(render(comparison)).text)
    data = comparison.to_json()
    for column in shown(ROW_COLUMNS, comparison.rows, timed=True):
        assert column.heading in text and column.meaning in text
        assert data["columns"][column.key]["meaning"] == column.meaning
        assert [entry[column.key] for entry in data["rows"]] == [column.value(r) for r in comparison.rows]
    for column in OVERLAY_COLUMNS:
        assert all(column.key in entry for entry in data["overlays"])


def test_derived_figures_are_marked(comparison: Comparison) -> None:
    """In the table, in the charts, in JSON; and nothing is, where all is printed."""
    text = " ".join(parse(render(comparison)).text)
    assert "128*" in text and "0.93" in text and "0.93*" not in text
    assert text.count("*: not printed, but derived") == 1 and "*: rests on" not in text, "time is printed"
    assert "javeed: Khalid Javeed, Xiaojun Wang: Speed and Area" in text
    assert all(entry["derived"] == ("cycles",) for entry in comparison.to_json()["overlays"])
    rows = [replace(row, fmax_mhz=None) for row in comparison.rows]
    untimed = render(replace(comparison, rows=rows))
    assert "*: rests on a figure" in untimed and "BE Radix-4 IMML*" in untimed
    overlays = [replace(overlay, derived=()) for overlay in comparison.overlays]
    plain = " ".join(parse(render(replace(comparison, overlays=overlays))).text)
    assert "*: not printed" not in plain and "128*" not in plain


def test_the_format_of_a_column() -> None:
    """The smallest value keeps three digits; whole numbers all."""
    rows = [row("core", {}, 1, luts, fmax) for luts, fmax in ((12345, 100.0), (None, None), (7, 0.25))]
    texts = {column.key: column.texts(rows) for column in ROW_COLUMNS}
    assert texts["luts"] == ["12,345", "–", "7"]
    assert texts["fmax_mhz"] == ["100.000", "–", "0.250"]
    assert Column("luts", "", "", "").texts([]) == []
    untimed = [column.key for column in shown(ROW_COLUMNS, rows, timed=False, terminal=True)]
    assert untimed == [
        "cycles",
        "latency",
        "interval",
        "luts",
        "ffs",
        "lut_equivalents",
        "lut_cycles",
        "verified",
    ]


@pytest.mark.parametrize("width", [80, 110, 250])
def test_a_narrow_terminal_shows_fewer_columns_and_cuts_none(
    comparison: Comparison, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(printing, "out", Console(file=screen, width=width, highlight=False, markup=False))
    printing.print_comparison(comparison)
    lines = screen.getvalue().splitlines()
    start = next(number for number, line in enumerate(lines) if "Cycles" in line)
    table = lines[start : start + 2 + len(comparison.rows)]
    first = table[0]
    assert all(len(line) <= width and "…" not in line for line in table)
    assert {"Cycles", "LUTs", "FFs", "DSP", "Fmax", "Time"} <= set(first.split())
    assert any(line.startswith("imml_booth4 SharedTaps=1 ") for line in table)
    gone = re.search(r"A wider terminal also shows ([^;]*);", " ".join(screen.getvalue().split()))
    left_out = gone[1].split(", ") if gone else []
    assert left_out[:2] == ([] if width == 250 else ["Spread", "Rate"])
    headings = [column.heading for column in shown(ROW_COLUMNS, comparison.rows, timed=True, terminal=True)]
    assert sorted(first.split() + left_out) == sorted(headings)
    assert any("Stages=8" in line for line in table) == (width == 250), "parameters that tell no rows apart"


def test_a_page_without_a_modulus(comparison: Comparison) -> None:
    """A measurement of builds at their full length is a comparison too."""
    measured = replace(comparison, modulus=None)
    assert "Modulus" not in parse(render(measured)).text
    assert Comparison.from_json(json.loads(json.dumps(measured.to_json()))) == measured


def test_self_contained(page: str) -> None:
    sources = parse(page)
    assert sources.fetched == []
    for style in sources.styles:
        assert "@import" not in style
        assert not re.search(r"""url\(\s*["']?(?!data:)""", style)
    assert not re.search(r"""\bfrom\s*["']https?:""", page.rpartition('<script type="module">')[2])


def test_everything_is_said(page: str, comparison: Comparison) -> None:
    text = " ".join(parse(page).text)
    for expected in (
        comparison.title, hex(P256), comparison.target.title, comparison.command, "yosys 0.70",
        "<no legal placement>", "build/fips/nextpnr.log", comparison.skipped[0].reason, comparison.notes[0],
        "scalable_booth4_left Word=64 Stages=8 (Fmax unknown)", "fips Word=32 (failed)", "median over 5",
    ):  # fmt: skip
        assert expected in text


def test_browser(browser: Chrome, page: str, comparison: Comparison, tmp_path: Path) -> None:
    open_page(browser, page, tmp_path / "page.html")
    shot = tmp_path / "page.png"
    height = browser.execute_script("return document.documentElement.scrollHeight")
    browser.set_window_size(1280, height + 200)
    assert browser.save_screenshot(str(shot)) and shot.stat().st_size > 50_000

    fetched = "return performance.getEntriesByType('resource').map(entry => entry.name)"
    assert [name for name in browser.execute_script(fetched) if name.startswith("http")] == []
    shift = """
        const done = arguments[0];
        new PerformanceObserver(list => done(list.getEntries().reduce((sum, e) => sum + e.value, 0)))
            .observe({ type: "layout-shift", buffered: true });
        setTimeout(done, 300, 0);
    """
    assert browser.execute_async_script(shift) < 0.01

    labels = column(browser, "Core")
    assert len(labels) == len(comparison.rows)
    assert labels[0].startswith("interleaved_radix2"), "rows come in the order given"
    assert browser.execute_script(
        "return [...document.querySelectorAll('.scroll, figure')].every(e => e.scrollWidth <= e.clientWidth)"
    ), "nothing is cut off at 1280 px"

    ascending = sort_by(browser, "LUTs")
    assert ascending[-1] == "–" and ascending[:-1] == sorted(ascending[:-1], key=number)
    descending = sort_by(browser, "LUTs")
    assert descending[-1] == "–" and descending[:-1] == ascending[-2::-1]
    assert sort_by(browser, "Fmax")[-2:] == ["–", "–"]
    names = sort_by(browser, "Core")
    assert names == sorted(names)

    points = browser.find_elements(By.CSS_SELECTOR, "#trade-off .scatterlayer .point")
    assert len(points) == 12 + 6, "all but the rows without Fmax and the figure without LUTs"
    bars = browser.find_elements(By.CSS_SELECTOR, "#area-time .barlayer .point")
    assert len(bars) == 12 + 7
    legend = browser.find_element(By.CSS_SELECTOR, "#trade-off .legend").text
    assert "published, Virtex-6" in legend and "measured, ecp5, montgomery" in legend

    buttons = browser.find_elements(By.CSS_SELECTOR, ".modebar-btn")
    assert {button.get_dom_attribute("data-title") for button in buttons} == {
        "Download plot as a PNG",
        "Reset axes",
    }, "nothing that would send the chart to a server"
    log = browser.get_log("browser")  # type: ignore[no-untyped-call]
    assert [entry for entry in log if entry["level"] == "SEVERE"] == []


def test_no_frequency_without_place_and_route(
    browser: Chrome, comparison: Comparison, tmp_path: Path
) -> None:
    unplaced = replace(comparison, target=CHIPS["virtex6"])
    page = render(unplaced)
    words = " ".join(parse(page).text)
    for unit in ("MHz", "Mbit/s", "µs", "Fmax", "M/s"):
        assert unit not in words
    assert "no clock frequency is known" in words
    assert "LUT-equivalents against interval cycles" in words
    open_page(browser, page, tmp_path / "page.html")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#trade-off .scatterlayer .point")) == 13 + 6
    drawn = browser.find_element(By.TAG_NAME, "main").text
    assert "Mbit/s" not in drawn and "MHz" not in drawn
    log = browser.get_log("browser")  # type: ignore[no-untyped-call]
    assert [entry for entry in log if entry["level"] == "SEVERE"] == []


def test_nothing_measured(browser: Chrome, comparison: Comparison, tmp_path: Path) -> None:
    """A comparison in which every core failed or was skipped is still a page."""
    failed = [entry for entry in comparison.rows if entry.failure is not None]
    for rows in ([], failed):
        page = render(replace(comparison, rows=rows, overlays=[]))
        open_page(browser, page, tmp_path / "page.html")
        assert browser.find_element(By.TAG_NAME, "main").text.count("Nothing to draw.") == 2
        log = browser.get_log("browser")  # type: ignore[no-untyped-call]
        assert [entry for entry in log if entry["level"] == "SEVERE"] == []


# --- the page of the papers ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    """The rows of every paper."""
    return papers(tuple(rooms().values()))


@pytest.fixture(scope="module")
def drawings(lines: list[Line]) -> list[Drawing]:
    return redrawn(lines)


@pytest.fixture(scope="module")
def papers_page(lines: list[Line], drawings: list[Drawing]) -> str:
    return render_papers(lines, drawings, "modmul papers --page papers.html", "2025-01-31")


def test_the_page_of_the_papers_is_self_contained(papers_page: str) -> None:
    assert all(name.startswith("#") for name in parse(papers_page).fetched)
    assert not re.search(r"""url\(\s*["']?(?!data:)""", "".join(parse(papers_page).styles))


def test_every_figure_is_on_the_page_of_the_papers(
    papers_page: str, lines: list[Line], drawings: list[Drawing]
) -> None:
    """With its caption and its numbers; and every row of the papers, each paper in full."""
    text = " ".join(" ".join(parse(papers_page).text).split())
    assert len(drawings) == 10
    for drawing in drawings:
        assert f"{drawing.figure}: {drawing.title}" in text
        assert all(line in text for line in drawing.caption)
        for panel in drawing.panels:
            assert panel.title in text
            assert all(cell in text for row in panel.table.rows for cell in row)
    for table in tables(lines):
        assert table.title in text and all(note in text for note in table.notes)
        assert all(cell in text for row in table.rows for cell in row)
    assert all(work in text for work in cited(lines)) and LEGEND in text
    assert "modmul papers --page papers.html" in text and "2025-01-31" in text


def test_the_page_of_the_papers_opens(
    browser: Chrome, papers_page: str, drawings: list[Drawing], tmp_path: Path
) -> None:
    """Every panel is drawn, printed series hollow; and has room in a wide window and in a narrow one."""
    browser.set_window_size(1280, 900)
    open_page(browser, papers_page, tmp_path / "papers.html")
    panels = [panel for drawing in drawings for panel in drawing.panels]
    series = [one for panel in panels if isinstance(panel, Chart) for one in panel.series]
    drawn = """
        const all = selector => [...document.querySelectorAll(selector)];
        return [
            all("figure [role=img] .plotly").length,
            all(".scatterlayer .point").map(e => getComputedStyle(e).fill === "none"),
            all(".heatmaplayer .heatmap-label").map(e => e.textContent),
        ];
    """
    count, hollow, words = browser.execute_script(drawn)
    assert count == len(panels)
    assert len(hollow) == sum(len(one.marks) for one in series)
    assert sum(hollow) == sum(len(one.marks) for one in series if one.printed)
    works = [work for panel in panels if isinstance(panel, Pipeline) for work in panel.works]
    assert sorted(words) == sorted(str(work.word) for work in works)
    too_wide = """
        return [...document.querySelectorAll("body, .panels > div:not(.wide)")]
            .filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)
    """
    assert browser.execute_script(too_wide) == []
    browser.set_window_size(500, 900)
    WebDriverWait(browser, 10).until(lambda _: browser.execute_script(too_wide) == [])
    browser.set_window_size(1280, 900)
    log = browser.get_log("browser")  # type: ignore[no-untyped-call]
    assert [entry for entry in log if entry["level"] == "SEVERE"] == []


def test_a_page_of_papers_without_figures() -> None:
    """Cores of which no figure is drawn have their rows all the same; so has one that is of no paper."""
    lines = papers((room("scalable_radix4"),))
    bare = [replace(line, paper="") for line in lines]
    assert redrawn(bare) == [] and '<h2 id="none">No paper</h2>' in render_papers(bare, [])
    page = render_papers(lines, redrawn(lines))
    assert page.count("<tbody>") == len(tables(lines)) > 0 and "<figure>" not in page
    assert page.count("<td>scalable_radix4") >= sum(line.room is not None for line in lines) > 0
