# SPDX-License-Identifier: Apache-2.0
"""Writes ``modmul.core`` (FuseSoC) and ``Bender.yml``: the cores for designs that use no Python.

``make manifests`` writes them; ``python tools/manifests.py --check`` fails when they are out of date.
"""

from __future__ import annotations

import json
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from modmul.design import hierarchy
from modmul.registry import DEFAULT_WIDTH, Room, rooms, shared

ROOT = Path(__file__).parents[1]
HEADER = (
    "# SPDX-License-Identifier: Apache-2.0\n# Made by 'make manifests': change tools/manifests.py instead.\n"
)
FUSESOC, BENDER = "modmul.core", "Bender.yml"


def own_rooms() -> list[Room]:
    """The rooms of the project itself, by the names of their top modules."""
    own = (room for room in rooms().values() if room.wing)
    return sorted(own, key=lambda room: room.core.top)


def filesets(found: Sequence[Room]) -> dict[str, list[str]]:
    """The files: each shared part under its name, those of a room's own under its top module's.

    Parts come before those that are made of them, and all of them before the rooms. Paths are relative to the
    top of the repository.
    """
    used = {name: source for room in found for name, source in parts(room).items()}
    order = [below.stem for source in used.values() for below in hierarchy(source, shared().get)]
    return {name: [path(used[name])] for name in dict.fromkeys(order)} | {
        room.core.top: [path(source) for source in room.sources if source.parent == room.path]
        for room in found
    }


def parts(room: Room) -> dict[str, Path]:
    """The shared modules of a core, those below first."""
    return {source.stem: source for source in room.sources if source.parent != room.path}


def path(source: Path) -> str:
    """A file, from the top of the repository."""
    return source.relative_to(ROOT).as_posix()


def users(found: Sequence[Room]) -> dict[str, list[str]]:
    """The top modules that use each fileset."""
    using: dict[str, list[str]] = {}
    for room in found:
        for name in (*parts(room), room.core.top):
            using.setdefault(name, []).append(room.core.top)
    return using


def parameters(room: Room) -> list[str]:
    """The SystemVerilog parameters of a core."""
    return list(room.core.builds.at(DEFAULT_WIDTH)[0].parameters())


def _list(names: Iterable[str], indent: int) -> str:
    """``[a, b, …]``, in lines of a readable length."""
    text = textwrap.fill(f"[{', '.join(names)}]", 118 - indent, break_on_hyphens=False)
    return text.replace("\n", "\n" + " " * indent)


def fusesoc(found: Sequence[Room], project: Mapping[str, str]) -> str:
    """The CAPI2 core file: a fileset for each part and core, and for each core a target, which lints it."""
    sets = filesets(found)
    lines = ["CAPI=2:", HEADER.rstrip(), f"name: modmul:cores:modmul:{project['version']}"]
    lines += [f"description: {json.dumps(project['description'])}", "", "filesets:"]
    for name, files in sets.items():
        lines += [f"  {name}:", "    file_type: systemVerilogSource", f"    files: {_list(files, 6)}"]
    lines += ["", "# Those of the modules; what is not set keeps the module's default.", "parameters:"]
    for name in sorted({name for room in found for name in parameters(room)}):
        lines.append(f"  {name}: {{datatype: int, paramtype: vlogparam}}")
    lines += ["", "targets:", "  # What another core gets that depends on this one: everything."]
    lines += ["  default:", f"    filesets: {_list(sets, 6)}"]
    for room in found:
        lines += [
            "",
            f"  {room.core.top}:",
            f"    description: {json.dumps(room.core.title)}",
            "    flow: lint",
            "    flow_options: {tool: verilator, verilator_options: [-Wall]}",
            f"    filesets: {_list((*parts(room), room.core.top), 6)}",
            f"    toplevel: {room.core.top}",
            f"    parameters: {_list(parameters(room), 6)}",
        ]
    return "\n".join(lines) + "\n"


def bender(found: Sequence[Room], project: Mapping[str, str]) -> str:
    """The Bender manifest: a target chooses a core; where none is chosen, there are all."""
    sets, using = filesets(found), users(found)

    def target(*expression: str) -> str:
        text = textwrap.fill(" ".join(expression), 112)
        return "  - target: >-\n" + textwrap.indent(text, " " * 6)

    lines = [HEADER.rstrip(), "package:", "  name: modmul", '  authors: ["The modmul developers"]']
    lines += [f"  description: {json.dumps(project['description'])}", "", "sources:"]
    lines += [
        "  # No core chosen: all of them.",
        target(f"not(any({', '.join(room.core.top for room in found)}))"),
    ]
    lines += ["    files:", *(f"      - {file}" for files in sets.values() for file in files)]
    for name, files in sets.items():
        tops = using[name]
        chosen = tops[0] if len(tops) == 1 else f"any({', '.join(tops)})"
        lines += [target(chosen), "    files:", *(f"      - {file}" for file in files)]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str], folder: Path = ROOT) -> int:
    """Write the files into a folder, or check those that are there; the exit code."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = own_rooms()
    outdated = []
    for name, text in ((FUSESOC, fusesoc(found, project)), (BENDER, bender(found, project))):
        file = folder / name
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        outdated.append(name)
        if "--check" not in arguments:
            file.write_text(text, encoding="utf-8", newline="\n")
    if outdated and "--check" in arguments:
        print(f"out of date: {', '.join(outdated)}; run 'make manifests'", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
