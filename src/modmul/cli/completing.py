# SPDX-License-Identifier: Apache-2.0
"""What the shell completes: names of cores, wings, targets, moduli, systems and programs, and files."""

from __future__ import annotations

from pathlib import Path

from modmul.chips import CHIPS
from modmul.registry import curves, programs, rooms, systems

__all__ = [
    "core_names",
    "list_of_cores",
    "modulus_names",
    "program_names",
    "system_names",
    "target_names",
    "wing_names",
]


def core_names(incomplete: str = "") -> list[str]:
    """The cores, and behind them the systems; behind the colon of a system the cores again."""
    system, colon, _ = incomplete.partition(":")
    known = (
        [f"{system}:{slug}" for slug in rooms()]
        if colon
        else [*rooms(), *(f"{each}:" for each in system_names())]
    )
    return [name for name in known if name.startswith(incomplete)]


def list_of_cores(incomplete: str = "") -> list[str]:
    """The cores behind the last comma."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in core_names(last)]


def wing_names(incomplete: str = "") -> list[str]:
    """The wings, in the order of their names."""
    return sorted({found.wing for found in rooms().values() if found.wing.startswith(incomplete)} - {""})


def target_names(incomplete: str = "") -> list[str]:
    """The targets."""
    return [name for name in CHIPS if name.startswith(incomplete)]


def program_names(incomplete: str = "") -> list[str]:
    """The programs that come with the package, and the files that end in ``.s``."""
    folder, slash, begun = incomplete.rpartition("/")
    place = Path(folder or slash or ".")
    files = sorted(place.iterdir()) if place.is_dir() else []
    found = [each.name + "/" * each.is_dir() for each in files if each.suffix == ".s" or each.is_dir()]
    own = [f"{folder}{slash}{name}" for name in found if name.startswith(begun)]
    return [*(name for name in programs() if name.startswith(incomplete)), *own]


def system_names(incomplete: str = "") -> list[str]:
    """The systems."""
    return [name for name in (*systems(), *curves()) if name.startswith(incomplete)]


def modulus_names(incomplete: str = "") -> list[str]:
    """The moduli with a name."""
    from modmul.moduli import NAMED

    return [name for name in NAMED if name.startswith(incomplete)]
