# SPDX-License-Identifier: Apache-2.0
"""What the converter of ``rrm`` makes of a sum, word by word: V = S + C + P, and z = V + M, V or V - M."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modmul.prove.product.rrm_context import Contexts
from modmul.prove.product.rrm_where import AGE, CONTROL, CONVERTER, CORE, FILL, PRE, At, K, either
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["Residues"]


class Residues(Contexts):
    """The invariant over bits, of the converter too."""

    # --- terms ------------------------------------------------------------------------------------

    @property
    def long(self) -> int:
        """Bits of V: a word more than an operand."""
        return (self.beats + 1) * self.word

    def numbers(self) -> str:
        """And what V and the result are made of."""
        long, bits = self.long, self.sum_bits
        m = zero_extend("m", long - self.width)
        s, c = (zero_extend(name, long - bits) for name in "SC")
        zero, one = const(0, long), const(1, long)
        major = "(bvor (bvand a b) (bvand a t) (bvand b t))"
        wide = f"(_ BitVec {long})"
        numbers = (
            f"(S (_ BitVec {bits})) (C (_ BitVec {bits})) (p (_ BitVec {K})) (m (_ BitVec {self.width}))"
        )

        def of_sum(term: str) -> str:
            inner = f"(let ((t (term (raised p m) m))) {term})"
            return f"(let ((a {s}) (b (bvshl {c} {const(K, long)}))) {inner})"

        raised = f"(bvadd (ite {equal(extract('m', 1, 1), '#b1')} p (bvneg p)) #b10)"
        half, quarter = (f"(bvlshr {m} {const(by, long)})" for by in (1, 2))
        once = extract("m", 1, 0)

        def by_digit(*terms: str) -> str:
            """For the digits -2, -1, 0 and 1, raised by 2."""
            least, less, none, more = terms
            return either("(= q #b00)", least, either("(= q #b01)", less, either("(= q #b10)", none, more)))

        parts = by_digit("#b10", f"(bvor (bvnot {once}) #b01)", "#b00", once)
        term = by_digit(f"(bvnot {half})", f"(bvnot {quarter})", zero, quarter)
        digit = f"((q (_ BitVec {K})) (m (_ BitVec {self.width})))"
        dropped = f"((p (_ BitVec {K})) (m (_ BitVec {self.width})))"
        round_ = f"(ite (= (part (raised p m) m) #b00) {const(0, long)} {one})"
        pair = f"((V {wide}) (m (_ BitVec {self.width})))"
        high = self.long - 1
        below = equal(extract("V", high, high), "#b1")
        rest = f"(bvsub V {m})"
        less = equal(extract(rest, high, high), "#b1")
        added = either(less, either(below, m, zero), either(below, zero, f"(bvnot {m})"))
        return super().numbers() + "\n".join(
            (
                f"(define-fun raised {dropped} (_ BitVec {K}) {raised})",
                f"(define-fun part {digit} (_ BitVec {K}) {parts})",
                f"(define-fun term {digit} {wide} {term})",
                f"(define-fun sums ({numbers}) {wide} {of_sum('(bvxor a b t)')})",
                f"(define-fun carries ({numbers}) {wide} {of_sum(f'(bvor (bvshl {major} {one}) {round_})')})",
                f"(define-fun V ({numbers}) {wide} (bvadd (sums S C p m) (carries S C p m)))",
                f"(define-fun added {pair} {wide} {added})",
                f"(define-fun result {pair} {wide} (bvadd (bvadd V (added V m)) (ite {less} {zero} {one})))",
                "",
            )
        )

    def v(self, at: At) -> str:
        """V of the sum that was taken last."""
        return f"(V {self.taken(at)})"

    def taken(self, at: At) -> str:
        return f"{at.g('ZS')} {at.g('ZC')} {at.g('ZP')} {at('m')}"

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Also ``rd``, that there was a READ since the reset, and ``VZ``, V of the last one."""
        at = At(self, self.system.state("s"))
        found = dict(super().remembered())
        reset = at.state.is_("rst_ni", 0)
        found["rd"] = (1, f"(ite {reset} #b0 (ite {at.high('reads')} #b1 {at.g('rd')}))")
        found["VZ"] = (self.long, f"(ite {at.aged('c', '=', 1)} {self.v(at)} {at.g('VZ')})")
        return found

    # --- the invariant ----------------------------------------------------------------------------

    def takes(self, at: At) -> Iterator[tuple[str, str]]:
        """A sum is taken cell by cell."""
        whole, odd = at.gate("whole_q"), self.odd(at)
        first, second = self.filled_in(at, 1), self.filled_in(at, 2)
        entry0 = all_of(at.high("reading_q"), at.is_("entry_q", 0))
        still = all_of(at.aged("fa", "=", self.filled), any_of(at.high("idle_q"), entry0))
        tail = [at.high(name) for name in ("run_last_q2", "run_last_q3", "take_q")]
        for k, flag in enumerate(tail):
            soon = all_of(second, at.aged("fa", "bvule", k)) if k else "false"
            yield "taking", implies(all_of(whole, flag), any_of(still, soon))
            yield (
                "taking in pre",
                implies(all_of(at.high("pre_q"), at.aged("sr", "bvuge", k), flag), self.residue_at(at, k)),
            )
        for k in range(1, self.cells):
            soon = all_of(second, at.aged("fa", "bvule", 2 + k))
            fresh = all_of(first, at.aged("tk", "=", k), negation(any_of(*tail)))
            yield "tail", implies(all_of(whole, fresh), any_of(still, soon))
            yield (
                "tail in pre",
                implies(all_of(at.high("pre_q"), first, at.aged("tk", "=", k)), self.residue_at(at, 2 + k)),
            )
            yield (
                "taken sum",
                implies(
                    at.aged("tk", "=", k),
                    all_of(equal(at.g(f"HS{k}"), at.g("ZS")), equal(at.g(f"HC{k}"), at.g("ZC"))),
                ),
            )
        low = extract(at.g("HS1"), K - 1, 0)
        u = extract(at(f"{CORE}u"), K - 1, 0)
        tailed = all_of(first, any_of(*tail[1:]), odd)
        yield "pending", implies(tailed, equal(at(f"{CORE}pending_q"), f"(bvmul {low} {u})"))
        first = all_of(first, odd)
        for i in range(self.cells):
            there = all_of(first, at.aged("tk", "bvuge", 1 + i), self.fresh(at))
            s, c = at(f"{self.cell(i)}taken_s_q"), self.spread(at, "taken_c_q", i)
            yield (
                "taken",
                implies(
                    there, all_of(equal(s, self.slice(at.g("ZS"), i)), equal(c, self.slice(at.g("ZC"), i)))
                ),
            )
        there = all_of(first, at.aged("tk", "bvuge", 1), self.fresh(at))
        yield "raised", implies(there, equal(at(f"{CONVERTER}raised_q"), f"(raised {at.g('ZP')} {at('m')})"))

    def fresh(self, at: At) -> str:
        """The sum that was taken last is that of an operation: one is in the converter or waits for it."""
        tail = any_of(*(at.high(name) for name in ("run_last_q2", "run_last_q3", "take_q")))
        return all_of(any_of(at.busy, at.high("unread_q")), negation(tail))

    def residue_at(self, at: At, k: int) -> str:
        """In the loop for a residue, k cycles behind its last digit of x."""
        least = (
            f"(ite {at.writing} {const(PRE + 2 + k, AGE)} {const(min(self.filled, FILL + 1 + PRE + k), AGE)})"
        )
        ra = at.aged("ra", "bvuge", min(self.started, PRE + k))
        return all_of(at.high("latch_q"), f"(bvuge {at.g('fa')} {least})", ra)

    def reading(self, at: At) -> Iterator[tuple[str, str]]:
        """READ: word j of each is so many cycles behind word_i = j."""
        beats, word = self.beats, self.word
        conv = CONVERTER
        out = all_of(at.busy, self.filled_in(at, 1), self.odd(at))
        for name, lag in (("h_chosen_q", 1), ("h_q", 2), ("both_q", 3)):
            bits = self.system.signals[f"{conv}{name}"]
            zero = equal(at(f"{conv}{name}"), const(0, bits)) if bits else at.state.is_(f"{conv}{name}", 0)
            yield "no second carries", implies(at.aged("sr", "bvuge", lag), zero)
        for k in range(3):
            yield (
                "first",
                implies(
                    at.aged("sr", "bvuge", 3 + k),
                    equal(equal(extract(at(f"{conv}first_q"), k, k), "#b1"), at.aged("c", "=", 2 + k)),
                ),
            )
        yield (
            "bare M",
            implies(
                all_of(at.high("bare_q"), at.low("rest_q")),
                all_of(at.high("pre_q"), equal(at.g("nf"), "#b00")),
            ),
        )
        yield "busy", implies(at.busy, self.filled_in(at, 1))
        yield "bare", implies(at.out, at.state.is_(f"{CONTROL}bare_q", 0))
        yield "read once", implies(at.busy, equal(at.g("rd"), "#b1"))
        z = self.taken(at)
        s = zero_extend(at.g("ZS"), self.long - self.sum_bits)
        c = f"(bvshl {zero_extend(at.g('ZC'), self.long - self.sum_bits)} {const(K, self.long)})"
        sums, carries, v = (f"({name} {z})" for name in ("sums", "carries", "V"))
        raised = f"(raised {at.g('ZP')} {at('m')})"
        term = f"(term {raised} {at('m')})"
        wide = zero_extend(at("m"), self.long - self.width)
        # words of S and C, all but one of them 0
        for w in range(beats + 1):
            for name, whole in (("s", s), ("c", c)):
                chosen = extract(at(f"{conv}{name}_chosen_q"), (w + 1) * word - 1, w * word)
                none = equal(chosen, const(0, word))
                yield (
                    f"{name} others",
                    implies(at.aged("sr", "bvuge", w + 3), any_of(at.aged("c", "=", w + 2), none)),
                )
                yield (
                    f"{name} chosen",
                    implies(all_of(out, at.aged("c", "=", w + 2)), equal(chosen, self.wordof(whole, w))),
                )
                here = all_of(out, at.aged("c", "=", w + 3))
                yield f"{name} word", implies(here, equal(at(f"{conv}{name}_q"), self.wordof(whole, w)))
        # words of M
        for lag, name in enumerate(("m_q", "m_q2", "m_q3", "m_q4", "m_q5"), 1):
            for j in range(beats + 2 if lag <= 2 else beats + 1):
                here = all_of(out, at.aged("c", "=", j + lag))
                found = self.wordof(at("m"), j) if j < beats else const(0, word)
                yield name, implies(here, equal(at(f"{conv}{name}"), found))
        yield (
            "part",
            implies(
                all_of(out, at.aged("c", "=", 2)), equal(at(f"{conv}part_q"), f"(part {raised} {at('m')})")
            ),
        )
        rounds = negation(equal(f"(part {raised} {at('m')})", const(0, K)))
        yield (
            "round",
            implies(all_of(out, at.aged("c", "=", 3)), equal(at.state.is_(f"{conv}round_q", 1), rounds)),
        )

        def bit(number: str, place: int) -> str:
            return equal(extract(number, place, place), "#b1")

        for j in range(beats + 1):
            here = all_of(out, at.aged("c", "=", j + 3))
            yield "term", implies(here, equal(at(f"{conv}term_q"), self.wordof(term, j)))
            if j:
                yield "save", implies(here, equal(at.state.is_(f"{conv}save_q", 1), bit(carries, j * word)))
            here = all_of(out, at.aged("c", "=", j + 4))
            yield "sum", implies(here, equal(at(f"{conv}sum_q"), self.wordof(sums, j)))
            yield "carry", implies(here, equal(at(f"{conv}carry_q"), self.wordof(carries, j)))
            ripple = bit(f"(bvxor {sums} {carries} {v})", j * word) if j else "false"
            yield "sum's carry", implies(here, equal(at.state.is_(f"{conv}u_sum.carry_q", 1), ripple))
            here = all_of(out, at.aged("c", "=", j + 5))
            vz = at.g("VZ")
            yield "v", implies(here, equal(at(f"{conv}v_q"), self.wordof(vz, j)))
            borrow = bit(f"(bvxor {vz} {wide} (bvsub {vz} {wide}))", j * word) if j else "false"
            yield "borrow", implies(here, equal(at.state.is_(f"{conv}u_rest.carry_q", 1), borrow))
        within = all_of(out, at.within("c", 2, self.read))
        yield "VZ", implies(within, equal(at.g("VZ"), v))

    def showing(self, at: At) -> Iterator[tuple[str, str]]:
        """SHOW: words of V, and of the result."""
        beats, word, conv = self.beats, self.word, CONVERTER
        out = all_of(at.busy, self.filled_in(at, 1), self.odd(at))
        yield "since a read", implies(equal(at.g("rd"), "#b1"), at.aged("sr", "=", self.clean))
        for c in range(5, beats + 5):
            here = all_of(equal(at.g("rd"), "#b1"), at.aged("c", "=", c))
            place = equal(at.counts(f"{conv}v_addr_q"), const(c - 5, AGE))
            yield "v write", implies(here, all_of(at.state.is_(f"{conv}v_write_q", 1), place))
        done = all_of(equal(at.g("rd"), "#b1"), at.aged("c", "bvuge", beats + 5))
        yield "v written", implies(done, at.state.is_(f"{conv}v_write_q", 0))
        vz, m = at.g("VZ"), at("m")
        for k in range(beats):
            here = all_of(out, at.aged("c", "bvuge", 6 + k))
            yield "v words", implies(here, equal(at(f"{conv}u_v.words[{k}]"), self.wordof(vz, k)))
        judged = all_of(out, at.aged("c", "bvuge", beats + 6))
        high = self.long - 1
        above = equal(extract(vz, high, high), "#b0")
        rest = f"(bvsub {vz} {zero_extend(m, self.long - self.width)})"
        below = equal(extract(rest, high, high), "#b1")
        yield "above", implies(judged, equal(at.state.is_(f"{conv}above_q", 1), above))
        yield "below", implies(judged, equal(at.state.is_(f"{conv}below_q", 1), below))
        result, added = (f"({name} {vz} {m})" for name in ("result", "added"))
        ripple = f"(bvxor {vz} {added} {result})"
        show, last, there, valid = (at.high(name) for name in ("show_q", "last_q", "there_q", "valid_q"))
        yield "shows", implies(all_of(at.busy, any_of(show, last)), at.aged("c", "bvuge", beats + 5))
        late = all_of(at.busy, any_of(last, all_of(show, negation(at.is_("word_q", 0)))))
        yield "shows late", implies(late, at.aged("c", "bvuge", beats + 6))
        for k in range(beats):
            # word k in the first stage
            ahead = all_of(show, at.is_("word_q", k + 1)) if k + 1 < beats else all_of(last, there)
            facts = [
                equal(at(f"{conv}v_show_q"), self.wordof(vz, k)),
                equal(at(f"{conv}m_show_q"), self.wordof(m, k)),
                equal(at.state.is_(f"{conv}show_first_q", 1), str(k == 0).lower()),
            ]
            carry = equal(extract(ripple, k * word, k * word), "#b1") if k else "false"
            facts.append(equal(at.state.is_(f"{conv}show_carry_q", 1), carry))
            yield "first stage", implies(all_of(out, ahead), all_of(*facts))
            here = all_of(out, valid, equal(at.counts("out_at"), const(k, AGE)))
            yield "z", implies(here, equal(at(f"{conv}z_o"), self.wordof(result, k)))
            left = all_of(out, at.low("inner_q"), f"(bvugt {at.counts('out_at')} {const(k, AGE)})")
            yield "left", implies(left, equal(self.wordof(at("z"), k), self.wordof(result, k)))
        given = all_of(at.high_of("given"), self.odd(at))
        yield "given pre", implies(given, at.low("pre_q"))
        yield "given", implies(given, equal(at("z"), extract(result, self.width - 1, 0)))

    def residues(self, at: At) -> Iterator[tuple[str, str]]:
        """What is shown goes to y, and to row 0 of the table."""
        beats, word, conv = self.beats, self.word, CONVERTER
        pre, writing = at.high("pre_q"), at.writing
        first = self.filled_in(at, 1)
        none = negation(first)
        result = extract(f"(result {at.g('VZ')} {at('m')})", self.width - 1, 0)
        shows_m = all_of(pre, at.low("rest_q"), at.high("bare_q"))
        shown = f"(ite {at.high('bare_q')} {at('m')} {result})"
        show, last, there, rest = (at.high(name) for name in ("show_q", "last_q", "there_q", "rest_q"))
        latch = at.high("latch_q")
        to_y = at.high("to_y_q")
        moved = at.high("y_there_q")
        yield "latch nf", implies(all_of(latch, at.low("bare_q"), negation(rest)), first)
        yield "y there", implies(all_of(latch, moved), equal(none, at.high("bare_q")))
        places = []  # where the word that leaves is, and how many are in y
        for k in range(beats):
            if k + 2 < beats:
                places.append((all_of(show, at.is_("word_q", k + 2)), k))
            elif k + 2 == beats:
                places.append((all_of(last, there), k))
            else:
                places.append((all_of(last, negation(there)), k))
        for k in range(beats):
            ahead = all_of(show, at.is_("word_q", k + 1)) if k + 1 < beats else all_of(last, there)
            here = all_of(shows_m, latch, ahead)
            facts = [
                equal(at(f"{conv}v_show_q"), const(0, word)),
                equal(at(f"{conv}m_show_q"), self.wordof(at("m"), k)),
                at.state.is_(f"{conv}show_carry_q", 0),
                at.state.is_(f"{conv}above_q", 0),
                at.state.is_(f"{conv}below_q", 1),
            ]
            yield "M in the first stage", implies(here, all_of(*facts))
        y_q, y_in = at(f"{CORE}y_q"), at(f"{CORE}y_in_q")
        inner = all_of(pre, latch, at.low("rest_q"))
        right = any_of(at.high("bare_q"), self.odd(at))
        here = any_of(*(place for place, _ in places))
        yield "to y when", implies(inner, equal(to_y, here))
        loads = [(place, k) for place, k in places]
        for place, k in places:
            now = all_of(inner, place, right)
            yield "z to y", implies(now, equal(at(f"{conv}z_o"), self.wordof(shown, k)))
            yield "y loads", implies(now, equal(at.high("loaded_q"), str(k > 0).lower()))
            if k:
                yield "y in", implies(now, equal(y_in, self.wordof(shown, k - 1)))
            if k > 1:
                low = (beats - k + 1) * word
                yield (
                    "y so far",
                    implies(
                        now, equal(extract(y_q, beats * word - 1, low), extract(shown, (k - 1) * word - 1, 0))
                    ),
                )
        del loads
        now = all_of(pre, latch, moved, right)
        low = word
        yield (
            "y last",
            implies(
                now,
                all_of(
                    at.high("loaded_q"),
                    equal(y_in, self.wordof(shown, beats - 1)),
                    equal(extract(y_q, beats * word - 1, low), extract(shown, (beats - 1) * word - 1, 0)),
                ),
            ),
        )
        right = any_of(at.low("row_0_q"), self.odd(at))
        reads = all_of(pre, at.high("reading_q"), at.is_("entry_q", 0), at.low("zero_q"), right)
        found = f"(ite {at.high('row_0_q')} {result} {at('m')})"
        yield "y is there", implies(reads, all_of(equal(y_q, found), at.low("loaded_q")))
        yield "y loaded", implies(all_of(pre, negation(latch)), at.low("loaded_q"))
        fills = all_of(pre, first, at.high("filling_q"))
        yield "M is there", implies(all_of(fills, negation(writing)), equal(y_q, at("m")))
        columns = [equal(at.g("wc"), const(s, K)) for s in range(1 << K)]
        writes = all_of(writing, self.later(at), any_of(first, at.low("pre_q")))
        for s in range(1, 1 << K):
            kept = at.g(f"T{s}")
            yield "residue is there", implies(all_of(fills, writing, columns[s]), equal(y_q, kept))
            long = zero_extend(kept, self.sum_bits - self.width)
            for i in range(self.cells):
                cell = self.cell(i)
                here = all_of(writes, columns[s])
                yield (
                    "adder T",
                    implies(
                        all_of(here, at.aged("fa", "=", 2 + i)),
                        all_of(
                            equal(at(f"{cell}u_adder.y_q"), self.slice(long, i)),
                            equal(at(f"{cell}gen_later.a_q"), self.slice(self.residue(at, 0), i)),
                        ),
                    ),
                )
                facts = [equal(at(f"{cell}s_q"), self.slice(long, i))]
                if i < self.cells - 1:
                    digits = len(self.config.cells[i])
                    facts.append(equal(extract(at(f"{cell}c_q"), digits - 1, digits - 1), "#b0"))
                yield (
                    "sum T",
                    implies(all_of(here, at.aged("fa", "=", 3 + i)), all_of(*facts)),
                )
                later = any_of(*columns[s + 1 :])
                there = any_of(later, all_of(columns[s], at.aged("fa", "bvuge", 4 + i)))
                after = all_of(self.later(at), at.low("pre_q"), any_of(negation(writing), there))
                word_s = at(f"{cell}u_table.words[{s}]")
                goal = equal(word_s, self.slice(long, i))
                yield "T", implies(any_of(after, all_of(writes, there)), goal)
        gone = all_of(pre, writing, none, negation(at.high("zero_q", "reading_q")))
        yield "zero column", implies(gone, columns[0])
        for i in range(self.cells):
            cell = self.cell(i)
            start = at.high("start_q") if i == 0 else at.state.is_(f"{self.cell(i - 1)}start_q", 1)
            yield "zero starts", implies(all_of(gone, at.within("fa", 1 + i, 1 + self.cells + i)), start)
            here = all_of(gone, at.within("fa", 2 + i, 2 + self.cells + i))
            digits = len(self.config.cells[i])
            bits = digits * K
            yield (
                "zero sum",
                implies(
                    here,
                    all_of(
                        equal(at(f"{cell}s_q"), const(0, bits)), equal(at(f"{cell}c_q"), const(0, digits))
                    ),
                ),
            )
            word_0 = equal(at(f"{cell}u_table.words[0]"), const(0, bits))
            there = any_of(
                all_of(gone, at.aged("fa", "bvuge", 4 + i)), first, all_of(self.later(at), at.low("pre_q"))
            )
            yield "T[0]", implies(there, word_0)
        # which column, and its digits of q
        run = any_of(at.high("go_q"), at.high("run_q"), latch)
        col = at.c("col_q")
        one = const(1, K)
        moved_on = f"(ite {at.aged('fa', 'bvuge', 2)} (bvadd {at.g('wc')} {one}) {at.g('wc')})"
        at_first = f"(ite {at.aged('fa', 'bvuge', FILL + 1)} {one} {const(0, K)})"
        still = all_of(pre, first, negation(all_of(at.high("reading_q", "row_0_q"))))
        yield "columns", implies(all_of(still, writing), equal(col, moved_on))
        yield "first column", implies(all_of(still, negation(writing)), equal(col, at_first))
        stale = all_of(pre, first, at.high("reading_q", "row_0_q"))
        following = f"(bvadd {at.g('wc')} {one})"
        yield "next column", implies(stale, equal(col, f"(ite {writing} {following} {one})"))
        yield "column of M", implies(all_of(pre, none, negation(at.high("reading_q"))), at.is_("col_q", 0))
        yield "column of M's filling", implies(all_of(pre, none), at.is_("col_q", 0))
        yield "wc", implies(writes, negation(columns[0]))
        yield "wc run", implies(all_of(pre, writes, any_of(run, at.high("reading_q"))), negation(columns[3]))
        yield (
            "wc done",
            implies(any_of(at.high("done_q"), all_of(self.later(at), at.low("pre_q"))), all_of(columns[3])),
        )
        q = at(f"{CORE}q_q")
        u = at(f"{CORE}u")
        times = f"(bvmul {u} (bvadd {zero_extend(at.g('wc'), K)} {const(1, 4)}))"
        idle = all_of(pre, first, negation(all_of(at.high("reading_q", "row_0_q"))))
        yield "q", implies(idle, equal(q, f"(ite {writing} {times} {u})"))
        again = f"(bvmul {u} (bvadd {zero_extend(at.c('col_q'), K)} {const(1, 4)}))"
        yield "q next", implies(stale, equal(q, again))
        yield (
            "q of M",
            implies(
                all_of(pre, none),
                equal(
                    q,
                    f"(ite {at.low('reading_q')} {const(0, 4)} (ite {at.high('zero_q')} {const(0, 4)} {u}))",
                ),
            ),
        )
        x_word, x_shift = at(f"{CORE}x_word_q"), at(f"{CORE}x_shift_q")
        yield "q go", implies(all_of(pre, at.high("go_q")), equal(x_word, zero_extend(q, word - 4)))
        for r in range(PRE):
            shift = f"(bvlshr {zero_extend(q, word - 4)} {const(K * r, word)})"
            yield "q digits", implies(all_of(pre, at.r(r)), equal(x_shift, shift))
        address = at(f"{self.cell(0)}addr_q")
        for r in range(1, PRE):
            digit = extract(q, K * r - 1, K * r - K)
            yield (
                "q address",
                implies(all_of(pre, at.r(r)), equal(address, f"(concat {digit} {const(0, K)})")),
            )
        tail = [at.high(name) for name in ("run_last_q2", "run_last_q3")]
        zero = const(0, self.sum_bits)
        begin = f"(concat {const(0, self.sum_bits - 2 * K)} {col} {const(0, K)})"
        yield (
            "S begins",
            implies(
                all_of(pre, at.r(2), self.odd(at)),
                all_of(equal(at.g("HS0"), begin), equal(at.g("HC0"), zero)),
            ),
        )
        for place, low in ((at.r(2), 0), (tail[0], K)):
            digit = extract(q, low + K - 1, low)
            entry = self.entry(at, f"(concat {digit} {const(0, K)})", at("m"))
            yield "entry of q", implies(all_of(pre, place, self.odd(at)), equal(at.g("EV0"), entry))
        yield (
            "no entry",
            implies(all_of(pre, tail[1], self.odd(at), at.aged("sr", "bvuge", 1)), equal(at.g("EV0"), zero)),
        )
        yield "no address", implies(all_of(pre, tail[0]), equal(address, const(0, 4)))

    def loads(self, at: At) -> Iterator[tuple[str, str]]:
        """Nothing goes to y before it is shown: cells may still take M, or a residue, from there."""
        moving = any_of(*(at.high(name) for name in ("show_q", "last_q", "y_there_q")))
        yield "loads", implies(all_of(at.high("pre_q", "latch_q", "loaded_q")), moving)
