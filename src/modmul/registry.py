# SPDX-License-Identifier: Apache-2.0
"""Finds every room; nothing is listed twice.

Rooms are the folders in the wings of :mod:`modmul.cores`, and those of third parties named by the entry-point
group ``modmul.rooms`` (value: a package whose folder is the room and that has a ``core`` module). Those in
other folders are let in by :func:`visit`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType, ModuleType

from modmul.core import (
    BINARY_FIELD,
    PART,
    PRIME_FIELD,
    Config,
    Core,
    EngineProgram,
    EvenModulus,
    ProgramError,
    System,
    check_tool,
    operand_length,
)
from modmul.moduli import CURVES, Curve, curve
from modmul.room import CORES, SYSTEMS, Build, ProgramRoom, Room, RoomError, SystemRoom, shared

__all__ = [
    "BINARY_FIELD",
    "DEFAULT_WIDTH",
    "ECC",
    "PRIME_FIELD",
    "Build",
    "EvenModulus",
    "ProgramRoom",
    "Room",
    "RoomError",
    "SystemRoom",
    "UnknownCore",
    "check_system",
    "choose_rooms",
    "curve_on",
    "curves",
    "on",
    "operand_width",
    "own_cores",
    "program",
    "programs",
    "quickest",
    "read_program",
    "room",
    "rooms",
    "serving",
    "shared",
    "systems",
    "too_large",
    "visit",
]

DEFAULT_WIDTH = 256
"""Bits of the operands where nobody says otherwise."""

ENTRY_POINT_GROUP = "modmul.rooms"

PROGRAMS = SYSTEMS / "programs"
"""Programs for the engine, each a file ``<name>.s``."""


class UnknownCore(ValueError):
    """No core of that name; the message names the near matches."""


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


GUESTS: dict[str, str] = {}
"""Rooms from folders outside of any package, let in by :func:`visit`: slug to package."""


def visit(folder: Path) -> Room:
    """Let a room in from any folder, for as long as the process runs: it is then found like any other.

    Args:
        folder: named by the slug, with ``core.py`` and the SystemVerilog (``docs/adding-a-core.md``).

    Raises:
        RoomError: it is no room, or its slug is taken.
    """
    place = folder.resolve()
    if not (place / "core.py").is_file():
        raise RoomError(
            f"{folder} is no room: it has no core.py; 'modmul new-room NAME' writes one that works"
        )
    package = f"modmul_room_{place.name}"
    known = sys.modules.get(package)
    if known is None or list(known.__path__) != [str(place)]:
        if place.name in rooms():
            raise RoomError(f"the slug {place.name} is taken: {rooms()[place.name].path}; rename {place}")
        module = ModuleType(package)
        module.__path__ = [str(place)]
        sys.modules[package] = module
    GUESTS[place.name] = package
    rooms.cache_clear()
    on.cache_clear()
    program.cache_clear()
    curve_on.cache_clear()
    try:
        return rooms()[place.name]
    except RoomError:
        del GUESTS[place.name], sys.modules[package]
        raise


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
    named += GUESTS.items()
    found: dict[str, Room] = {}
    for name, package in named:
        if name in found:
            raise RoomError(f"the slug {name} is taken twice: {found[name].path} and {package}")
        found[name] = _load(package, name)
    order = sorted(found.values(), key=lambda r: (r.core.origin.paper or "~", r.wing or "~", r.core.slug))
    return MappingProxyType({r.core.slug: r for r in order})


def own_cores() -> list[str]:
    """The cores that come with the package, without those of other folders."""
    return [slug for slug, found in rooms().items() if found.wing]


def room(slug: str) -> Room:
    """The room of a core, of a system on a core, or of a program on one.

    Args:
        slug: ``CORE``, ``SYSTEM:CORE``, or ``FILE.s:CORE`` for the engine with that program.

    Raises:
        UnknownCore: no such core; the message names the near matches.
        ValueError: there is no such program, or the assembler refuses it, with the line and the reason.
    """
    known = rooms()
    if slug in known:
        return known[slug]
    name, colon, inner = slug.partition(":")
    if colon and name.endswith(SUFFIX):
        return _program_on(name, inner)
    if colon:
        return on(name, inner)
    if slug.startswith(ECC):
        raise UnknownCore(f"{slug} takes a core: {slug}:CORE")
    if slug in systems():
        raise UnknownCore(
            f"{slug} is a system, which needs a core: {slug}:{quickest(slug)} has the fewest cycles"
        )
    near = get_close_matches(slug, known, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else "'modmul list' shows them all"
    raise UnknownCore(f"no core named {slug!r}; {hint}")


@cache
def systems() -> Mapping[str, tuple[System, Path]]:
    """Every system and its folder by slug.

    Raises:
        RoomError: a system's room fails to import.
    """
    return MappingProxyType(
        {folder.name: _system(folder) for folder in _folders(SYSTEMS) if folder != PROGRAMS}
    )


def _system(folder: Path) -> tuple[System, Path]:
    package = ".".join(folder.relative_to(SYSTEMS).parts)
    try:
        system = import_module(f"modmul.systems.{package}.system").SYSTEM
    except Exception as error:
        raise RoomError(f"system {folder.name} cannot be imported: {error!r}") from error
    if not isinstance(system, System) or system.slug != folder.name:
        raise RoomError(f"system {folder.name}: SYSTEM is not a System of that name")
    return system, folder


@cache
def on(system: str, core: str) -> SystemRoom:
    """A system on a core, as a room; ``room("modexp:imml_booth4")`` is the same.

    Raises:
        UnknownCore: no such system or core.
        ValueError: the system does not take this core, with the reason; or there is no such curve.
        RoomError: the system lacks its top module.
    """
    check_system(system)
    if system.startswith(ECC):
        return curve_on(curve(system.removeprefix(ECC)), core)[1]
    described, folder = systems()[system]
    inner = room(core) if described.takes_systems else _bare(core)
    if isinstance(inner, SystemRoom) and inner.socket == described.socket:
        raise ValueError(f"{core} is such a system itself; {system} takes cores and other systems")
    found = SystemRoom(described.on(inner.core), folder, inner, socket=described.socket)
    if not (found.path / f"{found.core.top}.sv").is_file():
        raise RoomError(f"system {system} ({folder}) lacks {found.core.top}.sv")
    return found


def check_system(name: str) -> None:
    """Raise ValueError unless there is a system of that name, or a curve whose points it multiplies."""
    if name.startswith(ECC):
        curve(name.removeprefix(ECC))
    elif name not in systems():
        raise UnknownCore(f"no system named {name!r}; there is {', '.join(systems())} and {ECC}CURVE")


@cache
def programs() -> Mapping[str, Path]:
    """The programs for the engine that come with the package, by name."""
    return MappingProxyType({file.stem: file for file in sorted(PROGRAMS.glob("*.s"))})


LONGEST = 1 << 20
"""Bytes of a program."""

SUFFIX = ".s"


def read_program(name: str) -> tuple[str, str]:
    """The text of a program, and what messages call it.

    A text with the line ``.like OTHER`` is that of the program OTHER that comes along, but for the parts that
    stand here: a part begins behind a line ``;; its name`` and ends before the next ``;;``.

    Args:
        name: of a file, or of a program that comes with the package, with or without ``.s``.

    Raises:
        ValueError: there is neither, or it is no text, or it is like no program.
    """
    file = Path(name)
    shipped = programs().get(name.removesuffix(SUFFIX))
    if shipped and not file.exists():
        file = shipped
    try:
        with file.open("rb") as stream:
            data = stream.read(LONGEST + 1)
        if len(data) > LONGEST:
            raise ValueError(f"{name} is too long for a program: more than {LONGEST:,} bytes")
        return file.name, _likened(name, data.decode())
    except FileNotFoundError as error:
        known = ", ".join(programs())
        raise ValueError(
            f"there is no file {name}; programs that come with modmul: {known} ('modmul list --programs')"
        ) from error
    except OSError as error:
        raise ValueError(f"cannot read the program {name}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is no text in UTF-8") from error


def _likened(name: str, text: str) -> str:
    """A text with what it takes from another one, behind its own first lines."""
    head, *like = re.split(r"^\.like[ \t]+(\S+).*\n", text, maxsplit=1, flags=re.MULTILINE)
    if not like:
        return text
    other, behind = like
    if other not in programs():
        raise ValueError(f"{name}: there is no program {other} to be like; there is {', '.join(programs())}")
    between, *own = PART.split(behind)
    parts = {title.strip(): part for title, part in zip(own[::2], own[1::2], strict=True)}
    first, *theirs = PART.split(_likened(other, programs()[other].read_text(encoding="utf-8")))
    found = [head, re.sub(r"\A(;.*\n)*", "", first)]
    for title, part in zip(theirs[::2], theirs[1::2], strict=True):
        found += [f";;{title}\n", parts.pop(title.strip(), part) if title else part]
    if parts or between.strip():
        what = f"no part ;; {next(iter(parts))}" if parts else "nothing for what stands before the first ;;"
        raise ValueError(f"{name}: {other} has {what}")
    return "".join(found)


@cache
def program(text: str, core: str, file: str = "program.s") -> tuple[EngineProgram, ProgramRoom]:
    """A program for the engine (``docs/engine.md``) on a core, and that as a room.

    Args:
        text: of the program.
        core: slug of what the engine multiplies with.
        file: its name, which the room is called by.

    Raises:
        UnknownCore: no such core.
        ValueError: the assembler refuses the program, with the line and the reason.
    """
    inner = _bare(core)
    name = re.sub(r"\W", "_", file.removesuffix(SUFFIX))
    described = import_module("modmul.systems.running").on(inner.core, text, name)
    assert isinstance(described, EngineProgram)
    return described, ProgramRoom(described.core, SYSTEMS, inner, described, file, text)


ECC = "ecc_"
"""In front of the name of a curve: the system that multiplies its points."""


def curves() -> tuple[str, ...]:
    """The systems that multiply points, one for each curve that has a program."""
    return tuple(f"{ECC}{name}" for name in CURVES)


@cache
def curve_on(at: Curve, core: str) -> tuple[EngineProgram, ProgramRoom]:
    """The multiples of a curve's points on a core, and that as a room; ``on("ecc_p256", "rrm")`` is the room.

    Raises:
        UnknownCore: no such core.
        ValueError: there is no program for the curve.
    """
    inner = _bare(core)
    described = import_module("modmul.systems.curves").on(inner.core, at, read_program)
    assert isinstance(described, EngineProgram)
    return described, ProgramRoom(
        described.core, SYSTEMS, inner, described, f"{ECC}{at.name}.s", module="curves.py"
    )


def _bare(core: str) -> Room:
    """The room of a core that a system or a program runs on."""
    found = room(core)
    if isinstance(found, SystemRoom):
        raise ValueError(
            f"{core} is a system; systems and programs take a core, such as {found.inner.core.slug}"
        )
    return found


def _program_on(name: str, core: str) -> ProgramRoom:
    """A program by the name of its file on a core, as a room."""
    file, text = read_program(name)
    try:
        return program(text, core, file)[1]
    except ProgramError as error:
        raise ProgramError(f"{file}: {error}") from error


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
    return tuple(each for each in rooms().values() if not target or each.core.builds.fits(target, width))


def too_large(target: str, width: int = DEFAULT_WIDTH) -> Mapping[Room, str]:
    """The rooms that :func:`choose_rooms` leaves out where nobody names any, and why."""
    return {each: reason for each in rooms().values() if (reason := each.core.builds.unfit(target, width))}


def serving(modulus: int, width: int | None = None) -> list[str]:
    """The cores that have a build for a modulus.

    Args:
        width: of the build; as the modulus needs by default.
    """
    found = []
    for each in rooms().values():
        with suppress(ValueError):
            each.fitting(operand_width(width, modulus), modulus)
            found.append(each.core.slug)
    return found


@cache
def quickest(system: str) -> str:
    """The core for any modulus of GF(p) on which an operation of a system takes the fewest cycles.

    At :data:`DEFAULT_WIDTH`.

    Raises:
        UnknownCore: there is no such system.
    """
    cycles = {}
    for slug, found in rooms().items():
        with suppress(ValueError):
            made = found.core.builds.made_for >= DEFAULT_WIDTH
            if made and PRIME_FIELD in found.build(DEFAULT_WIDTH).config.fields:
                cycles[slug] = on(system, slug).build(DEFAULT_WIDTH).latency
    return min(cycles, key=lambda slug: cycles[slug])
