# SPDX-License-Identifier: Apache-2.0
"""Of ``fmlm3``: how the context and operands come, beat by beat, with pauses, and how the result leaves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from modmul.prove.product.fmlm3_ages import (
    GATE,
    GATHER,
    IDLE,
    LOAD,
    PRODUCT,
    RESULT,
    SEGMENTS,
    UNLOAD,
    Aged,
    Run,
    View,
    asked,
)
from modmul.prove.product.fmlm3_atoms import ANY
from modmul.prove.product.fmlm3_netlist import named_in, parsed
from modmul.prove.product.serial import COUNT
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation

__all__ = ["Walked"]


class Walked(Aged):
    """The obligations about where everything is."""

    # --- loading and unloading ----------------------------------------------------------------------

    @cached_property
    def now(self) -> View:
        return View(self.netlist)

    @cached_property
    def then(self) -> View:
        return View(self.netlist, later=True)

    def idle(self, at: View) -> str:
        return all_of(*(at.is_(name, 0) for name in IDLE))

    def loading(self, at: View) -> dict[str, str]:
        """What holds while a context or operands come, by name."""
        return {
            "the control": all_of(*self._control(at)),
            "the place": all_of(*self._place(at)),
            "what is on its way": all_of(*self._strobes(at)),
            "the residues": all_of(*self._residues(at)),
            "the modulus": all_of(*self._modulus(at)),
            "the operands": all_of(*self._operands(at)),
        }

    def _control(self, at: View) -> Iterator[str]:
        """No operation is under way; operands come behind a whole context."""
        yield at.is_("core.main_q", LOAD)
        yield self.idle(at)
        yield at.is_("out_at", 0)
        yield equal(at(f"{GATE}whole_q"), at("whole"))
        yield implies(at.is_("whole", 1), at.is_("ctx_at", 0))
        open_, part_ = at.is_(f"{GATE}open_q", 1), at.is_(f"{GATE}in_part_q", 1)
        legal = (at.is_("core.legal_q", 1), at.is_(f"{PRODUCT}context_write_q", 0))
        yield implies(open_, all_of(at.is_("whole", 1), *legal))
        first = (
            equal(at("core.square_q"), at("square")),
            at.is_("core.chain_q", 0),
            at.is_("core.keep_q", 0),
        )
        yield implies(
            part_, all_of(open_, at.is_("whole", 1), at.is_(f"{PRODUCT}context_write_q", 0), *first)
        )

    def _place(self, at: View) -> Iterator[str]:
        """Which beat comes next."""
        part_ = at.is_(f"{GATE}in_part_q", 1)
        yield f"(bvult {at('ctx_at')} {const(self.beats, COUNT)})"
        yield equal(part_, negation(at.is_("in_at", 0)))
        yield f"(bvult {at('in_at')} {const(self.p, COUNT)})"
        for i in range(self.beats):
            residue, piece = divmod(max(i - self.p, 0), self.parts)
            vector, digit = (0, i) if i < self.p else (1 + residue // self.p, residue % self.p)
            there = all_of(negation(part_), at.is_("ctx_at", i))
            yield implies(there, self._at(at, vector, digit, piece, digit if not vector else 0))
        for i in range(1, self.p):
            yield implies(at.is_("in_at", i), self._at(at, 0, i, 0, i))

    def _at(self, at: View, vector: int, digit: int, piece: int, pair: int) -> str:
        counts = (
            at.is_("core.vector_q", vector),
            at.is_("core.digit_q", digit),
            at.is_("core.part_q", piece),
        )
        gathered = (at.is_(f"{GATHER}in_segment_q", pair % 2), at.is_(f"{GATHER}count_q", pair // 2))
        return all_of(*counts, *gathered)

    def _full(self, at: View, half: str, modulus: int) -> str:
        """That a segment is there, of N or of an operand."""
        return all_of(at.is_(f"{GATHER}{half}_full_o", 1), at.is_(f"{GATHER}{half}_modulus_o", modulus))

    def _strobes(self, at: View) -> Iterator[str]:
        part_ = at.is_(f"{GATE}in_part_q", 1)

        def segment(half: str, place: int) -> str:
            return at.is_(f"{GATHER}{half}_segment_o", place)

        yield negation(all_of(at.is_(f"{GATHER}low_full_o", 1), at.is_(f"{GATHER}high_full_o", 1)))
        came = [all_of(at.is_("ctx_at", 2 * s + 2), segment("low", s)) for s in range(self.segs)]
        yield implies(self._full(at, "low", 1), all_of(negation(part_), any_of(*came)))
        came = [all_of(at.is_("in_at", 2 * s + 2), segment("low", s)) for s in range(self.segs - 1)]
        whole = (part_, at.is_(f"{GATHER}low_halves_o", 0), any_of(*came), at.is_(f"{GATHER}pair_q", 1))
        yield implies(self._full(at, "low", 0), all_of(*whole))
        came = [
            all_of(any_of(at.is_("in_at", 2 * s + 2), at.is_("in_at", 2 * s + 3)), segment("high", s))
            for s in range(self.segs - 1)
        ]
        halves = at.is_(f"{GATHER}high_halves_o", 0)
        yield implies(self._full(at, "high", 0), all_of(part_, halves, any_of(*came)))
        written = []
        for k in range(2 * self.p):
            i = self.p + (k + 1) * self.parts
            there = at.is_("ctx_at", i) if k < 2 * self.p - 1 else at.is_("whole", 1)
            written.append(all_of(at.is_(f"{PRODUCT}context_waddr_q", k), there))
        yield implies(at.is_(f"{PRODUCT}context_write_q", 1), all_of(negation(part_), any_of(*written)))

    def _came(self, at: View, beats: int) -> str:
        """That so many beats of the context have come."""
        return (
            any_of(at.is_("whole", 1), at.least("ctx_at", beats))
            if beats < self.beats
            else at.is_("whole", 1)
        )

    def _residues(self, at: View) -> Iterator[str]:
        """Residues of the context are in their memory, or a cycle away; beats of the next are kept."""
        u, kept, bits = self.u, f"{PRODUCT}beats_q", self.parts * self.u
        for k in range(2 * self.p):
            first = self.p + k * self.parts
            word = extract(at("ctx"), first * u + self.k, first * u)
            coming = (at.is_(f"{PRODUCT}context_write_q", 1), at.is_(f"{PRODUCT}context_waddr_q", k))
            held = f"(ite {all_of(*coming)} {extract(at(kept), self.k, 0)} {at(self.residue(k))})"
            yield implies(self._came(at, first + self.parts), equal(held, word))
            for i in range(1, self.parts):
                some = extract(at("ctx"), (first + i) * u - 1, first * u)
                here = all_of(at.is_("ctx_at", first + i), at.is_(f"{GATE}in_part_q", 0))
                yield implies(here, equal(extract(at(kept), bits - 1, bits - i * u), some))

    def digit_of(self, at: View, signal: str, place: int, count: int = 1) -> str:
        """Digits of a number that the bench keeps."""
        return extract(at(signal), (place + count) * self.u - 1, place * self.u)

    def _modulus(self, at: View) -> Iterator[str]:
        """The same of N."""
        low, u = f"{GATHER}low_o", self.u
        for s in range(self.segs):
            coming = all_of(self._full(at, "low", 1), at.is_(f"{GATHER}low_segment_o", s))
            held = f"(ite {coming} {at(low)} {at(self.modulus(s))})"
            yield implies(self._came(at, 2 * s + 2), equal(held, self.digit_of(at, "ctx", 2 * s, 2)))
            here = all_of(at.is_("ctx_at", 2 * s + 1), at.is_(f"{GATE}in_part_q", 0))
            yield implies(here, equal(extract(at(low), 2 * u - 1, u), self.digit_of(at, "ctx", 2 * s)))
        yield implies(self._came(at, 1), equal(at(f"{RESULT}n_lsb_q"), extract(at("ctx"), 0, 0)))

    def _operands(self, at: View) -> Iterator[str]:
        """The same of x and y."""
        low, high, late, u = f"{GATHER}low_o", f"{GATHER}high_o", f"{GATHER}high_q", self.u
        pair, part_ = at.is_(f"{GATHER}pair_q", 1), at.is_(f"{GATE}in_part_q", 1)
        last = f"(ite {pair} {at(late)} {extract(at(high), 2 * u - 1, u)})"
        for s in range(self.segs):
            if s < self.segs - 1:
                came = all_of(part_, at.least("in_at", 2 * s + 2))
                coming = all_of(self._full(at, "low", 0), at.is_(f"{GATHER}low_segment_o", s))
                held = f"(ite {coming} {at(low)} {at(self.segment(s))})"
                yield implies(came, equal(held, self.digit_of(at, "x", 2 * s, 2)))
                next_ = f"(concat {at(late)} {extract(at(high), 2 * u - 1, u)})"
                full = all_of(self._full(at, "high", 0), at.is_(f"{GATHER}high_segment_o", s))
                held = f"(ite {full} {at(high)} {at(self.segment(self.segs + s))})"
                held = f"(ite {coming} {next_} {held})"
                yield implies(came, equal(held, self.digit_of(at, "y", 2 * s, 2)))
            here = at.is_("in_at", 2 * s + 1)
            yield implies(here, equal(extract(at(low), 2 * u - 1, u), self.digit_of(at, "x", 2 * s)))
            yield implies(here, equal(last, self.digit_of(at, "y", 2 * s)))

    def leaving(self, at: View) -> dict[str, str]:
        """What holds while the result leaves, by name; its digits are those of a word."""
        p, u, size = self.p, self.u, 2 * self.u
        known = [
            at.is_("core.main_q", UNLOAD),
            self.idle(at),
            at.is_("whole", 1),
            at.is_(f"{GATE}whole_q", 1),
        ]
        known += [at.is_(name, 0) for name in ("ctx_at", "in_at", "given", "core.vector_q", "core.part_q")]
        known += [at.is_(f"{GATE}in_part_q", 0), at.is_(f"{PRODUCT}context_write_q", 0)]
        known += [
            at.is_(f"{GATHER}{name}", 0) for name in ("in_segment_q", "count_q", "low_full_o", "high_full_o")
        ]
        known.append(f"(bvult {at('out_at')} {const(p, COUNT)})")
        data = []
        for i in range(p):
            here, s = at.is_("out_at", i), (i // 2 + 1) % self.segs
            known.append(
                implies(here, all_of(at.is_("core.digit_q", i), at.is_("core.gen_digits.fetch_q", s)))
            )
            count = 2 - i % 2
            out = extract(at("core.gen_digits.out_q"), count * u - 1, 0)
            data.append(implies(here, equal(out, extract("|z|", (i + count) * u - 1, i * u))))
            if i % 2:
                pairs = (
                    (f"{SEGMENTS}u_segments.rdata_o", self.segment(3 * self.segs + s)),
                    (f"{SEGMENTS}u_n.rdata_o", self.modulus(self.segs + s)),
                )
                data.append(implies(here, all_of(*(equal(*map(at, each)) for each in pairs))))
        for s in range(self.segs):
            t, less = at(self.segment(3 * self.segs + s)), at(self.modulus(self.segs + s))
            word = f"(ite {at.is_(f'{RESULT}is_less_o', 1)} {less} {t})"
            data.append(equal(word, extract("|z|", (s + 1) * size - 1, s * size)))
        left = [
            implies(
                at.least("out_at", i + 1),
                equal(self.digit_of(at, "z", i), extract("|z|", (i + 1) * u - 1, i * u)),
            )
            for i in range(p)
        ]
        words = [equal(at(name), f"|of {name}|") for name in ("ctx", "x", "y")]
        return {
            "the control": all_of(*known),
            "the result": all_of(*data),
            "what has left": all_of(*left),
            "the operands": all_of(*words),
            "the residues": all_of(*self._residues(at)),
            "the modulus": all_of(*self._modulus(at)),
        }

    # --- the obligations ----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """The declarations of the operands, the context and the result."""
        sizes = {"of ctx": self.beats * self.u, "of x": self.config.width, "of y": self.config.width}
        sizes["z"] = self.config.width
        return "".join(f"(declare-const |{name}| (_ BitVec {bits}))\n" for name, bits in sizes.items())

    def about(self, *assertions: str) -> str:
        """A text about a state and the one behind it."""
        needed = [name for each in assertions for name in named_in(parsed(f"({each})"))]
        known = {name for name in needed if name in self.netlist.lines}
        body = "".join(f"(assert {each})\n" for each in assertions)
        return f"(set-logic QF_BV)\n{self.words}{self.netlist.at({}, known)}{body}"

    def z(self, run: Run) -> str:
        """What the result is at the end of an operation."""
        found = []
        for s in reversed(range(self.segs)):
            t, less = self.segment(3 * self.segs + s), self.modulus(self.segs + s)
            less_, t_ = run.term(less, run.last), run.term(t, run.last)
            found.append(f"(ite (= {run.term(f'{RESULT}is_less_o', run.last)} #b1) {less_} {t_})")
        return f"(concat {' '.join(found)})"

    def of_ports(self) -> Iterator[Obligation]:
        yield from self.of_reset()
        yield from self.of_loading()
        yield from self.of_beginning()
        yield from self.of_operation()
        for kind, run in zip(("product", "square"), self.runs, strict=True):
            yield asked(f"the result of a {kind} is at the port", self.at_port(run))
        yield from self.of_leaving()
        yield from self.of_places()

    def of_reset(self) -> Iterator[Obligation]:
        reset = self.now.is_("rst_ni", 0)
        for name, part_ in self.loading(self.then).items():
            yield asked(f"{name} holds in reset", self.about(reset, negation(part_)))

    @property
    def running(self) -> str:
        return self.now.is_("rst_ni", 1)

    def of_loading(self) -> Iterator[Obligation]:
        load, stays = self.loading(self.now).values(), self.then.is_("core.main_q", LOAD)
        for name, part_ in self.loading(self.then).items():
            yield asked(
                f"{name} goes on while beats come", self.about(self.running, *load, stays, negation(part_))
            )

    @property
    def begins(self) -> str:
        """That the last operand beat comes."""
        return all_of(self.now.is_("core.in_load", 1), self.now.is_("in_at", self.p - 1))

    def of_beginning(self) -> Iterator[Obligation]:
        load, stays = self.loading(self.now).values(), self.then.is_("core.main_q", LOAD)
        yield asked(
            "an operation begins with its last beat, and no result is told",
            self.about(self.running, *load, negation(equal(self.begins, negation(stays)))),
            self.about(self.running, *load, self.then.is_("given", 1)),
        )
        firsts = (self.first(run, square, load, self.begins) for square, run in enumerate(self.runs))
        yield asked("at age 0 all is where it has to be", *firsts)

    def of_leaving(self) -> Iterator[Obligation]:
        leave, stays = self.leaving(self.now).values(), self.then.is_("core.main_q", UNLOAD)
        for name, part_ in self.leaving(self.then).items():
            text = self.about(self.running, *leave, stays, negation(part_))
            yield asked(f"{name} stays while the result leaves", text)
        operands = (equal(self.then(name), f"|of {name}|") for name in ("ctx", "x", "y"))
        told = all_of(equal(self.then("z"), "|z|"), *operands)
        yield asked(
            "what is told is the result, and beats may come again",
            self.about(self.running, *leave, self.then.is_("given", 1), negation(told)),
            *(
                self.about(self.running, *leave, negation(stays), negation(part_))
                for part_ in self.loading(self.then).values()
            ),
        )

    def of_places(self) -> Iterator[Obligation]:
        now = self.now
        load, leave = self.loading(now).values(), self.leaving(now).values()
        each = [self.about(self.running, *load, self.begins)]
        each += [self.about(self.running, *leave, now.is_("out_at", i)) for i in range(self.p)]
        alone = now.is_(f"{GATE}in_part_q", 0)
        each += [self.about(self.running, *load, now.is_("ctx_at", i), alone) for i in range(self.beats)]
        each += [self.about(self.running, *load, now.is_("in_at", i)) for i in range(1, self.p)]
        yield asked("each place is possible", *each, holds=False)

    def first(self, run: Run, square: int, known: Any, begins: str) -> str:
        """That an operation begins with something else than its first age."""
        net = self.netlist
        nexts = {
            name: f"(ite {body} #b1 #b0)" if net.is_bool(name) else body for name, body in net.nexts.items()
        }
        words = [equal(self.then(name), f"|of {name}|") for name in ("ctx", "x", "y")]
        held = {
            name: nexts[name] for name in nexts if any(piece[1] != ANY for piece in run.trace.held[0][name])
        }
        given = (*words, self.then.is_("square", square))
        return self.about(self.now.is_("rst_ni", 1), *known, begins, *given, negation(run.holds(0, held)))

    def at_port(self, run: Run) -> str:
        """That the last age is no state in which the result leaves."""
        free, state = run.state(run.last)
        held = run.trace.held[run.last].values()
        out = run.atoms.used((run.value("core.gen_digits.out_q", run.last),))  # made in the cycle before
        words = run.atoms.text(held, run.atoms.used(held) - out)
        goal = all_of(*self.leaving(self.now).values())
        needed = [name for name in named_in(parsed(f"({goal})")) if name in self.netlist.lines]
        size = f"(define-fun |z| () (_ BitVec {self.config.width}) {self.z(run)})\n"
        return (
            f"(set-logic QF_BV)\n{words}{free}{size}{self.netlist.at(state, needed)}(assert {negation(goal)})"
        )
