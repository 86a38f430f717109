# SPDX-License-Identifier: Apache-2.0
"""Of ``pipelined``: what its steps make, over integers, of what its parts make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from modmul.prove.product.pipelined_words import (
    Words,
    congruent,
    in_range,
    product_range,
    unsigned,
)
from modmul.prove.product.small_pipeline import denied, refuting
from modmul.prove.solve import Obligation
from modmul.prove.terms import Fact, Word, all_of, equal

__all__ = ["Numbers"]


@dataclass
class Numbers(Words):
    """The words of an operation, and what is asked of its steps."""

    def of_numbers(self) -> Iterator[Obligation]:
        questions = {
            **self.of_parts(),
            "the context": self.belonging(),
            "T'": (self.folding(), *self.folded_right(), *self.folds_within()),
            "how large T' is": self.folded_bounded(),
            "Barrett's quotient": self.reduced(),
            "r": self.remains(),
            "z is right": (self.result(), self.ended()),
        }
        for name, texts in questions.items():
            yield Obligation("number", name, "z3", tuple(texts))

    # ``K`` is 2**F mod M and ``U`` 2**(n + c + 4) / M, rounded down, but at most 2**(c + 5) - 1.

    @property
    def legal(self) -> tuple[str, str]:
        return f"(<= {1 << (self.width - 1)} M)", f"(< M {1 << self.width})"

    @property
    def scale(self) -> int:
        """The power of two that U is made of."""
        return 1 << self.width + self.half + 4

    @property
    def belongs(self) -> tuple[str, ...]:
        """That K and U belong to M."""
        most = (1 << self.u_bits) - 1
        return (
            f"(= {1 << self.fold_at} (+ (* u M) K))",
            "(<= 0 K)",
            "(< K M)",
            f"(= {self.scale} (+ (* q M) rest))",
            "(<= 0 rest)",
            "(< rest M)",
            f"(= U (ite (< {most} q) {most} q))",
        )

    def belonging(self) -> Iterator[str]:
        """That U is out of range, or is not near enough."""
        known = [*self.legal, *self.belongs[3:]]
        goal = all_of(f"(<= 0 U {(1 << self.u_bits) - 1})", f"(<= (* U M) {self.scale} (* (+ U 1) M))")
        yield denied(["M", "q", "rest", "U"], known, goal)

    def made_up(self, *words: Word) -> list[Fact]:
        return self.known_of(self, *words)

    def folding(self) -> str:
        """That T' is not the sum of the lower bits of T, and of the highest times K.

        ``p`` and ``s`` are the highest bits of T times both halves of K, ``hk`` times K.
        """
        c, n = self.half, self.width
        low, high = self.folds
        shorter = unsigned(n - c)
        known = [
            equal(low.out.whole, "p"),
            equal(high.out.whole, "s"),
            in_range("p", product_range(unsigned(c), unsigned(c))),
            in_range("s", product_range(unsigned(c), shorter)),
            in_range("hk", product_range(unsigned(c), unsigned(n))),
            f"(= hk (+ p (* {1 << c} s)))",
        ]
        sums = (self.join, self.folded)
        lower = self.split(self.product.out, self.fold_at)[0]
        words = [low.out, high.out, self.fold, self.product.out, lower, self.join.sum]
        words += [word for each in sums for word in (each.sum, each.a, each.b)]
        facts = [*(each.fact for each in sums), *self.made_up(*words)]
        goal = f"(= {self.folded.sum.whole} (+ {lower.whole} hk))"
        return refuting(facts, goal, *known, names=["p", "s", "hk"], words=words)

    def folds_within(self) -> Iterator[str]:
        """That a product of the highest bits of T with a part of K, or with K, is out of range."""
        high = unsigned(self.half)
        for bits in dict.fromkeys((self.half, self.width - self.half, self.width)):
            yield self.within(high, unsigned(bits))

    def folded_right(self) -> Iterator[str]:
        """That K is not made up of its halves, its product not of theirs, or that T' is not T modulo M."""
        c = self.half
        low, high = self.folds
        facts = self.made_up(self.k, low.b, high.b)
        halves = f"(+ {low.b.whole} (* {1 << c} {high.b.whole}))"
        yield refuting(facts, equal(self.k.whole, halves), words=[self.k, low.b, high.b])
        made = f"(+ (* h k) (* {1 << c} (* h l)))"
        yield denied("hkl", [], equal(f"(* h (+ k (* {1 << c} l)))", made))
        t, high_t = self.product.out, low.a
        lower = self.split(t, self.fold_at)[0]
        made = f"(+ {lower.whole} (* {1 << self.fold_at} {high_t.whole}))"
        yield refuting(self.made_up(t), equal(t.whole, made), words=[t, lower, high_t])
        known = [f"(= T (+ low (* {1 << self.fold_at} h)))", "(= T' (+ low (* h K)))"]
        known = [each.replace("T'", "S") for each in (*known, self.belongs[0])]
        yield denied(["T", "S", "low", "h", "u", "M", "K"], known, "(= T (+ S (* (* h u) M)))")

    def folded_bounded(self) -> Iterator[str]:
        """That T' reaches 3 * 2**c * M."""
        most = (1 << self.half) - 1
        known = [in_range("h", (0, most)), "(<= 0 K)", "(< K M)"]
        yield denied("hKM", known, f"(<= 0 (* h K) (* {most} M))")
        known = [
            *self.legal,
            in_range("low", unsigned(self.fold_at)),
            f"(<= 0 hk (* {most} M))",
        ]
        goal = f"(< (+ low hk) (* {3 << self.half} M))"
        yield denied(["M", "low", "hk"], known, goal)

    def reduced(self) -> Iterator[str]:
        """That T' - q*M is negative, or 2*M or more.

        ``tau`` is what t lacks of T'; ``qm``, ``tum`` and ``tm`` are products of q, t*U and t with M.
        """
        n, one = self.width, 1 << self.point
        t, folded = self.quotient.b, self.folded.sum
        place = n - self.behind
        cut = self.split(folded, place)
        low = cut[0].whole if place else "0"
        made = f"(+ (* {1 << place} {t.whole}) {low})"
        yield refuting(self.made_up(folded), equal(folded.whole, made), words=[folded, t, cut[0]])
        # What is known of q, times M.
        yield denied("abM", ["(<= a b)", "(<= 0 M)"], "(<= (* a M) (* b M))")
        yield denied("abM", ["(< a b)", "(<= 1 M)"], "(< (* a M) (* b M))")
        # What is known of U, times t.
        yield denied("tab", ["(<= 0 t)", "(<= a b)"], "(<= (* t a) (* t b))")
        yield denied("tUM", [], "(= (* t (* (+ U 1) M)) (+ (* (* t U) M) (* t M)))")
        t_most = (1 << t.bits) - 1
        yield denied("tM", [in_range("t", (0, t_most)), "(<= 0 M)"], f"(<= 0 (* t M) (* {t_most} M))")
        known = [
            *self.legal,
            in_range("tau", (0, (1 << place) - 1)),
            f"(= T (+ (* {1 << place} t) tau))",
            f"(<= (* {one} qm) tum)",
            f"(< (* 4 tum) (* {one} (+ (* 4 qm) (* 7 M))))",
            f"(<= tum (* {self.scale} t))",
            f"(<= (* {self.scale} t) (+ tum tm))",
            f"(<= 0 tm (* {t_most} M))",
        ]
        goal = "(and (<= 0 (- T qm)) (< (- T qm) (* 2 M)))"
        yield denied(["M", "T", "t", "tau", "qm", "tum", "tm"], known, goal)

    def remains(self) -> Iterator[str]:
        """That r is not T' - q*M; ``p`` and ``s`` are q times the lower and the upper bits of M, ``g`` what
        is left away of the latter."""
        n, low = self.width, self.multiple_low
        split, q = int(self.config.lower), self.quotient.out
        known = [equal(low.out.whole, "p"), "(<= 0 rest)", f"(< rest {2 << n})"]
        words = [low.out, self.multiple, self.rest.sum, self.rest.a, self.rest.b, self.folded.sum]
        sums, made = [self.rest], "p"
        if self.multiple_high is not None and self.multiple_sum is not None:
            upper = self.multiple_high.out
            known.append(congruent(upper, "s"))
            sums.append(self.multiple_sum)
            words += [upper, self.multiple_sum.sum, self.multiple_sum.a, self.multiple_sum.b]
            made = f"(+ p (* {1 << split} (+ s (* {1 << upper.bits} g))))"
        known += [equal("qm", made), f"(= rest (- {self.folded.sum.whole} qm))"]
        facts = [*(each.fact for each in sums), *self.made_up(*words)]
        names = ["p", "s", "g", "qm", "rest"]
        yield refuting(facts, equal(self.rest.sum.whole, "rest"), *known, names=names, words=words)
        m = self.modulus
        parts, digits = [low.b], [(0, low.b)]
        if self.multiple_high is not None:
            digits.append((split, self.multiple_high.a))
            parts.append(self.multiple_high.a)
            facts = self.made_up(q, self.multiple_high.b)
            cut = self.split(q, self.multiple_high.b.bits)
            above = cut[1].whole if len(cut) > 1 else "0"
            whole = f"(+ {self.multiple_high.b.whole} (* {1 << self.multiple_high.b.bits} {above}))"
            yield refuting(facts, equal(q.whole, whole), words=[q, *cut])
        value = " ".join(f"(* {1 << place} {word.whole})" for place, word in digits)
        yield refuting(self.made_up(m, *parts), equal(m.whole, f"(+ 0 {value})"), words=[m, *parts])
        made = "(+ (* (+ l (* b h)) m) (* a (+ (* l k) (* b (* h k)))))"
        yield denied("lbhmak", [], equal("(* (+ l (* b h)) (+ m (* a k)))", made))

    def result(self) -> str:
        """That z is out of range, or neither r nor r - M."""
        r, m, z = self.rest.sum, self.modulus, self.z
        words = [r, m, z, self.difference.sum, self.difference.a, self.difference.b]
        facts = [self.difference.fact, self.defined[z][1], *self.made_up(*words)]
        known = [equal("M", m.whole), *self.legal, f"(< {r.whole} (* 2 M))"]
        goal = (
            f"(and (<= 0 {z.whole}) (< {z.whole} M)"
            f" (or (= {z.whole} {r.whole}) (= {z.whole} (- {r.whole} M))))"
        )
        return refuting(facts, goal, *known, names="M", words=words)

    def ended(self) -> str:
        """That z is not x*y less a multiple of M."""
        known = ["(= xy (+ T (* k M)))", "(= r (- T (* q M)))", "(or (= z r) (= z (- r M)))"]
        goal = "(or (= z (- xy (* (+ k q) M))) (= z (- xy (* (+ k q 1) M))))"
        return denied(["z", "r", "xy", "T", "k", "q", "M"], known, goal)
