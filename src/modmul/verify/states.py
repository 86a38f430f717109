# SPDX-License-Identifier: Apache-2.0
"""State machines of a design, watched: copies of its sources with ``mm_cover_states`` beside their registers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile

from modmul.design import Design
from modmul.tools.paths import cache_or_scratch

__all__ = ["WATCH", "Machine", "machines", "watched"]

WATCH = Path(str(files("modmul"))) / "verify" / "mm_cover_states.sv"


@dataclass(frozen=True)
class Machine:
    """A register of states.

    Attributes:
        module: in which it is.
        register: its name there.
        bits: of it.
        states: their names, in the order of their numbers.
    """

    module: str
    register: str
    bits: int
    states: tuple[str, ...]

    @property
    def instance(self) -> str:
        """What the module that watches it is called."""
        return f"u_cover_{self.module}_{self.register}"


def machines(source: Path) -> Iterator[Machine]:
    """The registers of an enumerated type in the file of a module."""
    text = source.read_text(encoding="utf-8")
    enums = r"typedef enum logic \[(\d+):0\] \{([^}]*)\} (\w+);"
    for most, names, kind in re.findall(enums, re.sub(r"//[^\n]*", "", text)):
        states = tuple(name.strip() for name in names.split(","))
        for declared in re.findall(rf"^\s*{kind}\s+([\w\s,]+);", text, re.MULTILINE):
            for name in re.findall(r"\w+_q\b", declared):
                yield Machine(source.stem, name, int(most) + 1, states)


def watched(design: Design) -> Design:
    """The design with all its state machines watched; itself where it has none."""
    written = {}
    for source in design.sources:
        if found := list(machines(source)):
            body, _, rest = source.read_text(encoding="utf-8").rpartition("endmodule")
            beside = "".join(
                f"  mm_cover_states #(.States({len(each.states)}), .Bits({each.bits})) {each.instance} "
                f"(.clk_i, .rst_ni, .state_i({each.register}));\n"
                for each in found
            )
            written[source] = _kept(source.name, f"{body}{beside}endmodule{rest}")
    if not written:
        return design
    return replace(design, sources=(WATCH, *(written.get(source, source) for source in design.sources)))


def _kept(name: str, text: str) -> Path:
    """The text in a file of the cache folder."""
    file = cache_or_scratch() / "states" / sha256(text.encode()).hexdigest()[:16] / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as scratch:
            scratch.write(text)
        Path(scratch.name).replace(file)
    return file
