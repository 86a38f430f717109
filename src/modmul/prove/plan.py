# SPDX-License-Identifier: Apache-2.0
"""What is to be proven of which build, and what is known not to be, with the reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from modmul.prove import SECONDS
from modmul.prove.product import PRODUCTS, SHARED
from modmul.prove.prover import OF_SYSTEMS, Proof, digest, prove
from modmul.prove.reach import Verdict
from modmul.registry import own_cores, room
from modmul.room import Build, SystemRoom
from modmul.tools.progress import Listener, Progress, ignore
from modmul.tools.store import Store

__all__ = ["RECORD", "Goal", "excuse", "failed", "goals", "known", "prove_all", "record", "stale"]

RECORD = Path(str(files("modmul"))) / "prove" / "proofs.json"
"""What was proven, as it comes with the package."""

SYSTEMS: Mapping[str, tuple[int, Mapping[str, int]]] = MappingProxyType(
    {
        "modexp:rrm": (256, {}),
        "ladder:rrm": (256, {}),
        "rsa_crt:rrm": (1024, {}),
        "ecc_p256:rrm_split": (256, {}),
        "ecc_x25519:montgomery_dsp": (255, {}),
        "ecc_x25519:sparse_prime_dsp": (255, {"Batch": 4}),
        "ecc_ed25519:sparse_prime_dsp": (255, {"Batch": 2}),
        "ecc_b233:gf2m_serial": (233, {}),
        "ecc_p256:pipelined": (256, {"EngineWord": 256}),
        "ecc_x25519:pipelined": (255, {"EngineWord": 255, "Batch": 4}),
    }
)
"""Systems, widths and parameters; rows and core are left open, so others with the same units are as good."""

WIDE, SMALL = 256, 4
"""Widths: what needs no invariant of counters, or has one, is proven at the first, the rest at the second."""

ALSO_WIDE = ("interleaved_csa", "montgomery_csa1", "montgomery_csa2", "gf2m_fixed")
"""Cores whose contract and constant time are proven at the first, too: no data reach their control."""

WHOLE = 6
"""Width at which a whole operation is a question for each modulus."""

GAVE_UP = "ABC gave up; with more time (`--limit`) it may find a proof"

UNPROVEN: Mapping[tuple[str, int, str, str], str] = MappingProxyType({("fmlm3", WHOLE, "whole", ""): GAVE_UP})
"""By core, width, property and rule, why a proof is not there."""


@dataclass(frozen=True)
class Goal:
    """A property to be proven of a build."""

    build: Build
    kind: str

    @property
    def digest(self) -> str:
        """Of what decides it."""
        return digest(self.build, self.kind)


def goals(slugs: Iterable[str] | None = None) -> Iterator[Goal]:
    """All that is to be proven of some cores and systems, or of all of the package, one by one."""
    for slug in (*own_cores(), *SYSTEMS) if slugs is None else slugs:
        found = room(slug)
        if isinstance(found, SystemRoom):
            width, settings = SYSTEMS.get(slug, (found.core.builds.only_width or WIDE, {}))
            for name in OF_SYSTEMS:
                yield Goal(found.build(width, settings), name)
            continue
        yield Goal(found.build(WIDE), "operands")
        for name in ("contract", "time"):
            yield Goal(found.build(SMALL), name)
            if slug in ALSO_WIDE:
                yield Goal(found.build(WIDE), name)
        yield Goal(found.build(WHOLE), "whole")
        if slug in PRODUCTS:
            yield Goal(found.build(WIDE), "product")
        if slug in SHARED:
            yield Goal(found.build(WIDE, {"SharedTaps": 1}), "product")


def prove_all(
    wanted: Sequence[Goal], store: Store, seconds: float = SECONDS, listener: Listener = ignore
) -> Iterator[Proof]:
    """Prove goals one after the other; each proof is kept as soon as it is there.

    Raises:
        ValueError: a property is not one of its build.
        ToolFailure: a tool failed.
    """
    for done, goal in enumerate(wanted):
        listener(Progress("prove", f"{goal.build.slug}: {goal.kind}", done, len(wanted)))
        yield from prove(goal.build, goal.kind, store, seconds)
    listener(Progress("prove", "", len(wanted), len(wanted)))


def excuse(proof: Proof) -> str:
    """Why a proof is known not to be there; ``""`` where nobody has said so."""
    if proof.verdict is not Verdict.UNKNOWN:
        return ""
    return UNPROVEN.get((proof.core, proof.width, proof.kind, proof.rule), "")


def failed(proof: Proof) -> bool:
    """Whether a proof is missing that should be there, or there though it is said not to be."""
    listed = (proof.core, proof.width, proof.kind, proof.rule) in UNPROVEN
    return proof.proven if listed else not proof.proven


def known() -> list[Proof]:
    """The proofs that come with the package."""
    data = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else []
    return [Proof(**{**each, "verdict": Verdict(each["verdict"])}) for each in data]


def record(proofs: Iterable[Proof]) -> None:
    """Replace the proofs that come with the package."""
    lines = ",\n".join(json.dumps(asdict(proof), ensure_ascii=False) for proof in proofs)
    RECORD.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def stale(wanted: Iterable[Goal], proofs: Iterable[Proof]) -> list[Goal]:
    """The goals of which no proof is there, or one of other hardware or another statement."""
    there = {(proof.core, proof.config, proof.kind, proof.digest) for proof in proofs}
    return [g for g in wanted if (g.build.slug, str(g.build.config), g.kind, g.digest) not in there]
