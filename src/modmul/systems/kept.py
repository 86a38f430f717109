# SPDX-License-Identifier: Apache-2.0
"""What takes seconds to find of a program on a core, found before: the order of its rows, and its cycles.

``orders.json`` comes with the package, made by ``make orders``. What it lacks is found when it is needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

__all__ = ["Kept", "kept", "key", "learning"]

FILE = Path(__file__).with_name("orders.json")

IMPORT = re.compile(r"^from modmul\.systems\.(\w+) import ", re.MULTILINE)
"""A module of this folder that another one imports."""


def key(*facts: object) -> str:
    """A short name for all that an answer depends on."""
    return sha256(repr(facts).encode()).hexdigest()[:16]


@cache
def sources() -> str:
    """A name for the sources that say how many cycles a program takes: ``engine.py`` and what it imports."""
    digest, waiting, seen = sha256(), ["engine"], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            text = FILE.with_name(f"{name}.py").read_text()
            digest.update(text.encode())
            waiting += IMPORT.findall(text)
    return digest.hexdigest()[:16]


class Kept:
    """Orders and cycles by :func:`key`.

    Orders stay right whatever the sources are: they name rows of one text, and whoever takes one checks it.
    Cycles hold for the sources that they were counted with, and are not given for others.

    Args:
        content: of ``orders.json``.
    """

    def __init__(self, content: dict[str, Any]) -> None:
        self.orders: dict[str, list[int]] = content.get("orders", {})
        self.cycles: dict[str, int] = content.get("cycles", {}) if content.get("of") == sources() else {}
        self.learns = False
        self.used: set[str] = set()

    def add(self, other: Kept) -> None:
        """What another one has, where it was used, in place of what this one has."""
        self.orders |= {name: found for name, found in other.orders.items() if name in other.used}
        self.cycles |= {name: found for name, found in other.cycles.items() if name in other.used}
        self.used |= other.used

    def tidied(self) -> Kept:
        """Of this what was used."""
        found = Kept({})
        found.add(self)
        return found

    def text(self) -> str:
        """As ``orders.json``: a line for each, in order."""
        cycles = {name: self.cycles[name] for name in sorted(self.cycles)}
        orders = (
            f'"{name}": {json.dumps(self.orders[name], separators=(",", ":"))}'
            for name in sorted(self.orders)
        )
        lines = (
            "{",
            f'"of": "{sources()}",',
            f'"cycles": {json.dumps(cycles, separators=(",", ":"))},'.replace(',"', ',\n"'),
            '"orders": {',
            ",\n".join(orders),
            "}}",
        )
        return "\n".join(lines) + "\n"


@cache
def kept() -> Kept:
    """What comes with the package."""
    return Kept(json.loads(FILE.read_text()) if FILE.exists() else {})


@contextmanager
def learning() -> Iterator[Kept]:
    """What is found meanwhile is added to what is kept, and what of that is used is noted."""
    found = kept()
    found.learns = True
    try:
        yield found
    finally:
        found.learns = False
