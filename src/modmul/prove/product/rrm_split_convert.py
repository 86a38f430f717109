# SPDX-License-Identifier: Apache-2.0
"""What the converter of ``rrm_split`` makes of a sum, V and z; and the residues that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modmul.prove.product.rrm_split_loop import Loop
from modmul.prove.product.rrm_split_where import CONVERTER, DROPPED, At, B, K
from modmul.prove.product.rrm_where import AGE, either
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["TERMS", "Converter"]

TERMS = 2
"""Of P, one for each two bits of q."""
HALVES = 2 * TERMS + 2
"""Bits in which the parts of the terms are summed up."""


class Converter(Loop):
    """The invariant over bits, of the converter too."""

    # --- terms ------------------------------------------------------------------------------------

    @property
    def long(self) -> int:
        """Bits of V: a word more than an operand."""
        return (self.beats + 1) * self.word

    @property
    def taken_digits(self) -> int:
        return self.long // K

    def functions(self) -> str:
        """What V and the result are made of.

        S is the sum, C and H its carries of two kinds, q is raised by 10, so that its fields are digits of
        two bits, raised by 2.
        """
        long, width = self.long, self.width
        wide, low = f"(_ BitVec {long})", f"(_ BitVec {K})"
        m = zero_extend("m", long - width)
        modulus = f"(m (_ BitVec {width}))"
        one = const(1, long)
        lines = [super().functions()]

        def major(a: str, b: str, c: str) -> str:
            return f"(bvor (bvand {a} {b}) (bvand {a} {c}) (bvand {b} {c}))"

        for i in range(TERMS):
            down = K - 2 * i
            field = extract("q", 2 * i + 1, 2 * i)
            whole = equal(extract("q", 2 * i, 2 * i), "#b1")
            twice, minus = equal(field, "#b00"), equal(extract("q", 2 * i + 1, 2 * i + 1), "#b0")
            none = const(0, long)
            once = either(whole, f"(bvlshr {m} {const(down, long)})", none)
            double = either(twice, f"(bvlshr {m} {const(down - 1, long)})", none)
            term = f"(bvor {once} {double})"
            lines.append(
                f"(define-fun term{i} ((q {low}) {modulus}) {wide} {either(minus, f'(bvnot {term})', term)})"
            )
            lowest = extract("m", K - 1, 0)
            signed = f"(bvor {either(minus, f'(bvnot {lowest})', lowest)} {const(1, K)})"
            empty = const(0, K)
            single = either(whole, f"(bvshl {signed} {const(2 * i, K)})", empty)
            pair = either(twice, f"(bvshl {signed} {const(2 * i + 1, K)})", empty)
            lines.append(f"(define-fun part{i} ((q {low}) {modulus}) {low} (bvor {single} {pair}))")
        parts = " ".join(zero_extend(f"(part{i} q m)", HALVES - K) for i in range(TERMS))
        up = f"(bvlshr (bvadd (bvadd {parts}) {const(B - 1, HALVES)}) {const(K, HALVES)})"
        lines.append(f"(define-fun rounds ((q {low}) {modulus}) (_ BitVec {HALVES}) {up})")
        for i in range(TERMS):
            bit = either(f"(bvugt (rounds q m) {const(i, HALVES)})", one, const(0, long))
            lines.append(f"(define-fun round{i} ((q {low}) {modulus}) {wide} {bit})")
        both = f"((C {wide}) (H {wide}))"
        lines.append(f"(define-fun both {both} {wide} (bvor (bvxor C H) (bvshl (bvand C H) {one})))")
        numbers = f"((S {wide}) (C {wide}) (H {wide}) (q {low}) {modulus})"
        sums, carries = "S", "(both C H)"
        for i in range(TERMS):
            term = f"(term{i} q m)"
            after = f"(bvxor {sums} {carries} {term})"
            major_ = f"(bvor (bvshl {major(sums, carries, term)} {one}) (round{i} q m))"
            lines.append(f"(define-fun s{i} {numbers} {wide} {after})")
            lines.append(f"(define-fun c{i} {numbers} {wide} {major_})")
            sums, carries = (f"({name}{i} S C H q m)" for name in "sc")
        lines.append(f"(define-fun V {numbers} {wide} (bvadd {sums} {carries}))")
        pair = f"((V {wide}) {modulus})"
        top = self.long - 1
        below = equal(extract("V", top, top), "#b1")
        less = equal(extract(f"(bvsub V {m})", top, top), "#b1")
        added = either(less, either(below, m, const(0, long)), either(below, const(0, long), f"(bvnot {m})"))
        lines.append(f"(define-fun addend {pair} {wide} {added})")
        total = f"(bvadd (bvadd V (addend V m)) {either(less, const(0, long), one)})"
        lines.append(f"(define-fun result {pair} {wide} {total})")
        return "\n".join(lines) + "\n"

    def spread(self, at: At, kind: int) -> str:
        """The carries that were taken, at the places where they count."""
        taken, digits = at("core.u_result.c_taken_q"), self.taken_digits
        places = [extract(taken, kind * digits + j, kind * digits + j) for j in range(digits - 1)]
        found = " ".join(f"#b000 {each}" for each in reversed(places))
        return f"(concat {found} #b0000)"

    def taken(self, at: At) -> str:
        """What V is made of."""
        raised = at(f"{CONVERTER}raised_q")
        return f"{at('core.u_result.s_taken_q')} {self.spread(at, 0)} {self.spread(at, 1)} {raised} {at('m')}"

    def pending(self, at: At) -> str:
        """The digit that is pending."""
        low = extract(at("core.s"), K - 1, 0)
        return either(all_of(at.pre, negation(at.second)), f"(bvor {low} {at.row})", low)

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Also ``PQ``, the digit that was pending a cycle ago, and ``VZ``, V of the last READ."""
        at = self.at("s")
        found = dict(super().remembered())
        found["PQ"] = (K, self.pending(at))
        found["VZ"] = (self.long, either(at.aged("c", "=", 1), f"(V {self.taken(at)})", at.g("VZ")))
        return found

    # --- the invariant ----------------------------------------------------------------------------

    def begun(self, at: At) -> str:
        """The converter works on a sum, of an M that is odd and there."""
        return all_of(at.busy, self.odd(at))

    def takes(self, at: At) -> Iterator[tuple[str, str]]:
        """q, and that the converter has M."""
        row = either(at.second, at.g("PD"), f"(bvor {at.g('PD')} {at.row})")
        taken = at.aged("ea", "bvule", 3)
        yield "pending", implies(all_of(negation(at.pre), taken), equal(at.g("PQ"), at.g("PD")))
        yield "pending in pre", implies(all_of(at.pre, taken), equal(at.g("PQ"), row))
        q = f"(bvmul {at.g('PQ')} {self.odd_u(at)})"
        ready = all_of(any_of(at.whole, all_of(at.pre, at.within("ra", 2, self.period - 1))), self.odd(at))
        ready = any_of(ready, all_of(at.pre, any_of(at.high("unread_q"), at.low("rest_q")), self.odd(at)))
        yield "q_q", implies(ready, equal(at("core.u_result.q_q"), q))

    def reading(self, at: At) -> Iterator[tuple[str, str]]:
        """READ: word j of each is so many cycles behind word_i = j."""
        beats, word, conv = self.beats, self.word, CONVERTER
        out = at.high("read_q")
        taken = self.taken(at)
        raised = at(f"{conv}raised_q")
        s, c, h = at("core.u_result.s_taken_q"), self.spread(at, 0), self.spread(at, 1)
        vz, m = at.g("VZ"), at("m")
        wide = zero_extend(m, self.long - self.width)
        for k in range(3):
            first = equal(extract(at(f"{conv}first_q"), k, k), "#b1")
            yield "first", implies(at.aged("sr", "bvuge", 3 + k), equal(first, at.aged("c", "=", 2 + k)))
        for w in range(beats + 1):
            for name, whole in (("s", s), ("c", c), ("h", h)):
                chosen = self.wordof(at(f"{conv}{name}_chosen_q"), w)
                none = equal(chosen, const(0, word))
                yield (
                    f"{name} others",
                    implies(at.aged("sr", "bvuge", w + 3), any_of(at.aged("c", "=", w + 2), none)),
                )
                here = all_of(out, at.aged("c", "=", w + 2))
                yield f"{name} chosen", implies(here, equal(chosen, self.wordof(whole, w)))
                here = all_of(out, at.aged("c", "=", w + 3))
                yield f"{name} word", implies(here, equal(at(f"{conv}{name}_q"), self.wordof(whole, w)))
        yield "no carry", implies(at.aged("sr", "=", self.shown), at.state.is_(f"{conv}both_q", 0))
        third = const(sum(1 << j for j in range(0, word, K)), word)
        for name in ("c", "h"):
            places = equal(f"(bvand {at(f'{conv}{name}_q')} {third})", at(f"{conv}{name}_q"))
            yield "places", implies(at.aged("sr", "bvuge", 2), places)
            chosen = at(f"{conv}{name}_chosen_q")
            for w in range(beats + 1):
                part = self.wordof(chosen, w)
                yield (
                    "chosen places",
                    implies(at.aged("sr", "bvuge", 1), equal(f"(bvand {part} {third})", part)),
                )
        for lag, name in enumerate(("m_q", "m_q2", "m_q3", "m_q4", "m_q5"), 1):
            for j in range(beats + 2 if lag <= 2 else beats + 1):
                here = all_of(at.busy, at.aged("c", "=", j + lag))
                found = self.wordof(m, j) if j < beats else const(0, word)
                yield name, implies(here, equal(at(f"{conv}{name}"), found))
        for i in range(TERMS):
            stored = extract(at(f"{conv}part_q"), K * i + K - 1, K * i)
            yield "part", implies(all_of(out, at.aged("c", "=", 2)), equal(stored, f"(part{i} {raised} {m})"))
            up = f"(bvugt (rounds {raised} {m}) {const(i, HALVES)})"
            yield "round", implies(all_of(out, at.aged("c", "=", 3)), equal(at.bit(f"{conv}round_q", i), up))

        def bit(number: str, place: int) -> str:
            return equal(extract(number, place, place), "#b1")

        names = [f"({name}{i} {taken})" for i in range(TERMS) for name in "sc"]
        sums, carries = names[-2:]
        v = f"(V {taken})"
        for j in range(beats + 1):
            here = all_of(out, at.aged("c", "=", j + 3))
            for i in range(TERMS):
                stored = extract(at(f"{conv}term_q"), word * i + word - 1, word * i)
                yield "term", implies(here, equal(stored, self.wordof(f"(term{i} {raised} {m})", j)))
                if j:
                    save = at.bit(f"{conv}save_q", i)
                    yield "save", implies(here, equal(save, bit(names[2 * i + 1], j * word)))
            here = all_of(out, at.aged("c", "=", j + 4))
            yield "sum", implies(here, equal(at(f"{conv}sum_q"), self.wordof(sums, j)))
            yield "carry", implies(here, equal(at(f"{conv}carry_q"), self.wordof(carries, j)))
            ripple = bit(f"(bvxor {sums} {carries} {v})", j * word) if j else "false"
            yield "sum's carry", implies(here, equal(at.state.is_(f"{conv}u_sum.carry_q", 1), ripple))
            here = all_of(at.busy, at.aged("c", "=", j + 5))
            yield "v", implies(here, equal(at(f"{conv}v_q"), self.wordof(vz, j)))
            borrow = bit(f"(bvxor {vz} {wide} (bvsub {vz} {wide}))", j * word) if j else "false"
            yield "borrow", implies(here, equal(at.state.is_(f"{conv}u_rest.carry_q", 1), borrow))
        yield "VZ", implies(all_of(out, at.within("c", 2, self.read)), equal(vz, v))

    def showing(self, at: At) -> Iterator[tuple[str, str]]:
        """SHOW: words of V, and of the result."""
        beats, word, conv = self.beats, self.word, CONVERTER
        out = at.busy
        for c in range(5, beats + 5):
            place = equal(at.counts(f"{conv}v_addr_q"), const(c - 5, AGE))
            here = at.aged("c", "=", c)
            yield "v write", implies(here, all_of(at.state.is_(f"{conv}v_write_q", 1), place))
        done = all_of(out, at.aged("c", "bvuge", beats + 5))
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
        result, added = (f"({name} {vz} {m})" for name in ("result", "addend"))
        ripple = f"(bvxor {vz} {added} {result})"
        show, last, there, valid = (at.high(name) for name in ("show_q", "last_q", "there_q", "valid_q"))
        yield "shows", implies(any_of(show, last), at.aged("c", "bvuge", beats + 5))
        late = any_of(last, all_of(show, negation(at.is_("word_q", 0))))
        yield "shows late", implies(late, at.aged("c", "bvuge", beats + 6))
        for k in range(beats):
            ahead = all_of(show, at.is_("word_q", k + 1)) if k + 1 < beats else all_of(last, there)
            facts = [
                equal(at(f"{conv}v_show_q"), self.wordof(vz, k)),
                equal(at(f"{conv}m_show_q"), self.wordof(m, k)),
                equal(at.state.is_(f"{conv}show_first_q", 1), str(k == 0).lower()),
            ]
            carry = equal(extract(ripple, k * word, k * word), "#b1") if k else "false"
            facts.append(equal(at.state.is_(f"{conv}show_carry_q", 1), carry))
            yield "first stage", implies(all_of(out, ahead), all_of(*facts))
            out_at = either(at.pre, at.g("n0"), at.counts("out_at"))
            here = all_of(out, valid, equal(out_at, const(k, AGE)))
            yield "z", implies(here, equal(at("core.z_o"), self.wordof(result, k)))
            left = all_of(at.out, f"(bvugt {at.counts('out_at')} {const(k, AGE)})")
            yield "left", implies(left, equal(self.wordof(at("z"), k), self.wordof(result, k)))
            come = all_of(at.pre, f"(bvugt {at.g('n0')} {const(k, AGE)})")
            yield "y is z", implies(come, equal(self.wordof(at.g("YI"), k), self.wordof(result, k)))
        given = all_of(at.flag("given"), self.odd(at))
        yield (
            "given",
            implies(given, all_of(equal(at("z"), extract(result, self.width - 1, 0)), negation(at.pre))),
        )

    def writes(self, at: At) -> Iterator[tuple[str, str]]:
        """When and where words go to the table of residues."""
        beats, pre = self.beats, at.pre
        low = beats.bit_length() - 1
        place = extract(f"(bvadd {at.g('n2')} {at.g('c2')})", low - 1, 0)
        turned = either(pre, place, either(at.whole, const(0, low), extract(at.g("c2"), low - 1, 0)))
        hot = f"(bvshl {const(1, beats)} {zero_extend(turned, beats - low)})"
        yield "place_t_q", equal(at(f"{DROPPED}gen_passes.place_t_q"), hot)
        n1, n2, n3 = (at.g(f"n{i}") for i in range(1, 4))
        context = f"(bvugt {at.g('c1')} {at.g('c2')})"
        loads = any_of(context, all_of(pre, f"(bvugt {n1} {n2})"))
        path = f"{DROPPED}gen_passes."
        yield "load_q", equal(at.flag(f"{path}load_q"), loads)
        was_context = f"(bvugt {at.g('c2')} {at.g('c3')})"
        for k in range(beats):
            writes = any_of(
                all_of(was_context, at.aged("c3", "=", k)),
                all_of(pre, f"(bvugt {n2} {n3})", at.aged("n3", "=", k)),
            )
            yield "writes", equal(at.bit(f"{path}residue_write_q", k), writes)

    def residues(self, at: At) -> Iterator[tuple[str, str]]:
        """Words of a result, and zeros, go to the table of residues."""
        beats, pre, path = self.beats, at.pre, f"{DROPPED}gen_passes."
        n1, n2, n3 = (at.g(f"n{i}") for i in range(1, 4))
        context = f"(bvugt {at.g('c1')} {at.g('c2')})"
        was_context = f"(bvugt {at.g('c2')} {at.g('c3')})"
        for k in range(beats):
            first = all_of(equal(n1, const(k, AGE)), f"(bvugt {at.g('n0')} {const(k, AGE)})")
            yield "y_q", implies(first, equal(at("core.residue"), self.wordof(at.g("YI"), k)))
            here = all_of(pre, f"(bvugt {n1} {n2})", at.aged("n2", "=", k))
            facts = [
                equal(at(f"{path}residue_q"), self.wordof(at.g("YI"), k)),
                equal(at(f"{path}row_q"), at.row),
            ]
            yield "residue_q", implies(here, all_of(*facts))
            here = all_of(pre, f"(bvugt {n2} {n3})", at.aged("n3", "=", k))
            facts = [
                equal(at(f"{path}residue_q2"), self.wordof(at.g("YI"), k)),
                equal(at(f"{path}row_q2"), at.row),
            ]
            yield "residue_q2", implies(here, all_of(*facts))
        zero = const(0, self.word)
        here = all_of(context, at.aged("sr", "bvuge", 1))
        yield (
            "zero",
            implies(
                here, all_of(equal(at(f"{path}residue_q"), zero), equal(at(f"{path}row_q"), const(0, K)))
            ),
        )
        here = all_of(was_context, at.aged("sr", "bvuge", 2))
        yield (
            "zero 2",
            implies(
                here, all_of(equal(at(f"{path}residue_q2"), zero), equal(at(f"{path}row_q2"), const(0, K)))
            ),
        )
        none = all_of(
            negation(at.whole),
            any_of(negation(pre), all_of(at.is_("gen_passes.pass_q", 0), at.aged("n0", "=", 0))),
        )
        for k in range(beats):
            begun = all_of(
                none,
                f"(bvugt {at.g('c3')} {const(k, AGE)})",
                negation(equal(at.counts("ctx_at"), const(beats, AGE))),
            )
            begun = any_of(begun, all_of(none, pre, f"(bvugt {at.g('c3')} {const(k, AGE)})"))
            yield "T[0]", implies(begun, equal(self.t_word(at, 0, k), zero))
            for s in range(B):
                come = all_of(
                    pre,
                    at.low("filled_q", "go_q"),
                    equal(at.row, const(s, K)),
                    f"(bvugt {n3} {const(k, AGE)})",
                )
                yield "T", implies(come, equal(self.t_word(at, s, k), self.wordof(at.g("YI"), k)))
        yield (
            "pass words",
            implies(
                all_of(pre, at.aged("c3", "bvult", beats)),
                all_of(at.aged("n0", "=", 0), at.is_("gen_passes.pass_q", 0)),
            ),
        )
