# SPDX-License-Identifier: Apache-2.0
"""Standard cells of a library that the user has: ``liberty:FILE``.

ABC maps to the cells of the file, and tells the delay of the longest path without wires. OpenSTA, where it is
installed, times the netlist with clock-to-output and set-up. Areas are those of the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from modmul.chips._chip import CLOCK_PS, READINGS, Cells, Chip, ChipError, Family

SCRIPT = Path(__file__).with_name("liberty.abc")

NAME = re.compile(r"[\w.+-]+")
"""Of a file that the commands of Yosys can name."""

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)

_CELL = re.compile(r'\bcell\s*\(\s*"?([^)"\s]+)"?\s*\)\s*\{')

_AREA = re.compile(r'\barea\s*:\s*"?([0-9.eE+-]+)"?')

_FLIP_FLOP = re.compile(r"\bff\s*\(")

_BUFFER = re.compile(r'\bfunction\s*:\s*"\s*\(?\s*\w+\s*\)?\s*"')

_NAND2 = re.compile(r"(^|_)(nand2|nd2)(?![0-9])", re.IGNORECASE)


def _groups(text: str) -> Iterator[tuple[str, str]]:
    """Name and content of each cell of a library."""
    for found in _CELL.finditer(text):
        depth, at = 1, found.end()
        for brace in re.compile("[{}]").finditer(text, found.end()):
            depth += 1 if brace[0] == "{" else -1
            at = brace.start()
            if not depth:
                break
        yield found[1], text[found.end() : at]


def _area(path: Path, text: str) -> Fraction:
    """The number that is an area; one out of the range of a float is not written out.

    Raises:
        ChipError: it is none.
    """
    try:
        if math.isfinite(value := float(text)) and (
            value or not re.search("[1-9]", text.lower().split("e")[0])
        ):
            return Fraction(text)
    except ValueError:
        pass
    raise ChipError(f"{path} has an area that is none: {text[:30]}")


def library(path: Path) -> Chip:
    """The chip of a library in Liberty format.

    Raises:
        ChipError: the file cannot be read, or has no cells, flip-flops, areas buffer or two-input NAND.
    """
    try:
        text = _COMMENT.sub(" ", path.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise ChipError(f"liberty:{path} cannot be read: {error.strerror or error}") from error
    if not NAME.fullmatch(path.name):
        raise ChipError(f"liberty:{path}: rename the file to letters, digits, '.', '+', '-' and '_' alone")
    cells = dict(_groups(text))
    if not cells:
        packed = " (unpack it first)" if path.read_bytes()[:2] == b"\x1f\x8b" else ""
        raise ChipError(f"{path} is no Liberty file: it has no cells{packed}")
    areas = {name: _area(path, found[1]) for name, body in cells.items() if (found := _AREA.search(body))}
    flip_flops = [name for name, body in cells.items() if _FLIP_FLOP.search(body)]
    if not flip_flops:
        raise ChipError(f"{path} has no flip-flops: name a library with sequential cells")
    if not any(_BUFFER.search(body) for name, body in cells.items() if name not in flip_flops):
        raise ChipError(f"{path} has no buffer (a cell whose function is its input), which ABC needs")
    nands = [areas[name] for name in areas if _NAND2.search(name) and areas[name] > 0]
    if not nands:
        raise ChipError(
            f"{path} names no two-input NAND (NAND2…, ND2…) with an area, the unit of its figures"
        )
    unit = min(nands)
    return Chip(
        name=f"liberty:{path}",
        title=f"standard cells of {path.name}",
        lut_inputs=2,
        synthesis="synth -flatten -noabc",
        after=(
            f"dfflibmap -liberty {path.name}",
            "opt_clean",
            f"tee -o {READINGS} abc -liberty {path.name} -script {SCRIPT.name}",
            "opt_clean",
            "write_verilog -noattr -noexpr -nohex netlist.v",
        ),
        timing=(
            f"read_liberty {path.name}",
            "set_cmd_units -time ps",
            "read_verilog netlist.v",
            "link_design {top}",
            f"create_clock -period {CLOCK_PS} [get_ports clk_i]",
            "report_worst_slack -digits 1",
        ),
        readings={"delay_ps": r"Delay = *([0-9.]+) *ps"},
        cells=Cells(
            logic={name: area / unit for name, area in areas.items()},
            flip_flop="|".join(map(re.escape, flip_flops)),
        ),
        dsp_weight=0,
        bram_weight=0,
        files=(path.resolve(), SCRIPT),
        unit="NAND2",
        unit_area=float(unit),
        notes=(
            f"NAND2 equivalents: areas of {path.name} over {float(unit):g}, that of its smallest two-input "
            "NAND; flip-flops included, memories are flip-flops. Delay: ABC's, of the longest path between "
            "registers, without wires, clock-to-output and set-up; no clock tree. Period: OpenSTA's, with "
            "clock-to-output and set-up; none where it is not installed (Debian, Ubuntu: opensta) or cannot "
            "read the library.",
        ),
    )


FAMILY = Family(
    name="liberty",
    argument="FILE",
    title="standard cells of a Liberty file: area, delay",
    of=lambda argument: library(Path(argument).expanduser()),
)
