# SPDX-License-Identifier: Apache-2.0
"""A netlist as a transition system in SMT-LIB: Yosys reads the sources and writes it, nothing is modelled by
hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from modmul.design import Design
from modmul.measure.synthesis import file_name, run_yosys
from modmul.tools.run import log_file, work_dir

__all__ = ["State", "System", "system"]

SYSTEM = "proof.smt2"

YOSYS_SECONDS = 600.0

COMMANDS = ("proc", "check -assert", "flatten", "memory_map", "async2sync", "dffunmap", "opt_clean")
"""What Yosys does between reading and writing: it takes nothing apart that has a name.

Memories become registers. A reset acts in its own cycle, as it does in the sources, and is seen by every
clock edge.
"""


@dataclass(frozen=True)
class System:
    """A transition system.

    Attributes:
        top: the module.
        text: its definitions.
        signals: each signal with its bits; a Boolean has 0.
    """

    top: str
    text: str
    signals: Mapping[str, int]

    def state(self, name: str) -> State:
        """A state called ``name``."""
        return State(self, name)

    @property
    def header(self) -> str:
        """What a text about one step begins with: the system, a state ``s`` and its successor ``n``."""
        states = "".join(f"(declare-const {name} |{self.top}_s|)" for name in "sn")
        return f"(set-logic QF_BV)\n{self.text}\n{states}\n"

    @property
    def step(self) -> str:
        """That ``n`` follows ``s``."""
        return f"(|{self.top}_t| s n)"


@dataclass(frozen=True)
class State:
    """A state of a system, whose signals are terms."""

    system: System
    name: str

    def __call__(self, signal: str) -> str:
        """A signal by its path.

        Raises:
            KeyError: there is none.
        """
        if signal not in self.system.signals:
            raise KeyError(f"{self.system.top} has no signal {signal}")
        return f"(|{self.system.top}_n {signal}| {self.name})"

    def is_(self, signal: str, value: int) -> str:
        """That a signal has a value."""
        bits = self.system.signals[signal]
        if bits == 0:
            return self(signal) if value else f"(not {self(signal)})"
        return f"(= {self(signal)} (_ bv{value} {bits}))"


def system(design: Design, bench: str, top: str) -> System:
    """A design with a bench around it as a transition system.

    Raises:
        ToolFailure: Yosys failed.
    """
    with work_dir() as folder:
        (folder / "bench").mkdir()
        written = folder / "bench" / f"{top}.sv"
        written.write_text(bench, encoding="utf-8")
        names = sorted(source.name for source in (*design.sources, written))
        commands = (
            *(f"read_verilog -sv -defer {name}" for name in names),
            *(f"hierarchy -check -top {top}", *COMMANDS, f"write_smt2 -stbv -wires {SYSTEM}"),
        )
        log = log_file(f"{file_name(design)}-smt-{design.digest[:12]}")
        run_yosys(commands, (*design.sources, written), folder, log, YOSYS_SECONDS)
        text = (folder / SYSTEM).read_text()
    # Comments name files and versions, which decide nothing.
    text = re.sub(r"^;.*\n|[ \t]*;[^|\n]*$", "", text, flags=re.MULTILINE)
    found = re.findall(rf"\(define-fun \|{top}_n ([^|]+)\| \(\(state \S+\)\) (Bool|\(_ BitVec (\d+)\))", text)
    return System(top, text, {name: int(bits or 0) for name, _, bits in found})
