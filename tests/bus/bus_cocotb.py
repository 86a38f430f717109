# SPDX-License-Identifier: Apache-2.0
"""cocotb bench of an exported core on its bus, through the masters of cocotbext-axi; test_bus.py starts it.

Environment: ``MODMUL_SLUG``, ``MODMUL_WIDTH``, ``MODMUL_OPTIONS`` (JSON), ``MODMUL_BUS``, ``MODMUL_CLOCKS``;
``MODMUL_FRAMES`` of each test (default 40); ``MODMUL_SEED`` (default 29).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import cocotb
from bus_checks import Traffic, agree
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiResp,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

from modmul.bus.registers import Code, Control, Kind, Register, Release, Status
from modmul.bus.shell import Shell
from modmul.registry import room

SHELL = Shell(
    room(os.environ["MODMUL_SLUG"]).build(
        int(os.environ["MODMUL_WIDTH"]), json.loads(os.environ.get("MODMUL_OPTIONS", "{}"))
    ),
    int(os.environ.get("MODMUL_BUS", "32")),
    int(os.environ.get("MODMUL_CLOCKS", "1")),
)
SEED = int(os.environ.get("MODMUL_SEED", "29"), 0)
FRAMES = int(os.environ.get("MODMUL_FRAMES", "40"))
BYTES = SHELL.bus // 8
PERIOD_PS = 10_000


class Bench:
    """The masters, and somebody who watches the rules of the handshakes."""

    def __init__(self, dut: Any) -> None:
        dut._log.info("MODMUL_SEED=%d, %s", SEED, SHELL.build)
        self.dut = dut
        self.random = Random(SEED)
        self.traffic = Traffic(SHELL, self.random)
        lite, clock, reset = AxiLiteBus.from_prefix(dut, "s_axi"), dut.aclk, dut.aresetn
        self.lite = AxiLiteMaster(lite, clock, reset, reset_active_level=False)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), clock, reset, False)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), clock, reset, False)

    async def start(self, pause: float) -> None:
        self.dut.aresetn.value = 0
        Clock(self.dut.aclk, PERIOD_PS, unit="ps").start()
        if SHELL.clocks == 2:
            Clock(
                self.dut.core_clk, 2 * self.random.randint(PERIOD_PS // 8, 2 * PERIOD_PS), unit="ps"
            ).start()
        await ClockCycles(self.dut.aclk, 4)
        self.dut.aresetn.value = 1
        await ClockCycles(self.dut.aclk, 40)
        cocotb.start_soon(self.watch("m_axis_t", ("m_axis_tdata", "m_axis_tlast")))
        cocotb.start_soon(self.watch("s_axi_r", ("s_axi_rdata", "s_axi_rresp")))
        cocotb.start_soon(self.watch("s_axi_b", ("s_axi_bresp",)))
        write, read = self.lite.write_if, self.lite.read_if
        channels = (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel)
        for port in (self.source, self.sink, *channels):
            port.set_pause_generator(self.pauses(pause))

    def pauses(self, chance: float) -> Iterator[bool]:
        while True:
            yield self.random.random() < chance

    async def watch(self, prefix: str, data: tuple[str, ...]) -> None:
        """Valid and its data stay until they are taken, in every cycle."""
        valid, ready = getattr(self.dut, f"{prefix}valid"), getattr(self.dut, f"{prefix}ready")
        held = None
        while True:
            await RisingEdge(self.dut.aclk)
            if self.dut.aresetn.value != 1:
                held = None
                continue
            shown = [int(getattr(self.dut, name).value) for name in data] if valid.value == 1 else None
            if held is not None:
                assert shown == held, f"{prefix}: what was offered fell or changed"
            held = shown if shown is not None and ready.value != 1 else None

    async def read(self, place: int) -> int:
        answer = await self.lite.read(place, 4)
        assert answer.resp == AxiResp.OKAY
        return int.from_bytes(answer.data, "little")

    async def write(self, place: int, value: int) -> None:
        answer = await self.lite.write(place, value.to_bytes(4, "little"))
        assert answer.resp == AxiResp.OKAY

    async def send(self, frame: list[int]) -> None:
        data = b"".join(word.to_bytes(BYTES, "little") for word in frame)
        await self.source.send(AxiStreamFrame(data))

    async def receive(self) -> list[int]:
        frame = await self.sink.recv()
        data = bytes(frame.tdata)
        return [int.from_bytes(data[k : k + BYTES], "little") for k in range(0, len(data), BYTES)]

    def secrets(self) -> int:
        """All the bits of operands and results that are left in the shell."""
        bus = self.dut.u_bus
        memories = (
            *(bus.u_receive.u_x.words, bus.u_receive.u_y.words),
            *(bus.u_execute.u_result.words, bus.u_registers.u_window.words),
        )
        gears = (bus.u_execute.u_x.held_q, bus.u_execute.u_y.held_q, bus.u_execute.u_z.held_q)
        left = 0
        for memory in memories:
            for word in memory:
                left |= int(word.value)
        for gear in gears:
            left |= int(gear.value)
        return left


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def frames_through_the_streams(dut: Any) -> None:
    """Of all kinds, back to back and with pauses; registers are read meanwhile."""
    bench = Bench(dut)
    await bench.start(0.0)

    async def look() -> None:
        while True:
            assert await bench.read(Register.BUILD) == SHELL.build_id
            await bench.read(Register.STATUS)

    cocotb.start_soon(look())
    for pause in (0.0, 0.5):
        for port in (bench.source, bench.sink):
            port.set_pause_generator(bench.pauses(pause))
        sent = bench.traffic.mix(FRAMES // 2)
        for frame, _ in sent:
            await bench.send(frame)
        agree(bench.traffic, sent, [await bench.receive() for _ in sent])


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def nothing_secret_is_left(dut: Any) -> None:
    """Operands and results are overwritten: after an operation, one that is refused, and its answer."""
    bench = Bench(dut)
    await bench.start(0.2)
    first = bench.traffic.context(bench.traffic.new_modulus())
    await bench.send(first[0])
    assert await bench.receive() == first[1]
    for code in (Code.OK, Code.LONG, Code.CONTROL, Code.OK):
        frame, right = bench.traffic.operation() if code is Code.OK else bench.traffic.bad_operation(code)
        await bench.send(frame)
        assert await bench.receive() == right
        await ClockCycles(dut.aclk, 60)
        assert bench.secrets() == 0, code
    frame, right = bench.traffic.operation()
    parts = [word >> 32 * k & 0xFFFFFFFF for word in frame for k in range(SHELL.bus // 32)]
    for number, part in enumerate(parts):
        while not await bench.read(Register.STATUS) & Status.READY:
            pass
        await bench.write(Register.IN_LAST if number == len(parts) - 1 else Register.IN_DATA, part)
    while not await bench.read(Register.STATUS) & Status.DONE:
        pass
    assert await bench.read(Register.ANSWER) == right[0]
    await bench.write(Register.RELEASE, Release.DONE)
    await ClockCycles(dut.aclk, 60)
    assert bench.secrets() == 0


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def resets_with_two_clocks(dut: Any) -> None:
    """By the register and by the port, at any moment; what comes afterwards is right."""
    bench = Bench(dut)
    await bench.start(0.2)
    for turn in range(8):
        for frame, _ in bench.traffic.mix(4):
            await bench.send(frame)
        await ClockCycles(dut.aclk, bench.random.randint(1, 400))
        if turn % 2:
            await Timer(bench.random.randint(1, PERIOD_PS), unit="ps")
            dut.aresetn.value = 0
            await ClockCycles(dut.aclk, bench.random.randint(4, 9))
            assert not any(
                int(getattr(dut, f"{port}valid").value) for port in ("m_axis_t", "s_axi_r", "s_axi_b")
            )
            dut.aresetn.value = 1
            await ClockCycles(dut.aclk, 4)
            assert await bench.read(Register.LENGTH) == 0
        else:
            await bench.write(Register.CONTROL, Control.RESET)
        while await bench.read(Register.CONTROL) & Control.RESET:
            pass
        await bench.source.wait()
        await ClockCycles(dut.aclk, 200 + 8 * SHELL.timeout)
        await bench.write(Register.CONTROL, Control.RESET)
        await ClockCycles(dut.aclk, 60)
        bench.sink.clear()
        bench.traffic = Traffic(SHELL, bench.random)
        again = [bench.traffic.without_context(), *bench.traffic.mix(3)]
        for frame, _ in again:
            await bench.send(frame)
        agree(bench.traffic, again, [await bench.receive() for _ in again])


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def narrow_and_unaligned_accesses(dut: Any) -> None:
    """cocotbext-axi cuts them into writes of some bytes: each is refused."""
    bench = Bench(dut)
    await bench.start(0.0)
    for place, size in ((Register.IRQ_ENABLE, 1), (Register.IRQ_ENABLE + 1, 2), (Register.IN_DATA + 2, 2)):
        answer = await bench.lite.write(place, b"\xff" * size)
        assert answer.resp == AxiResp.SLVERR
    assert await bench.read(Register.IRQ_ENABLE) == 0
    assert (await bench.read(Register.ANSWER)) >> 8 & 0xFF != Kind.OPERATION
