# SPDX-License-Identifier: Apache-2.0
"""A piece of hardware as the tools see it: what to read, what to elaborate, which ports it has.

Simulation, lint, synthesis, place and route take a :class:`Design` and ask nothing else. Rooms make them
(``Room.design``, ``Room.block``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

__all__ = [
    "CLOCK",
    "PREFIX",
    "Design",
    "Port",
    "family",
    "hierarchy",
    "instantiated",
    "literal",
    "plain_text",
    "twin",
    "twins",
]

CLOCK = "clk_i"
"""The clock's name in every module that has one."""

PREFIX = "mm_"
"""What the name of every module begins with; its file has the name of the module."""

_INSTANCE = re.compile(rf"(?<!\bmodule )\b({PREFIX}\w+)\s*(?:#\s*\(|\w+\s*\()")

_MODULE = re.compile(rf"\bmodule ({PREFIX}\w+)")

_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


@dataclass(frozen=True)
class Port:
    """One port of a module.

    Attributes:
        name: as in the source.
        direction: ``"input"`` or ``"output"``.
        bits: its width.
    """

    name: str
    direction: str
    bits: int

    @property
    def is_input(self) -> bool:
        """Whether data go into the module."""
        return self.direction == "input"


@dataclass(frozen=True)
class Design:
    """A module with parameters, and the files it needs.

    Attributes:
        name: what logs and progress call it: ``"imml_booth4"``, ``"fips"``, ``"scalable_radix4/element"``.
        top: the module.
        sources: its SystemVerilog files, those of the modules below first.
        parameters: SystemVerilog parameters of ``top``: name to value. Those left out keep their default.
        ports: the ports of ``top`` under these parameters, in order; empty where nobody has said: the tool
            that needs them reads them off the elaborated module.
        multiplier_blocks: whether synthesis may map multiplications to multiplier blocks.
        crowded: whether the placer for crowded designs is to be taken.
        foreign: those of the sources that somebody else wrote. With one of them a design is read by slang,
            and what the tools warn of is no error.
        inner: of a system, its own options that are not as by default, and those of its core that are not
            those of the core's default build, but for its words, which ``parameters`` has.
        vast: whether the router for designs that fill a device is to be taken.
    """

    name: str
    top: str
    sources: tuple[Path, ...]
    parameters: Mapping[str, int] = field(default_factory=dict, hash=False)
    ports: tuple[Port, ...] = ()
    multiplier_blocks: bool = False
    crowded: bool = False
    foreign: tuple[Path, ...] = ()
    inner: Mapping[str, int] = field(default_factory=dict, hash=False)
    vast: bool = False

    def __str__(self) -> str:
        everything = {**self.parameters, **self.inner}
        settings = ", ".join(f"{name}={value}" for name, value in everything.items())
        return f"{self.name} ({settings})" if settings else self.name

    def tuned(self, family: str) -> Design:
        """With the twin for a family of FPGAs in place of each source that has one."""
        return replace(self, sources=tuple(twin(source, family) or source for source in self.sources))

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """The parameters with their values as SystemVerilog has them."""
        return {name: literal(value) for name, value in self.parameters.items()}

    @cached_property
    def twins(self) -> tuple[tuple[Path, Path, str], ...]:
        """All the twins of the sources: the twin, its source, its family."""
        return tuple((found, source, family(found)) for source in self.sources for found in twins(source))

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The families that some of the sources are written for."""
        return tuple(dict.fromkeys(name for source in self.sources if (name := family(source))))

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of all that decides what a tool makes of it.

        The sources count by name, without comments, each run of white space being one space; their folders
        and their order do not.
        """
        content = sha256()
        for part in (
            self.top,
            *(f"{name}={value}" for name, value in sorted(self.parameters.items())),
            str(self.multiplier_blocks),
            *(
                f"{s.name}\n{plain_text(s.read_text(encoding='utf-8'))}"
                for s in sorted(self.sources, key=by_name)
            ),
        ):
            content.update(part.encode() + b"\0")
        return content.hexdigest()


def by_name(source: Path) -> str:
    """The order in which sources are read where it does not matter."""
    return source.name


def instantiated(source: Path) -> tuple[str, ...]:
    """The modules of a library that a source instantiates in any branch, each once, as they come.

    These are names that begin with :data:`PREFIX`: neither cells of a vendor nor the modules that are missing
    on purpose.
    """
    return _names(source.read_text(encoding="utf-8"))[0]


@lru_cache(maxsize=1000)
def _names(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """What a text instantiates, and the modules that it holds."""
    plain = plain_text(text)
    return tuple(dict.fromkeys(_INSTANCE.findall(plain))), frozenset(_MODULE.findall(plain))


def hierarchy(top: Path, find: Callable[[str], Path | None]) -> tuple[Path, ...]:
    """The sources of a module and of all below it: each behind those that it instantiates, the top last.

    Args:
        top: the module's file.
        find: the file of a module; ``None`` for one that others bring.
    """
    found: dict[Path, None] = {}

    def visit(source: Path) -> None:
        if source not in found:
            names, own = _names(source.read_text(encoding="utf-8"))
            for name in names:
                below = None if name in own else find(name)
                if below is not None:
                    visit(below)
            found[source] = None

    visit(top)
    return tuple(found)


def literal(value: int) -> str:
    """A parameter's value in SystemVerilog: an ``int`` where it fits, otherwise its bits and one more."""
    return str(value) if abs(value) < 1 << 31 else f"{value.bit_length() + 1}'h{value:x}"


def twin(source: Path, family: str) -> Path | None:
    """The same module with cells of a family of FPGAs: ``mm_x.<family>.sv`` beside ``mm_x.sv``."""
    found = source.with_suffix(f".{family}.sv")
    return found if family and found.is_file() else None


def twins(source: Path) -> list[Path]:
    """All those of a plain source."""
    return sorted(source.parent.glob(f"{source.stem}.*.sv"))


def family(source: Path) -> str:
    """The family that a source is written for; empty for a plain one."""
    return source.suffixes[0].removeprefix(".") if len(source.suffixes) > 1 else ""


@lru_cache(maxsize=1000)
def plain_text(source: str) -> str:
    """SystemVerilog or C++ without comments, each run of white space being one space."""
    kept = _COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", source)
    return " ".join(kept.split())
