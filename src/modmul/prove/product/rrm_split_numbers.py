# SPDX-License-Identifier: Apache-2.0
"""What is asked of numbers of ``rrm_split``: operands, rows, the loop, V, z, residues; and the induction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from modmul.prove.product.rrm_split_convert import HALVES, TERMS, Converter
from modmul.prove.product.rrm_split_where import HALF, PART, B, K
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Congruent,
    Relation,
    Word,
    all_of,
    any_of,
    const,
    equal,
    extract,
    implies,
    negation,
    shown_sum,
    zero_extend,
)

__all__ = ["Numbers"]


def denied(names: Iterable[str], known: Iterable[str], *goals: str) -> str:
    """That something is known of integers, and not all goals hold."""
    lines = [f"(declare-const {name} Int)" for name in names]
    lines += [f"(assert {each})" for each in (*known, negation(all_of(*goals)))]
    return "\n".join(lines)


def value(name: str, count: int, base: int) -> str:
    """A number of digits."""
    return shown_sum({f"{name}{j}": base**j for j in range(count)})


class Numbers(Converter):
    """What is asked of numbers."""

    def pure(self, constants: dict[str, int], *assertions: str) -> str:
        """A text about words alone."""
        lines = [f"(declare-const {name} (_ BitVec {bits}))" for name, bits in constants.items()]
        lines += [f"(assert {each})" for each in assertions]
        return "(set-logic QF_BV)\n" + self.functions() + "\n".join(lines)

    def of_numbers(self) -> Iterator[Obligation]:
        def bits(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "bitwuzla", texts)

        def integers(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        yield integers("step 1 makes M minus the operand", self.made_odd())
        yield integers("X·Y is x·y or -x·y, modulo M", *self.signed())
        yield integers("row r is (2r + 1)·Y", self.rows_made())
        yield bits("a row that is odd, and its negative", *self.negatives())
        yield integers("the digits make up X", *self.digits_made())
        yield integers("the digits of a step sum up to the step", self.step_summed())
        yield integers("B^(k-1)·(V_k + B·T) goes on being X·Y", *self.loop_goes_on())
        yield integers("digits times Y are X·Y", self.distributed())
        yield integers("V_k stays in its range", *self.in_range())
        yield bits("the carries of two kinds", self.both_made())
        yield bits("each column of V", *self.columns_made())
        yield integers("the columns sum up", self.columns_summed())
        yield bits("the terms of P, their fractions and what is rounded", *self.terms_made())
        yield bits("what is taken of the sum, as a number", *self.taken_made())
        yield integers("V is V_L + (p + q·M)/B", self.v_summed())
        yield bits("z by the signs of V and V - M", *self.results_made())
        yield integers("0 <= z < M, and z - V is a multiple of M", *self.results_right())
        yield integers("the result is x·y/R", *self.product_right())
        yield integers("the passes for a residue", *self.residue_right())

    # --- operands and rows --------------------------------------------------------------------------

    def made_odd(self) -> str:
        """That step 1 does not make M - y of an even y up to M, word by word."""
        beats, room = self.beats, 1 << self.word
        names = [f"{name}{j}" for name in "eym" for j in range(beats)] + [f"k{j}" for j in range(beats + 1)]
        known = [f"(= (+ e{j} (* {room} k{j + 1})) (+ (- {room - 1} y{j}) m{j} k{j}))" for j in range(beats)]
        known += [f"(and (<= 0 {name}{j}) (< {name}{j} {room}))" for name in "eym" for j in range(beats)]
        known += [f"(and (<= 0 k{j}) (<= k{j} 1))" for j in range(1, beats + 1)]
        e, y, m = (value(name, beats, room) for name in "eym")
        known += ["(= k0 1)", f"(= E {e})", f"(= Y {y})", f"(= M {m})", "(<= Y M)"]
        known.append(f"(and (<= 0 E) (< E {room**beats}))")
        known.append(f"(and (<= 0 Y) (< M {room**beats}))")
        return denied([*names, "E", "Y", "M"], known, "(= E (- M Y))")

    def signed(self) -> Iterator[str]:
        """That the product of the operands of step 1, with its sign, is not x·y and a multiple of M."""
        for left, right, sign, more in (
            ("x", "y", "", "0"),
            ("(- M x)", "y", "-", "(- y)"),
            ("x", "(- M y)", "-", "(- x)"),
            ("(- M x)", "(- M y)", "", "(- M (+ x y))"),
        ):
            product = f"(* {left} {right})"
            made = f"(- {product})" if sign else product
            yield denied("xyM", ["(<= 0 x)"], f"(= {made} (+ (* x y) (* M {more})))")

    def rows_made(self) -> str:
        """That a row is not 2Y more than the one before, part by part, and that it is not (2r + 1)·Y then."""
        count, room = self.slices, 1 << PART
        high, _ = self.bounds_of(count - 1)
        top = 1 << high + 1 - PART * (count - 1)
        names = [f"{name}{i}" for name in "rbw" for i in range(count)] + [f"k{i}" for i in range(count)]
        known = [f"(= (+ r{i} (* {room} k{i + 1})) (+ b{i} w{i} k{i}))" for i in range(count - 1)]
        known.append(f"(= (+ r{count - 1} (* {top} over)) (+ b{count - 1} w{count - 1} k{count - 1}))")
        known += ["(= k0 0)", f"(= R {value('r', count, room)})", f"(= W {value('w', count, room)})"]
        known += [f"(= F {value('b', count, room)})", "(= W (* 2 Y))", "(= F (* n Y))"]
        known += ["(or " + " ".join(f"(= n {2 * r - 1})" for r in range(1, HALF)) + ")"]
        known += [f"(and (<= 0 Y) (< Y {1 << self.width}))", f"(and (<= 0 R) (< R {1 << self.sum_bits}))"]
        return denied([*names, "over", "R", "W", "F", "Y", "n"], known, "(= R (* (+ n 2) Y))")

    def negatives(self) -> Iterator[str]:
        """That an odd word with its lowest bit set is another one, or with all bits flipped no negative."""
        bits = self.sum_bits
        odd = equal(extract("v", 0, 0), "#b1")
        high = extract("v", bits - 1, 1)
        yield self.pure({"v": bits}, odd, negation(equal(f"(concat {high} #b1)", "v")))
        flipped = extract("(bvnot v)", bits - 1, 1)
        yield self.pure({"v": bits}, odd, negation(equal(f"(concat {flipped} #b1)", "(bvneg v)")))
        m, y = "m", "y"
        both = {m: K, y: K}
        odd = all_of(equal(extract(m, 0, 0), "#b1"), equal(extract(y, 0, 0), "#b0"))
        yield self.pure(both, odd, negation(equal(extract(f"(bvsub {m} {y})", 0, 0), "#b1")))

    def digits_made(self) -> Iterator[str]:
        """That the digits do not make up X; l has the upper bits of each of its digits, b the lowest one."""
        count = self.xdigits
        names = [f"{name}{k}" for name in ("l", "b", "x") for k in range(count)] + [f"b{count}", "X"]
        upper = {f"l{k}": 2 * B**k for k in range(count)}
        known = [f"(= X {shown_sum(upper | {f'b{k}': B**k for k in range(count)})})"]
        known += ["(= b0 1)", f"(= b{count} 1)"]
        made = f"(= x (ite (= up 1) (+ (* 2 l) 1) (- (+ (* 2 (- {HALF - 1} l)) 1))))"
        digit = f"(= x (+ (* 2 l) (* {B} up) (- {B - 1})))"
        yield denied(("x", "l", "up"), [made, "(or (= up 0) (= up 1))"], digit)
        known += [f"(= x{k} (+ (* 2 l{k}) (* {B} b{k + 1}) (- {B - 1})))" for k in range(count)]
        yield denied(names, known, f"(= X {value('x', count, B)})")

    # --- the loop -------------------------------------------------------------------------------------

    def step_summed(self) -> str:
        """That B·(V' - xY - T) + p is not V, though each digit is right."""
        d = self.digits
        kinds = ("s", "c", "h", "e", "g", "x", "t", "sn", "cn", "hn")
        names = [f"{name}{j}" for name in kinds for j in range(d)]
        known = [f"(= (+ e{j} (* {B} g{j})) (+ x{j} t{j} h{j}))" for j in range(d)]
        for j in range(d):
            above = f"s{j + 1}" if j + 1 < d else "low"
            known.append(f"(= (+ sn{j} (* {B} cn{j})) (+ {above} e{j} c{j}))")
            known.append(f"(= hn{j} g{j})")

        def whole(s: str, c: str, h: str, top: str) -> str:
            weights = {f"{s}{j}": B**j for j in range(d)}
            weights |= {f"{name}{j}": B ** (j + 1) for name in (c, h) for j in range(d)}
            return shown_sum(weights | {top: B**d})

        known += [f"(= top (+ low (* {B} fl)))", "(= topn (- fl sign))"]
        known += [f"(= V {whole('s', 'c', 'h', 'top')})", f"(= Vn {whole('sn', 'cn', 'hn', 'topn')})"]
        known += [f"(= {value('x', d, B)} (+ xY (* {B**d} sign)))", f"(= T {value('t', d, B)})"]
        names += ["low", "top", "topn", "fl", "sign", "V", "Vn", "xY", "T"]
        return denied(names, known, f"(= (+ (* {B} (- Vn xY T)) s0) V)")

    def loop_goes_on(self) -> Iterator[str]:
        """That it is not right behind step k, though it was before; and behind the first."""
        made = f"(= (+ (* {B} Vn) p) (+ V (* {B} (+ xY T))))"
        known = ["(= V 0)", "(= p 0)", "(= T 0)", made, "(= Tn 0)"]
        yield denied(("V", "p", "T", "Vn", "xY", "Tn"), known, f"(= (+ Vn (* {B} Tn)) xY)")
        for k in range(1, self.steps):
            weight = B ** (k - 1)
            known = [made, f"(= (* {weight} (+ V (* {B} T))) (+ XY MQ))", f"(= (* {B**2} Tn) (+ p Me))"]
            more = B * weight
            goal = f"(= (* {more} (+ Vn (* {B} Tn))) (+ XY (* {more} xY) MQ (* {weight} Me)))"
            yield denied(("V", "p", "T", "Vn", "xY", "Tn", "XY", "MQ", "Me"), known, goal)
        yield denied("MQew", ["(<= 1 M)"], "(= (+ (* M Q) (* w (* M e))) (* M (+ Q (* w e))))")

    def distributed(self) -> str:
        digits = [f"x{k}" for k in range(self.xdigits)]
        x = shown_sum({each: B**k for k, each in enumerate(digits)})
        made = shown_sum({f"(* {each} Y)": B**k for k, each in enumerate(digits)})
        return denied(("Y", *digits), ["(<= 1 Y)"], equal(f"(* {x} Y)", made))

    def in_range(self) -> Iterator[str]:
        """That V_k is not; the last two digits of x are 0."""
        made = f"(= (+ (* {B} Vn) p) (+ V (* {B} (+ xY T))))"
        known = [made, f"(<= 0 p {B - 1})", "(<= 0 T)", "(< T M)", "(<= 1 M)"]
        names = ("V", "Vn", "p", "T", "xY", "M")
        wide = "(<= (- (* 16 M)) V)", f"(<= (* 15 V) (* {B} (- (* 16 M) 1)))"
        wide_n = "(<= (- (* 16 M)) Vn)", f"(<= (* 15 Vn) (* {B} (- (* 16 M) 1)))"
        digits = f"(<= (- (* {B - 1} M)) xY)", f"(<= xY (* {B - 1} M))"
        yield denied(names, [*known, *digits, *wide], *wide_n)
        less = "(<= (- M) Vn)", "(< (* 2 Vn) (* 5 M))"
        yield denied(names, [*known, "(= xY 0)", *wide], *less)
        last = f"(<= (- M) (+ (* {B} Vn) p))", f"(< (+ (* {B} Vn) p) (* 19 M))"
        yield denied(names, [*known, "(= xY 0)", "(<= (- M) V)", "(< (* 2 V) (* 5 M))"], *last)
        odd = any_of(*(f"(= x {v})" for v in range(1 - B, B, 2)))
        yield denied(("x", "Y", "xY", "M"), [odd, "(= xY (* x Y))", "(<= 0 Y)", "(<= Y M)"], *digits)

    # --- the converter ------------------------------------------------------------------------------

    def carries_of(self, name: str) -> str:
        """That a word has bits at the lowest places of digits alone."""
        ones = const(sum(1 << j for j in range(0, self.long, K)), self.long)
        return equal(f"(bvand {name} {ones})", name)

    def both_made(self) -> str:
        """That the carries of two kinds do not sum up."""
        long = self.long
        word = {name: Word(name, name, long) for name in "CH"}
        both = Word("both", "(both C H)", long)
        facts = []
        for j in range(0, long, K):
            facts.append(
                Relation({(both, j): 1, (both, j + 1): 2}, {(word["C"], j): 1, (word["H"], j): 1}).over_bits()
            )
            facts.append(equal(extract(both.term, j + K - 1, j + 2), const(0, K - 2)))
        known = self.carries_of("C"), self.carries_of("H")
        return self.pure(dict.fromkeys("CH", long), *known, negation(all_of(*facts)))

    def columns_made(self) -> Iterator[str]:
        """That a column is another sum; and that V is not the sum of both words."""
        long = self.long
        sizes = dict.fromkeys("SCH", long) | {"q": K, "m": self.width}
        arguments = "S C H q m"
        sums, carries = "S", "(both C H)"
        for i in range(TERMS):
            a, b, t = Word("a", sums, long), Word("b", carries, long), Word("t", f"(term{i} q m)", long)
            s, c = Word("s", f"(s{i} {arguments})", long), Word("c", f"(c{i} {arguments})", long)
            facts = []
            for j in range(long):
                left = {(s, j): 1} | ({(c, j + 1): 2} if j + 1 < long else {})
                fact = Relation(left, {(a, j): 1, (b, j): 1, (t, j): 1})
                if j + 1 < long:
                    facts.append(fact.over_bits())
                else:
                    columns = (extract(word.term, j, j) for word in (a, b, t))
                    facts.append(equal(extract(s.term, j, j), f"(bvxor {' '.join(columns)})"))
            facts.append(equal(extract(c.term, 0, 0), extract(f"(round{i} q m)", 0, 0)))
            yield self.pure(sizes, negation(all_of(*facts)))
            sums, carries = s.term, c.term
        v, s, c = Word("V", f"(V {arguments})", long), Word("s", sums, long), Word("c", carries, long)
        yield self.pure(sizes, negation(Congruent({v: 1}, {s: 1, c: 1}, long).over_bits()))

    def columns_summed(self) -> str:
        """That two words are not the sum of three and of what is rounded, modulo what words there are for."""
        long = self.long
        names = [f"{name}{j}" for name in "abtsc" for j in range(long)] + ["round", "top", "S", "A"]
        known = [f"(= (+ s{j} (* 2 c{j + 1})) (+ a{j} b{j} t{j}))" for j in range(long - 1)]
        high = long - 1
        known += [f"(= (+ s{high} (* 2 top)) (+ a{high} b{high} t{high}))", "(= c0 round)"]
        known.append(f"(= S (+ {value('s', long, 2)} {value('c', long, 2)}))")
        known.append(f"(= A (+ {value('a', long, 2)} {value('b', long, 2)} {value('t', long, 2)} round))")
        return denied(names, known, f"(= A (+ S (* {1 << long} top)))")

    def terms_made(self) -> Iterator[str]:
        """That B·term + part is not the digit of q times M, or the parts and p are no multiple of B."""
        long = self.long + K
        odd = equal(extract("m", 0, 0), "#b1")
        m = Word("m", zero_extend("m", long - self.width), long)
        for i in range(TERMS):
            for field in range(4):
                q = const(field << 2 * i, K)
                term = Word("t", f"((_ sign_extend {K}) (term{i} {q} m))", long)
                part = Word("p", zero_extend(f"(part{i} {q} m)", long - K), long)
                digit = (field - 2) * 4**i
                left, right = {term: B, part: 1}, {}
                if digit > 0:
                    right = {m: digit}
                elif digit < 0:
                    left = left | {m: -digit}
                yield self.pure({"m": self.width}, odd, negation(Congruent(left, right, long).over_bits()))
                same = all_of(
                    equal(
                        f"(term{i} (bvor {q} (bvand r {const(15 ^ (3 << 2 * i), K)})) m)", f"(term{i} {q} m)"
                    ),
                    equal(
                        f"(part{i} (bvor {q} (bvand r {const(15 ^ (3 << 2 * i), K)})) m)", f"(part{i} {q} m)"
                    ),
                )
                yield self.pure({"m": self.width, "r": K}, negation(same))
        raised = f"(bvadd (bvmul p {self.inverse()}) {const(10, K)})"
        parts = " ".join(zero_extend(f"(part{i} {raised} m)", HALVES - K) for i in range(TERMS))
        total = f"(bvadd (bvadd {parts}) {zero_extend('p', HALVES - K)})"
        rounds = f"(rounds {raised} m)"
        whole = equal(total, f"(bvshl {rounds} {const(K, HALVES)})")
        bits = " ".join(
            zero_extend(extract(f"(round{i} {raised} m)", 0, 0), HALVES - 1) for i in range(TERMS)
        )
        both = equal(f"(bvadd {bits})", rounds)
        high = [
            equal(extract(f"(round{i} {raised} m)", self.long - 1, 1), const(0, self.long - 1))
            for i in range(TERMS)
        ]
        yield self.pure({"m": self.width, "p": K}, odd, negation(all_of(whole, both, *high)))

    def inverse(self) -> str:
        """-1/M modulo B."""
        found = const(0, K)
        for low in range(1, B, 2):
            same = equal(extract("m", K - 1, 0), const(low, K))
            found = f"(ite {same} {const(-pow(low, -1, B) % B, K)} {found})"
        return found

    def taken_made(self) -> Iterator[str]:
        """That the sum that is taken is not that of its digits and the one at the top, of 0, -1 or -2."""
        long, bits = self.long, self.sum_bits
        top = extract("top", K - 1, K - 1)
        s_long = f"(concat ((_ repeat {long - bits - K}) {top}) top s)"
        for found in (0, 1, 2):
            high = f"(bvshl {const(found, long)} {const(bits, long)})"
            made = f"(bvsub {zero_extend('s', long - bits)} {high})"
            here = equal("top", const(-found % B, K))
            yield self.pure({"s": bits, "top": K}, here, negation(equal(s_long, made)))

    def v_summed(self) -> str:
        """That B·V is not B·V_L + p + q·M, given what V is the sum of; modulo what words there are for."""
        room = 1 << self.long
        names = ["S", "CH", "VL", "V", "p", "M", "q", "rounds", "i0", "i1", "i2"]
        names += [f"{name}{i}" for name in ("t", "p", "f", "o", "r", "s") for i in range(TERMS)]
        known = [
            f"(= (+ S CH) (+ VL (* {room} i0)))",
            f"(= (+ p p0 p1) (* {B} rounds))",
            "(= rounds (+ r0 r1))",
        ]
        known += [f"(= (+ (* {B} t{i}) p{i}) (+ (* {4**i} f{i}) (* {B * room} o{i})))" for i in range(TERMS)]
        known += [f"(= s0 (+ S CH t0 r0 (* {room} i1)))", f"(= s1 (+ s0 t1 r1 (* {room} i2)))"]
        known += ["(= V s1)", "(= q (+ f0 (* 4 f1)))"]
        over = f"(* {B * room} (+ i0 i1 i2 o0 o1))"
        return denied(names, known, f"(= (* {B} V) (+ (* {B} VL) p q {over}))")

    def results_made(self) -> Iterator[str]:
        """That the result is none of the three."""
        long = self.long
        v, m = Word("V", "v", long), Word("m", zero_extend("m", long - self.width), long)
        result = Word("z", "(result v m)", long)
        high = long - 1
        below = equal(extract("v", high, high), "#b1")
        less = equal(extract(f"(bvsub v {m.term})", high, high), "#b1")
        known = {"v": long, "m": self.width}
        for when, fact in (
            (all_of(below, less), Congruent({result: 1}, {v: 1, m: 1}, long)),
            (all_of(negation(below), less), Congruent({result: 1}, {v: 1}, long)),
            (all_of(negation(below), negation(less)), Congruent({result: 1, m: 1}, {v: 1}, long)),
        ):
            yield self.pure(known, when, negation(fact.over_bits()))

    def results_right(self) -> Iterator[str]:
        """That z is not below M, or not V and a multiple; V is v modulo what words there are for."""
        room = 1 << self.long
        known = [
            f"(and (<= 1 M) (< M {1 << self.width}))",
            "(and (<= (- M) v) (< v (* 2 M)))",
            f"(and (<= 0 V) (< V {room}) (= v (+ V (* {room} i))))",
            f"(and (<= 0 d) (< d {room}) (= (- V M) (+ d (* {room} j))))",
            f"(and (<= 0 w) (< w {room}))",
            f"(= below (>= V {room // 2}))",
            f"(= less (>= d {room // 2}))",
            f"(=> (and below less) (= (- (+ V M) w) (* {room} l)))",
            "(=> (and (not below) less) (= w V))",
            f"(=> (and (not below) (not less)) (= (- V (+ w M)) (* {room} l)))",
            f"(= z (mod w {1 << self.width}))",
        ]
        goal = all_of("(<= 0 z)", "(< z M)", "(or (= z (+ v M)) (= z v) (= z (- v M)))")
        flags = "(declare-const below Bool)(declare-const less Bool)\n"
        yield flags + denied("MvVdwzijl", known, goal)

    def product_right(self) -> Iterator[str]:
        """That R·z is not x·y and a multiple of M, or V out of range, given what is known of V_L and V."""
        radix = B ** (self.steps - 1)
        known = [
            f"(= (* {radix} (+ VL (* {B} T))) (+ XY MQ))",
            "(= XY (+ xy Mn))",
            f"(= (* {B**2} T) (+ p Me))",
            f"(= (* {B} v) (+ VLB p Mq))",
            f"(= VLB (* {B} VL))",
            "(= z (+ v Mi))",
            f"(= goal (+ xy Mn MQ (* {radix // B} (- Mq Me)) (* {radix} Mi)))",
            f"(and (<= (- M) (+ VLB p)) (< (+ VLB p) (* 19 M)) (<= 0 p {B - 1}) (<= 1 M))",
            "(and (<= (* (- 10) M) Mq) (<= Mq (* 5 M)))",
        ]
        names = ("VL", "VLB", "T", "XY", "MQ", "xy", "Mn", "p", "Me", "v", "Mq", "z", "Mi", "goal", "M")
        yield denied(names, known, f"(= (* {radix} z) goal)", "(<= (- M) v)", "(< v (* 2 M))")
        known = ["(<= (- 10) q)", "(<= q 5)", "(<= 1 M)", "(= Mq (* q M))"]
        yield denied(("q", "M", "Mq"), known, "(and (<= (* (- 10) M) Mq) (<= Mq (* 5 M)))")

    def residue_right(self) -> Iterator[str]:
        """That a pass does not divide by B modulo M, or V is out of range; T[0] is not 0."""
        ranged = [
            "(and (<= (* (- 10) M) Mq) (<= Mq (* 5 M)))",
            "(<= 1 M)",
            "(or (= Mi M) (= Mi 0) (= Mi (- M)))",
        ]
        names = ("v", "p", "Mq", "M", "Mi", "z")
        known = [*ranged, f"(= (* {B} v) (+ p Mq))", f"(<= 0 p {B - 1})", "(= z (+ v Mi))"]
        goals = (f"(= (* {B} z) (+ p Mq (* {B} Mi)))", "(<= (- M) v)", "(< v (* 2 M))")
        yield denied(names, known, *goals)
        # The second one begins with Y, which is z or M - z, and takes it with its sign.
        known = [
            *ranged,
            "(= V64 (+ W (* 0 p)))",
            f"(= (+ (* {B} V65) p) V64)",
            f"(= (* {B} v) (+ (* {B} V65) p Mq))",
        ]
        known += [
            "(and (<= (- M) W) (<= W M))",
            "(= W (+ z1 Mw))",
            "(= z (+ v Mi))",
            f"(= (* {B} z1) (+ s Me))",
        ]
        goals = (
            f"(= (* {B**2} z) (+ s Me (* {B} Mw) (* {B} Mq) (* {B**2} Mi)))",
            "(<= (- M) v)",
            "(< v (* 2 M))",
        )
        yield denied(
            ("v", "p", "Mq", "M", "Mi", "z", "W", "V64", "V65", "z1", "Mw", "s", "Me"), known, *goals
        )
        known = [*("(<= 1 M)", "(= M (+ (* 2 h) 1))"), "(<= 0 z)", "(< z M)"]
        for power in range(1, 2 * K + 1):
            # 2^power·z = k·M, and M is odd: k is even
            even = "(or (= k (* 2 j)) (= k (+ (* 2 j) 1)))"
            kept = [
                "(<= 1 M)",
                "(= kM (ite (= k (* 2 j)) (* 2 jM) (+ (* 2 jM) M)))",
                "(= M (+ (* 2 h) 1))",
                even,
            ]
            yield denied(
                ("M", "h", "k", "j", "kM", "jM", "z"),
                [*kept, f"(= (* {2**power} z) kM)"],
                f"(= (* {2 ** (power - 1)} z) jM)",
            )
        yield denied(
            ("M", "h", "z", "k", "kM"),
            [
                *known,
                "(= z kM)",
                "(=> (<= 1 k) (>= kM M))",
                "(=> (<= k (- 1)) (<= kM (- M)))",
                "(=> (= k 0) (= kM 0))",
            ],
            "(= z 0)",
        )

    # --- the induction --------------------------------------------------------------------------------

    def composed(self) -> str:
        """That what the lemmas keep up does not go on holding: one step of the induction over clock cycles.

        ``at.k`` is that the sum of an operation is behind k steps, ``sum.k`` that it is right, as are the
        rows in the loop, ``loop`` and ``rows``; ``waits`` and ``sum`` the same of a sum that was taken,
        ``there`` and ``v`` of V, ``given`` and ``z`` of what has left. With ``p.`` in front they are of a
        pass, ``p.first`` of one that is the first of a residue; ``T.s`` is that T[s] is right if it is
        ``made.s``, ``zero`` that T[0] is 0 while passes are made, ``begins``. The ending ``_n`` is for the
        next state.
        """
        last = self.steps
        pairs = {f"at.{k}": f"sum.{k}" for k in range(last + 1)}
        pairs |= {f"p.at.{k}": f"p.sum.{k}" for k in range(last)}
        pairs |= {"loop": "rows", "p.loop": "p.rows", "begins": "zero"}
        pairs |= {"waits": "sum", "there": "v", "given": "z", "p.waits": "p.sum", "p.there": "p.v"}
        pairs |= {f"made.{s}": f"T.{s}" for s in range(B)}

        def holds(e: str) -> str:
            return all_of(*(implies(f"{place}{e}", f"{right}{e}") for place, right in pairs.items()))

        def behind(place: str, following: str) -> str:
            return all_of(place, implies(pairs[place], f"{pairs[following]}_n"))

        def kept(place: str) -> str:
            return all_of(place, implies(pairs[place], f"{pairs[place]}_n"))

        table = all_of(*(f"T.{s}" for s in range(B)))
        made = all_of(*(f"made.{s}" for s in range(B)))
        lemmas = [implies(f"at.{k}", made) for k in range(last + 1)]
        lemmas.append(implies("loop_n", any_of("rows_n", kept("loop"))))
        lemmas.append(
            implies(
                "p.loop_n",
                any_of(
                    all_of("p.there", implies("p.v", "p.rows_n")),
                    all_of("p.first", "p.rows_n"),
                    kept("p.loop"),
                ),
            )
        )
        for e in ("", "p."):
            lemmas.append(implies(f"{e}at.0_n", all_of(f"{e}loop", implies(f"{e}rows", f"{e}sum.0_n"))))
            for k in range(1, last + (not e)):
                lemmas.append(implies(f"{e}at.{k}_n", f"{e}at.{k - 1}"))
                loop = (f"{e}loop", f"{e}rows") if k < last - 2 else ("true", "true")
                lemmas.append(implies(f"{e}at.{k}_n", loop[0]))
                rests = table if not e else "zero"
                lemmas.append(
                    implies(all_of(f"{e}at.{k}_n", f"{e}sum.{k - 1}", loop[1], rests), f"{e}sum.{k}_n")
                )
                if e:
                    lemmas.append(implies(f"{e}at.{k}_n", "begins"))
            end = f"{e}at.{last - bool(e)}"
            rests = table if not e else "true"
            taken = all_of(end, implies(all_of(pairs[end], rests), f"{pairs[f'{e}waits']}_n"))
            lemmas.append(implies(f"{e}waits_n", any_of(taken, kept(f"{e}waits"))))
            lemmas.append(implies(f"{e}there_n", any_of(behind(f"{e}waits", f"{e}there"), kept(f"{e}there"))))
        lemmas.append(implies("given_n", behind("there", "given")))
        for s in range(B):
            lemmas.append(
                implies(
                    f"made.{s}_n", any_of(all_of("p.there", implies("p.v", f"T.{s}_n")), kept(f"made.{s}"))
                )
            )
        stays = all_of("begins", implies(all_of("zero", implies("p.there", "p.v")), "zero_n"))
        lemmas.append(implies("begins_n", any_of("zero_n", stays)))
        flags = dict.fromkeys(["p.first", *pairs, *pairs.values()])
        lines = [f"(declare-const {name}{e} Bool)" for name in flags for e in ("", "_n")]
        lines += [f"(assert {each})" for each in (*lemmas, holds(""), negation(holds("_n")))]
        return "\n".join(lines)
