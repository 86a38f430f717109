# SPDX-License-Identifier: Apache-2.0
"""The report page: self-contained, drawn and sortable in a real browser, honest about frequencies."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium_axe_python.axe import Axe

from modmul.cli import printing
from modmul.core import BINARY_FIELD, PRIME_FIELD
from modmul.measure import CHIPS
from modmul.measure.weights import Weights
from modmul.moduli import Modulus, modulus
from modmul.registry import choose_rooms, room, rooms
from modmul.report.page import render, render_papers
from modmul.report.page.comparison import goals, short, winners
from modmul.report.page.diagram import drawn
from modmul.report.recording import record, record_all
from modmul.report.redrawn import Chart, Drawing, Pipeline, redrawn
from modmul.report.waves import found, small
from modmul.study.columns import OVERLAY_COLUMNS, ROW_COLUMNS, Column, shown
from modmul.study.compare import Comparing, Request
from modmul.study.papers import LEGEND, Line, cited, papers, tables
from modmul.study.recorded import recorded
from modmul.study.rows import Comparison, Overlay, Row, Skipped

MOST = 2_000_000
"""Bytes of a page."""

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
        seeds=5 if fmax else 0, verified=1000, results="M-1",
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
            row("montgomery_dsp", {"Lazy": 0}, 60, 5003, 150.0, "montgomery"),
            replace(
                row("montgomery_dsp", {"Lazy": 1}, 50, 4802, 155.0, "montgomery"),
                results="2M-1",
                reduced=False,
            ),
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


def open_page(browser: Chrome, text: str, path: Path, width: int = 1280, dark: bool = False) -> None:
    """Show ``text`` in a window of some width, px, and wait until its charts are drawn."""
    path.write_text(text, encoding="utf-8")
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    theme = [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": theme})
    browser.get(path.as_uri())
    browser.set_script_timeout(60)
    browser.execute_async_script(
        """
        const done = arguments[0];
        const ready = () => "ready" in document.documentElement.dataset
            && [...document.querySelectorAll(".plot")].every(e => e.querySelector("svg, p"));
        const wait = () => ready() ? done() : requestAnimationFrame(wait);
        wait();
        """
    )


def errors(browser: Chrome) -> list[str]:
    """What the browser complained of."""
    log = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry["message"] for entry in log if entry["level"] == "SEVERE"]


def cut(browser: Chrome) -> list[str]:
    """The parts of the page that are wider than the window, but for those that scroll by themselves."""
    found: list[str] = browser.execute_script(
        """
        return [...document.querySelectorAll("main *")].filter(e => {
            const box = e.getBoundingClientRect();
            return box.width && box.right > innerWidth + 1
                && !e.closest(".scroll, .lanes, pre, .visually-hidden");
        }).map(e => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`);
        """
    )
    return found


def column(browser: Chrome, heading: str) -> list[str]:
    """The texts of a column of the table of cores, in the order shown."""
    cells: list[str] = browser.execute_script(
        """
        const all = selector => [...document.querySelectorAll(selector)];
        const names = all("#cores thead th").map(th => th.innerText.split("\\n")[0]);
        const index = names.indexOf(arguments[0]);
        return all("#cores tbody tr").filter(tr => !tr.hidden).map(tr => tr.children[index].innerText.trim());
        """,
        heading,
    )
    return cells


def sort_by(browser: Chrome, heading: str) -> list[str]:
    """Press the heading as a reader would; the column afterwards."""
    buttons = browser.find_elements(By.CSS_SELECTOR, "#cores thead button")
    next(button for button in buttons if button.text.split("\n")[0] == heading).send_keys(Keys.ENTER)
    return column(browser, heading)


def put(browser: Chrome, selector: str, value: object) -> None:
    """Set a control, as a reader would."""
    browser.execute_script(
        """
        const control = document.querySelector(arguments[0]);
        control.value = arguments[1];
        for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
        """,
        selector,
        value,
    )


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


def test_results_beyond_the_modulus_do_not_win(comparison: Comparison) -> None:
    """What is not reduced stands behind the best that is, and wins only where nothing is reduced."""
    for goal in goals(timed=True):
        best, beyond = winners(comparison.rows, goal)
        values = [value for row in comparison.rows if (value := getattr(row, goal.key)) is not None]
        if not values:
            assert goal.key.startswith("operations_"), "which are those of systems"
            continue
        assert best and best.reduced
        extreme = max(values) if goal.largest else min(values)
        assert extreme == getattr(beyond or best, goal.key)
    fastest, lazy = winners(comparison.rows, goals(timed=True)[1])
    assert fastest and lazy and (fastest.config, lazy.config) == ({"Lazy": 0}, {"Lazy": 1})
    assert winners([lazy], goals(timed=True)[1]) == (lazy, None)
    assert winners([lazy, replace(lazy, reduced=True)], goals(timed=True)[1])[0] != lazy, (
        "no better is no win"
    )
    assert winners([], goals(timed=True)[1]) == (None, None)
    failed = [row for row in comparison.rows if row.failure is not None]
    assert winners(failed, goals(timed=False)[2]) == (None, None)


def test_short_names_tell_rows_apart(comparison: Comparison) -> None:
    """The first build of a core has the name of the core alone."""
    names = short(comparison.rows, comparison.ranked)
    assert len(set(names)) == len(names)
    assert {"montgomery_dsp", "montgomery_dsp Lazy=1", "fips", "imml_booth4"} <= set(names)
    assert "imml_booth4 SharedTaps=0" in names, "the first of the two has SharedTaps=1"


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


@pytest.fixture(scope="module")
def systems() -> Comparison:
    """What is shipped of RSA-2048, and a build without figures."""
    request = Request(
        modulus("rsa2048"),
        2048,
        CHIPS["ecp5"],
        tuple(room(f"rsa_crt:{slug}") for slug in ("fips", "montgomery_dsp", "rrm", "scalable_booth4_left")),
        count=0,
    )
    return Comparing(request).known()


@pytest.mark.parametrize("width", [80, 110, 160, 400])
def test_systems_on_a_narrow_terminal(
    systems: Comparison, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are folded before the last columns go; nothing is cut, and no rate is in millions."""
    screen = io.StringIO()
    monkeypatch.setattr(printing, "out", Console(file=screen, width=width, highlight=False, markup=False))
    printing.print_comparison(systems)
    text = screen.getvalue()
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if "Operations" in line)
    end = next(number for number, line in enumerate(lines) if number > start and line.startswith("LUTeq:"))
    assert all(len(line) <= width and "…" not in line for line in lines[start:end])
    headings = lines[start].split()
    assert {"LUTs", "DSP", "Fmax", "Time", "Operations", "Ops/kLUTeq"} <= {*headings}
    assert "Rate" not in headings and ("Cycles" in headings) == (width > 80)
    assert all(f"{name}=" in text for name in ("Columns", "Lazy", "Multipliers", "Window"))
    folded = any(line.startswith(("Columns=22", "Lazy=1", "Window=4")) for line in lines)
    assert folded == (width < 160) and ("rsa_crt:" in text) == (width == 400)


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


@pytest.fixture(scope="module")
def known() -> Comparison:
    """All that is shipped of 256 bits on ecp5."""
    return recorded(choose_rooms(None), 256, CHIPS["ecp5"], command="modmul report")


def test_self_contained(page: str, known: Comparison) -> None:
    for text in (page, render(known)):
        assert len(text.encode()) < MOST
        sources = parse(text)
        assert all(name.startswith("#") for name in sources.fetched)
        for style in sources.styles:
            assert "@import" not in style and "url(" not in style
        assert "default-src 'none'" in text and "http:" not in re.sub(r"http://www.w3.org/2000/svg", "", text)


def test_everything_is_said(page: str, comparison: Comparison) -> None:
    """In the HTML, for whoever has no JavaScript; the table with every number of every row."""
    text = " ".join(" ".join(parse(page).text).split())
    for expected in (
        comparison.title, hex(P256), comparison.target.title, comparison.command, "yosys 0.70",
        "<no legal placement>", "build/fips/nextpnr.log", comparison.skipped[0].reason, comparison.notes[0],
        "scalable_booth4_left (Fmax unknown)", "fips (failed)", "median over 5",
    ):  # fmt: skip
        assert expected in text
    for shown_column in shown(ROW_COLUMNS, comparison.rows, timed=True):
        assert all(cell in text for cell in shown_column.texts(comparison.rows))


def test_a_page_of_what_is_known(known: Comparison) -> None:
    """Each core with its diagram, its steps, its formula and a recording; what is not known is named."""
    slugs = {row.core for row in known.rows}
    assert slugs | {entry.core.partition(" ")[0] for entry in known.skipped} == set(rooms())
    text = render(known)
    for slug in slugs:
        start = text.index(f'id="core-{slug}"')
        guide = text[start : text.find('<details class="core"', start)]
        assert 'class="diagram"' in guide and "Steps" in guide and f'data-core="{slug}"' in guide
        assert room(slug).core.algorithm.steps in parse(guide).text
    with pytest.raises(ValueError, match="no measurement of 250 bits on ecp5 is shipped; 'modmul measure"):
        recorded([room("rrm")], 250, CHIPS["ecp5"])
    with pytest.raises(ValueError, match="no core fits: "):
        recorded([room("rrm")], 256, CHIPS["ecp5"], modulus=Modulus("even", 2**255 + 2))


def test_a_diagram_is_drawn_line_by_line() -> None:
    drawing = drawn("a ─┐  ┌──┐\n   └─►│b<│\n      └──┘\n", 'a "b"')
    assert (
        drawing.count("<text") == 2
        and ">b&lt;</text>" in drawing
        and 'aria-label="a &quot;b&quot;"' in drawing
    )
    assert "M52 9H76" in drawing, "the top of the box is one line"
    assert "M52 9V45" in drawing, "so is its left side, through the row that the arrow points to"
    assert drawing.count("Z") == 1 and 'class="head" d="M48 27' in drawing


def test_browser(browser: Chrome, page: str, comparison: Comparison, tmp_path: Path) -> None:
    """The table is in the order of the command line, sorts, and is not cut; nothing is fetched."""
    open_page(browser, page, tmp_path / "page.html", 1400)
    fetched = "return performance.getEntriesByType('resource').map(entry => entry.name)"
    assert browser.execute_script(fetched) == []
    assert cut(browser) == []
    fits = "const e = document.querySelector('.scroll:has(#cores)'); return e.scrollWidth <= e.clientWidth"
    assert browser.execute_script(fits), "the table has room at 1400 px"

    names = short(comparison.rows, comparison.ranked)
    assert [re.split(r"\s", name)[0] for name in column(browser, "Core")] == [
        name.split(" ")[0] for name in names
    ]
    ascending = sort_by(browser, "LUTs")
    assert ascending[-1] == "–" and ascending[:-1] == sorted(ascending[:-1], key=number)
    descending = sort_by(browser, "LUTs")
    assert descending[-1] == "–" and descending[:-1] == sorted(ascending[:-1], key=number, reverse=True)
    assert sort_by(browser, "Fmax")[-2:] == ["–", "–"]
    labels = [re.split(r"\s", name)[0] for name in sort_by(browser, "Core")]
    assert labels == sorted(labels)
    results = sort_by(browser, "Results")
    assert results[-1] == "2M-1" and set(results[:-1]) == {"M-1"}
    browser.find_element(By.ID, "all-columns").click()
    assert browser.find_element(By.CSS_SELECTOR, "#cores tbody td.extra").is_displayed()
    assert errors(browser) == []


def test_a_page_of_systems(browser: Chrome, systems: Comparison, tmp_path: Path) -> None:
    """Operations a second, and for each 1,000 LUT-equivalents, in place of millions of products."""
    assert {row.core for row in systems.rows if row.operations_per_s} == {
        f"rsa_crt:{slug}" for slug in ("fips", "montgomery_dsp", "rrm", "scalable_booth4_left")
    }
    open_page(browser, render(systems), tmp_path / "systems.html", 1400)
    assert not errors(browser) and cut(browser) == []
    options = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)"
    assert browser.execute_script(options, "#axis option") == [
        "time of one operation, µs",
        "operations a second",
    ]
    put(browser, "#axis", 1)
    written = browser.execute_script(options, "#trade-off text")
    assert {"operations a second", "montgomery_dsp Columns=22 Lazy=1"} <= set(written)
    values = sort_by(browser, "Ops/kLUTeq")
    best = max(row.operations_per_kluteq or 0 for row in systems.rows)
    known = [number(text) for text in values if text != "–"]
    assert known == sorted(known) and known[-1] == pytest.approx(best, rel=1e-3)
    assert column(browser, "Operations") and not column(browser, "Core")[0].startswith("rsa_crt")


def test_filters_act_on_everything(
    browser: Chrome, page: str, comparison: Comparison, tmp_path: Path
) -> None:
    """The best, the chart, the ranking and the table show the same builds; as Python would choose them."""
    open_page(browser, page, tmp_path / "page.html")

    def state() -> tuple[list[str], int, int, list[str]]:
        best = [e.text for e in browser.find_elements(By.CSS_SELECTOR, "#best .winner")]
        marks = browser.find_elements(By.CSS_SELECTOR, "#trade-off svg a .mark")
        ranked = browser.find_elements(By.CSS_SELECTOR, "#ranking li a")
        return best, len(marks), len(ranked), column(browser, "Core")

    def expected(rows: list[Row]) -> list[str]:
        names = dict(
            zip((r.label for r in comparison.ranked), short(comparison.rows, comparison.ranked), strict=True)
        )
        found = (winners(rows, goal)[0] for goal in goals(timed=True))
        return [names[row.label] for row in found if row]

    sound = [r for r in comparison.ranked if r.failure is None]
    best, marks, ranked, table = state()
    assert best == expected(comparison.ranked)
    assert marks == ranked == sum(r.fmax_mhz is not None for r in sound) and len(table) == len(
        comparison.rows
    )

    luts = sorted({r.luts for r in sound if r.luts is not None})
    put(browser, "[name=luts]", 5)
    small = [r for r in sound if r.luts is not None and r.luts <= luts[5]]
    best, marks, ranked, table = state()
    assert best == expected(small) and len(table) == len(small) < len(comparison.rows)
    assert marks == ranked == sum(r.fmax_mhz is not None for r in small)
    assert browser.find_element(By.ID, "count").text.startswith(f"{len(small)} of {len(comparison.rows)} ")

    put(browser, "[name=domain]", "plain")
    plain = [r for r in small if r.domain == "plain"]
    best, marks, ranked, table = state()
    assert best == expected(plain) and len(table) == len(plain) and marks == ranked == len(plain)
    browser.find_element(By.CSS_SELECTOR, "#filters [type=reset]").click()
    put(browser, "[name=text]", "montgomery_dsp")
    put(browser, "[name=beyond]", "none")
    assert state()[0] == ["montgomery_dsp"] * 4 and len(state()[3]) == 1
    put(browser, "[name=beyond]", "all")
    assert "montgomery_dsp Lazy=1" in state()[0] and len(state()[3]) == 2
    put(browser, "[name=text]", "no such core")
    assert state() == ([], 0, 0, [])
    assert "Nothing to draw." in browser.find_element(By.ID, "trade-off").text
    assert errors(browser) == []


def test_fields_do_not_compete(browser: Chrome, known: Comparison, tmp_path: Path) -> None:
    """Where no modulus says which field, numbers come first; polynomials and both can be asked for."""
    open_page(browser, render(known), tmp_path / "page.html")
    names = dict(zip((r.label for r in known.ranked), short(known.rows, known.ranked), strict=True))

    def best() -> list[str]:
        return [e.text for e in browser.find_elements(By.CSS_SELECTOR, "#best .winner")]

    def expected(field: str) -> list[str]:
        rows = [row for row in known.ranked if not field or field in row.fields]
        assert len(column(browser, "Core")) == len(rows)
        return [names[row.label] for goal in goals(timed=True) if (row := winners(rows, goal)[0])]

    first = best()
    assert (
        first == expected(PRIME_FIELD) and [e for e in parse(render(known)).text if e in first][:4] == first
    )
    for field in (BINARY_FIELD, ""):
        put(browser, "[name=field]", field)
        assert best() == expected(field) != first
    assert errors(browser) == []


def test_a_page_of_one_field_asks_for_none(page: str) -> None:
    assert 'name="field"' not in page


def test_the_chart(browser: Chrome, page: str, tmp_path: Path) -> None:
    """Labels meet neither each other nor marks; the Pareto line goes down; keys walk from mark to mark."""
    open_page(browser, page, tmp_path / "page.html")
    crossed = browser.execute_script(
        """
        const boxes = s =>
            [...document.querySelectorAll(`#trade-off ${s}`)].map(e => e.getBoundingClientRect());
        const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
        const labels = boxes(".label");
        return [labels.length, labels.filter((a, i) => labels.some((b, k) => k > i && meet(a, b))
            || boxes(".mark").some(b => meet(a, b))).length];
        """
    )
    assert crossed[0] >= 8 and crossed[1] == 0
    [line] = browser.find_elements(By.CSS_SELECTOR, "#trade-off .pareto")
    points = [tuple(map(float, p.split(","))) for p in str(line.get_dom_attribute("points")).split(" ")]
    assert len(points) >= 3 and points == sorted(points), "to the right and, on the screen, down"

    hollow = browser.find_elements(By.CSS_SELECTOR, "#trade-off .mark.hollow")
    assert len(hollow) == 1, "the one whose results are not reduced"
    browser.find_element(By.ID, "with-published").click()
    assert len(browser.find_elements(By.CSS_SELECTOR, "#trade-off .mark.hollow")) == 1 + 6

    first = browser.find_element(By.CSS_SELECTOR, "#trade-off a[tabindex='0']")
    browser.execute_script("arguments[0].focus()", first)
    browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    tip = browser.find_element(By.CSS_SELECTOR, "#trade-off .tip")
    second = browser.switch_to.active_element
    assert second != first and tip.is_displayed()
    assert str(second.get_dom_attribute("aria-label")).startswith(tip.text.split("\n")[0])
    second.send_keys(Keys.END)
    assert browser.switch_to.active_element != second
    assert len(browser.find_elements(By.CSS_SELECTOR, "#trade-off a[tabindex='0']")) == 1
    assert len(browser.find_elements(By.CSS_SELECTOR, "#ranking a[tabindex='0']")) == 1
    assert errors(browser) == []


def test_a_recording_is_stepped_through(browser: Chrome, page: str, tmp_path: Path) -> None:
    """Keys and buttons move the cursor; values and steps follow."""
    open_page(browser, page, tmp_path / "page.html")
    browser.execute_script("location.hash = '#core-montgomery_csa2'")
    core = browser.find_element(By.ID, "core-montgomery_csa2")
    browser.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")
    slider = core.find_element(By.CSS_SELECTOR, ".wave input")

    def at() -> tuple[str, list[str]]:
        return (
            core.find_element(By.CSS_SELECTOR, ".says").text,
            [output.text for output in core.find_elements(By.CSS_SELECTOR, ".names output")],
        )

    wave = found(room("montgomery_csa2"))
    assert wave is not None
    told = wave.steps(small(room("montgomery_csa2")))
    for cycle in range(4):
        says, values = at()
        assert says.startswith(f"Clock cycle {cycle} of {wave.cycles - 1}") and says.endswith(
            told[cycle] or ""
        )
        now = [signal.values[cycle] for signal in wave.signals]
        assert values == ["–" if value is None else f"{value:x}" for value in now]
        slider.send_keys(Keys.ARROW_RIGHT)
    core.find_element(By.CSS_SELECTOR, "[aria-label='last cycle']").click()
    assert at()[0].startswith(f"Clock cycle {wave.cycles - 1} ")
    core.find_element(By.CSS_SELECTOR, "[aria-label='cycle before']").click()
    assert at()[0].startswith(f"Clock cycle {wave.cycles - 2} ")
    put(browser, "#core-montgomery_csa2 .wave input", told.index("3-5"))
    marked = [row.text.split(" ")[0] for row in core.find_elements(By.CSS_SELECTOR, "tr.now")]
    assert marked == ["3", "4", "5"]
    assert errors(browser) == []


def test_on_a_phone(browser: Chrome, page: str, tmp_path: Path) -> None:
    """Nothing but the tables scrolls sideways; their first column stays, and numbers stand beside it."""
    open_page(browser, page, tmp_path / "page.html", 390)
    assert cut(browser) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    places = """
        const row = document.querySelector("#cores tbody tr");
        document.querySelector(".scroll:has(#cores)").scrollLeft = arguments[0];
        return [...row.children].filter(e => e.offsetWidth).map(e => e.getBoundingClientRect())
            .map(box => [box.left, box.right]);
    """
    before = browser.execute_script(places, 0)
    assert before[3][1] <= 390, "three numbers are seen without scrolling"
    after = browser.execute_script(places, 300)
    assert after[0] == before[0] and after[1][0] < 0
    heights = (
        "return [...document.querySelectorAll('#cores tbody tr')].map(e => e.getBoundingClientRect().height)"
    )
    told = browser.execute_script(heights)
    assert told == [*map(round, told)], "parts of a pixel take the lines of the column that stays"


def test_themes(browser: Chrome, page: str, tmp_path: Path) -> None:
    """The system's, and the one chosen."""
    paper = "return getComputedStyle(document.body).backgroundColor"
    seen = []
    for dark in (False, True):
        open_page(browser, page, tmp_path / "page.html", dark=dark)
        seen.append(browser.execute_script(paper))
    assert seen[0] != seen[1]
    button = browser.find_element(By.CSS_SELECTOR, "button.theme")
    chosen = []
    for _ in range(3):
        button.click()
        chosen.append(browser.execute_script(paper))
    assert chosen == [seen[0], seen[1], seen[1]], "light, dark, and the system's again"


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (390, False)])
def test_accessibility(browser: Chrome, page: str, tmp_path: Path, width: int, dark: bool) -> None:
    """axe-core finds nothing, in either theme and on a phone, with a core open."""
    open_page(browser, page, tmp_path / "page.html", width, dark)
    browser.execute_script("location.hash = '#core-interleaved_radix2'")
    browser.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")
    assert violations(browser) == []


def violations(browser: Chrome) -> list[str]:
    """What axe-core has against the page."""
    axe = Axe(browser)
    axe.inject()  # type: ignore[no-untyped-call]
    found = axe.run()["violations"]
    return [
        f"{each['id']} ({each['impact']}): {[node['target'] for node in each['nodes']]}" for each in found
    ]


def test_no_frequency_without_place_and_route(
    browser: Chrome, comparison: Comparison, tmp_path: Path
) -> None:
    unplaced = replace(comparison, target=CHIPS["virtex6"])
    page = render(unplaced)
    words = " ".join(parse(page).text)
    for unit in ("MHz", "Mbit/s", "µs", "Fmax", "M/s"):
        assert unit not in words
    assert "no clock frequency is known" in words
    open_page(browser, page, tmp_path / "page.html")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#trade-off svg a .mark")) == 15
    drawn = browser.find_element(By.TAG_NAME, "main").text
    assert "Mbit/s" not in drawn and "MHz" not in drawn
    assert errors(browser) == []


def test_nothing_measured(browser: Chrome, comparison: Comparison, tmp_path: Path) -> None:
    """A comparison in which every core failed or was skipped is still a page."""
    failed = [entry for entry in comparison.rows if entry.failure is not None]
    for rows in ([], failed):
        page = render(replace(comparison, rows=rows, overlays=[]))
        open_page(browser, page, tmp_path / "page.html")
        assert browser.find_element(By.TAG_NAME, "main").text.count("Nothing to draw.") == 2
        assert errors(browser) == []


# --- the recordings -----------------------------------------------------------------------------


def test_the_recordings_are_of_the_sources_as_they_are() -> None:
    """``make waves`` renews them. What they hold is what the model says, and the right product."""
    for each in rooms().values():
        wave = found(each)
        assert wave is not None, f"{each.core.slug}: make waves"
        build, core = small(each), each.core
        at = build.config.at(wave.modulus)
        steps = list(core.algorithm.model(at, wave.modulus, *core.function.factors(at, wave.x, wave.y, {})))
        registers = {signal.name: signal.values for signal in wave.signals if signal.kind == "register"}
        assert wave.valid - wave.last == len(steps) == core.interface.latency(at)
        for cycle, step in enumerate(steps, wave.last + 1):
            assert all(registers[name][cycle] == value for name, value in step.state.items())
        answer = core.function.answer(at, wave.modulus, wave.x, wave.y)
        assert core.function.accepts(at, wave.modulus, answer, wave.result)


def test_a_recording_comes_from_simulation(tmp_path: Path) -> None:
    """Recorded anew it is the same, whatever the simulator's version; of other sources it is not shown."""
    slug = "interleaved_radix2"
    wave = found(room(slug))
    assert wave is not None
    again = record(small(room(slug)))
    assert replace(again, tool=wave.tool) == wave
    file = tmp_path / f"{slug}.json"
    file.write_text(again.lines(), encoding="utf-8")
    assert found(room(slug), tmp_path) == again
    file.write_text(replace(again, digest="0" * 16).lines(), encoding="utf-8")
    assert found(room(slug), tmp_path) is None and found(room("rrm"), tmp_path) is None


@pytest.mark.long
def test_all_recordings_come_from_simulation() -> None:
    """Where the model leaves a register open, its value may be another with another simulator."""
    for wave in record_all(map(small, rooms().values())):
        shipped = found(room(wave.core))
        assert shipped is not None
        ports, known = (
            tuple(signal for signal in each.signals if signal.kind != "register") for each in (wave, shipped)
        )
        assert ports == known
        assert replace(wave, tool="", signals=()) == replace(shipped, tool="", signals=())


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
    open_page(browser, papers_page, tmp_path / "papers.html")
    panels = [panel for drawing in drawings for panel in drawing.panels]
    series = [one for panel in panels if isinstance(panel, Chart) for one in panel.series]
    drawn = """
        const all = selector => [...document.querySelectorAll(selector)];
        return [
            all(".plot > svg, table.pipeline").length,
            all(".plot .mark").map(e => e.classList.contains("hollow")),
            all("table.pipeline td[class]").map(e => e.textContent),
        ];
    """
    count, hollow, words = browser.execute_script(drawn)
    assert count == len(panels)
    assert len(hollow) == sum(len(one.marks) for one in series)
    assert sum(hollow) == sum(len(one.marks) for one in series if one.printed)
    works = [work for panel in panels if isinstance(panel, Pipeline) for work in panel.works]
    assert sorted(words) == sorted(str(work.word) for work in works)
    assert cut(browser) == [] and len(papers_page.encode()) < MOST
    open_page(browser, papers_page, tmp_path / "papers.html", 500)
    assert cut(browser) == []
    assert errors(browser) == []


def test_a_page_of_papers_without_figures() -> None:
    """Cores of which no figure is drawn have their rows all the same; so has one that is of no paper."""
    lines = papers((room("scalable_radix4"),))
    bare = [replace(line, paper="") for line in lines]
    assert redrawn(bare) == [] and '<h2 id="none">No paper</h2>' in render_papers(bare, [])
    page = render_papers(lines, redrawn(lines))
    assert page.count("<tbody>") == len(tables(lines)) > 0 and "<figure>" not in page
    assert page.count("<td>scalable_radix4") >= sum(line.room is not None for line in lines) > 0
