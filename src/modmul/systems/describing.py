# SPDX-License-Identifier: Apache-2.0
"""The description of a system that is a program on ``mm_engine`` with a core, as the registry has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from modmul.core import Algorithm, Builds, Core, Function, Interface, Memory, Origin
from modmul.systems.contexts import check_flags, context, operand_max, refused, result_max, told
from modmul.systems.engine import EngineConfig, context_wait, interval, latency, moduli, operand_cycles, unit
from modmul.systems.power import PRODUCT, compute, fixed, formula

__all__ = ["engine_core"]


def engine_core(
    core: Core,
    config: Callable[..., EngineConfig],
    *,
    slug: str,
    title: str,
    steps: str,
    origin: Origin,
    more: Callable[[EngineConfig], Sequence[EngineConfig]] = lambda _config: (),
    computed: Callable[[Any, int, int, int, Memory], int] = compute,
    formula: Callable[[Any], str] = formula,
) -> Core:
    """The description of a program on the engine with a core.

    Args:
        core: what the engine multiplies with.
        config: makes a configuration of a width, with ``inner`` and ``core``.
        slug, title: of the system.
        steps: its cycle count as text.
        origin: where it is from.
        more: further configurations like one, for the tests.
        computed, formula: what it computes, and that as people write it.
    """

    def explore(width: int) -> Sequence[EngineConfig]:
        return tuple(config(width, inner=inner, core=core) for inner in core.builds.at(width)[:1])

    def for_modulus(width: int, modulus: int) -> Sequence[EngineConfig]:
        return tuple(config(width, inner=inner, core=core) for inner in fixed(core, width, modulus))

    def variants(width: int) -> Sequence[EngineConfig]:
        builds = filter(
            core.interface.carries_numbers, (*core.builds.at(width)[1:], *core.builds.variants(width))
        )
        others = [config(width, inner=inner, core=core) for inner in builds]
        for known in explore(width):
            others += [*more(known)]
            short = replace(known, engine_word=max(known.inner.word // 3, 1))
            others += [short] if short.geared else []
            others += [replace(known, cores=2)]
        return tuple(others)

    def check(config: EngineConfig, modulus: int) -> None:
        primes = moduli(config, modulus)
        if config.batch > 1 and config.cores > 1 and not unit(config).stream.tells_waiting:
            raise ValueError(
                f"results of several {core.slug} wait for each other in cycles that are not told; "
                "take Cores=1 or Batch=1"
            )
        if config.batch > 1 and config.at(modulus).number != config.longest:
            raise ValueError(
                f"with Batch={config.batch} a modulus has all {config.longest} words of this build; "
                "take a --width as short as the modulus"
            )
        for each in primes:
            core.function.check(config.inner, each)
            at = config.inner.at(each)
            if core.function.result_max(at, each) > core.function.operand_max(at, each):
                raise ValueError(f"results of {core.slug} may be larger than its operands; take another core")
            operand_max(config.at(modulus), each)
            if not config.reduces:
                check_flags(config.at(modulus), each)
        config.at(modulus).counts  # noqa: B018 - legal ones
        if config.written.digit > config.word:
            raise ValueError(
                f"acc takes digits of {config.written.digit} bits, and words of this build have "
                f"{config.word}; take longer words or shorter digits"
            )

    return Core(
        slug=f"{slug}:{core.slug}",
        title=f"{title} with {core.slug}",
        interface=Interface(
            latency=latency,
            interval=interval,
            operand_cycles=operand_cycles,
            context=context,
            context_wait=context_wait,
            refused=refused,
            controls=(PRODUCT,),
            told=told,
        ),
        function=Function(
            check=check,
            moduli=core.function.moduli,
            examples=(lambda config: core.function.tried(config.inner)) if core.function.examples else None,
            compute=computed,
            formula=formula,
            operand_max=operand_max,
            result_max=result_max,
        ),
        algorithm=Algorithm(steps=steps, cycles=lambda config: latency(config) - 1),
        builds=Builds(
            EngineConfig,
            explore=explore,
            variants=variants,
            for_modulus=for_modulus if core.builds.for_modulus else None,
        ),
        origin=origin,
        status=core.status,
        module=f"mm_sys_{slug}",
    )
