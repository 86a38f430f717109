# SPDX-License-Identifier: Apache-2.0
"""What each row of a program has to wait for, on every way through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from modmul.systems.checking import PLAIN, ProgramError
from modmul.systems.rows import CHOICES, FLAG, MOST_PENDING, READY, STOPS, SUMS, F, Program, Row, halves

__all__ = ["waiting"]

IDLE = "(idle)"
"""Stands among the registers with a value while no scan can be running."""
CALM = "(calm)"
"""Likewise while neither a scan can be running nor a plain sum that writes where bits come from."""
WRITTEN = "="
"""In front of a register: the operation that writes it, on some way at least."""
COMING = "=words of "
"""Likewise, while the words of its result may be on their way."""

State = tuple[dict[str, int], frozenset[str]]


def waiting(program: Program) -> Program:
    """The program, each row with what it has to wait for: after a change of their order or of places.

    Raises:
        ProgramError: a register, the flag or f is read before it is written on some way.
    """
    rows, begins = _by_place(program), (0, program.entry)
    known = frozenset(program.numbers)
    coming = frozenset(
        part for name in program.operands for part in halves(name, program.longs, program.parts)
    )
    if program.setup >= 0:
        first, written = _schedule(rows, (program.setup,), known)
        known |= written - {
            name for at, row in enumerate(rows) if at not in program.own for name in row.writes
        }
    scheduled, _ = _schedule(rows, begins, known | coming)
    waits = (first[at] if at in program.own else row for at, row in enumerate(scheduled))
    return replace(
        program,
        rows=tuple(
            _marked(row, each.pending, each.quiet, each.settled)
            for row, each in zip(program.rows, waits, strict=True)
        ),
    )


def _by_place(program: Program) -> tuple[Row, ...]:
    """The rows with one name for each place, the first of those that share it."""
    first: dict[int, str] = {}
    for name, place in program.slots.items():
        if name not in program.longs:
            first.setdefault(place, name)
    names = {name: first[place] for name, place in program.slots.items() if name not in program.longs}

    def named(row: Row) -> Row:
        there = row.d, row.x, row.y, row.other
        d, x, y, other = found = tuple(names.get(name, name) for name in there)
        return row if found == there else replace(row, d=d, x=x, y=y, other=other)

    return tuple(map(named, program.rows))


def _schedule(
    rows: Sequence[Row], begins: Sequence[int], known: frozenset[str]
) -> tuple[tuple[Row, ...], frozenset[str]]:
    """The rows with what each has to wait for, on every way through the program.

    Also the registers that have a value at every ``ready``; pairs, which change places, are not among them.

    A state is, for each register with a value, how many operations have begun behind the one that writes it:
    at least so many results are still to come while it has not been written; and the registers that a sum
    may be about to write.

    Raises:
        ProgramError: a register, or f, is read before it is written on some way.
    """
    states: dict[int, State] = {}
    sources = {name for row in rows if row.operation == "bits" for name in row.reads}
    todo: list[tuple[int, State]] = [
        (begin, (dict.fromkeys((*known, IDLE, CALM), MOST_PENDING), frozenset())) for begin in begins
    ]
    while todo:
        at, (state, open_sums) = todo.pop()
        if at >= len(rows):
            raise ProgramError(
                f"line {rows[-1].line}: the program goes on behind its last row; end it with out"
            )
        before = states.get(at)
        if before is not None:
            state = _either(before[0], state)
            open_sums |= before[1]
            if (state, open_sums) == before:
                continue
        states[at] = state, open_sums
        row, after = rows[at], dict(state)
        if _settled(row, open_sums):
            open_sums = frozenset()
        if row.operation == "mul":
            after = {name: behind + (behind < MOST_PENDING) for name, behind in after.items()}
            after[F] = MOST_PENDING
            if row.d:
                after[row.d] = after[WRITTEN + row.d] = after[COMING + row.d] = 0
        elif row.operation == "scan":
            after[row.d] = MOST_PENDING
        elif row.operation in SUMS:
            after[row.d or FLAG] = MOST_PENDING
            open_sums |= {row.d or FLAG}
        elif row.operation in PLAIN:
            after |= dict.fromkeys((*row.writes, *([FLAG] if row.test else [])), MOST_PENDING)
        if row.operation in (READY, "scan", *PLAIN):  # it waits until no words come
            after = {name: behind for name, behind in after.items() if not name.startswith(COMING)}
        if row.operation == "scan" or row.operation in PLAIN:
            after.pop(IDLE, None)
            if row.operation == "scan" or not sources.isdisjoint(row.writes):
                after.pop(CALM, None)
            else:
                after[CALM] = MOST_PENDING
        elif (row.reads or row.d) and not _beside(row, state):
            after[IDLE] = after[CALM] = MOST_PENDING
        if row.operation == "loop":
            turned = {_turned(name): behind for name, behind in after.items()}
            todo.append((row.target, (turned, frozenset(map(_turned, open_sums)))))
        if row.operation in ("jump", "repeat"):
            todo.append((row.target, (after, open_sums)))
        if row.operation != "jump" and row.operation not in STOPS:
            todo.append((at + 1, (after, open_sums)))
    nothing: State = {}, frozenset()
    known_at_ready = [{*state} for at, (state, _) in states.items() if rows[at].operation == READY]
    kept = set.intersection(*known_at_ready) if known_at_ready else set()
    return (
        tuple(_waiting(row, states.get(at, nothing)) for at, row in enumerate(rows)),
        frozenset(name for name in kept - {F, FLAG, IDLE, CALM} if name[-1] not in "~'"),
    )


def _either(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """What is known where two ways meet: what is on both, and what either of them may be about to write."""
    found = {
        name: min(behind, one.get(name, behind))
        for name, behind in other.items()
        if name in one or name.startswith(WRITTEN)
    }
    for name in one.keys() - other.keys():
        if name.startswith(WRITTEN):
            found[name] = one[name]
    return found


def _beside(row: Row, state: Mapping[str, int]) -> bool:
    """Whether a row takes bits while a plain sum runs, which has its digit already."""
    return row.operation == "bits" and IDLE not in state and CALM in state


def _settled(row: Row, open_sums: frozenset[str]) -> bool:
    """Whether a row has to wait until all sums have been written.

    It does if it touches a register of theirs. A sum does not for writing one again: sums are written in
    order. A scan would write at the same time, and behind the last row others write.
    """
    if row.operation == "scan" or row.operation in (*STOPS, *PLAIN):
        return bool(open_sums)
    touched = {*row.reads, *_flag(row)}
    if row.operation not in SUMS:
        touched.add(row.d)
    return not open_sums.isdisjoint(touched)


def _turned(name: str) -> str:
    return f"{name[:-1]}'" if name[-1] == "~" else f"{name[:-1]}~" if name[-1] == "'" else name


def _flag(row: Row) -> tuple[str, ...]:
    return (FLAG,) if row.choose == CHOICES[FLAG] else ()


def _waiting(row: Row, known: State) -> Row:
    state, open_sums = known
    reads = row.reads
    sources = [*reads, *(name for name in (row.x, row.y) if name == F), *_flag(row)]
    for name in sources:
        if state and name not in state:
            what = "the flag" if name == FLAG else name
            how = "or let it come by .number or .operand"
            how = "by less, equal or a plain sum with ^ or =" if name == FLAG else how
            raise ProgramError(
                f"line {row.line}: {what} is read before it is written; "
                f"write it on every way to this line, {how}"
            )
    if row.operation == "rewind" and any(COMING + name in state for name in reads):
        raise ProgramError(
            f"line {row.line}: bits of {row.x} begin with its last word, which may still be on its way; "
            "put a plain sum or a scan between its product and rewind"
        )
    pending = min((state.get(name, MOST_PENDING) for name in reads), default=MOST_PENDING)
    # These write while results come: those that write, too, have come before.
    if row.operation == "scan" or row.operation in PLAIN:
        written = (behind for name, behind in state.items() if name.startswith(WRITTEN))
        pending = min((pending, *written))
    if row.operation in SUMS and row.d:  # results that write the same register have come before
        pending = min(pending, state.get(WRITTEN + row.d, MOST_PENDING))
    if row.operation == "mul":
        pending = min(pending, MOST_PENDING - 1)
    if row.operation in STOPS and row.x != F:  # at the end nothing is still to come, read or not
        pending = 0
    settled = _settled(row, open_sums)
    quiet = bool(reads) or bool(row.d) or settled or row.operation == "scan"
    quiet = quiet and not _beside(row, state)
    quiet = quiet or (row.operation in STOPS and IDLE not in state)
    return _marked(row, pending, quiet, settled)


def _marked(row: Row, pending: int, quiet: bool, settled: bool) -> Row:
    """A row with what it has to wait for; most keep it when others change places."""
    if (row.pending, row.quiet, row.settled) == (pending, quiet, settled):
        return row
    return replace(row, pending=pending, quiet=quiet, settled=settled)
