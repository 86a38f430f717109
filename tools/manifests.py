# SPDX-License-Identifier: Apache-2.0
"""Writes ``modmul.core`` (FuseSoC) and ``Bender.yml``: cores and systems for designs that use no Python.

``make manifests`` writes them; ``python tools/manifests.py --check`` fails when they are out of date.
"""

from __future__ import annotations

import json
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from modmul.design import family, hierarchy, twins
from modmul.registry import DEFAULT_WIDTH, Room, on, own_cores, rooms, shared, systems
from modmul.room import Build, SystemRoom

ROOT = Path(__file__).parents[1]
HEADER = (
    "# SPDX-License-Identifier: Apache-2.0\n# Made by 'make manifests': change tools/manifests.py instead.\n"
)
FUSESOC, BENDER = "modmul.core", "Bender.yml"
SOCKETS = "examples/sockets"
"""Where the socket of each system lies, as an example: a core at :data:`DEFAULT_WIDTH`."""
EXAMPLE = "montgomery_csa2"
"""The core in it."""


def own_rooms() -> list[Room]:
    """The rooms of the project itself, by the names of their top modules."""
    return sorted((rooms()[slug] for slug in own_cores()), key=lambda room: room.core.top)


def examples() -> list[Build]:
    """Every system on the core of the examples."""
    return [on(name, EXAMPLE).build(DEFAULT_WIDTH) for name in systems()]


def fileset(source: Path, found: Sequence[Room]) -> str:
    """Where a file belongs: to the room in whose folder it lies, or to itself; by the name of the module."""
    return next((room.core.top for room in found if room.path == source.parent), source.stem)


def filesets(found: Sequence[Room]) -> dict[str, list[Path]]:
    """The plain files: each shared part under its name, those of a room's own under its top module's.

    Parts come before those that are made of them, and all of them before the rooms.
    """
    sources = [source for room in found for source in room.sources]
    tops = {room.core.top for room in found}
    parts = {source.stem: source for source in sources if fileset(source, found) not in tops}
    order = dict.fromkeys(
        below.stem for source in parts.values() for below in hierarchy(source, shared().get)
    )
    sets = {name: [parts[name]] for name in order}
    for room in found:
        sets[room.core.top] = [source for source in room.sources if source.parent == room.path]
    return sets


def path(source: Path) -> str:
    """A file, from the top of the repository."""
    return source.relative_to(ROOT).as_posix()


def families(source: Path) -> dict[str, Path]:
    """The twins of a plain file: family to file."""
    return {family(twin): twin for twin in twins(source)}


def needed(sources: Iterable[Path], found: Sequence[Room]) -> list[str]:
    """The filesets of some sources: shared parts, then rooms, in the order in which they are given."""
    names = dict.fromkeys(fileset(source, found) for source in sources)
    tops = [room.core.top for room in found if room.core.top in names]
    return [*(name for name in names if name not in tops), *tops]


def users(found: Sequence[Room]) -> dict[str, list[str]]:
    """The top modules that use each fileset."""
    using: dict[str, list[str]] = {}
    for room in found:
        for name in needed(room.sources, found):
            using.setdefault(name, []).append(room.core.top)
    return using


def parameters(room: Room) -> list[str]:
    """The SystemVerilog parameters of a core."""
    return list(room.core.builds.at(DEFAULT_WIDTH)[0].parameters())


def sockets(built: Sequence[Build]) -> dict[str, str]:
    """The socket of each system: file and text."""
    return {
        f"{SOCKETS}/{build.slug.partition(':')[0]}/{source.name}": source.read_text(encoding="utf-8")
        for build in built
        for source in build.design.sources
        if is_socket(build, source)
    }


def is_socket(build: Build, source: Path) -> bool:
    """Whether a source is the one that Python writes for a build of a system."""
    assert isinstance(build.room, SystemRoom)
    return source.stem == build.room.socket


def _list(names: Iterable[str], indent: int) -> str:
    """``[a, b, …]``, in lines of a readable length."""
    text = textwrap.fill(
        f"[{', '.join(names)}]", 118 - indent, break_on_hyphens=False, break_long_words=False
    )
    return text.replace("\n", "\n" + " " * indent)


def _choices(source: Path) -> list[str]:
    """A file and its twins as expressions of FuseSoC: that of the family whose flag is set."""
    found = families(source)
    plain = path(source)
    for name in found:
        plain = f"!twins_{name} ? ({plain})"
    return [f'"twins_{name} ? ({path(twin)})"' for name, twin in found.items()] + (
        [f'"{plain}"'] if found else [plain]
    )


def fusesoc(found: Sequence[Room], built: Sequence[Build], project: Mapping[str, str]) -> str:
    """The CAPI2 core file: a fileset for each part and core, a target to lint each core and system."""
    every = [*found, *(build.room for build in built)]
    sets = filesets(every)
    lines = ["CAPI=2:", HEADER.rstrip(), f"name: modmul:cores:modmul:{project['version']}"]
    lines += [f"description: {json.dumps(project['description'])}", ""]
    lines += [
        "# The flag twins_<family> takes modules made of the cells of a chip family, where there are some."
    ]
    lines += ["filesets:"]
    for name, files in sets.items():
        lines += [f"  {name}:", "    file_type: systemVerilogSource"]
        if any(map(families, files)):
            lines += ["    files:", *(f"      - {choice}" for file in files for choice in _choices(file))]
        else:
            lines.append(f"    files: {_list(map(path, files), 6)}")
    for build, socket in zip(built, sockets(built), strict=True):
        lines += [
            f"  {build.core.top}_socket:",
            "    file_type: systemVerilogSource",
            f"    files: [{socket}]",
        ]
    lines += ["", "# Those of the modules; what is not set keeps the module's default.", "parameters:"]
    names = {name for room in found for name in parameters(room)}
    for name in sorted(names.union(*(build.design.parameters for build in built))):
        lines.append(f"  {name}: {{datatype: int, paramtype: vlogparam}}")
    lines += [
        "",
        "targets:",
        "  # What another core gets that depends on this one: everything but the core of a system,",
    ]
    written = " or ".join(sorted({Path(socket).stem for socket in sockets(built)}))
    lines += [f"  # {written}, which 'modmul export SYSTEM:CORE' writes."]
    lines += ["  default:", f"    filesets: {_list(sets, 6)}"]
    targets = [(room, needed(room.sources, every), parameters(room)) for room in found]
    for build in built:
        sources = [source for source in build.design.sources if not is_socket(build, source)]
        *used, own = needed(sources, every)
        values = [f"{name}={value}" for name, value in build.design.parameters.items()]
        targets.append((build.room, [*used, f"{build.core.top}_socket", own], values))
    for room, names_of, values in targets:
        lines += [
            "",
            f"  {room.core.top}:",
            f"    description: {json.dumps(room.core.title)}",
            "    flow: lint",
            "    flow_options: {tool: verilator, verilator_options: [-Wall]}",
            f"    filesets: {_list(names_of, 6)}",
            f"    toplevel: {room.core.top}",
            f"    parameters: {_list(values, 6)}",
        ]
    return "\n".join(lines) + "\n"


def bender(found: Sequence[Room], built: Sequence[Build], project: Mapping[str, str]) -> str:
    """The Bender manifest: targets choose cores and systems, and the family of their twins.

    Where no core is chosen, there are all.
    """
    every = [*found, *(build.room for build in built)]
    sets, using = filesets(every), users(every)

    def target(expression: str, files: Iterable[Path]) -> list[str]:
        text = textwrap.indent(textwrap.fill(expression, 112), " " * 6)
        return [f"  - target: >-\n{text}", "    files:", *(f"      - {path(file)}" for file in files)]

    def choices(chosen: str, files: Iterable[Path]) -> list[str]:
        """The files in their order, cut where the expression that takes them changes."""
        taken: list[tuple[str, list[Path]]] = []
        for file in files:
            own = families(file)
            flags = [f"twins_{name}" for name in own]
            plain = f"all({chosen}, not(any({', '.join(flags)})))" if own else chosen
            for expression, each in (
                *((f"all({chosen}, twins_{name})", twin) for name, twin in own.items()),
                (plain, file),
            ):
                if not taken or taken[-1][0] != expression:
                    taken.append((expression, []))
                taken[-1][1].append(each)
        return [line for expression, each in taken for line in target(expression, each)]

    lines = [HEADER.rstrip(), "package:", "  name: modmul", '  authors: ["The modmul developers"]']
    lines += [f"  description: {json.dumps(project['description'])}", "", "sources:"]
    lines += ["  # No core chosen: all of them, of plain modules."]
    nothing = f"not(any({', '.join(room.core.top for room in every)}))"
    lines += target(nothing, (file for files in sets.values() for file in files))
    for name, files in sets.items():
        tops = using[name]
        lines += choices(tops[0] if len(tops) == 1 else f"any({', '.join(tops)})", files)
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str], folder: Path = ROOT) -> int:
    """Write the files into a folder, or check those that are there; the exit code."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found, built = own_rooms(), examples()
    outdated = []
    texts = {FUSESOC: fusesoc(found, built, project), BENDER: bender(found, built, project)} | sockets(built)
    for name, text in texts.items():
        file = folder / name
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        outdated.append(name)
        if "--check" not in arguments:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
    if outdated and "--check" in arguments:
        print(f"out of date: {', '.join(outdated)}; run 'make manifests'", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
