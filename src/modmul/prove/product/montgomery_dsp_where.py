# SPDX-License-Identifier: Apache-2.0
"""Of ``montgomery_dsp``: where an operation is, in every state, and what it needs; an invariant for bitwuzla.

From its start on an operation is at an age, which grows by one a cycle. The lines of the windows that tell
the parts when to do what say at which ages there are operations. The one that the bench follows has an age of
its own, a history variable: it is defined beside the netlist, by what starts and what is reset. ``w`` is any
words: those that the converter puts out for that operation, whatever they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from modmul.prove.netlist import State, system
from modmul.prove.product.argument import Argument
from modmul.prove.product.montgomery_dsp_bench import COUNT_BITS, bench
from modmul.prove.product.serial import COUNT, TOP
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend
from modmul.room import Build

__all__ = [
    "CONVERTER",
    "DELAY",
    "DIGITS",
    "HALVES",
    "QUOTIENT",
    "ROW",
    "SCHEDULE",
    "At",
    "Followed",
    "Window",
]

CONTROL, CONTEXT, SCHEDULE = "core.u_control.", "core.u_context.", "core.u_schedule."
DIGITS, ROW, QUOTIENT = "core.u_digits.", "core.u_row.", "core.u_quotient."
CONVERTER, QUEUE = "core.u_converter.", "core.u_queue."

AGE = 8
"""Bits of an age."""

SUM = 12
"""Bits in which words are counted, those of all operations."""

LOOP, DELAY, HALVES, SLOTS = 6, 5, 3, 4
"""Of a row that is not folded, without further registers: cycles from a digit of S to its product in S, the
steps until it is given back, bits of Q above a digit; and the operations between start and result."""


@dataclass(frozen=True)
class Window:
    """An instance of ``mm_window``: from which age on, and for how many cycles, it is open."""

    path: str
    base: int
    start: int
    length: int
    on: bool = True

    @property
    def first(self) -> int:
        return self.base + self.start

    @property
    def line(self) -> int:
        return self.start + self.length - 1


@dataclass(frozen=True)
class At:
    """The terms of one state.

    Attributes:
        of: the proof.
        state: ``s`` or ``n``.
    """

    of: Followed
    state: State

    def __call__(self, name: str) -> str:
        return self.state(name)

    def is_(self, name: str, value: int) -> str:
        return self.state.is_(name, value)

    def high(self, name: str) -> str:
        """That a flag is set."""
        return self.state.is_(name, 1)

    def wide(self, name: str, bits: int) -> str:
        """A signal that counts, in more bits."""
        own = self.of.system.signals[name]
        return zero_extend(self(name), bits - own) if own else self.one(self(name), bits)

    @staticmethod
    def one(flag: str, bits: int) -> str:
        return f"(ite {flag} {const(1, bits)} {const(0, bits)})"

    def age(self, b: int) -> str:
        """An operation is at age b."""
        of = self.of
        if b <= of.ending:
            path, base = f"{SCHEDULE}u_blank", 0
        elif b <= of.ending + of.to_v:
            path, base = f"{SCHEDULE}u_v_there", of.ending
        else:
            path, base = f"{CONVERTER}u_valid", of.convert
        return self.bit(f"{path}.line_q", b - base)

    def bit(self, name: str, j: int) -> str:
        """Bit j of a line that begins with bit 1."""
        if self.of.system.signals[name] == 0:
            return self(name)
        return equal(extract(self(name), j - 1, j - 1), "#b1")

    def some(self, ages: Iterable[int]) -> str:
        return any_of(*map(self.age, ages))

    @property
    def own(self) -> str:
        """The age of the operation that is followed."""
        return f"age_{self.state.name}"

    def at(self, b: int) -> str:
        """The operation that is followed is at age b; it is 0 before its start, and stays behind the last."""
        return all_of(self.high("followed"), equal(self.own, const(b, AGE)))

    def within(self, first: int, last: int) -> str:
        return all_of(
            self.high("followed"),
            f"(bvule {const(first, AGE)} {self.own})",
            f"(bvule {self.own} {const(last, AGE)})",
        )

    # --- counts of words --------------------------------------------------------------------------

    @property
    def stored(self) -> str:
        """Words in the memory of the queue."""
        return f"(bvsub {self(f'{QUEUE}write_q')} {self(f'{QUEUE}read_q')})"

    @property
    def queued(self) -> str:
        """Words in the queue."""
        flags = (self.one(self.high(f"{QUEUE}{name}"), SUM) for name in ("valid_q", "next_there_q"))
        return f"(bvadd {' '.join(flags)} {zero_extend(self.stored, SUM - self.of.queue_bits)})"

    def due(self, above: str | None = None) -> str:
        """Words that operations under way have not written yet; of ages above one, if it is given."""
        of, found = self.of, const(0, SUM)
        for b in reversed(range(1, of.last + 1)):
            there = self.age(b)
            if above is not None:
                there = all_of(there, f"(bvult {above} {const(b, AGE)})")
            left = of.beats - max(0, b - of.out)
            found = f"(bvadd {found} (ite {there} {const(left, SUM)} {const(0, SUM)}))"
        return found

    @property
    def distance(self) -> str:
        """Words that go out before the first one of the operation that is followed."""
        product = f"(bvmul {const(self.of.beats, SUM)} {self.wide('ahead', SUM)})"
        return f"(bvsub {product} {self.wide('out_at', SUM)})"


class Followed(Argument):
    """The invariant of a build whose rows are not folded, without further registers, with results below M."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        if config.folded or config.fanout or config.lazy:
            raise ValueError(f"{build}: the proof is written for Columns = 0, Fanout = 0 and Lazy = 0")
        rest, digits = config.width % config.word, -(-config.width // config.digit)
        early = rest and rest + 1 + config.quotient % config.word <= config.word
        if config.quotient > config.word or not early or config.beats < 3 or digits < DELAY + 2:
            raise ValueError(
                f"{build}: the proof is written for words longer than Q, for three of them or more, of which "
                f"the last one has room for Q above the operand's bits, for {DELAY + 2} digits or more"
            )
        if config.lanes < 2:
            raise ValueError(f"{build}: the proof is written for words of several digits")
        count = len(build.core.interface.context(config, 3))
        return cls(build, system(build.design, bench(build, count), TOP))

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def config(self) -> Any:
        return self.build.config

    @property
    def beats(self) -> int:
        return int(self.config.beats)

    @property
    def word(self) -> int:
        return int(self.config.word)

    @property
    def digit(self) -> int:
        """Bits of a digit."""
        return int(self.config.digit)

    @property
    def lanes(self) -> int:
        return int(self.config.lanes)

    @property
    def columns(self) -> int:
        return int(self.config.row)

    @property
    def steps(self) -> int:
        """T, the digits of an operand."""
        return int(self.config.steps)

    @property
    def quotient(self) -> int:
        return self.digit + HALVES

    @property
    def heads(self) -> int:
        """Words of a context before the constants K."""
        return self.beats + DELAY + 1

    @property
    def context(self) -> int:
        return self.heads + (DELAY + 1) * self.beats

    @property
    def period(self) -> int:
        """Cycles between starts."""
        return int(self.build.core.interface.interval(self.config))

    @property
    def queue_bits(self) -> int:
        return (SLOTS * self.beats - 1).bit_length() + 1

    @property
    def words(self) -> int:
        """Words of V."""
        return int(self.config.words)

    @property
    def z_words(self) -> int:
        return self.width // self.word + 1

    # --- ages -------------------------------------------------------------------------------------

    to_v = 2 + DELAY + LOOP - 1
    """Cycles from the last cycle but one of the last step to V."""

    @property
    def ending(self) -> int:
        """The last cycle but one of the last step."""
        return self.steps - 1

    @property
    def convert(self) -> int:
        """The cycle in which the converter is told."""
        return self.ending + 2 + DELAY + 1

    @property
    def zero(self) -> int:
        """The converter's cycle 0."""
        return self.convert + 3

    shift = 6
    """The converter's cycle of the first word of Z."""

    @property
    def known(self) -> int:
        """The converter's cycle of the first word of z."""
        return self.shift + self.z_words - 1

    @property
    def out(self) -> int:
        """The age of the first word of z."""
        return self.zero + self.known

    @property
    def last(self) -> int:
        return self.out + self.beats - 1

    @property
    def windows(self) -> tuple[Window, ...]:
        """All of them."""
        end, told, words = self.ending, self.convert, self.words
        schedule = (
            Window("u_blank", 0, LOOP + DELAY, self.steps - DELAY - 1, False),
            Window("u_fresh", 0, 4, 1),
            Window("u_v_clear", end, 7, 1),
            Window("u_v_later", end, 7, 1, False),
            Window("u_v_there", end, self.to_v, 1),
            Window("u_convert", end, told - end, 1),
            Window("gen_drain.u_drain", end, 1, DELAY),
        )
        converter = (
            Window("u_m_next", told, 1, self.beats),
            Window("u_product_idle", told, 6, words, False),
            Window("u_idle", told, 2 + HALVES, words, False),
            Window("u_upper_idle", told, 3 + HALVES, words, False),
            Window("u_z_sum_idle", told, 7, words, False),
            Window("u_valid", told, 3 + self.known, self.beats),
            *(Window(f"gen_half[{k}].gen_more.u_rest", told, 3 + k, words, False) for k in range(1, HALVES)),
            Window("gen_exact.u_z_idle", told, 3 + self.shift, self.z_words, False),
            Window("gen_exact.u_last", told, 3 + self.known, 1),
        )
        return tuple(
            Window(path + each.path, each.base, each.start, each.length, each.on)
            for path, some in ((SCHEDULE, schedule), (CONVERTER, converter))
            for each in some
        )

    # --- texts ------------------------------------------------------------------------------------

    @property
    def now(self) -> At:
        return At(self, self.system.state("s"))

    @property
    def then(self) -> At:
        return At(self, self.system.state("n"))

    def definitions(self) -> str:
        """The age of the operation that is followed, and any words w of a result."""
        now = self.now
        kept = negation(any_of(now.is_("rst_ni", 0), now.high("choose")))
        runs = f"(ite (bvugt {now.own} {const(self.last, AGE)}) {now.own} (bvadd {now.own} {const(1, AGE)}))"
        begins = all_of(now.high(f"{CONTROL}start"), now.high("followed"))
        zero = equal(now.own, const(0, AGE))
        then = f"(ite {zero} (ite {begins} {const(1, AGE)} {const(0, AGE)}) {runs})"
        return (
            f"(declare-const age_s (_ BitVec {AGE}))\n"
            f"(define-fun age_n () (_ BitVec {AGE}) (ite {kept} {then} {const(0, AGE)}))\n"
            f"(declare-const w (_ BitVec {self.word * self.beats}))\n"
        )

    def wordof(self, term: str, k: int) -> str:
        return extract(term, (k + 1) * self.word - 1, k * self.word)

    def digitof(self, term: str, c: int) -> str:
        return extract(term, (c + 1) * self.digit - 1, c * self.digit)

    # --- the invariant ----------------------------------------------------------------------------

    PARTS: Mapping[str, tuple[str, ...]] = {
        "ages": ("ages", "slots"),
        "slots": ("ages", "slots"),
        "steps": ("ages", "slots", "gate", "steps"),
        "words of a context": ("words of a context", "gate", "slots"),
        "gate": ("gate", "words of a context", "slots", "ages", "words"),
        "context": ("words of a context", "context", "gate", "slots"),
        "words": ("ages", "slots", "gate", "words", "queue"),
        "queue": ("ages", "slots", "gate", "words", "queue"),
        "place": ("ages", "slots", "gate", "words", "queue", "place"),
        "operands": ("ages", "slots", "steps", "gate", "place", "operands"),
        "result": ("ages", "slots", "gate", "words", "queue", "place", "result"),
        "modulus": ("ages", "slots", "gate", "words", "words of a context", "context", "place", "modulus"),
    }
    """The parts, and for each those that it goes on holding with."""

    def part(self, at: At, name: str) -> str:
        return all_of(
            *{
                "ages": self._ages,
                "slots": self._slots,
                "steps": self._steps,
                "words of a context": self._context_words,
                "gate": self._gate,
                "context": self._context,
                "words": self._words,
                "queue": self._queue,
                "place": self._place,
                "operands": self._operands,
                "result": self._result,
                "modulus": self._modulus,
            }[name](at)
        )

    def _ages(self, at: At) -> Iterator[str]:
        """Lines and windows are open at their ages; no two operations are near."""
        for each in self.windows:
            line = f"{each.path}.line_q"
            yield from (
                equal(at.bit(line, j), at.age(each.base + j))
                for j in range(1, each.line + 1)
                if at.bit(line, j) != at.age(each.base + j)
            )
            on = at.some(range(each.first, each.base + each.line + 1))
            yield equal(at.is_(f"{each.path}.on_o", int(each.on)), on)
        yield from (
            equal(at.bit(f"{QUOTIENT}line_q", j), at.age(self.ending + j)) for j in range(1, DELAY + 6)
        )
        for b in range(1, self.last):
            near = range(b + 1, min(b + self.period, self.last + 1))
            yield implies(at.age(b), negation(at.some(near)))

    def _slots(self, at: At) -> Iterator[str]:
        """When the next one may start."""
        for b in range(1, self.period):
            waits = [at.is_(f"{CONTROL}wait_q", self.period - 2 - b)] if b < self.period - 1 else []
            over = at.is_(f"{CONTROL}over_q", int(b == self.period - 1))
            busy = at.high(f"{CONTROL}busy_q")
            yield implies(at.age(b), all_of(busy, over, at.is_(f"{CONTROL}ready_q", 0), *waits))
        yield equal(at.high(f"{CONTROL}busy_q"), at.some(range(1, self.period)))
        ending, steps = self.ending, self.steps
        yield equal(at.high(f"{CONTROL}run_q"), at.some(range(1, steps + 1)))
        yield equal(at.high(f"{CONTROL}ending_q"), at.age(ending))
        yield equal(at.high(f"{CONTROL}done_q"), at.age(steps))
        yield equal(at.is_(f"{CONTROL}between_q", 0), at.some(range(1, ending + 1)))
        most = 1 << self.system.signals[f"{CONTROL}left_q"]
        for b in range(1, steps + 1):
            yield implies(at.age(b), at.is_(f"{CONTROL}left_q", (ending - 1 - b) % most))

    def _steps(self, at: At) -> Iterator[str]:
        """Which digit of x is next, which half of the memory it is in, which K."""
        ending, running = self.ending, at.is_("rst_ni", 1)
        for b in range(ending + 1):
            when = at.age(b) if b else all_of(running, negation(at.some(range(1, ending + 1))))
            lane = at.is_(f"{CONTROL}lane_q", b % self.lanes)
            yield implies(when, all_of(at.is_(f"{CONTROL}x_word_q", b // self.lanes), lane))
        halves = f"(xor {at(f'{CONTROL}half_q')} {at(f'{CONTROL}half_x_q')})"
        yield equal(halves, at.some(range(1, ending + 1)))
        for j in range(DELAY + 2):
            others = range(ending + 1, ending + DELAY + 2)
            when = at.age(ending + j) if j else all_of(running, negation(at.some(others)))
            yield implies(when, at.is_(f"{SCHEDULE}k_addr_o", j))
            yield implies(at.age(ending + 1 + j), at.is_(f"{QUOTIENT}addr_q", min(j, DELAY)))

    def _positions(self, at: At) -> tuple[str, ...]:
        """Beats of a context that have come; that have been in the three stages."""
        come = f"(ite {at.high('whole')} {const(self.context, COUNT)} {at('ctx_at')})"
        found = [come]
        for flag in self._stages(at):
            found.append(f"(bvsub {found[-1]} {at.one(flag, COUNT)})")
        return tuple(found)

    @staticmethod
    def _stages(at: At) -> tuple[str, str, str]:
        """Whether a beat is in a stage behind the port."""
        second = any_of(*(at.high(f"{CONTEXT}{name}") for name in ("head_load_q", "k_load_q")))
        return at.high(f"{CONTROL}ctx_there_q"), second, negation(at.is_(f"{CONTEXT}k_here_o", 0))

    def _counters(self) -> Iterator[dict[str, int]]:
        """What the counters of a context are with each beat."""
        beat, number, m, following, final = 0, 0, 1, 0, 0
        for _ in range(self.context):
            names = ("ctx_beat_q", "number_q", "m_q", "next_q", "final_q")
            yield dict(zip(names, (beat, number, m, following, final), strict=True))
            if following:
                beat, number, m, following, final = 0, 0 if final else number + 1, final, 0, number == DELAY
            else:
                beat, following = beat + 1, beat == (self.heads if m else self.beats) - 2

    def _context_words(self, at: At) -> Iterator[str]:
        """Beats are counted as at the ports, in each stage."""
        here = at("ctx_at")
        yield f"(bvult {here} {const(self.context, COUNT)})"
        yield implies(at.high("whole"), at.is_("ctx_at", 0))
        yield equal(at.high(f"{CONTROL}u_gate.whole_q"), at.high("whole"))
        yield equal(at.wide(f"{CONTROL}ctx_count_q", COUNT), here)
        yield equal(at.high(f"{CONTROL}ctx_last_q"), at.is_("ctx_at", self.context - 1))
        (first, second, third), (come, q1, q2, q3) = self._stages(at), self._positions(at)
        yield implies(first, negation(equal(come, const(0, COUNT))))
        for i, counters in enumerate(self._counters()):
            when = [equal(q1, const(i, COUNT))] + ([equal(q1, const(self.context, COUNT))] if i == 0 else [])
            values = [at.is_(f"{CONTROL}{name}", int(value)) for name, value in counters.items()]
            yield implies(any_of(*when), all_of(*values))
        for i in range(self.context):
            head = i < self.heads
            flags = {"head_load_q": head, "k_load_q": not head, "m_load_o": i < self.beats}
            flags["c_load_o"] = self.beats <= i < self.heads
            values = [at.is_(f"{CONTEXT}{name}", int(value)) for name, value in flags.items()]
            if i < self.beats:
                values.append(at.is_(f"{CONTEXT}beat_o", i))
            yield implies(all_of(second, equal(q2, const(i, COUNT))), all_of(*values))
        for name in ("m_load_o", "c_load_o"):
            yield implies(all_of(at.is_("rst_ni", 1), at.high(f"{CONTEXT}{name}")), second)
        for i in range(1, self.heads + 1):
            here = at.is_(f"{QUOTIENT}write_addr_q", max(0, i - self.beats))
            yield implies(equal(q2, const(i, COUNT)), all_of(at.high(f"{QUOTIENT}part_q"), here))
        for i in range(self.heads, self.context):
            row, place = divmod(i - self.heads, self.beats)
            goes = all_of(at.is_(f"{CONTEXT}k_place_q", 1 << place), at.is_(f"{CONTEXT}k_write_q", row))
            yield implies(equal(q2, const(i, COUNT)), goes)
            goes = all_of(at.is_(f"{CONTEXT}k_here_o", 1 << place), at.is_(f"{CONTEXT}k_write_o", row))
            yield implies(all_of(third, equal(q3, const(i, COUNT))), goes)
        yield from (implies(all_of(third, equal(q3, const(i, COUNT))), "false") for i in range(self.heads))

    def _gate(self, at: At) -> Iterator[str]:
        """While words of operands come and operations are under way the context stays, whole."""
        part, full = at.high(f"{CONTROL}u_gate.in_part_q"), at.high(f"{CONTROL}full_q")
        first, second, third = self._stages(at)
        some = negation(at.is_(f"{CONTROL}ops_q", 0))
        opened = at.high(f"{CONTROL}u_gate.open_q")
        yield implies(any_of(part, full, some, opened), all_of(at.high("whole"), negation(first)))
        yield implies(any_of(part, full, some), negation(second))
        late = all_of(part, f"(bvugt {at('in_at')} {const(1, COUNT)})")
        yield implies(any_of(late, full, some), negation(third))
        yield equal(part, negation(at.is_("in_at", 0)))
        yield f"(bvult {at('in_at')} {const(self.beats, COUNT)})"
        yield equal(at.wide(f"{CONTROL}in_beat_q", COUNT), at("in_at"))
        yield equal(at.high(f"{CONTROL}in_last_q"), at.is_("in_at", self.beats - 1))
        yield from (implies(at.is_("in_at", k), at.is_(f"{ROW}place_q", 1 << k)) for k in range(self.beats))
        yield implies(full, negation(part))
        yield implies(opened, at.high(f"{CONTEXT}legal_o"))
        yield implies(part, opened)
        yield implies(at.high(f"{CONTROL}free_q"), negation(some))
        started = any_of(at.age(1), some)
        yield implies(at.age(1), some)
        yield implies(started, at.high("whole"))

    def k_stored(self, at: At, c: int, j: int) -> str:
        """What the memory of column c has of K[DELAY + 1 - j]."""
        return at(f"{ROW}gen_column[{c}].gen_digits.u_k.words[{j}]")

    def k_word(self, j: int, c: int) -> int:
        return self.heads + j * self.beats + c // self.lanes

    def lane(self, at: At, i: int, c: int) -> str:
        """The digit of beat i of the context that is in column c."""
        low = i * self.word + c % self.lanes * self.digit
        return extract(at("ctx"), low + self.digit - 1, low)

    def c_stored(self, at: At, j: int) -> str:
        return at(f"{QUOTIENT}gen_part[0].u_c.words[{j}]")

    def c_number(self, at: At, j: int) -> str:
        low = (self.beats + j) * self.word
        return extract(at("ctx"), low + self.quotient - 1, low)

    def m_stored(self, at: At, k: int) -> str:
        return at(f"{CONVERTER}u_m_words.words[{k}]")

    def _context(self, at: At) -> Iterator[str]:
        """Words of the context are stored, or in a stage."""
        first, second, third = self._stages(at)
        _, q1, q2, q3 = self._positions(at)
        for i in range(self.context):
            word, here = self.wordof(at("ctx"), i), const(i, COUNT)
            yield implies(all_of(first, equal(q1, here)), equal(at(f"{CONTEXT}data_q"), word))
            yield implies(all_of(second, equal(q2, here)), equal(at(f"{CONTEXT}word_o"), word))
            yield implies(all_of(third, equal(q3, here)), equal(at(f"{CONTEXT}k_word_o"), word))
        for i in range(self.heads):
            if i < self.beats:
                there = equal(self.m_stored(at, i), self.wordof(at("ctx"), i))
            else:
                there = equal(self.c_stored(at, i - self.beats), self.c_number(at, i - self.beats))
            yield implies(f"(bvslt {const(i, COUNT)} {q2})", there)
        for j in range(DELAY + 1):
            for c in range(self.steps):
                i = self.k_word(j, c)
                there = equal(self.k_stored(at, c, j), self.lane(at, i, c))
                yield implies(f"(bvslt {const(i, COUNT)} {q3})", there)

    def _words(self, at: At) -> Iterator[str]:
        """Words of results are counted as at the ports, and there is room for them."""
        ops, leaves = at.wide(f"{CONTROL}ops_q", SUM), at.one(at.high(f"{CONTROL}leaves_q"), SUM)
        left = f"(bvmul {const(self.beats, SUM)} (bvsub {ops} {leaves}))"
        yield equal(f"(bvadd {at.queued} {at.due()})", f"(bvsub {left} {at.wide('out_at', SUM)})")
        full = at.one(at.high(f"{CONTROL}full_q"), SUM)
        yield equal(f"(bvadd (bvsub {ops} {leaves}) {full})", at.wide("count", SUM))
        yield f"(bvule {ops} {const(SLOTS, SUM)})"
        yield f"(bvule {leaves} {ops})"
        room = any_of(at.high(f"{CONTROL}ready_q"), all_of(at.high(f"{CONTROL}room_q"), negation(at.age(1))))
        yield implies(room, f"(bvult {ops} {const(SLOTS, SUM)})")
        yield equal(at.wide(f"{QUEUE}out_beat_q", COUNT), at("out_at"))
        yield f"(bvult {at('out_at')} {const(self.beats, COUNT)})"

    def _queue(self, at: At) -> Iterator[str]:
        """The flags of the queue say how many words are in its memory."""
        bits = self.queue_bits
        yield equal(at.high(f"{QUEUE}none_q"), equal(at.stored, const(0, bits)))
        yield equal(at.high(f"{QUEUE}one_q"), equal(at.stored, const(1, bits)))
        yield equal(at(f"{QUEUE}beyond_q"), f"(bvadd {at(f'{QUEUE}read_q')} {const(2, bits)})")
        yield f"(bvule {at.stored} {const(1 << (bits - 1), bits)})"

    def _place(self, at: At) -> Iterator[str]:
        """Where the operation is that is followed, and which words go out before its own."""
        followed, coming = at.high("followed"), at.high("coming")
        full, part = at.high(f"{CONTROL}full_q"), at.high(f"{CONTROL}u_gate.in_part_q")
        yield implies(coming, all_of(followed, part, at.at(0)))
        waits = all_of(followed, equal(at.own, const(0, AGE)))
        yield implies(all_of(waits, negation(coming)), full)
        counted = f"(bvadd {at('ahead')} {at.one(all_of(waits, negation(coming)), COUNT_BITS)})"
        yield implies(waits, equal(at("count"), counted))
        yield implies(followed, f"(bvule {at.own} {const(self.last + 1, AGE)})")
        yield from (implies(at.at(b), at.age(b)) for b in range(1, self.last + 1))
        before = f"(bvadd {at.queued} {at.due(at.own)})"
        yield implies(at.within(0, self.out), equal(at.distance, before))
        for k in range(1, self.beats):
            written = f"(bvadd {at.distance} {const(k, SUM)})"
            yield implies(at.at(self.out + k), equal(written, at.queued))
        whole = f"(bvadd {at.distance} {const(self.beats, SUM)})"
        yield implies(at.at(self.last + 1), f"(bvsle {whole} {at.queued})")
        yield implies(at.at(self.last + 1), f"(bvslt {const(0, SUM)} {whole})")

    def _seen(self, at: At, half: str, k: int) -> str:
        """That word k of x is in a half of the memory, or on its way there."""
        bits = (self.beats - 1).bit_length()
        beat = equal(at(f"{DIGITS}in_beat_q"), const(k, bits))
        comes = all_of(at.high(f"{DIGITS}in_q"), beat, equal(at.high(f"{DIGITS}half_in_q"), half))
        words = (at(f"{DIGITS}u_x.words[{(h << bits) + k}]") for h in (1, 0))
        here = f"(ite {half} {' '.join(words)})"
        return equal(f"(ite {comes} {at(f'{DIGITS}x_in_q')} {here})", self.wordof(at("x"), k))

    def y_next(self, at: At, c: int) -> str:
        return at(f"{ROW}gen_column[{c}].gen_digits.gen_y_register.y_next_q")

    def _operands(self, at: At) -> Iterator[str]:
        """Where the words of the operands are."""
        came, later = all_of(at.is_("rst_ni", 1), at.high(f"{DIGITS}in_q")), at.high(f"{CONTROL}half_q")
        same = equal(at.high(f"{DIGITS}half_in_q"), later)
        for k in range(self.beats):
            beat = at.is_(f"{DIGITS}in_beat_q", (k - 1) % self.beats)
            waits = all_of(at.high(f"{CONTROL}full_q"), same)
            half = same if k else any_of(waits, all_of(at.age(1), negation(same)))
            yield implies(all_of(came, at.is_("in_at", k)), all_of(beat, half))
        coming, waits = at.high("coming"), all_of(at.at(0), negation(at.high("coming")))
        running = at.within(1, self.ending)
        for k in range(self.beats):
            come = all_of(coming, f"(bvugt {at('in_at')} {const(k, COUNT)})")
            there = any_of(come, waits)
            yield implies(there, self._seen(at, later, k))
            yield implies(running, self._seen(at, at.high(f"{CONTROL}half_x_q"), k))
            for c in range(k * self.lanes, min((k + 1) * self.lanes, self.steps)):
                digit = self.digitof(at("y"), c)
                yield implies(there, equal(self.y_next(at, c), digit))
                y = at(f"{ROW}gen_column[{c}].gen_digits.y_q")
                yield implies(at.within(1, self.steps), equal(y, digit))
        digit = at(f"{DIGITS}x_q")
        yield from (implies(at.at(t + 1), equal(digit, self.digitof(at("x"), t))) for t in range(self.steps))

    def _result(self, at: At) -> Iterator[str]:
        """Words of the result are in the queue, in their order, or out."""
        bits = self.queue_bits
        valid, following = at.high(f"{QUEUE}valid_q"), at.high(f"{QUEUE}next_there_q")
        for i in range(self.beats):
            word = self.wordof("w", i)
            written = at.within(self.out + i + 1, self.last + 1)
            place = f"(bvadd {at.distance} {const(i, SUM)})"
            gone = f"(bvslt {place} {const(0, SUM)})"
            yield implies(all_of(written, gone), equal(self.wordof(at("z"), i), word))
            here, zero = all_of(written, negation(gone)), const(0, SUM)
            yield implies(all_of(here, valid, equal(place, zero)), equal(at(f"{QUEUE}z_q"), word))
            behind = f"(bvsub {place} {at.one(valid, SUM)})"
            is_next = all_of(following, equal(behind, zero))
            port = all_of(valid, equal(place, zero))
            yield implies(all_of(here, negation(port), is_next), equal(at(f"{QUEUE}next_q"), word))
            index = f"(bvsub {behind} {at.one(following, SUM)})"
            slot = f"(bvadd {at(f'{QUEUE}read_q')} {extract(index, bits - 1, 0)})"
            low = extract(slot, bits - 2, 0)
            stored = all_of(here, negation(port), negation(is_next))
            for k in range(1 << (bits - 1)):
                found = equal(at(f"{QUEUE}u_z.words[{k}]"), word)
                yield implies(all_of(stored, equal(low, const(k, bits - 1))), found)
        yield implies(at.high("given"), equal(at("z"), "w"))

    def m_line(self, at: At, j: int) -> str:
        return self.wordof(at(f"{CONVERTER}m_line_q"), j)

    def m_number(self, at: At, k: int) -> str:
        """Word k of M, 0 where there is none."""
        return self.wordof(at("ctx"), k) if 0 <= k < self.beats else const(0, self.word)

    def _modulus(self, at: At) -> Iterator[str]:
        """Where the words of M are while the converter works."""
        first = self.convert + 2
        yield equal(at.high(f"{CONVERTER}m_there_q"), at.some(range(first, first + self.beats)))
        for k in range(self.beats):
            yield implies(at.age(first - 1 + k), at.is_(f"{CONVERTER}m_addr_q", k))
            here = equal(at(f"{CONVERTER}m_word_q"), self.m_number(at, k))
            yield implies(at.at(first + k), here)
        for b in range(self.zero - 2, self.last + 1):
            for j in range(self.shift + 1):
                k = b - self.zero - j
                if -2 <= k <= self.words:
                    yield implies(at.at(b), equal(self.m_line(at, j), self.m_number(at, k)))

    def produced(self, at: At) -> str:
        """That w is what the converter puts out."""
        return all_of(
            *(
                implies(at.at(self.out + k), equal(at(f"{CONVERTER}z_o"), self.wordof("w", k)))
                for k in range(self.beats)
            )
        )

    def journey(self) -> Iterator[Obligation]:
        """That the invariant holds for ever."""
        now, then = self.now, self.then
        for name, known in self.PARTS.items():
            reset = (now.is_("rst_ni", 0), negation(self.part(now, name)))
            yield Obligation("invariant", f"{name} holds in reset", "bitwuzla", (self.text(*reset),))
            more = [self.produced(now)] if name == "result" else []
            hold = [self.part(now, each) for each in known]
            runs = (self.system.step, then.is_("rst_ni", 1))
            goals = [self.part(then, name)]
            if name == "result":  # word by word
                every = list(self._result(then))
                size = len(every) // self.beats
                goals = [all_of(*every[k : k + size]) for k in range(0, len(every), size)]
            texts = tuple(self.text(*runs, *hold, *more, negation(goal)) for goal in goals)
            yield Obligation("invariant", f"{name} goes on holding", "bitwuzla", texts)
