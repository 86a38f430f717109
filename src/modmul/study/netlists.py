# SPDX-License-Identifier: Apache-2.0
"""Netlists that synthesis makes for a chip family, as rooms: what is checked of a source is checked of them.

A netlist comes from the commands that an area is measured with, and Yosys writes it as Verilog. Beside it
stand models of its cells (``Chip.models``), without the initial values of registers: those begin at random
here, as the registers of a source do. Memories keep theirs, for they may be tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from modmul.chips import CHIPS, Chip
from modmul.core import Config
from modmul.design import Design
from modmul.measure.synthesis import CELLS, digests, file_name, run_yosys, synthesis_flow
from modmul.registry import own_cores, room
from modmul.room import Build, Room, SystemRoom
from modmul.tools.paths import cache_dir
from modmul.tools.run import ToolFailure, log_file, work_dir
from modmul.tools.store import file_digest, result_key, tool_versions
from modmul.verify.failures import ProtocolError, SimulatorError, VerificationError
from modmul.verify.runner import Plan, verify
from modmul.verify.simulator import preprocessed

__all__ = [
    "COUNT",
    "MODELLED",
    "RECORD",
    "WIDTH",
    "Checked",
    "NetlistRoom",
    "check",
    "known",
    "netlist",
    "on_netlist",
    "record",
    "stale",
]

MODELLED: tuple[str, ...] = tuple(chip.name for chip in CHIPS.values() if chip.models)
"""The chip families whose netlists can be simulated."""

YOSYS_SECONDS = 1800.0

NETLIST, MODELS = "netlist.v", "cells.v"

WRITE = f"write_verilog -noattr {NETLIST}"

_MODULE = re.compile(r"^[ \t]*module\s+(\w+).*?\bendmodule\b", re.MULTILINE | re.DOTALL)
_TIMES = re.compile(r"\bspecify\b.*?\bendspecify\b", re.DOTALL)
_INITIAL = re.compile(r"\binitial\s+\w+\s*<?=[^;]*;")
_DECLARED = re.compile(r"(\breg\b[^;=,()]*)=[^;,]*;")
_SHIFTING = re.compile(r"SRL\w*")
_BEHAVIOUR = re.compile(r"\bassign\b|\balways\b|\bwire\b[^;]*=")


def _behaves(text: str, names: Iterable[str]) -> bool:
    """Whether a module does anything, and is not only declared."""
    return bool(_BEHAVIOUR.search(text)) or any(re.search(rf"^\s*{n}\s", text, re.MULTILINE) for n in names)


@cache
def _modules(file: Path) -> Mapping[str, str]:
    """The modules of a file of models that do anything: name to text, without times."""
    texts = {found[1]: _TIMES.sub("", found[0]) for found in _MODULE.finditer(preprocessed(file))}
    return {
        name: text for name, text in texts.items() if _behaves(text.partition(";")[2], texts.keys() - {name})
    }


def _random(name: str, text: str, target: Chip) -> str:
    """A model whose registers have no initial values; a memory, unless it shifts, stays as it is."""
    if name in {*target.cells.memory, *target.cells.block_ram} and not _SHIFTING.fullmatch(name):
        return text
    return _INITIAL.sub("initial begin end", _DECLARED.sub(r"\1;", text))


def _found(target: Chip) -> tuple[Path, ...]:
    share = Path(str(files("pyosys"))) / "share"
    own = ("+/", f"{share}/")
    return tuple(Path(name.replace(*own) if name.startswith("+/") else name) for name in target.models)


def _models(cells: Iterable[str], target: Chip) -> str:
    """The models of some cells, and of what these are made of.

    Raises:
        SimulatorError: there is none of a cell.
    """
    known: dict[str, str] = {}
    for file in _found(target):
        known = {**_modules(file), **known}
    lacking = sorted(cell for cell in cells if cell not in known)
    if lacking:
        raise SimulatorError(
            f"no model of {', '.join(lacking)}: netlists for {target.name} with such cells are not simulated"
        )
    todo, chosen = list(cells), dict[str, str]()
    while todo:
        name = todo.pop()
        if name not in chosen:
            chosen[name] = known[name]
            todo += [other for other in re.findall(r"\w+", known[name]) if other in known]
    return "\n".join(_random(name, chosen[name], target) for name in sorted(chosen)) + "\n"


def netlist(design: Design, target: Chip, change: Callable[[str], str] | None = None) -> Design:
    """The netlist of a design for a chip family, with the models of its cells.

    It is kept in the cache folder.

    Args:
        change: what is made of the text of the netlist, to see that a check finds it.

    Raises:
        SimulatorError: synthesis failed, or there is no model of a cell.
    """
    if not target.models:
        raise SimulatorError(
            f"netlists for {target.name} are not simulated, those for {', '.join(MODELLED)} are"
        )
    design = design.tuned(target.family)
    commands = (*synthesis_flow(design, target), WRITE)
    key = _key(design, target, commands)
    folder = cache_dir() / "netlists" / key[:32]
    folder.mkdir(parents=True, exist_ok=True)
    written, counted = folder / NETLIST, folder / CELLS
    if not counted.exists():
        log = log_file(f"{file_name(design)}-{target.slug}-netlist-{key[:12]}")
        try:
            with work_dir() as work:
                run_yosys(commands, (*design.sources, *target.files), work, log, YOSYS_SECONDS)
                for made in (written, counted):
                    _write(made, (work / made.name).read_text())
        except ToolFailure as failure:
            raise SimulatorError(f"no netlist for {target.name}: {failure}") from failure
    statistics = json.loads(counted.read_text())
    kept = {module.removeprefix("\\") for module in statistics["modules"]}
    cells = statistics["design"]["num_cells_by_type"].keys() - kept - {"$scopeinfo"}
    text = _models(cells, target)
    models = folder / f"{sha256(text.encode()).hexdigest()[:8]}-{MODELS}"
    _write(models, text)
    if change is not None:
        changed = change(written.read_text())
        written = folder / f"changed-{sha256(changed.encode()).hexdigest()[:8]}.v"
        _write(written, changed)
    return replace(design, sources=(models, written), parameters={}, foreign=())


def _key(design: Design, target: Chip, commands: Sequence[str]) -> str:
    """What a netlist is kept under."""
    return result_key(
        "netlist",
        inputs=(design.digest, *digests(target)),
        target=target.name,
        options=commands,
        tools=tool_versions("pyosys"),
    )


def _write(file: Path, text: str) -> None:
    """Write a file at once, for others may look for it."""
    if not file.exists() or file.read_text() != text:
        with work_dir() as folder:
            (folder / file.name).write_text(text)
            (folder / file.name).replace(file)


def _untraced(_config: Config) -> dict[str, str]:
    return {}


@dataclass(frozen=True, repr=False)
class NetlistRoom(Room):
    """A core whose hardware is the netlist for a chip family.

    Attributes:
        plain: the room of the source.
        target: the family.
        change: as :func:`netlist` has it.
    """

    plain: Room
    target: Chip
    change: Callable[[str], str] | None = None

    def design(self, config: Config) -> Design:
        return _kept(self, config)


@cache
def _kept(room: NetlistRoom, config: Config) -> Design:
    return netlist(room.plain.design(config), room.target, room.change)


def on_netlist(build: Build, target: Chip, change: Callable[[str], str] | None = None) -> Build:
    """A build whose hardware is its netlist for a chip family; it is synthesised when it is asked for.

    Its registers have no names any more, so it is not followed step by step.

    Raises:
        ValueError: it is a system.
    """
    room = build.room
    if isinstance(room, SystemRoom):
        raise ValueError(f"{build.slug} is a system; netlists are checked of cores")
    core = room.core.changed(trace=_untraced)
    return NetlistRoom(core, room.path, room, target, change).of(build.config)


# --- what comes with the package ------------------------------------------------------------------------

RECORD = Path(str(files("modmul"))) / "study" / "netlists.json"
"""Which netlists were checked, as it comes with the package."""

WIDTH = 13
"""Bits of the operands of those builds: odd, and no whole number of words."""
COUNT = 20
"""Random multiplications of each."""


@dataclass(frozen=True)
class Checked:
    """The netlist of a core for a chip family.

    Attributes:
        core: its slug.
        chip: the family.
        config: its parameters.
        done: how much was checked.
        wrong: what a check found; empty if nothing.
        lacking: why it is not simulated; empty if it is.
        digest: of the hardware, the commands, Yosys' version and the models.
    """

    core: str
    chip: str
    config: str
    done: int
    wrong: str
    lacking: str
    digest: str


def _digest(build: Build, target: Chip) -> str:
    design = build.design.tuned(target.family)
    key = _key(design, target, (*synthesis_flow(design, target), WRITE))
    own = [Path(name) for name in target.models if not name.startswith("+/")]
    return sha256(f"{key} {file_digest(*own)}".encode()).hexdigest()[:16]


def check(slug: str, target: Chip) -> Checked:
    """Run the checks on the netlist of a core at a small width."""
    build = room(slug).build(WIDTH, chip=target.name)
    done, wrong, lacking = 0, "", ""
    try:
        done = verify(on_netlist(build, target), Plan(count=COUNT, source=False)).total
    except SimulatorError as error:
        lacking = str(error).splitlines()[0]
    except (ProtocolError, VerificationError) as error:
        wrong = str(error).splitlines()[0]
    return Checked(slug, target.name, str(build.config), done, wrong, lacking, _digest(build, target))


def known() -> list[Checked]:
    """What comes with the package."""
    return [Checked(**each) for each in json.loads(RECORD.read_text(encoding="utf-8"))]


def record(found: Iterable[Checked]) -> None:
    """Keep what was found, by family and core."""
    order = {name: at for at, name in enumerate((*MODELLED, *own_cores()))}
    each = sorted(found, key=lambda one: (order[one.chip], order[one.core]))
    RECORD.write_text(json.dumps([asdict(one) for one in each], indent=1) + "\n", encoding="utf-8")


def stale(found: Iterable[Checked]) -> list[str]:
    """Those whose hardware, commands, models or version of Yosys are others now."""
    lines = []
    for each in found:
        build = room(each.core).build(WIDTH, chip=each.chip)
        if each.digest != _digest(build, CHIPS[each.chip]):
            lines.append(f"{each.core} on {each.chip}")
    return lines
