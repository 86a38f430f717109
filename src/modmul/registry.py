# SPDX-License-Identifier: Apache-2.0
"""Finds every room; nothing is listed twice.

Rooms are the folders of :mod:`modmul.cores`, and those of third parties named by the entry-point
group ``modmul.rooms`` (value: a package whose folder is the room and that has a ``core`` module).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import MappingProxyType

from modmul.core import SOCKET, Config, Core, System, SystemConfig, check_tool, operand_length, socket
from modmul.design import Design
from modmul.tools.paths import cache_dir

__all__ = [
    "DEFAULT_WIDTH",
    "Room",
    "RoomError",
    "UnknownCore",
    "choose_rooms",
    "operand_width",
    "room",
    "rooms",
]

DEFAULT_WIDTH = 256
"""Bits of the operands where nobody says otherwise."""

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
    def descriptions(self) -> tuple[Path, ...]:
        """The Python files that say what it is."""
        return (self.path / "core.py",)

    @property
    def sources(self) -> tuple[Path, ...]:
        """The SystemVerilog files of the core: shared parts, the room's further modules, the top."""
        rtl = Path(str(files("modmul"))) / "rtl"
        top = self.path / f"{self.core.top}.sv"
        inner = sorted(s for s in self.path.glob("mm_*.sv") if s != top and len(s.suffixes) == 1)
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
            core.dense,
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

    def fitting(self, width: int, modulus: int | None = None) -> tuple[Config, ...]:
        """The configurations to compare, for a modulus or for any: those that can serve it.

        Raises:
            ValueError: with the reason, when there is no build of this width, or none can serve the modulus.
        """
        configs = tuple(self.core.configs(width))
        if modulus is None:
            return configs
        found, reasons = [], []
        for config in configs:
            try:
                self.core.check(config, modulus)
                found.append(config)
            except ValueError as reason:
                reasons.append(reason)
        if not found:
            raise reasons[0]
        return tuple(found)

    def build(self, width: int, parameters: Mapping[str, int] | None = None) -> Config:
        """The default configuration at a width, with some parameters other than ``Width`` changed.

        Raises:
            ValueError: there is no build of this width, no such parameter, or a value is out of range.
        """
        default = self.core.configs(width)[0]
        for name in parameters or {}:
            if name not in default.options():
                options = ", ".join(default.options()) or "none"
                raise ValueError(f"{self.core.slug} has no parameter {name!r} to set; it has {options}")
        return default.with_parameters(parameters or {})


@dataclass(frozen=True)
class SystemRoom(Room):
    """A system on a core.

    Attributes:
        inner: the room of the core.
        used: the rooms of the systems that it is built of, on the same core.
    """

    inner: Room
    used: tuple[SystemRoom, ...] = ()

    @property
    def descriptions(self) -> tuple[Path, ...]:
        used = [file for room in self.used for file in room.descriptions]
        return tuple(dict.fromkeys((self.path / "system.py", *used, *self.inner.descriptions)))

    def design(self, config: Config) -> Design:
        """The whole system: the core's sources, the socket written for this build, the system's own."""
        if not isinstance(config, SystemConfig):
            raise TypeError(f"{self.core.slug} is configured by a SystemConfig, not {type(config).__name__}")
        text = socket(self.inner.core, config.inner)
        folder = cache_dir() / "sockets" / sha256(text.encode()).hexdigest()[:16]
        written = folder / f"{SOCKET}.sv"
        if not written.exists():
            folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile("w", dir=folder, delete=False) as file:
                file.write(text)
            Path(file.name).replace(written)
        used = [source for room in self.used for source in room.sources]
        sources = dict.fromkeys((*self.inner.sources, *used, *self.sources[:-1], written, self.sources[-1]))
        return replace(super().design(config), sources=tuple(sources))


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
    name, colon, inner = slug.partition(":")
    if colon:
        return on(name, inner)
    if slug in systems():
        raise UnknownCore(f"{slug} is a system, which needs a core: {slug}:{next(iter(known))}")
    near = get_close_matches(slug, known, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else "'modmul list' shows them all"
    raise UnknownCore(f"no core named {slug!r}; {hint}")


@cache
def systems() -> Mapping[str, tuple[System, Path]]:
    """Every system and its folder by slug.

    Raises:
        RoomError: a system's room fails to import.
    """
    own = Path(str(files("modmul"))) / "systems"
    found = {}
    for folder in sorted(own.iterdir()):
        if folder.is_dir() and not folder.name.startswith(("_", ".")):
            try:
                system = import_module(f"modmul.systems.{folder.name}.system").SYSTEM
            except Exception as error:
                raise RoomError(f"system {folder.name} cannot be imported: {error!r}") from error
            if not isinstance(system, System) or system.slug != folder.name:
                raise RoomError(f"system {folder.name}: SYSTEM is not a System of that name")
            found[folder.name] = (system, folder)
    return MappingProxyType(found)


@cache
def on(system: str, core: str) -> SystemRoom:
    """A system on a core, as a room; ``room("modexp:imml_booth4")`` is the same.

    Raises:
        UnknownCore: no such system or core.
        ValueError: the system does not take this core, with the reason.
    """
    if system not in systems():
        raise UnknownCore(f"no system named {system!r}; there is {', '.join(systems())}")
    described, folder = systems()[system]
    inner = room(core)
    used = tuple(on(name, core) for name in described.uses)
    return SystemRoom(described.on(inner.core, *(each.core for each in used)), folder, inner, used)


def operand_width(width: int | None, modulus: int | None = None, done: str = "") -> int:
    """The width of a build: as asked for, or as the modulus needs, or :data:`DEFAULT_WIDTH`.

    Args:
        done: what is to be done with the core, a name of ``modmul.core.TOOL_WIDTHS``; nothing if empty.

    Raises:
        ValueError: it is less than two bits, or too long for what is to be done.
    """
    if width is None:
        width = DEFAULT_WIDTH if modulus is None else max(operand_length(modulus), 2)
    if done:
        check_tool(done, width)
    return Config(width).width


def choose_rooms(slugs: list[str] | None, target: str = "", width: int = DEFAULT_WIDTH) -> tuple[Room, ...]:
    """The rooms of the given slugs, or all: of those, if given, that a target's device holds at a width."""
    if slugs:
        return tuple(room(slug) for slug in slugs)
    return tuple(each for each in rooms().values() if not target or each.core.measured_on(target, width))
