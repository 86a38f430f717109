# SPDX-License-Identifier: Apache-2.0
"""State machines of a design, watched while coverage is counted: copies of its sources with a module beside
each register of states, which is in no source of a core."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from modmul.design import Design
from modmul.tools.paths import cache_or_scratch

__all__ = ["WATCH", "Machine", "machines", "watched"]

WATCH = "mm_cover_states"
"""The module that sees which transitions a register makes, and in which states a reset comes."""

TEXT = """\
`default_nettype none

module mm_cover_states #(
  parameter int States = 2,
  // Derived, not to be set: bits of a state.
  parameter int Bits   = 1
) (
  input wire            clk_i,
  input wire            rst_ni,
  input wire [Bits-1:0] state_i
);

  logic [Bits-1:0] last_q;
  logic            seen_q;

  always_ff @(posedge clk_i) last_q <= state_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_q <= 1'b0;
    else         seen_q <= 1'b1;
  end

  for (genvar from = 0; from < States; from++) begin : gen_from
    for (genvar to = 0; to < States; to++) begin : gen_to
      if (from != to) begin : gen_arc
        logic arc;
        assign arc = seen_q & (last_q == Bits'(from)) & (state_i == Bits'(to));
      end
    end

`ifdef VERILATOR
    gen_reset: cover property (@(negedge rst_ni) state_i == Bits'(from));
`endif
  end

endmodule

`default_nettype wire
"""


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
                f"  {WATCH} #(.States({len(each.states)}), .Bits({each.bits})) {each.instance} "
                f"(.clk_i, .rst_ni, .state_i({each.register}));\n"
                for each in found
            )
            written[source] = _kept(source.name, f"{body}{beside}endmodule{rest}")
    if not written:
        return design
    watch = _kept(f"{WATCH}.sv", TEXT)
    return replace(design, sources=(watch, *(written.get(source, source) for source in design.sources)))


def _kept(name: str, text: str) -> Path:
    """The text in a file of the cache folder."""
    file = cache_or_scratch() / "states" / sha256(text.encode()).hexdigest()[:16] / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as scratch:
            scratch.write(text)
        Path(scratch.name).replace(file)
    return file
