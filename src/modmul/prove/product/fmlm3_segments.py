# SPDX-License-Identifier: Apache-2.0
"""Of ``fmlm3``: from digits of a transform to a number, modulo R or Q', to t and to the result."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.prove.product.fmlm3_ages import RESULT, SEGMENTS, Run
from modmul.prove.product.fmlm3_atoms import Value, part
from modmul.prove.product.fmlm3_product import Multiplying, Signed
from modmul.prove.product.fmlm3_words import (
    BUTTERFLY,
    FFT,
    ONE,
    RCA,
    Held,
    Shown,
    Transform,
    holding,
    is_one,
    is_zero,
    plus,
    times,
)
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Word,
    all_of,
    any_of,
    equal,
    extract,
    implies,
)

__all__ = ["Reducing"]


class Reducing(Multiplying):
    """What the Final Stage Operators, the Ripple Carry Adder and the last steps make."""

    @property
    def bits(self) -> int:
        """Of a segment."""
        return 2 * self.u

    # --- the Final Stage Operators -------------------------------------------------------------------

    def sum_at(self, run: Run, kind: Transform, half: int, n: int) -> Value:
        """What a half's accumulator holds behind its digit n; -1 for the one before the first."""
        name = f"{FFT}u_final_{('low', 'high')[half]}.r_q"
        return run.value(name, self.read_at(run, kind, self.v - 1, n) + self.delay + 1)

    def accumulated(self, run: Run, kind: Transform, half: int, n: int) -> tuple[list[Shown], list[str]]:
        """That digit n of a half is added to what is left of those before it, or M less than it.

        The number: R' = K + v, R' = digit + B K', all but digits with a sign.
        """
        k, u = self.k, self.u
        bits, age = k + 2, self.read_at(run, kind, self.v - 1, n) + self.delay - 1
        y_v = run.value(f"{BUTTERFLY}y{half}_o", age)
        before_v, after_v = self.sum_at(run, kind, half, n - 1), self.sum_at(run, kind, half, n)
        y = Held(self.word(run, "y", y_v), k)
        after = Signed(self.word(run, "after", after_v))
        carry_v = part(before_v, bits - 1, u)
        carry = Signed(self.word(run, "carry", carry_v))
        digit, next_ = after.whole.cut(u - 1, 0, "digit"), Signed(after.whole.cut(bits - 1, u, "next"))
        facts: list[Fact] = [
            y.parts,
            after.parts,
            carry.parts,
            Compared({after.whole: 1}, "=", {digit: 1, next_.whole: 1 << u}),
            Compared({after.top: 1}, "=", {next_.top: 1}),
        ]
        turned = bool(half) and kind.nega
        h = k // 2
        high, low = y.low.cut(k - 1, h, "high"), y.low.cut(h - 1, 0, "rest")
        c = Word("c", self.turned_term(y.whole.term) if turned else y.low.term, k)
        if turned:
            facts.append(Compared({y.low: 1}, "=", {low: 1, high: 1 << h}))
            none = Compared({c: 1}, "=", {}, (1 << k) - 1)
            some = Compared({c: 1, low: 1 << h}, "=", {high: 1}, (1 << k) - (1 << h))
            facts += [Joined(implies, (is_one(y.top), none)), Joined(implies, (is_zero(y.top), some))]
        else:
            facts.append(Compared({c: 1}, "=", {y.low: 1}))
        first = carry.extended(bits)
        minus = {y.top: (1 << bits) - (1 << k)}  # a residue is C + 1 - 2^k top
        add = Congruent({after.whole: 1}, {**first, c: 1, ONE: 1, **minus}, bits)
        if kind.nega:
            place = n + half * (self.p // 2)
            bound = (place + 1) << (2 * u + 1)
            above = Joined(all_of, (is_zero(y.top), Compared({ONE: bound}, "<=", {c: 1})))
            below = Joined(any_of, (is_one(y.top), Compared({c: 1}, "<", {ONE: bound})))
            less = Congruent({after.whole: 1, ONE: 1 << k}, {**first, c: 1}, bits)
            facts += [Joined(implies, (above, less)), Joined(implies, (below, add))]
        else:
            facts.append(add)
        c_number = plus((c.whole, "1", times(-(1 << k), y.top.whole)))
        is_less = f"(and (= {y.top.whole} 0) (>= {c.whole} {bound}))" if kind.nega else "false"
        v = f"(ite {is_less} (- {c_number} {self.m}) {c_number})"
        goals = [
            equal(after.number, plus((carry.number, v))),
            equal(after.number, plus((digit.whole, times(1 << u, next_.number)))),
        ]
        more = [y.legal().over_integers()]
        if turned:
            a = y.number()
            options = [
                equal(
                    c_number,
                    plus(
                        (
                            times(-(1 << h), a),
                            times(self.m, plus((f"(ite (= {y.top.whole} 1) 0 {high.whole})", str(e)))),
                        )
                    ),
                )
                for e in (0, 1)
            ]
            goals.append(any_of(*options))
        goals.append(f"(<= 0 {c_number} {1 << k})")
        given = (y_v, before_v) if n else (y_v,)
        shown = Shown(Joined(all_of, tuple(facts)), run, (after_v,), given)
        return [shown], [holding([*facts, is_one(ONE)], all_of(*goals), *more)]

    def turned_term(self, y: str) -> str:
        """A residue less 1 that is turned by half of its bits."""
        h = self.k // 2
        turned = f"(concat (bvnot {extract(y, h - 1, 0)}) {extract(y, self.k - 1, h)})"
        return f"(bvor {turned} ((_ repeat {self.k}) {extract(y, self.k, self.k)}))"

    # --- the Ripple Carry Adder -----------------------------------------------------------------------

    def adds(self, run: Run, name: str) -> tuple[list[Shown], list[str]]:
        """A pass of the adder: of its segments, the carries that are added, and the carry out of it."""
        begin, size, cb = run.begins[name], self.bits, self.carry
        shown, inject = [], name in ("RZ", "RM", "RQ")
        minus = name == "RQ"

        def at(signal: str, j: int) -> Value:
            return run.value(f"{RCA}{signal}", begin + 2 + j)

        seg_v = [run.value(f"{SEGMENTS}word_q", begin + 2 + j) for j in range(self.segs)]
        out_v = [at("segment_o", j + 1) for j in range(self.segs)]
        inj_v, carry_v = ([at(each, j) for j in range(self.segs + 1)] for each in ("inject_q", "carry_q"))
        upper_v = at("upper_q", 0)
        lines: list[Fact] = [is_one(ONE)]
        inj = [Signed(self.word(run, f"inj{j}", each)) for j, each in enumerate(inj_v)]
        carry = [self.word(run, f"carry{j}", each) for j, each in enumerate(carry_v)]
        seg = [self.word(run, f"seg{j}", each) for j, each in enumerate(seg_v)]
        out = [self.word(run, f"out{j}", each) for j, each in enumerate(out_v)]
        upper = Signed(self.word(run, "upper", upper_v))
        facts: list[Fact] = [*(each.parts for each in (*inj, upper))]
        shown.append(Shown(Joined(all_of, tuple(facts)), run, (), (*inj_v, upper_v)))
        lines += facts
        half = self.segs // 2
        for j in range(self.segs):
            sx = f"((_ sign_extend {size}) {inj[j].whole.term})"
            low = Word(f"low{j}", extract(sx, size - 1, 0), size)
            rest = Signed(Word(f"rest{j}", extract(sx, size + cb - 1, size), cb))
            wide = {inj[j].whole: 1, inj[j].top: (1 << (size + cb)) - (1 << cb)}
            made: list[Fact] = [
                Compared({low: 1, rest.whole: 1 << size}, "=", wide),
                rest.parts,
                Compared({rest.top: 1}, "=", {inj[j].top: 1}),
                Compared({out[j]: 1, carry[j + 1]: 1 << size}, "=", {seg[j]: 1, low: 1, carry[j]: 1}),
            ]
            after = upper if j == half - 1 else rest
            made += [
                Compared({inj[j + 1].whole: 1}, "=", {after.whole: 1}),
                Compared({inj[j + 1].top: 1}, "=", {after.top: 1}),
            ]
            given = (seg_v[j], inj_v[j], carry_v[j], upper_v)
            shown.append(
                Shown(Joined(all_of, tuple(made)), run, (out_v[j], carry_v[j + 1], inj_v[j + 1]), given)
            )
            lines += made
        base = [1 << (size * j) for j in range(self.segs)]
        total = plus(times(base[j], out[j].whole) for j in range(self.segs))
        top = f"(- {carry[-1].whole} {inj[-1].top.whole})"
        came = [times(base[j], seg[j].whole) for j in range(self.segs)]
        came += [inj[0].number, carry[0].whole, times(base[half], plus((upper.number, inj[0].top.whole)))]
        goal = equal(plus((total, times(1 << (size * self.segs), top))), plus(came))
        texts = [holding(lines, goal)]
        # What is added.
        ends: list[Fact] = [is_one(ONE)]
        if inject:
            kind = Transform({"RZ": "ICT1", "RM": "ICT2", "RQ": "INCT"}[name])
            sums = [self.sum_at(run, kind, i, self.p // 2 - 1) for i in (0, 1)]
            carries = [part(each, self.k + 1, self.u) for each in sums]
            lo, hi = (Signed(self.word(run, f"end{i}", each)) for i, each in enumerate(carries))
            if minus:
                first: Fact = Compared({inj[0].whole: 1, hi.whole: 1}, "=", {}, (1 << cb) - 1)
            else:
                first = Compared({inj[0].whole: 1}, "=", {hi.whole: 1})
            less = Congruent({upper.whole: 1, inj[0].top: 1}, {lo.whole: 1}, cb)
            made = [first, less, lo.parts, hi.parts, Compared({carry[0]: 1}, "=", {}, int(minus))]
            shown.append(
                Shown(Joined(all_of, tuple(made)), run, (inj_v[0], upper_v, carry_v[0]), tuple(sums))
            )
            ends += [*made, inj[0].parts, upper.parts]
            added = plus(
                (inj[0].number, carry[0].whole, times(base[half], plus((upper.number, inj[0].top.whole))))
            )
            wanted = plus((times(-1 if minus else 1, hi.number), times(base[half], lo.number)))
            texts.append(holding(ends, equal(added, wanted), f"(< (- {1 << (cb - 1)}) {lo.number})"))
        else:
            made = [Compared({each: 1}, "=", {}) for each in (inj[0].whole, upper.whole, carry[0])]
            shown.append(Shown(Joined(all_of, tuple(made)), run, (inj_v[0], upper_v, carry_v[0]), ()))
        return shown, texts

    # --- digits into a transform ------------------------------------------------------------------------

    def digit_of_pass(self, run: Run, name: str, i: int) -> Value:
        """Digit i of the sum of a pass."""
        out = run.value(f"{RCA}segment_o", run.begins[name] + 3 + i // 2)
        return part(out, (i % 2 + 1) * self.u - 1, i % 2 * self.u)

    def place_of(self, i: int) -> int:
        """Where digit i goes: its bits in reverse."""
        return int(f"{i:0{self.v}b}"[::-1], 2)

    def loaded(self, run: Run, name: str, kind: Transform) -> Iterator[Shown]:
        """That a transform reads the digits of a pass; and digit 0 with the carry out of the highest."""
        begin = run.begins[name]
        ends = tuple(run.value(f"{RCA}{each}", begin + 2 + self.segs) for each in ("carry_q", "inject_q"))
        carry, inj = self.word(run, "carry", ends[0]), Signed(self.word(run, "inj", ends[1]))
        for i in range(self.p):
            value = self.comes(run, kind, 0, self.place_of(i))
            number, held = self.number(run, "in", value), Held(self.word(run, "held", value), self.k)
            made = (Compared({number: 1, held.top: 1 << self.k}, "=", {held.low: 1}, 1), held.legal())
            digit = self.word(run, "digit", self.digit_of_pass(run, name, i))
            out = run.value(f"{RCA}segment_o", begin + 3 + i // 2)
            if i:
                fact = Compared({number: 1}, "=", {digit: 1})
                yield Shown(Joined(all_of, (fact, *made)), run, (value,), (out,))
            else:
                more = Word("more", f"(bvxor {carry.term} {inj.top.term})", 1)
                fact = Compared({number: 1}, "=", {digit: 1, more: 1})
                yield Shown(Joined(all_of, (fact, *made)), run, (value,), (out, *ends))

    # --- from S to the result ---------------------------------------------------------------------------

    def decided(self, run: Run) -> tuple[Shown, str]:
        """k of k·Q' - S, by S = low - top and the parity of x·y + m·N; and what that says of numbers."""
        begin, bits_ = run.begins["SUB"], self.bits * self.segs
        k_v = run.value(f"{RESULT}k_q", begin + 2)
        out_v = [run.value(f"{RCA}segment_o", run.begins["RQ"] + 3 + j) for j in range(self.segs)]
        top_v = run.value(f"{SEGMENTS}top_q", begin + 1)
        lsb_v = {
            name: run.value(f"{RESULT}{name}_lsb_q", begin + 1)
            for name in "xymn"
            if name != "y" or "LY" in run.begins
        }
        k, top = self.word(run, "k", k_v), Signed(self.word(run, "top", top_v))
        low = Word("low", f"(concat {' '.join(run.atoms.term(each) for each in reversed(out_v))})", bits_)
        x, m, n = (self.word(run, name, lsb_v[name]) for name in "xmn")
        y = self.word(run, "y", lsb_v["y"]) if "y" in lsb_v else x
        both = Word("both", f"(bvand {x.term} {y.term})", 1)
        more = Word("more", f"(bvand {m.term} {n.term})", 1)
        parity = Word("parity", f"(bvxor {both.term} {more.term})", 1)
        s = Word(
            "s",
            f"(bvsub ((_ zero_extend 2) {low.term}) ((_ sign_extend {bits_}) {top.whole.term}))",
            bits_ + 2,
        )
        two = s.cut(1, 1, "second")
        odd = s.cut(0, 0, "first")
        rest = s.cut(bits_ + 1, 2, "rest")
        facts: list[Fact] = [
            top.parts,
            Compared({s: 1, two: 2, odd: 1}, "=", {s: 1, two: 2, odd: 1}),
            Compared({s: 1}, "=", {rest: 4, two: 2, odd: 1}),
            Congruent({s: 1, top.whole: 1}, {low: 1, top.top: 4}, bits_ + 2),
        ]

        def chosen(value: int, *when: Fact) -> Fact:
            return Joined(implies, (Joined(all_of, when), Compared({k: 1}, "=", {}, value)))

        same = Compared({parity: 1}, "=", {two: 1})
        other = Joined(
            any_of,
            (Joined(all_of, (is_one(parity), is_zero(two))), Joined(all_of, (is_zero(parity), is_one(two)))),
        )
        none = Compared({s: 1}, "=", {})
        some = Compared({ONE: 1}, "<=", {s: 1})
        facts += [
            chosen(1, is_one(odd), same),
            chosen(3, is_one(odd), other),
            chosen(2, is_zero(odd), other),
            chosen(0, is_zero(odd), same, none),
            chosen(4, is_zero(odd), same, some),
        ]
        legal = self.is_top(top.whole)
        given = (*out_v, top_v, *lsb_v.values())
        # Of numbers: k is what makes (k Q' - S) / 2 the one of two numbers below 2 Q' that has the parity.
        q, signed = (1 << bits_) + 1, f"(- {low.whole} {top.number})"
        shown = Shown(Joined(all_of, tuple(facts)), run, (k_v,), given, (legal,))
        right = f"(=> (= (+ (* 2 t) {signed}) (* {q} j)) (= {k.whole} j))"
        goal = f"(and {right} (<= 0 (+ {k.whole} {top.number}) 5))"
        more_ = [
            "(<= 0 t)",
            f"(< t {(1 << bits_) * 2})",
            f"(= t (+ (* 2 e) {parity.whole}))",
            f"(<= (- 1) {signed} {1 << bits_})",
        ]
        return shown, holding([*facts, legal, is_one(ONE)], goal, *more_, ints=("t", "j", "e"))

    def top_right(self, run: Run) -> Shown:
        """That the carry out of S is the one which the last steps take."""
        top_v = run.value(f"{SEGMENTS}top_q", run.begins["SUB"] + 1)
        ends = tuple(
            run.value(f"{RCA}{each}", run.begins["RQ"] + 2 + self.segs) for each in ("carry_q", "inject_q")
        )
        carry, inj = self.word(run, "carry", ends[0]), Signed(self.word(run, "inj", ends[1]))
        top = self.word(run, "top", top_v)
        fact = Joined(all_of, (Congruent({top: 1, inj.top: 1}, {carry: 1}, 2), self.is_top(top)))
        return Shown(fact, run, (top_v,), ends)

    @staticmethod
    def is_top(top: Word) -> Joined:
        """That a carry out of S is 0, 1 or -1."""
        return Joined(any_of, tuple(Compared({top: 1}, "=", {}, value) for value in (0, 1, 3)))

    def parities(self, run: Run) -> Iterator[Shown]:
        """That the bits which decide are the lowest ones of x, y, m and N."""
        begin = run.begins["SUB"] + 1
        for name, source in (("x", "LX"), ("y", "LY")):
            if source in run.begins:
                lsb = self.word(run, name, run.value(f"{RESULT}{name}_lsb_q", begin))
                digit_v = self.digit_of_pass(run, source, 0)
                digit = self.word(run, "digit", digit_v)
                low, rest = digit.cut(0, 0, "low"), digit.cut(self.u - 1, 1, "rest")
                fact = Joined(
                    all_of, (Compared({lsb: 1}, "=", {low: 1}), Compared({digit: 1}, "=", {low: 1, rest: 2}))
                )
                yield Shown(fact, run, (lsb_v := run.value(f"{RESULT}{name}_lsb_q", begin),), (digit_v,))
                del lsb_v
        m_v = run.value(f"{RESULT}m_lsb_q", begin)
        value = self.comes(run, Transform("NCTM"), 0, 0)
        number, lsb = self.number(run, "in", value), self.word(run, "m", m_v)
        ends = tuple(
            run.value(f"{RCA}{each}", run.begins["RM"] + 2 + self.segs) for each in ("carry_q", "inject_q")
        )
        out = run.value(f"{RCA}segment_o", run.begins["RM"] + 3)
        low, rest = number.cut(0, 0, "low"), number.cut(self.k, 1, "rest")
        fact = Joined(
            all_of, (Compared({lsb: 1}, "=", {low: 1}), Compared({number: 1}, "=", {low: 1, rest: 2}))
        )
        yield Shown(fact, run, (m_v, value), (out, *ends))

    def halved(self, run: Run) -> tuple[list[Shown], str]:
        """2 t = k Q' - S and t - N, segment by segment; and which of both is the result."""
        begin, size, bits_ = run.begins["SUB"], self.bits, self.bits * self.segs
        shown, facts = [], list[Fact]([is_one(ONE)])

        def show(fact: Fact, values: tuple[Value, ...], given: tuple[Value, ...]) -> None:
            shown.append(Shown(fact, run, values, given))
            facts.append(fact)

        def at(signal: str, age: int) -> Value:
            return run.value(f"{RESULT}{signal}", begin + age)

        k_v, top_v = at("k_q", 2), run.value(f"{SEGMENTS}top_q", begin + 1)
        k, top = self.word(run, "k", k_v), Signed(self.word(run, "top", top_v))
        low_v = [run.value(f"{SEGMENTS}word_q", begin + 2 + j) for j in range(self.segs)]
        diff_v = [at("u_double.difference_o", 3 + j) for j in range(self.segs)]
        borrow_v = [at("u_double.borrow_o", 3 + j) for j in range(self.segs)]
        t_v = [at("t_o", 4 + j) for j in range(self.segs)]
        less_v = [at("less_o", 5 + j) for j in range(self.segs)]
        less_b_v = [at("u_less.borrow_o", 5 + j) for j in range(self.segs)]
        n_v = [run.value(f"{SEGMENTS}modulus_q", begin + 4 + j) for j in range(self.segs)]
        is_less_v = run.value(f"{RESULT}is_less_o", run.last)
        first = Word("first", f"((_ extract 2 0) (bvadd {k.term} ((_ sign_extend 1) {top.whole.term})))", 3)
        above = Word("above", f"(bvsub {k.term} (concat #b00 {run.atoms.term(borrow_v[-1])}))", 3)
        names = {
            "low": low_v,
            "diff": diff_v,
            "borrow": borrow_v,
            "t": t_v,
            "less": less_v,
            "lb": less_b_v,
            "n": n_v,
        }
        word = {
            (name, j): self.word(run, f"{name}{j}", v) for name, vs in names.items() for j, v in enumerate(vs)
        }
        show(
            Joined(
                all_of,
                (
                    top.parts,
                    Congruent({first: 1}, {k: 1, top.whole: 1, top.top: 4}, 3),
                    Congruent({above: 1, word["borrow", self.segs - 1]: 1}, {k: 1}, 3),
                ),
            ),
            (),
            (k_v, top_v, borrow_v[-1]),
        )
        for j in range(self.segs):
            left = {word["diff", j]: 1, word["low", j]: 1, **({word["borrow", j - 1]: 1} if j else {})}
            right = {word["borrow", j]: 1 << size, **({} if j else {first: 1})}
            given = (low_v[j], k_v, top_v, *(borrow_v[j - 1 : j] if j else ()))
            show(Compared(left, "=", right), (diff_v[j], borrow_v[j]), given)
            rest, bit = word["diff", j].cut(size - 1, 1, "rest"), word["diff", j].cut(0, 0, "lsb")
            show(Compared({word["diff", j]: 1}, "=", {rest: 2, bit: 1}), (), (diff_v[j],))
            if j < self.segs - 1:
                next_ = word["diff", j + 1].cut(0, 0, "lsb")
                given = (diff_v[j], low_v[j + 1], borrow_v[j])
                values: tuple[Value, ...] = (t_v[j], diff_v[j + 1])
            else:
                next_, given, values = above.cut(0, 0, "lsb"), (diff_v[j], k_v, borrow_v[j]), (t_v[j],)
            show(Compared({word["t", j]: 1}, "=", {rest: 1, next_: 1 << (size - 1)}), values, given)
            left = {word["less", j]: 1, word["n", j]: 1, **({word["lb", j - 1]: 1} if j else {})}
            given = (t_v[j], n_v[j], *(less_b_v[j - 1 : j] if j else ()))
            show(
                Compared(left, "=", {word["t", j]: 1, word["lb", j]: 1 << size}),
                (less_v[j], less_b_v[j]),
                given,
            )
        is_less = self.word(run, "isless", is_less_v)
        a0, a1, a2 = (above.cut(i, i, name) for i, name in enumerate(("lsb", "second", "third")))
        show(Compared({above: 1}, "=", {a0: 1, a1: 2, a2: 4}), (), (k_v, borrow_v[-1]))
        b = word["lb", self.segs - 1]
        show(
            Joined(
                all_of,
                (
                    Joined(implies, (is_one(a1), is_one(is_less))),
                    Joined(implies, (is_zero(b), is_one(is_less))),
                    Joined(implies, (Joined(all_of, (is_zero(a1), is_one(b))), is_zero(is_less))),
                ),
            ),
            (is_less_v,),
            (k_v, borrow_v[-1], less_b_v[-1]),
        )
        base = [1 << (size * j) for j in range(self.segs)]
        low, t, less, n = (
            plus(times(base[j], word[name, j].whole) for j in range(self.segs))
            for name in ("low", "t", "less", "n")
        )
        # T is the number below 2 N that 2 T + S = k Q' tells, with S = low - top.
        given_ = [
            equal(f"(+ (* 2 T) (- {low} {top.number}))", times((1 << bits_) + 1, k.whole)),
            f"(and (<= 0 T) (< T (* 2 {n})))",
            f"(<= 0 (+ {k.whole} {top.number}) 5)",
        ]
        z = f"(ite (= {is_less.whole} 1) {less} {t})"
        goal = equal(z, f"(ite (>= T {n}) (- T {n}) T)")
        return shown, holding(facts, goal, *given_, ints=("T",))
