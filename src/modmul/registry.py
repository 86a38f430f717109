# SPDX-License-Identifier: Apache-2.0
"""Finds every room; nothing is listed twice.

Rooms are the folders of :mod:`modmul.cores`, and those of third parties named by the entry-point
group ``modmul.rooms`` (value: a package whose folder is the room and that has a ``core`` module).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from modmul.core import Config, Core
from modmul.design import Design

__all__ = ["Room", "RoomError", "UnknownCore", "choose_rooms", "room", "rooms"]

ENTRY_POINT_GROUP = "modmul.rooms"


class RoomError(RuntimeError):
    """A room that cannot be used: it fails to import, or a slug is taken twice."""


class UnknownCore(ValueError):
    """No core of that name; the message names the near matches."""


@dataclass(frozen=True)
class Room:
    """A core and its folder."""

    core: Core
    path: Path

    @property
    def sources(self) -> tuple[Path, ...]:
        """The SystemVerilog files of the core: shared parts, the room's further modules, the top."""
        rtl = Path(str(files("modmul"))) / "rtl"
        top = self.path / f"{self.core.top}.sv"
        inner = sorted(source for source in self.path.glob("mm_*.sv") if source != top)
        return (*(rtl / f"{part}.sv" for part in self.core.parts), *inner, top)

    def design(self, config: Config) -> Design:
        """The whole core, for the tools."""
        core = self.core
        return Design(
            core.slug,
            core.top,
            self.sources,
            config.parameters(),
            core.ports(config),
            config.multiplier_blocks,
        )

    def block(self, config: Config, name: str) -> Design:
        """An inner module whose area the paper prints, for the tools.

        Raises:
            ValueError: the core has no block of that name.
        """
        blocks = self.core.blocks(config)
        if name not in blocks:
            raise ValueError(f"{self.core.slug} has no block {name!r}; it has {', '.join(blocks) or 'none'}")
        top, parameters = blocks[name]
        return Design(f"{self.core.slug}/{name}", top, self.sources, parameters, (), config.multiplier_blocks)

    def fitting(self, width: int, modulus: int) -> tuple[Config, ...]:
        """The configurations to compare for a modulus.

        Raises:
            ValueError: with the reason, when the core cannot serve the modulus.
        """
        configs = tuple(self.core.configs(width))
        for config in configs:
            self.core.check(config, modulus)
        return configs


def _load(package: str, name: str) -> Room:
    try:
        module = import_module(f"{package}.core")
        core = module.CORE
    except Exception as error:
        raise RoomError(f"room {name} ({package}) cannot be imported: {error!r}") from error
    if not isinstance(core, Core):
        raise RoomError(f"room {name} ({package}): CORE is not a modmul.core.Core")
    if core.slug != name:
        raise RoomError(f"room {name} ({package}) describes a core named {core.slug}")
    found = Room(core, Path(str(module.__file__)).parent)
    missing = [source.name for source in found.sources if not source.is_file()]
    if missing:
        raise RoomError(f"room {name} ({package}) lacks {', '.join(missing)}")
    return found


@cache
def rooms() -> Mapping[str, Room]:
    """Every room by slug: papers in order, then by family.

    Raises:
        RoomError: a room fails to import, or two rooms have the same slug.
    """
    own = Path(str(files("modmul"))) / "cores"
    named = [
        (folder.name, f"modmul.cores.{folder.name}")
        for folder in sorted(own.iterdir())
        if folder.is_dir() and not folder.name.startswith(("_", "."))
    ]
    named += [(point.name, point.value) for point in entry_points(group=ENTRY_POINT_GROUP)]
    found: dict[str, Room] = {}
    for name, package in named:
        if name in found:
            raise RoomError(f"the slug {name} is taken twice: {found[name].path} and {package}")
        found[name] = _load(package, name)
    order = sorted(found.values(), key=lambda r: (r.core.paper or "~", r.core.family, r.core.slug))
    return MappingProxyType({r.core.slug: r for r in order})


def room(slug: str) -> Room:
    """The room of a core.

    Raises:
        UnknownCore: no such core; the message names the near matches.
    """
    known = rooms()
    if slug in known:
        return known[slug]
    near = get_close_matches(slug, known, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else "'modmul list' shows them all"
    raise UnknownCore(f"no core named {slug!r}; {hint}")


def choose_rooms(slugs: list[str] | None) -> tuple[Room, ...]:
    """The rooms of the given slugs, or all of them."""
    return tuple(room(slug) for slug in slugs) if slugs else tuple(rooms().values())
