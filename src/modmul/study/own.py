# SPDX-License-Identifier: Apache-2.0
"""Measurements of one's own, which ``modmul explore --save`` writes, beside those that are shipped."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from modmul.chips import CHIPS, Chip
from modmul.measure import SHIPPED, Record, Shelf, read_records
from modmul.registry import RoomError, room
from modmul.room import Build, Room

__all__ = ["builds_of", "shelf_with"]


def shelf_with(files: Iterable[Path]) -> tuple[Shelf, list[str]]:
    """The shipped records with those of files before them, and a line for each file that has stale ones.

    A record is stale where the sources of its build or the flow have changed since, or there is no such build
    any more. Those are not taken.

    Raises:
        RecordError: a file is damaged, or there is none.
    """
    taken: list[Record] = []
    said = []
    for file in files:
        records = read_records(file)
        good = [record for record in records if _is_current(record)]
        if len(good) < len(records):
            said.append(
                f"{file}: {len(records) - len(good)} of {len(records)} measurements are not taken: sources, "
                "flow or core have changed since"
            )
        taken += good
    return (SHIPPED.beside(taken) if taken else SHIPPED), said


def builds_of(shelf: Shelf, found: Room, width: int, chip: Chip) -> list[Build]:
    """The builds of a core at a width on a chip that one's own records are of."""
    records = [r for r in shelf.own if (r.design, r.target) == (found.core.slug, chip.name)]
    return [_build(found, record) for record in records if record.parameters.get("Width") == width]


def _is_current(record: Record) -> bool:
    with suppress(ValueError, KeyError, RoomError):
        build = _build(room(record.design), record)
        return record.covers(build.design, CHIPS[record.target], record.fmax_mhz)
    return False


def _build(found: Room, record: Record) -> Build:
    options = {name: value for name, value in record.parameters.items() if name != "Width"}
    return found.build(record.parameters["Width"], options)
