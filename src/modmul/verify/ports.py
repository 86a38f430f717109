# SPDX-License-Identifier: Apache-2.0
"""The ports of a simulated core, driven cycle by cycle, with the rules of the contract watched in each.

The harness drives long streams of operations; here contexts, operands, results and resets meet each other in
any cycle. The driver keeps its own rules (what is valid stays and does not change until it is taken; ports
that are not valid hold random bits) and raises :class:`VerificationError` when the core breaks one of its.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from modmul.core import Config, Core, Polynomial
from modmul.verify import bins
from modmul.verify.failures import VerificationError
from modmul.verify.simulation import Simulation
from modmul.verify.simulator import covered

__all__ = ["Context", "Ports", "random_controls", "shown", "told"]

PATIENCE = 4
"""Cycles that an idle core may take to accept a beat of a context, besides ``Interface.context_wait``."""


def shown(modulus: int) -> str:
    """A modulus for a message that can be typed in again."""
    return repr(modulus) if isinstance(modulus, Polynomial) else hex(modulus)


def told(at: Config) -> str:
    """The run-time fields of a configuration, for a message."""
    return "".join(f", {name} = {value}" for name, value in at.runtime().items())


def random_controls(core: Core, count: int, rng: random.Random) -> dict[str, list[bool]]:
    """Random values of each control, by its field, for ``count`` operations in a row.

    Where results depend on earlier operations, all are low in the first.
    """
    first = int(core.interface.remembers)
    return {
        c.field: [turn >= first and rng.random() < 0.5 for turn in range(count)]
        for c in core.interface.controls
    }


@dataclass(frozen=True)
class Context:
    """A context to load.

    Attributes:
        beats: in the order of loading.
        modulus: what it is of; ``None`` for one that the core must refuse.
    """

    beats: Sequence[int]
    modulus: int | None

    def __str__(self) -> str:
        beats = " ".join(f"{beat:x}" for beat in self.beats)
        return f"the illegal context {beats}" if self.modulus is None else f"M = {shown(self.modulus)}"


@dataclass
class _Operation:
    """One pair of operands, and how far its result has come."""

    x: int
    y: int
    controls: dict[str, bool]
    modulus: int = 0
    at: Config | None = None  # from its first beat on
    sent: int = 0
    last: int = 0  # the cycle of its last beat
    alone: bool = True
    shown: bool = False  # its result
    given: int = 0
    result: int = 0
    idle: tuple[int, int] = (0, 0)  # cycles without a beat that was wanted: before the first, and later
    stalled: tuple[int, int] = (0, 0)

    @property
    def whole(self) -> bool:
        """All its beats have come."""
        return self.at is not None and self.sent == self.at.beats


class Ports:
    """A simulated core from reset on.

    ``context`` and ``operands`` say what comes next; ``cycle`` offers a beat of it, or not.

    Args:
        simulation: is reset.
        rng: of operands, controls, and of the bits of ports that are not valid.

    Attributes:
        done: operations whose whole result was taken and right.
        in_flight: operations from their first operand beat to the last beat of their result, oldest first.
        taken: result beats taken of the oldest.
    """

    def __init__(self, simulation: Simulation, rng: random.Random) -> None:
        self.simulation, self.rng = simulation, rng
        self.core, self.config = simulation.room.core, simulation.config
        self.done = 0
        found = covered()
        self._bins = None if found is None else found.bins
        self._was = "reset"  # what the context before was
        self._idle = 0  # cycles in which the first beat of operands was wanted and none was there
        self._parallel = "Word" not in self.config.parameters() and self.config.word == self.config.width
        self._clock = 0
        self._context: Context | None = None
        self._loaded: Context | None = None
        self._next: _Operation | None = None
        whole = self.core.interface.latency(self.config) + self.core.interface.interval(self.config)
        words = self.config.beats + len(self.of(self.core.function.some_modulus(self.config)).beats)
        self._pause = self.core.interface.context_wait(self.config)
        self._holds = self.core.interface.in_flight(self.config)
        self._patience = 100 + 4 * (whole * self._holds + words) + self._pause
        self.reset()

    # --- what comes next --------------------------------------------------------------------------

    def of(self, modulus: int) -> Context:
        """The context of a modulus that the build serves."""
        return Context(self.core.interface.context(self.config.at(modulus), modulus), modulus)

    def context(self, context: Context) -> None:
        """The context to load next. The one before has been loaded whole, or a reset has ended it."""
        assert not self.context_left
        self._context = context
        self._context_at = 0

    def operands(self, *moduli: int) -> None:
        """The operands that come next, legal for each of these moduli (one, or those around a context)."""
        limit = 1 + min(self.core.function.operand_max(self.config.at(m), m) for m in moduli)
        x, y = self.rng.randrange(limit), self.rng.randrange(limit)
        # None depends on earlier operations: a context may still come before these.
        controls = {c.field: not c.depends and self.rng.random() < 0.5 for c in self.core.interface.controls}
        self._next = _Operation(x, y, controls)

    @property
    def context_left(self) -> int:
        """Beats of the context that have not been taken."""
        return 0 if self._context is None else len(self._context.beats) - self._context_at

    @property
    def operand_beats(self) -> int:
        """Beats of the operands on their way that have been taken; 0 when none or all have."""
        return self._next.sent if self._next else 0

    @property
    def operands_left(self) -> bool:
        """Whether beats of the operands have not been taken."""
        return self._next is not None

    @property
    def has_result(self) -> bool:
        """Whether a result is shown and has not been taken."""
        return self._stalled is not None

    @property
    def waited(self) -> int:
        """Cycles in which the core has been ready for operands and none have come."""
        return self._idle

    @property
    def taken(self) -> int:
        return self.in_flight[0].given if self.in_flight else 0

    @property
    def phase(self) -> str:
        """What the core is doing, for coverage."""
        if self.context_left and self._context_at:
            return "in context"
        if self._loaded is None:
            return "no context"
        if not self.in_flight:
            if self._after < 2:
                return "checking"
            return "refused" if self._loaded.modulus is None else "idle"
        if self.operand_beats:
            return "in operands"
        if self.taken:
            return "in result"
        return "result" if self.has_result else "computing"

    def _count(self, *names: str) -> None:
        if self._bins is not None:
            self._bins.update(names)

    # --- reset ------------------------------------------------------------------------------------

    def reset(self) -> None:
        """One clock cycle of reset, with all valids low: whatever was on its way is gone."""
        self.simulation.reset()
        self._driven: dict[str, int] = {}
        self._context = self._loaded = self._next = None
        self._context_at = 0
        self._loaded_at = 0  # the cycle of its last beat
        self._error = False
        self._verdicts: dict[int, bool] = {}  # what ctx_error_o becomes in which cycle
        self._refused = 0  # cycles that a context has waited for an idle core
        self.in_flight: list[_Operation] = []
        self._offering = {"ctx_valid_i": False, "in_valid_i": False}
        self._stalled: int | None = None
        self._was, self._idle = "reset", 0

    def reset_at_once(self) -> None:
        """The same, and reset works without a clock edge."""
        self._count(f"reset, {self.phase}")
        for port in ("ctx_valid_i", "in_valid_i", "out_ready_i", "rst_ni"):
            self._poke(port, 0)
        for port, right in (("ctx_error_o", 0), ("out_valid_o", 0), ("in_ready_o", 0), ("ctx_ready_o", 1)):
            if self.simulation.peek(port) != right:
                raise self._wrong(f"{port} is not {right} at once in reset")
        self.reset()

    # --- a clock cycle ----------------------------------------------------------------------------

    def cycle(
        self, *, context: bool = False, operands: bool = False, ready: bool = False, probe: bool = False
    ) -> None:
        """One clock cycle.

        Args:
            context: offer a beat of the context, if one is left.
            operands: offer a beat of the operands, if one is left.
            ready: take a beat of a result, if one is there.
            probe: also look which outputs change with which inputs within the cycle.
        """
        self._error = self._verdicts.pop(self._clock, self._error)
        phase = self.phase
        self._drive(context, operands, ready)
        for what, port in (("context", "ctx_valid_i"), ("operands", "in_valid_i")):
            if self._offering[port]:
                self._count(f"{what} offered, {phase}")
        offers = self._offering["ctx_valid_i"], self._offering["in_valid_i"]
        if probe:
            self._probe(ready)
        ctx_ready, in_ready, ctx_error, out_valid = map(
            bool, map(self.simulation.peek, ("ctx_ready_o", "in_ready_o", "ctx_error_o", "out_valid_o"))
        )
        show = self._result(out_valid, ready)
        self._watch_context(ctx_ready, ctx_error)
        self._watch_operands(in_ready, leaving=show and ready)
        self._waits(in_ready and not offers[1], show and not ready)
        self.simulation.edge()
        if show and ready:
            self._take()
        if offers[0] and ctx_ready:
            self._load()
        if offers[1] and in_ready:
            self._accept()
        self._clock += 1

    def until(
        self,
        reached: Callable[[], bool],
        *,
        context: bool = False,
        operands: bool = False,
        ready: float = 0,
    ) -> None:
        """Clock cycles until something is reached, which the core has to do in time.

        ``ready`` is the chance of a cycle in which a beat of a result can be taken.
        """
        for _ in range(self._patience):
            if reached():
                return
            self.cycle(context=context, operands=operands, ready=self.rng.random() < ready)
        raise self._wrong("no progress")

    def idle(self, cycles: int, *, operands: bool = False) -> None:
        """Clock cycles in which nothing comes, or operands are offered."""
        for _ in range(cycles):
            self.cycle(operands=operands)

    def start(self, modulus: int) -> None:
        """The whole context of a modulus."""
        self.context(self.of(modulus))
        self.load()

    def load(self, beats: int | None = None, *, operands: bool = False) -> None:
        """The context that comes next, or the first beats of it."""
        self.until(
            lambda: not self.context_left or self._context_at == beats, context=True, operands=operands
        )

    def send(self, beats: int | None = None) -> None:
        """The operands that come next, or the first beats of them."""
        self.until(lambda: not self.operands_left or self.operand_beats == beats, operands=True)

    def fill(self, count: int, *moduli: int) -> None:
        """Operands as often as said and as the core accepts them while no result is taken."""
        for _ in range(count):
            self.operands(*moduli)
            for _ in range(self._patience // 4):
                if self.operands_left:
                    self.cycle(operands=True)
            if self.operands_left:
                return

    def collect(self, beats: int) -> None:
        """Wait for a result, and take so many beats of it."""
        self.until(lambda: self.has_result)
        self.until(lambda: self.taken == beats or not self.in_flight, ready=1)

    def finish(self) -> None:
        """Send the operands that are left, and take all results."""
        self.until(lambda: not self.in_flight and not self._next, operands=True, ready=1)

    # --- the inputs -------------------------------------------------------------------------------

    def _poke(self, port: str, value: int) -> None:
        if self._driven.get(port) != value:
            self._driven[port] = value
            self.simulation.poke(port, value)

    def _drive(self, context: bool, operands: bool, ready: bool) -> None:
        held = dict(self._offering)
        self._offering["ctx_valid_i"] |= context and self.context_left > 0
        self._offering["in_valid_i"] |= operands and self._next is not None
        for port, offered in self._offering.items():
            self._poke(port, int(offered))
            if not (offered and held[port]):
                for name, value in self._data(port, offered):
                    self._poke(name, value)
        self._poke("out_ready_i", int(ready))

    def _data(self, port: str, offered: bool) -> Iterator[tuple[str, int]]:
        """What the ports beside a valid hold: a beat, or random bits."""
        word = self.config.word
        if port == "ctx_valid_i":
            beat = self._context.beats[self._context_at] if offered and self._context else None
            yield "ctx_data_i", self.rng.getrandbits(word) if beat is None else beat
            return
        op = self._next if offered else None
        for name in ("x_i", "y_i"):
            bits = self.rng.getrandbits(word)
            if op:
                bits = self.core.interface.encode(self.config, getattr(op, name[0])) >> (op.sent * word)
            yield name, bits & ((1 << word) - 1)
        for control in self.core.interface.controls:  # where ignored, wrong
            ignored = control.first_beat and op is not None and op.sent > 0
            value = op.controls[control.field] ^ ignored if op else self.rng.random() < 0.5
            yield control.name, int(value)

    def _probe(self, ready: bool) -> None:
        """Outputs come from registers, but for what in_ready_o may depend on."""
        before = dict(self._driven)
        seen: dict[str, int] = {}
        ready_at: dict[tuple[int, ...], int] = {}
        for valids in product((0, 1), repeat=3):
            for port, value in zip(("ctx_valid_i", "out_ready_i", "in_valid_i"), valids, strict=True):
                self._poke(port, value)
            for port in ("ctx_data_i", "x_i", "y_i"):
                self._poke(port, self.rng.getrandbits(self.config.word))
            for control in self.core.interface.controls:
                self._poke(control.name, self.rng.getrandbits(1))
            for port in ("ctx_ready_o", "ctx_error_o", "out_valid_o", "z_o"):
                if seen.setdefault(port, value := self.simulation.peek(port)) != value:
                    raise self._wrong(f"{port} depends on inputs in the same cycle")
            allowed = valids[: 2 if self._parallel else 1]
            value = self.simulation.peek("in_ready_o")
            if ready_at.setdefault(allowed, value) != value:
                raise self._wrong("in_ready_o depends on more inputs than it may in the same cycle")
        for port, value in before.items():
            self._poke(port, value)

    # --- the rules --------------------------------------------------------------------------------

    def _wrong(self, text: str) -> VerificationError:
        seed = self.simulation.seed
        return VerificationError(
            f"{self.core.slug} ({self.config}): {text} (cycle {self._clock} from reset, seed {seed})"
        )

    @property
    def _after(self) -> int:
        """Cycles since the last beat of the context."""
        return self._clock - self._loaded_at

    @property
    def _begun(self) -> bool:
        """Whether a first operand beat has been taken whose result has not."""
        return bool(self.in_flight)

    def _watch_context(self, ctx_ready: bool, ctx_error: bool) -> None:
        if ctx_error != self._error:
            state = "high" if ctx_error else "low"
            raise self._wrong(f"ctx_error_o is {state} {self._about_the_context()}")
        if ctx_ready and self._begun:
            raise self._wrong("a context is accepted during an operation")
        waits = self._offering["ctx_valid_i"] and not ctx_ready and not self._begun
        self._refused = self._refused + 1 if waits else 0
        if self._refused > PATIENCE + self._pause:
            raise self._wrong("an idle core does not accept a context")

    def _watch_operands(self, in_ready: bool, *, leaving: bool) -> None:
        offered = self._offering["in_valid_i"]
        first = self.operand_beats == 0
        waiting = self._offering["ctx_valid_i"]
        loaded = self._loaded
        if in_ready and self._error:
            raise self._wrong("in_ready_o is high while ctx_error_o is")
        if in_ready and offered:
            if loaded is None or loaded.modulus is None or self._after < 2:
                raise self._wrong(f"operands are accepted {self._about_the_context()}")
            if first and waiting:
                raise self._wrong("operands go before a waiting context")
            if first and len(self.in_flight) == self._holds and not self._room(leaving):
                raise self._wrong("operands are accepted before there is room for them")
        due = loaded and loaded.modulus is not None and self._after >= 2 and not self._begun and not waiting
        if offered and first and due and not in_ready:
            raise self._wrong(f"operands are not accepted {self._about_the_context()}")

    def _room(self, leaving: bool) -> bool:
        """Whether a full core may accept operands in the cycle in which a beat of a result leaves."""
        oldest = self.in_flight[0]
        assert oldest.at is not None
        may = self._parallel or self._holds > 1
        return may and leaving and oldest.given + 1 == oldest.at.beats

    def _about_the_context(self) -> str:
        if self._loaded:
            return f"in cycle t + {self._after} of {self._loaded}"
        if self._context is not None and self._context_at:
            return f"with {self._context_at} of {len(self._context.beats)} beats of {self._context}"
        return "after reset, without a context"

    def _result(self, out_valid: bool, ready: bool) -> bool:
        """Look at the result port; whether a result is shown."""
        if not out_valid:
            if self._stalled is not None:
                raise self._wrong("out_valid_o fell before its result was taken")
            return False
        oldest = self.in_flight[0] if self.in_flight else None
        if oldest is None or not oldest.whole:
            raise self._wrong("a result without operands")
        assert oldest.at is not None
        if not oldest.shown:
            oldest.shown = True
            latency, declared = self._clock - oldest.last, self.core.interface.latency(oldest.at)
            if oldest.alone and latency != declared:
                raise self._wrong(f"latency {latency} cycles, the metadata says {declared}{told(oldest.at)}")
        z = self.simulation.peek("z_o")
        if self._stalled not in (None, z):
            raise self._wrong("z_o changed while it was stalled")
        self._stalled = None if ready else z
        if ready:
            oldest.result |= z << (oldest.given * self.config.word)
        return True

    def _waits(self, idle: bool, stalled: bool) -> None:
        """Count a cycle in which the core waits for a beat of operands, or for a result to be taken."""
        if idle and self._next is not None and self._next.sent:
            self._next.idle = self._next.idle[0], self._next.idle[1] + 1
        elif idle:
            self._idle += 1
        if stalled:
            first, later = self.in_flight[0].stalled
            self.in_flight[0].stalled = (first, later + 1) if self.taken else (first + 1, later)

    # --- what has changed hands -------------------------------------------------------------------

    def _load(self) -> None:
        """A context beat was taken."""
        self._offering["ctx_valid_i"] = False
        self._context_at += 1
        self._loaded = None
        if not self.context_left and self._context:
            is_ = "illegal" if self._context.modulus is None else "legal"
            self._count(f"context, {is_} after {self._was}")
            self._was, self._idle = is_, 0
            self._loaded, self._loaded_at = self._context, self._clock
            self._verdicts[self._clock + 2] = self._context.modulus is None

    def _accept(self) -> None:
        """An operand beat was taken."""
        op = self._next
        assert op is not None and self._loaded is not None and self._loaded.modulus is not None
        self._offering["in_valid_i"] = False
        if op.at is None:
            op.modulus = self._loaded.modulus
            op.at = self.config.at(op.modulus, **op.controls)
            op.alone = not self.in_flight
            for other in self.in_flight:
                other.alone = False
            self.in_flight.append(op)
            op.idle, self._idle = (self._idle, 0), 0
            self._count(f"in flight, {len(self.in_flight)}")
        op.sent += 1
        if op.whole:
            op.last = self._clock
            self._next = None

    def _take(self) -> None:
        """A result beat was taken."""
        op = self.in_flight[0]
        assert op.at is not None
        op.given += 1
        if op.given < op.at.beats:
            return
        self.in_flight.pop(0)
        self.done += 1
        if self._bins is not None:
            self._count(*self._of(op))
        what = f"M = {shown(op.modulus)}, x = {op.x:#x}, y = {op.y:#x}{told(op.at)}"
        if op.result >> op.at.bits:
            raise self._wrong(f"{what}: z_o has bits above the operand")
        right = self.core.function.answer(op.at, op.modulus, op.x, op.y)
        result = self.core.interface.decode(op.at, op.result)
        if result != right and not self.core.function.accepts(op.at, op.modulus, right, result):
            raise self._wrong(f"{what}: hardware says {result:#x}, right is {right:#x}")

    def _of(self, op: _Operation) -> Iterator[str]:
        """The bins of an operation that has ended."""
        assert op.at is not None
        yield bins.lasting("idle before operands", op.idle[0])
        yield bins.lasting("result stalled", op.stalled[0])
        if op.at.beats > 1:
            yield bins.lasting("idle inside operands", op.idle[1])
            yield bins.lasting("stalled inside a result", op.stalled[1])
        yield f"operation, idle {bins.pattern(*op.idle)}, stalled {bins.pattern(*op.stalled)}"
        yield from bins.operands(self.core, op.at, op.modulus, op.x, op.y, op.controls)
