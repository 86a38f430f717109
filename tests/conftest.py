# SPDX-License-Identifier: Apache-2.0
"""What tests share: the seed of all that is random, a browser, and a room that is not in the package.

The seed is fixed, printed, and changed with the environment variable MODMUL_SEED. At the end stands what the
run has cost.
"""

import os
import random
import shutil
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.figure  # noqa: F401  before the other packages made with pybind11, which it may not get on with
import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

from modmul.registry import ENTRY_POINT_GROUP, Room, room, rooms
from modmul.tools.paths import cache_dir

SEED = int(os.environ.get("MODMUL_SEED", "4004"), 0)


def pytest_report_header() -> str:
    return f"MODMUL_SEED={SEED}"


def pytest_configure(config: pytest.Config) -> None:
    """Simulations are compiled for few cycles, but those of ``make long`` for many."""
    if config.option.markexpr != "long":
        os.environ.setdefault("MODMUL_CXXFLAGS", "-Og")


def cpu_seconds() -> float:
    """User and system time of this process so far, and of the children that have ended."""
    return sum(os.times()[:4])


BUDGET = 1800
"""CPU seconds that the whole suite may take from an empty cache; told, never asserted."""

WORKERS = pytest.StashKey[float]()
"""CPU seconds of all workers of pytest-xdist."""


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker tells what it has used."""
    told: dict[str, float] | None = getattr(session.config, "workeroutput", None)
    if told is not None:
        told["cpu"] = cpu_seconds()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker that crashed has told nothing."""
    stash = node.config.stash
    stash[WORKERS] = stash.get(WORKERS, 0.0) + getattr(node, "workeroutput", {}).get("cpu", 0.0)


TOLD = "told"
"""A property of a test that is printed at the end of the run."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for report in (*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")):
        for name, text in report.user_properties:
            if name == TOLD:
                terminalreporter.write_line(str(text))
    workers = config.stash.get(WORKERS, None)
    spent = cpu_seconds() if workers is None else workers + time.process_time()
    terminalreporter.write_line(f"CPU time: {spent:.0f} s, tools included; budget of 'make test': {BUDGET} s")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Random numbers that depend on the seed and on the test's name alone."""
    return random.Random(SEED ^ zlib.crc32(request.node.nodeid.encode()))


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without results; simulations, kept under all that goes into them, are those of other tests."""
    simulators = cache_dir() / "simulators"
    simulators.mkdir(exist_ok=True)
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "simulators").symlink_to(simulators)
    monkeypatch.setenv("MODMUL_CACHE", str(cache))
    return cache


@pytest.fixture
def booth() -> Room:
    """A core that is measured in seconds."""
    return room("imml_booth4")


NO_BROWSER = Path(__file__).parents[1] / "build" / "no-browser"
"""Left by tools/bootstrap.sh where the system has no Chromium to install."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Headless Chromium with a fresh profile; it may not reach the network."""
    binary = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        if NO_BROWSER.exists():
            pytest.skip("no browser: tools/bootstrap.sh could not install Chromium and its driver here")
        pytest.fail("needs Chromium and its driver: apt-get install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = binary
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SE_OFFLINE", "true")
        patch.setenv("SE_AVOID_STATS", "true")
        chrome = Chrome(options=options, service=ChromeService(executable_path=driver))
    yield chrome
    chrome.quit()


TOY = "toy"
"""A core with run-time length, both fields, a control, several operations in flight and results above M."""


@pytest.fixture
def toy(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """The room of ``tests/rooms/toy``, installed for this test as a third party's would be.

    Programs that the test starts find it too.
    """
    installed = tmp_path_factory.mktemp("installed")
    about = installed / f"{TOY}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {TOY}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{TOY} = {TOY}\n")
    places = [str(Path(__file__).parent / "rooms"), str(installed)]
    for place in places:
        monkeypatch.syspath_prepend(place)
    inherited = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*places, *inherited]))
    rooms.cache_clear()
    yield room(TOY)
    rooms.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] == TOY]:
        del sys.modules[name]
