# SPDX-License-Identifier: Apache-2.0
"""Of ``montgomery_cascade``: where an operation is, in every state, and what it needs; an invariant for
bitwuzla.

Ages are those of ``montgomery_dsp_where``: from its start on an operation is at an age, which grows by one a
cycle. Counters and lines that are reset say at which ages there are operations. Other lines are right when so
many cycles have passed since the last reset as they are long; ``old`` counts them. ``wz`` and ``wl`` are any
words of Z and of Z - M, and ``wb`` any sign: what the converter puts out for the operation that is followed;
``w`` are those that the sign chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from modmul.prove.netlist import system
from modmul.prove.product.montgomery_dsp import Rows
from modmul.prove.product.montgomery_dsp_bench import COUNT_BITS, bench
from modmul.prove.product.montgomery_dsp_where import CONTROL, CONVERTER, At
from modmul.prove.product.serial import COUNT, TOP
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = ["CONTROL", "CONVERTER", "DELAY", "EXTRA", "FED", "Cascaded", "Stage"]

OUTPUT = "core.u_output."

DELAY, EXTRA, SLOTS = 4, 3, 4
"""Of a row without further registers: the steps until a digit is given back, bits of Q above a digit; and the
operations between start and result."""

FED = DELAY + 1
"""Steps from a sum to the next one to which the product of its lowest digit comes."""

OLD = 8
"""Bits of the count of cycles since a reset."""

FLUSHED = 24
"""Where that count stops: more than any line is long."""

OPS = 6
"""Bits in which operations are counted."""

AGE_BITS = 8
"""Bits of the age of the operation that is followed."""


@dataclass(frozen=True)
class Stage(At):
    """The terms of one state."""

    def age(self, b: int) -> str:
        """An operation is at age b."""
        of = self.of
        if b <= of.steps:
            return all_of(self.high(f"{CONTROL}run_q"), self.is_(f"{CONTROL}step_q", b - 1))
        if b < of.convert:
            return self.bit("core.done_q", b - of.steps)
        return self.bit(f"{CONVERTER}pulse_q", b - of.convert + 1)

    @property
    def old(self) -> str:
        """Cycles since the last reset, up to where the count stops."""
        return f"(ite {self.high('rst_ni')} old_{self.state.name} {const(0, OLD)})"

    def since(self, cycles: int) -> str:
        """So many cycles have passed since the last reset."""
        return f"(bvule {const(cycles, OLD)} {self.old})"

    @property
    def results(self) -> str:
        """How many results are in the memory."""
        return f"(bvsub {self(f'{OUTPUT}write_q')} {self(f'{OUTPUT}read_q')})"

    @property
    def leaving(self) -> str:
        """The last word of a result is at the port, and no longer in the memory."""
        return all_of(self.high("core.out_valid_o"), self.is_(f"{OUTPUT}beat_q", 0))

    def under_way(self, above: str | None = None) -> str:
        """How many operations are at an age; of ages above one, if it is given."""
        found = const(0, OPS)
        for b in range(1, self.of.last + 1):
            there = self.age(b)
            if above is not None:
                there = all_of(there, f"(bvult {above} {const(b, AGE_BITS)})")
            found = f"(bvadd {found} {self.one(there, OPS)})"
        return found


class Cascaded(Rows):
    """The invariant of a build without further registers, with as many digits of Z as of an operand."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.fanout:
            raise ValueError(f"{build}: the proof is written for Fanout = 0")
        room = config.word * config.beats - config.width
        if room <= EXTRA or config.beats < FED + 2:
            raise ValueError(
                f"{build}: the proof is written for {FED + 2} digits or more, of which the last one has room "
                f"for {EXTRA + 1} bits above the operand's"
            )
        count = len(build.core.interface.context(config, 3))
        return cls(build, system(build.design, bench(build, count), TOP))

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def digit(self) -> int:
        """Bits of a digit, and of a word."""
        return self.word

    @property
    def lanes(self) -> int:
        return 1

    @property
    def columns(self) -> int:
        return self.beats

    @property
    def steps(self) -> int:
        """N, the digits of an operand."""
        return self.beats

    @property
    def context(self) -> int:
        return 2 + (DELAY + 2) * self.beats

    def beat_of(self, i: int) -> tuple[int, int]:
        """The number that beat i of a context belongs to, and which of its words it is."""
        if i < self.beats:
            return 0, i
        if i < self.beats + 2:
            return 1, i - self.beats
        number, word = divmod(i - self.beats - 2, self.beats)
        return number + 2, word

    def k_beat(self, j: int) -> int:
        """The beat with the lowest digit of K[j]."""
        return self.beats + 2 + (DELAY + 1 - j) * self.beats

    # --- ages -------------------------------------------------------------------------------------

    @property
    def ending(self) -> int:
        """The last step."""
        return self.steps

    @property
    def convert(self) -> int:
        """Cycle 0 of the converter."""
        return self.steps + 5

    @property
    def zero(self) -> int:
        """Its cycle W, that of column 0 of V."""
        return self.convert + 3 + DELAY

    @property
    def out(self) -> int:
        """The age of the first words of Z and Z - M."""
        return self.zero + 9

    # --- texts ------------------------------------------------------------------------------------

    @property
    def now(self) -> Stage:
        return Stage(self, self.system.state("s"))

    @property
    def then(self) -> Stage:
        return Stage(self, self.system.state("n"))

    def definitions(self) -> str:
        """The age of the operation that is followed, cycles since a reset, and any words of a result."""
        old, most = self.now.old, const(FLUSHED, OLD)
        bits = self.word * self.beats
        return (
            f"{super().definitions()}"
            f"(declare-const old_s (_ BitVec {OLD}))\n"
            f"(define-fun old_n () (_ BitVec {OLD}) (ite (= {old} {most}) {most} "
            f"(bvadd {old} {const(1, OLD)})))\n"
            f"(declare-const wz (_ BitVec {bits}))\n(declare-const wl (_ BitVec {bits}))\n"
            "(declare-const wb (_ BitVec 1))\n"
        )

    # --- the invariant ----------------------------------------------------------------------------

    PARTS: Mapping[str, tuple[str, ...]] = {
        "cycles since a reset": ("cycles since a reset", "words of a context"),
        "ages": ("ages", "slots", "cycles since a reset"),
        "slots": ("ages", "slots"),
        "words of a context": ("words of a context", "gate"),
        "gate": ("gate", "words of a context", "ages", "queue"),
        "context": ("words of a context", "context", "gate"),
        "queue": ("ages", "slots", "gate", "queue"),
        "place": ("ages", "slots", "gate", "queue", "place"),
        "operands": ("ages", "slots", "gate", "place", "operands"),
        "result": ("cycles since a reset", "words of a context", "ages", "gate", "queue", "place", "result"),
    }
    """The parts, and for each those that it goes on holding with."""

    def part(self, at: At, name: str) -> str:
        assert isinstance(at, Stage)
        return all_of(
            *{
                "cycles since a reset": self._since,
                "ages": self._ages,
                "slots": self._slots,
                "words of a context": self._context_words,
                "gate": self._gate,
                "context": self._context,
                "queue": self._queue,
                "place": self._place,
                "operands": self._operands,
                "result": self._result,
            }[name](at)
        )

    def _since(self, at: Stage) -> Iterator[str]:
        """A context takes more cycles than what was before a reset stays anywhere."""
        most = const(FLUSHED, OLD)
        yield f"(bvule {at.old} {most})"
        over = equal(at.old, most)
        yield implies(at.high("whole"), over)
        yield any_of(over, f"(bvule {at('ctx_at')} {at.old})")

    def flag_lines(self) -> Iterator[tuple[str, int, int, int, int, int]]:
        """Lines of flags: a signal and its bit, how long ago it was reset, at which ages it is set; and the
        lowest bit of the column's index that stands below the flag, or -1."""
        n, bits = self.steps, self.index_bits
        first = self.convert
        yield f"{CONTROL}start_q", 0, 0, 1, 1, -1
        yield f"{CONTROL}feed_o", 0, 0, DELAY + 2, n, -1
        yield from (
            (f"core.u_row_run.gen_cycle[{i}].late_q", 0, i + 1, i + 2, i + 1 + n, -1) for i in range(3)
        )
        yield from (
            (f"core.u_digit_run.gen_cycle[{i}].late_q", 0, i + 4, i + 5, i + 4 + n, -1) for i in range(2)
        )
        at = bits + 1
        for k in range(DELAY + 1):
            low = k * at
            yield f"{CONVERTER}at", low + bits, k, first + k, first + k + n - 1, low
        first += DELAY
        for i in range(5):
            name, here = f"{CONVERTER}u_at_m.gen_cycle[{i}].late_q", first + 1 + i
            yield name, bits, DELAY + 1 + i, here, here + n - 1, 0
        first += 5
        for i in range(4):
            name, here = f"{CONVERTER}u_there_sum.gen_cycle[{i}].late_q", first + 1 + i
            yield name, 0, DELAY + 6 + i, here, here + n - 1, -1
        for i in range(3):
            here = first + 5 + i
            yield f"{CONVERTER}there_late_q", i, DELAY + 10 + i, here, here + n - 1, -1

    @property
    def index_bits(self) -> int:
        """Bits of a column's index."""
        return (self.steps - 1).bit_length()

    def _ages(self, at: At) -> Iterator[str]:
        """Lines are set at their ages, and say which column it is; no two operations are near."""
        assert isinstance(at, Stage)
        n, bits = self.steps, self.index_bits
        steps = (equal(at(f"{CONTROL}step_q"), const(k, bits)) for k in range(n))
        yield implies(at.high(f"{CONTROL}run_q"), any_of(*steps))
        for name, place, late, first, last, low in self.flag_lines():
            flag = at.high(name)
            if self.system.signals[name]:
                flag = equal(extract(at(name), place, place), "#b1")
            yield implies(at.since(late), equal(flag, at.some(range(first, last + 1))))
            if low < 0:
                continue
            index = extract(at(name), low + bits - 1, low)
            yield from (implies(at.age(first + j), equal(index, const(j, bits))) for j in range(n))
        for i in range(7):
            first = self.zero + 3 + i
            beat = at(f"{CONVERTER}u_beat.gen_cycle[{i}].late_q")
            yield from (implies(at.age(first + j), equal(beat, const(j, bits))) for j in range(n))
        for b in range(1, self.last):
            near = range(b + 1, min(b + self.period, self.last + 1))
            yield implies(at.age(b), negation(at.some(near)))

    def _slots(self, at: At) -> Iterator[str]:
        """When the next one may start."""
        assert isinstance(at, Stage)
        for b in range(1, self.period):
            waits = at.is_(f"{CONTROL}wait_q", self.period - 1 - b)
            yield implies(at.age(b), waits)
        yield equal(at.high(f"{CONTROL}busy_q"), at.some(range(1, self.period)))

    def _positions(self, at: At) -> tuple[str, ...]:
        """Beats of a context that have come; that have been where they go."""
        assert isinstance(at, Stage)
        come = f"(ite {at.high('whole')} {const(self.context, COUNT)} {at('ctx_at')})"
        return come, f"(bvsub {come} {at.one(self.comes(at), COUNT)})"

    @staticmethod
    def comes(at: Stage) -> str:
        """A beat of a context is in the register behind the port."""
        return negation(at.is_(f"{CONTROL}ctx_there_o", 0))

    def _context_words(self, at: At) -> Iterator[str]:
        """Beats are counted as at the ports, and so they are a cycle later."""
        assert isinstance(at, Stage)
        here, comes = at("ctx_at"), self.comes(at)
        come, _ = self._positions(at)
        yield f"(bvult {here} {const(self.context, COUNT)})"
        yield implies(at.high("whole"), at.is_("ctx_at", 0))
        yield equal(at.high(f"{CONTROL}u_gate.whole_q"), at.high("whole"))
        yield implies(comes, negation(equal(come, const(0, COUNT))))
        for i in range(self.context):
            number, word = self.beat_of(i)
            counted = (at.is_(f"{CONTROL}number_q", 1 << number), at.is_(f"{CONTROL}ctx_beat_q", word))
            yield implies(equal(here, const(i, COUNT)), all_of(*counted))
            late = (at.is_(f"{CONTROL}ctx_there_o", 1 << number), at.is_(f"{CONTROL}ctx_beat_o", word))
            yield implies(all_of(comes, equal(come, const(i + 1, COUNT))), all_of(*late))

    def _gate(self, at: At) -> Iterator[str]:
        """While words of operands come and operations are under way the context stays, whole."""
        assert isinstance(at, Stage)
        part, full = at.high(f"{CONTROL}u_gate.in_part_q"), at.high(f"{CONTROL}full_q")
        some, valid = negation(at.is_(f"{CONTROL}ops_q", 0)), at.high("core.out_valid_o")
        opened = at.high(f"{CONTROL}u_gate.open_q")
        stays = all_of(at.high("whole"), negation(self.comes(at)))
        yield implies(at.some(range(1, self.last + 1)), some)
        yield implies(any_of(part, full, some, valid, opened), stays)
        yield equal(part, negation(at.is_("in_at", 0)))
        yield f"(bvult {at('in_at')} {const(self.beats, COUNT)})"
        yield equal(at.wide(f"{CONTROL}in_beat_q", COUNT), at("in_at"))
        yield implies(full, negation(part))
        yield implies(at.high(f"{CONTROL}free_q"), all_of(negation(some), negation(valid)))

    def c_number(self, at: At, j: int = 0) -> str:
        """-1 / M modulo B * 2^e."""
        low = self.beats * self.word + j
        return extract(at("ctx"), low + self.word + EXTRA - 1, low)

    def m_stored(self, at: At, k: int) -> str:
        return at(f"{CONVERTER}u_m.words[{k}]")

    def _context(self, at: At) -> Iterator[str]:
        """Words of the context are where they go, or behind the port."""
        assert isinstance(at, Stage)
        n, w = self.beats, self.word
        come, stored = self._positions(at)
        for i in range(self.context):
            here = all_of(self.comes(at), equal(come, const(i + 1, COUNT)))
            word = self.wordof(at("ctx"), i)
            yield implies(here, equal(at("core.data_q"), word))
            there = f"(bvult {const(i, COUNT)} {stored})"
            number, k = self.beat_of(i)
            if number == 0:
                yield implies(there, equal(self.m_stored(at, k), word))
            elif number > 2:
                kept = at(f"{CONVERTER}gen_pending[{number - 2}].u_k.words[{k}]")
                yield implies(there, equal(kept, word))
        ctx = at("ctx")
        for name, first, count in (("core.inverse_q", n, 2), ("core.k_q", n + 2, n)):
            for k in range(1, count + 1):
                here = equal(stored, const(first + k, COUNT))
                if k == count:
                    here = f"(bvule {const(first + k, COUNT)} {stored})"
                top = extract(at(name), count * w - 1, (count - k) * w)
                yield implies(here, equal(top, extract(ctx, (first + k) * w - 1, first * w)))

    def _queue(self, at: At) -> Iterator[str]:
        """Operations are counted as at the ports, and there is room for them; which word goes out next."""
        assert isinstance(at, Stage)
        ops, results = at.wide(f"{CONTROL}ops_q", OPS), zero_extend(at.results, OPS - 3)
        yield equal(ops, f"(bvadd {at.under_way()} {results})")
        yield f"(bvule {ops} {const(SLOTS, OPS)})"
        yield f"(bvule {at.under_way()} {const(SLOTS, OPS)})"
        yield f"(bvule {results} {const(SLOTS, OPS)})"
        yield equal(at.high(f"{CONTROL}room_q"), negation(at.is_(f"{CONTROL}ops_q", SLOTS)))
        full, leaving = at.one(at.high(f"{CONTROL}full_q"), OPS), at.one(at.leaving, OPS)
        yield equal(at.wide("count", OPS), f"(bvadd {ops} {full} {leaving})")
        valid, beat = at.high("core.out_valid_o"), at.wide(f"{OUTPUT}beat_q", COUNT)
        yield f"(bvult {at('out_at')} {const(self.beats, COUNT)})"
        last = equal(at("out_at"), const(self.beats - 1, COUNT))
        following = f"(ite {last} {const(0, COUNT)} (bvadd {at('out_at')} {const(1, COUNT)}))"
        yield equal(beat, f"(ite {valid} {following} {at('out_at')})")
        yield implies(negation(at.is_(f"{OUTPUT}beat_q", 0)), negation(equal(results, const(0, OPS))))

    def _place(self, at: At) -> Iterator[str]:
        """Where the operation is that is followed, and how many go out before it."""
        assert isinstance(at, Stage)
        followed, coming = at.high("followed"), at.high("coming")
        full, part = at.high(f"{CONTROL}full_q"), at.high(f"{CONTROL}u_gate.in_part_q")
        yield implies(coming, all_of(followed, part, at.at(0)))
        waits = all_of(followed, equal(at.own, const(0, AGE_BITS)))
        yield implies(all_of(waits, negation(coming)), full)
        counted = f"(bvadd {at('ahead')} {at.one(all_of(waits, negation(coming)), COUNT_BITS)})"
        yield implies(waits, equal(at("count"), counted))
        yield implies(followed, f"(bvule {at.own} {const(self.last + 1, AGE_BITS)})")
        yield from (implies(at.at(b), at.age(b)) for b in range(1, self.last + 1))
        ahead, leaving = at.wide("ahead", OPS), at.one(at.leaving, OPS)
        results = zero_extend(at.results, OPS - 3)
        before = f"(bvadd {at.under_way(at.own)} {results} {leaving})"
        yield implies(at.within(1, self.last), equal(ahead, before))
        own = all_of(at.is_("ahead", 0), at.leaving)
        stored = (f"(bvule {leaving} {ahead})", f"(bvult (bvsub {ahead} {leaving}) {results})")
        yield implies(at.at(self.last + 1), any_of(own, all_of(*stored)))

    def _operands(self, at: At) -> Iterator[str]:
        """Where the words of the operands are."""
        assert isinstance(at, Stage)
        n, bits = self.beats, self.index_bits
        half, comes = at.high(f"{CONTROL}half_q"), at.high("core.in_there")
        came = all_of(at.high("rst_ni"), comes)
        beat = at.wide("core.in_beat", COUNT)
        last = f"(ite (= {at('in_at')} {const(0, COUNT)}) {const(n, COUNT)} {at('in_at')})"
        yield implies(came, equal(f"(bvadd {beat} {const(1, COUNT)})", last))
        yield implies(came, equal(at.high("core.half_in"), half))
        part, full = at.high(f"{CONTROL}u_gate.in_part_q"), at.high(f"{CONTROL}full_q")
        yield implies(came, any_of(part, full))
        coming, waits = at.high("coming"), all_of(at.at(0), negation(at.high("coming")))
        stored = f"(bvsub (ite {coming} {at('in_at')} {const(n, COUNT)}) {at.one(comes, COUNT)})"
        y, y_next = at("y"), at("core.y_next_q")
        for k in range(n):
            there = any_of(all_of(coming, f"(bvugt {at('in_at')} {const(k, COUNT)})"), waits)
            here = all_of(comes, equal(at("core.in_beat"), const(k, bits)))
            word, other = (
                f"(ite {half} {at(f'core.u_x.words[{(h << bits) + k}]')} "
                f"{at(f'core.u_x.words[{(g << bits) + k}]')})"
                for h, g in ((1, 0), (0, 1))
            )
            seen = f"(ite {here} {at('core.x_in_q')} {word})"
            yield implies(there, equal(seen, self.wordof(at("x"), k)))
            yield implies(all_of(there, here), equal(at("core.y_in_q"), self.wordof(y, k)))
            yield implies(at.within(1, n), equal(other, self.wordof(at("x"), k)))
            top = extract(y_next, n * self.word - 1, (n - 1 - k) * self.word)
            low = extract(y, (k + 1) * self.word - 1, 0)
            count = all_of(any_of(coming, waits), equal(stored, const(k + 1, COUNT)))
            yield implies(count, equal(top, low))
        yield implies(at.at(1), equal(y_next, y))
        yield implies(at.within(2, n + 1), equal(at("core.y_q"), y))
        digit = at("core.x_q")
        yield from (implies(at.at(t + 2), equal(digit, self.digitof(at("x"), t))) for t in range(n))

    def _result(self, at: At) -> Iterator[str]:
        """Words of the result are in the memory, in their order, or out."""
        assert isinstance(at, Stage)
        n, bits = self.beats, self.index_bits
        write, read = (at(f"{OUTPUT}{name}_q") for name in ("write", "read"))
        behind = at.at(self.last + 1)
        ahead, leaving = at("ahead"), at.one(at.leaving, COUNT_BITS)
        first = all_of(behind, at.is_("ahead", 0))
        slot = f"(bvadd {read} (bvsub {ahead} {leaving}))"
        stored = all_of(behind, f"(bvule {leaving} {ahead})")
        for k in range(n):
            words = f"(concat {self.wordof('wl', k)} {self.wordof('wz', k)})"
            for h in range(SLOTS):
                kept = equal(at(f"{OUTPUT}u_words.words[{(h << bits) + k}]"), words)
                written = equal(extract(write, 1, 0), const(h, 2))
                yield implies(all_of(at.within(self.out + k + 1, self.last), written), kept)
                yield implies(all_of(stored, equal(extract(slot, 1, 0), const(h, 2))), kept)
            word, count = self.wordof("w", k), const(k, COUNT)
            yield implies(
                all_of(first, f"(bvult {count} {at('out_at')})"), equal(self.wordof(at("z"), k), word)
            )
            port = all_of(first, at.high("core.out_valid_o"), equal(at("out_at"), count))
            yield implies(port, equal(at("core.z_o"), word))
        for h in range(SLOTS):
            sign = extract(at(f"{OUTPUT}borrow_q"), h, h)
            yield implies(all_of(stored, equal(extract(slot, 1, 0), const(h, 2))), equal(sign, "wb"))
        yield implies(at.high("given"), equal(at("z"), "w"))

    def produced(self, at: At) -> str:
        """That wz, wl and wb are what the converter puts out, and w what the sign chooses."""
        return all_of(
            equal("w", "(ite (= wb #b1) wz wl)"),
            *(
                implies(at.at(self.out + k), equal(at(f"{CONVERTER}{name}_o"), self.wordof(of, k)))
                for k in range(self.beats)
                for name, of in (("z", "wz"), ("less", "wl"))
            ),
            implies(at.at(self.last), equal(f"(ite {at(f'{CONVERTER}borrow_o')} #b1 #b0)", "wb")),
        )
