# SPDX-License-Identifier: Apache-2.0
"""``make soak``: multiplies on random builds of every core, for hours, and goes on where it was.

``python tools/soak.py [CORE …]``: of some cores, or of all, which take turns. A turn is one random build with
contexts, legal and illegal, operands, pauses and resets as chance has it; all of it follows from the seed,
the core and the number of the turn. :mod:`modmul.verify.checks` looks at whatever the contract says. A turn
runs in a process of its own: one that crashes or hangs is a failure like any other, and no memory is kept.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import secrets
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Annotated, Any

import typer

from modmul.cli.options import RoomsOption
from modmul.cli.printing import print_table, say
from modmul.cli.progress import showing
from modmul.core import BINARY_FIELD, Config, ceil_div
from modmul.registry import Build, Room, room, rooms, visit
from modmul.tools.extras import MissingExtra, need
from modmul.tools.paths import cache_dir, replacing
from modmul.tools.progress import Listener, Progress, ignore
from modmul.tools.run import end_tools_on_signals
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, SimulatorError, VerificationError
from modmul.verify.simulation import Simulation

COUNT = 10**8
"""Multiplications that a soak is for."""

WIDEST = (8, 16, 16, 32, 64, 160, 288)
"""The longest operand of a build is one of these; the width is drawn from 2 bits to it."""

WORK = 6.0
"""Seconds that the streams of operations of a turn take, about, by :func:`expense`."""

MOST = 1_500_000
"""Operations in the streams of a turn."""

STRETCHES = 12
"""Streams of a turn, each behind a context of its own."""

PAUSED = 100
"""Operations with each kind of pause, in each stream at most."""

POOL, TRIED = 24, 4
"""Moduli that a turn's are taken from, and how many it has."""

BUILDS, VALUES = 1000, 8
"""Builds that are tried until one is legal; values that are tried of a parameter."""

HANGS = 3600.0
"""Seconds after which a turn counts as one that never ends."""


# --- a turn -----------------------------------------------------------------------------------------


def random_build(found: Room, rng: random.Random) -> Build:
    """A legal build with a random width and random parameters, those of a named build among them.

    Raises:
        ValueError: none was found.
    """
    builds = found.core.builds
    most = min(builds.made_for, builds.longest_in_test)
    for _ in range(BUILDS):
        width = builds.only_width or rng.randint(2, min(rng.choice(WIDEST), most))
        with suppress(ValueError):
            config = rng.choice(tuple(dict.fromkeys((*builds.all(width), *builds.variants(width)))))
            return found.of(_varied(found, config, rng))
    raise ValueError(f"{found.core.slug}: no legal build was found")


def _varied(found: Room, config: Config, rng: random.Random) -> Config:
    """Half of the parameters changed, each to a value that is legal beside the others."""
    named = found.core.builds.values(config.width) if found.core.builds.values else {}
    for name in config.own():
        if name != "Width" and rng.random() < 0.5:
            for _ in range(VALUES):
                value = _value(name, config, named.get(name, ()), rng)
                with suppress(ValueError):
                    config = config.with_parameters({name: value})
                    break
    return config


def _value(name: str, config: Config, named: Sequence[int], rng: random.Random) -> int:
    """A value of a parameter that may be legal."""
    if name == "Modulus":
        return _modulus(config.width + (BINARY_FIELD in config.fields), rng)
    if named and rng.random() < 0.7:
        return rng.choice(named)
    return rng.randint(0, rng.choice((2, 8, config.width + 2)))


def _modulus(bits: int, rng: random.Random) -> int:
    """An odd number of so many bits: dense, near to the power of two above, or with few powers of two."""
    top = 1 << bits
    near = top - rng.getrandbits(rng.randint(1, bits // 2 + 1))
    sparse = top - (1 << rng.randrange(bits)) + rng.choice((1, -1)) * (1 << rng.randrange(bits))
    return (
        rng.choice((rng.getrandbits(bits) | top >> 1, near, sparse, top >> 1 | 1 << rng.randrange(bits))) | 1
    )


def expense(build: Build) -> float:
    """Microseconds that an operation takes, about; the same everywhere, so that a turn is."""
    width = build.config.width
    products = 18 if BINARY_FIELD in build.config.fields else 0
    return 4 + products + build.interval * (0.1 + width / 1000)


def turn(build: Build, rng: random.Random, work: float = WORK) -> Iterator[int]:
    """Multiplications on a build; yields how many, several times a second.

    Args:
        work: how much, as :data:`WORK`.

    Raises:
        VerificationError, ProtocolError, SimulatorError: as of the checks.
    """
    config = build.config
    simulation = Simulation(build, seed=rng.getrandbits(31))
    known = checks.interesting_moduli(build, rng, POOL)
    moduli = rng.sample(known, min(TRIED, len(known)))
    illegal = build.core.illegal_contexts(config)
    count = ceil_div(min(int(1e6 * work / expense(build)), MOST), STRETCHES)

    def refuse() -> int:
        for _ in range(rng.randint(1, 3)):
            simulation.load_words(rng.choice(illegal))
        return 0

    def reset() -> int:
        simulation.reset(rng.randint(1, 3))
        return 0

    between: tuple[Callable[[], int], ...] = (
        *(refuse, reset) * 2,
        lambda: checks.check_walk(simulation, moduli, rng, walks=1),
        lambda: checks.check_reset(simulation, moduli, rng, resets=2),
        lambda: checks.check_context(simulation, moduli, rng),
        lambda: checks.check_operands(simulation, moduli, rng),
        lambda: checks.check_power_up(build, moduli, [rng.getrandbits(31)]),
    )
    for _ in range(STRETCHES):
        for step in rng.sample(between, rng.randint(0, 2)):
            yield step()
        modulus = rng.choice(moduli)
        yield from checks.check_random(simulation, modulus, count, rng)
        if rng.random() < 0.5:
            yield checks.check_back_pressure(simulation, modulus, max(min(count // 50, PAUSED), 1), rng)


@dataclass(frozen=True)
class Turn:
    """What makes a turn: with these sources it is always the same.

    Attributes:
        core: slug.
        seed: of everything.
        number: from 0.
        work: how much, as :data:`WORK`.
        guests: folders of cores that are not in the package.
    """

    core: str
    seed: int
    number: int
    work: float = WORK
    guests: tuple[Path, ...] = ()

    def begin(self) -> tuple[Build, Iterator[int]]:
        """Its build and its multiplications."""
        rng = random.Random(f"{self.seed} {self.core} {self.number}")
        build = random_build(room(self.core), rng)
        return build, turn(build, rng, self.work)

    @property
    def command(self) -> str:
        """What runs it again."""
        others = [f"--work={self.work:g}"] if self.work != WORK else []
        others += [f"--room={folder}" for folder in self.guests]
        python = os.path.relpath(sys.executable)
        asked = [self.core, f"--seed={self.seed}", f"--turn={self.number}"]
        return shlex.join([python, os.path.relpath(__file__), *asked, *others])


# --- its process ------------------------------------------------------------------------------------


class Unable(Exception):
    """A turn cannot run here, whatever the hardware is like."""


def _work(told: Connection, job: Turn, cache: Path) -> None:
    """Run a turn, and tell the build, how many multiplications there were, or what went wrong."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal: whoever started this ends it
    end_tools_on_signals()
    os.environ["MODMUL_CACHE"] = str(cache)
    try:
        for folder in job.guests:
            visit(folder)
        build, counts = job.begin()
        told.send(("build", str(build)))
        for done in counts:
            told.send(("done", done))
        told.send(("end", None))
    except (OSError, MissingExtra) as error:
        told.send(("unable", str(error)))
    except Exception as error:
        told.send(("failed", f"{type(error).__name__}: {error}"))


@dataclass
class Ran:
    """How a turn went.

    Attributes:
        build: what it was of, in words.
        done: multiplications.
        failure: what went wrong; empty if nothing did.
    """

    build: str = ""
    done: int = 0
    failure: str = ""


def run(job: Turn, cache: Path, tell: Callable[[Ran], None], hangs: float = HANGS) -> Ran:
    """Run a turn in a process of its own.

    Args:
        cache: for simulations.
        tell: called every few multiplications.
        hangs: seconds after which it is ended.

    Raises:
        Unable: the disk is full, or something is not installed.
    """
    context = get_context("spawn")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, job, cache), daemon=False)
    process.start()
    theirs.close()
    ran, began, ended = Ran(), time.monotonic(), False
    try:
        while not ended:
            if not mine.poll(max(began + hangs - time.monotonic(), 0)):
                ran.failure = f"no end after {hangs:g} s"
                break
            try:
                what, said = mine.recv()
            except EOFError:
                break
            ended = _heard(ran, what, said)
            tell(ran)
    finally:
        if not ended:
            process.terminate()
        process.join(10)
        process.kill()
        process.join()
    if not ended and not ran.failure:
        ran.failure = f"its process ended with {_status(process.exitcode)}"
    return ran


def _heard(ran: Ran, what: str, said: Any) -> bool:
    """Note what a turn has told; whether that was the last."""
    if what == "unable":
        raise Unable(said)
    if what == "build":
        ran.build = said
    elif what == "done":
        ran.done += said
    elif what == "failed":
        ran.failure = said
    return what in ("end", "failed")


def _status(code: int | None) -> str:
    return signal.Signals(-code).name if code and code < 0 else f"status {code}"


# --- what is kept -----------------------------------------------------------------------------------


@dataclass
class Soaked:
    """What was done of a core, its hardware being what it is.

    Attributes:
        digest: of the hardware.
        done: multiplications.
        seconds: of CPU time.
        turns: seed to the turns that have passed.
        failed: the command that repeats the turn that did not pass, and what it said; empty where all did.
    """

    digest: str
    done: int = 0
    seconds: float = 0.0
    turns: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


@dataclass
class State:
    """What was done so far, in a file.

    Attributes:
        file: it.
        seed: the latest.
        cores: slug to what was done.
    """

    file: Path
    seed: int = 0
    cores: dict[str, Soaked] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> State:
        """That of a file; an empty one where there is none.

        Raises:
            ValueError: the file is damaged.
        """
        if not file.exists():
            return cls(file)
        try:
            told = json.loads(file.read_bytes())
            cores = {slug: Soaked(**each) for slug, each in told["cores"].items()}
            return cls(file, int(told["seed"]), cores)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise ValueError(
                f"the state of the soak is damaged ({error}); put it aside to begin anew: "
                f"{shlex.join(['mv', str(file), f'{file}.damaged'])}"
            ) from error

    def write(self) -> None:
        """All of it, or nothing."""
        cores = {slug: asdict(each) for slug, each in self.cores.items()}
        with replacing("state of the soak", self.file) as put:
            put(json.dumps({"seed": self.seed, "cores": cores}, indent=1).encode())

    def of(self, found: Room) -> Soaked:
        """That of a core; nothing where its hardware has changed."""
        slug, digest = found.core.slug, found.design(found.core.builds.at(_width(found))[0]).digest
        if slug not in self.cores or self.cores[slug].digest != digest:
            self.cores[slug] = Soaked(digest)
        return self.cores[slug]


def _width(found: Room) -> int:
    return found.core.builds.only_width or 16


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other soak has this folder meanwhile.

    Raises:
        ValueError: one has.
    """
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(
                f"another soak is running with {folder}; set MODMUL_CACHE to another folder"
            ) from None
        yield


def _tidy(cache: Path) -> None:
    """Remove the simulations of a turn: no other has such a build."""
    for file in (cache / "simulators").glob("V*"):
        file.unlink()


def soak(
    state: State,
    asked: Mapping[str, Room],
    *,
    count: int,
    until: float = float("inf"),
    work: float = WORK,
    guests: tuple[Path, ...] = (),
    listener: Listener = ignore,
) -> None:
    """Turn after turn, the core with the fewest first, until there are enough; one that failed takes none.

    The state is written behind each turn.

    Args:
        count: multiplications, those of the state among them.
        until: by ``time.monotonic``: no turn begins later.
        work, guests: of each turn.

    Raises:
        Unable: as of :func:`run`.
    """
    seed, cache = str(state.seed), state.file.parent
    failed: set[str] = set()
    while len(failed) < len(asked) and time.monotonic() < until:
        soaked = {slug: state.of(found) for slug, found in asked.items()}
        total = sum(each.done for each in soaked.values())
        if total >= count:
            return
        slug = min(soaked.keys() - failed, key=lambda s: (soaked[s].turns.get(seed, 0), list(asked).index(s)))
        its = soaked[slug]
        job = Turn(slug, state.seed, its.turns.get(seed, 0), work, guests)

        def tell(ran: Ran, total: int = total, slug: str = slug) -> None:
            listener(Progress("soak", ran.build or slug, min(total + ran.done, count), count))

        tell(Ran())
        before = sum(os.times()[2:4])
        ran = run(job, cache, tell)
        _tidy(cache)
        its.seconds = round(its.seconds + sum(os.times()[2:4]) - before, 2)
        if ran.failure:
            failed.add(slug)
            its.failed = [job.command, ran.failure]
            say(f"{ran.build or slug} failed: {ran.failure}\n  again: {job.command}")
        else:
            its.done += ran.done
            its.turns[seed] = job.number + 1
            its.failed = []
        state.write()


# --- the command ------------------------------------------------------------------------------------


def _again(job: Turn) -> None:
    """One turn, in this process and with the usual cache, for whoever looks for what went wrong."""
    build, counts = job.begin()
    say(f"{build}, seed {job.seed}, turn {job.number}")
    try:
        print(f"{sum(counts):,} multiplications, all right")
    except (VerificationError, ProtocolError, SimulatorError) as error:
        print(f"{job.core} failed: {type(error).__name__}: {error}")
        raise typer.Exit(1) from error


def main(
    cores: Annotated[list[str] | None, typer.Argument(metavar="CORE", help="Default: all.")] = None,
    count: Annotated[
        int, typer.Option(min=1, help="Multiplications, those of earlier runs included.")
    ] = COUNT,
    minutes: Annotated[float | None, typer.Option(min=0, help="Begin no turn later than that.")] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Of everything. Default: that of the latest run, or a random one."),
    ] = None,
    number: Annotated[
        int | None, typer.Option("--turn", min=0, help="Repeat this turn of one core, and nothing else.")
    ] = None,
    work: Annotated[float, typer.Option(min=0.001, help="Seconds that the streams of a turn take.")] = WORK,
    guests: RoomsOption = None,
) -> None:
    """Multiply on random builds until there are enough multiplications; whatever was done before counts."""
    need("simulation")
    folders = tuple(folder.absolute() for folder in guests or ())
    asked = {slug: room(slug) for slug in cores or rooms()}
    if number is not None:
        if len(asked) != 1 or seed is None:
            raise typer.BadParameter("--turn wants one core and the seed")
        return _again(Turn(next(iter(asked)), seed, number, work, folders))
    home = cache_dir() / "soak"
    with _alone(home):
        state = State.read(home / "state.json")
        state.seed = seed if seed is not None else state.seed or secrets.randbits(32)
        say(f"seed {state.seed}, state in {state.file}")
        until = float("inf") if minutes is None else time.monotonic() + 60 * minutes
        with showing("the turn at hand is lost, the same command goes on with it") as listener:
            soak(state, asked, count=count, until=until, work=work, guests=folders, listener=listener)
    soaked = {slug: state.of(found) for slug, found in asked.items()}
    lines = [
        (slug, f"{sum(each.turns.values()):,}", f"{each.done:,}", f"{each.seconds:,.0f}")
        for slug, each in soaked.items()
    ]
    print_table(("core", "builds", "multiplications", "CPU s"), lines)
    total, seconds = sum(each.done for each in soaked.values()), sum(each.seconds for each in soaked.values())
    seeds = sorted({number for each in soaked.values() for number in each.turns})
    print(f"{total:,} multiplications in {seconds:,.0f} CPU s, seeds {', '.join(seeds) or 'none'}")
    wrong = {slug: each.failed for slug, each in soaked.items() if each.failed}
    for slug, (command, reason) in wrong.items():
        print(f"{slug} failed: {reason}\n  again: {command}")
    if wrong:
        raise typer.Exit(1)


if __name__ == "__main__":
    end_tools_on_signals()
    try:
        typer.run(main)
    except (Unable, ValueError) as error:
        say(f"error: {error}")
        sys.exit(2)
