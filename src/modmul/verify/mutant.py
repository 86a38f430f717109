# SPDX-License-Identifier: Apache-2.0
"""Mutants: hardware that breaks one rule, to see that a check finds it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from typing import TypeVar

from modmul.registry import Room

__all__ = ["mutant"]

AnyRoom = TypeVar("AnyRoom", bound=Room)


def mutant(room: AnyRoom, folder: Path, module: str, right: str, wrong: str) -> AnyRoom:
    """A room with one text of one of its sources replaced.

    Args:
        room: a core or a system.
        folder: where its own sources go, and the changed one; made if it is not there.
        module: the file without ``.sv``, its own or a shared part of it.
        right: what stands there exactly once.
        wrong: what takes its place.

    Raises:
        ValueError: there is no such source, or ``right`` does not stand there exactly once.
    """
    sources = {source.stem: source for source in room.sources}
    if module not in sources:
        raise ValueError(f"{room.core.slug} has no source {module}; it has {', '.join(sources)}")
    text = sources[module].read_text(encoding="utf-8")
    if text.count(right) != 1:
        raise ValueError(f"{module} has changed: {text.count(right)} times {right!r}")
    folder.mkdir(parents=True, exist_ok=True)
    for source in room.path.glob("mm_*.sv"):
        copyfile(source, folder / source.name)
    (folder / f"{module}.sv").write_text(text.replace(right, wrong), encoding="utf-8")
    return replace(room, path=folder)
