# SPDX-License-Identifier: Apache-2.0
"""Of ``interleaved_csa``: z = x·y - k·M for an integer k, and 0 <= z < M.

From reset to result, at full width, for every M whose highest bit is set, all operands x, y <= M and any
behaviour at the ports, resets included. Of the context it is assumed that it belongs to M: its other numbers
are t·2^n mod M for t = 2, 4, 6, 1, 3. t is also what has been cut off above S and C, two bits. Three layers:

- **invariant** (``interleaved_csa_where``, bitwuzla, on the netlist): where every word is, in every state of
  the core, and in each cycle of the six passes before the loop and the five behind it. A pass is defined
  beside the netlist, by what it adds; the last one of each pair before the loop is an entry of the table.
- **step** (bitwuzla): on the netlist, column by column, what the carry-save adder makes of S, C and each
  entry; which bit of x chooses the entry; which state follows which, with what in S and C. Of what is
  defined: the columns of a pass, whatever it adds, and what each pass adds, by the sign before it.
- **number** (z3, integers): with V = S + C + t·2^n a step makes V' = 2(V - t·2^n) + A of V and an entry A; an
  entry is 2t·2^n + x_i·y less a multiple of M; therefore V = (x >> i)·y - Q·M in each step. The passes behind
  the loop make F = S + C + (t·2^n mod M) < 5M of it, and F mod M of F.

A bit-vector relation that was proven becomes one of integers in :mod:`~modmul.prove.terms` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from modmul.prove.product.carry_save import CONVERT, FRAME, LOAD, PRE, RUN, START, UNLOAD
from modmul.prove.product.interleaved_csa_where import (
    BEFORE,
    BEHIND,
    CONTEXT,
    GIVEN,
    PAIRS,
    WORKING,
    At,
    Place,
    Where,
)
from modmul.prove.solve import Obligation
from modmul.prove.terms import (
    Compared,
    Fact,
    Joined,
    Relation,
    Word,
    all_of,
    any_of,
    bounds,
    const,
    declared,
    equal,
    extract,
    implies,
    negation,
    shown_sum,
)

__all__ = ["Tabulated"]

STATES = {LOAD: "LOAD", START: "START", RUN: "RUN", UNLOAD: "UNLOAD", GIVEN: "a whole result"}
"""The places without passes."""

ENTRIES = range(8)
"""Of the table: 2t and the bit of x."""

ANY = "P0"
"""The pass whose numbers stand for those of any pass."""


class Tabulated(Where):
    """The obligations of a build."""

    def all(self) -> Iterator[Obligation]:
        yield from self._invariant()
        yield from self._steps()
        yield from self.of_numbers()

    # --- the invariant ------------------------------------------------------------------------------

    def at(self, at: At, *places: Place) -> str:
        """That a state is at one of some places, and what holds there."""
        return any_of(*(all_of(self.here(at, place), *self.own(at, place)) for place in places))

    def known(self, *places: Place) -> tuple[str, ...]:
        """What holds of ``s``, at one of some places or anywhere; ``n`` follows it and is not in reset.

        ``s`` may be in reset: then it is at the first place, whatever came before it.
        """
        here = (self.at(self.now, *places),) if places else ()
        return (*self.common(self.now), *here, self.system.step, self.next.state.is_("rst_ni", 1))

    def _invariant(self) -> Iterator[Obligation]:
        now, first = self.now, self.places[0]
        reset, running = (now.state.is_("rst_ni", value) for value in (0, 1))

        def asked(name: str, *texts: str, holds: bool = True) -> Obligation:
            return Obligation("invariant", name, "bitwuzla", texts, holds)

        begun = all_of(*self.common(now), self.at(now, first))
        yield asked(
            "holds in every cycle of reset, whatever the registers hold", self.text(reset, negation(begun))
        )
        every = [self.here(now, place) for place in self.places]
        yield asked("these are all states", self.text(*self.common(now), negation(any_of(*every))))
        twice = (all_of(*pair) for pair in combinations(every, 2))
        yield asked("no state is at two places", self.text(any_of(*twice)))
        for name, some in self.stretches().items():
            yield asked(f"goes on holding from {name}", self.goes_on(some))
            possible = (self.text(*self.common(now), self.at(now, place), running) for place in some)
            yield asked(f"{name} is possible", *possible, holds=False)
            followed = self.text(*self.known(*some), running)
            yield asked(f"a cycle behind {name} is possible", followed, holds=False)

    def stretches(self) -> Mapping[str, list[Place]]:
        """The places by the state or the pass that they are in."""
        found: dict[str, list[Place]] = {}
        for place in self.places:
            kind = {PRE: "P", CONVERT: "F"}.get(place.state, "")
            name = f"pass {kind}{place.cycle // self.period}" if kind else STATES[place.state]
            found.setdefault(name, []).append(place)
        return found

    def goes_on(self, some: Sequence[Place]) -> str:
        """That behind one of some places the invariant does not hold, of passes that are defined as before.

        The definitions of passes are of ``s``. They are used of ``n``, too, which is right where what defines
        them stays; that is a part of what is asked.
        """
        goals = list(self.common(self.next))
        for place in some:
            behind = self.at(self.next, *self.behind(place))
            goals.append(implies(self.here(self.now, place), all_of(self.stays(behind), behind)))
        return self.text(*self.known(*some), negation(all_of(*goals)))

    # --- words ------------------------------------------------------------------------------------

    @property
    def modulus(self) -> Word:
        return Word("M", self.now.context(0), self.width)

    @property
    def operand(self) -> Word:
        return Word("y", self.now.state("y"), self.width)

    def residue(self, t: int) -> Word:
        """t·2^n mod M, as the context has it."""
        return Word(f"T{t}", self.now.context(CONTEXT[t]), self.width)

    def registers(self, ending: str = "") -> tuple[Word, Word]:
        """S and C, in this state or in the next one."""
        state = (self.next if ending else self.now).state
        names = {"S": "core.s_q", "C": "core.c_q"}
        first, second = (Word(f"{name}{ending}", state(of), self.width) for name, of in names.items())
        return first, second

    def index(self, ending: str = "") -> Word:
        """t, and below it the bit of x."""
        return Word(f"index{ending}", (self.next if ending else self.now).state("core.index_q"), 3)

    def part(self, name: str, part: str = "") -> Word:
        """Of a pass: one of the words that define it."""
        whole = f"{name}_{part}" if part else name
        return Word(whole, whole, 1 if part == "in" else self.longest)

    def sign_of(self, name: str) -> Word:
        return self.part(name).cut(self.sign, self.sign, "sign")

    def low_of(self, name: str) -> Word:
        """What a pass has made below the top word."""
        return self.part(name).cut(self.width - 1, 0, "low")

    def three_of(self, name: str) -> Word:
        """What is between that and the sign."""
        return self.part(name).cut(self.sign - 1, self.width, "three")

    # --- the steps ----------------------------------------------------------------------------------

    def row(self, entry: int) -> list[Relation]:
        """The columns of a step in which an entry is added."""
        width = self.width
        (s, c), (s_next, c_next) = self.registers(), self.registers("'")
        index, added = self.index("'"), self.entry(entry)
        state = self.now.state
        out = Word("out", state("core.s"), width + 1)
        carry = Word("carry", state("core.c"), width + 2)
        cut = {(out, width): 1, (carry, width): 1, (carry, width + 1): 2}
        found = [Relation({(index, 1): 1, (index, 2): 2}, cut), Relation({(carry, 0): 1}, {})]
        for j in range(width + 1):
            above = {(added, j): 1} if added is not None and j < width else {}
            own = {(s, j - 1): 1, (c, j - 1): 1} if j else {}
            found.append(Relation({(out, j): 1, (carry, j + 1): 2}, {**own, **above}))
            if j < width:
                found.append(Relation({(s_next, j): 1}, {(out, j): 1}))
                found.append(Relation({(c_next, j): 1}, {(carry, j): 1}))
        return found

    def entry(self, number: int) -> Word | None:
        """What an entry of the table is; entry 0 is nothing."""
        t, digit = number & ~1, number & 1
        if t and digit:
            return self.low_of(f"P{2 * PAIRS.index(t) + 1}")
        return self.residue(t) if t else self.operand if digit else None

    def columns(self) -> list[Relation]:
        """Those of a pass: its adders and their carries."""
        a, b, m, below, total, save, carry, ripple, over, made = (
            self.part(ANY, part)
            for part in ("a", "b", "m", "in", "sum", "save", "carry", "ripple", "over", "")
        )
        found = [Relation({(carry, 0): 1}, {(below, 0): 1}), Relation({(ripple, 0): 1}, {})]
        for j in range(self.longest):
            found.append(Relation({(total, j): 1, (save, j): 2}, {(a, j): 1, (b, j): 1, (m, j): 1}))
            summed = {(total, j): 1, (carry, j): 1, (ripple, j): 1}
            found.append(Relation({(made, j): 1, (over, j): 2}, summed))
            if j + 1 < self.longest:
                found.append(Relation({(carry, j + 1): 1}, {(save, j): 1}))
                found.append(Relation({(ripple, j + 1): 1}, {(over, j): 1}))
        return found

    def any_pass(self) -> str:
        """A pass that adds any numbers, under the names of one of those of the core."""
        ports = ("a", "b", "m", "in")
        lines = [f"(declare-const {name} (_ BitVec {self.longest}))" for name in ports[:3]]
        lines.append("(declare-const in (_ BitVec 1))")
        lines += self.added(ANY, ports[0], ports[1], ports[2], ports[2], ports[3])
        denied = negation(all_of(*(each.over_bits() for each in self.columns())))
        return "\n".join(("(set-logic QF_BV)", *lines, f"(assert {denied})"))

    def meaning(self, name: str) -> list[Fact]:
        """What a pass adds."""
        kind, place = name[0], int(name[1:])
        a, b, m, carry = (self.part(name, part) for part in ("a", "b", "m", "in"))
        before = f"{kind}{place - 1}"
        less: dict[int, Fact] = {
            times: Joined(
                all_of,
                (
                    Compared({m: 1, self.modulus: times}, "=", {}, (1 << self.longest) - 1),
                    Compared({carry: 1}, "=", {}, 1),
                ),
            )
            for times in (1, 2, 4)
        }
        nothing = self._plain(m, carry, {})
        if kind == "P":
            t = PAIRS[place // 2]
            own: list[Fact] = [
                Compared({a: 1}, "=", {self.operand: 1}),
                Compared({b: 1}, "=", {self.residue(t): 1}),
            ]
            return [*own, *self._by_sign(before, nothing, less[1])] if place % 2 else [*own, less[1]]
        if place == 0:
            (s, c), index = self.registers(), self.index()
            t_of = Word("t", extract(index.term, 2, 1), 2)
            sum_: list[Fact] = [Compared({a: 1}, "=", {s: 1}), Compared({b: 1}, "=", {c: 1})]
            for t in range(4):
                added = self._plain(m, carry, {self.residue(t): 1} if t else {})
                sum_.append(Joined(implies, (Compared({t_of: 1}, "=", {}, t), added)))
            return sum_
        top = 1 << self.sign
        read = {self.low_of(before): 1, self.three_of(before): 1 << self.width}
        found: list[Fact] = [
            Compared({b: 1}, "=", {}),
            *self._by_sign(
                before,
                Compared({a: 1, self._one: top}, "=", read, 1 << self.longest),
                Compared({a: 1}, "=", read),
            ),
            *self._parts(before),
            Compared({self._one: 1}, "=", {}, 1),
        ]
        if place == 1:
            return [*found, less[4]]
        times = {2: 2, 3: 1, 4: 1}[place]
        more = self._plain(m, carry, {self.modulus: times})
        return [*found, *self._by_sign(before, more, nothing if place == 4 else less[times])]

    @property
    def _one(self) -> Word:
        return Word("one", "#b1", 1)

    @staticmethod
    def _plain(m: Word, carry: Word, value: Mapping[Word, int]) -> Fact:
        """That a pass adds a number, and no carry."""
        return Joined(all_of, (Compared({m: 1}, "=", value), Compared({carry: 1}, "=", {})))

    def _by_sign(self, name: str, negative: Fact, other: Fact) -> Iterator[Fact]:
        """What is the case where a pass has made a negative number, and where another one."""
        sign = self.sign_of(name)
        yield Joined(implies, (Compared({sign: 1}, "=", {}, 1), negative))
        yield Joined(implies, (Compared({sign: 1}, "=", {}), other))

    def _parts(self, name: str) -> Iterator[Fact]:
        """That what a pass has made is made up of its parts."""
        made = self.part(name)
        parts = {
            self.low_of(name): 1,
            self.three_of(name): 1 << self.width,
            self.sign_of(name): 1 << self.sign,
        }
        if self.longest > self.sign + 1:
            parts[made.cut(self.longest - 1, self.sign + 1, "rest")] = 1 << self.sign + 1
        yield Compared({made: 1}, "=", parts)

    def _steps(self) -> Iterator[Obligation]:
        now, then, known = self.now, self.next, self.known()
        loop = next(place for place in self.places if place.state == RUN)

        def asked(name: str, *texts: str) -> Obligation:
            return Obligation("step", name, "bitwuzla", texts)

        def denied(facts: Iterable[Fact | Relation]) -> str:
            return negation(all_of(*(each.over_bits() for each in facts)))

        for number in ENTRIES:
            chosen = now.state.is_("core.index_q", number)
            text = self.text(*self.known(loop), chosen, denied(self.row(number)))
            yield asked(f"the columns of a step that adds entry {number}", text)
        yield asked("the columns of a pass, whatever it adds", self.any_pass())
        for name in self.passes():
            facts = [*self.meaning(name), *self._parts(name)]
            yield asked(f"what pass {name} adds", self.text(denied(facts)))
        step = now.state(f"{FRAME}step_q")
        last = now.state.is_(f"{FRAME}step_q", self.width - 1)
        follows = equal(then.state(f"{FRAME}step_q"), f"(bvadd {step} {const(1, self.step_bits)})")
        first = then.state.is_(f"{FRAME}step_q", 0)
        place = f"(bvsub {const(self.width - 1, self.width)} {self.step(now)})"
        bit = extract(f"(bvlshr {now.state('x')} {place})", 0, 0)
        digit = extract(now.state("core.index_q"), 0, 0)
        kept, carried = ("ctx", "x", "y"), ("core.s_q", "core.c_q")
        empty = all_of(
            *(equal(then.state(each), const(0, self.width)) for each in carried), equal(then.t, const(0, 2))
        )
        stays = all_of(self.same(*carried), equal(now.t, then.t))
        always = {
            "the context, x and y stay from the last operand beat to the end of the result": implies(
                now.in_(*WORKING), self.same(*kept)
            ),
            "S, C and t stay from the loop to the end of the result": implies(
                now.in_(CONVERT, UNLOAD), stays
            ),
            "step 0 comes behind START, with S = C = t = 0, and step j + 1 behind step j": implies(
                then.in_(RUN),
                any_of(
                    all_of(now.in_(START), first, empty),
                    all_of(now.in_(RUN), negation(last), follows, negation(first)),
                ),
            ),
            "CONVERT comes behind the last step, or itself": implies(
                then.in_(CONVERT), any_of(all_of(now.in_(RUN), last), now.in_(CONVERT))
            ),
            "UNLOAD comes behind CONVERT, or itself": implies(then.in_(UNLOAD), now.in_(CONVERT, UNLOAD)),
            "a whole result comes behind UNLOAD": implies(then.state.is_("given", 1), now.in_(UNLOAD)),
        }
        text = self.text(*self.known(loop), negation(equal(digit, bit)))
        yield asked("in step j, bit n - 1 - j of x chooses the entry", text)
        for name, fact in always.items():
            yield asked(name, self.text(*known, negation(fact)))
        some = any_of(now.in_(RUN, CONVERT, UNLOAD), now.state.is_("given", 1))
        yield asked(
            "in reset there is no step, no conversion and no result",
            self.text(now.state.is_("rst_ni", 0), some),
        )

    @staticmethod
    def passes() -> Iterator[str]:
        for kind, count in (("P", BEFORE), ("F", BEHIND)):
            yield from (f"{kind}{number}" for number in range(count))

    # --- the numbers --------------------------------------------------------------------------------

    BEHIND_LOOP = (
        "F = S + C + T, below 5M",
        "F - 4M",
        "2M more or less",
        "M more or less",
        "M more, if it was negative",
    )
    """What the passes behind the loop make."""

    def of_numbers(self) -> Iterator[Obligation]:
        def z3(name: str, *texts: str) -> Obligation:
            return Obligation("number", name, "z3", texts)

        for number in ENTRIES:
            yield z3(f"the columns sum up to V' = 2(V - t·2^n) + A with entry {number}", self.summed(number))
        yield z3("the columns of a pass sum up to what it adds", self.added_up())
        for j, t in enumerate(PAIRS):
            yield z3(f"entry {t + 1} is y + T or y + T - M, and below M", self.entry_made(j))
        yield z3("an entry is 2t·2^n + x_i·y less a multiple of M", *map(self.entry_right, ENTRIES))
        yield z3("V = 0 is right before step 0", self.begun())
        yield z3("step j reads one bit more of x, for each j", *map(self.read, range(self.width)))
        steps = (self.induction(digit) for digit in (0, 1))
        yield z3("what is right before a step is right behind it, whatever it has read", *steps)
        for k, name in enumerate(self.BEHIND_LOOP):
            yield z3(f"pass F{k}: {name}", self.passed(k))
        yield z3("they subtract k·M, 0 <= k < 5", self.reduced())
        yield z3("z is right", *(self.result(t) for t in range(4)))
        yield z3("these lemmas make an induction over clock cycles", self.composed())

    @staticmethod
    def _denied(lines: Iterable[str], known: Iterable[str], goal: str) -> str:
        """That something is known, and a goal does not hold."""
        return "\n".join((*lines, *(f"(assert {each})" for each in known), f"(assert {negation(goal)})"))

    @staticmethod
    def _integers(names: Iterable[str]) -> Iterator[str]:
        yield from (f"(declare-const {name} Int)" for name in names)

    @staticmethod
    def _bits(words: Iterable[Word], weight: int = 1) -> dict[str, int]:
        return {word.bit(j): weight << j for word in words for j in range(word.bits)}

    def _columns(self, relations: Sequence[Relation], goal: str, *more: str) -> str:
        """That relations hold and a goal does not."""
        names = [*(name for each in relations for name in each.used), *more]
        return self._denied(bounds(names), (each.over_integers() for each in relations), goal)

    def summed(self, number: int) -> str:
        added, index = self.entry(number), self.index("'")
        left = self._bits(self.registers("'"))
        left |= {index.bit(1): 1 << self.width, index.bit(2): 2 << self.width}
        right = self._bits(self.registers(), 2)
        right |= self._bits([added] if added is not None else [])
        return self._columns(self.row(number), equal(shown_sum(left), shown_sum(right)), *left, *right)

    def added_up(self) -> str:
        top = self.longest - 1
        left = self._bits([self.part(ANY)])
        left |= {self.part(ANY, name).bit(top): 2 << top for name in ("save", "over")}
        right = self._bits(self.part(ANY, name) for name in ("a", "b", "m", "in"))
        return self._columns(self.columns(), equal(shown_sum(left), shown_sum(right)))

    def _added(self, name: str) -> tuple[list[str], list[str]]:
        """The lines and the equation of a pass: it loses one carry of each adder."""
        lost = [f"{name}.lost{k}" for k in (0, 1)]
        made = {self.part(name).whole: 1, **dict.fromkeys(lost, 1 << self.longest)}
        parts = dict.fromkeys((self.part(name, part).whole for part in ("a", "b", "m", "in")), 1)
        return list(bounds(lost)), [equal(shown_sum(made), shown_sum(parts))]

    def _passing(self, names: Sequence[str], known: Iterable[str], goal: str, *words: Word) -> str:
        """What passes add and make, something that is known, and that a goal does not hold."""
        facts = [fact for name in names for fact in (*self.meaning(name), *self._parts(name))]
        found = [*words, *(word for fact in facts for word in fact.words())]
        found += [self.part(name, part) for name in names for part in ("", "a", "b", "m", "in")]
        lines, asked = list(declared(found)), [fact.over_integers() for fact in facts]
        for name in names:
            more, equations = self._added(name)
            lines += more
            asked += equations
        return self._denied(lines, (*asked, *known), goal)

    def in_range(self, *ts: int) -> list[str]:
        """What is assumed of numbers: n bits of M, the highest of them set; y up to M; T below M."""
        found = [f"(<= {1 << self.width - 1} M)", f"(< M {1 << self.width})", "(<= 0 y M)"]
        return [*found, *(f"(and (<= 0 T{t}) (< T{t} M))" for t in ts)]

    def entry_made(self, j: int) -> str:
        t = PAIRS[j]
        low = self.low_of(f"P{2 * j + 1}").whole
        goal = all_of(
            f"(<= 0 {low})", f"(< {low} M)", f"(or (= {low} (+ y T{t})) (= {low} (- (+ y T{t}) M)))"
        )
        return self._passing((f"P{2 * j}", f"P{2 * j + 1}"), self.in_range(t), goal)

    @staticmethod
    def of_context(t: int) -> str:
        """What is assumed of the context: it has t·2^n less a multiple of M."""
        return f"(= T{t} (- (* {t} R) (* l{t} M)))"

    def entry_right(self, number: int) -> str:
        """Without its range: R is 2^n, A the entry."""
        t, digit = number & ~1, number & 1
        known, less = [], "0"
        if t:
            known, less = [self.of_context(t)], f"l{t}"
        if t and digit:
            known.append(f"(or (= A (+ y T{t})) (= A (- (+ y T{t}) M)))")
            less = f"(ite (= A (+ y T{t})) l{t} (+ l{t} 1))"
        else:
            known.append(equal("A", f"T{t}" if t else "y" if digit else "0"))
        names = ("A", "M", "R", "y", *((f"T{t}", f"l{t}") if t else ()))
        return self._denied(self._integers(names), known, self._less("A", t, digit, less))

    @staticmethod
    def _less(value: str, t: int | str, digit: int, less: str) -> str:
        """What an entry is."""
        return equal(value, f"(- (+ (* {t} R) (* {digit} y)) (* {less} M))")

    # V is S + C + t·2^n, L what has been read of x, Q how often M has been subtracted.
    NUMBERS = ("M", "y", "V", "L", "Q")

    @staticmethod
    def right(total: str, read: str, quotient: str) -> str:
        """V = L·y - Q·M."""
        return equal(total, f"(- (* {read} y) (* {quotient} M))")

    def begun(self) -> str:
        return self._denied(self._integers(("M", "y")), (), self.right("0", "0", "0"))

    def read(self, j: int) -> str:
        """That the j + 1 highest bits of x are not twice the j highest and the next one."""
        x = [f"x.{k}" for k in range(self.width - 1 - j, self.width)]
        before, behind = ({name: 1 << k for k, name in enumerate(bits)} for bits in (x[1:], x))
        goal = equal(shown_sum(behind), f"(+ (* 2 {shown_sum(before)}) {x[0]})")
        return self._denied(bounds(x), (), goal)

    def induction(self, digit: int) -> str:
        """That a step goes wrong: L is what has been read of x, t what is cut off."""
        known = (
            self.right("V", "L", "Q"),
            self._less("A", "(* 2 t)", digit, "l"),
            "(= V_n (+ (* 2 (- V (* t R))) A))",
        )
        goal = self.right("V_n", f"(+ (* 2 L) {digit})", "(+ (* 2 Q) l)")
        names = (*self.NUMBERS, "A", "R", "t", "l", "V_n")
        return self._denied(self._integers(names), known, goal)

    def signed(self, name: str) -> str:
        """What a pass has made, as the hardware reads it."""
        weights = {self.low_of(name).whole: 1, self.three_of(name).whole: 1 << self.width}
        return shown_sum(weights | {self.sign_of(name).whole: -(1 << self.sign)})

    RANGES = (("0", "(* 5 M)"), ("(* (- 4) M)", "M"), ("(* (- 2) M)", "(* 2 M)"), ("(- M)", "M"), ("0", "M"))
    """Of what each pass behind the loop makes: from which number on, and below which."""

    def ranged(self, number: int) -> str:
        least, above = self.RANGES[number]
        value = self.signed(f"F{number}")
        return all_of(f"(<= {least} {value})", f"(< {value} {above})")

    def passed(self, number: int) -> str:
        """That a pass behind the loop does not make what it should, or leaves its range."""
        name, before = f"F{number}", f"F{number - 1}"
        made = self.signed(name)
        goals = [self.ranged(number)]
        known = self.in_range(1, 2, 3)
        if number == 0:
            added = ("0", *(self.residue(t).whole for t in (1, 2, 3)))
            goals += (implies(f"(= t {t})", f"(= {made} (+ S C {each}))") for t, each in enumerate(added))
        else:
            known.append(self.ranged(number - 1))
            goals.append(self.made_of(number, self.signed(before), made))
        if number == BEHIND - 1:
            goals.append(equal(made, self.low_of(name).whole))
        more = [self.operand, *(self.residue(t) for t in (1, 2, 3))]
        return self._passing((name,), known, all_of(*goals), self.modulus, *more)

    @staticmethod
    def made_of(number: int, before: str, made: str) -> str:
        """What a pass behind the loop makes, but for the first."""
        times = {1: ("(- 4)",), 2: ("2", "(- 2)"), 3: ("1", "(- 1)"), 4: ("1", "0")}[number]
        return any_of(*(equal(made, f"(+ {before} (* {each} M))") for each in times))

    def reduced(self) -> str:
        """That the passes behind the first do not subtract the right multiple."""
        names = [f"v{k}" for k in range(BEHIND)]
        known = [self.made_of(k, names[k - 1], names[k]) for k in range(1, BEHIND)]
        known += [
            f"(and (<= 0 {names[0]}) (< {names[0]} (* 5 M)))",
            f"(and (<= 0 {names[-1]}) (< {names[-1]} M))",
        ]
        goal = any_of(*(equal(names[-1], f"(- {names[0]} (* {k} M))") for k in range(5)))
        return self._denied(self._integers(("M", *names)), known, goal)

    def result(self, t: int) -> str:
        """That z is wrong, with t in the last step; F is what the first pass behind the loop makes."""
        names = ["V", "Q", "M", "R", "S", "C", "F", "k", "x", "y", "z"]
        known = [
            self.right("V", "x", "Q"),
            f"(= V (+ S C (* {t} R)))",
            f"(= F (+ S C {f'T{t}' if t else '0'}))",
            "(= z (- F (* k M)))",
            "(and (<= 0 z) (< z M))",
        ]
        less = "0"
        if t:
            names += [f"T{t}", f"l{t}"]
            known.append(self.of_context(t))
            less = f"l{t}"
        goal = all_of("(<= 0 z)", "(< z M)", equal("z", f"(- (* x y) (* (+ Q {less} k) M))"))
        return self._denied(self._integers(names), known, goal)

    def composed(self) -> str:
        """That what the lemmas keep up does not go on holding: one step of the induction over clock cycles.

        ``right.j`` stands for :meth:`right` of the numbers in a state, L being the j highest bits of x,
        ``run.j`` for step j of the loop, and the ending ``_n`` for the next state; the lemmas are those of
        the names above, in their words.
        """
        n = self.width
        states = ("start", "convert", "unload", "given")
        names = (*states, *(f"{name}.{j}" for name in ("run", "right") for j in range(n + 1)))

        def holds(ending: str) -> str:
            after = any_of(*(f"{each}{ending}" for each in states[1:]))
            return all_of(
                *(implies(f"run.{j}{ending}", f"right.{j}{ending}") for j in range(n)),
                implies(after, f"right.{n}{ending}"),
            )

        lemmas = (
            # behind START: step 0, with V = 0, which is right; behind step j: step j + 1, or CONVERT
            implies("run.0_n", all_of("start", "zero_n")),
            implies("zero_n", "right.0_n"),
            *(implies(f"run.{j + 1}_n", f"run.{j}") for j in range(n - 1)),
            *(implies(all_of(f"run.{j}", f"right.{j}"), f"right.{j + 1}_n") for j in range(n)),
            implies("convert_n", any_of(f"run.{n - 1}", "convert")),
            # behind CONVERT and UNLOAD the numbers are the same
            implies("unload_n", any_of("convert", "unload")),
            implies("given_n", "unload"),
            implies(all_of(any_of("convert", "unload"), f"right.{n}"), f"right.{n}_n"),
        )
        every = [f"{name}{ending}" for name in (*names, "zero") for ending in ("", "_n")]
        lines = (f"(declare-const {name} Bool)" for name in every)
        return self._denied(lines, (*lemmas, holds("")), holds("_n"))
