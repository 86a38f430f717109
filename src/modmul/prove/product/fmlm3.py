# SPDX-License-Identifier: Apache-2.0
"""Of ``fmlm3``: R·z = x·y + j·N for an integer j, and 0 <= z < N, R being 2^l - 1.

From reset to result, at full width, for products and squares of any x, y up to N and any behaviour at the
ports, resets included, as long as ``chain_i`` and ``keep_i`` are low. It is assumed that the context belongs
to N: its residues are T(N') and T'(N), of digits of N' and N, and N·N' + 1 is a multiple of R. P, u, B, M, Q'
and the names of the steps are those of the header of ``mm_fmlm3``. Three layers:

- **invariant** (``fmlm3_where``, on the netlist): beat by beat, how context, operands and result come and go;
  cycle by cycle, what every register holds of an operation.
- **word** (``fmlm3_words``, ``fmlm3_product``, ``fmlm3_segments``): what a butterfly, a multiplier, an
  accumulator, the adders make of their words, in the terms of the netlist; and what of numbers follows.
- **number** (here, over integers): each transform is a linear map modulo M, made of its butterflies; what
  lies between two transforms and the one back is a cyclic or negacyclic product, and it has room; so the
  numbers that are put together of digits are y·N' modulo R, x·y·N' modulo R, x·y + m·N modulo Q'; hence z.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from modmul.prove.product.fmlm3_ages import PRODUCT, SEGMENTS, Run
from modmul.prove.product.fmlm3_atoms import part
from modmul.prove.product.fmlm3_segments import Reducing
from modmul.prove.product.fmlm3_words import ADDER, Shown, Transform, plus, times
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, equal, negation

__all__ = ["Spectral"]

SAME = "words are where they are looked for"
Put = Callable[..., None]
Matrix = Sequence[Sequence[int]]


def integers(*names: str) -> str:
    return "".join(f"(declare-const {name} Int)" for name in names)


def question(names: Sequence[str], known: Sequence[str], goal: str) -> str:
    """That a goal is wrong though something is known of integers."""
    return integers(*names) + "".join(f"(assert {each})" for each in known) + f"(assert {negation(goal)})"


class Spectral(Reducing):
    """The obligations of a build."""

    def all(self) -> Iterator[Obligation]:
        yield from self.of_ports()
        yield from self.of_words()
        yield from self.of_numbers()

    # --- words ----------------------------------------------------------------------------------------

    def of_words(self) -> Iterator[Obligation]:
        """What each part makes, of both kinds of operations; what is the same is asked once."""
        shown: dict[str, dict[str, None]] = {}
        told: dict[str, dict[str, None]] = {}

        def put(name: str, facts: Sequence[Shown], texts: Sequence[str] = ()) -> None:
            shown.setdefault(name, {}).update(dict.fromkeys(each.text for each in facts))
            told.setdefault(name, {}).update(dict.fromkeys(texts))

        for run in self.runs:
            self.put_transforms(run, put)
            self.put_products(run, put)
            for name, kind in (("RZ", "ICT1"), ("RM", "ICT2"), ("RQ", "INCT")):
                for half in (0, 1):
                    for n in range(self.p // 2):
                        put("digits are accumulated", *self.accumulated(run, Transform(kind), half, n))
                put("segments are added", *self.adds(run, name))
                put(SAME, list(self.same_segments(run, name, kind)))
            for name, kinds in self.loads(run):
                if name in ("LX", "LY"):
                    put("segments are added", *self.adds(run, name))
                for kind in kinds:
                    put("digits go into a transform", list(self.loaded(run, name, Transform(kind))))
            put("k", [self.decided(run)[0], self.top_right(run), *self.parities(run)], [self.decided(run)[1]])
            facts, text = self.halved(run)
            put("t and t - N", facts, [text])
            put(SAME, list(self.same_result(run)))
        for name, texts in shown.items():
            yield Obligation("word", name, "bitwuzla", tuple(texts))
        for name, texts in told.items():
            if texts:
                yield Obligation("word", f"{name}: of numbers", "z3", tuple(texts))

    def loads(self, run: Run) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Which pass leads to which transforms."""
        yield from (("LX", ("CTX", "NCTX")), ("RZ", ("CTZ",)), ("RM", ("NCTM",)))
        if "LY" in run.begins:
            yield "LY", ("CTY", "NCTY")

    def kinds(self, run: Run) -> list[Transform]:
        """The transforms of an operation."""
        names = ("CTX", "NCTX", "CTY", "NCTY", "ICT1", "CTZ", "ICT2", "NCTM", "INCT")
        return [Transform(name) for name in names if name in run.begins]

    def put_transforms(self, run: Run, put: Put) -> None:
        for kind in self.kinds(run):
            for stage in range(self.v):
                for step in range(self.p // 2):
                    for place in (2 * step, 2 * step + 1) if stage else ():
                        wrote = self.goes(run, kind, stage - 1, place)
                        put(SAME, [self.same(run, wrote, self.comes(run, kind, stage, place))])
                    found = self.butterfly(run, kind, stage, step)
                    numbers = [text for i in (0, 1) for text in found.numbers(i)]
                    put("butterflies", list(found.facts), numbers)

    def factors(self, run: Run, name: str) -> tuple[str, str]:
        """The transforms whose residues are multiplied, or ``ctx`` and ``ctx'``."""
        y = "Y" if "LY" in run.begins else "X"
        return {
            "P1": (f"CT{y}", "ctx"),
            "P2": ("CTZ", "CTX"),
            "ICT2": ("NCTX", f"NCT{y}"),
            "P4": ("NCTM", "ctx'"),
        }[name]

    def put_products(self, run: Run, put: Put) -> None:
        last = self.v - 1
        for name, into in (("P1", "ICT1"), ("P2", "ICT2"), ("ICT2", ""), ("P4", "INCT")):
            left, right = self.factors(run, name)
            for i in range(self.p):
                age, n = run.begins[name] + i + 3, self.digit_of_index(i)
                for signal, of in (("a_q", left), ("b_q", right)):
                    if of.startswith("ctx"):
                        low = (self.p + (n + self.p * (of == "ctx'")) * self.parts) * self.u
                        wanted = part(run.given("ctx"), low + self.k, low)
                    else:
                        wanted = self.goes(run, Transform(of), last, n)
                    put(SAME, [self.same(run, wanted, run.value(f"{ADDER}{signal}", age))])
                for facts, texts in self.multiplied(run, self.top(run, age)):
                    put("products", facts, texts)
                for fact, text in self.reduced(run, age):
                    put("residues of products", [fact], [text])
                if into:
                    value = self.comes(run, Transform(into), 0, self.place_of(n))
                    put("residues go into a transform", [self.written(run, name, i, value)])
                if name == "P4":
                    addend = run.value(f"{PRODUCT}addend_q", age + self.latency + 2)
                    put(SAME, [self.same(run, self.residue_at(run, "ICT2", i), addend)])

    def same_segments(self, run: Run, name: str, kind: str) -> Iterator[Shown]:
        """That a pass reads the digits of a transform."""
        half = self.p // 2
        for j in range(self.segs):
            value = run.value(f"{SEGMENTS}word_q", run.begins[name] + 2 + j)
            for i in (0, 1):
                side, n = divmod(2 * j + i, half)
                digit = part(self.sum_at(run, Transform(kind), side, n), self.u - 1, 0)
                yield self.same(run, digit, part(value, (i + 1) * self.u - 1, i * self.u))

    def same_result(self, run: Run) -> Iterator[Shown]:
        """That the result, S and N are the words which the last steps make and take."""
        begin = run.begins["SUB"]
        ctx = run.given("ctx")
        for j in range(self.segs):
            pairs = [
                (
                    run.value(f"{SEGMENTS}u_rca.segment_o", run.begins["RQ"] + 3 + j),
                    run.value(f"{SEGMENTS}word_q", begin + 2 + j),
                ),
                (
                    run.value(f"{SEGMENTS}u_result.t_o", begin + 4 + j),
                    run.value(self.segment(3 * self.segs + j), run.last),
                ),
                (
                    run.value(f"{SEGMENTS}u_result.less_o", begin + 5 + j),
                    run.value(self.modulus(self.segs + j), run.last),
                ),
                (
                    part(ctx, (j + 1) * self.bits - 1, j * self.bits),
                    run.value(f"{SEGMENTS}modulus_q", begin + 4 + j),
                ),
            ]
            for name, of in (("LX", "x"), ("LY", "y")):
                if name in run.begins:
                    given = part(run.given(of), (j + 1) * self.bits - 1, j * self.bits)
                    pairs.append((given, run.value(f"{SEGMENTS}word_q", run.begins[name] + 2 + j)))
            for wanted, found in pairs:
                yield self.same(run, wanted, found)
        yield self.same(run, part(ctx, 0, 0), run.value(f"{SEGMENTS}u_result.n_lsb_q", begin + 1))

    # --- numbers ----------------------------------------------------------------------------------------

    @property
    def base(self) -> int:
        """B."""
        return 1 << self.u

    def matrix(self, run: Run, kind: Transform) -> list[list[int]]:
        """What a transform makes of digits or residues in their order, and not in that of places."""
        rows = self.coefficients(run, kind)
        return [[row[self.place_of(i)] for i in range(self.p)] for row in rows]

    def of_context(self, *, nega: bool) -> list[list[int]]:
        """What the residues of the context are of digits (equations 5 and 6)."""
        root, m = self.config.set.root, self.config.set.m
        return [[pow(root, i * (nega - 2 * k), m) for i in range(self.p)] for k in range(self.p)]

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        linear = dict.fromkeys(self.linear(run, kind) for run in self.runs for kind in self.kinds(run))
        yield z3("a transform is a linear map", *linear)
        products: dict[str, None] = {}
        back: dict[str, None] = {}
        for run in self.runs:
            for name, inverse in (("P1", "ICT1"), ("P2", "ICT2"), ("ICT2", "INCT"), ("P4", "INCT")):
                f, g = (
                    self.of_context(nega=each == "ctx'")
                    if each.startswith("ctx")
                    else self.matrix(run, Transform(each))
                    for each in self.factors(run, name)
                )
                products.update(dict.fromkeys(self.of_sums(f[n], g[n]) for n in range(self.p)))
                back.update(dict.fromkeys(self.convolved(run, f, g, Transform(inverse))))
        yield z3("a product of two sums", *products)
        yield z3("products of residues are a product of digits", *back)
        yield z3("digits have room", *self.roomy())
        yield z3("digits and carries", *self.carried())
        yield z3("a product of digits is one of numbers", self.of_whole(1), self.of_whole(-1))
        yield z3("a number modulo R", *self.modulo_r())
        yield z3("x·y + m·N", *self.theorem())

    def of_sums(self, f: Sequence[int], g: Sequence[int]) -> str:
        """That the product of two residues is not the sum of products of digits, but for a multiple of M."""
        p, m = range(self.p), self.m
        names = [*(f"{x}{i}" for x in "ab" for i in p), "t", "u"]
        left = plus((*(times(f[i], f"a{i}") for i in p), times(m, "t")))
        right = plus((*(times(g[i], f"b{i}") for i in p), times(m, "u")))
        terms = [times(f[i] * g[j], f"(* a{i} b{j})") for i in p for j in p]
        rest = [times(f[i], f"(* a{i} u)") for i in p] + [times(g[j], f"(* t b{j})") for j in p]
        multiple = times(m, plus((*rest, times(m, "(* t u)"))))
        return question(names, (), equal(f"(* {left} {right})", plus((*terms, multiple))))

    def conv(self, n: int, sign: int) -> dict[str, int]:
        """Digit n of a cyclic product, or with -1 of a negacyclic one."""
        p = self.p
        return {f"p{i}.{(n - i) % p}": 1 if i <= n else sign for i in range(p)}

    def convolved(self, run: Run, f: Matrix, g: Matrix, kind: Transform) -> Iterator[str]:
        """That a digit of the transform back is not one of the product, but for a multiple of M."""
        p, m, sign = range(self.p), self.m, -1 if kind.nega else 1
        back = [[row[k] for k in p] for row in self.matrix(run, kind)]
        pairs = [f"p{i}.{j}" for i in p for j in p]
        names = [*pairs, *(f"{x}{k}" for x in "rs" for k in p), "h", "g"]
        known_ = []
        for k in p:
            made = [times(f[k][i] * g[k][j], f"p{i}.{j}") for i in p for j in p]
            known_.append(equal(times(self.p, f"r{k}"), plus((*made, times(m, f"s{k}")))))
        for n in p:
            row = back[n]
            if kind.nega and n >= self.p // 2:
                row = [-(1 << (self.k // 2)) * each for each in row]
            wanted = self.conv(n, sign)
            exact = {f"p{i}.{j}": sum(row[k] * f[k][i] * g[k][j] for k in p) for i in p for j in p}
            rest = {name: (exact[name] - self.p * wanted.get(name, 0)) // m for name in pairs}
            lack = plus(
                (
                    *(times(w, name) for name, w in rest.items() if w),
                    *(times(row[k], f"s{k}") for k in p),
                    times(self.p, "h"),
                )
            )
            given = [*known_, equal("g", plus((*(times(row[k], f"r{k}") for k in p), times(m, "h"))))]
            total = plus(times(w, name) for name, w in wanted.items())
            goal = equal(
                f"(- {times(self.p, 'g')} {times(self.p, total)})",
                times(m, lack),
            )
            yield question(names, given, goal)

    def roomy(self) -> Iterator[str]:
        """That a digit is another one though it is one modulo M; and how large products of digits are."""
        m, p, base = self.m, self.p, self.base
        yield question(
            ["d", "w"],
            [equal(times(p, "d"), times(m, "w"))],
            equal("d", times(m, f"(- d {times(m // p, 'w')})")),
        )
        yield question(["a", "b"], [f"(<= 0 a {base})", f"(<= 0 b {base})"], f"(<= 0 (* a b) {base**2})")
        for sign, most in ((1, base**2), (-1, 2 * base**2)):
            for n in range(p):
                conv = self.conv(n, sign)
                names = list(conv)
                value = plus(times(w, name) for name, w in conv.items())
                given = [
                    *(f"(<= 0 {name} {most})" for name in names),
                    equal("c", f"(+ {value} {times(m, 'w')})"),
                    f"(<= 0 c {m - 1})",
                ]
                v = (
                    "c"
                    if sign > 0
                    else f"(ite (and (> c 0) (>= (- c 1) {(n + 1) << (2 * self.u + 1)})) (- c {m}) c)"
                )
                yield question([*names, "c", "w"], given, equal(v, value))

    def carried(self) -> Iterator[str]:
        """That a half is not its digits and the carry above; that a carry has no room, or is negative."""
        half, base, k = self.p // 2, self.base, self.k
        names = [f"{x}{n}" for x in "vdK" for n in range(half)]
        known_ = [
            equal(f"(+ d{n} {times(base, f'K{n}')})", f"(+ v{n} K{n - 1})" if n else "v0")
            for n in range(half)
        ]
        known_ += [f"(<= 0 d{n} {base - 1})" for n in range(half)]
        total = [plus(times(base**n, f"{x}{n}") for n in range(half)) for x in "vd"]
        yield question(names, known_, equal(total[0], f"(+ {total[1]} {times(base**half, f'K{half - 1}')})"))
        yield question(
            names,
            [*known_, *(f"(<= 0 v{n})" for n in range(half))],
            all_of(*(f"(<= 0 K{n})" for n in range(half))),
        )
        most = self.p * base**2
        small = [*known_, *(f"(<= 0 v{n} {most})" for n in range(half))]
        yield question(names, small, f"(<= K{half - 1} {base**half // 2})")
        # Whatever a carry of so many bits is, the next one is above the least of them.
        least = 1 << (k + 1 - self.u)
        given = [
            equal(f"(+ d {times(base, 'K')})", "(+ v L)"),
            f"(<= 0 d {base - 1})",
            f"(<= (- {1 << k}) v)",
        ]
        yield question(["d", "K", "v", "L"], [*given, f"(<= (- {least}) L)"], f"(< (- {least}) K)")

    def of_whole(self, sign: int) -> str:
        """That a product of numbers is not what its digits are, modulo B^P - 1 or, with -1, B^P + 1."""
        p, base = self.p, self.base
        names = [f"{x}{i}" for x in "ab" for i in range(p)]
        left, right = (plus(times(base**i, f"{x}{i}") for i in range(p)) for x in "ab")
        conv, over = [], []
        for i in range(p):
            for j in range(p):
                n, term = (i + j) % p, f"(* a{i} b{j})"
                conv.append(times(base**n if i + j < p else sign * base**n, term))
                if i + j >= p:
                    over.append(times(base**n, term))
        goal = equal(f"(* {left} {right})", plus((*conv, times(base**p - sign, plus(over)))))
        return question(names, (), goal)

    def modulo_r(self) -> Iterator[str]:
        """That digits of a sum with its carry added again are another number modulo R, or too large."""
        p, base = self.p, self.base
        half, whole = base ** (p // 2), base**p
        names = [*(f"d{i}" for i in range(p)), "carry", "sign", "V", "low", "high", "lo", "hi"]
        value = plus(times(base**i, f"d{i}") for i in range(p))
        digits = [*(f"(<= 0 d{i} {base - 1})" for i in range(p)), "(<= 0 carry 1)", "(<= 0 sign 1)"]
        halves = [f"(<= 0 low {half - 1})", f"(<= 0 high {half - 1})"]
        total = [equal("V", plus(("low", times(half, "(+ lo high)"), times(whole, "hi"))))]
        s = plus((value, times(whole, "(- carry sign)")))
        cyclic = [equal(s, plus(("low", times(half, "(+ high lo)"), "hi"))), "(<= 0 lo)", "(<= 0 hi)"]
        again = "(ite (= carry sign) 0 1)"
        number = f"(+ {value} {again})"
        goal = all_of(
            equal(number, f"(- V {times(whole - 1, '(+ hi (- carry sign))')})"),
            f"(<= 0 {number} {whole - 1})",
            f"(<= (+ d0 {again}) {base})",
        )
        small = [f"(<= {each} {half // 2})" for each in ("lo", "hi")]
        yield question(names, [*digits, *halves, *total, *cyclic, *small], goal)
        nega = [equal(s, f"(- {plus(('low', times(half, '(+ high lo)')))} hi)")]
        goal = equal(f"(- {value} (- carry sign))", f"(- V {times(whole + 1, '(+ hi (- carry sign))')})")
        yield question(names, [*digits, *halves, *total, *nega], goal)
        # x and y pass as they are.
        plain = [equal(s, "V"), f"(<= 0 V {whole - 1})"]
        yield question(names, [*digits, *plain], all_of(equal(value, "V"), equal("carry", "sign")))

    def theorem(self) -> Iterator[str]:
        """That z is not the product, or not below N."""
        size = 1 << (self.u * self.p)
        r, q = size - 1, size + 1
        yield question(
            ["X", "Y", "N", "I", "Z", "m", "h0", "h1", "h2"],
            [
                equal("Z", f"(+ (* Y I) {times(r, 'h1')})"),
                equal("m", f"(+ (* X Z) {times(r, 'h2')})"),
                equal("(* X Y N I)", f"(- {times(r, '(* X Y h0)')} (* X Y))"),
            ],
            equal("(+ (* X Y) (* m N))", times(r, "(+ (* X Y h0) (* N X h1) (* N h2))")),
        )
        yield question(
            ["X", "Y", "N", "I", "h0"],
            [equal("(* N I)", f"(- {times(r, 'h0')} 1)")],
            equal("(* X Y N I)", f"(- {times(r, '(* X Y h0)')} (* X Y))"),
        )
        yield question(
            ["N", "I", "h"], [equal("(* N I)", f"(- {times(r, 'h')} 1)"), equal("N", str(r))], "false"
        )
        bounds = [f"(<= 1 N {r - 1})", "(<= 0 X N)", "(<= 0 Y N)", f"(<= 0 m {r})"]
        yield question(["X", "Y", "N"], bounds[:3], "(<= 0 (* X Y) (* N N))")
        yield question(["m", "N"], [bounds[0], bounds[3]], f"(<= 0 (* m N) {times(r, 'N')})")
        yield question(["N"], bounds[:1], f"(< (* N N) {times(r, 'N')})")
        sums = [
            equal("(+ xy mn)", times(r, "t")),
            "(<= 0 xy nn)",
            f"(<= 0 mn {times(r, 'N')})",
            f"(< nn {times(r, 'N')})",
        ]
        yield question(["xy", "mn", "nn", "N", "t"], sums, "(and (<= 0 t) (< t (* 2 N)))")
        # S is x·y + m·N modulo Q'; R is -2 modulo Q'.
        yield question(
            ["xy", "mn", "S", "t", "h"],
            [equal("(+ xy mn)", times(r, "t")), equal("S", f"(+ xy mn {times(q, 'h')})")],
            equal("(+ (* 2 t) S)", times(q, "(+ t h)")),
        )
        for x0, y0, m0, n0 in ((a, b, c, d) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)):
            known_ = [
                equal(name, str(v))
                for name, v in zip(("x0", "y0", "m0", "n0"), (x0, y0, m0, n0), strict=True)
            ]
            given = [
                equal("xy", f"(+ (* 2 e) {x0 * y0})"),
                equal("mn", f"(+ (* 2 f) {m0 * n0})"),
                equal("(+ xy mn)", times(r, "t")),
            ]
            odd = (x0 & y0) ^ (m0 & n0)
            yield question(
                ["xy", "mn", "e", "f", "t", "x0", "y0", "m0", "n0"],
                [*known_, *given],
                equal("(mod t 2)", str(odd)),
            )
        yield question(
            ["a", "b", "c", "d"],
            (),
            equal("(* (+ (* 2 a) b) (+ (* 2 c) d))", "(+ (* 2 (+ (* 2 (* a c)) (* a d) (* b c))) (* b d))"),
        )
        yield question(
            ["xy", "m", "N", "mn", "t", "z"],
            [
                equal("(+ xy mn)", times(r, "t")),
                "(<= 0 t)",
                "(< t (* 2 N))",
                equal("mn", "(* m N)"),
                equal("z", "(ite (>= t N) (- t N) t)"),
            ],
            all_of("(<= 0 z)", "(< z N)", equal(times(r, "z"), f"(+ xy (* N (- m (ite (>= t N) {r} 0))))")),
        )
