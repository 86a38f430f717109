# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the port contract, for any core of the registry.

Environment: ``MODMUL_SLUG``; ``MODMUL_WIDTH`` in bits; ``MODMUL_OPTIONS``, the configuration's other
fields as a JSON object (default ``{}``); ``MODMUL_SEED`` (default 4004), of all random choices.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from random import Random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer

from modmul.core import Config, Polynomial
from modmul.design import CLOCK
from modmul.registry import room

CORE = room(os.environ["MODMUL_SLUG"]).core
CONFIG: Config = CORE.builds.config(
    int(os.environ["MODMUL_WIDTH"]), **json.loads(os.environ.get("MODMUL_OPTIONS", "{}"))
)
SEED = int(os.environ.get("MODMUL_SEED", "4004"), 0)

PERIOD_NS = 10
LATENCY, INTERVAL = (
    CORE.interface.latency(CONFIG),
    CORE.interface.interval(CONFIG),
)  # at full length, the longest
OPERATIONS = 60
RESETS = 25
TIMEOUT_NS = 100 * PERIOD_NS * OPERATIONS * (LATENCY + INTERVAL + CONFIG.beats)


class Bench:
    """Drives a core and checks what it answers.

    Args:
        dut: the simulated top module.
        pause: chance of a cycle in which nothing is offered, and of one in which nothing is taken.
    """

    def __init__(self, dut: Any, pause: float) -> None:
        dut._log.info("MODMUL_SEED=%d, %s with %s", SEED, CORE.slug, CONFIG)
        self.dut = dut
        self.pause = pause
        self.random = Random(SEED)
        self.expected: list[tuple[Config, int, int]] = []  # build, modulus and product of each operation
        self.modulus = 0
        self.at = CONFIG

    async def start(self) -> None:
        """Start the clock, reset, and take results from now on."""
        Clock(self.dut.clk_i, PERIOD_NS, unit="ns").start()
        await self.reset()
        cocotb.start_soon(self._take_results())

    async def reset(self) -> None:
        """Two to four cycles of reset; the core forgets its context and its operations."""
        for port in CORE.interface.ports(CONFIG):
            if port.is_input and port.name != CLOCK:
                getattr(self.dut, port.name).value = 0
        self.expected.clear()
        await ClockCycles(self.dut.clk_i, self.random.randint(2, 4))
        assert self.dut.out_valid_o.value == 0
        assert self.dut.in_ready_o.value == 0
        assert self.dut.ctx_error_o.value == 0
        self.dut.rst_ni.value = 1

    def random_modulus(self) -> int:
        """A modulus that the core can serve: odd, of a field it works in, of full length or shorter."""
        legal: list[int] = []
        while not legal:
            bits = self.random.choice((CONFIG.width, self.random.randint(2, CONFIG.width)))
            odd = self.random.getrandbits(bits) | 1
            candidates = (odd | 1 << (bits - 1), Polynomial(odd | 1 << bits))
            legal = [modulus for modulus in candidates if CORE.function.serves(CONFIG, modulus)]
        return self.random.choice(legal)

    async def load(self, modulus: int) -> None:
        """Load the context of a modulus, legal for the core; what follows is computed with it."""
        CORE.function.check(CONFIG, modulus)
        at = CONFIG.at(modulus)
        await self.load_words(CORE.interface.context(at, modulus))
        self.modulus, self.at = modulus, at
        self.memory: dict[str, int] = {}

    async def load_words(self, beats: Sequence[int]) -> None:
        """Load raw context beats."""
        for beat in beats:
            await self._offer("ctx", {"ctx_data_i": beat})

    async def send(self, count: int) -> None:
        """Offer random operands, the largest and the smallest often among them; remember the products.

        Controls are random with the first beat of the operands, and again with the others.
        """
        largest = CORE.function.operand_max(self.at, self.modulus)
        for _ in range(count):
            x, y = (self.random.choice((0, largest, self.random.randint(0, largest))) for _ in "xy")
            first = CORE.interface.remembers and not self.memory
            given = [int(not first and self.random.random() < 0.5) for _ in CORE.interface.controls]
            controls = {c.field: bool(value) for c, value in zip(CORE.interface.controls, given, strict=True)}
            at = CONFIG.at(self.modulus, **controls)
            product = CORE.function.answer(at, self.modulus, x, y, self.memory)
            beats = list(
                zip(*(at.split(CORE.interface.encode(at, number)) for number in (x, y)), strict=True)
            )
            for index, (x_beat, y_beat) in enumerate(beats):
                if index == len(beats) - 1:
                    self.expected.append((at, self.modulus, product))
                data = {"x_i": x_beat, "y_i": y_beat}
                for control, value in zip(CORE.interface.controls, given, strict=True):
                    ignored = index > 0 and control.first_beat
                    data[control.name] = self.random.randint(0, 1) if ignored else value
                await self._offer("in", data)

    async def drain(self) -> None:
        """Wait until every result has come, and some cycles more: none may come uncalled for."""
        while self.expected:
            await RisingEdge(self.dut.clk_i)
        await ClockCycles(self.dut.clk_i, LATENCY + INTERVAL)

    async def _offer(self, side: str, data: dict[str, int]) -> None:
        """Offer one beat, after a random pause, until it is taken."""
        valid, ready = getattr(self.dut, f"{side}_valid_i"), getattr(self.dut, f"{side}_ready_o")
        while self.random.random() < self.pause:
            await RisingEdge(self.dut.clk_i)
        for port, value in data.items():
            getattr(self.dut, port).value = value
        valid.value = 1
        await RisingEdge(self.dut.clk_i)
        while ready.value != 1:
            await RisingEdge(self.dut.clk_i)
        valid.value = 0

    async def _take_results(self) -> None:
        """Take results with random pauses; compare them; check that a stalled one stays."""
        held: int | None = None
        beats: list[int] = []
        while True:
            await RisingEdge(self.dut.clk_i)
            if self.dut.rst_ni.value == 0:
                held, beats = None, []
                continue
            shown = self.dut.z_o.value.to_unsigned() if self.dut.out_valid_o.value == 1 else None
            if held is not None:
                assert shown == held, "a stalled result fell or changed"
            held = shown
            if shown is not None:
                assert self.expected, "a result without operands"
                at, modulus, product = self.expected[0]
                if self.dut.out_ready_i.value == 1:
                    held = None
                    beats.append(shown)
                    if len(beats) == at.beats:
                        z = CORE.interface.decode(
                            at, sum(beat << (at.word * index) for index, beat in enumerate(beats))
                        )
                        assert CORE.function.accepts(at, modulus, product, z), (
                            f"z is {z:#x}, not {product:#x}"
                        )
                        self.expected.pop(0)
                        beats = []
            self.dut.out_ready_i.value = int(self.random.random() >= self.pause)


@cocotb.test(timeout_time=TIMEOUT_NS, timeout_unit="ns")
async def random_pauses_on_both_sides(dut: Any) -> None:
    bench = Bench(dut, pause=0.0)
    await bench.start()
    await bench.load(bench.random_modulus())
    for pause in (0.0, 0.3, 0.9):
        bench.pause = pause
        await bench.send(OPERATIONS // 3)
        await bench.drain()


@cocotb.test(timeout_time=TIMEOUT_NS, timeout_unit="ns")
async def context_replaced_between_operations(dut: Any) -> None:
    """The next context is offered while results of the last are under way: those stay right."""
    bench = Bench(dut, pause=0.3)
    await bench.start()
    for _ in range(OPERATIONS // 3):
        await bench.load(bench.random_modulus())
        await bench.send(bench.random.randint(1, 3))
    await bench.drain()


@cocotb.test(timeout_time=TIMEOUT_NS, timeout_unit="ns")
async def illegal_context_and_recovery(dut: Any) -> None:
    bench = Bench(dut, pause=0.3)
    await bench.start()
    for illegal in CORE.illegal_contexts(CONFIG):
        await bench.load(bench.random_modulus())
        await bench.send(2)
        await bench.drain()
        assert dut.ctx_error_o.value == 0
        await bench.load_words(illegal)
        dut.in_valid_i.value = 1
        while dut.ctx_error_o.value != 1:
            await RisingEdge(dut.clk_i)
            assert dut.in_ready_o.value == 0
        for _ in range(LATENCY + INTERVAL):
            await RisingEdge(dut.clk_i)
            assert dut.ctx_error_o.value == 1
            assert dut.in_ready_o.value == 0
        dut.in_valid_i.value = 0
    await bench.load(bench.random_modulus())
    await bench.send(2)
    await bench.drain()
    assert dut.ctx_error_o.value == 0


@cocotb.test(timeout_time=TIMEOUT_NS, timeout_unit="ns")
async def reset_in_the_middle(dut: Any) -> None:
    """At any moment of loading, computing or unloading, between the clock's edges."""
    bench = Bench(dut, pause=0.2)
    await bench.start()

    async def traffic() -> None:
        await bench.load(bench.random_modulus())
        await bench.send(OPERATIONS)

    full = CORE.function.some_modulus(CONFIG)
    context_beats = len(CORE.interface.context(CONFIG.at(full), full))
    for _ in range(RESETS):
        busy = cocotb.start_soon(traffic())
        await ClockCycles(dut.clk_i, bench.random.randint(1, context_beats + 3 * INTERVAL))
        await Timer(bench.random.randint(1, PERIOD_NS - 1), unit="ns")
        busy.cancel()
        await bench.reset()
    await bench.load(bench.random_modulus())
    await bench.send(3)
    await bench.drain()
