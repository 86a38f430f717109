# SPDX-License-Identifier: Apache-2.0
"""Builds verified on one modulus; what was verified before is taken from the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from modmul.measure import Store, ToolFailure
from modmul.moduli import Modulus
from modmul.room import Build
from modmul.tools.extras import EXTRAS
from modmul.tools.progress import Listener, Progress, ignore
from modmul.tools.run import log_file

if TYPE_CHECKING:
    from modmul.verify.runner import Plan

__all__ = ["verified_before", "verify"]


def verify(
    builds: Sequence[Build],
    modulus: Modulus,
    count: int,
    *,
    workers: int = 2,
    store: Store | None = None,
    listener: Listener = ignore,
) -> dict[Build, int | ToolFailure]:
    """Multiplications verified of each build on a modulus; or the failure, with its whole message in a log.

    Args:
        count: random operations of each build, at least 1.
        workers: builds at the same time.
        listener: told at once, and after each batch.
    """
    # Here, for whoever only measures needs no simulator.
    from modmul.verify.key import verification_key  # noqa: PLC0415
    from modmul.verify.pool import verify_all  # noqa: PLC0415
    from modmul.verify.runner import Verification  # noqa: PLC0415

    kept = store or Store()
    plan = _plan(modulus, count)
    listener(Progress("verify", "", 0, plan.count * len(builds)))
    results: dict[Build, int | ToolFailure] = dict(verified_before(builds, modulus, count, kept))
    missing = [build for build in builds if build not in results]
    keys = {build: verification_key(build, plan) for build in missing}
    known_steps = plan.count * len(results)

    def progress(step: Progress) -> None:
        listener(replace(step, done=step.done + known_steps, total=step.total + known_steps))

    def keep(build: Build, verified: Verification) -> None:
        kept.put(keys[build], {"count": verified.total})

    outcomes = verify_all(missing, plan, workers=workers, listener=progress, on_success=keep)
    for build, outcome in outcomes.items():
        results[build] = outcome.total if isinstance(outcome, Verification) else _failure(build, outcome)
    return {build: results[build] for build in builds}


def verified_before(builds: Sequence[Build], modulus: Modulus, count: int, store: Store) -> dict[Build, int]:
    """The builds of which the store says that they were verified on a modulus, and by how many products.

    None where the simulator is not installed, on whose version that depends.
    """
    if EXTRAS["simulation"].missing:
        return {}
    from modmul.verify.key import verification_key  # noqa: PLC0415

    plan = _plan(modulus, count)
    found = {build: store.get(verification_key(build, plan)) for build in builds}
    return {build: int(known["count"]) for build, known in found.items() if known is not None}


def _plan(modulus: Modulus, count: int) -> Plan:
    """Random operations on one modulus alone."""
    from modmul.verify.runner import Plan  # noqa: PLC0415

    return Plan(modulus=modulus.value, count=count, contract=False)


def _failure(build: Build, error: Exception) -> ToolFailure:
    """A verification that failed, with its whole message in a log."""
    log = log_file(f"{build.slug}-verification")
    log.write_text(f"{type(error).__name__}: {error}\n")
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    return ToolFailure(f"verification failed: {first}", log)
