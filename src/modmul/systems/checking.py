# SPDX-License-Identifier: Apache-2.0
"""What the assembler of ``mm_engine`` refuses of the text of a program, row by row and as a whole.

Every function raises :class:`ProgramError` with the line, the reason and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from modmul.core import ProgramError

__all__ = [
    "DIRECTIVES",
    "FORMULA",
    "NUMBER",
    "PLAIN",
    "TESTS",
    "ProgramError",
    "check_count",
    "check_directive",
    "check_ends",
    "check_longs",
    "check_names",
    "check_setup",
    "check_words",
    "reachable",
    "short",
]

DIRECTIVES = (
    *(".table", ".number", ".operand", ".entry", ".setup", ".modulus", ".long", ".count", ".lanes", ".keep"),
)

NUMBER = r"(?:(?P<register>[A-Za-z_]\w*)=)?(?P<domain>~?)(?P<name>[A-Za-z_]\w*|0x[0-9A-Fa-f]+|\d+)"
"""A word of ``.number``: ``NAME``, ``~NAME``, ``REGISTER=NAME`` or ``REGISTER=~NAME``.

Behind a register the name can be a number itself.
"""

MODULUS = "M"
"""The modulus in ``x=M-1``, where a program is run."""

MOST_ENTRIES = 256
"""Entries of a table: a digit of eight bits."""

STOPS = ("out", "release", "ready")
"""Operations that no row comes behind."""

_PLAIN = r"[A-Za-z_]\w*"
_REGISTER = rf"{_PLAIN}(?:[~']|\.[0-3])?"
_RESERVED = "f"
_CHOICE = "[?!^]"
FORMULA = (
    r"(?P<name>[A-Za-z_]\w*)=\(?(?:(?:(?P<times>\d{1,6})\*)?(?P<unit>bits|words|n)(?P<more>[+-]\d{1,6})?"
    r"|(?P<fixed>\d{1,6}))\)?(?:/(?P<per>[1-9]\d{0,5}))?"
)
"""A word of ``.count``: a name and how often, ``NAME=(A*UNIT+B)/C``, rounded up."""
_A_NAME = "a register is a letter or _, then letters, digits and _"


class Going(Protocol):
    """Of a row, where it goes on."""

    @property
    def operation(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def target(self) -> int: ...


def _is(pattern: str, word: str) -> bool:
    return bool(re.fullmatch(pattern, word, re.ASCII)) and word != _RESERVED


def _count(word: str) -> int:
    """A number of few digits; -1 for what is none."""
    return int(word) if re.fullmatch(r"\d{1,9}", word, re.ASCII) else -1


def check_directive(line: int, name: str, words: Sequence[str], seen: dict[str, int]) -> None:
    """A line that begins with a point.

    Args:
        words: behind the name.
        seen: the directives before it and their lines; this one is added.
    """
    if name not in DIRECTIVES:
        raise ProgramError(f"line {line}: there is no {short(name)}; there is {', '.join(DIRECTIVES)}")
    if name in seen and name not in (".number", ".long", ".count"):
        raise ProgramError(f"line {line}: {name} is there twice; leave one of them")
    seen[name] = line
    if name == ".table":
        if len(words) < 2 or not all(_is(_PLAIN, word) for word in words[:-1]):
            raise ProgramError(f"line {line}: .table takes a name and the number of entries: .table t 4")
        entries = _count(words[-1])
        if not 2 <= entries <= MOST_ENTRIES or entries & (entries - 1):
            raise ProgramError(
                f"line {line}: a table has 2, 4, 8, … {MOST_ENTRIES} entries, not {short(words[-1])}"
            )
    elif name == ".operand":
        if len(words) != 2 or not _is(_PLAIN, words[0]) or not (words[1] == "-" or _is(_PLAIN, words[1])):
            raise ProgramError(
                f"line {line}: .operand takes the two registers that operands come into: .operand x y, "
                "or .operand x - where there is one operand"
            )
        if words[0] == words[1]:
            raise ProgramError(f"line {line}: both operands come into {words[0]}; give them two registers")
    elif name == ".entry":
        if len(words) != 1:
            raise ProgramError(f"line {line}: .entry takes one label: .entry product")
    elif name == ".keep":
        if words:
            raise ProgramError(f"line {line}: .keep stands alone; leave {short(words[0])} away")
    elif name == ".lanes":
        if words not in (["1"], ["2"], ["3"], ["4"]):
            raise ProgramError(f"line {line}: .lanes takes 1, 2, 3 or 4")
    elif name == ".setup":
        if len(words) != 1:
            raise ProgramError(f"line {line}: .setup takes one label: .setup constants")
    elif name == ".modulus":
        if len(words) != 1 or not _is(_PLAIN, words[0]):
            raise ProgramError(f"line {line}: .modulus takes one of the numbers: .modulus m")
    elif name == ".long":
        if not words or not all(_is(_PLAIN, word) for word in words):
            raise ProgramError(f"line {line}: .long takes registers: .long s; {_A_NAME}")
    elif name == ".count":
        for word in words:
            if not re.fullmatch(FORMULA, word, re.ASCII):
                raise ProgramError(
                    f"line {line}: {short(word)} is no count; it is NAME=(A*UNIT+B)/C without blanks, "
                    "rounded up; UNIT is bits or words of a number, or n, bits of an operand: steps=bits/2"
                )
    else:
        if not words:
            raise ProgramError(f"line {line}: .number takes registers: .number one r2")
        for word in words:
            match = re.fullmatch(NUMBER, word, re.ASCII)
            if not match or _RESERVED in (match["register"], match["name"]):
                raise ProgramError(
                    f"line {line}: {short(word)} is no number of the context; it is NAME, ~NAME or "
                    f"REGISTER=NAME, and {_A_NAME}, but not f alone"
                )
            if match["name"][0].isdigit() and not match["register"]:
                raise ProgramError(f"line {line}: {short(word)} needs a register: .number k={short(word)}")


def check_names(
    seen: Mapping[str, int],
    numbers: Sequence[str],
    contents: Sequence[str],
    operands: tuple[str, str],
    scanned: Sequence[str],
    scans: Sequence[int],
    modulus: str,
) -> None:
    """What directives say together.

    Args:
        seen: the directives and their lines.
        numbers, contents: of the context, and what each is.
        operands: their registers.
        scanned: registers of all tables.
        scans: lines of the rows that read them.
        modulus: the number that sums are reduced by; ``""``: none.
    """
    line = f"line {seen.get('.number', 0)}: "
    for name in numbers:
        if numbers.count(name) > 1:
            raise ProgramError(f"{line}{name} is there twice; leave one of them, or rename it: a={name}")
        if name in operands:
            raise ProgramError(f"{line}{name} is an operand, too; give it another name")
    holds = dict(zip(numbers, contents, strict=True))
    for content in contents:
        name = content.removeprefix("~")
        if name in operands:
            raise ProgramError(f"{line}the number {content} has the name of an operand; give it another name")
        if name in holds and holds[name].removeprefix("~") != name:
            raise ProgramError(
                f"{line}the number {content} has the name of a register that holds {holds[name]}; "
                "give one of them another name"
            )
    for name in (*operands, *(content.removeprefix("~") for content in contents)):
        if name == MODULUS:
            raise ProgramError(
                f"line {seen['.operand' if name in operands else '.number']}: {name} is the modulus "
                "in numbers that are given; give it another name"
            )
    for name in scanned:
        if scanned.count(name) > 1:
            raise ProgramError(f"line {seen['.table']}: {name} is in two tables; give one another name")
    if operands[1] in scanned:
        raise ProgramError(
            f"line {seen['.operand']}: the second operand, {operands[1]}, cannot be in the table; "
            "give it another name"
        )
    if modulus and modulus not in numbers:
        raise ProgramError(
            f"line {seen['.modulus']}: {modulus} is no number of the context; let it come: .number {modulus}"
        )
    if scans and not scanned:
        raise ProgramError(f"line {scans[0]}: there is no table to scan; say how long it is: .table t 4")


def check_longs(
    seen: Mapping[str, int],
    longs: Sequence[str],
    numbers: Sequence[str],
    contents: Sequence[str],
    scanned: Sequence[str],
    modulus: str,
) -> None:
    """Registers of two places: no entry of a table, not the modulus, and not in a core's domain."""
    line = f"line {seen.get('.long', 0)}: "
    for name in longs:
        if name in scanned:
            raise ProgramError(f"{line}{name} is in the table, which is not long; give it another name")
        if name == modulus:
            raise ProgramError(f"{line}{name} is the modulus, which is not long; give it another name")
        if name in numbers and contents[numbers.index(name)].startswith("~"):
            raise ProgramError(f"{line}{name} is long, and the core's domain is not; leave ~ away")


def check_words(line: int, operation: str, words: Sequence[str]) -> None:
    """The words behind an operation, which are as many as it takes."""
    if operation == "mul":
        _check_product(line, *words)
    elif operation == "out":
        if words[0] != "1" and not re.fullmatch(_REGISTER, words[0], re.ASCII):
            raise ProgramError(f"line {line}: out sends a register, f or 1, not {short(words[0])}")
    elif operation == "scan":
        if not all(_is(_REGISTER, word) for word in words):
            raise ProgramError(f"line {line}: scan writes a register, not {short(words[0])}; {_A_NAME}")
    elif operation == "rewind":
        _check_rewind(line, words)
    elif operation in PLAIN:
        _check_plain(line, operation, words)
    elif operation == "bits" and words[0] != "first" and _count(words[0]) < 1:
        raise ProgramError(
            f"line {line}: bits takes first, or how many bits, at least 1; not {short(words[0])}"
        )


PLAIN = {"acc": 3, "plus": 3, "minus": 3, "half": 2, "move": 2}
"""Those of the unit for plain sums, and how many registers each takes."""

TESTS = ("^", "=")
"""What a plain sum sets the flag by: its carry, or whether it is 0."""


def check_count(line: int, operation: str, words: Sequence[str]) -> None:
    """How many words stand behind an operation that takes several numbers of them."""
    least = PLAIN.get(operation, 1)
    most = least + (operation not in ("acc", "move"))
    if not least <= len(words) <= most:
        takes = f"{least} names" + (" and, for the flag, ^ or =" if most > least else "")
        others = {"rewind": "a register, and how many of its words", "scan": "a register, and a table"}
        takes = others.get(operation, takes)
        raise ProgramError(f"line {line}: {operation} takes {takes}, not {len(words)}")


def _check_rewind(line: int, words: Sequence[str]) -> None:
    if not re.fullmatch(rf"{_PLAIN}(?:\.[0-3])?", words[0], re.ASCII) or words[0] == _RESERVED:
        raise ProgramError(f"line {line}: rewind takes a register, not {short(words[0])}")
    if len(words) > 1 and _count(words[1]) < 1:
        raise ProgramError(f"line {line}: rewind takes how many words, at least 1, not {short(words[1])}")


def _check_plain(line: int, operation: str, words: Sequence[str]) -> None:
    names = words[: PLAIN[operation]]
    test = words[len(names) :]
    if test and test[0] not in TESTS:
        raise ProgramError(f"line {line}: behind the registers stands ^ or =, not {short(test[0])}")
    if names[0] == "-" and not test:
        raise ProgramError(f"line {line}: this gives nothing; take a register for -, or test it: ^ or =")
    for at, name in enumerate(names):
        parts = re.split(_CHOICE, name) if operation in ("move", "half") and at else [name]
        if operation in ("plus", "minus") and at == 2 and re.match(rf"0{_CHOICE}", name):
            parts = [name[2:]]
        known = len(parts) <= 2 and all(_is(_REGISTER, each) for each in parts)
        if not known and not (at == 0 and name == "-"):
            what = "a register, or a^b" if operation in ("move", "half") and at else "registers alone"
            raise ProgramError(f"line {line}: {operation} takes {what}, not {short(name)}")


def _check_product(line: int, d: str, x: str, y: str) -> None:
    if d == _RESERVED:
        raise ProgramError(f"line {line}: every result goes into f; write - in place of f for f alone")
    if d != "-" and not _is(_REGISTER, d):
        raise ProgramError(f"line {line}: {short(d)} cannot be written; {_A_NAME}")
    if x == y == "1":
        raise ProgramError(f"line {line}: 1 can be one factor, not both; let the other one be a register")
    for word in (x, y):
        parts = re.split(_CHOICE, word)
        if len(parts) == 1:
            if word != "1" and not re.fullmatch(_REGISTER, word, re.ASCII):
                raise ProgramError(
                    f"line {line}: {short(word)} is no factor; take a register, f, 1 or a?b, and {_A_NAME}"
                )
        elif len(parts) != 2 or not all(_is(_REGISTER, part) for part in parts):
            raise ProgramError(f"line {line}: {short(word)} is no choice; it is between two registers: a?b")
    if re.search(_CHOICE, x) and y not in (x, "1"):
        raise ProgramError(
            f"line {line}: a choice is for both operands, or beside f or 1, and then it is the second"
        )


def check_ends(rows: Sequence[Going], begins: Sequence[int]) -> None:
    """Rows come to an end: every way round goes through a ``loop``, whose rounds are counted.

    Args:
        rows: of the program.
        begins: rows that it begins with.
    """
    done: set[int] = set()
    for begin in (*begins, *(row.target for row in rows if row.operation != "jump")):
        way: list[int] = []
        on_way: set[int] = set()
        at = begin
        while at < len(rows) and at not in done:
            if at in on_way:
                raise ProgramError(f"line {rows[way[-1]].line}: this goes round for ever; only loop ends")
            way.append(at)
            on_way.add(at)
            if rows[at].operation in STOPS:
                break
            at = rows[at].target if rows[at].operation == "jump" else at + 1
        done |= on_way


def reachable(rows: Sequence[Going], begins: Sequence[int]) -> set[int]:
    """Rows that a run from some rows on can come to."""
    found: set[int] = set()
    todo = list(begins)
    while todo:
        at = todo.pop()
        if at in found or at >= len(rows):
            continue
        found.add(at)
        row = rows[at]
        if row.operation != "jump" and row.operation not in STOPS:
            todo.append(at + 1)
        if row.operation in ("jump", "loop", "repeat"):
            todo.append(row.target)
    return found


def check_setup(rows: Sequence[Going], begins: Sequence[int], setup: Collection[int]) -> None:
    """Rows that run on a context end in ``ready``, and they alone; there are no operands for them.

    Args:
        rows: of the program.
        begins: rows that an operation begins with.
        setup: rows that run on a context.
    """
    for at in sorted(reachable(rows, begins)):
        if rows[at].operation == "ready":
            raise ProgramError(f"line {rows[at].line}: only rows behind .setup end with ready; write out f")
    for at in sorted(setup):
        row = rows[at]
        if row.operation in ("out", "release"):
            raise ProgramError(f"line {row.line}: rows behind .setup end with ready, not {row.operation}")
        if row.operation == "bits":
            raise ProgramError(f"line {row.line}: behind .setup there are no operands to take bits of")


def short(word: str) -> str:
    """A word of a text as messages have it: on one line, and not long."""
    shown = word if word.isprintable() else ascii(word)[1:-1]
    return shown if len(shown) <= 30 else f"{shown[:27]}..."
