# SPDX-License-Identifier: Apache-2.0
"""Faults that are nobody's input: damaged files, full disks, places that cannot be written."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path

import pytest

from modmul.measure import RecordError, Shelf
from modmul.tools.paths import cache_or_scratch
from modmul.tools.pool import run_all
from modmul.tools.run import DiskFull, Stopped, ToolFailure, kill_tools, run_tool
from modmul.tools.store import Store, StoreError

program = import_module("modmul.cli.app")
SCRIPT = Path(sys.executable).with_name("modmul")


def modmul(*arguments: str, cache: Path, out: str = "") -> subprocess.CompletedProcess[str]:
    """The installed script, with a cache; its standard output goes to a file, if one is named."""
    with Path(out or os.devnull).open("w") as file:
        return subprocess.run(
            [SCRIPT, *arguments],
            env={**os.environ, "MODMUL_CACHE": str(cache)},
            stdin=subprocess.DEVNULL,
            stdout=file if out else subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """What is said of an error, progress aside."""
    lines = [line for line in done.stderr.splitlines() if " of " not in line]
    assert len(lines) == 1 and lines[0].startswith("error: "), done.stderr
    assert done.returncode == 1
    return lines[0]


def test_a_damaged_store_is_named_where_it_is_needed_and_only_there(tmp_path: Path) -> None:
    (tmp_path / "results.sqlite").write_bytes(bytes(range(256)) * 40)
    shipped = modmul("measure", "rrm", cache=tmp_path)
    assert shipped.returncode == 0 and "shipped" in shipped.stdout and not shipped.stderr
    told = one_line(modmul("measure", "interleaved_radix2", "-w", "8", "-t", "virtex2", cache=tmp_path))
    assert str(tmp_path / "results.sqlite") in told and "mv " in told
    assert (tmp_path / "results.sqlite").read_bytes() == bytes(range(256)) * 40


def test_a_damaged_result_in_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite")
    store.put("one", {"fine": 1})
    with sqlite3.connect(store.path) as database:
        database.execute("INSERT INTO results VALUES ('two', '{')")
    database.close()
    assert store.get("one") == {"fine": 1}
    with pytest.raises(StoreError, match="damaged"):
        store.get("two")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_store_on_a_full_disk(tmp_path: Path) -> None:
    """The largest number of pages that SQLite may write is as good as a full disk."""
    store = Store(tmp_path / "results.sqlite")
    store.put("one", {"fine": 1})
    with pytest.raises(DiskFull), store._transaction() as database:
        database.execute("PRAGMA max_page_count = 1")
        database.execute("INSERT INTO results VALUES ('two', ?)", ("x" * 100_000,))
    assert store.get("one") == {"fine": 1}


@pytest.mark.parametrize("text", ["", "[{", '[{"design": "rrm"}]', "[1]"])
def test_damaged_records_name_their_file(text: str, tmp_path: Path) -> None:
    (tmp_path / "rrm.json").write_text(text)
    with pytest.raises(RecordError, match=r"rrm\.json.*--fresh"):
        Shelf(tmp_path).records("rrm")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", ["list", "list --json", "--version", "show rrm"])
def test_standard_output_that_takes_nothing(arguments: str, tmp_path: Path) -> None:
    told = one_line(modmul(*arguments.split(), cache=tmp_path, out="/dev/full"))
    assert "standard output" in told and os.strerror(errno.ENOSPC) in told


def test_nobody_reads_standard_output(tmp_path: Path) -> None:
    """As in ``modmul list | true``: silence."""
    gone, end = os.pipe()
    os.close(gone)
    process = subprocess.Popen(
        [SCRIPT, "list"],
        stdout=end,
        stderr=subprocess.PIPE,
        env={**os.environ, "MODMUL_CACHE": str(tmp_path)},
    )
    os.close(end)
    assert process.communicate(timeout=300)[1] == b""
    assert process.returncode == 128 + signal.SIGPIPE


def test_a_tool_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is no failure of the tool."""
    command, log = ("false",), tmp_path / "log"
    with pytest.raises(ToolFailure):
        run_tool(command, folder=tmp_path, log=log, timeout=60)
    says_so = ("sh", "-c", f"echo {os.strerror(errno.ENOSPC)}; false")
    with pytest.raises(DiskFull) as full:
        run_tool(says_so, folder=tmp_path, log=log, timeout=60)
    assert full.value.filename == str(tmp_path)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=0))
    with pytest.raises(DiskFull):
        run_tool(command, folder=tmp_path, log=log, timeout=60)
    run_tool(("true",), folder=tmp_path, log=log, timeout=60)


def test_a_log_has_room_for_the_word_of_a_full_disk(tmp_path: Path) -> None:
    """Some of the disk is its own before the tool begins; nobody who reads it sees that."""
    log = tmp_path / "log"
    run_tool(("stat", "-c", "%s %b", str(log)), folder=tmp_path, log=log, timeout=60)
    size, blocks = log.read_text().split()
    assert int(size) == 0
    if not int(blocks):
        pytest.skip("this file system does not reserve")


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def full() -> None:
        raise DiskFull(Path("/somewhere"))

    monkeypatch.setattr(program, "app", full)
    monkeypatch.setattr(program, "end_tools_on_signals", lambda: None)
    monkeypatch.setattr(program, "Output", lambda stream: stream)
    with pytest.raises(SystemExit) as leaving:
        program.main()
    assert leaving.value.code == 1
    told = " ".join(capfd.readouterr().err.split())
    assert "/somewhere" in told and "MODMUL_CACHE" in told


def test_shipped_measurements_need_no_cache(tmp_path: Path) -> None:
    """A home that cannot be written: the cache cannot be made below a file."""
    (tmp_path / "file").touch()
    for design in ("rrm", "modexp:fips"):
        done = modmul("measure", design, cache=tmp_path / "file" / "cache")
        assert done.returncode == 0 and "shipped" in done.stdout, done.stderr


def test_scratch_where_there_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "cache"))
    assert cache_or_scratch() == tmp_path / "cache"
    (tmp_path / "file").touch()
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path / "file" / "cache"))
    assert cache_or_scratch() == cache_or_scratch()
    (cache_or_scratch() / "written").touch()


def test_a_tool_that_is_stopped_has_not_failed(tmp_path: Path) -> None:
    seen: list[type[BaseException]] = []

    def work(number: int) -> None:
        try:
            run_tool(("sleep", "60"), folder=tmp_path, log=tmp_path / f"log{number}", timeout=60)
        except BaseException as error:
            seen.append(type(error))
            raise

    def stop() -> None:
        time.sleep(0.5)
        kill_tools()

    stopper = threading.Thread(target=stop)
    stopper.start()
    with pytest.raises(Stopped):
        run_all(range(2), work, workers=2)
    stopper.join()
    assert seen == [Stopped, Stopped]
