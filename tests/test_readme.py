# SPDX-License-Identifier: Apache-2.0
"""The README: its tables and pictures are those of the shipped measurements, and what it shows works."""

import contextlib
import importlib.util
import io
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from modmul.design import Design
from modmul.registry import room, rooms
from modmul.tools.blocks import filled
from modmul.verify.failures import SimulatorError
from modmul.verify.simulator import lint

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def readme() -> ModuleType:
    """``tools/readme.py``."""
    spec = importlib.util.spec_from_file_location("readme", ROOT / "tools" / "readme.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_and_pages_are_those_of_the_shipped_measurements(readme: ModuleType) -> None:
    found = readme.rows()
    made = readme.texts(found)
    pages = {each.path / "EVIDENCE.md" for each in rooms().values() if each.core.origin.paper}
    assert {ROOT / "README.md", *pages} < set(made)
    for file, text in made.items():
        assert file.read_text(encoding="utf-8") == text, f"'make readme' writes {file}"
    changed = readme.texts([replace(row, luts=(row.luts or 0) + 1) for row in found])
    assert {file.parent.name for file in made if changed[file] != made[file]} == {
        *(ROOT.name, "docs", "peers", "scalable_booth4_right"),
        *(room(row.core).wing for row in found),
    }


def test_the_pictures_are_those_of_the_shipped_measurements(readme: ModuleType) -> None:
    key = readme.key(readme.rows())
    for file in readme.PICTURES:
        assert key in file.read_text(encoding="utf-8"), "'make readme' draws them"
        assert str(file.relative_to(ROOT)) in README


def test_a_part_without_marks_is_an_error() -> None:
    with pytest.raises(ValueError, match="no part is named measured"):
        filled(README.replace("<!-- end measured -->", ""), {"measured": ""})


def block(language: str) -> str:
    """The one block of code in a language."""
    [text] = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return str(text)


def test_the_instantiation_is_one(tmp_path: Path) -> None:
    """It lints inside a module that declares the signals, and with a port misspelt it does not."""
    found = room("montgomery_csa2")
    ports = found.core.interface.ports(found.core.builds.config(width=256))
    declared = [f"{p.direction} wire {f'[{p.bits - 1}:0] ' if p.bits > 1 else ''}{p.name}" for p in ports]
    header = f"`default_nettype none\nmodule example (\n  {f',{chr(10)}  '.join(declared)}\n);\n"
    file = tmp_path / "example.sv"
    design = Design("example", "example", (*found.sources, file))
    text = f"{header}{block('systemverilog')}endmodule\n`default_nettype wire\n"
    file.write_text(text)
    lint(design)
    file.write_text(text.replace(".x_i,", ".x,"))
    with pytest.raises(SimulatorError, match="PINNOTFOUND"):
        lint(design)


def test_the_calls_from_python_give_the_product_the_core_and_a_table() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block("python"), "README.md", "exec"), {})
    product, best, headings, *records = printed.getvalue().splitlines()
    assert product == "0xf" and best in rooms()
    assert headings.split()[:2] == ["core", "target"] and records
    assert all(line.split()[:2] == ["rrm", "ecp5"] for line in records)


def test_the_readme_keeps_what_nothing_beats(readme: ModuleType) -> None:
    found = readme.of_integers(readme.rows())
    kept = readme.unbeaten(found)
    for cost in (readme.area, readme.time, readme.rate):
        many = [row for row in found if row.reduced and row.fmax_mhz and readme.open_to_many(row)]
        assert min(many, key=cost) in kept
    beaten = [row for row in found if row not in kept and row.reduced and row.fmax_mhz]
    assert beaten and all(
        any(
            readme.area(other) <= readme.area(row)
            and readme.time(other) <= readme.time(row)
            and readme.rate(other) <= readme.rate(row)
            for other in kept
        )
        for row in beaten
    )
