# SPDX-License-Identifier: Apache-2.0
"""Shows on standard error how far a long command has come: bars on a terminal, lines elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress

from modmul.cli.printing import err, say
from modmul.tools.progress import Listener, Progress, hours

__all__ = ["Bars", "Lines", "showing"]

INTERVAL = 10.0
"""Seconds after which a line comes even where nothing has happened."""

EARLY = 3.0
"""Seconds of a phase after which its steps tell how long it will take."""

LEAST = 50
"""The share of the steps that have to be done for that: one in so many."""


class Arrival:
    """How long a phase may still take, in words: as whoever works says, or by the steps of the phase so far.

    Args:
        clock: seconds that have passed.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._phase = ""
        self._began = 0.0
        self._first = 0
        self._told: tuple[float, float] | None = None

    def __call__(self, progress: Progress) -> str:
        """What to say at this step; nothing where it is too early, or there is nothing left to do."""
        now = self._clock()
        if progress.phase != self._phase:
            self._phase, self._began, self._first, self._told = progress.phase, now, progress.done, None
        if progress.done >= progress.total:
            return ""
        if progress.left is not None:
            if self._told is None or self._told[0] != progress.left:
                self._told = progress.left, now
            return f"about {hours(max(progress.left - (now - self._told[1]), 0))} left"
        done, seconds = progress.done - self._first, now - self._began
        if seconds < EARLY or done * LEAST < progress.total - self._first:
            return ""
        return f"about {hours(seconds * (progress.total - progress.done) / done)} left"


class Bars:
    """A bar a phase, drawn anew several times a second, from the first call on."""

    def __init__(self, console: Console) -> None:
        self._bars = RichProgress(
            TextColumn("{task.fields[phase]:16}"),
            BarColumn(24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            TextColumn("{task.description}", markup=False),
            console=console,
        )
        self._tasks: dict[str, TaskID] = {}
        self._arrival = Arrival()

    def __call__(self, progress: Progress) -> None:
        self._bars.start()
        phase = progress.phase
        if phase not in self._tasks:
            self._tasks[phase] = self._bars.add_task(
                progress.text, phase=phase, total=progress.total, left=""
            )
        self._bars.update(
            self._tasks[phase],
            description=progress.text,
            completed=progress.done,
            total=progress.total,
            left=self._arrival(progress),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._tasks:
            self._bars.stop()


class Lines:
    """Plain lines: at the beginning and the end of each phase, and whenever there was none for a while.

    Args:
        write: prints a line.
        interval: seconds without a line after which one comes, from the first call on.
        clock: seconds that have passed.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        interval: float = INTERVAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write, self._interval, self._clock = write, interval, clock
        self._lock = threading.Lock()
        self._latest: Progress | None = None
        self._began = self._last = 0.0
        self._arrival = Arrival(clock)
        self._over = threading.Event()
        self._timer = threading.Thread(target=self._watch, daemon=True)

    def __call__(self, progress: Progress) -> None:
        with self._lock:
            before, self._latest = self._latest, progress
            began = before is None or before.phase != progress.phase
            ended = progress.done >= progress.total > 0 and (began or before != progress)
            if began:
                self._began = self._clock()
            if began or ended:
                self._print(progress)

    def tick(self) -> None:
        """Print where things stand, if there was no line for the interval."""
        with self._lock:
            if self._latest and self._clock() - self._last >= self._interval:
                self._print(self._latest)

    def _print(self, progress: Progress) -> None:
        self._last = self._clock()
        seconds = f"{self._last - self._began:.0f} s"
        count = f"{progress.done:,} of {progress.total:,}"
        left = self._arrival(progress)
        self._write(", ".join(filter(None, (f"{progress.phase}: {count}", seconds, left, progress.text))))

    def _watch(self) -> None:
        while not self._over.wait(self._interval / 10):
            self.tick()

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._timer.join()


@contextmanager
def showing(
    kept: str = "what was finished is kept, the same command goes on from there",
) -> Iterator[Listener]:
    """Shows what the listener is told while the body runs; nothing before it is told something.

    Bad input that is found before that stays one line.

    Args:
        kept: what is said of the work after Ctrl-C.
    """
    try:
        with Bars(err) if err.is_terminal else Lines(say) as listener:
            yield listener
    except KeyboardInterrupt:
        say(f"interrupted; {kept}")
        raise
