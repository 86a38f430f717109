# SPDX-License-Identifier: Apache-2.0
"""What a shell on a bus promises (docs/bus.md), as checks of a simulated device; mutants are for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import cast

from registers import address, described, registers, reset

from modmul.bus.device import BusError, Device
from modmul.bus.registers import Code, Control, IrqStatus, Kind, Register, Release, Status
from modmul.bus.shell import Shell
from modmul.bus.simulated import Simulated
from modmul.core import PRIME_FIELD, Config, Polynomial, ceil_div
from modmul.design import Design
from modmul.verify.simulator import Model

OKAY, SLVERR = 0, 2
EXAMPLES = 4
"""Moduli of those that a build has as examples."""
WINDOW = range(0x1000, 0x2000, 4)


PORTS = {"b": ("b_resp_o",), "r": ("r_resp_o", "r_data_o"), "m": ("m_data_o", "m_last_o")}
"""Outputs with valid and ready, and what they carry."""
ASKED = {"b": ("aw", "w"), "r": ("ar",), "m": ()}
"""What each responds to."""


class Guard:
    """A model, and somebody who watches the rules of AXI at its outputs in every clock cycle.

    What is offered stays until it is taken, and there is no response that was not asked for.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.peek = model.peek
        self.driven = {f"{port}_ready_i": 0 for port in PORTS}
        self.forget()

    def forget(self) -> None:
        """As after a reset."""
        self.held: dict[str, tuple[int, ...]] = {}
        self.open = dict.fromkeys(("aw", "w", "ar"), 0)

    def poke(self, port: str, value: int) -> None:
        self.driven[port] = value
        self.model.poke(port, value)
        if port == "rst_ni":
            self.forget()

    def edge(self, count: int = 1) -> None:
        for _ in range(count):
            if self.driven.get("rst_ni", 1):
                self.look()
            self.model.edge()

    def look(self) -> None:
        """At the ports before a clock edge."""
        for port, data in PORTS.items():
            valid, held = self.peek(f"{port}_valid_o"), self.held.pop(port, None)
            if not valid and held is None:
                continue
            shown = tuple(map(self.peek, data))
            if not valid or held not in (None, shown):
                raise BusError(f"what port {port} offered fell or changed")
            if not all(self.open[channel] for channel in ASKED[port]):
                raise BusError(f"port {port} responds to nothing")
            if not self.driven[f"{port}_ready_i"]:
                self.held[port] = shown
            else:
                for channel in ASKED[port]:
                    self.open[channel] -= 1
        for channel in self.open:
            if self.driven.get(f"{channel}_valid_i") and self.peek(f"{channel}_ready_o"):
                self.open[channel] += 1


class Watched(Simulated):
    """A simulated device behind a :class:`Guard`, with a slow master at its registers."""

    def __init__(self, shell: Shell, *, seed: int = 1, design: Design | None = None) -> None:
        super().__init__(shell, seed=seed, design=design, slow=Random(seed))
        self.model = cast(Model, Guard(self.model))


class Traffic:
    """Frames for a shell, and the answers that they must have."""

    def __init__(self, shell: Shell, random: Random) -> None:
        self.shell, self.random = shell, random
        self.build = shell.build
        self.function = self.build.core.function
        self.modulus = 0  # of the context that the device holds
        self.at: Config = self.build.config
        self.tag = 0

    def header(self, kind: int, controls: int = 0) -> int:
        self.tag = (self.tag + 1) % (1 << 16)
        return kind | controls << 8 | self.tag << 16

    def answer(self, kind: int, code: Code, words: Sequence[int] = ()) -> list[int]:
        return [code | kind << 8 | self.tag << 16, *words]

    def new_modulus(self) -> int:
        """An example of the build's own, else any, of any length where the core takes it from the context."""
        config = self.build.config
        if (examples := self.function.tried(config)) is not None:
            return self.random.choice([*islice(examples, EXAMPLES)])
        while True:
            bits = self.random.randint(2, config.width) if self.shell.lengths else config.width
            found = self.random.getrandbits(bits) | 1 << (bits - 1) | 1
            if config.fields != (PRIME_FIELD,) and self.random.choice(config.fields) != PRIME_FIELD:
                found = Polynomial(found | 1 << bits)
            if self.function.serves(config, found):
                return found

    def context(self, modulus: int) -> tuple[list[int], list[int]]:
        frame = [self.header(Kind.CONTEXT), *self.shell.context(modulus)]
        self.modulus, self.at = modulus, self.build.config.at(modulus)
        return frame, self.answer(Kind.CONTEXT, Code.OK)

    def refused(self, frame: Sequence[int], code: Code) -> tuple[list[int], list[int]]:
        """A context that is wrong: the device then has none."""
        self.modulus = 0
        return [self.header(Kind.CONTEXT), *frame], self.answer(Kind.CONTEXT, code)

    def words(self, value: int) -> list[int]:
        return self.shell.words(value, self.at.bits)

    def operands(self) -> tuple[int, int]:
        if self.function.draw:
            [pair] = self.function.drawn(self.at, self.modulus, self.random, 1)
            return pair
        most = self.function.operand_max(self.at, self.modulus)
        x, y = (self.random.choice((0, most, self.random.randint(0, most))) for _ in "xy")
        return x, y

    def operation(self) -> tuple[list[int], list[int]]:
        """A right one; of a core whose results are not reduced the answer may be another of their class."""
        x, y = self.operands()
        known = self.build.core.interface.controls  # those that depend on earlier operations stay low
        controls = {c.field: self.random.random() < 0.5 and not c.depends for c in known}
        mask = sum(int(controls[control.field]) << k for k, control in enumerate(known))
        at = self.build.config.at(self.modulus, **controls)
        z = self.function.answer(at, self.modulus, x, y, {})
        frame = [self.header(Kind.OPERATION, mask), *self.words(x), *self.words(y)]
        if not self.modulus:
            return frame, self.answer(Kind.OPERATION, Code.NO_CONTEXT)
        return frame, self.answer(Kind.OPERATION, Code.OK, self.words(z))

    def bad_operation(self, code: Code) -> tuple[list[int], list[int]]:
        """An operation that is wrong in this way."""
        x, y = self.operands() if self.modulus else (0, 0)
        body = [*self.words(x), *self.words(y)]
        controls = 0
        if code is Code.SHORT:
            body = body[: self.random.randrange(len(body))]
        elif code is Code.LONG:
            body += [self.random.getrandbits(self.shell.bus) for _ in range(self.random.randint(1, 9))]
        elif code is Code.RANGE:
            body = self.beyond(body)
        elif code is Code.CONTROL:
            controls = 1 << self.random.randint(len(self.build.core.interface.controls), 7)
        frame = [self.header(Kind.OPERATION, controls), *body]
        return frame, self.answer(Kind.OPERATION, code if self.modulus else Code.NO_CONTEXT)

    def can_exceed(self) -> bool:
        """Whether the words of an operand hold more than the largest one."""
        room = ceil_div(self.at.bits, self.shell.bus) * self.shell.bus
        return bool(self.shell.parameters["Numbers"]) and self.shell.bound(self.modulus) + 1 < 1 << room

    def beyond(self, body: list[int]) -> list[int]:
        """The same with one operand above the largest one: by one, or by any number."""
        bound, words = self.shell.bound(self.modulus), len(body) // 2
        room = 1 << words * self.shell.bus
        value = self.random.choice((bound + 1, bound + 1, room - 1, self.random.randint(bound + 1, room - 1)))
        parts = [value % room >> self.shell.bus * k & (1 << self.shell.bus) - 1 for k in range(words)]
        first = self.random.random() < 0.5
        return [*parts, *body[words:]] if first else [*body[:words], *parts]

    def bad_contexts(self) -> list[tuple[list[int], list[int]]]:
        """One of each kind, each leaving the device without a context."""
        shell, at = self.shell, self.build.config.at(modulus := self.new_modulus())
        right = shell.context(modulus)
        bits, count, bound = right[0], right[1], right[2 : 2 + ceil_div(at.bits, shell.bus)]
        beats = self.build.core.interface.context(at, modulus)
        illegal = self.random.choice(self.build.core.illegal_contexts(self.build.config))
        widest = self.build.config.bits
        most = shell.words(0, widest)
        return [
            self.refused(right[: self.random.randrange(len(right))], Code.SHORT),
            self.refused([*right, *[0] * self.random.randint(1, 2)], Code.LONG),
            self.refused([*right[:1], count + shell.bus, *right[2:]], Code.SHORT),
            self.refused([widest + 1, *right[1:]], Code.LENGTH),
            self.refused([0, *right[1:]], Code.LENGTH),
            self.refused([bits, count - 1, *bound, *shell.packed(beats[:-1])], Code.INCOMPLETE),
            self.refused([widest, len(illegal), *most, *shell.packed(illegal)], Code.REFUSED),
        ]

    def mix(self, count: int) -> list[tuple[list[int], list[int]]]:
        """Frames in any order, the first a context."""
        found = [self.context(self.new_modulus())]
        wrong = [Code.SHORT, Code.LONG, Code.CONTROL]
        while len(found) < count:
            lot = self.random.random()
            if lot < 0.6 and self.modulus:
                found.append(self.operation())
            elif lot < 0.8 and self.modulus:
                ranged = [Code.RANGE] if self.can_exceed() else []
                found.append(self.bad_operation(self.random.choice([*wrong, *ranged])))
            elif lot < 0.85:
                kind = self.random.choice((0, 3, 255))
                words = [self.random.getrandbits(self.shell.bus) for _ in range(self.random.randrange(5))]
                found.append(([self.header(kind), *words], self.answer(kind, Code.KIND)))
            elif lot < 0.92:
                for wrong_context in self.random.sample(self.bad_contexts(), 3):
                    found += [wrong_context, self.without_context()]
                self.modulus = 0
            else:
                found.append(self.context(self.new_modulus()))
        return found

    def without_context(self) -> tuple[list[int], list[int]]:
        """An operation, right or not, that finds no context."""
        words = [self.random.getrandbits(self.shell.bus) for _ in range(self.random.randint(0, 9))]
        return [self.header(Kind.OPERATION), *words], self.answer(Kind.OPERATION, Code.NO_CONTEXT)


def agree(
    traffic: Traffic, sent: Sequence[tuple[list[int], list[int]]], got: Sequence[Sequence[int]]
) -> None:
    """Every answer is the right one, in order."""
    assert [list(answer) for answer in got] == [answer for _, answer in sent]


def check_stream(sim: Simulated, seed: int, count: int = 240) -> None:
    """Frames of all kinds through the stream, with pauses on both sides."""
    random = Random(seed)
    traffic = Traffic(sim.shell, random)
    for pause in (0.0, 0.3, 0.8):
        sent = traffic.mix(count // 3)
        agree(traffic, sent, sim.stream([frame for frame, _ in sent], len(sent), random=random, pause=pause))


def check_registers_door(sim: Simulated, seed: int, count: int = 40) -> None:
    """The same through the registers, and what these tell meanwhile."""
    random = Random(seed)
    traffic = Traffic(sim.shell, random)
    slices = sim.shell.bus // 32
    for frame, right in traffic.mix(count):
        sim.write(Register.IRQ_STATUS, 7)
        put(sim, frame)
        while not sim.read(Register.STATUS) & Status.DONE:
            sim.step(5)
        error = right[0] & 0xFF != Code.OK
        expected = IrqStatus.DONE | (IrqStatus.ERROR if error else 0)
        assert sim.read(Register.IRQ_STATUS) == expected
        assert sim.model.peek("irq_o") == bool(sim.read(Register.IRQ_ENABLE) & expected)
        sim.write(Register.IRQ_ENABLE, random.getrandbits(3))
        got = taken(sim)
        assert got == [right[0], *(w >> 32 * k & 0xFFFFFFFF for w in right[1:] for k in range(slices))]
        assert bool(sim.read(Register.STATUS) & Status.LOADED) == (right[0] & 0xFF not in GONE) or error
    sim.write(Register.IRQ_ENABLE, 0)


GONE = {Code.NO_CONTEXT, Code.REFUSED, Code.LENGTH, Code.INCOMPLETE, Code.WITHHELD, Code.TIMEOUT}


def put(sim: Simulated, frame: Sequence[int], last: bool = True) -> None:
    """A frame, or the beginning of one, through the registers."""
    parts = [word >> 32 * k & 0xFFFFFFFF for word in frame for k in range(sim.shell.bus // 32)]
    for number, part in enumerate(parts):
        for _ in range(10_000):
            if sim.read(Register.STATUS) & Status.READY:
                break
            sim.step()
        ends = last and number == len(parts) - 1
        sim.write(Register.IN_LAST if ends else Register.IN_DATA, part)


def taken(sim: Simulated) -> list[int]:
    """The answer that waits: its header and its words of 32 bits; reading it twice gives the same."""
    again = []
    for _ in range(2):
        count = sim.read(Register.LENGTH)
        again.append([sim.read(Register.ANSWER), *(sim.read(Register.RESULT + 4 * k) for k in range(count))])
    assert again[0] == again[1]
    sim.write(Register.RELEASE, Release.DONE)
    assert sim.read(Register.LENGTH) == sim.read(Register.ANSWER) == 0
    return again[0]


def check_map(sim: Simulated, seed: int) -> None:
    """Every address is read, and written whole and in part: as in registers.rdl, and nothing else changes."""
    random = Random(seed)
    top = described()
    known = {address(register): register for register in registers(top)}
    result = known.pop(Register.RESULT)
    words = ceil_div(sim.shell.build.config.bits, sim.shell.bus) * (sim.shell.bus // 32)
    readable = {place for place, register in known.items() if register.has_sw_readable}
    assert result.array_dimensions == [len(WINDOW)]

    def state() -> dict[int, int]:
        return {place: sim.read(place) for place in sorted(readable)}

    sim.write(Register.CONTROL, Control.RESET)
    sim.write(Register.IRQ_STATUS, 7)
    sim.step(40)
    before = state()
    for name in ("ID", "VERSION", "IRQ_ENABLE", "ANSWER", "LENGTH"):
        assert before[Register[name]] == reset(top, name)
    features = before[Register.FEATURES]
    shell = sim.shell
    assert features == (
        shell.bus // 32
        | len(shell.build.core.interface.controls) << 8
        | shell.lengths << 12
        | 0 << 13
        | 1 << 14
    )
    wanted = (shell.build_id, shell.build.config.bits, shell.build.config.word, shell.timeout)
    assert tuple(before[Register[n]] for n in ("BUILD", "OPERAND", "WORD", "LIMIT")) == wanted
    low = [*range(0x100), *(4 * random.randrange(0x400) for _ in range(20)), 0xFFC]
    high = [0x1000 + 4 * words - 4, 0x1000 + 4 * words, 0x1FFC, 0x1001]
    for place in (*low, *high):
        window = place % 4 == 0 and 0x1000 <= place < 0x1000 + 4 * words
        value, response = sim.access(place)
        assert (response == OKAY) == (place in readable or window), hex(place)
        assert response in (OKAY, SLVERR)
        assert value == before.get(place, 0), hex(place)
    assert state() == before, "reading changes nothing"
    # Written in part, or where nothing can be written: nothing but the interrupt.
    for place in (*low, *high):
        register = known.get(place)
        whole = register is not None and register.has_sw_writable
        refused = before | {Register.IRQ_STATUS: IrqStatus.REFUSED}
        if not whole or place == Register.RELEASE:  # there is no answer to release
            assert sim.access(place, random.getrandbits(32))[1] == SLVERR, hex(place)
            assert state() == refused, hex(place)
        elif place % 4 == 0:
            for strobes in (0, 1, 8, 7, 14):
                assert sim.access(place, random.getrandbits(32), strobes)[1] == SLVERR, hex(place)
            assert state() == refused, hex(place)
        sim.write(Register.IRQ_STATUS, 7)
    # Whole registers: only those bits that there are.
    for value in (0xFFFFFFFF, 0, 5):
        sim.write(Register.IRQ_ENABLE, value)
        assert state() == before | {Register.IRQ_ENABLE: value & 7}
    sim.write(Register.IRQ_ENABLE, 0)
    sim.write(Register.CONTROL, 0xFFFFFFFE)
    assert state() == before
    check_queued(sim, random, before)


def check_queued(sim: Simulated, random: Random, known: dict[int, int], count: int = 20) -> None:
    """Accesses that are asked for while a response still waits: each has its own, in order."""
    model, places = sim.model, [*known, 0xFFC]
    for _ in range(count):
        for back, channels in (("r", ("ar",)), ("b", ("aw", "w"))):
            asked = [random.choice(places) for _ in range(3)]
            sent = dict.fromkeys(channels, 0)
            got: list[tuple[int, int]] = []
            model.poke("w_strb_i", 15)
            for turn in range(100):
                for channel in channels:
                    model.poke(f"{channel}_valid_i", int(sent[channel] < len(asked)))
                    if channel != "w" and sent[channel] < len(asked):
                        model.poke(f"{channel}_addr_i", asked[sent[channel]])
                ready = turn > 8 and random.random() < 0.5
                model.poke(f"{back}_ready_i", int(ready))
                moved = [c for c in channels if sent[c] < len(asked) and model.peek(f"{c}_ready_o")]
                if ready and model.peek(f"{back}_valid_o"):
                    got.append((model.peek(f"{back}_resp_o"), model.peek("r_data_o")))
                if turn == 8:
                    assert set(sent.values()) == {2}, "the second one waits for the first one's response"
                model.poke("w_data_i", 0)
                sim.step()
                for channel in moved:
                    sent[channel] += 1
            model.poke(f"{back}_ready_i", 0)
            for place, (response, value) in zip(asked, got, strict=True):
                if back == "r":
                    assert (response, value) == ((OKAY, known[place]) if place in known else (SLVERR, 0))
                else:
                    writable = (Register.CONTROL, Register.IRQ_ENABLE, Register.IRQ_STATUS)
                    assert response == (OKAY if place in writable else SLVERR), hex(place)
        sim.write(Register.IRQ_STATUS, 7)


def check_doors(sim: Simulated, seed: int) -> None:
    """A frame of one door waits for that of the other to end; each answer leaves where its frame came."""
    random = Random(seed)
    traffic = Traffic(sim.shell, random)
    model = sim.model
    context, right = traffic.context(traffic.new_modulus())
    assert sim.stream([context], 1, random=random) == [right]
    for _ in range(4):
        streamed, stream_right = traffic.operation()
        told, told_right = traffic.operation()
        half = random.randint(1, len(streamed) - 1)
        for word in streamed[:half]:  # the beginning of a frame
            model.poke("s_data_i", word)
            model.poke("s_last_i", 0)
            model.poke("s_valid_i", 1)
            while not model.peek("s_ready_o"):
                sim.step()
            sim.step()
        model.poke("s_valid_i", 0)
        sim.step(5)
        sim.write(Register.IN_DATA, told[0] & 0xFFFFFFFF)
        sim.step(30)
        if sim.shell.bus == 32:
            assert not sim.read(Register.STATUS) & Status.READY, "the frame of the stream is not over"
            _, response = sim.access(Register.IN_DATA, 0)
            assert response == SLVERR, "a word that finds no room is refused"
        assert sim.stream([streamed[half:]], 1, random=random, pause=0.3) == [stream_right]
        parts = [word >> 32 * k & 0xFFFFFFFF for word in told for k in range(sim.shell.bus // 32)][1:]
        for number, part in enumerate(parts):
            while not sim.read(Register.STATUS) & Status.READY:
                sim.step()
            sim.write(Register.IN_LAST if number == len(parts) - 1 else Register.IN_DATA, part)
        while not sim.read(Register.STATUS) & Status.DONE:
            sim.step(5)
        header, *words = taken(sim)
        assert header == told_right[0]
        assert sum(w << 32 * k for k, w in enumerate(words)) == sum(
            w << sim.shell.bus * k for k, w in enumerate(told_right[1:])
        )


def check_reset(sim: Simulated, seed: int, count: int = 20) -> None:
    """A reset at any moment, by the register or by the port: everything works then, and no frame runs on."""
    random = Random(seed)
    for turn in range(count):
        traffic = Traffic(sim.shell, random)
        sent = traffic.mix(6)
        words = [(w, k == len(f) - 1) for f, _ in sent for k, w in enumerate(f)]
        hard = turn % 2 == 1
        cut = random.randint(1, 40 + 6 * sim.shell.timeout // 4)
        tail, open_in, open_out = 0, False, False
        model = sim.model
        for _ in range(cut):
            ready = random.random() < 0.3
            model.poke("m_ready_i", int(ready))
            model.poke("s_valid_i", int(tail < len(words)))
            if tail < len(words):
                model.poke("s_data_i", words[tail][0])
                model.poke("s_last_i", int(words[tail][1]))
            moved = tail < len(words) and model.peek("s_ready_o")
            if ready and model.peek("m_valid_o"):
                open_out = not model.peek("m_last_o")
            if moved:
                open_in = not words[tail][1]
                tail += 1
            sim.step()
        model.poke("s_valid_i", 0)
        model.poke("m_ready_i", 1)
        if hard:
            model.poke("rst_ni", 0)
            sim.step(2)
            model.poke("rst_ni", 1)
            open_out = open_in = False
        else:
            model.poke("aw_addr_i", Register.CONTROL)
            model.poke("w_data_i", 1)
            model.poke("w_strb_i", 15)
            model.poke("aw_valid_i", 1)
            model.poke("w_valid_i", 1)
            model.poke("b_ready_i", 1)
            for k in range(8):
                if model.peek("m_valid_o"):
                    open_out = not model.peek("m_last_o")
                sim.step()
                if k == 0:
                    model.poke("aw_valid_i", 0)
                    model.poke("w_valid_i", 0)
            model.poke("b_ready_i", 0)
        for _ in range(60):
            if model.peek("m_valid_o"):
                open_out = not model.peek("m_last_o")
            sim.step()
        assert not open_out, "an answer that a reset cuts ends all the same"
        assert not sim.read(Register.STATUS) & (Status.LOADED | Status.BUSY | Status.DONE)
        if open_in:  # the rest of the frame goes nowhere
            rest = next(k for k in range(tail, len(words)) if words[k][1])
            assert sim.stream([[w for w, _ in words[tail : rest + 1]]], 0, random=random) == []
            sim.step(50)
        fresh = Traffic(sim.shell, random)
        again = [fresh.without_context(), *fresh.mix(3)]
        agree(fresh, again, sim.stream([f for f, _ in again], len(again), random=random))


def check_length_disagrees(sim: Simulated, seed: int) -> None:
    """A context whose length is not that of its frame: the operation ends in an error, the next ones work."""
    random = Random(seed)
    device = Device(sim, sim.shell)
    traffic = Traffic(sim.shell, random)
    full = (1 << sim.shell.build.config.width) - 1
    right = sim.shell.context(full)
    words = ceil_div(right[0], sim.shell.bus)
    short = sim.shell.build.config.word  # the shell then gives one beat only
    frame = [short, right[1], *right[2 : 2 + ceil_div(short, sim.shell.bus)], *right[2 + words :]]
    assert device.exchange(Kind.CONTEXT, frame).code is Code.OK
    less = [0] * 2 * ceil_div(short, sim.shell.bus)
    assert device.exchange(Kind.OPERATION, less).code is Code.TIMEOUT
    assert device.exchange(Kind.OPERATION, less).code is Code.NO_CONTEXT
    sent = traffic.mix(4)
    agree(traffic, sent, sim.stream([f for f, _ in sent], len(sent), random=random))


def damaged(beats: Sequence[int], word: int, random: Random) -> list[int]:
    """A context of which something is wrong, or all."""
    ones, found = (1 << word) - 1, list(beats)
    match random.randrange(5):
        case 0:
            return [random.getrandbits(word) for _ in found]
        case 1:
            return found + found[: random.randint(1, len(found))]
        case 2:
            return found[random.randint(0, len(found) - 1) :]
        case 3:
            return [random.choice((0, ones)) for _ in found]
    for _ in range(random.randint(1, 3)):
        found[random.randrange(len(found))] ^= 1 << random.randrange(word)
    return found


def check_damaged_contexts(sim: Simulated, seed: int, count: int = 40) -> None:
    """Whatever the beats of a context hold, it is answered, as are operations with it; then all is right."""
    random, shell = Random(seed), sim.shell
    core, config = shell.build.core, shell.build.config
    device, traffic = Device(sim, shell), Traffic(shell, random)
    for turn in range(count):
        modulus = traffic.new_modulus()
        at = config.at(modulus)
        beats = damaged(core.interface.context(at, modulus), config.word, random)
        bits = random.choice((at.bits, at.bits, random.randint(1, config.bits)))
        words = shell.words((1 << bits) - 1, bits)
        told = device.exchange(Kind.CONTEXT, [bits, len(beats), *words, *shell.packed(beats)]).code
        assert told in (Code.OK, Code.REFUSED, Code.INCOMPLETE, Code.LENGTH)
        loaded = bool(sim.read(Register.STATUS) & Status.LOADED)
        assert loaded == (told is Code.OK)
        one = shell.words(1, bits)
        done = device.exchange(Kind.OPERATION, [*one, *one]).code
        assert done in (Code.OK, Code.WITHHELD, Code.TIMEOUT) if loaded else done is Code.NO_CONTEXT
        if turn % 8 == 7:
            sent = [traffic.context(traffic.new_modulus()), traffic.operation()]
            agree(traffic, sent, sim.stream([f for f, _ in sent], len(sent), random=random))


CHECKS: dict[str, Callable[[Simulated, int], None]] = {
    "stream": check_stream,
    "registers": check_registers_door,
    "map": check_map,
    "doors": check_doors,
    "reset": check_reset,
}
"""Those that every shell passes."""

FOUND = (AssertionError, BusError)
"""What a check raises when it finds something."""
