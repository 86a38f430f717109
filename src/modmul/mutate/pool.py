# SPDX-License-Identifier: Apache-2.0
"""The mutants of a build in one piece of hardware, with an input that chooses one of them."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from modmul.core import Config
from modmul.design import Design, Port
from modmul.measure.synthesis import elaboration, file_name, run_yosys
from modmul.mutate.operators import CHOOSER, NUMBER_BITS, Site, sites, source
from modmul.room import Build, Room
from modmul.tools.paths import cache_dir
from modmul.tools.run import log_file, run_tool, work_dir

__all__ = ["KINDS", "Candidate", "Pool", "candidates", "chooser", "pooled"]

KINDS = ("netlist", "source")
"""Where mutants are made: in the netlist, by Yosys' command ``mutate``, or in the sources."""

TOP, CORE = "mm_mutants", "mm_mutated"

SECONDS = 1800.0

NETLIST = (
    *("setattr -mod -unset keep_hierarchy", "setattr -unset keep_hierarchy"),
    *("flatten", "opt_clean", "memory_dff", "memory_collect"),
    *("pmuxtree", "opt -full", "wreduce", "opt -full"),
)
"""The Yosys commands that make one module of a design; bits that are never another or that nothing reads go.

Its cells are still those that the sources name.
"""

LISTED = 12000
"""Mutants that Yosys lists, evenly spread over sources, cells and wires."""

LEFT = re.compile(r" -port (?:CLK|(?:RD|WR)_CLK|RD_[AS]RST|RD_EN) ")
"""Clocks, and of memories what has to be a constant."""

MADE = ("flatten", "auto", "genblock")
"""Parts of the names that Yosys gives to cells which do not say what they are."""


@dataclass(frozen=True)
class Candidate:
    """What may be changed.

    Attributes:
        kind: one of :data:`KINDS`.
        module: in whose source that is.
        what: the change, for people.
        command: the options of Yosys' ``mutate``; ``""`` for a mutant of a source.
        site: of a mutant of a source.
    """

    kind: str
    module: str
    what: str
    command: str = ""
    site: Site | None = None


@cache
def _base(design: Design) -> Path:
    """The folder with the elaborated design and the list of its mutants."""
    commands = (
        *elaboration(design),
        *NETLIST,
        "write_rtlil base.il",
        f"mutate -list {LISTED} -seed 1 -o list.txt -s sources.txt",
    )
    mark = sha256(f"{design.digest}{commands}".encode()).hexdigest()[:32]
    folder = cache_dir() / "mutants" / mark
    if not (folder / "list.txt").exists():
        folder.mkdir(parents=True, exist_ok=True)
        with work_dir() as work:
            log = log_file(f"{file_name(design)}-mutants-{mark[:12]}")
            run_yosys(commands, design.sources, work, log, SECONDS)
            for name in ("base.il", "list.txt"):
                (work / name).replace(folder / name)
    return folder


def candidates(build: Build) -> list[Candidate]:
    """All that Yosys lists, and all mutants of sources; clocks stay as they are."""
    design = build.design
    named = {each.name: each.stem for each in design.sources}
    found = []
    for line in (_base(design) / "list.txt").read_text().splitlines():
        places = re.findall(r" -src (\S+\.sv):(\d+)", line)
        if not places or LEFT.search(line) or places[-1][0] not in named:
            continue
        command = re.split(r" -(?:wire|src) ", line)[0].removeprefix("mutate ")
        told = dict(re.findall(r"-(mode|cell|port|portbit|ctrlbit|wire|wirebit) (\S+)", line))
        words = [w for w in re.findall(r"\$([a-z]\w*)", told["cell"]) if not w.startswith(("mm_", *MADE))]
        cell = words[-1] if words else "cell"
        wire = f" {told['wire']}[{told['wirebit']}]" if "wire" in told else ""
        what = f"line {places[-1][1]}: {told['mode']} of {cell} {told['port']}[{told['portbit']}]{wire}"
        found.append(Candidate("netlist", named[places[-1][0]], what, command))
    found += [
        Candidate("source", site.module, f"line {site.line}: {site.what}", site=site)
        for site in sites(design)
    ]
    return found


# --- the hardware that has them all -------------------------------------------------------------------


@dataclass(frozen=True)
class Pool:
    """Mutants of a build.

    Attributes:
        build: the original.
        chosen: the mutants; the number of the first one is 1.
        design: the core with the input that chooses.
        mutated: a build for the simulation, which :func:`chooser` gives one of the mutants.
    """

    build: Build
    chosen: tuple[Candidate, ...]
    design: Design
    mutated: Build


def _untraced(_config: Config) -> dict[str, str]:
    return {}


@dataclass(frozen=True, repr=False)
class _Room(Room):
    """A core whose hardware is that of a pool."""

    hardware: Design

    def design(self, config: Config) -> Design:
        return self.hardware


def pooled(build: Build, chosen: Sequence[Candidate], folder: Path) -> Pool:
    """Some mutants of one kind in one piece of hardware, its sources in a folder.

    Raises:
        ToolFailure: Yosys failed.
    """
    design = build.design
    folder.mkdir(parents=True, exist_ok=True)
    if chosen[0].kind == "netlist":
        written = folder / f"{CORE}.v"
        _netlist(design, chosen, written)
        hardware = replace(design, top=CORE, sources=(written,), parameters={})
    else:
        numbered = [(number, each.site) for number, each in enumerate(chosen, 1) if each.site is not None]
        files = tuple(source(folder, file, numbered) for file in design.sources)
        hardware = replace(design, sources=files)
    ports = (*design.ports, Port(CHOOSER, "input", NUMBER_BITS))
    hardware = replace(hardware, ports=ports)
    top = folder / f"{TOP}.sv"
    top.write_text(_top(hardware, design.ports), encoding="utf-8")
    simulated = replace(
        hardware, top=TOP, sources=(*hardware.sources, top), parameters={}, ports=design.ports
    )
    room = _Room(build.core.changed(trace=_untraced), build.room.path, simulated)
    return Pool(build, tuple(chosen), hardware, room.of(build.config))


def _netlist(design: Design, chosen: Iterable[Candidate], written: Path) -> None:
    base = _base(design)
    commands = (
        f"read_rtlil {base / 'base.il'}",
        *(
            f"mutate -ctrl {CHOOSER} {NUMBER_BITS} {number} {each.command}"
            for number, each in enumerate(chosen, 1)
        ),
        *("opt_clean", f"rename -top {CORE}", f"write_verilog -noattr {written.name}"),
    )
    with work_dir() as work:
        log = log_file(f"{file_name(design)}-mutated-{design.digest[:12]}")
        run_yosys(commands, (), work, log, SECONDS)
        (work / written.name).replace(written)


def _top(hardware: Design, ports: Sequence[Port]) -> str:
    def declared(port: Port) -> str:
        return f"  {port.direction} wire {f'[{port.bits - 1}:0] ' if port.bits > 1 else ''}{port.name}"

    settings = ", ".join(f".{name}({value})" for name, value in hardware.settings.items())
    wires = ", ".join(f".{port.name}({port.name})" for port in ports)
    declarations = ",\n".join(map(declared, ports))
    return f"""// SPDX-License-Identifier: Apache-2.0
module {TOP} (
{declarations}
);
  import "DPI-C" function int modmul_chosen();
  int chosen;
  initial chosen = modmul_chosen();
  {hardware.top} {f"#({settings}) " if settings else ""}core (
    {wires}, .{CHOOSER}(chosen[{NUMBER_BITS - 1}:0])
  );
endmodule
"""


# --- which of them a simulation has -------------------------------------------------------------------

CHOICE = """\
static int chosen;
int modmul_chosen(void) { return chosen; }
void modmul_choose(int number) { chosen = number; }
"""


@cache
def chooser() -> Callable[[int], None]:
    """What says which mutant the simulations have that are made from now on; 0 for the original.

    Raises:
        ToolFailure: gcc is missing.
    """
    folder = cache_dir() / "mutants"
    folder.mkdir(exist_ok=True)
    library = folder / f"choice-{sha256(CHOICE.encode()).hexdigest()[:16]}.so"
    if not library.exists():
        with work_dir() as work:
            (work / "choice.c").write_text(CHOICE)
            command = ("g++", "-shared", "-fPIC", "-x", "c", "choice.c", "-o", library.name)
            run_tool(command, folder=work, log=log_file("choice"), timeout=60)
            (work / library.name).replace(library)
    choose_: Callable[[int], None] = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL).modmul_choose
    return choose_
