# SPDX-License-Identifier: Apache-2.0
"""Of ``gf2m_serial``: z is what Montgomery's rule gives, bit by bit, and so x·y/R mod M.

From reset to result, at full width, for all operands and any behaviour at the ports, resets included; of the
tables in the context it is assumed that they belong to M, which is any polynomial with the constant term 1.
With t for what the polynomials are in, a step of the rule makes (u + M)/t of a polynomial u with the constant
term 1, and u/t of any other. With P_0 = 0 and P_(j+1) for what D such steps make of P_j, and digit j of x
times y added, the lowest first, the theorem is that z is what D steps make of P_L; so z·R = x·y mod M with
R = t^(D·L). Layers, all of questions for bitwuzla:

- **step** (on the netlist): what is added to s, shifted, are the entries that its lowest bits choose in the
  tables; these are what D steps make of the lowest bits, and together what they make of s.
- **degree**: where M is of degree d and y of a lower one, so is what D steps make of P_L.
- **context** (on the netlist): where the words of the tables are, those that came before included.
- **invariant** (on the netlist): where the operations are, as of ``gf2m_fixed``; s is P_(i-2) in step i of
  the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from modmul.prove.netlist import system
from modmul.prove.product.binary import CONTROL, GATE, LEAST, At, Digits, bench
from modmul.prove.product.serial import COUNT, TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["Montgomery"]

ENTRIES = 16
"""Of a table: one for each value of four bits."""
CTX_COUNT = 12
"""Bits in which the beats of a context are counted."""


def _bench(build: Build) -> str:
    """The usual one, and the tables: ``tables`` has their words as they came, ``ctx_at`` counts."""
    config: Any = build.config
    beats, word = config.beats, config.word
    words = ENTRIES * config.digit // 4 * beats
    kept = (
        f"output logic [{words * word - 1}:0] tables, output logic [{CTX_COUNT - 1}:0] ctx_at,\n"
        "  output logic ctx_take,\n  "
    )
    keeping = f"""
  assign ctx_take = ctx_valid_i && ctx_ready_o;

  for (genvar k = 0; k < {words}; k++) begin : gen_table_word
    always_ff @(posedge clk_i) begin
      if (ctx_take && ctx_at == {CTX_COUNT}'(Beats + k)) tables[k*Word+:Word] <= ctx_data_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ctx_at <= '0;
    else if (ctx_take) ctx_at <= ctx_at == {CTX_COUNT}'({beats + words - 1}) ? '0 : ctx_at + 1'b1;
  end
"""
    return bench(build, kept, keeping)


@dataclass(frozen=True)
class Montgomery(Digits):
    """The obligations of a build."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        digits = config.word // config.digit
        if config.beats * config.word != config.width or config.digit not in (4, 8) or digits & (digits - 1):
            raise ValueError(
                f"{build}: the proof is written for operands of whole words, and for digits of 4 or 8 bits, "
                f"1, 2, 4, ... to a word"
            )
        if config.steps < LEAST or config.beats < 2 or config.beats & (config.beats - 1):
            raise ValueError(
                f"{build}: the proof is written for {LEAST} digits or more in 2, 4, 8, ... words"
            )
        if config.beats * (1 + ENTRIES * config.digit // 4) >= 1 << CTX_COUNT:
            raise ValueError(f"{build}: the bench counts less than {1 << CTX_COUNT} words of a context")
        return cls(build, system(build.design, _bench(build), TOP))

    # --- terms ------------------------------------------------------------------------------------

    @property
    def tables(self) -> int:
        return self.digit_bits // 4

    @property
    def sum_bits(self) -> int:
        """Bits of s."""
        return self.width + self.digit_bits - 1

    def pointed(self, i: int) -> int:
        return i

    def digit(self, x: str, j: int) -> str:
        """Digit j of x, the lowest being 0; digit L is 0."""
        if j == self.steps:
            return const(0, self.digit_bits)
        return extract(x, (j + 1) * self.digit_bits - 1, j * self.digit_bits)

    def reduced(self, s: str) -> str:
        """What the rule makes of s in as many steps as a digit has bits; below t^n."""
        bits = self.sum_bits + 1
        u, defined = zero_extend(s, 1), ""
        for k in range(self.digit_bits):
            odd = equal(extract(f"u{k}", 0, 0), "#b1")
            more = f"(bvxor u{k} (ite {odd} {zero_extend('M', bits - self.width - 1)} {const(0, bits)}))"
            defined += f"(let ((u{k} {u})) "
            u = f"(bvlshr {more} {const(1, bits)})"
        return f"{defined}{extract(u, self.width - 1, 0)}{')' * self.digit_bits}"

    def entry(self, at: At, k: int, entry: int) -> str:
        """An entry of table k, as it came."""
        low = (k * ENTRIES + entry) * self.width
        return extract(at("tables"), low + self.width - 1, low)

    def four(self, s: str, k: int) -> str:
        """The bits of s that choose an entry of table k."""
        return extract(s, 4 * k + 3, 4 * k)

    def raised(self, four: str, k: int) -> str:
        """As many bits of s, and nothing besides."""
        return f"(bvshl {zero_extend(four, self.sum_bits - 4)} {const(4 * k, self.sum_bits)})"

    def chosen(self, entries: Sequence[str], four: str) -> str:
        """The one of a table's entries that four bits choose."""
        found = entries[-1]
        for number in reversed(range(ENTRIES - 1)):
            found = f"(ite {equal(four, const(number, 4))} {entries[number]} {found})"
        return found

    def shifted(self, s: str) -> str:
        """s without its lowest digit."""
        return zero_extend(extract(s, self.sum_bits - 1, self.digit_bits), 1)

    def belongs(self, at: At) -> str:
        """That the tables belong to M: any function of them."""
        return f"b{at.state.name}"

    def definitions(self) -> str:
        word, s = f"(_ BitVec {self.width})", f"(_ BitVec {self.sum_bits})"
        return (
            "".join(f"(declare-fun P{j} ({word} {word}) {s})" for j in range(self.steps + 2))
            + f"(declare-fun Step ({s} (_ BitVec {self.digit_bits}) {word}) {s})"
            + "(declare-const bs Bool)(declare-const bn Bool)"
        )

    # --- the obligations --------------------------------------------------------------------------

    def all(self) -> Iterator[Obligation]:
        yield from self._degree()
        yield from self._context(At(self, self.system.state("s")), At(self, self.system.state("n")))
        yield from super().all()

    def pure(self, constants: Mapping[str, int], *assertions: str) -> str:
        """A text about words alone, of so many bits, and M."""
        declared = {"M": self.width + 1, **constants}
        lines = [f"(declare-const {name} (_ BitVec {bits}))" for name, bits in declared.items()]
        lines += [f"(assert {each})" for each in (equal(extract("M", 0, 0), "#b1"), *assertions)]
        return "(set-logic QF_BV)\n" + "\n".join(lines)

    def _steps(self, now: At, then: At) -> Iterator[Obligation]:
        s = now("core.s_q")
        entries = [[self.entry(now, k, e) for e in range(ENTRIES)] for k in range(self.tables)]
        chosen = [self.chosen(own, self.four(s, k)) for k, own in enumerate(entries)]
        r = f"(bvxor {self.shifted(s)} {' '.join(chosen)})"
        total = f"(bvxor {zero_extend(r, self.digit_bits - 1)} {now('core.p')})"
        known = (
            self.system.step,
            now.state.is_("rst_ni", 1),
            now.high(f"{GATE}whole_q"),
            *self.words(now),
            negation(now.high("core.first")),
        )
        yield Obligation(
            "step",
            "what comes to s are its higher digits, an entry of each table, and the product",
            "bitwuzla",
            (
                self.text(*known, now.high("core.add"), negation(equal(then("core.s_q"), total))),
                self.text(*known[:-1], now.high("core.last"), negation(self.given(then("core.z_q"), total))),
            ),
        )
        numbers = [const(e, 4) for e in range(ENTRIES)]
        own = [[self.reduced(self.raised(number, k)) for number in numbers] for k in range(self.tables)]
        yield Obligation(
            "step",
            "the entry that four bits choose is what the rule makes of them",
            "bitwuzla",
            tuple(
                self.pure(
                    {"a": 4},
                    equal("a", number),
                    negation(equal(self.chosen(some, "a"), self.reduced(self.raised("a", k)))),
                )
                for k, some in enumerate(own)
                for number in numbers
            ),
        )
        parts = [self.reduced(self.raised(self.four("a", k), k)) for k in range(self.tables)]
        yield Obligation(
            "step",
            "what the rule makes of s is the sum of its higher digits and of these",
            "bitwuzla",
            (
                self.pure(
                    {"a": self.sum_bits},
                    negation(equal(self.reduced("a"), f"(bvxor {self.shifted('a')} {' '.join(parts)})")),
                ),
            ),
        )

    def given(self, z: str, s: str) -> str:
        """That z is s, which is below t^n."""
        return equal(z, extract(s, self.width - 1, 0))

    def _degree(self) -> Iterator[Obligation]:
        """``top`` is 2^d, and what is below it of a degree below d."""
        bits = self.sum_bits + 1
        one, zero = const(1, bits), const(0, bits)
        shift = const(self.digit_bits - 1, bits)
        power = all_of(
            equal(f"(bvand top (bvsub top {one}))", zero),
            f"(bvuge top {const(2, bits)})",
            f"(bvule top {const(1 << self.width, bits)})",
        )
        m = zero_extend("M", bits - self.width - 1)
        known = (
            power,
            f"(bvult {m} (bvshl top {one}))",
            f"(bvuge {m} top)",
            f"(bvult {zero_extend('p', 1)} (bvshl top {shift}))",
            f"(bvult {zero_extend('y', bits - self.width)} top)",
        )
        reduced = zero_extend(self.reduced("p"), bits - self.width)
        product = zero_extend(self.product("d", "y"), 1)
        yield Obligation(
            "degree",
            "P_j stays below t^(d + D - 1), and what D steps make of it is below t^d",
            "bitwuzla",
            tuple(
                self.pure(
                    {"top": bits, "p": self.sum_bits, "y": self.width, "d": self.digit_bits}, *known, wrong
                )
                for wrong in (
                    f"(bvuge {reduced} top)",
                    f"(bvuge (bvxor {reduced} {product}) (bvshl top {shift}))",
                )
            ),
        )

    def _context(self, now: At, then: At) -> Iterator[Obligation]:
        """Where the words of the tables are."""
        known = (*self.invariant(now, (0,)).values(), self.system.step, *self.words(now), self._counted(now))
        reset = self.text(now.state.is_("rst_ni", 0), negation(all_of(self._counted(now), *self.words(now))))
        yield Obligation("context", "nothing is said of them in reset", "bitwuzla", (reset,))
        # Operations are left aside: no word of a context comes while there is one.
        some = list(self.words(then))
        yield Obligation(
            "context",
            "words of the tables stay where they are read",
            "bitwuzla",
            (
                self.text(*known, negation(self._counted(then))),
                *(
                    self.text(*known, negation(all_of(*some[first : first + ENTRIES])))
                    for first in range(0, len(some), ENTRIES)
                ),
            ),
        )
        stays = negation(equal(now("tables"), then("tables")))
        yield Obligation(
            "context",
            "tables stay as they are while no word of a context comes",
            "bitwuzla",
            (self.text(self.system.step, negation(now.high("ctx_take")), stays),),
        )
        yield Obligation(
            "context",
            "whole tables are possible",
            "bitwuzla",
            (self.text(*self.words(now), self._counted(now), now.high(f"{GATE}whole_q")),),
            holds=False,
        )

    def _counted(self, at: At) -> str:
        """Words of a context are counted as at the ports."""
        bits = CTX_COUNT
        beat = zero_extend(at.number(f"{CONTROL}beat_q"), bits - self.word_bits)
        number = f"(concat {at.number(f'{CONTROL}table_q')} {at(f'{CONTROL}entry_q')})"
        number = zero_extend(number, bits - 5)
        behind = f"(bvadd {const(self.beats, bits)} (bvmul {number} {const(self.beats, bits)}) {beat})"
        in_table, whole = at.high(f"{CONTROL}in_table_q"), at.high(f"{GATE}whole_q")
        free = equal(number, const(0, bits))
        return all_of(
            implies(negation(at.part), equal(at("ctx_at"), f"(ite {in_table} {behind} {beat})")),
            implies(negation(in_table), free),
            at.state.is_(f"{CONTROL}table_q", 0) if self.tables == 1 else "true",
            implies(whole, all_of(negation(in_table), at.state.is_("ctx_at", 0))),
            implies(at.part, whole),
            implies(all_of(whole, negation(at.part)), at.state.is_(f"{CONTROL}beat_q", 0)),
        )

    def words(self, at: At) -> Iterator[str]:
        """Each word of a table that has come is where it is read."""
        whole = at.high(f"{GATE}whole_q")
        for k in range(self.tables):
            for j in range(self.beats):
                for entry in range(ENTRIES):
                    number = (k * ENTRIES + entry) * self.beats + j
                    come = f"(bvugt {at('ctx_at')} {const(self.beats + number, CTX_COUNT)})"
                    word = at(f"core.gen_table[{k}].gen_word[{j}].u_table.words[{entry}]")
                    yield implies(any_of(whole, come), equal(word, self.wordof(at("tables"), number)))

    def _facts(self, now: At, then: At, i: int) -> Iterator[str]:
        belongs = all_of(self.belongs(now), now.high(f"{GATE}whole_q"))
        yield implies(negation(now.high("ctx_take")), equal(self.belongs(now), self.belongs(then)))
        pairs = [(now("x0"), now("y0"), self.steps - 1), (now("x0"), now("y0"), self.steps)]
        if i >= 2:
            pairs.append((now.behind("x"), now.behind("y"), i - 2))
        if i == self.steps:
            pairs.append((now.behind("x"), now.behind("y"), self.steps - 1))
        for x, y, j in pairs:
            digit = self.digit(x, j)
            comes = all_of(belongs, equal(now("core.p"), self.product(digit, y)))
            step = f"(Step {now('core.s_q')} {digit} {y})"
            yield equal(f"(P{j + 1} {x} {y})", f"(Step (P{j} {x} {y}) {digit} {y})")
            added = all_of(comes, now.high("core.add"), negation(now.high("core.first")))
            yield implies(added, equal(then("core.s_q"), step))
            if j == self.steps:
                yield implies(all_of(comes, now.high("core.last")), self.given(then("core.z_q"), step))
        for at in (now, then):
            yield equal(f"(P0 {at.behind('x')} {at.behind('y')})", const(0, self.sum_bits))

    # --- the invariant ----------------------------------------------------------------------------

    def _is(self, at: At, j: int, x: str, y: str) -> str:
        """That s is P_j, if the tables belong to M."""
        return implies(self.belongs(at), equal(at("core.s_q"), f"(P{j} {x} {y})"))

    def _loop(self, at: At, some: Sequence[int]) -> str:
        """What s is, and what comes to it, in some steps."""
        steps = self.steps
        x, y = at.behind("x"), at.behind("y")
        adds, adds_next = at.high(f"{CONTROL}add_q2"), at.high(f"{CONTROL}add_q")
        last = [
            adds,
            equal(at("core.p"), self.product(self.digit(x, steps - 1), y)),
            self._is(at, steps - 1, x, y),
        ]
        found = []
        for i in filter(None, some):
            facts = [adds_next, equal(at("core.x"), self.digit(x, i - 1))]
            if i >= 2:
                facts += [adds, equal(at("core.p"), self.product(self.digit(x, i - 2), y))]
                facts.append(self._is(at, i - 2, x, y))
            if i < steps:
                found.append(implies(at.step(i), all_of(*facts)))
                continue
            once = [negation(adds_next), *last]
            done = [negation(adds_next), negation(adds), self._is(at, steps, x, y)]
            found.append(implies(at.step(i), any_of(all_of(*facts), all_of(*once), all_of(*done))))
        return all_of(*found)

    def _result(self, at: At) -> str:
        """From s to what has left."""
        steps = self.steps
        x, y = at("x0"), at("y0")
        whole = extract(f"(P{steps + 1} {x} {y})", self.width - 1, 0)
        valid, belongs = at.high(f"{CONTROL}valid_q"), self.belongs(at)
        product = equal(at("core.p"), self.product(self.digit(x, steps - 1), y))
        before = all_of(self._is(at, steps - 1, x, y), product)
        left = extract(f"(P{steps + 1} {at('x')} {at('y')})", self.width - 1, 0)
        return all_of(
            implies(
                at.high(f"{CONTROL}last_q"),
                all_of(
                    equal(at("core.x"), const(0, self.digit_bits)),
                    f"(ite {at.high(f'{CONTROL}add_q2')} {before} {self._is(at, steps, x, y)})",
                ),
            ),
            implies(
                at.high(f"{CONTROL}last_q2"),
                all_of(equal(at("core.p"), const(0, self.sum_bits)), self._is(at, steps, x, y)),
            ),
            implies(all_of(valid, belongs), equal(at("core.z_q"), whole)),
            *(
                implies(
                    all_of(valid, belongs, f"(bvugt {at('out_at')} {const(k, COUNT)})"),
                    equal(self.wordof(at("z"), k), self.wordof(whole, k)),
                )
                for k in range(self.beats)
            ),
            implies(all_of(at.high("given"), belongs), equal(at("z"), left)),
        )
