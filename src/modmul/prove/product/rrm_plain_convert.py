# SPDX-License-Identifier: Apache-2.0
"""What the converter of ``rrm_plain`` makes of a sum, pass by pass and word by word; and the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modmul.prove.product.rrm_plain_loop import CELL, Loop
from modmul.prove.product.rrm_plain_where import CONTROL, CONVERTER, ENTRIES, At
from modmul.prove.product.rrm_where import AGE, either
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["Converted"]


class Converted(Loop):
    """The invariant over bits, of the converter and of the table too.

    Also remembered: ``US`` and ``UD``, both words whose sum ``U`` is, since a conversion began; ``N``, what
    the pass makes, as a whole, and ``R``, what the one before has made; ``T15``, ``T0`` ... ``T7``, the
    entries as they were made.
    """

    # --- terms ------------------------------------------------------------------------------------

    @property
    def long(self) -> int:
        """Bits of U and R: a word more than an operand."""
        return (self.beats + 1) * self.word

    def functions(self) -> str:
        """``ext``: what was pushed out, above a sum. ``carried``: the carries of two cycles, as digits.

        ``addend``: what a pass adds; ``added``: what it makes.
        """
        long, bits, width = self.long, self.sum_bits, self.width
        wide, carries = f"(_ BitVec {long})", f"(_ BitVec {self.digits})"
        up = [f"(bvshl (spread {name}) {const(by, bits)})" for name, by in (("c", 2), ("d", 4))]
        digits = f"(bvor (bvxor {up[0]} {up[1]}) (bvshl (bvand {up[0]} {up[1]}) {const(1, bits)}))"
        shifted = f"(bvshl {zero_extend('m', long - width)} {const(self.shift, long)})"
        used, ones, one = either("use", shifted, const(0, long)), f"(bvnot {const(0, long)})", const(1, long)
        addend = f"(bvxor {used} {either('sub', ones, const(0, long))})"
        flags = "(use Bool) (sub Bool)"
        lines = (
            f"(define-fun ext ((w (_ BitVec {self.shift + 1})) (s (_ BitVec {bits}))) {wide} "
            f"((_ sign_extend {long - bits - self.shift - 1}) (concat w s)))",
            f"(define-fun carried ((c {carries}) (d {carries})) {wide} {zero_extend(digits, long - bits)})",
            f"(define-fun addend ((m (_ BitVec {width})) {flags}) {wide} {addend})",
            f"(define-fun added ((a {wide}) (m (_ BitVec {width})) {flags}) {wide} "
            f"(bvadd (bvadd a (addend m use sub)) {either('sub', one, const(0, long))}))",
        )
        return super().functions() + "\n".join(lines) + "\n"

    def negative(self, term: str) -> str:
        return equal(extract(term, self.long - 1, self.long - 1), "#b1")

    def twice(self, term: str) -> str:
        return f"(bvshl {term} {const(1, self.long)})"

    def halves(self, term: str, k: int) -> str:
        """A word of carries, one a digit."""
        half = self.word // 2
        return extract(term, (k + 1) * half - 1, k * half)

    def result(self, term: str) -> str:
        """R / 2^Shift, as many bits as M has."""
        return extract(term, self.width + self.shift - 1, self.shift)

    def result_word(self, term: str, k: int) -> str:
        low = k * self.word + self.shift
        return extract(term, low + self.word - 1, low)

    def raised_entry(self, entry: str) -> str:
        """What is above the sum of an entry of the table."""
        return f"(concat ((_ sign_extend {self.shift + 1 - 4 - 5}) {entry}) #b00000)"

    def entry_above(self, at: At) -> str:
        """The same of the entry that is being made."""
        return self.raised_entry(at.control("entry_q"))

    def above(self, at: At) -> str:
        """What is above the sum that is converted."""
        return either(at.pre, self.entry_above(at), at.g("W"))

    def made(self, at: At, e: int) -> str:
        """An entry of the table has been made."""
        later = [equal(at.control("entry_q"), const(f, 4)) for f in ENTRIES[ENTRIES.index(e) + 1 :]]
        over = all_of(at.tail, negation(any_of(at.pre, at.input("m_load_q"))))
        return any_of(at.whole, over, all_of(at.pre, any_of(*later)))

    # --- what is remembered -------------------------------------------------------------------------

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        at = self.at("s")
        found = dict(super().remembered())
        starts, ends, old, new, m = at.control("starts"), at.pass_ends, at.g("R"), at.g("N"), at("m")
        s_in = f"(ext {self.above(at)} {at.conv('s_taken_q')})"
        d_in = f"(carried {at.conv('c_taken_q')} {at.conv('d_taken_q')})"
        plus = negation(self.negative(at.g("US")))
        first = f"(added {at.g('U')} {m} {plus} {plus})"
        minus = self.negative(new)
        last = (
            at.state.is_(f"{CONTROL}pass_q", self.more_passes - 2),
            at.state.is_(f"{CONTROL}pass_q", self.passes - 2),
        )
        shows = either(at.pre, *last)
        middle = f"(added {self.twice(new)} {m} true {negation(minus)})"
        final = f"(added {new} {m} {minus} false)"
        found |= {
            "US": (self.long, either(starts, s_in, at.g("US"))),
            "UD": (self.long, either(starts, d_in, at.g("UD"))),
            "U": (self.long, either(starts, f"(bvadd {s_in} {d_in})", at.g("U"))),
            "R": (self.long, either(ends, new, old)),
            "N": (
                self.long,
                either(at.control("begins"), first, either(ends, either(shows, final, middle), new)),
            ),
        }
        for e in ENTRIES:
            own = all_of(at.control("pre_next"), equal(at.control("entry_q"), const(e, 4)))
            found[f"T{e}"] = (self.width, either(own, self.result(new), at.g(f"T{e}")))
        return found

    # --- the invariant ----------------------------------------------------------------------------

    def takes(self, at: At) -> Iterator[tuple[str, str]]:
        """A sum is taken, and becomes words of U."""
        beats, digits = self.beats, self.digits
        s, c, d = (at.conv(f"{name}_taken_q") for name in "scd")
        zero = all_of(
            equal(s, const(0, self.sum_bits)), equal(c, const(0, digits)), equal(d, const(0, digits))
        )
        yield "nothing to take", implies(at.pre, zero)
        complete = at.aged("la", "=", self.steps + 4)
        yield "carries before", implies(complete, equal(d, at.g("C1")))
        there = all_of(at.pre, negation(at.control("pre_begin_q")))
        yield "above an entry", implies(there, equal(at("core.w_q"), self.entry_above(at)))
        early = self.early(at)
        u_s, u_d, u = at.g("US"), at.g("UD"), at.g("U")
        facts = [
            equal(u_s, f"(ext {at('core.w_q')} {s})"),
            equal(u_d, f"(carried {c} {d})"),
            equal(u, f"(bvadd {u_s} {u_d})"),
        ]
        yield "taken", implies(early, all_of(*facts))
        ups = [f"(bvshl {name} {const(by, digits)})" for name, by in ((c, 1), (d, 2))]
        more = (beats + 1) * self.word // 2 - digits
        wide = [zero_extend(up, more) for up in ups]
        carries = f"(bvxor {u_s} {u_d} {u})"
        s_chosen, others = at.conv("s_chosen_q"), [at.conv(f"{name}_chosen_q") for name in "cd"]
        later = [at.conv(f"{name}_q") for name in "cd"]
        half = self.word // 2
        for k in range(beats + 1):
            token = equal(extract(at.conv("other_q"), k, k), "#b0")
            yield "token", implies(at.since(k + 1), equal(token, at.aged("ca", "=", k + 1)))
            here = at.aged("ca", "=", k + 2)
            yield (
                "chosen",
                implies(
                    at.since(k + 2),
                    equal(self.wordof(s_chosen, k), either(here, self.wordof(u_s, k), const(0, self.word))),
                ),
            )
            for chosen, whole in zip(others, wide, strict=True):
                word = either(here, self.halves(whole, k), const(0, half))
                yield "chosen", implies(at.since(k + 2), equal(self.halves(chosen, k), word))
            here = at.aged("ca", "=", k + 3)
            facts = [equal(at.conv("s_q"), self.wordof(u_s, k))]
            facts += [equal(q, self.halves(w, k)) for q, w in zip(later, wide, strict=True)]
            yield "one of them", implies(here, all_of(*facts))
            here = at.aged("ca", "=", k + 4)
            carry = equal(extract(carries, k * self.word, k * self.word), "#b1") if k else "false"
            facts = [
                equal(at.conv("s_q2"), self.wordof(u_s, k)),
                equal(at.conv("digits_q"), self.wordof(u_d, k)),
                equal(at.conv("u_carry_q"), carry),
            ]
            yield "word", implies(here, all_of(*facts))
            here = at.aged("ca", "=", k + 5)
            yield "word of U", implies(here, equal(at.conv("u_q"), self.wordof(u, k)))
        nothing = [equal(at.conv("s_q"), const(0, self.word))]
        nothing += [equal(q, const(0, half)) for q in later]
        yield "none of them", implies(at.within("ca", 1, 2), all_of(*nothing))
        nothing = [equal(at.conv(name), const(0, self.word)) for name in ("s_q2", "digits_q")]
        yield "no word", implies(at.within("ca", 2, 3), all_of(*nothing))

    def passes_whole(self, at: At) -> Iterator[tuple[str, str]]:
        """What a pass adds as a whole."""
        load, show, m = at.control("load_q"), at.control("show_q"), at("m")
        new, old = at.g("N"), at.g("R")
        plus, minus = negation(self.negative(at.g("US"))), self.negative(old)
        first = f"(added {at.g('U')} {m} {plus} {plus})"
        middle = f"(added {self.twice(old)} {m} true {negation(minus)})"
        last = f"(added {old} {m} {minus} false)"
        yield "first pass", implies(all_of(at.main, load), equal(new, first))
        yield "last pass", implies(all_of(at.main, show, negation(load)), equal(new, last))
        between = all_of(at.main, negation(any_of(load, show)))
        yield "other pass", implies(between, equal(new, middle))

    def operand(self, at: At) -> str:
        """The one side of a pass's sum."""
        load, show, old = at.control("load_q"), at.control("show_q"), at.g("R")
        return either(load, at.g("U"), either(show, old, self.twice(old)))

    def multiple(self, at: At) -> tuple[str, str]:
        """The other one, and whether it is subtracted."""
        load, show = at.control("load_q"), at.control("show_q")
        plus, minus = negation(self.negative(at.g("US"))), self.negative(at.g("R"))
        use = either(load, plus, either(show, minus, "true"))
        sub = either(load, plus, all_of(negation(show), negation(minus)))
        return f"(addend {at('m')} {use} {sub})", sub

    def passing(self, at: At) -> Iterator[tuple[str, str]]:
        """A pass, word by word."""
        beats, word = self.beats, self.word
        gap = beats + 1
        main, load, show = at.main, at.control("load_q"), at.control("show_q")
        new, old, m = at.g("N"), at.g("R"), at("m")
        a, (b, sub) = self.operand(at), self.multiple(at)
        carries = f"(bvxor {a} {b} {new})"
        index, late, later = (at.counts(f"{path}") for path in (f"{CONTROL}index_q", *self.late))
        for k in range(gap):
            stored = at(f"{CONVERTER}u_r.words[{k}]")
            here = [main, negation(load), any_of(show, f"(bvule {index} {const(k + 2, AGE)})")]
            if k == beats:
                here.append(negation(at.index(0)))
            yield "word of R", implies(all_of(*here), equal(stored, self.wordof(old, k)))
            here = [main, negation(show), f"(bvuge {index} {const(k + 3, AGE)})"]
            yield "new word of R", implies(all_of(*here), equal(stored, self.wordof(new, k)))
        not_first = all_of(main, negation(load))
        yield (
            "at first",
            implies(
                at.index(0),
                all_of(
                    equal(late, const(gap, AGE)),
                    equal(at.conv("m_before_q"), const(0, self.shift)),
                    negation(at.conv("last_q")),
                ),
            ),
        )
        yield (
            "at first again",
            implies(
                all_of(not_first, at.index(0)),
                all_of(
                    equal(later, const(beats, AGE)),
                    at.conv("write_q"),
                    at.conv("write_q2"),
                    equal(at.conv("sum_q"), self.wordof(old, beats)),
                ),
            ),
        )
        yield "then", implies(at.index(1), equal(later, const(gap, AGE)))
        yield "sign", implies(not_first, equal(at.conv("negative_q"), self.negative(old)))
        for j in range(1, gap + 1):
            now, k = at.index(j), j - 1
            m_k = const(0, self.shift)
            if k < beats:
                m_k = extract(m, (k + 1) * word - 1, (k + 1) * word - self.shift)
            carry = sub if k == 0 else equal(extract(carries, k * word, k * word), "#b1")
            facts = [
                equal(late, const(k, AGE)),
                equal(at.conv("write_q"), negation(show)),
                equal(at.conv("last_q"), str(j == gap).lower()),
                equal(at.conv("m_before_q"), m_k),
            ]
            yield "place", implies(now, all_of(*facts))
            high = equal(extract(old, (k + 1) * word - 1, (k + 1) * word - 1), "#b1")
            yield "bit below", implies(all_of(now, negation(load)), equal(at.conv("r_before_q"), high))
            yield "operand", implies(now, equal(at.conv("operand_q"), self.wordof(a, k)))
            yield "multiple", implies(now, equal(at.conv("m_q"), self.wordof(b, k)))
            yield "carry", implies(now, equal(at.conv("carry_q"), carry))
            if k:
                facts = [equal(later, const(k - 1, AGE)), equal(at.conv("write_q2"), negation(show))]
                facts.append(equal(at.conv("sum_q"), self.wordof(new, k - 1)))
                yield "sum", implies(now, all_of(*facts))
            if k > 1:
                goal = equal(at.conv("z_o"), self.result_word(new, k - 2))
                yield "word of z", implies(all_of(now, show), goal)

    @property
    def late(self) -> tuple[str, str]:
        """The place that was read in the cycle before, and before that."""
        return f"{CONVERTER}index_q", f"{CONVERTER}index_q2"

    def leaving(self, at: At) -> Iterator[tuple[str, str]]:
        """The words that leave, and those that go into the table."""
        beats, new, old = self.beats, at.g("N"), at.g("R")
        out_at = at.counts("out_at")
        last = all_of(at.rest, any_of(at.valid, at.control("write_q")))
        yield "last word of z", implies(last, equal(at.conv("z_o"), self.result_word(old, beats - 1)))
        for k in range(beats - 1):
            gone = all_of(at.valid, f"(bvugt {out_at} {const(k, AGE)})")
            z_k = self.wordof(at("z"), k)
            yield "gone", implies(all_of(gone, negation(at.rest)), equal(z_k, self.result_word(new, k)))
            yield "all but one", implies(all_of(gone, at.rest), equal(z_k, self.result_word(old, k)))
        given = at("given")
        yield "given", implies(given, all_of(at.whole, equal(at("z"), self.result(old))))
        early = at.within("ca", 1, self.first_of(1) - 1)
        yield "given lately", implies(given, any_of(at.rest, early))

    def table(self, at: At) -> Iterator[tuple[str, str]]:
        """The entries of the table, in their cells."""
        beats, new = self.beats, at.g("N")
        slot, write = at("core.slot_q"), at.control("write_q")
        making = all_of(at.pre, at.shows)
        for k in range(beats - 1):
            here = all_of(making, at.index(3 + k))
            yield "slot", implies(here, equal(slot, const(1 << k, beats)))
        last = all_of(at.rest, write)
        yield "last slot", implies(last, equal(slot, const(1 << (beats - 1), beats)))
        per_word = self.word // (2 * CELL)
        for e in ENTRIES:
            own = equal(at.control("entry_q"), const(e, 4))
            going = all_of(last, equal(at.control("entry_q2"), const(e, 4)))
            kept = at.g(f"T{e}")
            yield "last entry", implies(going, equal(kept, self.result(at.g("R"))))
            for i in range(self.width // (2 * CELL)):
                k, low = i // per_word, 2 * CELL * i
                stored = at(f"{self.cell(i)}gen_table.u_table.words[{e}]")
                if k < beats - 2:
                    here = all_of(making, own, at.index(*range(k + 4, beats + 2)))
                    z = extract(new, low + self.shift + 2 * CELL - 1, low + self.shift)
                    yield "word of an entry", implies(here, equal(stored, z))
                there = self.made(at, e)
                if k == beats - 1:
                    there = all_of(there, negation(going))
                yield "entry", implies(there, equal(stored, extract(kept, low + 2 * CELL - 1, low)))
