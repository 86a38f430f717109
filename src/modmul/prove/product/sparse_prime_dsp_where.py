# SPDX-License-Identifier: Apache-2.0
"""Of ``sparse_prime_dsp``: where an operation is, in every state, and what it needs; an invariant.

As for ``montgomery_dsp``, from its start on an operation is at an age, which grows by one a cycle, and the
one that the bench follows has an age of its own. ``l`` is any digits: those that the row drops for that
operation; ``w`` any words: those that go to the queue for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from modmul.core import signed_powers
from modmul.prove.netlist import System, system
from modmul.prove.product.montgomery_dsp import Rows
from modmul.prove.product.montgomery_dsp_bench import COUNT_BITS, bench
from modmul.prove.product.montgomery_dsp_where import AGE, CONTEXT, CONTROL, QUEUE, ROW, SUM, At, Window
from modmul.prove.product.serial import COUNT, TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation
from modmul.room import Build

__all__ = ["FIRST", "HIGH", "LOW", "REDUCE", "SECOND", "TOTAL", "Aged", "Placed"]

HIGH, LOW, TOTAL = "core.u_high.", "core.u_low.", "core.gen_high.u_sum."
REDUCE = "core.u_reduce."
FIRST, SECOND = f"{REDUCE}u_first_fold.", f"{REDUCE}u_second_fold."


@dataclass(frozen=True)
class Aged(At):
    """The terms of one state."""

    def age(self, b: int) -> str:
        """An operation is at age b."""
        of = self.of
        assert isinstance(of, Placed)
        if b < of.first_z:
            return self.bit("core.line_q", b)
        return self.bit(f"{REDUCE}u_z_on.line_q", b - of.first_z + 1)


class Placed(Rows):
    """The invariant of a build with a whole row, whose D is short."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.folded or config.product == 5:
            raise ValueError(f"{build}: the proof is written for Columns = 0 and Product = 3 or 4")
        if config.wide:
            raise ValueError(f"{build}: the proof is written for a D with D * (D + 2) up to 2^Width")
        if config.beats < 2 or config.slots + 2 > 1 << COUNT_BITS:
            raise ValueError(
                f"{build}: the proof is written for two words or more, and for up to "
                f"{(1 << COUNT_BITS) - 2} operations between start and result"
            )
        if cls(build, System(TOP, "", {})).last + 2 > 1 << AGE:
            raise ValueError(f"{build}: the proof is written for up to {(1 << AGE) - 2} cycles")
        return cls(build, system(build.design, bench(build, config.beats), TOP))

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def lift(self) -> int:
        """n - Width, the bits by which x is shifted up."""
        return int(self.config.shift)

    @property
    def modulus(self) -> int:
        return int(self.config.modulus)

    @property
    def scaled(self) -> int:
        """D'."""
        return int(self.config.scaled)

    @property
    def powers(self) -> list[tuple[int, int]]:
        """The places of the powers of 2 in D', with their signs."""
        return list(signed_powers(self.scaled))

    @property
    def levels(self) -> int:
        """Additions one behind the other in a product by D'."""
        return int(self.config.levels)

    @property
    def above_words(self) -> int:
        """Words of U above 2^n."""
        return int(self.config.above)

    @property
    def mul(self) -> int:
        """Cycles of a product."""
        return int(self.config.product)

    @property
    def queue_bits(self) -> int:
        return int(self.config.slots * self.beats - 1).bit_length() + 1

    # --- ages -------------------------------------------------------------------------------------

    @property
    def first_s(self) -> int:
        """The age of S_0."""
        return self.mul + 4

    @property
    def tap(self) -> int:
        """That of H in the row."""
        return self.steps + self.mul + 3

    @property
    def first_h(self) -> int:
        """That of the first word of H; so of the others."""
        return self.tap + 3

    @property
    def first_q(self) -> int:
        return self.first_h + 1

    @property
    def first_u(self) -> int:
        return self.first_q + self.levels

    @property
    def first_r(self) -> int:
        """U mod 2^n, and what is above it."""
        return self.first_u + self.beats + 1

    @property
    def first_v(self) -> int:
        return self.first_r + self.levels

    @property
    def first_z(self) -> int:
        return self.first_v + self.beats + 1

    @property
    def out(self) -> int:
        return self.first_z + 1

    @property
    def last(self) -> int:
        return self.out + self.beats - 1

    @property
    def windows(self) -> tuple[Window, ...]:
        """All of them."""
        words, above, u, r = self.beats, self.above_words, self.first_q - 2, self.first_r - 2
        shifts = (Window(f"{REDUCE}u_z_more", self.first_z - 1, 1, words),) if self.lift else ()
        return (
            Window(f"{ROW}u_keep_x", 1, self.mul + 2, self.steps - 1),
            Window(f"{TOTAL}u_h_on", self.first_h - 1, 1, words),
            Window(f"{REDUCE}u_l_on", u, 1, words),
            Window(f"{REDUCE}u_u_on", u, 2, words + above),
            Window(f"{REDUCE}u_r_on", r, 1, words),
            Window(f"{REDUCE}u_t_on", r, 1, above),
            Window(f"{REDUCE}u_v_on", r, 2, words + 1),
            *shifts,
            Window(f"{REDUCE}u_z_on", self.first_z - 1, 2, words),
        )

    def window(self, name: str) -> Window:
        """One of them."""
        return next(each for each in self.windows if each.path.endswith(f".{name}"))

    def late_on(self, fold: str, level: int) -> range:
        """The ages at which the words of a level of a product by D' are valid."""
        found = self.window("u_u_on" if fold == FIRST else "u_v_on")
        return range(found.first + level, found.first + level + found.length)

    # --- texts ------------------------------------------------------------------------------------

    @property
    def now(self) -> Aged:
        return Aged(self, self.system.state("s"))

    @property
    def then(self) -> Aged:
        return Aged(self, self.system.state("n"))

    def definitions(self) -> str:
        """The age of the operation that is followed, any digits l, and any words w of a result."""
        return f"{super().definitions()}(declare-const l (_ BitVec {self.word * self.beats}))\n"

    def raised(self, at: At) -> str:
        """X, in whole words."""
        return f"(bvshl {at('x')} {const(self.lift, self.word * self.beats)})"

    # --- the invariant ----------------------------------------------------------------------------

    PARTS: Mapping[str, tuple[str, ...]] = {
        "ages": ("ages", "slots"),
        "slots": ("ages", "slots"),
        "gate": ("ages", "slots", "gate", "words"),
        "context": ("gate", "context", "words"),
        "words": ("ages", "slots", "gate", "words", "queue"),
        "queue": ("ages", "slots", "gate", "words", "queue"),
        "place": ("ages", "slots", "gate", "words", "queue", "place"),
        "operands": ("ages", "slots", "gate", "place", "operands"),
        "low digits": ("ages", "slots", "place", "low digits"),
        "high words": ("ages", "slots", "high words"),
        "result": ("ages", "slots", "gate", "words", "queue", "place", "result"),
    }
    """The parts, and for each those that it goes on holding with."""

    def part(self, at: At, name: str) -> str:
        return all_of(
            *{
                "ages": self._ages,
                "slots": self._slots,
                "gate": self._gate,
                "context": self._context,
                "words": self._words,
                "queue": self._queue,
                "place": self._place,
                "operands": self._operands,
                "low digits": self._low,
                "high words": self._high,
                "result": self._result,
            }[name](at)
        )

    def _ages(self, at: At) -> Iterator[str]:
        """Lines and windows are open at their ages; no two operations are near."""
        for each in self.windows:
            line = f"{each.path}.line_q"
            for j in range(1, each.line + 1):
                bit, age = at.bit(line, j), at.age(each.base + j)
                if bit != age:
                    yield equal(bit, age)
            if f"{each.path}.on_o" in self.system.signals:
                on = at.some(range(each.first, each.base + each.line + 1))
                yield equal(at.high(f"{each.path}.on_o"), on)
        kept = self.window("u_keep_x")
        late = range(kept.first + 1, kept.first + kept.length + 1)
        yield equal(at.high(f"{ROW}keep_s_q"), at.some(late))
        yield equal(at.high(f"{REDUCE}first_q"), at.age(self.first_v - 1))
        # Without a reset: known from where an operation has come that was under way behind the reset.
        for i in range(self.mul + 3):
            flag = at.high(f"{ROW}u_there.gen_cycle[{i}].late_q")
            yield self._behind(at, i + 2, flag, range(i + 2, i + 2 + self.steps))
        written = range(self.first_s + 1, self.first_s + 1 + self.steps)
        yield self._behind(at, self.first_s + 1, at.high(f"{LOW}write_q"), written)
        for fold in (FIRST, SECOND):
            for level in range(1, self.levels):
                flag = at.bit(f"{fold}on", level + 1)
                yield self._behind(at, level + 1, flag, self.late_on(fold, level))
        for b in range(1, self.last):
            near = range(b + 1, min(b + self.period, self.last + 1))
            yield implies(at.age(b), negation(at.some(near)))

    def _behind(self, at: At, first: int, flag: str, ages: range) -> str:
        """Where an operation is at an age or behind it, a flag is high at some ages."""
        return implies(at.some(range(first, self.last + 1)), equal(flag, at.some(ages)))

    def _slots(self, at: At) -> Iterator[str]:
        """When the next one may start; which digits and words are next; which half of the memory of L."""
        for b in range(1, self.period):
            waits = at.is_(f"{CONTROL}wait_q", self.period - 1 - b)
            yield implies(at.age(b), all_of(waits, at.is_(f"{CONTROL}ready_q", 0)))
        yield equal(at.high(f"{CONTROL}run_q"), at.some(range(1, self.steps + 1)))
        for t in range(self.steps):
            word, lane = divmod(t, self.lanes)
            here = [at.is_(f"{CONTROL}word_q", word)]
            here += [at.is_(f"{CONTROL}lane_q", lane)] if f"{CONTROL}lane_q" in self.system.signals else []
            yield implies(at.age(t + 1), all_of(*here))
            here = [at.is_(f"{LOW}beat_q", word)]
            here += [at.is_(f"{LOW}lane_q", lane)] if f"{LOW}lane_q" in self.system.signals else []
            yield implies(at.age(self.first_s + 1 + t), all_of(*here))
        for k in range(self.beats):
            yield implies(at.age(self.first_q - 1 + k), at.is_(f"{LOW}read_q", k))
        for k in range(self.beats + 1):
            yield implies(at.age(self.first_v - 1 + k), at.is_(f"{REDUCE}index_q", k))
        halves = [f"(xor {at(f'{LOW}half_q')} {at(f'{LOW}read_half_q')})"]
        toggled = [at.age(b) for b in range(self.first_s + 1, self.first_q - 1)]
        yield equal(halves[0], f"(xor {' '.join(toggled)})")

    def busy_now(self, at: At) -> str:
        """Words of operands come or wait, or operations are under way."""
        some = negation(at.is_(f"{CONTROL}ops_q", 0))
        return any_of(at.high(f"{CONTROL}u_gate.in_part_q"), at.high(f"{CONTROL}full_q"), some)

    def _gate(self, at: At) -> Iterator[str]:
        """Beats are counted as at the ports; while there are operations a context is there, whole."""
        part, full = at.high(f"{CONTROL}u_gate.in_part_q"), at.high(f"{CONTROL}full_q")
        opened, whole = at.high(f"{CONTROL}u_gate.open_q"), at.high("whole")
        some = negation(at.is_(f"{CONTROL}ops_q", 0))
        yield equal(at.high(f"{CONTROL}u_gate.whole_q"), whole)
        for name in ("ctx_at", "in_at"):
            yield f"(bvult {at(name)} {const(self.beats, COUNT)})"
        beat = f"(ite {at.is_('in_at', 0)} {at('ctx_at')} {at('in_at')})"
        yield equal(at.wide(f"{CONTROL}beat_q", COUNT), beat)
        yield implies(whole, at.is_("ctx_at", 0))
        yield implies(any_of(self.busy_now(at), opened), whole)
        yield equal(part, negation(at.is_("in_at", 0)))
        yield implies(full, negation(part))
        yield implies(at.high(f"{CONTROL}free_q"), negation(some))
        there = at.high(f"{CONTROL}in_there_o")
        late = at.wide(f"{CONTROL}beat_o", COUNT)
        come = f"(ite {part} {at('in_at')} {const(self.beats, COUNT)})"
        yield implies(there, all_of(any_of(part, full), equal(f"(bvadd {late} {const(1, COUNT)})", come)))
        started = all_of(some, negation(there), negation(full), negation(part))
        yield implies(at.age(1), started)
        yield implies(at.high("given"), at.high(f"{CONTROL}done_q"))
        halves = f"(xor {at(f'{CONTROL}half_q')} {at(f'{CONTROL}half_run_q')})"
        yield implies(at.some(range(1, self.steps + 1)), halves)

    def m_number(self, at: At, k: int) -> str:
        """Word k of M."""
        del at
        return const(self.modulus >> (self.word * k) & ((1 << self.word) - 1), self.word)

    def _is_m(self, at: At, words: int) -> str:
        """So many words of the context are those of M."""
        return all_of(*(equal(self.wordof(at("ctx"), k), self.m_number(at, k)) for k in range(words)))

    def _context(self, at: At) -> Iterator[str]:
        """What the comparison of words has found; and that a context with operations is M."""
        there, whole = at.high(f"{CONTROL}ctx_there_o"), at.high("whole")
        same = at.high(f"{CONTEXT}same_q")
        for come in range(1, self.beats + 1):
            here = whole if come == self.beats else at.is_("ctx_at", come)
            yield implies(all_of(here, negation(there)), equal(same, self._is_m(at, come)))
            found = [at.is_(f"{CONTEXT}first_q", int(come == 1))]
            word, m = self.wordof(at("ctx"), come - 1), self.m_number(at, come - 1)
            for j, low in enumerate(range(0, self.word, 4)):
                high = min(low + 4, self.word) - 1
                part = equal(extract(word, high, low), extract(m, high, low))
                found.append(equal(at.bit(f"{CONTEXT}same_part_q", j + 1), part))
            if come > 1:
                found.append(equal(same, self._is_m(at, come - 1)))
            yield implies(all_of(here, there), all_of(*found))
        opened = at.high(f"{CONTROL}u_gate.open_q")
        yield implies(any_of(self.busy_now(at), opened), self._is_m(at, self.beats))

    def _words(self, at: At) -> Iterator[str]:
        """Words of results are counted as at the ports, and there is room for them."""
        ops, done = at.wide(f"{CONTROL}ops_q", SUM), at.one(at.high(f"{CONTROL}done_q"), SUM)
        left = f"(bvmul {const(self.beats, SUM)} (bvsub {ops} {done}))"
        yield equal(f"(bvadd {at.queued} {at.due()})", f"(bvsub {left} {at.wide('out_at', SUM)})")
        full = at.one(at.high(f"{CONTROL}full_q"), SUM)
        yield equal(f"(bvadd (bvsub {ops} {done}) {full})", at.wide("count", SUM))
        slots = const(int(self.config.slots), SUM)
        yield f"(bvule {ops} {slots})"
        yield f"(bvule {done} {ops})"
        yield implies(at.high(f"{CONTROL}ready_q"), f"(bvult {ops} {slots})")
        yield equal(at.wide(f"{QUEUE}out_beat_q", COUNT), at("out_at"))
        yield f"(bvult {at('out_at')} {const(self.beats, COUNT)})"

    def y_place(self, name: str, c: int) -> tuple[str, tuple[int, int]]:
        """Digit c of y in a register."""
        return f"{ROW}gen_row.{name}", ((c + 1) * self.digit - 1, c * self.digit)

    def _operands(self, at: At) -> Iterator[str]:
        """Where the words of the operands are."""
        there, late = at.high(f"{CONTROL}in_there_o"), at.wide(f"{CONTROL}beat_o", COUNT)
        coming, waits = at.high("coming"), all_of(at.at(0), negation(at.high("coming")))
        running, later = at.within(1, self.steps), at.high(f"{CONTROL}half_q")
        bits = (self.beats - 1).bit_length()
        before = at(f"{ROW}x_before_q") if self.lift else ""
        x = [self.wordof(at("x"), k) for k in range(self.beats)]
        raised, y = self.raised(at), [self.wordof(at("y"), k) for k in range(self.beats)]
        for k in range(self.beats):
            come = all_of(coming, f"(bvugt {at('in_at')} {const(k, COUNT)})")
            mine, flies = any_of(come, waits), all_of(there, equal(late, const(k, COUNT)))
            held = [equal(at(f"{ROW}x_in_q"), x[k]), equal(at(f"{ROW}y_in_q"), y[k])]
            held += [equal(before, x[k - 1])] if k and self.lift else []
            yield implies(all_of(mine, flies), all_of(*held))
            stored = [at(f"{ROW}u_x.words[{(half << bits) + k}]") for half in (1, 0)]
            word = self.wordof(raised, k)
            y_next = self.wordof(at(f"{ROW}gen_row.y_next_q"), k)
            here = all_of(equal(f"(ite {later} {' '.join(stored)})", word), equal(y_next, y[k]))
            yield implies(all_of(mine, negation(flies)), here)
            if self.lift:
                rests = all_of(coming, at.is_("in_at", k + 1), negation(flies))
                yield implies(rests, equal(before, x[k]))
            half = at.high(f"{CONTROL}half_run_q")
            yield implies(running, equal(f"(ite {half} {' '.join(stored)})", word))
            yield implies(at.at(1), equal(y_next, y[k]))
        held_y = [
            equal(extract(at(name), *cut), self.digitof(at("y"), c))
            for c in range(self.columns)
            for name, cut in (self.y_place("y_q", c),)
        ]
        yield implies(at.within(2, self.steps + 1), all_of(*held_y))
        for t in range(self.steps):
            yield implies(at.at(t + 2), equal(at(f"{ROW}x_q"), self.digitof(raised, t)))

    def l_digit(self, t: int) -> str:
        return self.digitof("l", t)

    def _low(self, at: At) -> Iterator[str]:
        """Digits of L are on their way to the memory, or there; which half of it they are in."""
        first, end = self.first_s + 1, self.first_q - 2 + self.beats
        bits = (self.beats - 1).bit_length()
        half, reading = at(f"{LOW}half_q"), at(f"{LOW}read_half_q")
        for t in range(self.steps):
            yield implies(at.at(first + t), equal(at(f"{LOW}digit_q"), self.l_digit(t)))
        for b in range(first + 1, end + 1):
            younger = at.some(range(first, b))
            yield implies(at.at(b), self._stored(at, f"(xor {half} {younger})", b - first, bits))
            if b > self.first_q - 2:
                yield implies(at.at(b), equal(reading, f"(xor {half} {younger})"))

    def _stored(self, at: At, half: str, count: int, bits: int) -> str:
        """So many digits of L are in a half of the memory."""
        found = []
        for t in range(min(count, self.steps)):
            word, lane = divmod(t, self.lanes)
            words = (at(f"{LOW}gen_lane[{lane}].u_digits.words[{(h << bits) + word}]") for h in (1, 0))
            found.append(equal(f"(ite {half} {' '.join(words)})", self.l_digit(t)))
        return all_of(*found)

    def _high(self, at: At) -> Iterator[str]:
        """No word of H but the one that is picked is chosen."""
        for j in range(self.beats):
            here = all_of(at.is_("rst_ni", 1), negation(at.age(self.tap + 2 + j)))
            word = equal(self.wordof(at(f"{HIGH}gen_taken.chosen_q"), j), const(0, self.word))
            low = 2 * self.lanes * j
            carries = extract(at(f"{HIGH}gen_taken.chosen_carries_q"), low + 2 * self.lanes - 1, low)
            yield implies(here, all_of(word, equal(carries, const(0, 2 * self.lanes))))

    def produced(self, at: At) -> str:
        """That l is what the row drops, and w what goes to the queue."""
        dropped = f"{self.column(0)}sum_o"
        digits = (equal(at(dropped), self.l_digit(t)) for t in range(self.steps))
        words = (equal(at(f"{REDUCE}z_o"), self.wordof("w", k)) for k in range(self.beats))
        return all_of(
            *(implies(at.at(self.first_s + t), each) for t, each in enumerate(digits)),
            *(implies(at.at(self.out + k), each) for k, each in enumerate(words)),
        )

    def journey(self) -> Iterator[Obligation]:
        """That the invariant holds for ever."""
        now, then = self.now, self.then
        for name, known in self.PARTS.items():
            reset = (now.is_("rst_ni", 0), negation(self.part(now, name)))
            yield Obligation("invariant", f"{name} holds in reset", "bitwuzla", (self.text(*reset),))
            more = [self.produced(now)] if name in ("low digits", "result") else []
            hold = [self.part(now, each) for each in known]
            runs = (self.system.step, then.is_("rst_ni", 1))
            goals = [self.part(then, name)]
            if name == "result":  # word by word
                every = list(self._result(then))
                size = len(every) // self.beats
                goals = [all_of(*every[k : k + size]) for k in range(0, len(every), size)]
            texts = tuple(self.text(*runs, *hold, *more, negation(goal)) for goal in goals)
            yield Obligation("invariant", f"{name} goes on holding", "bitwuzla", texts)
