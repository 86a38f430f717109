# SPDX-License-Identifier: Apache-2.0
"""The claims of the papers: figures decide each, and some figures would decide otherwise."""

import random
from collections.abc import Callable
from typing import Any

from modmul.measure import Area
from modmul.registry import rooms
from modmul.study.evidence import Claim, Evidence, NoClaim, Verdict, claims

TABLES = 250
OWN = [found for found in rooms().values() if (found.path / "evidence.py").exists()]


class MadeUp(Evidence):
    """Figures that are the true ones times factors or all alike, some a little off."""

    known: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        self.alike = seed % 2
        self.told: dict[str, float] = {}

    def times(self, name: str, true: Callable[[], float]) -> float:
        if name not in self.known:
            self.known[name] = true()
        if name not in self.told:
            factor = self.rng.choice((0.2, 0.5, 0.9, 1, 1, 1.02, 1.5, 4))
            self.told[name] = factor * (1000 if self.alike else self.known[name]) + self.rng.choice(
                (0, 0, 0, -1, 2)
            )
        return self.told[name]

    def area(self, *rest: Any, **more: Any) -> Area:
        def number(what: str) -> int:
            key = f"{what} {rest} {more}"
            return int(self.times(key, lambda: getattr(Evidence.area(self, *rest, **more), what)))

        names = ("luts", "lut_ram", "carries", "ffs", "dsp", "bram")
        luts, lut_ram, carries, ffs, dsp, bram = map(number, names)
        return Area(luts, lut_ram, carries, ffs, dsp, bram, {})

    def mhz(self, *rest: Any, **more: Any) -> float:
        return self.times(f"mhz {rest} {more}", lambda: Evidence.mhz(self, *rest, **more))

    def cycles(self, *which: Any, **more: Any) -> int:
        return int(self.times(f"cycles {which} {more}", lambda: Evidence.cycles(self, *which, **more)))

    def running(self, *which: Any, **more: Any) -> int:
        return int(self.times(f"running {which} {more}", lambda: Evidence.running(self, *which, **more)))

    def count(self, *which: Any, **more: Any) -> int:
        return int(self.times(f"count {which} {more}", lambda: Evidence.count(self, *which, **more)))

    def power(self, *which: Any, **more: Any) -> int:
        return int(self.times(f"power {which} {more}", lambda: Evidence.power(self, *which, **more)))


def test_each_verdict_can_be_another() -> None:
    for found in OWN:
        true = claims(found, Evidence())
        tables = [claims(found, MadeUp(seed)) for seed in range(TABLES)]
        for at, claim in enumerate(true):
            others: list[Claim] = [claim, *(table[at] for table in tables)]
            if isinstance(claim.verdict, NoClaim):
                assert len({each.ours for each in others}) > 1, claim
                continue
            words = {each.verdict.word for each in others if isinstance(each.verdict, Verdict)}
            assert len(words) > 1, (found.core.slug, claim)
