# SPDX-License-Identifier: Apache-2.0
"""A room, which is a core and its folder, and a build, which is a room and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import MappingProxyType
from typing import Any, Self

from modmul.core import SOCKET, Config, Core, EngineProgram, Polynomial, SystemConfig, bound_name, socket
from modmul.design import PREFIX, Design, hierarchy
from modmul.tools.checkout import CheckoutError, checked_out
from modmul.tools.paths import cache_or_scratch

__all__ = ["CORES", "SYSTEMS", "Build", "Room", "RoomError", "SystemRoom", "shared"]

PACKAGE = Path(str(files("modmul")))
CORES, SYSTEMS, RTL = PACKAGE / "cores", PACKAGE / "systems", PACKAGE / "rtl"


class RoomError(RuntimeError):
    """A room that cannot be used: it fails to import, or a slug is taken twice."""


@dataclass(frozen=True, repr=False)
class Build:
    """A core with its parameters: what is simulated, measured, compared and exported.

    Attributes:
        room: the core and its folder.
        config: its parameters.
    """

    room: Room
    config: Config

    @property
    def core(self) -> Core:
        """The description of the core."""
        return self.room.core

    @property
    def slug(self) -> str:
        """The name of the core."""
        return self.room.core.slug

    @property
    def design(self) -> Design:
        """The hardware, for the tools."""
        return self.room.design(self.config)

    def at(self, modulus: int, **controls: bool) -> Self:
        """The same while it serves a modulus."""
        return replace(self, config=self.config.at(modulus, **controls))

    def running(self, **runtime: Any) -> Self:
        """The same with some run-time fields set."""
        return replace(self, config=self.config.running(**runtime))

    @property
    def cycles(self) -> int:
        """Compute cycles of an operation, without loading and unloading."""
        return self.core.algorithm.cycles(self.config)

    @property
    def latency(self) -> int:
        """Clock cycles from the last operand beat to the first result beat of an operation alone."""
        return self.core.interface.latency(self.config)

    @property
    def interval(self) -> int:
        """Clock cycles from one operation to the next in a stream."""
        return self.core.interface.interval(self.config)

    def check(self, modulus: int) -> None:
        """Raise ValueError with the reason unless it can serve the modulus."""
        self.core.function.check(self.config, modulus)

    def result_max(self, modulus: int | None = None) -> int:
        """The largest result for a modulus; by default for one of full length.

        Raises:
            ValueError: the build cannot serve the modulus.
        """
        value = self.core.function.some_modulus(self.config) if modulus is None else modulus
        self.check(value)
        return self.core.function.result_max(self.config.at(value), value)

    def reduced(self, modulus: int | None = None) -> bool:
        """Whether every result lies below M, so that it can be compared with others as it is.

        Of polynomials: whether it has a lower degree than M. Of several numbers at a time: whether each is. A
        build that is not reduced saves the last subtraction, and wants it done elsewhere: it is marked where
        builds stand side by side, and ranks behind those that are reduced unless somebody asks for it.

        Args:
            modulus: what it serves; by default one of full length.

        Raises:
            ValueError: the build cannot serve the modulus.
        """
        value = self.core.function.some_modulus(self.config) if modulus is None else modulus
        below = 1 << value.degree if isinstance(value, Polynomial) else value
        return self._of_one.result_max(value) < below

    def results(self, modulus: int | None = None) -> str:
        """The largest result as people write it: ``"M-1"``, ``"8M-1"``.

        Of several numbers at a time: that of each.

        Args:
            modulus: what it serves; by default one of full length.

        Raises:
            ValueError: the build cannot serve the modulus.
        """
        value = self.core.function.some_modulus(self.config) if modulus is None else modulus
        return bound_name(self._of_one.result_max(value), value)

    @property
    def _of_one(self) -> Build:
        """The same for one number at a time, of whose results those of several are packed."""
        if isinstance(self.config, SystemConfig) and self.config.operations > 1:
            return replace(self, config=self.config.with_parameters({"Batch": 1}))
        return self

    def __str__(self) -> str:
        return f"{self.slug} ({self.config})"

    def __repr__(self) -> str:
        return f"<Build {self}>"


@dataclass(frozen=True, repr=False)
class Room:
    """A core and its folder."""

    core: Core
    path: Path

    @property
    def descriptions(self) -> tuple[Path, ...]:
        """The Python files that say what it is."""
        return (self.path / "core.py",)

    @property
    def text(self) -> str:
        """What else says what it is, where that is not in files of the package."""
        return ""

    @property
    def wing(self) -> str:
        """The folder of its family; ``""`` for a core of somebody else's."""
        return self.path.parent.name if self.path.parent.parent == CORES else ""

    @cached_property
    def sources(self) -> tuple[Path, ...]:
        """The SystemVerilog files of the core: each behind the modules that it instantiates, the top last.

        A module is looked for in the room, and then among those that rooms share.

        Raises:
            RoomError: a module is in neither, or the sources of somebody else are not at hand.
        """
        return (*self.foreign, *self._stand_ins, *hierarchy(self.path / f"{self.core.top}.sv", self.find))

    @property
    def _stand_ins(self) -> tuple[Path, ...]:
        """Modules of the room that the sources of somebody else instantiate, in place of theirs."""
        if self.core.origin.checkout is None:
            return ()
        return tuple(file for file in sorted(self.path.glob("*.sv")) if not file.stem.startswith(PREFIX))

    @cached_property
    def foreign(self) -> tuple[Path, ...]:
        """Those of the sources that somebody else wrote, in a checkout of their repository.

        Raises:
            RoomError: there is none, or it is not at the commit that the core names.
        """
        theirs = self.core.origin.checkout
        if theirs is None:
            return ()
        try:
            return checked_out(theirs.url, theirs.commit, theirs.files)
        except CheckoutError as error:
            raise RoomError(
                f"{self.core.slug} is built of somebody else's sources ({theirs}): {error}"
            ) from error

    def find(self, module: str) -> Path | None:
        """The file of a module that the core instantiates; ``None`` for one that Python writes.

        Raises:
            RoomError: there is none.
        """
        own = self.path / f"{module}.sv"
        if own.is_file():
            return own
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
            core.interface.ports(config),
            config.multiplier_blocks,
            core.builds.crowded,
            self.foreign,
        )

    def block(self, config: Config, name: str) -> Design:
        """An inner module whose area the paper prints, for the tools.

        Raises:
            ValueError: the core has no block of that name.
        """
        blocks = self.core.origin.blocks(config)
        if name not in blocks:
            raise ValueError(f"{self.core.slug} has no block {name!r}; it has {', '.join(blocks) or 'none'}")
        top, parameters = blocks[name]
        blocks_allowed = config.multiplier_blocks
        return Design(
            f"{self.core.slug}/{name}",
            top,
            self.sources,
            parameters,
            (),
            blocks_allowed,
            foreign=self.foreign,
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.core.slug}>"

    def of(self, config: Config) -> Build:
        """The build with these parameters."""
        return Build(self, config)

    def fitting(self, width: int, modulus: int | None = None, chip: str = "") -> tuple[Build, ...]:
        """The builds to compare, for a modulus or for any: those that can serve it, or are made for it.

        Args:
            chip: name of the chip family to compare them on; without one they are those for all.

        Raises:
            ValueError: with the reason, when there is no build of this width, or none can serve the modulus.
        """
        builds = tuple(map(self.of, self.core.builds.at(width, chip)))
        if modulus is None:
            return builds
        found, reasons = [], []
        for build in builds:
            try:
                build.check(modulus)
                found.append(build)
            except ValueError as reason:
                reasons.append(reason)
        if self.core.builds.for_modulus:
            try:
                found += map(self.of, self.core.builds.for_modulus(width, modulus))
            except ValueError as reason:
                reasons.insert(0, reason)
        if not found:
            raise reasons[0]
        return tuple(dict.fromkeys(found))

    def wanted(self, width: int, parameters: Mapping[str, int], chip: str) -> tuple[Build, ...]:
        """The builds to measure on a chip family: all those worth comparing, or that with these parameters.

        Raises:
            ValueError: as :meth:`build` does.
        """
        return (self.build(width, parameters, chip=chip),) if parameters else self.fitting(width, chip=chip)

    def build(
        self,
        width: int,
        parameters: Mapping[str, int] | None = None,
        modulus: int | None = None,
        *,
        chip: str = "",
    ) -> Build:
        """The default build at a width, with some parameters other than ``Width`` changed.

        Args:
            modulus: the one that it is to serve; a core with builds for one modulus each has one made for it.
            chip: name of the chip family whose default it is; without one it is that for all.

        Raises:
            ValueError: there is no build of this width or for this modulus, no such parameter, or a value is
                out of range.
        """
        changes = parameters or {}
        if modulus is not None and self.core.builds.for_modulus and "Modulus" not in changes:
            default = self.fitting(width, modulus, chip)[0].config
        else:
            default = self.core.builds.at(width, chip)[0]
        for name in changes:
            if name not in default.options():
                options = ", ".join(default.options()) or "none"
                raise ValueError(f"{self.core.slug} has no parameter {name!r} to set; it has {options}")
        return self.of(default.with_parameters(changes))


@dataclass(frozen=True, repr=False)
class SystemRoom(Room):
    """A system on a core.

    Attributes:
        inner: the room of the core.
        socket: the module that it instantiates for that.
    """

    inner: Room
    socket: str = field(default=SOCKET, kw_only=True)

    def find(self, module: str) -> Path | None:
        return None if module == self.socket else super().find(module)

    @property
    def descriptions(self) -> tuple[Path, ...]:
        return (self.path / "system.py", *self.inner.descriptions)

    def design(self, config: Config) -> Design:
        """The whole system: the core's sources, the socket written for this build, the system's own.

        It is placed as a crowded one if it says so (:attr:`SystemConfig.crowded`).
        """
        if not isinstance(config, SystemConfig):
            raise TypeError(f"{self.core.slug} is configured by a SystemConfig, not {type(config).__name__}")
        text = socket(self.inner.core, config.inner, self.socket)
        folder = cache_or_scratch() / "sockets" / sha256(text.encode()).hexdigest()[:16]
        written = folder / f"{self.socket}.sv"
        if not written.exists():
            folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile("w", dir=folder, delete=False) as file:
                file.write(text)
            Path(file.name).replace(written)
        *below, top = (source for source in self.sources if source.stem not in config.left_out)
        sources = dict.fromkeys((*self.inner.design(config.inner).sources, *below, written, top))
        usual = {**self.inner.core.builds.at(config.inner.width)[0].options(), "Word": config.inner.word}
        changed = {name: value for name, value in config.inner.options().items() if value != usual.get(name)}
        changed |= self._own_changes(config, changed)
        own = super().design(config)
        return replace(own, sources=tuple(sources), crowded=config.crowded, vast=config.vast, inner=changed)

    def _own_changes(self, config: SystemConfig, inner: Mapping[str, int]) -> dict[str, int]:
        """The system's own options that are not as by default.

        Args:
            inner: those of the core that are not.
        """
        usual, *_ = self.core.builds.at(config.width)
        word = {"Word": config.inner.word} if "Word" in config.inner.options() else {}
        assert isinstance(usual, SystemConfig)
        with suppress(ValueError):  # what follows from the core, as words, does not go with another one
            usual = replace(usual, inner=usual.inner.with_parameters({**word, **inner}))
        own, chosen, default = config.own(), config.options(), usual.options()
        return {name: chosen[name] for name in own if chosen[name] != default[name]}

    @cached_property
    def foreign(self) -> tuple[Path, ...]:
        return self.inner.foreign

    @property
    def wing(self) -> str:
        return SYSTEMS.name


@dataclass(frozen=True, repr=False)
class ProgramRoom(SystemRoom):
    """A program for the engine on a core.

    Attributes:
        described: what it asks for.
        file: the name of its file.
        source: its text; ``""`` where configurations have one each.
        module: the file of Python that describes it.
    """

    described: EngineProgram = field(hash=False, compare=False, repr=False)
    file: str
    source: str = ""
    module: str = "running.py"

    @property
    def descriptions(self) -> tuple[Path, ...]:
        return (self.path / self.module, *self.inner.descriptions)

    @property
    def text(self) -> str:
        return self.source


@cache
def shared() -> Mapping[str, Path]:
    """The modules that rooms share, by name: those of all, and those that lie in a wing or beside systems."""
    folders = (RTL, SYSTEMS, *(wing for wing in sorted(CORES.iterdir()) if wing.is_dir()))
    found = [source for folder in folders for source in sorted(folder.glob("mm_*.sv"))]
    return MappingProxyType({source.stem: source for source in found if len(source.suffixes) == 1})
