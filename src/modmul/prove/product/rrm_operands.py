# SPDX-License-Identifier: Apache-2.0
"""Where the operands of ``rrm`` are: words of x and y, and the digits of x."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.prove.product.rrm_cells import Cells
from modmul.prove.product.rrm_where import AGE, CONTROL, CORE, PRE, At, K
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["Operands"]


class Operands(Cells):
    """The invariant over bits, of the operands too."""

    @property
    def digits_word(self) -> int:
        """Digits of x in a word."""
        return self.word // K

    def words(self, at: At) -> Iterator[tuple[str, str]]:
        """Words of x and y: those that come, those that wait, those in the loop."""
        beats, whole, part = self.beats, at.gate("whole_q"), at.gate("in_part_q")
        loaded = at.high("loaded_q")
        bits = self.system.signals[f"{CONTROL}beat_q"]
        yield "loaded", implies(all_of(whole, loaded), any_of(part, at.full))
        last = f"(bvsub {at.counts('in_at')} {const(1, AGE)})"
        yield "beat", implies(all_of(part, loaded), equal(at.counts(f"{CONTROL}beat_q"), last))
        waits = any_of(*(at.high(name) for name in ("reading_q", "wait_q", "go_q")))
        begun = all_of(equal(at.c("beat_q"), const(beats - 1, bits)), negation(waits))
        yield "beat full", implies(all_of(at.full, loaded), begun)
        run = all_of(at.high("run_q"), whole)
        shift = self.digits_word.bit_length() - 1
        word = f"(bvlshr {at.counts(f'{CONTROL}step_q')} {const(shift, AGE)})"
        next_q = at.counts(f"{CONTROL}next_q")
        below = f"(bvult {next_q} {word})"
        yield "before", implies(all_of(run, at.high("before_q"), negation(loaded)), below)
        yield "room", implies(all_of(run, at.high("room_q")), below)
        yield "load", implies(all_of(run, loaded), f"(bvult {at.counts(f'{CONTROL}beat_q')} {word})")
        yield "before run", implies(all_of(whole, at.r(0)), at.low("before_q", "room_q"))
        yield "before rest", implies(all_of(whole, at.high("go_q")), at.is_("step_q", 0))
        for k in range(beats):
            stored = at(f"{CORE}gen_x.u_x.words[{k}]")
            own = all_of(loaded, equal(at.c("beat_q"), const(k, bits)))
            come = all_of(part, f"(bvugt {at('in_at')} {const(k, 8)})")
            there = f"(ite {own} {at(f'{CORE}x_in_q')} {stored})"
            yield "x comes", implies(come, equal(there, self.wordof(at("x_in"), k)))
            yield "x waits", implies(at.full, equal(there, self.wordof(at.waiting("x"), k)))
            ahead = f"(bvule {word} {const(k, AGE)})"
            yield "x in the loop", implies(all_of(run, ahead), equal(stored, self.wordof(at.looped("x"), k)))
        y_q, y_in = at(f"{CORE}y_q"), at(f"{CORE}y_in_q")
        for count in range(1, beats + 1):
            for late in (False, True):
                whole_y = all_of(at.full, loaded if late else negation(loaded))
                here = all_of(part, at.state.is_("in_at", count), loaded if late else negation(loaded))
                moved = count - late
                for when, name in (
                    (here, at("y_in")),
                    *(((whole_y, at.waiting("y")),) if count == beats else ()),
                ):
                    facts = [equal(y_in, self.wordof(name, count - 1))] if late else []
                    if moved:
                        low = (beats - moved) * self.word
                        facts.append(
                            equal(
                                extract(y_q, beats * self.word - 1, low),
                                extract(name, moved * self.word - 1, 0),
                            )
                        )
                    yield "y comes", implies(when, all_of(*facts))

    def digits(self, at: At) -> Iterator[tuple[str, str]]:
        """Digits of x, and those that are dropped."""
        whole, each, last = at.gate("whole_q"), self.digits_word, self.steps - 1
        x = zero_extend(at.looped("x"), max(0, 2 * self.steps - self.beats * self.word))

        def cycles(least: int, most: int) -> str:
            step, first = at.counts(f"{CONTROL}step_q"), each + 1
            within = (
                f"(bvuge {step} {const(first + least, AGE)})",
                f"(bvule {step} {const(first + most, AGE)})",
            )
            return all_of(at.high("run_q"), at.low("pre_q"), *within)

        yield (
            "entry free",
            implies(at.aged("sr", "bvuge", 1), equal(at.high("entry_free_q"), cycles(1, last - 1))),
        )
        yield (
            "low free",
            implies(at.aged("sr", "bvuge", 2), equal(at.high("low_free_q"), cycles(2, last - 1))),
        )
        digit_a, digit_s = (at(f"{CORE}{self.dropped}digit_{name}_q") for name in "as")
        zero = const(0, K)
        yield "digit a", implies(at.aged("sr", "bvuge", 2), any_of(cycles(2, last), equal(digit_a, zero)))
        yield "digit s", implies(at.aged("sr", "bvuge", 3), any_of(cycles(3, last), equal(digit_s, zero)))
        loads = [at.r(each * k - 1) for k in range(1, self.beats)]
        yield (
            "x load",
            implies(at.aged("sr", "bvuge", 1), equal(at.high("x_load_q"), any_of(at.high("go_q"), *loads))),
        )
        pre, zero = at.high("pre_q"), at.high("zero_q")
        begun = at.state.is_("ctx_at", self.beats)
        later = all_of(any_of(whole, begun), negation(zero), at.low("modulus_q"))
        ends = f"(ite {pre} {at.r(PRE - 1)} {at.r(last)})"
        ended = all_of(at.high("latch_q"), self.bare(at))
        yield "x clear", implies(all_of(later, negation(ended)), equal(at.high("x_clear_q"), ends))
        yield "x clears", implies(all_of(zero, at.high("reading_q")), at.high("x_clear_q"))
        shift = at(f"{CORE}x_shift_q")
        none = all_of(any_of(later, all_of(zero, at.low("reading_q"))), at.low("run_q"))
        yield "x shift", implies(none, equal(shift, const(0, self.word)))
        word = at(f"{CORE}x_word_q")
        entry = at.counts(f"{CONTROL}entry_q")
        waits = all_of(
            whole,
            any_of(
                all_of(at.high("reading_q"), f"(bvuge {entry} {const(2, AGE)})"),
                at.high("wait_q"),
                at.high("go_q"),
            ),
        )
        yield (
            "first word",
            implies(waits, all_of(equal(word, self.wordof(at.waiting("x"), 0)), at.is_("step_q", 0))),
        )
        late = all_of(whole, at.high("reading_q"), equal(entry, const(1, AGE)))
        yield "step", implies(late, at.is_("step_q", 0))
        for k in range(1, self.beats):
            here = all_of(whole, at.r(each * k - 1))
            yield "next word", implies(here, equal(word, self.wordof(at.looped("x"), k)))
        for r in range(self.steps):
            k, gone = divmod(r, each)
            bits = self.word - K * gone
            left = extract(x, K * r + bits - 1, K * r) if k < self.beats else const(0, bits)
            yield "x digits", implies(all_of(whole, at.r(r)), equal(shift, zero_extend(left, K * gone)))

    dropped = "genblk6.gen_next_cycle."

    def addresses(self, at: At) -> Iterator[tuple[str, str]]:
        """What the sum and the entries are at the address of a step."""
        first = all_of(self.filled_in(at, 1), self.odd(at))
        x = zero_extend(at.looped("x"), max(0, 2 * self.steps - self.beats * self.word))
        digit_a, digit_s = (at(f"{CORE}{self.dropped}digit_{name}_q") for name in "as")
        h, c = at.g("HS0"), at.g("HC0")
        for r in range(1, self.steps):
            here = all_of(first, at.low("pre_q"), at.r(r))
            address = at(f"{self.cell(0)}addr_q")
            facts = [equal(extract(address, 2 * K - 1, K), extract(x, K * r - 1, K * r - K))]
            if r == 1:
                facts.append(equal(extract(address, K - 1, 0), const(0, K)))
            else:
                facts.append(equal(extract(address, K - 1, 0), extract(h, K - 1, 0)))
                facts.append(equal(digit_a, extract(at.g("EV0"), K - 1, 0)))
                digit = f"(bvadd {extract(h, 2 * K - 1, K)} {extract(c, K - 1, 0)})"
                facts.append(equal(digit_s, digit))
            if r == 2:
                facts += [equal(term, const(0, self.sum_bits)) for term in (h, c)]
            yield "address", implies(here, all_of(*facts))

    def place(self, at: At, k: int) -> str:
        """The sum is that behind k steps of an operation, in the lowest cell."""
        r, last = k + 2, self.steps
        flags = ("run_last_q2", "run_last_q3", "take_q")
        here = at.r(r) if r < last else at.high(flags[r - last])
        return all_of(at.gate("whole_q"), here)

    def places(self, at: At) -> Iterator[tuple[str, str]]:
        """What comes to the sum at each place: x_k·y + T[p], p the digit that was dropped a step before."""
        odd, address = self.odd(at), [at(f"{self.cell(i)}addr_q") for i in (0, 1)]
        x = zero_extend(at.looped("x"), max(0, 2 * self.steps - self.beats * self.word))
        dropped = [extract(at.g(f"HS{i}"), K - 1, 0) for i in (0, 1)]
        for k in range(self.steps):
            here = all_of(self.place(at, k), odd)
            low = dropped[1] if k else const(0, K)
            entry = f"(concat {extract(x, K * k + K - 1, K * k)} {low})"
            facts = [equal(address[1], entry)]
            facts.append(equal(at.g("EV0"), self.entry(at, address[1], at.looped("y"))))
            yield "place", implies(here, all_of(*facts))
        here = all_of(self.place(at, self.steps - 2), odd)
        entry = f"(concat {extract(x, K * self.steps - 1, K * self.steps - K)} {dropped[0]})"
        yield "last address", implies(here, equal(address[0], entry))
