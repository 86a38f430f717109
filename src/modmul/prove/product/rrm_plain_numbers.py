# SPDX-License-Identifier: Apache-2.0
"""What is asked of ``rrm_plain`` as numbers: a step of the loop, its ranges, the passes of the converter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from modmul.prove.product.rrm_plain_convert import Converted
from modmul.prove.product.rrm_plain_where import ENTRIES, At
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Relation,
    Word,
    all_of,
    any_of,
    bounds,
    const,
    declared,
    equal,
    extract,
    negation,
    number,
    shown_sum,
)

__all__ = ["Numbers", "told"]


def told(
    facts: Iterable[Fact | Relation],
    known: Iterable[str],
    *goals: str,
    names: Iterable[str] = (),
    split: Iterable[Word] = (),
    whole: Iterable[Word] = (),
) -> str:
    """That facts and more are known of integers, and not all goals hold.

    Args:
        names: integers besides those of the facts.
        split: words whose bits are spoken of.
        whole: words besides those of the facts.
    """
    every, bits = list(facts), [word.bit(place) for word in split for place in range(word.bits)]
    words = list(whole)
    for fact in every:
        if isinstance(fact, Relation):
            bits += fact.used
        else:
            words += fact.words()
    lines = [*bounds(bits), *declared(words)]
    lines += [f"(declare-const {name} Int)" for name in names]
    lines += [f"(assert {each})" for each in (*(fact.over_integers() for fact in every), *known)]
    return "\n".join((*lines, f"(assert {negation(all_of(*goals))})"))


def flag(name: str, term: str) -> Word:
    """A condition as a word of one bit."""
    return Word(name, f"(ite {term} #b1 #b0)", 1)


class Numbers(Converted):
    """The questions about numbers, and the facts that they rest on.

    P is 4^D, M' is 2^11·M. Of a state of the loop, a, a1, a2 and a3 are the digits that are pushed out, a3
    three steps ago, each of which is in a word as a + 1; Q is the sum below them, with the carries of two
    cycles.
    """

    # --- words ------------------------------------------------------------------------------------

    @property
    def power(self) -> int:
        """P."""
        return 1 << self.sum_bits

    @property
    def room(self) -> int:
        """What a word of the converter is taken modulo."""
        return 1 << self.long

    @property
    def m(self) -> Word:
        return Word("M", "m", self.width)

    @property
    def of_m(self) -> str:
        """What is known of M besides its length."""
        return f"(<= {1 << (self.width - 1)} |M|)"

    def loop_words(self, now: At, then: At) -> Mapping[str, Word]:
        """Those of a step of the loop, in a state and the next one."""
        bits, digits = self.sum_bits, self.digits
        k2, y = now.g("K2"), now.looped("y")

        def raised(term: str) -> str:
            return f"(bvadd {term} #x1)"

        return {
            "s": Word("s", now("core.s"), bits),
            "c": Word("c", now("core.c"), digits),
            "c1": Word("c1", now.g("C1"), digits),
            "e": Word("e", self.together(now, "e_q"), bits),
            "g": Word("g", self.together(now, "e_carry_q"), digits),
            "x": Word("x", f"(times {k2} {y})", bits),
            "t": Word("t", self.comes(now), bits),
            "neg": flag("neg", equal(k2, "#b00")),
            "sn": Word("sn", then("core.s"), bits),
            "cn": Word("cn", then("core.c"), digits),
            "an": Word("an", raised(self.top(then)), 4),
        }

    # --- facts about the netlist --------------------------------------------------------------------

    def step_facts(self) -> Iterator[Relation]:
        """A step of the loop, digit by digit; and the digit that is pushed out behind it."""
        w, digits = self.loop_words(self.at("s"), self.at("n")), self.digits

        def digit(name: str, j: int) -> dict[tuple[Word, int], int]:
            return {(w[name], 2 * j): 1, (w[name], 2 * j + 1): 2}

        for j in range(digits):
            right = digit("x", j) | digit("t", j)
            if j == 0:
                right[w["neg"], 0] = 1
            elif j > 2:
                right[w["c1"], j - 3] = 1
            yield Relation(digit("e", j) | {(w["g"], j): 4}, right)
            right = digit("e", j)
            if j:
                right |= digit("s", j - 1) | {(w["g"], j - 1): 1}
            yield Relation(digit("sn", j) | {(w["cn"], j): 4}, right)
        pushed = {(w["an"], b): 1 << b for b in range(4)} | {(w["neg"], 0): 1}
        above = digit("s", digits - 1) | {(w["c1"], digits - 3): 1, (w["g"], digits - 1): 1}
        above |= {(w["cn"], digits - 1): 1, (w["c"], digits - 2): 1}
        yield Relation(pushed, above, 1)

    # --- facts about words ----------------------------------------------------------------------------

    def multiples(self) -> list[Compared]:
        """What each code makes of y, in two's complement: code 0 with a 1 to be added."""
        y, found = Word("y", "y", self.width), []
        for code in range(4):
            x = Word("x", f"(times {const(code, 2)} y)", self.sum_bits)
            left, right, more = {x: 1}, {y: code - 1} if code > 1 else {}, 0
            if code == 0:
                left, more = {x: 1, y: 1}, self.power - 1
            found.append(Compared(left, "=", right, more))
        return found

    def numeral_facts(self) -> list[Compared]:
        """x + ...1111 in base 4, and its digits."""
        x = Word("x", "x", self.width)
        rec = Word("rec", "(rec x)", self.width + 1)
        ones = sum(1 << j for j in range(0, self.width, 2))
        codes = [Word(f"code{k}", self.code("x", k), 2) for k in range(self.steps)]
        high = rec.cut(self.width, self.width, "high")
        parts = {code: 1 << (self.width - 2 * k) for k, code in enumerate(codes) if k}
        return [
            Compared({rec: 1}, "=", {x: 1}, ones),
            Compared({codes[0]: 1}, "=", {high: 1}, 1),
            Compared({rec: 1}, "=", {high: 1 << self.width} | parts),
        ]

    def pending_fact(self) -> Congruent:
        """What is pending, in two's complement; each digit in range."""
        names = ("a", "a1", "a2", "a3")
        w = Word("w", self.pending(*names), self.shift + 1)
        digits = [Word(name, f"(bvadd {name} #x1)", 4) for name in names]
        four = {digit: 1 << (2 * place) for place, digit in enumerate(digits)}
        return Congruent({w: 1, Word("all", const(85, 7), 7): 1}, four, self.shift + 1)

    def u_facts(self) -> list[Fact | Relation]:
        """The words of U."""
        bits, digits, long = self.sum_bits, self.digits, self.long
        w, s = Word("w", "w", self.shift + 1), Word("s", "s", bits)
        c, d = Word("c", "c", digits), Word("d", "d", digits)
        u_s, u_d = Word("us", "(ext w s)", long), Word("ud", "(carried c d)", long)
        u = Word("u", f"(bvadd {u_s.term} {u_d.term})", long)
        sign = w.cut(self.shift, self.shift, "sign")
        above = self.power << (self.shift + 1)
        found: list[Fact | Relation] = [
            Congruent({u_s: 1, sign: above}, {w: self.power, s: 1}, long),
            Congruent({u: 1}, {u_s: 1, u_d: 1}, long),
        ]
        for j in range(long // 2):
            right = {}
            if 0 < j < digits:
                right[c, j - 1] = 1
            if 1 < j < digits:
                right[d, j - 2] = 1
            found.append(Relation({(u_d, 2 * j): 1, (u_d, 2 * j + 1): 2}, right))
        return found

    def passed(self, kind: str) -> list[Congruent]:
        """What a pass makes, where it subtracts M', and where it does not."""
        m, long, weight = self.m, self.long, 1 << self.shift
        before = Word("r", "r", long)
        term, times = (self.twice("r"), 2) if kind == "middle" else ("r", 1)

        def made(use: bool, sub: bool) -> Word:
            return Word("rn", f"(added {term} m {str(use).lower()} {str(sub).lower()})", long)

        less, none = made(True, True), made(False, False)
        more = made(True, False)
        subtracts = Congruent({less: 1, m: weight}, {before: times}, long)
        adds = Congruent({more: 1}, {before: times, m: weight}, long)
        if kind == "first":
            return [subtracts, Congruent({none: 1}, {before: 1}, long)]
        if kind == "middle":
            return [subtracts, adds]
        return [Congruent({none: 1}, {before: 1}, long), adds]

    def result_fact(self) -> Compared:
        """R is 2^11·z and what is below and above."""
        r = Word("rn", "rn", self.long)
        z = Word("z", self.result("rn"), self.width)
        low, high = r.cut(self.shift - 1, 0, "low"), r.cut(self.long - 1, self.width + self.shift, "high")
        return Compared({r: 1}, "=", {z: 1 << self.shift, low: 1, high: 1 << (self.width + self.shift)})

    def sign_facts(self) -> Iterator[str]:
        """The sign of a word tells whether it is in the upper half; of U's words it is that of w."""
        yield equal(self.negative("r"), f"(bvuge r {const(self.room // 2, self.long)})")
        sign = equal(extract("w", self.shift, self.shift), "#b1")
        yield equal(self.negative("(ext w s)"), sign)
        half = const(1 << self.shift, self.shift + 1)
        yield equal(sign, f"(bvuge w {half})")

    # --- obligations ------------------------------------------------------------------------------

    def pure(self, constants: Mapping[str, int], *assertions: str) -> str:
        """A text about words alone."""
        lines = [f"(declare-const {name} (_ BitVec {bits}))" for name, bits in constants.items()]
        lines += [f"(assert {each})" for each in assertions]
        return "(set-logic QF_BV)\n" + self.functions() + "\n".join(lines)

    def of_numbers(self) -> Iterator[Obligation]:
        def bits(name: str, *texts: str) -> Obligation:
            return Obligation("word", name, "bitwuzla", texts)

        def integers(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield bits("a code times y", *self.multiples_made())
        yield bits("x as digits", self.numerals_made())
        yield bits("what is pending", self.pending_made())
        yield bits("the words of U", *self.u_made())
        yield bits("what is above an entry", self.entries_made())
        yield bits("what a pass makes", *self.passes_made())
        yield bits("signs, and the result in R", *self.signs_made())
        yield integers("the digits sum up to a step", self.step_summed())
        yield integers("a code times y is a digit times y", *self.digit_times())
        yield integers("the digits make up x", self.numeral())
        yield integers("the sum goes on being x·y", *self.loop_goes_on())
        yield integers("Q stays in its range", self.below_right())
        yield integers("the sum stays in its range", *self.in_range())
        yield integers("U is the sum", *self.u_right())
        yield integers("the first pass", *self.first_right())
        yield integers("a pass goes on", *self.middle_right())
        yield integers("the last pass", *self.last_right())
        yield integers("the result is x·y", self.product_right())

    def multiples_made(self) -> Iterator[str]:
        for fact in self.multiples():
            yield self.pure({"y": self.width}, negation(fact.over_bits()))

    def numerals_made(self) -> str:
        facts = [fact.over_bits() for fact in self.numeral_facts()]
        return self.pure({"x": self.width}, negation(all_of(*facts)))

    def pending_made(self) -> str:
        names = ("a", "a1", "a2", "a3")
        known = [any_of(*(equal(name, const(e, 4)) for e in ENTRIES)) for name in names]
        return self.pure(dict.fromkeys(names, 4), *known, negation(self.pending_fact().over_bits()))

    def u_made(self) -> Iterator[str]:
        constants = {"w": self.shift + 1, "s": self.sum_bits, "c": self.digits, "d": self.digits}
        sums, digits = self.u_facts()[:2], self.u_facts()[2:]
        for some in (sums[:1], sums[1:], digits):
            yield self.pure(constants, negation(all_of(*(fact.over_bits() for fact in some))))

    def entries_made(self) -> str:
        """That what is above the sum of entry t is not t·2^5."""
        bits = self.shift + 1
        above = [
            equal(self.raised_entry(const(e, 4)), const((32 * (e - 16 * (e > 7))) % (1 << bits), bits))
            for e in ENTRIES
        ]
        return self.pure({}, negation(all_of(*above)))

    def passes_made(self) -> Iterator[str]:
        for kind in ("first", "middle", "last"):
            for fact in self.passed(kind):
                yield self.pure({"r": self.long, "m": self.width}, negation(fact.over_bits()))

    def signs_made(self) -> Iterator[str]:
        constants = {"r": self.long, "w": self.shift + 1, "s": self.sum_bits}
        yield self.pure(constants, negation(all_of(*self.sign_facts())))
        yield self.pure({"rn": self.long}, negation(self.result_fact().over_bits()))

    def below(self, s: Word, c: Word, c1: Word) -> str:
        """Q, of the bits of the sum and of the carries, but for those that are above."""
        digits = self.digits
        weights = {s.bit(b): 1 << b for b in range(s.bits)}
        weights |= {c.bit(j): 1 << (2 * j + 2) for j in range(digits - 1)}
        weights |= {c1.bit(j): 1 << (2 * j + 4) for j in range(digits - 2)}
        return shown_sum(weights)

    def step_summed(self) -> str:
        """That Q' + P·a' is not 4·Q + x + t, with the sign of x, though each digit is right."""
        w, power = self.loop_words(self.at("s"), self.at("n")), self.power
        before, behind = self.below(w["s"], w["c"], w["c1"]), self.below(w["sn"], w["cn"], w["c"])
        neg = w["neg"].bit(0)
        made = f"(+ (* 4 {before}) {w['x'].value} {w['t'].value} {neg} (* {number(-power)} {neg}))"
        goal = equal(f"(+ {behind} (* {power} (- {w['an'].value} 1)))", made)
        return told(self.step_facts(), (), goal, split=w.values())

    def digit_times(self) -> Iterator[str]:
        """That x with its sign is not (code - 1)·y."""
        for code, fact in enumerate(self.multiples()):
            neg = int(code == 0)
            made = f"(+ |x| {neg} {number(-neg * self.power)})"
            goal = equal(made, f"(* {number(code - 1)} |y|)")
            yield told([fact], (), goal, whole=[Word("y", "y", self.width)])

    def numeral(self) -> str:
        """That the digits do not make up x, from the leading one on."""
        steps = self.steps
        names = [f"L{k}" for k in range(steps + 1)]
        known = ["(= L0 0)"]
        known += [f"(= L{k + 1} (+ (* 4 L{k}) (- |code{k}| 1)))" for k in range(steps)]
        return told(self.numeral_facts(), known, f"(= L{steps} |x|)", names=names)

    @property
    def sum_of(self) -> str:
        """The sum with all that was pushed out and is pending."""
        return self.raised_sum(("a", "a1", "a2", "a3"))

    def raised_sum(self, digits: Iterable[str], q: str = "Q") -> str:
        weights = {digit: self.power << (2 * place) for place, digit in enumerate(digits)}
        return f"(+ {q} {shown_sum(weights)})"

    def loop_goes_on(self) -> Iterator[str]:
        """That the sum behind a step is not 4·L·y + d·y and a multiple, though it was right before.

        ``T`` is what comes for a3, ``Mk`` the multiple of M in it; in the first steps both are 0.
        """
        weight = self.power << 8
        names = ("Q", "Qn", "an", "a", "a1", "a2", "a3", "dy", "T", "Mk", "Ly", "MK")
        known = [
            f"(= (+ Qn (* {self.power} an)) (+ (* 4 Q) dy T))",
            f"(= {self.sum_of} (+ Ly MK))",
        ]
        goal = equal(self.raised_sum(("an", "a", "a1", "a2"), "Qn"), "(+ (* 4 Ly) dy (* 4 MK) Mk)")
        yield told((), [*known, f"(= T (+ (* {weight} a3) Mk))"], goal, names=names)
        goal = equal(self.raised_sum(("an", "a", "a1", "a2"), "Qn"), "(+ (* 4 Ly) dy (* 4 MK))")
        yield told((), [*known, "(= T 0)", "(= a3 0)"], goal, names=names)
        zero = [f"(= {name} 0)" for name in ("Q", "a", "a1", "a2", "a3")]
        yield told((), zero, equal(self.sum_of, "0"), names=("Q", "a", "a1", "a2", "a3"))
        same = "(= (+ (* 4 (* L y)) (* d y)) (* (+ (* 4 L) d) y))"
        multiple = "(= (+ (* 4 (* M K)) (* M k)) (* M (+ (* 4 K) k)))"
        yield told((), (), same, multiple, names="LydMKk")

    def below_right(self) -> str:
        """That Q is out of its range."""
        w = self.loop_words(self.at("s"), self.at("n"))
        q = self.below(w["s"], w["c"], w["c1"])
        return told((), [f"(= Q {q})"], self.of_q(), names="Q", split=[w["s"], w["c"], w["c1"]])

    def ranges(self, digits: tuple[str, ...], q: str = "Q") -> list[str]:
        """Those of Q with one, two, three and four digits above it."""
        found, least, of_p, of_m = [], 0, 5, 0
        for count in range(1, 5):
            least, of_p, of_m = 4 * least + 1, 4 * of_p, 4 * of_m + 9
            value = self.raised_sum(digits[:count], q)
            most = f"(+ {of_p * self.power} (* {of_m} |M|))"
            found.append(all_of(f"(<= (* {number(-least)} |M|) {value})", f"(< (* 3 {value}) {most})"))
        return found

    def of_q(self, name: str = "Q") -> str:
        return all_of(f"(<= 0 {name})", f"(< (* 3 {name}) {5 * self.power})")

    def in_range(self) -> Iterator[str]:
        """That it is not: at first, and behind a step."""
        digits, later = ("a", "a1", "a2", "a3"), ("an", "a", "a1", "a2")
        zero = [f"(= {name} 0)" for name in ("Q", *digits)]
        yield told((), [*zero, self.of_m], *self.ranges(digits), names=("Q", *digits), whole=[self.m])
        known = [
            self.of_m,
            f"(= (+ Qn (* {self.power} an)) (+ (* 4 Q) dy T))",
            self.of_q(),
            "(and (<= (- |M|) dy) (<= dy (* 2 |M|)))",
            "(and (<= 0 T) (< T |M|))",
            *self.ranges(digits),
        ]
        names = ("Q", "Qn", "an", "dy", "T", *digits)
        for goal in self.ranges(later, "Qn"):
            yield told((), known, goal, names=names, whole=[self.m])
        for digit in (-1, 0, 1, 2):
            known = [f"(= dy (* {number(digit)} y))", "(and (<= 0 y) (<= y |M|))"]
            goals = "(<= (- |M|) dy)", "(<= dy (* 2 |M|))"
            yield told((), known, *goals, names=("dy", "y"), whole=[self.m])

    def u_right(self) -> Iterator[str]:
        """That U is another number than the sum, modulo what words there are for."""
        digits = ("a", "a1", "a2", "a3")
        known = ["(= |all| 85)"]
        half, whole = 1 << self.shift, 2 << self.shift
        made = shown_sum({f"|{name}|": 1 << (2 * place) for place, name in enumerate(digits)}, -85)
        signed = f"(- |w| (ite (>= |w| {half}) {whole} 0))"
        yield told([self.pending_fact()], known, equal(signed, made))
        sums = self.u_facts()
        s, u_d = Word("s", "s", self.sum_bits), Word("ud", "", self.long)
        c, d = Word("c", "c", self.digits), Word("d", "d", self.digits)
        known = [equal(word.whole, word.value) for word in (s, u_d)]
        above = f"(* {self.power} (- |w| (* {whole} |w.sign|)))"
        goal = f"(= 0 (mod (- |u| (+ {self.below(s, c, d)} {above})) {self.room}))"
        yield told(sums, known, goal, split=(s, u_d, c, d))

    def signed(self, name: str) -> str:
        """A word of the converter in two's complement."""
        return f"(- {name} (ite (>= {name} {self.room // 2}) {self.room} 0))"

    def between(self, name: str) -> str:
        """A number is at least -M' and below M'."""
        weight = 1 << self.shift
        return all_of(f"(<= (* {number(-weight)} |M|) {name})", f"(< {name} (* {weight} |M|))")

    def first_right(self) -> Iterator[str]:
        """That the first pass does not make u or u - M', or something out of range.

        u is W·P + Q, or t·2^5·P for an entry of the table: that is W·P too.
        """
        subtracts, keeps = self.passed("first")
        common = [
            self.of_m,
            f"(= u (+ (* {self.power} W) Q))",
            f"(= 0 (mod (- |r| u) {self.room}))",
            f"(= v {self.signed('|rn|')})",
        ]
        of_u = all_of("(<= (* (- 85) |M|) u)", f"(< (* 3 u) (+ {1280 * self.power} (* 765 |M|)))")
        product, entry = [self.of_q(), of_u], ["(= Q 0)", "(and (<= (- 32) W) (<= W 224))"]
        less = f"(= v (- u (* {1 << self.shift} |M|)))"
        for known in (product, entry):
            for fact, sign, goal in ((subtracts, "(<= 0 W)", less), (keeps, "(< W 0)", "(= v u)")):
                more = [*common, *known, sign]
                yield told([fact], more, goal, self.between("v"), names="uWQv", whole=[self.m])

    def middle_right(self) -> Iterator[str]:
        """That a pass makes something else than 2·R - M' or 2·R + M' against the sign, or out of range."""
        weight = 1 << self.shift
        known = [self.of_m, f"(= v {self.signed('|r|')})", self.between("v"), f"(= vn {self.signed('|rn|')})"]
        for fact, sign, op in zip(self.passed("middle"), ("(<= 0 v)", "(< v 0)"), "-+", strict=True):
            goal = f"(= vn ({op} (* 2 v) (* {weight} |M|)))"
            yield told([fact], [*known, sign], goal, self.between("vn"), names=("v", "vn"))
        for i in range(self.more_passes - 2):
            for more in ("(- M)", "M"):
                known = [
                    f"(= v (+ (* {1 << i} u) (* {weight} MK)))",
                    f"(= vn (+ (* 2 v) (* {weight} {more})))",
                ]
                goal = f"(= vn (+ (* {2 << i} u) (* {weight} (+ (* 2 MK) {more}))))"
                yield told((), known, goal, names=("v", "vn", "u", "M", "MK"))

    def last_right(self) -> Iterator[str]:
        """That z is not u and a multiple of M, or 8·u, or out of range; and an entry not t·4^(D+4)."""
        weight = 1 << self.shift
        for shift, times in ((self.passes - 2, 1), (self.more_passes - 2, 8)):
            known = [self.of_m, f"(= v {self.signed('|r|')})", self.between("v")]
            known.append(f"(= v (+ (* {1 << shift} u) (* {weight} MK)))")
            cases = zip(self.passed("last"), ("(<= 0 v)", "(< v 0)"), ("0", "|M|"), strict=True)
            for fact, sign, more in cases:
                goals = f"(= |z| (+ (* {times} u) MK {more}))", "(<= 0 |z|)", "(< |z| |M|)"
                facts: list[Fact | Relation] = [fact, self.result_fact()]
                yield told(facts, [*known, sign], *goals, names=("v", "u", "MK"), whole=[self.m])
        known = ["(= z (+ (* 8 u) MK))", f"(= u (* {32 * self.power} t))"]
        yield told((), known, f"(= z (+ (* {self.power << 8} t) MK))", names=("z", "u", "t", "MK"))

    def product_right(self) -> str:
        """That z is not x·y and a multiple of M."""
        known = ["(= u (+ (* x y) (* M K)))", "(= z (+ u (* M k)))"]
        return told((), known, "(= z (+ (* x y) (* M (+ K k))))", names="uxyMKzk")
