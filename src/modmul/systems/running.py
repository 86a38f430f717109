# SPDX-License-Identifier: Apache-2.0
"""A program of anybody's on the engine with a core: its configuration, what it computes, its schedule.

The top module is ``mm_engine`` itself. The right result is that of :func:`modmul.systems.modelling.run`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from random import Random
from typing import Any

from modmul.core import (
    RUNTIME,
    Control,
    Core,
    EngineProgram,
    Memory,
    Origin,
    ProgramError,
    Register,
    Schedule,
    Scheduled,
)
from modmul.systems.batches import of_several, packed, parts
from modmul.systems.bound import bound
from modmul.systems.checking import reachable
from modmul.systems.contexts import KNOWN, numbers
from modmul.systems.describing import engine_core
from modmul.systems.engine import EngineConfig, assembled, bare, moduli, multiplications, unit
from modmul.systems.modelling import modelled
from modmul.systems.parts import parts as parts_of
from modmul.systems.parts import run
from modmul.systems.rows import ONE, STOPS, Program, Row

__all__ = ["ENTRY", "ProgramConfig", "least", "on", "on_engine"]

ENTRY = Control("control_i", "the program begins at its entry, not at its first row")


@dataclass(frozen=True)
class ProgramConfig(EngineConfig):
    """The parameters of a program on the engine with a core: those of the engine.

    Attributes:
        source: the text of the program.
        control: whether it begins at its entry.
    """

    source: str = field(default="", kw_only=True, repr=False)
    control: bool = field(default=False, kw_only=True, metadata=RUNTIME)

    def __post_init__(self) -> None:
        object.__setattr__(self, "product", self.control)  # by which name the engine's times know it
        super().__post_init__()
        if self.batch > 1:
            of_several(assembled(self.source), self.batch)
        self._refuse_long_bits()

    def _refuse_long_bits(self) -> None:
        most = (1 << (self.word + self.window * self.batch).bit_length()) - 1
        for row in self.written.rows:
            if row.operation == "bits" and row.count * self.batch > most:
                most //= self.batch
                raise ProgramError(f"line {row.line}: bits takes up to {most} bits at once with this core")

    def text(self) -> str:
        return self.source

    def own(self) -> dict[str, str]:
        return {**super().own(), "Batch": "batch", "SumBits": "sum_bits"}

    @property
    def arranges(self) -> bool:
        return True

    def gives(self, modulus: int, lane: int) -> Mapping[str, int]:
        """Numbers that nobody has given are any, the same each time: for checks, and vectors of a bench."""
        found = dict(super().gives(modulus, lane))
        most = self.core.function.operand_max(self.at_core, moduli(self, modulus)[lane])
        for content in self.written.contents:
            name = content.removeprefix("~").partition(".")[0]
            if name not in KNOWN and not name[0].isdigit() and name not in found:
                found[name] = Random(f"{name} {modulus} {lane}").randint(0, most)
        return found

    @property
    def window(self) -> int:
        """Bits that a round takes."""
        return _window(self.text())

    def parameters(self) -> dict[str, int]:
        """Of ``mm_engine``; a digit has the bits that a round takes and those that the table needs."""
        known = super().parameters()
        index = max(self.program.entries - 1, 0).bit_length() * self.batch
        return known | {"DigitBits": max(known["DigitBits"], index)}


@lru_cache(maxsize=256)
def _window(text: str) -> int:
    """Bits that a round takes: from the target of a loop to the loop.

    Raises:
        ProgramError: two loops differ in it.
    """
    program = assembled(text)
    found = {}
    for row in program.rows:
        if row.operation == "loop":
            way = _straight(program, row.target)
            way = way[: way.index(row) if row in way else 0]
            if any(each.operation == "repeat" for each in way):
                _refuse_repeated_bits(program, way)
            taken = [each.count for each in way if each.operation == "bits" and each.x == program.operands[1]]
            found[row.line] = sum(taken)
    several = {taken for taken in found.values() if taken}
    if len(several) > 1:
        lines = " and ".join(map(str, found))
        raise ProgramError(f"lines {lines}: rounds take {sorted(several)} bits; let all take as many")
    return several.pop() if several else 1


def _refuse_repeated_bits(program: Program, way: list[Row]) -> None:
    for row in way:
        if row.operation == "repeat":
            for inner in program.rows[row.target : program.rows.index(row)]:
                if inner.operation == "bits" and inner.x == program.operands[1]:
                    raise ProgramError(
                        f"line {inner.line}: bits in the rows of a repeat, in a loop; take more bits at once"
                    )


def _straight(program: Program, at: int) -> list[Row]:
    """Rows from one on, without going round: every loop is over."""
    way = []
    while at < len(program.rows):
        row = program.rows[at]
        way.append(row)
        if row.operation in STOPS:
            break
        at = row.target if row.operation == "jump" else at + 1
    return way


def _reachable(program: Program, control: bool) -> set[int]:
    """Rows that a run can come to."""
    return reachable(program.rows, (program.entry if control else 0,))


def _pair(name: str) -> str:
    """A register, or the pair or the long one that it is of."""
    name = name.partition(".")[0]
    return f"{name[:-1]}~" if name[-1] in "~'" else name


def _uses(program: Program) -> Iterator[tuple[int, str, bool]]:
    """Row, register and whether it is written, for all that rows read and write."""
    for at, row in enumerate(program.rows):
        yield from ((at, name, False) for name in row.reads)
        yield from ((at, name, True) for name in row.writes)


def _unused(program: Program) -> dict[str, int]:
    """Registers that no row reads, and the line that writes each first; 0: it comes from outside."""
    read = {_pair(name) for _, name, written in _uses(program) if not written} | {program.modulus}
    found = {_pair(name): 0 for name in (*program.numbers, *program.operands) if name not in ("()", "-")}
    for at, name, written in _uses(program):
        if written:
            found.setdefault(_pair(name), program.rows[at].line)
    return {name: line for name, line in found.items() if name not in read}


# --- what it computes -------------------------------------------------------------------------------


def compute(config: ProgramConfig, modulus: int, x: int, y: int, _memory: Memory) -> int:
    """The number that leaves, by the model.

    Raises:
        ValueError: the program takes more bits of the exponent than there are.
    """
    return modelled(config, modulus, x, y)[0]


# --- when -------------------------------------------------------------------------------------------


def _check(check: Callable[[Any, int], None], config: ProgramConfig, modulus: int) -> None:
    """As the core of the engine checks it; and the numbers of the text fit."""
    check(config, modulus)
    for lane in range(config.lanes):
        numbers(config.at(modulus), modulus, lane)


def schedule(config: ProgramConfig) -> Schedule:
    """When everything happens in a run."""
    config = replace(config, serving=config.at_core)
    program, lines = config.program, config.text().splitlines()
    began: dict[int, list[int]] = {}
    ran = run(config)
    whole, beginnings = ran
    for at, cycle in beginnings:
        began.setdefault(at, []).append(cycle)
    kept = whole if program is config.written else run(config, config.written)[0]
    written = {row.line: row for row in config.written.rows}
    rows = tuple(
        Scheduled(
            at,
            row.line,
            _text(row, written[row.line], lines[row.line - 1]),
            *((began[at][0], began[at][-1], len(began[at])) if at in began else (None, None, 0)),
        )
        for at, row in enumerate(program.rows)
    )
    squares, products = multiplications(config)
    return Schedule(
        rows=rows,
        parts=parts_of(config, ran),
        registers=_registers(program, rows),
        places=program.places,
        cycles=whole,
        written=kept,
        products=products,
        squares=squares,
        bare=bare(config),
        bound=least(config),
    )


def least(config: ProgramConfig) -> int:
    """Cycles of a run that no order of the rows goes below.

    Args:
        config: while it serves the modulus.
    """
    return bound(config.program, unit(config), config.rounds, control=config.control, counts=config.counts)


def _text(row: Row, written: Row, line: str) -> str:
    """A row as its line has it, or as the assembler has made it another one, which takes f."""
    if (row.d, row.x, row.y) == (written.d, written.x, written.y):
        return line.partition(";")[0].strip()
    if row.operation == "out":
        return f"out   {row.x}"
    x, y = (row.y, row.x) if row.x == ONE else (row.x, row.y)
    return f"mul   {row.d or '-'}, {x}, {y}"


def _registers(program: Program, rows: tuple[Scheduled, ...]) -> tuple[Register, ...]:
    """All that have a name, with the cycles in which each is needed in a run."""
    found: dict[str, list[str]] = {}
    for name in program.slots:
        if name not in ("()", "-"):
            found.setdefault(_pair(name), []).append(name)
    made = []
    uses = list(_uses(program))
    for pair, names in found.items():
        numbers = [_pair(name) for name in program.numbers]
        source = "context" if pair in numbers else "operand" if pair in program.operands else "row"
        writing, reading = (
            [rows[at] for at, name, written in uses if written == kind and _pair(name) == pair]
            for kind in (True, False)
        )
        begins = [row.begins for row in writing if row.begins is not None]
        lasts = [row.last for row in reading if row.last is not None]
        made.append(
            Register(
                name=" ".join(name for name in names if "." not in name),
                places=tuple(dict.fromkeys(program.slots[name] for name in names)),
                source=source,
                written=tuple(dict.fromkeys(row.line for row in writing)),
                read=tuple(dict.fromkeys(row.line for row in reading)),
                live=(0 if source != "row" else min(begins, default=0), max(lasts)) if lasts else None,
            )
        )
    return tuple(sorted(made, key=lambda register: register.places))


# --- the description --------------------------------------------------------------------------------


def on(core: Core, text: str, name: str = "program") -> EngineProgram:
    """A program on a core.

    Args:
        core: what the engine multiplies with.
        text: of the program.
        name: of it, for the slug.

    Raises:
        ProgramError: the assembler refuses it, with the line and the reason.
    """
    _window(text)
    return on_engine(core, partial(ProgramConfig, source=text), text, name, "a program on the engine")


def on_engine(
    core: Core, config: Callable[..., ProgramConfig], text: str, name: str, title: str
) -> EngineProgram:
    """A program on a core, with configurations of its own.

    Args:
        core: what the engine multiplies with.
        config: makes a configuration of a width, with ``inner`` and ``core``.
        text: of the program, or of one that takes and gives the same.
        name, title: of it, for the slug and for people.

    Raises:
        ProgramError: the assembler refuses it, with the line and the reason.
    """
    program = assembled(text)
    described = engine_core(
        core,
        config,
        slug=name,
        title=title,
        steps="those of the program",
        origin=Origin(),
    )
    described = described.changed(
        check=partial(_check, described.function.check),
        module="mm_engine",
        controls=(ENTRY,),
        compute=compute,
        formula=lambda _config: "what the program says",
    )
    given = dict.fromkeys(content.removeprefix("~").partition(".")[0] for content in program.contents)
    labels = [
        line.split()[1] for line in text.splitlines() if line.partition(";")[0].split()[:1] == [".entry"]
    ]
    return EngineProgram(
        core=described,
        operands=(program.operands[0], program.operands[1].removeprefix("-")),
        numbers=tuple(name for name in given if name not in KNOWN and not name[0].isdigit()),
        known=tuple(name for name in given if name in KNOWN),
        entry=labels[0] if labels else "",
        digits={
            control: any(
                program.rows[at].operation == "bits" and program.rows[at].x == program.operands[1]
                for at in _reachable(program, control)
            )
            for control in (False, True)
        },
        longs=frozenset(
            [name for name in program.operands if name in program.longs]
            + [content[:-2] for content in program.contents if content.endswith(".0")]
        ),
        long_bits=lambda config: program.parts * config.number * config.word,
        unused=_unused(program),
        schedule=schedule,
        several=lambda config: config.batch,
        packed=lambda config, each: packed(
            each, config.number * config.word, registers=config.x_registers, bits=config.written.bits
        ),
        parted=lambda config, z: parts(z, config.batch, config.number * config.word, config.z_registers),
    )
