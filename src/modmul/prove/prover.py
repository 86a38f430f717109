# SPDX-License-Identifier: Apache-2.0
"""Proofs about a build: one row a property, kept by the digest of all that decides it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from modmul.design import Design, plain_text
from modmul.prove.control import Control, any_rows, control
from modmul.prove.product import arguments, kinds_of
from modmul.prove.reach import FLOW, NARROWED, Outcome, Verdict, reach
from modmul.prove.solve import SOLVERS, discharge
from modmul.prove.unroll import BOUNDED, bounded
from modmul.prove.watch import CONTRACT, TOP, pair_bench, watch_bench
from modmul.prove.whole import CHOICE, frames, operations, whole_bench
from modmul.room import Build, SystemRoom
from modmul.tools.imports import sources
from modmul.tools.store import Store, file_digest, result_key, tool_versions

__all__ = ["OF_CORES", "OF_SYSTEMS", "PROPERTIES", "Proof", "digest", "prove"]


@dataclass(frozen=True)
class Proof:
    """What is known of one property of a build.

    Attributes:
        core: its slug.
        config: its parameters.
        width: its operands' bits.
        kind: one of :data:`PROPERTIES`.
        rule: which rule of it; ``""`` where there is one only.
        verdict: whether it holds.
        method: how that was found.
        seconds: that it took.
        digest: of all that decides it but the tools.
        detail: more for people: a path that breaks it, or how many obligations were discharged.
    """

    core: str
    config: str
    width: int
    kind: str
    rule: str
    verdict: Verdict
    method: str
    seconds: float
    digest: str
    detail: str = ""

    @property
    def proven(self) -> bool:
        """Whether it holds; a solver that does not know has not proven it."""
        return self.verdict is Verdict.PROVEN

    @property
    def name(self) -> str:
        """The property and its rule."""
        return f"{self.kind}: {self.rule}" if self.rule else self.kind

    def __str__(self) -> str:
        return f"{self.core} ({self.config}), {self.name}"


Found = Iterator[tuple[str, Outcome, str]]
"""Rule, outcome and detail."""

NARROW = "of runs that begin with a reset, with registers of data left open"


def _operands(build: Build, store: Store, _seconds: float) -> Found:
    yield from _searched(build, "operands", control, store)


def _rows(build: Build, store: Store, _seconds: float) -> Found:
    if not isinstance(build.room, SystemRoom):
        raise ValueError(f"{build.slug} is no program of the engine; name one, as modexp:rrm")
    yield from _searched(build, "rows", any_rows, store)


def _searched(
    build: Build, name: str, search: Callable[[Design, Sequence[str]], Control], store: Store
) -> Found:
    """What a search of the graph finds, once."""
    told = build.core.interface.told(build.config)
    inputs = (build.design.digest, digest(build, name))
    key = result_key("proof", inputs=inputs, target=name, options=told, tools=tool_versions("pyosys"))
    if (known := store.get(key)) is not None:
        yield "", Outcome(Verdict(known["verdict"]), known["method"], known["seconds"]), known["detail"]
        return
    begun = time.monotonic()
    found = search(build.design, told)
    verdict = Verdict.PROVEN if found.proven else Verdict.UNKNOWN  # values may not be able to take the path
    paths = "; ".join(f"{name} may reach {' > '.join(way)}" for name, way in found.paths.items())
    bits = f"{found.bits:,} bits decide when something happens"
    outcome, detail = Outcome(verdict, "structure", time.monotonic() - begun), paths or bits
    store.put(key, asdict(outcome) | {"detail": detail})
    yield "", outcome, detail


def _contract(build: Build, store: Store, seconds: float) -> Found:
    yield from _reached(build, watch_bench(build), [rule.name for rule in CONTRACT], store, seconds)


def _time(build: Build, store: Store, seconds: float) -> Found:
    for name in ("operands", "moduli"):
        yield from _reached(build, pair_bench(build, moduli=name == "moduli"), [name], store, seconds)


def _whole(build: Build, store: Store, seconds: float) -> Found:
    bench, count = whole_bench(build), len(operations(build))
    key = _key(build, bench, "whole", BOUNDED)
    outcome = _known(store, key, seconds)
    if outcome is None:
        outcome = bounded(build.design, bench, TOP, frames(build), (CHOICE, count), seconds)
        store.put(key, asdict(outcome) | {"limit": seconds})
    yield "", outcome, f"{count:,} moduli, {frames(build)} cycles"


def _reached(build: Build, bench: str, names: Sequence[str], store: Store, seconds: float) -> Found:
    """What ABC says of the outputs of a bench: narrowed, and where that is in vain, as they are."""
    left = list(names)
    for narrow, flow in ((False, FLOW), (True, NARROWED)):  # what is known
        for name in list(left):
            known = _known(store, _key(build, bench, name, flow), seconds)
            if known is not None and known.verdict is Verdict.PROVEN:
                left.remove(name)
                yield name, known, NARROW if narrow else ""
    for narrow, flow in ((True, NARROWED), (False, FLOW)):
        keys = {name: _key(build, bench, name, flow) for name in left}
        found = {name: known for name in left if (known := _known(store, keys[name], seconds)) is not None}
        asked = [name for name in left if name not in found]
        if asked:
            for name, outcome in reach(build.design, bench, TOP, names, seconds, asked, narrow=narrow):
                store.put(keys[name], asdict(outcome) | {"limit": seconds})
                found[name] = outcome
        for name in list(left):
            if found[name].verdict is Verdict.PROVEN or not narrow:
                left.remove(name)
                yield name, found[name], NARROW if narrow else ""


def _known(store: Store, key: str, seconds: float) -> Outcome | None:
    """What is kept of a question; ``None`` where it is to be asked: for the first time, or with more time."""
    known = store.get(key)
    if known is None or (known["verdict"] == Verdict.UNKNOWN and known["limit"] < seconds):
        return None
    return Outcome(Verdict(known["verdict"]), known["method"], known["seconds"], known["frames"])


def _key(build: Build, bench: str, name: str, flow: Sequence[str] = FLOW) -> str:
    inputs = (build.design.digest, sha256(plain_text(bench).encode()).hexdigest())
    return result_key("proof", inputs=inputs, target=name, options=flow, tools=tool_versions("pyosys"))


def _product(build: Build, store: Store, seconds: float) -> Found:
    for proof in arguments(build):
        done, took, verdict, detail = 0, 0.0, Verdict.PROVEN, ""
        asked = list(proof.all())
        for obligation, outcome in discharge(asked, store, seconds, build.slug):
            took += outcome.seconds
            done += len(obligation.texts)
            if outcome.verdict is not Verdict.PROVEN:
                verdict, detail = outcome.verdict, f"{obligation.layer}: {obligation.name}"
                break
        method = " and ".join(solver for solver in SOLVERS if solver in {each.solver for each in asked})
        yield proof.rule, Outcome(verdict, method, took), detail or f"{done:,} questions answered"


PROPERTIES: Mapping[str, Callable[[Build, Store, float], Found]] = MappingProxyType(
    {
        "operands": _operands,
        "rows": _rows,
        "contract": _contract,
        "time": _time,
        "whole": _whole,
        "product": _product,
    }
)
"""What can be proven:

- ``operands``: no path leads from an operand to a port that says when something happens.
- ``contract``: the rules of the port contract, in every cycle of every run.
- ``time``: two copies with different operands, or with different moduli of one length, never differ in such a
  port.
- ``whole``: the first operation behind a reset, driven as fast as it goes, gives the product, for every
  modulus and all operands; a question for each modulus, so of short ones.
- ``product``: every result is the product, for every modulus and all operands.
- ``rows``, of systems: whatever the rows of the program and the core are, no path leads from data to a
  handshake, to an address or enable of a memory, or to what says which row is next.
"""

OF_CORES = ("operands", "contract", "time", "whole", "product")
OF_SYSTEMS = ("operands", "rows")


def _of_arguments(build: Build) -> str:
    """Of the modules of a build's arguments, with what those import."""
    modules = (sources(kind.__module__, "modmul.prove") for kind in kinds_of(build))
    return file_digest(*dict.fromkeys(chain.from_iterable(modules)))


def digest(build: Build, name: str) -> str:
    """SHA-256 of what decides a property of a build: the hardware, the statement, how a netlist is made."""
    package = Path(str(files("modmul"))) / "prove"
    stated = {
        **dict.fromkeys(OF_SYSTEMS, lambda: file_digest(package / "control.py")),
        "contract": lambda: " ".join((*FLOW, *NARROWED, plain_text(watch_bench(build)))),
        "time": lambda: " ".join(
            (*FLOW, *NARROWED, *(plain_text(pair_bench(build, moduli=m)) for m in (False, True)))
        ),
        "whole": lambda: " ".join((*BOUNDED, plain_text(whole_bench(build)))),
        "product": lambda: _of_arguments(build),
    }[name]()
    return sha256(f"{build.design.digest} {stated}".encode()).hexdigest()


def prove(build: Build, name: str, store: Store, seconds: float) -> Iterator[Proof]:
    """What can be said of a property of a build, rule by rule.

    Args:
        name: one of :data:`PROPERTIES`.
        store: keeps what was found.
        seconds: that a solver may take for one question.

    Raises:
        ValueError: the property is not one of this build.
        ToolFailure: a tool failed.
    """
    decided = digest(build, name)
    for rule, outcome, detail in PROPERTIES[name](build, store, seconds):
        yield Proof(
            build.slug,
            str(build.config),
            build.config.width,
            name,
            rule,
            outcome.verdict,
            outcome.method,
            round(outcome.seconds, 1),
            decided,
            detail,
        )
