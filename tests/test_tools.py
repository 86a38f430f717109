# SPDX-License-Identifier: Apache-2.0
"""What starts programs, and the keys under which results are kept."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import pytest

from modmul.design import Design, Port
from modmul.registry import room
from modmul.tools.imports import sources
from modmul.tools.pool import run_all
from modmul.tools.progress import Progress
from modmul.tools.run import ToolFailure, end_tools, kill_tools, log_file, own_log, run_tool
from modmul.verify.key import verification_inputs, verification_key
from modmul.verify.pool import verify_all
from modmul.verify.runner import Plan
from modmul.verify.simulator import HARNESS

PACKAGE = Path(str(files("modmul")))
PATIENCE = 60.0
"""Seconds after which something that should have happened counts as not happening."""


pytestmark = pytest.mark.usefixtures("empty_cache")


# --- ending ---------------------------------------------------------------------------------------


def test_a_crash_is_a_failure_with_a_log(tmp_path: Path) -> None:
    log = log_file("crash")
    crash = (sys.executable, "-c", "print('before', flush=True); import os; os.abort()")
    with pytest.raises(ToolFailure, match="killed by SIGABRT") as failure:
        run_tool(crash, folder=tmp_path, log=log, timeout=60)
    assert failure.value.log.read_text().startswith("before")
    with pytest.raises(ToolFailure, match="failed with exit status 3"):
        run_tool((sys.executable, "-c", "raise SystemExit(3)"), folder=tmp_path, log=log, timeout=60)


def test_a_timeout_kills_the_tool_and_its_children(tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    child = f"import time, pathlib; time.sleep(3); pathlib.Path({str(alive)!r}).touch()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with pytest.raises(ToolFailure, match=r"took longer than 0\.5 s"):
        run_tool((sys.executable, "-c", parent), folder=tmp_path, log=log_file("slow"), timeout=0.5)
    threading.Event().wait(3.5)
    assert not alive.exists()


def test_kill_tools_ends_what_runs(tmp_path: Path) -> None:
    timer = threading.Timer(0.5, kill_tools)
    timer.start()
    sleep = (sys.executable, "-c", "import time; time.sleep(60)")
    with pytest.raises(ToolFailure, match="stopped"):
        run_tool(sleep, folder=tmp_path, log=log_file("killed"), timeout=60)
    timer.join()


PROGRAM = """
import sys
from pathlib import Path
from modmul.tools.pool import run_all
from modmul.tools.progress import Progress
from modmul.tools.run import Ended, end_tools_on_signals, log_file, run_tool, work_dir

CHILD = "import os, time; print(os.getpid(), flush=True); time.sleep(1000)"
START = f"subprocess.run([sys.executable, '-c', {CHILD!r}])"
PARENT = f"import os, subprocess, sys; print(os.getpid(), flush=True); {START}"

def work(number):
    with work_dir() as folder:
        log = log_file(f"tool{number}")
        run_tool((sys.executable, "-c", PARENT), folder=folder, log=log, timeout=1000)

end_tools_on_signals()
try:
    run_all(range(3), work, workers=2)
except Ended as end:
    sys.exit(end.status)
"""


def running(log: Path) -> list[int]:
    """The processes that have written their numbers to a log and still run."""
    numbers = [int(line) for line in log.read_text().split()] if log.exists() else []
    return [number for number in numbers if not ended(number)]


def ended(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_for_tools(logs: list[Path], program: subprocess.Popen[bytes]) -> list[int]:
    """The four processes of two tools, each with a child, as soon as all run."""
    deadline = time.monotonic() + PATIENCE
    while sum(len(running(log)) for log in logs) < 4:
        assert program.poll() is None and time.monotonic() < deadline, "the tools have not started"
        time.sleep(0.05)
    return [number for log in logs for number in running(log)]


def all_ended(numbers: list[int]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if all(map(ended, numbers)):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_tools_and_their_children(number: signal.Signals) -> None:
    """Those that run, and none is started afterwards; nothing is left in the work folder."""
    logs = [log_file(f"tool{k}") for k in range(3)]
    with subprocess.Popen((sys.executable, "-c", PROGRAM)) as program:
        tools = wait_for_tools(logs, program)
        program.send_signal(number)
        assert program.wait(PATIENCE) == 128 + number
    assert all_ended(tools)
    assert not logs[2].exists()
    assert not list((logs[0].parents[1] / "work").iterdir())


def test_a_closed_terminal_ends_the_tools() -> None:
    logs = [log_file(f"tool{k}") for k in range(2)]
    master, slave = os.openpty()
    terminal = os.ttyname(slave)
    # A session of its own whose controlling terminal is the first one it opens.
    program = subprocess.Popen(
        (sys.executable, "-c", f"open({terminal!r})\n{PROGRAM}"),
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    tools = wait_for_tools(logs, program)
    os.close(master)
    assert program.wait(PATIENCE) == 128 + signal.SIGHUP
    assert all_ended(tools)


def test_the_tools_of_one_owner_are_ended(tmp_path: Path) -> None:
    """And none is started for it afterwards; those of another go on."""
    sleep = ("-c", "import time; time.sleep(1)")

    def run(owner: str) -> float:
        command = (sys.executable, *sleep)
        return run_tool(command, folder=tmp_path, log=log_file(owner), timeout=PATIENCE, owner=owner)

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.submit(run, "one"), pool.submit(run, "other")
        while not (log_file("one").exists() and log_file("other").exists()):
            time.sleep(0.01)
        end_tools("one")
        with pytest.raises(ToolFailure, match=r"stopped|not started"):
            one.result()
        with pytest.raises(ToolFailure, match="not started"):
            run("one")
        assert other.result() >= 1


def test_a_log_has_lines_in_the_order_of_their_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tools are Python packages, and would keep what is no error for later."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    program = "import sys; print('a table'); print('ERROR: no luck', file=sys.stderr); sys.exit(1)"
    with pytest.raises(ToolFailure, match="no luck"):
        run_tool((sys.executable, "-c", program), folder=tmp_path, log=log_file("order"), timeout=PATIENCE)
    assert log_file("order").read_text() == "a table\nERROR: no luck\n"


def test_a_program_that_is_not_installed_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(ToolFailure, match="no-such-tool is not installed; 'modmul doctor'"):
        run_tool(("no-such-tool",), folder=tmp_path, log=log_file("none"), timeout=1)


HEARD = """
import signal, sys, threading, time
from modmul.tools.pool import run_all
from modmul.tools.run import Ended, end_tools_on_signals

heard = threading.Event()

def work(_):
    time.sleep(1)  # until the other thread waits
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    print(heard.wait(60))

end_tools_on_signals()
try:
    run_all(range(1), work, workers=1, on_failure=heard.set)
except Ended as end:
    sys.exit(end.status)
"""


def test_a_signal_that_another_thread_gets_is_heard() -> None:
    """The kernel may give it to any thread; the waiting one has to look."""
    done = subprocess.run((sys.executable, "-c", HEARD), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (143, "True\n"), done.stderr


def test_the_pool_keeps_the_order_and_drops_what_has_not_begun() -> None:
    assert run_all(range(20), lambda k: k * k, workers=3) == [k * k for k in range(20)]
    begun: list[int] = []
    told: list[str] = []

    def work(number: int) -> None:
        begun.append(number)
        if number == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(range(1000), work, workers=1, on_failure=lambda: told.append("stop"))
    assert begun == [0, 1]
    assert told == ["stop"]


def test_the_pool_grows_with_the_number_of_its_workers() -> None:
    """As many begin as there are at the time, and the others when there are more."""
    most = 1
    together = threading.Barrier(3)

    def work(number: int) -> int:
        nonlocal most
        most = 3
        together.wait(PATIENCE)
        return number

    assert run_all(range(3), work, workers=lambda: most) == [0, 1, 2]


def test_what_was_verified_before_an_interruption_is_kept() -> None:
    first, second = (room(slug).build(8) for slug in ("imml_radix4", "imml_radix8"))
    kept: list[str] = []

    def interrupt(progress: Progress) -> None:
        if "imml_radix8" in progress.text:
            raise KeyboardInterrupt

    plan = Plan(modulus=251, count=100, contract=False)
    with pytest.raises(KeyboardInterrupt):
        verify_all(
            [first, second],
            plan,
            workers=1,
            listener=interrupt,
            on_success=lambda build, _: kept.append(build.slug),
        )
    assert kept == ["imml_radix4"]


# --- logs -----------------------------------------------------------------------------------------


def test_a_log_that_is_read_is_of_one_run_alone(tmp_path: Path) -> None:
    """Both runs have logs of one name; each reads what its own tool has said, and one of them stays."""
    kept, folders = log_file("same"), (tmp_path / "first", tmp_path / "second")
    for folder in folders:
        folder.mkdir()
    with own_log(folders[0], kept) as first, own_log(folders[1], kept) as second:
        for log, word in ((first, "one"), (second, "two")):
            tool = (sys.executable, "-c", f"print({word!r})")
            run_tool(tool, folder=log.parent, log=log, timeout=PATIENCE)
        assert (first.read_text().split(), second.read_text().split()) == (["one"], ["two"])
    assert kept.read_text().split() == ["one"]


def test_a_failure_names_the_log_that_stays(tmp_path: Path) -> None:
    kept = log_file("failing")
    tool = (sys.executable, "-c", "print('error: in vain'); raise SystemExit(1)")
    with pytest.raises(ToolFailure) as failed, own_log(tmp_path, kept) as log:
        run_tool(tool, folder=tmp_path, log=log, timeout=PATIENCE)
    assert failed.value.log == kept and str(kept) in str(failed.value)
    assert "in vain" in failed.value.reason and "in vain" in kept.read_text()


# --- what a module imports ------------------------------------------------------------------------


def test_the_sources_of_a_module_are_those_that_it_imports(tmp_path: Path) -> None:
    """Through others, in functions, from packages and from modules in them; not from elsewhere."""
    texts = {
        "own/__init__.py": "",
        "own/above.py": "",
        "own/inner/__init__.py": "from own.inner import other\nTABLE = 1",
        "own/inner/start.py": "import json\nfrom own.inner import second\nfrom own.above import name",
        "own/inner/second.py": "def late():\n    import own.inner.third",
        "own/inner/third.py": "",
        "own/inner/other.py": "",
        "own/inner/user.py": "from own.inner import TABLE",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def found(module: str, package: str) -> set[str]:
        return {str(file.relative_to(tmp_path / "own")) for file in sources(module, package, tmp_path)}

    start = {"inner/start.py", "inner/second.py", "inner/third.py"}
    assert found("own.inner.start", "own.inner") == start
    assert found("own.inner.start", "own") == start | {"above.py"}
    assert found("own.inner.user", "own") == {"inner/user.py", "inner/__init__.py", "inner/other.py"}
    with pytest.raises(ModuleNotFoundError):
        sources("own.missing", "own", tmp_path)


# --- the digest of a design -----------------------------------------------------------------------


def test_the_digest_is_over_all_but_comments_white_space_and_folders(tmp_path: Path) -> None:
    def digest(text: str = "module a;", folder: str = "x", name: str = "a.sv", **changes: object) -> str:
        source = tmp_path / folder / name
        source.parent.mkdir(exist_ok=True)
        source.write_text(text)
        given: dict[str, object] = {"top": "a", "parameters": {"Width": 8}, **changes}
        return Design("a", sources=(source,), **given).digest  # type: ignore[arg-type]

    same = [
        digest(),
        digest(folder="y"),
        digest("// two lines\n\nmodule  /* a */ a;\n"),
        digest(ports=(Port("clk_i", "input", 1),)),
    ]
    assert len(set(same)) == 1
    others = [
        digest("module b;"),
        digest('module a; "// text"'),
        digest('module a; "// test"'),
        digest(name="b.sv"),
        digest(top="b"),
        digest(parameters={"Width": 9}),
        digest(multiplier_blocks=True),
    ]
    assert len({same[0], *others}) == 1 + len(others)


# --- the key of a verification --------------------------------------------------------------------

KEYS = """
import json, sys
from pathlib import Path
from modmul.registry import room
from modmul.verify.key import verification_inputs, verification_key
from modmul.verify.pool import verify_all
from modmul.verify.runner import Plan

def key():
    return verification_key(found.build(16), Plan())

found = room(sys.argv[1])
first = key()
changed = {}
for file in [*map(Path, json.loads(sys.argv[2])), *found.sources]:
    text = file.read_text()
    file.write_text(text + "\\nxyz\\n")
    changed[str(file)] = key() != first
    file.write_text(text)
assert key() == first
print(json.dumps(changed))
"""


@pytest.mark.parametrize("slug", ["montgomery_csa1", "scalable_booth4_left"])
def test_a_verification_is_made_again_when_a_file_it_rests_on_changes(slug: str, tmp_path: Path) -> None:
    """Each is edited, in a copy of the package: description, what it imports, checks, harness, hardware."""
    shutil.copytree(PACKAGE, tmp_path / "modmul", ignore=shutil.ignore_patterns("__pycache__"))
    own = room(slug).path.relative_to(PACKAGE)

    def here(*paths: str) -> set[str]:
        return {str(tmp_path / "modmul" / path) for path in paths}

    decides = here(
        *(
            f"core/{name}.py"
            for name in ("core", "config", "function", "interface", "domain", "polynomial", "legal", "ports")
        ),
        *("design.py", "room.py", f"{own}/core.py"),
        *(f"verify/{name}" for name in ("checks.py", "runner.py", "simulation.py", "simulator.py")),
        *(f"verify/{file.name}" for file in HARNESS),
    )
    other = here("study/papers.py", "measure/route.py", "cores/product_scanning/fips/core.py")
    (other if slug == "montgomery_csa1" else decides).update(here("cores/scalable/systolic.py"))
    done = subprocess.run(
        (sys.executable, "-c", KEYS, slug, json.dumps(sorted(decides | other))),
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    changed = json.loads(done.stdout)
    hardware = {path for path in changed if path.endswith(".sv")}
    assert hardware
    assert {path for path, new in changed.items() if new} == decides | hardware


def test_a_verification_is_made_again_for_another_configuration_or_plan() -> None:
    found = room("montgomery_csa1")
    first, second = found.core.builds.at(16)[0], found.core.builds.variants(16)[0]
    keys = [
        verification_key(found.of(first), Plan()),
        verification_key(found.of(second), Plan()),
        verification_key(found.of(first), Plan(count=7)),
        verification_key(found.of(first), Plan(modulus=65521)),
        verification_key(room("montgomery_csa2").of(first), Plan()),
    ]
    assert len(set(keys)) == len(keys)
    assert all(file.is_file() for file in verification_inputs(found))
