# SPDX-License-Identifier: Apache-2.0
"""The assembler of ``mm_engine``: from the text of a program to its rows and its registers.

A program is text, a row a line, with labels and comments behind ``;``::

    .table   t 4           ; registers t0 ... t3, which scan reads; .table t u 4: also those of u, u0 ... u3
    .number  t0=one r2     ; registers that come with the context, in this order: below
    .operand x e           ; where the operands go; the digits are taken from e
    .entry   product       ; where the engine begins if its control is high
    .setup   constants     ; where it begins on a context, before the last word of that is taken
    .modulus m             ; which of the numbers sums are reduced by
    .lanes   2             ; 2 to 4 lanes take the same rows at the same time, each with numbers of its own
    .keep                  ; rows stay in this order, and no two registers share a place

    main:
        mul   t1, x, r2    ; d = a * b by the core; "-" for d: the result is only in f
        mul   -, f, f      ; f is the latest result, 1 is the number 1
        bits  first        ; bits of e into the digit: as many as the context says, or a number
        scan  s            ; s = t[digit], found by reading all of t; scan s, u: u[digit]
        jump  test
    round:  ...
        mul   q~, f, p~    ; two registers that change places in every round
        mul   -, a?b, a?b  ; b in place of a if the last two bits of the digit differ; a!b: if the last is 1
    test:
        loop  round        ; while rounds are left
        add   s, t1, x     ; s = t1 + x, reduced; sub s, t1, x: the difference. Registers alone
        sub   s, t1, @x    ; x of the lane behind, the first one behind the last; so in add, less, equal,
                           ; plus and minus
        twice s, x, t      ; s = 2 x; t is the number top
        less  s, x         ; the flag: s < x; equal s, x: s = x
        mul   -, a^b, a^b  ; b in place of a if the flag is 1
        release s, z       ; the end as with out: s if the flag is 1, otherwise z, and the error output rises
        repeat 3, test     ; the rows from test to here three times in all; or a count: .count
        out   f            ; to the result port, and the end
    constants:
        add   r2, r2, r2
        loop  constants    ; here while rounds of the context's are left, a number of its own
        ready              ; the end of the rows that run on a context

``q~`` names a pair of registers that change places with every round: ``q~`` is the one that this round
writes, ``q'`` the one that the round before has written. ``repeat`` leaves them in place. There is one
counter for it, so none may stand in the rows of another, and no row may leave them otherwise.

Plain sums have no modulus; what does not fit into d is dropped. A register of ``.long`` holds a number of
twice the words; on three or four lanes, of as many times the words. It is one for plain sums, ``out`` and
``release``, and two or more for all others: s.0, the lowest part, s.1, …::

    .long    s                 ; also of a number of the context, or of an operand
    .count   steps=bits/2      ; how often: (A*UNIT+B)/C, rounded up; UNIT: bits or words of a number, or n

        rewind h               ; bits come from h, from the top; rewind h, 2: from its second word from below;
                               ; of a long register, of that of its upper part; rewind s.1, 2: of that of
                               ; s.1; the parts below come behind it;
                               ; the first bits 2, 4 or 8 takes fewer if those behind it come out even so
    digit:
        bits  2
        acc   s, s, q          ; s = 4 s + digit q: 2^w s by the w bits of the bits row before it: 1, 2, 4, 8
        repeat steps, digit
        plus  d, a, b          ; d = a + b; minus d, a, b
        minus d, a, 0^b        ; b only if the flag is 1, otherwise d = a; also 0?b and 0!b
        half  d, a             ; shifted right by a bit
        minus -, a, b, ^       ; the flag: the carry, the borrow or the bit shifted out
        plus  d, a, b, =       ; the flag: whether d = 0
        move  d, a^b           ; a, or b if the flag is 1; also a?b, a!b, and move d, a; half d, a^b

``.number NAME`` is a register and the number in it: one that follows from M (``contexts.KNOWN``), or one that
whoever runs the program gives. ``.number ~NAME`` is the same in the core's domain, NAME R mod M, and
``.number REGISTER=NAME`` gives the register another name; there, NAME can be a number itself.
``-`` as the second operand: there is none.

Rows behind ``.setup`` find the numbers of the context, and change registers or add some. Others find what
those have written on every way, if none of them writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace

from modmul.systems.checking import (
    DIRECTIVES,
    NUMBER,
    PLAIN,
    ProgramError,
    check_count,
    check_directive,
    check_ends,
    check_longs,
    check_names,
    check_setup,
    check_words,
    reachable,
    short,
)
from modmul.systems.rows import (
    CHOICES,
    CROSS,
    CROSSED,
    DIGITS,
    ENDS,
    FLAG,
    ONE,
    OPERATIONS,
    READY,
    STOPS,
    SUMS,
    TESTS,
    TURNS,
    F,
    Program,
    Row,
    halves,
)
from modmul.systems.waits import waiting

__all__ = ["assemble"]


def assemble(text: str, *, long: int = 1) -> Program:
    """Assemble a program.

    Args:
        text: as the module says.
        long: places that the second operand takes, a power of two.

    Raises:
        ProgramError: with the line and the reason.
    """
    labels: dict[str, int] = {}
    tables: tuple[str, ...] = ()
    entries, entry, setup = 0, "", ""
    numbers: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()
    operands = ("", "")
    seen: dict[str, int] = {}
    modulus, lanes = "", 1
    longs: tuple[str, ...] = ()
    counts: dict[str, str] = {}
    lines: list[tuple[int, str, list[str]]] = []
    for number, full in enumerate(text.splitlines(), 1):
        line = full.partition(";")[0].strip()
        while match := re.match(r"(\w+):\s*", line):
            if match[1] in labels:
                raise ProgramError(f"line {number}: the label {match[1]} is there twice; rename one of them")
            labels[match[1]] = len(lines)
            line = line[match.end() :]
        if not line:
            continue
        name, *rest = line.split(maxsplit=1)
        words = " ".join(rest).replace(",", " ").split()
        if name.startswith("."):
            check_directive(number, name, words, seen)
        if name == ".table":
            tables, entries = tuple(words[:-1]), int(words[-1])
        elif name == ".number":
            found = [match for word in words if (match := re.fullmatch(NUMBER, word, re.ASCII))]
            numbers += tuple(match["register"] or match["name"] for match in found)
            contents += tuple(match["domain"] + match["name"] for match in found)
        elif name == ".operand":
            operands = words[0], words[1]
        elif name == ".entry":
            entry = words[0]
        elif name == ".setup":
            setup = words[0]
        elif name == ".modulus":
            modulus = words[0]
        elif name == ".lanes":
            lanes = int(words[0])
        elif name == ".long":
            longs += tuple(words)
        elif name == ".count":
            for word in words:
                count = word.partition("=")[0]
                if count in counts:
                    raise ProgramError(f"line {number}: the count {count} is there twice; leave one of them")
                counts[count] = word
        elif name in OPERATIONS:
            lines.append((number, name, words))
        elif name not in DIRECTIVES:
            takes = f"{', '.join((*OPERATIONS, *DIRECTIVES))}; a label ends in a colon"
            raise ProgramError(f"line {number}: there is no {short(name)}; there is {takes}")
    if not operands[0]:
        raise ProgramError("the program does not say where its operands go: .operand X Y")

    def label(number: int, name: str) -> int:
        if name not in labels:
            raise ProgramError(f"line {number}: there is no label {name}; write {name}: before a row")
        return labels[name]

    rows = tuple(_row(number, name, words, label, counts) for number, name, words in lines)
    if not rows or rows[-1].operation not in (*STOPS, "jump"):
        where = f"line {rows[-1].line}: " if rows else ""
        raise ProgramError(f"{where}the last row must be out, release or jump; end the program with out f")
    if not numbers:  # the hardware takes at least one; no row can name this one
        numbers, contents = ("()",), ("one",)
    scans = [row.line for row in rows if row.operation == "scan"]
    in_tables = {table: tuple(f"{table}{index}" for index in range(entries)) for table in tables}
    scanned = [name for table in tables for name in in_tables[table]]
    check_names(seen, numbers, contents, operands, scanned, scans, modulus)
    longs, parts = tuple(dict.fromkeys(longs)), max(lanes, 2)
    check_longs(seen, longs, numbers, contents, scanned, modulus)
    contents = tuple(
        part
        for name, content in zip(numbers, contents, strict=True)
        for part in (halves(content, (content,), parts) if name in longs else (content,))
    )
    numbers = tuple(part for name in numbers for part in halves(name, longs, parts))
    rows = tuple(_with_longs(_with_table(row, in_tables), longs, parts) for row in rows)
    _check_sums(rows, modulus, lanes)
    _check_repeats(rows)
    slots, places = _place(rows, scanned, numbers, operands, long, longs, parts)
    begin = label(seen[".entry"], entry) if entry else 0
    before = label(seen[".setup"], setup) if setup else -1
    own = frozenset(reachable(rows, (before,)) if setup else ())
    check_setup(rows, (0, begin), own)
    check_ends(rows, (before,) if setup else ())
    rows = _with_sources(rows, (0, begin), operands[1], longs)
    made = Program(
        rows,
        slots,
        numbers,
        operands,
        entries,
        begin,
        places,
        contents,
        modulus,
        before,
        own,
        longs,
        tuple(counts.items()),
        _digit(rows),
        lanes,
        ".keep" in seen,
    )
    made = waiting(made)
    check_ends(rows, (0, begin))
    made.encode()
    return made


def _with_table(row: Row, tables: Mapping[str, tuple[str, ...]]) -> Row:
    """A row, one of ``scan`` with all registers of its table, the first one where it names none.

    Raises:
        ProgramError: there is no such table.
    """
    if row.operation != "scan":
        return row
    name = row.x or next(iter(tables))
    if name not in tables:
        raise ProgramError(f"line {row.line}: there is no table {short(name)}; there is {', '.join(tables)}")
    return replace(row, x="", scanned=tables[name])


def _with_longs(row: Row, longs: Sequence[str], parts: int) -> Row:
    """A row with what it has of long registers.

    Raises:
        ProgramError: they are none of its business, or it takes half of a register that has none.
    """
    names = [name for name in (row.d, row.x, row.y, row.other) if name]
    for name in names:
        base, point, part = name.partition(".")
        if point and base not in longs:
            raise ProgramError(f"line {row.line}: {base} has no parts; let it be long: .long {base}")
        if point and int(part) >= parts:
            raise ProgramError(f"line {row.line}: the last part of {base} is {base}.{parts - 1}")
    found = frozenset(names).intersection(longs)
    if found and row.operation not in (*PLAIN, *ENDS, "rewind"):
        name = min(found)
        raise ProgramError(f"line {row.line}: {name} is long; {row.operation} takes {name}.0 or {name}.1")
    if row.operation in (*ENDS, "move", "half"):
        several = {name in found for name in (row.x, row.other) if name}
        if len(several) > 1:
            raise ProgramError(f"line {row.line}: {row.other} and {row.x} must both be .long, or neither")
    if row.operation in PLAIN and found and row.d and row.d not in found:
        name = min(found)
        raise ProgramError(
            f"line {row.line}: {name} is long, {row.d} is not; take {name}.0, or .long {row.d}"
        )
    return replace(row, long=found, parts=parts)


def _with_sources(
    rows: Sequence[Row], begins: Sequence[int], operand: str, longs: Sequence[str]
) -> tuple[Row, ...]:
    """The rows, those of ``bits`` with the register that the bits come from.

    Raises:
        ProgramError: there is none, or several, depending on the way.
    """
    found: dict[int, set[str]] = {}
    todo = [(begin, "" if operand in longs else operand) for begin in begins]
    while todo:
        at, source = todo.pop()
        if at >= len(rows) or source in found.setdefault(at, set()):
            continue
        found[at].add(source)
        row = rows[at]
        if row.operation == "rewind":
            source = row.x
        if row.operation in TURNS:
            todo.append((row.target, source))
        if row.operation != "jump" and row.operation not in ENDS:
            todo.append((at + 1, source))
    made = []
    for at, known in enumerate(rows):
        row = known
        if row.operation == "bits":
            sources = sorted(found.get(at, {operand}))
            if sources[0] == "":
                raise ProgramError(f"line {row.line}: say which register the bits are of: rewind {operand}")
            if len(sources) > 1:
                names = " and of ".join(sources)
                raise ProgramError(f"line {row.line}: bits are those of {names}; rewind before it")
            row = replace(row, x=sources[0], long=frozenset(sources).intersection(longs))
        made.append(row)
    return tuple(made)


def _digit(rows: Sequence[Row]) -> int:
    """Bits of the digit of ``acc``.

    Raises:
        ProgramError: the rows do not say, or differ.
    """
    digit, taken = 0, 0
    for row in rows:
        if row.operation == "bits":
            taken = row.count
        elif row.operation == "acc":
            if taken not in DIGITS:
                raise ProgramError(f"line {row.line}: acc takes the digit of 'bits 1', 2, 4 or 8 before it")
            if digit not in (0, taken):
                raise ProgramError(f"line {row.line}: digits of acc have {taken} bits here, {digit} before")
            digit = taken
    return digit


def _check_sums(rows: Sequence[Row], modulus: str, lanes: int) -> None:
    for row in rows:
        if row.cross and lanes == 1:
            raise ProgramError(f"line {row.line}: {CROSS}{row.y} is for programs on several lanes: .lanes 2")
        if row.operation in SUMS and not modulus:
            raise ProgramError(
                f"line {row.line}: {row.operation} needs a modulus, a number of the context: .modulus m"
            )
        if row.d and row.d == modulus:
            raise ProgramError(f"line {row.line}: {modulus} is the modulus, which nothing may write")


def _check_repeats(rows: Sequence[Row]) -> None:
    for at, row in enumerate(rows):
        if row.operation != "repeat":
            continue
        if row.target > at:
            raise ProgramError(f"line {row.line}: repeat goes back, to a label before it")
        for inner in rows[row.target : at]:
            if inner.operation == "repeat":
                raise ProgramError(
                    f"line {inner.line}: this repeat is in the rows of another, line {row.line}"
                )
            if inner.operation in TURNS and not row.target <= inner.target <= at:
                raise ProgramError(f"line {inner.line}: {inner.operation} leaves the rows of a repeat")


def _row(
    number: int, name: str, words: list[str], label: Callable[[int, str], int], counts: Container[str]
) -> Row:
    expected = {
        "mul": 3,
        "add": 3,
        "sub": 3,
        "twice": 3,
        "less": 2,
        "equal": 2,
        "repeat": 2,
        "release": 2,
        READY: 0,
    }.get(name, 1)
    if name in PLAIN or name in ("rewind", "scan"):
        check_count(number, name, words)
    elif len(words) != expected:
        raise ProgramError(f"line {number}: {name} takes {expected} names, not {len(words)}")
    last = 2 if name in CROSSED else len(words) - 1  # of the registers
    cross = name in (*SUMS, *CROSSED) and words[last].startswith(CROSS)
    words = [*words[:last], words[last].removeprefix(CROSS), *words[last + 1 :]] if cross else words
    check_words(number, name, words)
    if name == READY:
        return Row(name, number)
    if name == "mul":
        d, x, y = words
        if y == ONE:  # which is for x alone in the hardware
            x, y = y, x
        row = Row(name, number, d="" if d == "-" else d)
        for mark, choose in CHOICES.items():
            if mark in y:
                first, second = y.split(mark)
                if x not in (y, F, ONE):
                    raise ProgramError(f"line {number}: a choice is for both operands, or beside f or 1")
                return replace(row, x=first if x == y else x, y=first, other=second, choose=choose)
        return replace(row, x=x, y=y)
    if name in SUMS or name == "release":
        for word in words:
            if not re.fullmatch(r"[^\W\d]\w*(?:[~']|\.[0-3])?", word) or word == F:
                raise ProgramError(f"line {number}: {name} takes registers alone, not {word}")
        if name == "release":
            return Row(name, number, x=words[1], other=words[0], choose=CHOICES[FLAG])
        return Row(name, number, d="" if name in TESTS else words[0], x=words[-2], y=words[-1], cross=cross)
    if name == "rewind":
        return Row(name, number, x=words[0], count=int(words[1]) if len(words) > 1 else 0)
    if name in PLAIN:
        d, x, *others = words[: PLAIN[name]]
        test = words[PLAIN[name]] if len(words) > PLAIN[name] else ""
        d, y = "" if d == "-" else d, others[0] if others else ""
        row = Row(name, number, d=d, x=x, y=y, test=test, cross=cross)
        for mark, choose in CHOICES.items():
            if mark in x:
                first, second = x.split(mark)
                return replace(row, x=first, other=second, choose=choose)
            if mark in row.y:
                return replace(row, y=row.y.split(mark)[1], choose=choose)
        return row
    if name == "repeat" and words[0] in counts:
        return Row(name, number, counter=words[0], target=label(number, words[1]))
    if name == "repeat":
        if not words[0].isdecimal() or int(words[0]) < 1:
            raise ProgramError(f"line {number}: repeat takes a number from 1 on, not {words[0]}")
        return Row(name, number, count=int(words[0]), target=label(number, words[1]))
    if name == "out":
        return Row(name, number, x=words[0])
    if name == "scan":
        return Row(name, number, d=words[0], x=words[1] if len(words) > 1 else "")
    if name == "bits":
        return Row(name, number, count=0 if words[0] == "first" else int(words[0]))
    return Row(name, number, target=label(number, words[0]))


def _place(
    rows: Sequence[Row],
    scanned: Sequence[str],
    numbers: Sequence[str],
    operands: tuple[str, str],
    long: int,
    longs: Sequence[str],
    parts: int,
) -> tuple[dict[str, int], int]:
    """A place for each register: tables from 0, the second operand last.

    Pairs and long registers are at places that 2 divides; long ones of three or four at those that 4 does.
    """
    slots = {name: index for index, name in enumerate(scanned)}
    at = len(scanned)
    aligned = 1 << (parts - 1).bit_length()
    named = [*numbers, *halves(operands[0], longs, parts)]
    named += [name for row in rows for name in (*row.writes, *row.reads)]
    last = halves(operands[1], longs, parts)
    for name in dict.fromkeys(each for each in named if each[-1] in "~'"):
        pair = name[:-1]
        if f"{pair}~" not in slots:
            at += at % 2
            slots[f"{pair}~"], slots[f"{pair}'"] = at, at + 1
            at += 2
    for base in dict.fromkeys(each[:-2] for each in named if each[-2:-1] == "."):
        if base != operands[1]:
            at += -at % aligned
            slots[base] = at
            slots |= {name: at + part for part, name in enumerate(halves(base, (base,), parts))}
            at += parts
    for name in dict.fromkeys(named):
        if name not in slots and name not in last:
            slots[name] = at
            at += 1
    long = max(long, aligned if len(last) > 1 else 1)
    at = -(-at // long) * long
    slots[operands[1]] = at
    slots |= {name: at + part for part, name in enumerate(last)}
    return slots, at + long
