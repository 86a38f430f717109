# SPDX-License-Identifier: Apache-2.0
"""Words in pieces of which some are known, and what operations of SMT-LIB make of them.

What comes out is a proposal of what registers hold, :class:`~modmul.prove.product.fmlm3_netlist.Trace`; it is
nothing that a proof rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ANY", "Atoms", "Value", "constant", "joined", "known", "part"]

Value = tuple[tuple[int, int, int], ...]
"""A word in pieces, the lowest first: how long, of which atom, from which bit on or which number.

Atom 0 is a constant, atom 1 anything.
"""
ANY = 1


def constant(bits: int, value: int) -> Value:
    return ((bits, 0, value & ((1 << bits) - 1)),)


def joined(pieces: Iterable[tuple[int, int, int]]) -> Value:
    """Pieces, with neighbours made one where they are."""
    found: list[tuple[int, int, int]] = []
    for bits, atom, low in pieces:
        if not bits:
            continue
        if found:
            before, same, at = found[-1]
            if same == atom and (atom <= 1 or at + before == low):
                found[-1] = (before + bits, atom, at | low << before if atom == 0 else at)
                continue
        found.append((bits, atom, low))
    return tuple(found)


def part(value: Value, high: int, low: int) -> Value:
    """Some of the bits of a word."""
    found, at = [], 0
    for bits, atom, first in value:
        a, b = max(low, at), min(high + 1, at + bits)
        if a < b:
            if atom == 0:
                found.append((b - a, 0, (first >> (a - at)) & ((1 << (b - a)) - 1)))
            else:
                found.append((b - a, atom, first + (a - at) if atom > 1 else 0))
        at += bits
        if at > high:
            break
    return joined(found)


def length(value: Value) -> int:
    return sum(bits for bits, _, _ in value)


def known(value: Value) -> int | None:
    """The number of a constant."""
    if len(value) == 1 and value[0][1] == 0:
        return value[0][2]
    return None


def unknown(value: Value) -> bool:
    """Whether some of it may be anything."""
    return any(atom == ANY for _, atom, _ in value)


def aligned(left: Value, right: Value) -> Iterator[tuple[Value, Value]]:
    """Both in pieces of the same lengths."""
    ends: set[int] = set()
    for value in (left, right):
        at = 0
        for bits, _, _ in value:
            at += bits
            ends.add(at)
    low = 0
    for end in sorted(ends):
        yield part(left, end - 1, low), part(right, end - 1, low)
        low = end


def runs(value: int, bits: int) -> Iterator[tuple[int, int, int]]:
    """Neighbouring bits of a number that are alike: the bit, the first, the last."""
    low = 0
    for at in range(1, bits + 1):
        if at == bits or (value >> at & 1) != (value >> low & 1):
            yield value >> low & 1, low, at - 1
            low = at


@dataclass
class Atoms:
    """Words that are defined by others, each once.

    Attributes:
        names: of each atom, its term.
        sizes: of each atom, its length.
        made: of each atom that is not given, an operation and what it is made of.
    """

    names: dict[int, str] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    made: dict[int, tuple[str, tuple[Value, ...]]] = field(default_factory=dict)
    seen: dict[tuple[str, tuple[Value, ...]], int] = field(default_factory=dict)

    def given(self, name: str, bits: int) -> Value:
        """A word of that name."""
        atom = len(self.names) + 2
        self.names[atom], self.sizes[atom] = f"|{name}|", bits
        return ((bits, atom, 0),)

    def new(self, how: str, parts: tuple[Value, ...], bits: int) -> Value:
        """What an operation makes of others."""
        if any(map(unknown, parts)):
            return ((bits, ANY, 0),)
        key = how, parts
        if key not in self.seen:
            atom = len(self.names) + 2
            self.names[atom], self.sizes[atom] = f"w{atom}", bits
            self.made[atom] = key
            self.seen[key] = atom
        return ((bits, self.seen[key], 0),)

    def term(self, value: Value) -> str:
        """A value as a term."""
        pieces = []
        for bits, atom, low in reversed(value):
            if atom == 0:
                pieces.append(f"#b{low:0{bits}b}")
            elif atom == ANY:
                pieces.append(f"((_ extract {bits - 1} 0) |any|)")
            else:
                name = self.names[atom]
                whole = low == 0 and bits == self.sizes[atom]
                pieces.append(name if whole else f"((_ extract {low + bits - 1} {low}) {name})")
        return pieces[0] if len(pieces) == 1 else f"(concat {' '.join(pieces)})"

    def definition(self, atom: int) -> str:
        """What an atom is."""
        how, parts = self.made[atom]
        terms = [self.term(each) for each in parts]
        if how == "ite":
            return f"(ite (= {terms[0]} #b1) {terms[1]} {terms[2]})"
        found = f"({how} {' '.join(terms)})"
        return f"(ite {found} #b1 #b0)" if how in COMPARED else found

    def used(self, values: Iterable[Value]) -> set[int]:
        """The atoms of values."""
        return {atom for value in values for _, atom, _ in value if atom > 1}

    def text(self, wanted: Iterable[Value], opaque: set[int]) -> str:
        """The atoms of values, declared where they are opaque or given, and otherwise defined."""
        values = list(wanted)
        most = max((bits for value in values for bits, atom, _ in value if atom == ANY), default=0)
        lines = [f"(declare-const |any| (_ BitVec {most}))"] if most else []
        done: set[int] = set()
        stack = [(atom, False) for atom in sorted(self.used(values), reverse=True)]
        while stack:
            atom, ready = stack.pop()
            if atom in done:
                continue
            if atom in opaque or atom not in self.made:
                lines.append(f"(declare-const {self.names[atom]} (_ BitVec {self.sizes[atom]}))")
                done.add(atom)
            elif ready:
                sort = f"(_ BitVec {self.sizes[atom]})"
                lines.append(f"(define-fun {self.names[atom]} () {sort} {self.definition(atom)})")
                done.add(atom)
            else:
                stack.append((atom, True))
                stack.extend((each, False) for each in sorted(self.used(self.made[atom][1])))
        return "\n".join(lines) + "\n"

    # --- operations ---------------------------------------------------------------------------------

    def apply(self, how: str, parts: Sequence[Value]) -> Value:
        """An operation on values, as far as it is known."""
        if how == "concat":
            return joined(piece for each in reversed(parts) for piece in each)
        if how in {"bvand", "bvor", "and", "or", "bvxor"}:
            return self._bitwise(how.removeprefix("bv"), parts)
        if how in {"bvnot", "not"}:
            return joined(piece for each in parts[0] for piece in self._inverted(each))
        if how == "ite":
            return self._chosen(*parts)
        numbers = [known(each) for each in parts]
        bits = length(parts[0])
        if None not in numbers:
            return constant(*calculated(how, [n for n in numbers if n is not None], bits))
        if how in {"=", "distinct"}:
            return self._compared(how, *parts)
        if how in {"bvshl", "bvlshr"} and numbers[1] is not None:
            by = min(numbers[1], bits)
            if how == "bvshl":
                return (
                    joined((*constant(by, 0), *part(parts[0], bits - by - 1, 0)))
                    if by < bits
                    else constant(bits, 0)
                )
            return joined((*part(parts[0], bits - 1, by), *constant(by, 0)))
        return self.new(how, tuple(parts), 1 if how in COMPARED else bits)

    def _inverted(self, piece: tuple[int, int, int]) -> Value:
        bits, atom, low = piece
        if atom == 0:
            return constant(bits, ~low)
        return self.new("bvnot", ((piece,),), bits)

    def _bitwise(self, how: str, parts: Sequence[Value]) -> Value:
        found = parts[0]
        for other in parts[1:]:
            pieces: list[tuple[int, int, int]] = []
            open_: tuple[Value, Value] = ((), ())
            for a, b in aligned(found, other):
                if known(a) is None and known(b) is None:
                    open_ = joined((*open_[0], *a)), joined((*open_[1], *b))
                    continue
                pieces.extend(self._both(how, *open_) if open_[0] else ())
                pieces.extend(self._both(how, a, b))
                open_ = (), ()
            pieces.extend(self._both(how, *open_) if open_[0] else ())
            found = joined(pieces)
        return found

    def _both(self, how: str, a: Value, b: Value) -> Value:
        bits = length(a)
        if known(a) is not None:
            a, b = b, a
        value = known(b)
        if value is None:
            if a == b and how != "xor" and not unknown(a):
                return a
            return self.new(f"bv{how}", (a, b), bits)
        if known(a) is not None:
            return constant(bits, calculated(f"bv{how}", [known(a) or 0, value], bits)[1])
        pieces: list[tuple[int, int, int]] = []
        for bit, low, high in runs(value, bits):
            some = part(a, high, low)
            if how == "and":
                pieces.extend(some if bit else constant(high - low + 1, 0))
            elif how == "or":
                pieces.extend(constant(high - low + 1, -1) if bit else some)
            else:
                pieces.extend(piece for each in some for piece in (self._inverted(each) if bit else (each,)))
        return joined(pieces)

    def _chosen(self, condition: Value, a: Value, b: Value) -> Value:
        value = known(condition)
        if value is not None:
            return a if value else b
        if a == b:
            return a
        if known(a) == 1 and known(b) == 0 and length(a) == 1:
            return condition
        return self.new("ite", (condition, a, b), length(a))

    def _compared(self, how: str, a: Value, b: Value) -> Value:
        same = 1 if how == "=" else 0
        if not unknown(a) and a == b:
            return constant(1, same)
        for left, right in aligned(a, b):
            x, y = known(left), known(right)
            if x is not None and y is not None and x != y:
                return constant(1, 1 - same)
        if length(a) == 1:
            if known(a) is not None:
                a, b = b, a
            if known(b) is not None:
                return a if known(b) == same else self._inverted(a[0])
        return self.new(how, (a, b), 1)


COMPARED = {"=", "distinct", *(f"bv{s}{c}" for s in "us" for c in ("lt", "le", "gt", "ge"))}


def calculated(how: str, numbers: list[int], bits: int) -> tuple[int, int]:
    """An operation on numbers: how long the result is, and the result."""
    a, b = (*numbers, 0)[:2]
    signed = [n - (1 << bits) if n >> (bits - 1) else n for n in (a, b)]
    table: dict[str, Any] = {
        "bvadd": lambda: a + b,
        "bvsub": lambda: a - b,
        "bvmul": lambda: a * b,
        "bvneg": lambda: -a,
        "bvand": lambda: a & b,
        "bvor": lambda: a | b,
        "bvxor": lambda: a ^ b,
        "bvshl": lambda: a << b if b < bits else 0,
        "bvlshr": lambda: a >> b if b < bits else 0,
    }
    if how in table:
        return bits, table[how]()
    left, right = signed if how.startswith("bvs") else (a, b)
    tests = {"lt": left < right, "le": left <= right, "gt": left > right, "ge": left >= right}
    tests |= {"=": a == b, "distinct": a != b}
    return 1, int(tests[how if how in tests else how[-2:]])
