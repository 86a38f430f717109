# SPDX-License-Identifier: Apache-2.0
"""modmul bench: cycles through the whole path, at which clock, beside what of OpenSSL."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from modmul.bus.device import Device
from modmul.bus.shell import Shell
from modmul.moduli import Curve, curve
from modmul.moduli.curves import WEIERSTRASS
from modmul.registry import Build, curve_on, room
from modmul.tools.progress import Progress
from modmul.use import bench
from modmul.use.clock import Clock, clock
from modmul.verify.failures import VerificationError

TOY = Curve("toy", WEIERSTRASS, 31, 28, 7, (2, 28), 37)


def small(system: str) -> tuple[Build, int, list[tuple[int, int]]]:
    """A system, or the points of a toy curve, with operands."""
    if system != "points":
        return bench.of_system(system, "montgomery_csa2", 16, {})
    build = curve_on(TOY, "montgomery_csa2")[1].build(5, {"Blind": 0})
    at = build.config.at(TOY.modulus)
    return build, TOY.modulus, build.core.function.drawn(at, TOY.modulus, Random(1), bench.OPERATIONS)


@pytest.mark.parametrize(("system", "bus"), [("modexp", 32), ("points", 128)])
def test_cycles_are_those_of_the_whole_path(system: str, bus: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one they are more than back to back; as exact as is promised, and right at every step."""
    build, modulus, operands = small(system)
    told: list[Progress] = []
    found = bench.bench(Shell(build, bus), modulus, operands, listener=told.append)
    assert found.registers > found.first > found.latency
    interval = build.core.interface.interval(build.config.at(modulus))
    assert found.first > found.stream >= interval
    assert [step.done for step in told if step.phase == "simulate"] == [0, 1, 2, told[-1].total]

    monkeypatch.setattr(bench, "STRIDE", 1)
    exact = bench.bench(Shell(build, bus), modulus, operands)
    for way in ("registers", "first", "stream"):
        assert abs(getattr(found, way) - getattr(exact, way)) <= 16, way


def test_a_wrong_result_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    build, modulus, operands = small("modexp")
    monkeypatch.setattr(Device, "run", lambda *_: modulus - 1)
    with pytest.raises(VerificationError, match="on a bus says 0x"):
        bench.bench(Shell(build), modulus, operands)


def test_the_clock_is_that_of_the_system_or_of_its_core() -> None:
    """Shipped ones; and none where neither was placed and routed."""
    own, other, none = (
        bench.of_system(system, core, width, {})[0]
        for system, core, width in (
            ("modexp", "montgomery_csa2", 256),
            ("ladder", "rrm_split", 256),
            ("modexp", "fips", 16),
        )
    )
    assert bench.clock_of(own) == (clock(own), True)
    assert bench.clock_of(other) == (clock(room("rrm_split").build(256)), False)
    assert None not in (bench.clock_of(own)[0], bench.clock_of(other)[0])
    assert bench.clock_of(none) == (None, False)


def test_a_rate_is_the_clock_over_the_cycles() -> None:
    shell = Shell(room("modexp:fips").build(16))
    for known, rate in ((Clock(50.0, "tried"), 500_000.0), (None, None)):
        found = bench.Bench(shell, 70, 100, 90, 80, known, True)
        assert found.rate(100) == rate
        assert found.to_json()["ways"]["registers"] == {"cycles": 100, "rate": rate}


SAYS = {
    "rsa2048": "+DTP:2048:private:rsa:1\n+R1:1000:2048:1.00\n+F2:1:2048:1234.5:40000.0\n",
    "ecdhp256": "+DTP:256::ecdh:1\n+R7:9:256:1.00\n+F5:2:256:9876.5:0.0001\n",
}
"""What ``openssl speed -mr`` prints, for what: private operations, multiplications."""


def test_openssl_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it can do, on one processor; nothing where it has nothing like it, or is missing."""
    program = tmp_path / "openssl"
    cases = "".join(f"*{name}) printf '{text}' ;;\n" for name, text in SAYS.items())
    program.write_text(f'#!/bin/sh\ncase "$*" in\nversion) echo OpenSSL 3.9 ;;\n{cases}*) exit 1 ;;\nesac\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    rsa = room("rsa_crt:montgomery_csa2")
    p256, k163 = curve("p256"), curve("k163")
    for build, at, wanted in (
        (rsa.build(2048), None, (1234.5, "private operations of RSA-2048, OpenSSL 3.9")),
        (rsa.build(3072), None, None),
        (rsa.build(1000), None, None),
        (room("modexp:montgomery_csa2").build(2048), None, None),
        (
            room("ecc_p256:rrm").build(256),
            p256,
            (9876.5, "multiplications of a point of p256 (ECDH), OpenSSL 3.9"),
        ),
        (room("ecc_k163:fips").build(163), k163, None),
    ):
        assert bench.software(build, at) == wanted
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert bench.software(rsa.build(2048), None) is None
