# SPDX-License-Identifier: Apache-2.0
"""What the assembler makes of a program's rows: another order, f in place of registers, shared places."""

from __future__ import annotations

import random
from itertools import count

import pytest

from modmul.core import Core, ProgramError, Regular
from modmul.systems import engine, ordering, sharing
from modmul.systems.assembly import assemble
from modmul.systems.engine import EngineConfig
from modmul.systems.modelling import Lane, run
from modmul.systems.ordering import DIGIT, ordered, reordered
from modmul.systems.rows import FLAG, F, Program
from modmul.systems.sharing import forwarded, shared
from modmul.systems.timing import Unit
from modmul.use import program as use
from modmul.use.program import prepare

PRIME = 0xFFF1
HEAD = """\
.table   t 4
.number  t0=one r2 m zero=0
.operand x y
.modulus m
    mul   t1, x, r2
    add   t2, t1, x
    sub   t3, t2, y
    rewind x
    bits  2
    less  x, y
"""
REGISTERS = "abcdefgh".replace("f", "")


def written(rng: random.Random) -> str:
    """A program that takes all rows which depend on each other in some way."""
    known = ["x", "y", "t0", "t1", "t2", "t3"]
    latest = True
    rows: list[str] = []

    def one(label: str = "") -> None:
        nonlocal latest
        d = rng.choice(REGISTERS)
        a, b, c = (rng.choice(known) for _ in range(3))
        kinds = [
            f"mul   {d}, {a}, {b}",
            f"mul   {d}, {a}, {a}",
            f"mul   {d}, {a}{rng.choice('?!^')}{b}, 1",
            f"add   {d}, {a}, {b}",
            f"sub   {d}, {a}, {b}",
            f"scan  {d}",
            f"move  {d}, {c}\n    rewind {a.replace('y', 'x')}\n    bits  {rng.randint(1, 2)}",
            f"less  {a}, {b}",
            f"move  {d}, {a}{rng.choice('?!^')}{b}",
            f"half  {d}, {a}, ^",
            f"minus {d}, {a}, {a}, =",
        ]
        if latest:
            kinds += 2 * [
                f"mul   {d}, f, {a}",
                "mul   -, f, f",
                f"mul   {d}, f, {a}^{b}",
                f"mul   -, f, {c}",
            ]
        row = rng.choice(kinds)
        rows.append(f"{label:4}{row}")
        if row.split()[0] in ("mul", "add", "sub", "scan", "move", "half", "minus") and " -," not in row:
            known.append(d)

    rows.append("    mul   -, x, y")
    for at in range(3):
        first = len(rows)
        for step in range(rng.randint(3, 9)):
            one(f"l{at}: " if not step else "")
        if rng.randrange(2):
            rows.append(f"    repeat {rng.randint(1, 3)}, l{at}")
        assert len(rows) > first
    rest = rng.sample(sorted({*known}), rng.randint(1, len({*known})))
    rows += ["    sub   s, x, x", *(f"    add   s, s, {name}" for name in rest)]
    rows += ["    mul   z, s, t1", "    out   z"]
    return HEAD + "\n".join(rows) + "\n"


def computed(program: Program, x: int, y: int) -> int:
    """The result by the model of the engine, with x y mod M for a core."""

    values = {"t0": 1, "r2": 1, "m": PRIME, "zero": 0, "x": x, "y": y}
    lane = Lane(values, lambda a, b: a * b % PRIME, lambda: iter(()))
    return run(program, [lane], 0, first=1, word=8, words=2, counts={})[0][0]


def scrambled(program: Program, tries: int = 60) -> Program:
    """Rows in any order that may be: each one that is tried passes for a faster one."""
    unit = Unit(Regular((0, 1), lambda _square: 9, lambda _square: 4, alone=False))
    less = count(0, -1)
    return reordered(program, ordered(program, unit, lambda _program: next(less), tries))


def differs(seeds: range) -> bool:
    """Whether one of some programs is refused or computes something else in another order."""
    for seed in seeds:
        rng = random.Random(seed)
        program = assemble(written(rng))
        try:
            orders = scrambled(program), shared(forwarded(scrambled(program)))
        except ProgramError:  # one that reads before it writes
            return True
        for found in orders:
            for x, y in ((rng.randrange(PRIME), rng.randrange(PRIME)) for _ in range(3)):
                if computed(found, x, y) != computed(program, x, y):
                    return True
    return False


def test_every_order_computes_the_same(rng: random.Random) -> None:
    first = rng.randrange(1 << 30)
    assert not differs(range(first, first + 8))


@pytest.mark.parametrize("missing", [F, FLAG, DIGIT, "a", "t1"])
def test_an_order_that_forgets_a_need_is_found(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = ordering._reads
    monkeypatch.setattr(ordering, "_reads", lambda row: reads(row) - {missing})
    assert differs(range(16, 216))


TOP_FIRST = (
    HEAD
    + """
    mul   a, x, y
    move  b, x
    rewind a
    bits  1
    acc   c, x, y
    mul   z, c, b
    out   z
"""
)


def test_what_bits_wait_for_stays_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain sum between a product and the bits that are taken of it."""
    scrambled(assemble(TOP_FIRST))
    monkeypatch.setattr(ordering, "_comes", lambda _row, _tops: set())
    with pytest.raises(ProgramError, match="begin with its last word"):
        scrambled(assemble(TOP_FIRST))


def test_an_order_that_forgets_who_takes_f_later_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "_takes_latest", lambda program: [False] * len(program.rows))
    assert differs(range(16, 216))


def test_places_that_are_shared_too_early_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = sharing._needed

    def forgetful(program: Program, free: set[str]) -> tuple[list[set[str]], list[set[str]]]:
        return needed(program, free - {"a"})

    monkeypatch.setattr(sharing, "_needed", forgetful)
    assert differs(range(16, 216))


def test_rows_that_write_f_are_not_taken_for_others() -> None:
    """In a repeat f has another result the second time."""
    text = ".number r2\n.operand x -\nmul a, x, r2\nl: mul b, a, a\nmul a, b, x\nrepeat 2, l\nout a\n"
    rows = forwarded(assemble(text)).rows
    assert [(row.d, row.x, row.y) for row in rows[1:3]] == [("", "a", "a"), ("a", F, "x")]


def test_a_program_that_keeps_its_rows() -> None:
    text = ".number r2\n{}.operand x y\nmul a, x, r2\nmul b, y, r2\nmul c, a, a\nmul d, c, b\nout d\n"
    programs = {}
    for line in ("\n", ".keep\n"):
        running = prepare("p.s", text.format(line), "rrm", PRIME, {"x": 3, "y": 5})
        config = running.build.config
        assert isinstance(config, EngineConfig)
        programs[line] = config.program, running.schedule
    kept, schedule = programs[".keep\n"]
    assert [row.line for row in kept.rows] == [4, 5, 6, 7, 8] and kept.places > programs["\n"][0].places
    assert schedule.cycles == schedule.written == programs["\n"][1].written
    assert programs["\n"][1].cycles < schedule.cycles


@pytest.mark.long
def test_any_order_on_the_hardware(rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """With places shared: results, and the time to the cycle."""

    def any_order(_slug: str, config: EngineConfig, _core: Core) -> Program:
        return shared(forwarded(scrambled(config.written)))

    monkeypatch.setattr(engine, "_arranged", any_order)
    x, y = rng.randrange(PRIME), rng.randrange(PRIME)
    running = prepare("p.s", written(rng), "imml_booth4", PRIME, {"x": x, "y": y})
    ran = use.run(running, count=20, seed=rng.getrandbits(30))
    assert ran.checked == 20


def test_what_has_one_order_alone_stays() -> None:
    """However long it is; and a long register is not f, which has half of it."""
    head = ".long s\n.number r2 m\n.operand x y\n.modulus m\n"
    rows = "add y, y, x\n" * 60 + "mul s.1, y, r2\nmul s.0, f, r2\nout s\n"
    program = assemble(head + rows, long=2)
    assert scrambled(program) == program and forwarded(program) == program
