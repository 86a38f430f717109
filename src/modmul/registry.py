# SPDX-License-Identifier: Apache-2.0
"""Finds every room; nothing is listed twice.

Rooms are the folders in the wings of :mod:`modmul.cores`, and those of third parties named by the entry-point
group ``modmul.rooms`` (value: a package whose folder is the room and that has a ``core`` module).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import MappingProxyType

from modmul.core import SOCKET, Config, Core, System, SystemConfig, check_tool, operand_length, socket
from modmul.design import Design, hierarchy
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


PACKAGE = Path(str(files("modmul")))
CORES, SYSTEMS, RTL = PACKAGE / "cores", PACKAGE / "systems", PACKAGE / "rtl"


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
    def wing(self) -> str:
        """The folder of its family; ``""`` for a core of somebody else's."""
        return self.path.parent.name if self.path.parent.parent == CORES else ""

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        """The SystemVerilog files of the core: each behind the modules that it instantiates, the top last.

        A module is looked for in the room, and then among those that rooms share.

        Raises:
            RoomError: a module is in neither.
        """
        return hierarchy(self.path / f"{self.core.top}.sv", self.find)

    def find(self, module: str) -> Path | None:
        """The file of a module that the core instantiates; ``None`` for the socket of a system.

        Raises:
            RoomError: there is none.
        """
        own = self.path / f"{module}.sv"
        if own.is_file():
            return own
        if module == SOCKET:
            return None
        if module not in shared():
            raise RoomError(f"room {self.core.slug} ({self.path}) lacks {module}.sv")
        return shared()[module]

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
        if self.core.for_modulus is None:
            if not found:
                raise reasons[0]
            return tuple(found)
        try:
            found += self.core.for_modulus(width, modulus)
        except ValueError:
            if not found:
                raise
        return tuple(dict.fromkeys(found))

    def build(
        self, width: int, parameters: Mapping[str, int] | None = None, modulus: int | None = None
    ) -> Config:
        """The default configuration at a width, with some parameters other than ``Width`` changed.

        Args:
            modulus: the one that it is to serve; a core with builds for one modulus each has one made for it.

        Raises:
            ValueError: there is no build of this width, or for this modulus, no such parameter, or a value is out of
                range.
        """
        default = self.core.configs(width)[0]
        if modulus is not None and self.core.for_modulus and "Modulus" not in (parameters or {}):
            default = self.fitting(width, modulus)[0]
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
        *below, top = self.sources
        sources = dict.fromkeys((*self.inner.sources, *below, written, top))
        return replace(super().design(config), sources=tuple(sources))

    @property
    def wing(self) -> str:
        return SYSTEMS.name

    def find(self, module: str) -> Path | None:
        for room in self.used:
            if (file := room.path / f"{module}.sv").is_file():
                return file
        return super().find(module)


@cache
def shared() -> Mapping[str, Path]:
    """The modules that rooms share, by name: those of all, and those that lie in a wing or beside systems."""
    folders = (RTL, SYSTEMS, *(wing for wing in sorted(CORES.iterdir()) if wing.is_dir()))
    found = [source for folder in folders for source in sorted(folder.glob("mm_*.sv"))]
    return MappingProxyType({source.stem: source for source in found if len(source.suffixes) == 1})


def _folders(parent: Path) -> list[Path]:
    """Its folders, but for those that Python makes."""
    return [
        each for each in sorted(parent.iterdir()) if each.is_dir() and not each.name.startswith(("_", "."))
    ]


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
    if not (found.path / f"{core.top}.sv").is_file():
        raise RoomError(f"room {name} ({package}) lacks {core.top}.sv")
    return found


@cache
def rooms() -> Mapping[str, Room]:
    """Every room by slug: papers in order, then by wing.

    Raises:
        RoomError: a room fails to import, or two rooms have the same slug.
    """
    named = [
        (folder.name, f"modmul.cores.{wing.name}.{folder.name}")
        for wing in _folders(CORES)
        for folder in _folders(wing)
    ]
    named += [(point.name, point.value) for point in entry_points(group=ENTRY_POINT_GROUP)]
    found: dict[str, Room] = {}
    for name, package in named:
        if name in found:
            raise RoomError(f"the slug {name} is taken twice: {found[name].path} and {package}")
        found[name] = _load(package, name)
    order = sorted(found.values(), key=lambda r: (r.core.paper or "~", r.wing or "~", r.core.slug))
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
    found = {}
    for folder in _folders(SYSTEMS):
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
