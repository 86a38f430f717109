# SPDX-License-Identifier: Apache-2.0
"""The command line as people use it: the installed script, its output, exit codes and one-line errors."""

from __future__ import annotations

import csv
import io
import json
import multiprocessing
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from rich.console import Console

from modmul.bus.shell import Shell
from modmul.chips import names as chip_names
from modmul.cli import main
from modmul.cli.progress import INTERVAL, Bars, Lines
from modmul.core import PORTS
from modmul.measure import CHIPS
from modmul.moduli import NAMED
from modmul.registry import Room, rooms
from modmul.tools.doctor import PROGRAMS
from modmul.tools.paths import cache_dir
from modmul.tools.progress import Progress
from modmul.use.bench import Bench, clock_of

SCRIPT = Path(sys.executable).with_name("modmul")
ENV = shutil.which("env") or "env"
FORK = multiprocessing.get_context("fork")
SIMULATORS = cache_dir() / "simulators"
"""Builds, kept by the hash of all that goes into them; they may outlive the tests."""
SMALL = ("interleaved_radix2", "interleaved_radix2_parallel")
BOTH = ",".join(SMALL)
Done = subprocess.CompletedProcess[str]
PROGRESS = re.compile(r"[a-z ]+: [\d,]+ of [\d,]+, \d+ s(, .*)?$")
"""A line of progress where standard error is no terminal."""


def new_cache(folder: Path) -> Path:
    """A cache without results, but with the simulators that were built before."""
    folder.mkdir()
    SIMULATORS.mkdir(parents=True, exist_ok=True)
    (folder / "simulators").symlink_to(SIMULATORS)
    return folder


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for the tests that need no fresh one."""
    return new_cache(tmp_path_factory.mktemp("cli") / "cache")


class Tool:
    """The command line in a folder, with a cache."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "MODMUL_CACHE": str(cache), "HOME": str(folder)}
        self.environment.pop("COLUMNS", None)

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """Run it in a process group of its own, as a shell does.

        Ctrl-C reaches it, also where the tests run in the background, which do not hear it.
        """
        return subprocess.Popen(
            [ENV, "--default-signal=INT", SCRIPT, *map(str, arguments)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __call__(self, *arguments: str | Path, code: int = 0) -> Done:
        """Run it to its end; no traceback, and the exit code that is expected.

        In a copy of this process, which has all modules already: the script spends half a second on them.
        Where programs or modules are to be found elsewhere, the script itself.
        """
        elsewhere = any(self.environment.get(name) != os.environ.get(name) for name in ("PATH", "PYTHONPATH"))
        done = self.script(*arguments) if elsewhere else self._fork(*arguments)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == code, done
        return done

    def script(self, *arguments: str | Path) -> Done:
        """Run the installed script to its end."""
        process = self.start(*arguments)
        try:
            out, err = process.communicate(timeout=300)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        return Done(process.args, process.returncode, out, err)

    def _fork(self, *arguments: str | Path) -> Done:
        command = [str(SCRIPT), *map(str, arguments)]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = FORK.Process(target=self._copy, args=(command, out.fileno(), err.fileno()))
            process.start()
            assert process.pid
            try:
                process.join(300)
            finally:
                if process.exitcode is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.join()
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode())
        assert process.exitcode is not None
        return Done(command, process.exitcode, *texts)

    def _copy(self, command: list[str], out: int, err: int) -> None:
        """What the script does, in a process that has begun as a copy of this one."""
        os.setsid()
        os.chdir(self.folder)
        for name in os.environ.keys() - self.environment.keys():
            del os.environ[name]
        os.environ.update(self.environment)
        with Path(os.devnull).open() as nothing:
            for number, place in enumerate((nothing.fileno(), out, err)):
                os.dup2(place, number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv = command
        sys.modules["__main__"] = ModuleType("__main__")  # whose name the option parser says
        main()

    def json(self, *arguments: str | Path, code: int = 0) -> Any:
        return json.loads(self(*arguments, "--json", code=code).stdout)

    def error(self, *arguments: str | Path, code: int = 2) -> str:
        """The one line on standard error with which bad input is refused, or work ends that has begun."""
        done = self(*arguments, code=code)
        assert done.stdout == ""
        *progress, line = done.stderr.splitlines()
        assert code == 1 or not progress, done.stderr
        assert all(PROGRESS.match(other) for other in progress), done.stderr
        assert line.startswith("error: ")
        return line.removeprefix("error: ")


@pytest.fixture
def modmul(tmp_path: Path, shared: Path) -> Tool:
    folder = tmp_path / "here"
    folder.mkdir()
    return Tool(folder, shared)


@pytest.fixture
def fresh(modmul: Tool, tmp_path: Path) -> Tool:
    """With a cache of its own, which holds no results yet."""
    return Tool(modmul.folder, new_cache(tmp_path / "cache"))


# --- what there is ------------------------------------------------------------------------------


def test_the_version_and_the_help(modmul: Tool) -> None:
    assert modmul.script("--version").stdout.startswith("modmul ")
    text = modmul("--help").stdout
    for command in (
        "list",
        "show",
        "verify",
        "measure",
        "compare",
        "papers",
        "export",
        "multiply",
        "run",
        "doctor",
    ):
        assert command in text
    assert "demo" in text and "rsa" in text
    text = modmul("rsa", "--help").stdout
    assert all(command in text for command in ("sign", "decrypt", "verify"))


def test_list(modmul: Tool) -> None:
    assert [entry["core"] for entry in modmul.json("list")] == list(rooms())
    assert {e["name"]: int(e["value"], 0) for e in modmul.json("list", "--moduli")} == {
        name: m.value for name, m in NAMED.items()
    }
    assert [entry["name"] for entry in modmul.json("list", "--targets")] == list(chip_names())
    lines = modmul("list").stdout.splitlines()
    for slug, found in rooms().items():
        [line] = [line for line in lines if line.split()[:1] == [slug]]
        assert found.core.title in line and f" {found.core.origin.paper} " in line
    assert set(NAMED) <= set(modmul("list", "--moduli").stdout.split())
    assert set(CHIPS) <= set(modmul("list", "--targets").stdout.split())


@pytest.mark.parametrize("slug", rooms())
def test_show(slug: str, modmul: Tool) -> None:
    core = rooms()[slug].core
    [config, *_] = core.builds.at(8)
    found = modmul.json("show", slug, "--width", "8")
    assert found["parameters"] == config.parameters()
    assert (found["latency"], found["interval"]) == (
        core.interface.latency(config),
        core.interface.interval(config),
    )
    assert found["sources"][-1] == f"{core.top}.sv"
    assert (found["paper"], found["citation"], found["section"]) == (
        core.origin.paper,
        core.origin.citation,
        core.origin.where,
    )
    text = modmul("show", slug).stdout
    assert core.title in text
    assert "Width=256" in text
    assert (f"{core.origin.paper} ({core.origin.citation})" if core.origin.paper else "none") in text


def test_show_knows_the_only_width_there_is(modmul: Tool) -> None:
    assert modmul.json("show", "ecc_b163:fips")["parameters"]["Beats"] == 6
    assert "at least 2 bits" in modmul("show", "rrm", "--width", "0", code=2).stderr


def test_show_with_a_parameter(modmul: Tool) -> None:
    assert modmul.json("show", "montgomery_csa1", "--set", "Word=64")["beats"] == 4
    assert "SharedTaps=1" in modmul("show", "imml_booth4", "--set", "SharedTaps=1").stdout


def test_doctor(modmul: Tool) -> None:
    found = {check["name"]: check for check in modmul.json("doctor")}
    assert {program.name for program in PROGRAMS} <= set(found)
    assert all(check["ok"] for check in found.values() if check["required"])
    text = modmul("doctor").stdout
    assert all(name in text for name in found)


def test_doctor_of_a_machine_without_a_compiler(modmul: Tool, tmp_path: Path) -> None:
    modmul.environment["PATH"] = str(tmp_path)
    found = {check["name"]: check for check in modmul.json("doctor", code=1)}
    assert not found["g++"]["ok"]
    assert found["g++"]["mend"] in modmul("doctor", code=1).stdout.replace("\n", " ")


# --- verify, measure, compare -------------------------------------------------------------------


def test_verify(modmul: Tool) -> None:
    arguments = ("verify", "interleaved_radix2", "--width", "8", "--count", "300", "--seed", "7")
    found = modmul.json(*arguments)
    assert found["seed"] == 7
    [result] = found["results"]
    assert result["failure"] is None
    assert result["config"] == {"Width": 8}
    assert result["verified"] == sum(result["checks"].values()) > 300
    assert result["checks"]["random"] >= 300
    text = modmul(*arguments, "--modulus", "251").stdout
    assert "interleaved_radix2" in text and "exhaustive" in text and "FAILED" not in text


def test_measure(modmul: Tool) -> None:
    arguments = ("measure", BOTH, "--width", "8", "--target", "cyclonev")
    found = modmul.json(*arguments)
    assert [row["core"] for row in found["rows"]] == list(SMALL)
    for row in found["rows"]:
        assert row["luts"] > 8 and row["ffs"] >= 32
        assert row["fmax_mhz"] is None and row["failure"] is None and row["verified"] is None
    lines = modmul(*arguments).stdout.splitlines()
    for row in found["rows"]:
        [line] = [line for line in lines if line.split()[:1] == [row["core"]]]
        assert str(row["luts"]) in line.split()


def test_measure_needs_no_modulus(modmul: Tool) -> None:
    """2^8 - 1 has factors in common with the radix of fmlm3, and an even modulus is none for montgomery."""
    found = modmul.json("measure", "fmlm3,montgomery_csa2", "-w", "8", "-t", "cyclonev")
    assert [row["core"] for row in found["rows"]] == ["fmlm3", "montgomery_csa2"]
    assert not found["skipped"] and found["modulus"] is None
    for row in found["rows"]:
        core = rooms()[row["core"]].core
        config = core.builds.at(8)[0]
        assert (row["cycles"], row["interval"]) == (
            core.algorithm.cycles(config),
            core.interface.interval(config),
        )
    assert [row["dsp"] > 0 for row in found["rows"]] == [True, False]
    text = modmul("measure", "fmlm3", "-w", "8", "-t", "cyclonev").stdout
    assert (
        "DSP" in text
        and "\nModular multipliers for 8 bits on cyclonev: Intel Cyclone V, LUTs in halves of an ALM\n"
        in text
    )


def test_measure_with_other_weights(modmul: Tool) -> None:
    """LUT-equivalents, area × cycles and the order follow the weights; the LUTs do not."""
    arguments = ("measure", "fmlm3", "-w", "8", "-t", "cyclonev")
    usual = modmul.json(*arguments)
    other = modmul.json(*arguments, "--weights", "dsp=1000,bram=50")
    assert (usual["weights"], other["weights"]) == ({"dsp": 133, "bram": 300}, {"dsp": 1000, "bram": 50})
    for found in (usual, other):
        [row] = found["rows"]
        blocks = found["weights"]["dsp"] * row["dsp"] + found["weights"]["bram"] * row["bram"]
        assert row["lut_equivalents"] == row["luts"] + blocks > row["luts"]
        assert row["lut_cycles"] == pytest.approx(row["lut_equivalents"] * row["interval"] / 64)
    assert usual["rows"][0]["luts"] == other["rows"][0]["luts"]
    text = modmul(*arguments, "--weights", "dsp=1000").stdout
    bram = usual["weights"]["bram"]
    told = f"LUTeq: LUT-equivalents = LUTs + 1000 · DSP + {bram} · RAM18 (--weights changes them)"
    assert told in text


def test_measure_a_build(modmul: Tool) -> None:
    """In place of those that are compared; a core that has no such build is left out."""
    arguments = ("measure", f"rrm,{SMALL[0]}", "-w", "8", "-t", "cyclonev")
    found = modmul.json(*arguments, "--set", "DigitBits=1", "--set", "Word=8")
    [row] = found["rows"]
    assert row["core"] == "rrm" and (row["config"]["DigitBits"], row["config"]["Word"]) == (1, 8)
    [skipped] = found["skipped"]
    assert "has no parameter 'DigitBits' to set" in skipped["reason"]
    refused = modmul(*arguments, "--set", "DigitBits=9", code=2).stderr
    assert "digit_bits must be 1 or 2, got 9" in refused


def test_measure_without_place_and_route(modmul: Tool) -> None:
    [row] = modmul.json("measure", SMALL[0], "-w", "8", "-t", "ecp5", "--seeds", "0")["rows"]
    assert row["luts"] > 8 and row["fmax_mhz"] is None and row["seeds"] == 0


def test_compare(modmul: Tool) -> None:
    cores = f"{SMALL[0]},montgomery_csa1,interleaved_csa"
    arguments = ("compare", "-m", "0x7b", "-w", "8", "--cores", cores, "-t", "cyclonev", "--count", "300")
    found = modmul.json(*arguments, "--page", "page.html")
    assert [row["core"] for row in found["rows"]] == [SMALL[0], "montgomery_csa1"]
    assert all(row["verified"] >= 300 and row["luts"] > 8 for row in found["rows"])
    [skipped] = found["skipped"]
    assert skipped["core"] == "interleaved_csa"
    assert "exactly 8 bits" in skipped["reason"]
    assert found["modulus"]["bits"] == 7
    assert found["page"] == "page.html"
    assert "montgomery_csa1" in (modmul.folder / "page.html").read_text(encoding="utf-8")
    text = modmul(*arguments, "--route", "none").stdout
    assert "not compared: interleaved_csa: this core needs a modulus of exactly 8 bits" in text
    assert "page: modmul-0x7b-cyclonev.html" in text
    assert (modmul.folder / "modmul-0x7b-cyclonev.html").is_file()


def test_compare_prints_what_is_known_before_it_measures(fresh: Tool) -> None:
    arguments = ("compare", "-m", "251", "--cores", f"{SMALL[0]},rrm", "-t", "cyclonev", "--no-verify")
    nothing = fresh.json(*arguments, "--known")
    assert all(row["luts"] is None and row["failure"] is None for row in nothing["rows"])
    assert not rows_of(fresh)
    done = fresh(*arguments)
    headings = [line for line in done.stdout.splitlines() if "for 251 on cyclonev" in line]
    assert len(headings) == 2 and headings[1] in headings[0]
    lines = [line.split() for line in done.stdout.splitlines() if line.split()[:1] == [SMALL[0]]]
    assert len(lines) == 2 and "here" in lines[1] and "here" not in lines[0]
    assert "2 of 2 builds to measure" in done.stderr and "verify" not in done.stderr
    again = fresh(*arguments)
    assert again.stderr == "" and again.stdout == fresh(*arguments, "--known").stdout
    [one] = csv.DictReader(fresh(*arguments, "--set", "DigitBits=2", "--csv").stdout.splitlines())
    assert one["core"] == "rrm" and "DigitBits=2" in one["parameters"] and int(one["luts"]) > 8


def test_compare_with_place_and_route(modmul: Tool) -> None:
    arguments = (
        "compare",
        "-m",
        "251",
        "--cores",
        BOTH,
        "--route",
        SMALL[0],
        "--seeds",
        "1",
        "--count",
        "300",
    )
    routed, other = modmul.json(*arguments)["rows"]
    assert routed["fmax_mhz"] > 10 and routed["seeds"] == 1
    assert other["fmax_mhz"] is None and other["luts"] > 8
    assert f"default configurations of {SMALL[0]}" in modmul(*arguments).stdout


# --- use ----------------------------------------------------------------------------------------


def test_export(modmul: Tool) -> None:
    found = modmul.json("export", "imml_booth4", "-m", "251", "-o", "out", "--set", "SharedTaps=1")
    assert found["folder"] == "out"
    out = modmul.folder / "out"
    assert {modmul.folder / name for name in found["files"]} == {p for p in out.rglob("*") if p.is_file()}
    text = modmul("export", "imml_booth4", "-w", "8", "-o", "other folder").stdout
    assert text.splitlines()[-1] == "try it: make -C 'other folder' icarus"
    modmul("export", "imml_booth4", "-w", "8", "-o", "out", "--force")
    modmul("export", "imml_booth4", "-w", "8", "-o", "some", "-t", "artix7", "-t", "ecp5")
    assert {chip.name for chip in (modmul.folder / "some" / "chips").iterdir()} == {"artix7", "ecp5"}
    assert "did you mean artix7" in modmul.error("export", "imml_booth4", "-o", "none", "-t", "artix")
    text = modmul("export", f"modexp:{SMALL[0]}", "-w", "64", "-o", "power").stdout
    assert text.splitlines()[-1] == "try it: make -C power verilator", "Icarus would take minutes"
    modmul("export", "rsa_crt", "--core", SMALL[0], "-w", "16", "-o", "system")
    assert (modmul.folder / "system" / "rtl" / "mm_sys_core.sv").is_file()
    assert "a system, which needs a core: rsa_crt:" in modmul.error("export", "rsa_crt", "-w", "16")


def test_export_on_a_bus(modmul: Tool) -> None:
    bus = ("--bus", "axi", "--bus-width", "64", "--core-clock")
    found = modmul.json("export", "imml_booth4", "-w", "8", "-o", "out", *bus)
    out = modmul.folder / "out"
    assert {modmul.folder / name for name in found["files"]} == {p for p in out.rglob("*") if p.is_file()}
    assert "core_clk" in (out / "axi" / "mm_imml_booth4_axi.sv").read_text()
    for wrong in (("--bus", "wishbone"), ("--bus", "axi", "--bus-width", "48"), ("--core-clock",)):
        modmul.error("export", "imml_booth4", "-w", "8", "-o", "none", *wrong)
    assert not (modmul.folder / "none").exists()


def test_export_of_a_private_key(modmul: Tool) -> None:
    """What must be kept secret is said, and only where it is in the folder."""
    key = rsa.generate_private_key(65537, 1024)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (modmul.folder / "key.pem").write_bytes(pem)
    for name, secret in (("rsa_crt:montgomery_csa2", True), ("montgomery_csa2", False)):
        done = modmul("export", name, "-m", "key.pem", "-o", name, "--count", "1")
        assert ("keep" in done.stderr) == secret
        context = (modmul.folder / name / "context.json").read_text()
        assert (f"{key.private_numbers().p % (1 << 32):#x}" in context) == secret


@pytest.mark.parametrize(
    ("core", "operations"), [("interleaved_radix2", 1), ("montgomery_csa1", 2), ("imml_booth4", 1)]
)
def test_multiply(core: str, operations: int, modmul: Tool) -> None:
    found = modmul.json("multiply", core, "200", "0x7B", "--modulus", "251")
    assert int(found["product"], 0) == 200 * 123 % 251
    assert found["operations"] == operations
    lines = modmul("multiply", core, "200", "0x7B", "--modulus", "251").stdout.splitlines()
    assert lines[0] == hex(200 * 123 % 251)
    assert f"{found['cycles']} clock cycles, checked" in lines[1]


# --- systems ------------------------------------------------------------------------------------


def test_a_power(modmul: Tool) -> None:
    found = modmul.json("modexp", SMALL[0], "3", "0x1F5", "--modulus", "251", "--length", "12")
    assert int(found["power"], 0) == pow(3, 0x1F5, 251)
    assert found["config"]["ExponentBits"] == 12
    cycles = {
        modmul.json("modexp", SMALL[0], "250", power, "-m", "251", "--length", "12")["cycles"]
        for power in ("0", "1", "4095")
    }
    assert cycles == {found["cycles"]}
    lines = modmul("modexp", SMALL[0], "3", "5", "--modulus", "251").stdout.splitlines()
    assert lines[0] == hex(3**5 % 251)
    assert "clock cycles, checked" in lines[1]
    for arguments, reason in (
        (("3", "5", "--length", "2"), "an exponent is not negative and no longer than --length, got 5"),
        (("252", "5"), "operands of modexp:.* lie in 0 … M, got 252"),
        (("3", "5", "--system", "modexq"), "no system named 'modexq'; there is"),
        (("3", "5", "--set", "Window=7"), "window must be 1 to 6 bits, got 7"),
    ):
        assert re.search(reason, modmul.error("modexp", SMALL[0], *arguments, "-m", "251"))
    assert "needs an odd modulus" in modmul.error("modexp", "montgomery_csa2", "3", "5", "-m", "250")


def test_systems_are_listed_shown_and_compared(modmul: Tool) -> None:
    listed = {entry["system"]: entry["as a core"] for entry in modmul.json("list", "--systems")}
    assert listed["modexp"] == "modexp:CORE"
    programs = {entry["program"]: entry for entry in modmul.json("list", "--programs")}
    assert programs["two_powers"]["takes"] == "g=… e=… h=…"
    assert all(Path(entry["file"]).is_file() for entry in programs.values())
    name = f"modexp:{SMALL[0]}"
    assert modmul.json("show", name, "--width", "16")["top module"] == "mm_sys_modexp"
    found = modmul.json(
        "compare", "-m", "13", "--cores", SMALL[0], "--system", "modexp", "--route", "none", "--count", "3"
    )
    [row] = found["rows"]
    assert (row["core"], row["failure"]) == (name, None)
    assert 3 <= row["verified"] < 50, "few, for an operation of a system takes long"
    modmul("export", name, "-w", "8", "-o", "out")
    assert (modmul.folder / "out" / "rtl" / "mm_sys_core.sv").is_file()
    assert "no core named 'fipz'" in modmul.error("show", "modexp:fipz")


# --- run-time length, both fields, controls -----------------------------------------------------

AES = "x^8+x^4+x^3+x+1"


def test_list_shows_the_field_of_a_modulus(modmul: Tool) -> None:
    fields = {entry["name"]: (entry["field"], entry["bits"]) for entry in modmul.json("list", "--moduli")}
    assert (fields["p256"], fields["b163"], fields["sm2-binary"]) == (
        ("GF(p)", 256),
        ("GF(2^m)", 163),
        ("GF(2^m)", 257),
    )
    assert "x^163+x^7+x^6+x^3+1" in modmul("list", "--moduli").stdout


def test_show_tells_what_is_chosen_at_run_time(toy: Room, modmul: Tool) -> None:
    found = modmul.json("show", "toy", "--width", "24")
    assert found["parameters"] == {"Width": 24, "Word": 8}
    assert found["operand length"] == "2 … Width bits, chosen by the context"
    assert found["fields"] == ["GF(p)", "GF(2^m)"]
    assert (found["operands"], found["results"], found["in flight"]) == ("0 … 2M-1", "0 … 2M-2", 3)
    assert found["controls"] == ["square_i: z is the product of x and x; y_i is ignored"]
    assert found["sources"] == ["mm_toy_step.sv", "mm_toy.sv"]
    found = modmul.json("show", "imml_booth4", "--width", "24")
    assert (found["operand length"], found["fields"], found["controls"]) == ("24 bits", ["GF(p)"], [])
    assert (found["operands"], found["results"], found["in flight"]) == ("0 … M", "0 … M-1", 1)


def test_show_prints_the_notes_of_a_core(toy: Room, modmul: Tool) -> None:
    notes = {"lengths": ["24 bits [at most]", "2 bits"]}
    assert modmul.json("show", "toy", "--width", "24")["notes"] == notes
    assert "\n\nlengths\n  24 bits [at most]\n  2 bits\n" in modmul("show", "toy", "-w", "24").stdout
    assert modmul.json("show", "imml_booth4")["notes"] == {}


def test_show_lists_the_parameter_sets_and_counts_of_fmlm3(modmul: Tool) -> None:
    sets, counted = modmul.json("show", "fmlm3", "-w", "2048")["notes"].values()
    assert [line for line in sets if "default" in line] == [
        "l = 2048, P = 128, u = 16, Algorithm 3, c = 1/2, M = 2^64 + 1, w = 2^1, A = 2^48 - 2^16 (default)"
    ]
    assert any(line.startswith("l = 2048, P = 32, u = 64, Algorithm 2, c = 5, ") for line in sets)
    assert "square of the last result: 5 transforms, 4 component-wise products, " in counted[1]
    chosen = ("--set", "Transform=64", "--set", "Digit=32")
    sets, _ = modmul.json("show", "fmlm3", "-w", "2048", *chosen)["notes"].values()
    assert [line.split(", ")[1] for line in sets if "this build" in line] == ["P = 64"]


def test_show_names_the_radix(modmul: Tool) -> None:
    assert modmul.json("show", "fmlm3", "-w", "64")["computes"] == "x * y * R^-1 mod M, R = 2^64 - 1"
    found = modmul.json("show", "montgomery_csa2", "-w", "64")
    assert found["computes"] == "x * y * R^-1 mod M, R = 2^64"


def test_compare_on_a_polynomial_skips_the_cores_of_the_other_field(toy: Room, modmul: Tool) -> None:
    arguments = ("compare", "-m", AES, "--cores", f"toy,{BOTH}", "-t", "cyclonev", "--count", "300")
    found = modmul.json(*arguments, "--page", "page.html")
    [row] = found["rows"]
    assert (row["core"], row["width"], row["cycles"]) == ("toy", 8, 9)
    assert row["verified"] >= 300 and row["luts"] > 8
    assert [skipped["core"] for skipped in found["skipped"]] == list(SMALL)
    assert {skipped["reason"] for skipped in found["skipped"]} == {
        "works in GF(p), this modulus is of GF(2^m)"
    }
    assert found["modulus"] == {"name": AES, "value": "0x11b", "bits": 8, "field": "GF(2^m)"}
    page = (modmul.folder / "page.html").read_text(encoding="utf-8")
    assert f"degree 8: <code>{AES}</code>" in page
    assert f"{AES} on cyclonev: M of degree 8," in modmul(*arguments).stdout


def test_figures_are_those_at_the_length_of_the_modulus(toy: Room, modmul: Tool) -> None:
    arguments = ("compare", "-m", "251", "-w", "24", "--cores", "toy", "-t", "cyclonev", "--count", "300")
    [row] = modmul.json(*arguments)["rows"]
    assert (row["width"], row["cycles"], row["latency"], row["interval"]) == (24, 9, 11, 10)


def test_papers_with_options_and_a_block(toy: Room, modmul: Tool) -> None:
    whole, block = modmul.json("papers", "--cores", "toy")["rows"]
    assert (whole["block"], whole["parameters"]) == ("", {"Width": 24, "Word": 9})
    luts, dsp = whole["figures"]["LUTs"], whole["figures"]["DSP"]
    assert luts["printed"] == 100 and luts["ratio"] == luts["ours"] / 100
    assert (dsp["printed"], dsp["ours"], whole["figures"]["RAM18"]["ours"]) == (5, 0, 0)
    cycles = whole["figures"]["cycles"]
    assert (cycles["printed"], cycles["derived"], cycles["ours"]) == (None, 25, 25)
    assert (block["block"], block["our target"]) == ("step", "artix7")
    assert 0 < block["figures"]["LUTs"]["ours"] < luts["ours"] and block["figures"]["FFs"]["ours"] == 0
    assert "cycles" not in block["figures"]
    text = modmul("papers", "--cores", "toy").stdout
    assert "toy step" in text and "RAM18" in text
    assert " 25* " in text and "*: not printed" in " ".join(text.split())


def test_a_page_of_the_papers(modmul: Tool) -> None:
    found = modmul.json("papers", "--cores", "montgomery_csa1", "--page", "out.html")
    assert {row["core"] for row in found["rows"]} == {"montgomery_csa1"}
    [figure] = found["figures"]
    assert (figure["paper"], figure["figure"]) == ("amanor2005", "Fig. 3")
    assert figure["panels"][0]["series"][0]["printed"] and figure["panels"][0]["series"][0]["marks"]
    assert found["page"] == "out.html"
    text = (modmul.folder / "out.html").read_text(encoding="utf-8")
    assert "modmul papers --cores montgomery_csa1 --page out.html" in text


def test_multiply_in_both_fields(toy: Room, modmul: Tool) -> None:
    found = modmul.json("multiply", "toy", "0x57", "0x83", "-m", AES)
    assert (found["product"], found["operations"]) == ("0xc1", 1)
    assert modmul.json("multiply", "toy", "501", "250", "-m", "251", "-w", "24")["product"] == "0x1"
    assert "lie in 0 … 2^8-1, got 256" in modmul.error("multiply", "toy", "256", "1", "-m", AES)
    assert "lie in 0 … 2M-1, got 502" in modmul.error("multiply", "toy", "502", "1", "-m", "251")


def test_a_modulus_as_people_write_it(modmul: Tool) -> None:
    """An expression, what OpenSSL prints, and the context of an exported core."""
    modmul("export", SMALL[0], "-m", "2^8-5", "-o", "out")
    for text in ("2**8 - 5", "00:fb", "0x_fb", "out/context.json"):
        found = modmul.json("multiply", SMALL[0], "200", "123", "-m", text)
        assert (found["modulus"], found["product"]) == ("0xfb", "0x2")
    assert json.loads((modmul.folder / "out" / "context.json").read_text())["modulus_name"] == "2^8-5"


def test_export_for_a_polynomial(toy: Room, modmul: Tool) -> None:
    modmul("export", "toy", "-m", AES, "-w", "24", "-o", "out")
    assert json.loads((modmul.folder / "out" / "context.json").read_text())["field"] == "GF(2^m)"


# --- bad input ----------------------------------------------------------------------------------

WIDE = "^width must be at most {1} bits for a core to be {0} in .* time, got 100000; take a width of {1} "

BAD: tuple[tuple[str, str], ...] = (
    # Unknown names.
    ("show imml_boot4", "no core named 'imml_boot4'; did you mean imml_booth4"),
    ("verify interleaved_radix2 montgomery", "no core named 'montgomery'; did you mean .*montgomery_csa1"),
    ("measure radix", "no core named 'radix'; "),
    ("export nothing", "no core named 'nothing'"),
    ("multiply imml_boot4 1 1 -m 251", "did you mean imml_booth4"),
    ("compare -m 251 --cores interleaved_radix2,imml_boot4", "did you mean imml_booth4"),
    ("compare -m 251 --route imml_boot4", "did you mean imml_booth4"),
    ("papers --cores imml_boot4", "did you mean imml_booth4"),
    (
        "papers 999",
        "no figures of paper '999'; there are amanor2005, dai2017, javeed, pinckney2008, ",
    ),
    ("compare -m p265", "'p265' is no modulus: .* did you mean p256"),
    ("verify interleaved_radix2 -m nothing", "'nothing' is no modulus: .*'modmul list --moduli'"),
    ("compare -m 251 -t vertex2", "no target named 'vertex2'; did you mean virtex2"),
    ("measure interleaved_radix2 -t spartan", "no target named 'spartan'"),
    # Moduli that cannot be.
    ("compare -m 0", "the modulus must be positive, got 0"),
    ("compare -m -251", "the modulus must be positive, got -251"),
    ("compare -m missing.pem", "no file 'missing.pem'"),
    ("compare -m key.pem", "key.pem holds no key or certificate that can be read"),
    ("multiply interleaved_radix2 1 1 -m key.pem", "key.pem holds no key"),
    ("export interleaved_radix2 -m folder/key.pem", "no file 'folder/key.pem'"),
    ("compare -m x^8+x^4+3", "'3' is no term of a polynomial over GF"),
    ("compare -m x^8+x^8", "x\\^8 comes twice in the polynomial"),
    ("compare -m 2^2^40", "'2\\^2\\^40' is too long a number: .* a modulus has at most 1048576"),
    ("verify interleaved_radix2 -m other.json", "other.json is no context file: a context.json of "),
    ("compare -m b164", "'b164' is no modulus: .* did you mean b163"),
    # Moduli wider than asked for.
    ("compare -m b163 -w 162", "162 is too short for a modulus of degree 163; take --width 163"),
    ("compare -m 251 -w 7", "7 is too short for a modulus of 8 bits; take --width 8"),
    (
        "verify interleaved_radix2 -m 251 -w 7",
        "the modulus has 8 bits, more than the core's 7; take --width 8",
    ),
    ("multiply interleaved_radix2 1 1 -m 251 -w 7", "more than the core's 7; take --width 8"),
    ("export interleaved_radix2 -m 251 -w 7", "more than the core's 7; take --width 8"),
    # Moduli a core cannot serve.
    ("multiply montgomery_csa1 1 1 -m 250", "Montgomery multiplication needs an odd modulus"),
    ("verify montgomery_csa2 -m 250", "Montgomery multiplication needs an odd modulus"),
    ("export montgomery_csa1 -m 250", "Montgomery multiplication needs an odd modulus"),
    ("compare -m 250 --cores montgomery_csa1", "no core fits .* needs an odd modulus"),
    ("multiply imml_booth4 1 1 -m b163", r"^works in GF\(p\), this modulus is of GF\(2\^m\)$"),
    ("export imml_booth4 -m x^8+x^4+x^3+x+1", r"works in GF\(p\), this modulus is of GF\(2\^m\)"),
    ("verify montgomery_csa1 -m k571", r"works in GF\(p\), this modulus is of GF\(2\^m\)"),
    (
        f"compare -m b283 --cores {BOTH}",
        r"no core fits the modulus b283: interleaved_radix2, interleaved_radix2_parallel: works in GF\(p\), "
        r"this modulus is of GF\(2\^m\); these do: fips, fips_literal, gf2m_fixed, gf2m_pipelined, "
        r"gf2m_serial$",
    ),
    (
        "compare -m 0x100 --cores rrm",
        "needs an odd modulus, this one is even; these do: .*interleaved_radix2",
    ),
    ("multiply rrm 1 1 -m 0x100", "needs an odd modulus, this one is even; these take it: .*rrm_plain"),
    ("compare -m 251 --seeds 0", "--route none"),
    ("compare -m used", "'used' is a folder"),
    ("compare -m 251 --cores rrm --set Word=9", "word must be 8, 16, 32 or 64 bits, got 9"),
    ("export modexp -w 16", "a system, which needs a core: modexp:montgomery_dsp"),
    ("multiply interleaved_csa 1 1 -m 251 -w 9", "needs a modulus of exactly 9 bits"),
    # Operands.
    ("multiply interleaved_radix2 252 1 -m 251", "operands of interleaved_radix2 lie in 0 … M, got 252"),
    ("multiply interleaved_radix2 1 252 -m 251", "lie in 0 … M, got 252"),
    ("multiply -m 251 -- interleaved_radix2 -1 1", "lie in 0 … M, got -1"),
    ("multiply interleaved_radix2 ten 1 -m 251", r"x must be a number \(decimal or 0x…\), got 'ten'"),
    ("multiply interleaved_radix2 1 0xg -m 251", "y must be a number .*, got '0xg'"),
    ("multiply interleaved_radix2 1.5 1 -m 251", "x must be a number .*, got '1.5'"),
    # Programs.
    (
        "run nothing --core rrm -m 251",
        "there is no file nothing; programs that come with modmul: binary_curve, edwards, edwards_minus, ",
    ),
    ("run used --core rrm -m 251", "cannot read the program used: Is a directory"),
    ("run broken.s --core rrm -m 251 x=1", "^broken.s: line 2: b is read before it is written; write it "),
    ("run inverse --core rrm -m 251 x=1", "inverse.s takes x=…, e=…; give e=NUMBER"),
    ("run inverse --core rrm -m 251 x=1 x=2", "x is given twice"),
    ("run inverse --core rrm -m 251 x1", "operands and numbers are NAME=NUMBER, got 'x1'"),
    ("run inverse --core rrm -m 251 x=ten e=1", "'ten' is not a number: decimal, 0x…, M, or an expression"),
    ("run inverse --core rrn -m 251 x=1 e=1", "no core named 'rrn'; did you mean rrm"),
    # Weights.
    ("measure interleaved_radix2 --weights dsp", "weights are given as dsp=133,bram=.*; got 'dsp'"),
    ("compare -m 251 --weights luts=3", "weights are given as dsp=133,bram=.*; got 'luts=3'"),
    # Other machines.
    ("measure interleaved_radix2 --on nowhere", "address like tcp://host:8786, got 'nowhere'"),
    ("compare -m 251 --on 127.0.0.1:8786", "address like tcp://host:8786, got '127.0.0.1:8786'"),
    # Parameters.
    ("show imml_booth4 --set Taps=1", "imml_booth4 has no parameter 'Taps' to set; it has SharedTaps"),
    ("show interleaved_radix2 --set Word=8", "has no parameter 'Word' to set; it has none"),
    ("show imml_booth4 --set Width=8", "has no parameter 'Width' to set"),
    ("verify imml_booth4 -w 8 --set SharedTaps=2", "shared taps|SharedTaps|shared_taps"),
    ("show imml_booth4 --set SharedTaps=yes", "SharedTaps must be a number .*, got 'yes'"),
    ("show imml_booth4 --set SharedTaps", "SharedTaps must be a number .*, got ''"),
    ("export montgomery_csa1 -w 8 --set Word=0", "word must be at least 1 bit, got 0"),
    ("multiply montgomery_csa1 1 1 -m 251 --set Word=-4", "word must be at least 1 bit, got -4"),
    # Widths.
    ("show interleaved_radix2 -w 1", "width must be at least 2 bits, got 1"),
    ("verify interleaved_radix2 -w 1", "width must be at least 2 bits, got 1"),
    ("measure interleaved_radix2 -w 1", "width must be at least 2 bits, got 1"),
    ("measure interleaved_radix2 -w -8", "width must be at least 2 bits, got -8"),
    ("export interleaved_radix2 -w -8", "width must be at least 2 bits, got -8"),
    ("compare -m 2^251-1 -w 8", "8 is too short for a modulus of 251 bits; take --width 251"),
    ("show imml_booth4 -w 1048577", "width must be at most 1048576 bits, got 1048577"),
    ("show montgomery_csa1 --set Word=1048577", "word must be at most 1048576 bits, got 1048577"),
    ("compare -m p256 --width 100000", WIDE.format("synthesised", 16384)),
    ("compare -m 2^100000-1", WIDE.format("synthesised", 16384)),
    ("measure imml_booth4 --width 100000", WIDE.format("synthesised", 16384)),
    ("verify imml_booth4 --width 100000", WIDE.format("simulated", 32768)),
    ("multiply imml_booth4 3 4 -m p256 --width 100000", WIDE.format("simulated", 32768)),
    ("export imml_booth4 --width 100000", WIDE.format("exported", 32768)),
    ("export montgomery_csa1 --set Word=32769", "word must be at most 32768 bits .* got 32769"),
    # Operations a second.
    ("bench --system modexp --core rrm --mhz 0", "a clock frequency is a number of MHz above 0, not 0"),
    ("bench --system modexp --core rrm --mhz=-3", "a clock frequency is a number of MHz above 0, not -3"),
    ("bench --system modexp --core rrm --mhz nan", "a clock frequency is a number of MHz above 0, not nan"),
    ("bench --system modexp --core rrm --mhz inf", "a clock frequency is a number of MHz above 0, not inf"),
    ("bench --system modexp --core rrm --width 1", "width must be at least 2 bits, got 1"),
    ("bench --system modexp --core rrm --width 100000", WIDE.format("simulated", 32768)),
    ("bench --system modexp --core rrm -w 8 --bus-width 33", "the bus has 32, 64 or 128 bits, not 33"),
    ("bench --system modexp --core rrm --set Foo=1", "modexp:rrm has no parameter 'Foo' to set; it has "),
    ("bench --system moddexp --core rrm", "no system named 'moddexp'; there is farm, ladder, .*, rsa_crt"),
    ("bench --system modexp --core rrn", "no core named 'rrn'; did you mean rrm"),
    ("bench --system modexp --core ladder:rrm", "ladder:rrm is a system; .* take a core, such as rrm"),
    (
        "bench --system rsa_crt --core sparse_prime",
        "a key has several primes, and this build of sparse_prime",
    ),
    ("bench --system ecc_p257 --core rrm", "there is no curve p257; did you mean p256"),
    ("bench --system ecc_p256 --core rrm -w 256", "ecc_p256 has the width of its curve; leave --width away"),
    ("bench --system ecc_p256 --core gf2m_fixed", r"works in GF\(2\^m\), this modulus is of GF\(p\)"),
    # Folders.
    ("export interleaved_radix2 -w 8 --name 2nd", "a folder is named by letters, digits and single under"),
    ("export interleaved_radix2 -w 8 -o used", "used is not empty"),
    ("export interleaved_radix2 -w 8 -o key.pem", "key.pem is a file, not a folder"),
    ("export interleaved_radix2 -w 8 -o key.pem/out", "cannot write the folder .*/key.pem/out: it or its"),
    ("export interleaved_radix2 -w 8 -o /proc/out", "cannot write the folder /proc/out: .*; give another"),
    ("compare -m 251 -o used", "cannot write the page used: Is a directory; give another"),
    ("compare -m 251 -o key.pem/page.html", "cannot write the page key.pem/page.html: it or its parent is"),
    ("papers --page missing/page.html", "cannot write the page missing/page.html: No such file or directory"),
    ("compare -m 251 --page /proc/page.html", "cannot write the page /proc/page.html: "),
    ("demo --page missing/page.html", "cannot write the page missing/page.html: No such file or directory"),
)


@pytest.mark.parametrize(("command", "says"), BAD, ids=[command for command, _ in BAD])
def test_bad_input(command: str, says: str, modmul: Tool) -> None:
    (modmul.folder / "key.pem").write_text("garbage")
    (modmul.folder / "other.json").write_text('{"name": "p256"}')
    (modmul.folder / "broken.s").write_text(".operand x -\nmul a, x, b\nout a\n")
    (modmul.folder / "used").mkdir()
    (modmul.folder / "used" / "mine.txt").touch()
    before = sorted(modmul.folder.rglob("*"))
    assert_matches(says, modmul.error(*command.split()))
    assert sorted(modmul.folder.rglob("*")) == before, "nothing was written"


def test_operations_a_second_for_other_programs(modmul: Tool) -> None:
    """Through the whole path, at a clock that is given."""
    run = modmul("bench", "--system", "modexp", "--core", "imml_booth4", "-w", "16", "--mhz", "100", "--json")
    told = json.loads(run.stdout)
    assert told["device"].startswith("modexp:imml_booth4 (Width=16") and told["bus"] == 32
    assert (told["fmax_mhz"], told["clocked"], told["own_clock"]) == (100, "as given", True)
    assert list(told["ways"]) == ["registers", "stream_first", "stream"]
    for way in told["ways"].values():
        assert way["cycles"] > told["latency"] and way["rate"] == pytest.approx(1e8 / way["cycles"])
    assert told["openssl"] is None


@pytest.mark.parametrize(
    ("asked", "width", "rate", "says"),
    [
        (
            "modexp --core montgomery_csa2 -w 256",
            256,
            True,
            r"MHz: modexp:montgomery_csa2 of this size on ecp5",
        ),
        (
            "ladder --core rrm_split -w 256",
            256,
            True,
            "that of its multiplier alone: rrm_split of this size on ecp5; the system",
        ),
        (
            "modexp --core fips -w 16 --set Word=8",
            16,
            False,
            "fips --width 16 --set Word=8 -t ecp5 measures it",
        ),
        ("ecc_b163 --core gf2m_fixed --mhz 150", 163, True, "at 150.0 MHz: as given"),
    ],
)
def test_operations_a_second_for_people(
    asked: str, width: int, rate: bool, says: str, modmul: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a measured clock and which, without one, or at one that is given; nothing is simulated here."""

    def counted(shell: Shell, *_: object, **__: object) -> Bench:
        assert shell.build.config.width == width
        return Bench(shell, 700, 1000, 900, 800, *clock_of(shell.build))

    monkeypatch.setattr("modmul.use.bench.bench", counted)
    monkeypatch.setattr("modmul.use.bench.software", lambda *_: (2.5, "of something"))
    text = modmul("bench", "--system", *asked.split()).stdout
    assert_matches(says, text.replace("\n", " "))
    assert_matches(r"through the registers, one by one +1,000 +" + (r"[\d,]+\.\d" if rate else "–"), text)
    assert "2.5 of something" in text


@pytest.mark.long
def test_operations_a_second_of_a_curve(modmul: Tool) -> None:
    run = modmul("bench", "--system", "ecc_p256", "--core", "montgomery_dsp", "--mhz", "150", "--json")
    told = json.loads(run.stdout)
    assert told["ways"]["stream"]["cycles"] < told["ways"]["registers"]["cycles"]
    assert shutil.which("openssl") is None or "p256" in told["openssl"]["what"]


def assert_matches(pattern: str, text: str) -> None:
    with pytest.raises(ValueError, match=pattern):
        raise ValueError(text)


@pytest.mark.parametrize("command", ["show", "verify", "measure", "export", "multiply", "compare", "bench"])
def test_a_width_of_zero_is_not_the_default(command: str, modmul: Tool) -> None:
    arguments = {
        "multiply": ("interleaved_radix2", "1", "1", "-m", "251"),
        "compare": ("-m", "251", "--cores", SMALL[0], "-t", "cyclonev", "--count", "1"),
        "verify": ("interleaved_radix2", "--count", "1", "-m", "3"),
        "measure": ("interleaved_radix2", "-t", "cyclonev"),
        "bench": ("--system", "modexp", "--core", "rrm"),
    }.get(command, ("interleaved_radix2",))
    modmul.error(command, *arguments, "--width", "0")


@pytest.mark.parametrize(
    "command",
    [
        "list --nothing",
        "show",
        "show imml_booth4 --width ten",
        "verify interleaved_radix2 --count 0",
        "measure interleaved_radix2 --jobs 0",
        "measure interleaved_radix2 --seeds -1",
        "compare -m 251 --timeout 0",
        "multiply interleaved_radix2 -1 1 -m 251",
        "nothing",
    ],
)
def test_the_option_parser_says_how_it_is_used(command: str, modmul: Tool) -> None:
    done = modmul(*command.split(), code=2)
    assert done.stdout == ""
    assert done.stderr.startswith("Usage: modmul")
    assert "Error" in done.stderr


@pytest.mark.parametrize("command", ["verify", "measure"])
def test_no_core_at_all(command: str, modmul: Tool) -> None:
    """A list of nothing is bad input, not all cores, and not a success."""
    arguments = ("-t", "cyclonev") if command == "measure" else ("--count", "1")
    modmul.error(command, ",", "--width", "2", *arguments)


def test_a_page_that_cannot_be_written_is_refused_at_once(fresh: Tool) -> None:
    line = fresh.error(
        "compare", "-m", "251", "--cores", SMALL[0], "-t", "cyclonev", "-o", "missing/page.html"
    )
    assert "missing" in line
    assert rows_of(fresh) == {}


@pytest.mark.parametrize("place", ["file", "file/cache", "/proc", "/proc/cache"])
def test_a_cache_that_cannot_be_written(place: str, modmul: Tool) -> None:
    (modmul.folder / "file").touch()
    modmul.environment["MODMUL_CACHE"] = place
    for command in (
        f"multiply {SMALL[0]} 1 1 -m 251",
        f"verify {SMALL[0]} -w 8 --count 1",
        f"measure {SMALL[0]} -w 8 -t cyclonev",
    ):
        line = modmul.error(*command.split())
        assert re.match(f"cannot write the cache folder .*{place}: .*; set MODMUL_CACHE to another$", line)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folders_without_permission(modmul: Tool) -> None:
    locked = modmul.folder / "locked"
    locked.mkdir(mode=0o500)
    assert "Permission denied" in modmul.error("export", SMALL[0], "-w", "8", "-o", "locked/out")
    assert "Permission denied" in modmul.error("compare", "-m", "251", "-o", "locked/page.html")
    modmul.environment["MODMUL_CACHE"] = str(locked)
    assert "Permission denied" in modmul.error("multiply", SMALL[0], "1", "1", "-m", "251")


# --- progress -----------------------------------------------------------------------------------


def said(lines: list[str], interval: float = 15.0, clock: Callable[[], float] = time.monotonic) -> Lines:
    return Lines(lines.append, interval, clock)


def test_a_line_at_the_beginning_and_the_end_of_a_phase() -> None:
    lines: list[str] = []
    now = 100.0
    listener = said(lines, 1000, lambda: now)
    for step in (
        Progress("verify", "", 0, 2000),
        Progress("verify", "fips: random", 1000, 2000),
        Progress("verify", "fips: random", 2000, 2000),
        Progress("verify", "fips: random", 2000, 2000),
        Progress("synthesise", "", 0, 1),
    ):
        listener(step)
        now += 5
    assert lines == [
        "verify: 0 of 2,000, 0 s",
        "verify: 2,000 of 2,000, 10 s, fips: random",
        "synthesise: 0 of 1, 0 s",
    ]
    assert all(PROGRESS.match(line) for line in lines)


def test_a_line_comes_when_there_was_none_for_a_while() -> None:
    """Of the latest state, and not earlier, with the time that is left; a phase counts its own seconds."""
    lines: list[str] = []
    now = 100.0
    listener = said(lines, 15, lambda: now)
    listener.tick()
    assert lines == [], "nothing before the first call: bad input stays one line"
    listener(Progress("verify", "", 0, 9))
    now = 114
    listener(Progress("verify", "fips: reset", 3, 9))
    listener.tick()
    assert len(lines) == 1
    now = 115
    listener.tick()
    listener.tick()
    assert lines[1:] == ["verify: 3 of 9, 15 s, about 30 s left, fips: reset"]
    now = 130
    listener.tick()
    assert lines[2:] == ["verify: 3 of 9, 30 s, about 60 s left, fips: reset"]


def test_the_lines_come_by_themselves() -> None:
    """While the work says nothing, and no more when it is over."""
    lines: list[str] = []
    with said(lines, 0.01) as listener:
        listener(Progress("verify", "", 0, 9))
        end = time.monotonic() + 60
        while len(lines) < 3 and time.monotonic() < end:
            time.sleep(0.01)
    assert len(lines) >= 3 and set(lines[1:]) <= {f"verify: 0 of 9, {s} s" for s in range(61)}
    there = len(lines)
    time.sleep(0.05)
    assert len(lines) == there
    assert INTERVAL <= 15


def test_bars_on_a_terminal() -> None:
    """A bar a phase, the first drawn at the first call."""
    screen = io.StringIO()
    with Bars(Console(file=screen, force_terminal=True, width=120)) as listener:
        assert screen.getvalue() == ""
        listener(Progress("verify", "", 0, 20))
        assert "verify" in screen.getvalue()
        listener(Progress("synthesise", "fips: 7 LUTs", 1, 2))
    assert "fips: 7 LUTs" in screen.getvalue() and "1/2" in screen.getvalue()


@pytest.mark.parametrize(
    "command",
    [
        f"verify {SMALL[0]} -w 2 --count 1",
        f"measure {SMALL[0]} -w 8 -t cyclonev",
        f"compare -m 251 --cores {SMALL[0]} -t cyclonev --count 300",
        f"multiply {SMALL[0]} 1 1 -m 251",
    ],
)
def test_long_commands_tell_their_progress(command: str, fresh: Tool) -> None:
    """The first line before anything is done; what measures says what it is about to do."""
    first, *others = fresh(*command.split()).stderr.splitlines()
    if command.startswith(("compare", "measure")):
        assert re.match(r"(1 of 1 builds to verify, )?1 of 1 builds to measure", first)
        first, *others = others
    assert re.match(r"\w+: 0 of \d+, 0 s", first)
    assert others and all(PROGRESS.match(line) for line in others)


def test_nothing_heavy_is_imported_before_a_command_asks_for_it() -> None:
    """Charts, tables and keys take longer to import than a command may stay silent."""
    heavy = "cryptography jinja2 markdown_it numpy"
    program = f"import sys, modmul.cli; print(*set(sys.modules) & set('{heavy}'.split()))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


# --- interruptions and failures -----------------------------------------------------------------


def rows_of(tool: Tool) -> dict[str, str]:
    """The results a cache holds, by key."""
    store = Path(tool.environment["MODMUL_CACHE"]) / "results.sqlite"
    if not store.exists():
        return {}
    with closing(sqlite3.connect(store, timeout=60)) as database:
        if not database.execute("SELECT name FROM sqlite_master WHERE name = 'results'").fetchone():
            return {}
        return dict(database.execute("SELECT key, value FROM results").fetchall())


def syntheses(tool: Tool) -> dict[str, str]:
    return {key: value for key, value in rows_of(tool).items() if "cells" in value}


def wait_for(condition: Callable[[], object], process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 240
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def test_an_interrupted_comparison_goes_on(fresh: Tool) -> None:
    cores = f"{BOTH},interleaved_booth4,interleaved_booth8"
    arguments = ("compare", "-m", "251", "--cores", cores, "-t", "cyclonev", "--count", "300", "--jobs", "1")
    process = fresh.start(*arguments)
    wait_for(lambda: syntheses(fresh), process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err and "SIGKILL" not in err
    assert "interrupted; what was finished is kept" in err.strip().splitlines()[-1]
    assert "page:" not in out
    kept = rows_of(fresh)
    assert 1 <= len(syntheses(fresh)) < 4
    assert not list((Path(fresh.environment["MODMUL_CACHE"]) / "work").iterdir()), "nothing is left running"

    found = fresh.json(*arguments)
    assert [row["failure"] for row in found["rows"]] == [None] * 4
    assert len(syntheses(fresh)) == 4
    # A result holds how long its tool took: nothing that was kept has been computed again.
    assert {key: rows_of(fresh)[key] for key in kept} == kept

    everything = rows_of(fresh)
    fresh.environment["PATH"] = "/nowhere"
    assert fresh.json(*arguments)["rows"] == found["rows"], "a third run needs no tool at all"
    assert rows_of(fresh) == everything


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_command_and_its_tools(number: int, code: int, fresh: Tool) -> None:
    process = fresh.start("measure", "imml_booth8", "-w", "512", "-t", "virtex6", "--jobs", "1")
    logs = Path(fresh.environment["MODMUL_CACHE"]) / "logs"
    wait_for(lambda: list(logs.glob("*")), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert "Traceback" not in err and "SIGKILL" not in err and out == ""
    assert "interrupted; what was finished is kept" in err.splitlines()[-1]
    assert not list((Path(fresh.environment["MODMUL_CACHE"]) / "work").iterdir()), "nothing is left running"


def test_a_tool_that_takes_too_long(fresh: Tool) -> None:
    """Its row says so, with its log, and the exit code is 1; the page is written nevertheless."""
    arguments = ("compare", "-m", "p256", "--cores", "imml_booth8", "-t", "artix7", "--count", "1")
    found = fresh.json(*arguments, "--fresh", "--timeout", "1", "-o", "page.html", code=1)
    assert len(found["rows"]) == 2
    for row in found["rows"]:
        assert row["failure"] == "took longer than 1 s"
        assert row["luts"] is None and row["verified"] >= 1
        log = Path(row["log"].replace("~", fresh.environment["HOME"], 1))
        assert (fresh.folder / log).is_file()
    assert "took longer than 1 s" in (fresh.folder / "page.html").read_text(encoding="utf-8")
    assert syntheses(fresh) == {}


ROOM = """
from modmul.cores.interleaved.interleaved_radix2.core import CORE as RADIX2

CORE = RADIX2.changed(slug="{slug}", paper="", published=())
"""
TYPES = {"input": "input wire", "output": "output logic", "word": " [Width-1:0] ", "1": " "}
PORT_LIST = ", ".join(f"{TYPES[direction]}{TYPES[bits]}{name}" for name, direction, bits in PORTS)


def add_room(tool: Tool, slug: str, source: str | None = None, description: str = ROOM) -> None:
    """Install a distribution with one room, as 'pip install' does."""
    site = tool.folder / "site"
    folder = site / "elsewhere" / slug
    folder.mkdir(parents=True)
    (folder / "core.py").write_text(description.format(slug=slug))
    if source is None:
        found = rooms()["interleaved_radix2"]
        source = "".join(path.read_text() for path in found.sources).replace(found.core.top, f"mm_{slug}")
    (folder / f"mm_{slug}.sv").write_text(source)
    info = site / f"elsewhere_{slug}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: elsewhere_{slug}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[modmul.rooms]\n{slug} = elsewhere.{slug}\n")
    inherited = os.environ.get("PYTHONPATH")
    tool.environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(site), inherited)))


def radix2(old: str, new: str, slug: str) -> str:
    """The source of interleaved_radix2 with its frame, something in it changed."""
    found = rooms()["interleaved_radix2"]
    text = "".join(path.read_text() for path in found.sources)
    assert text.count(old) == 1
    return text.replace(old, new).replace(found.core.top, f"mm_{slug}")


def test_a_room_of_another_package(fresh: Tool) -> None:
    add_room(fresh, "elsewhere")
    assert "elsewhere" in [each["core"] for each in fresh.json("list")]
    assert int(fresh.json("multiply", "elsewhere", "200", "123", "-m", "251")["product"], 0) == 2
    assert {p.name for p in (fresh.folder / "site" / "elsewhere" / "elsewhere").iterdir()} <= {
        "core.py",
        "mm_elsewhere.sv",
        "__pycache__",
    }


def test_a_core_that_yosys_refuses_does_not_stop_the_others(fresh: Tool) -> None:
    refused = "`ifdef YOSYS\n  assign z_o = nowhere.z;\n`else\n  assign z_o = z_q;\n`endif"
    add_room(fresh, "refused", radix2("  assign z_o = z_q;", refused, "refused"))
    cores = f"refused,{SMALL[0]}"
    arguments = ("compare", "-m", "251", "--cores", cores, "-t", "cyclonev", "--count", "300")
    bad, good = fresh.json(*arguments, code=1)["rows"]
    assert good["failure"] is None and good["luts"] > 8
    assert bad["verified"] >= 300 and bad["luts"] is None
    assert "nowhere" in bad["failure"]
    log = fresh.folder / bad["log"].replace("~", fresh.environment["HOME"], 1)
    assert "nowhere" in log.read_text()
    done = fresh(*arguments, code=1)
    [line] = [line for line in done.stderr.splitlines() if line.startswith("refused: ")]
    assert bad["failure"] in line
    assert line.endswith(f"log: {bad['log']}")
    [row] = fresh.json("measure", "refused", "-w", "8", "-t", "cyclonev", code=1)["rows"]
    assert row["failure"] == bad["failure"]


def test_a_core_that_is_wrong(fresh: Tool) -> None:
    """Every command says so in one line and exits with 1."""
    add_room(fresh, "wrong", radix2("t1 = t - {2'b00, m}", "t1 = t + {2'b00, m}", "wrong"))
    assert "is not" in fresh.error("multiply", "wrong", "200", "123", "-m", "251", code=1)
    [result] = fresh.json("verify", "wrong", "-w", "8", "--count", "10", code=1)["results"]
    assert "hardware says" in result["failure"]
    done = fresh("verify", "wrong", "-w", "8", "--count", "10", code=1)
    assert "FAILED" in done.stdout
    assert any(line.startswith("wrong: ") and "hardware says" in line for line in done.stderr.splitlines())
    cores = f"wrong,{SMALL[0]}"
    bad, good = fresh.json(
        "compare", "-m", "251", "--cores", cores, "-t", "cyclonev", "--count", "300", code=1
    )["rows"]
    assert bad["failure"].startswith("verification failed: ")
    assert bad["verified"] is None and bad["luts"] is None
    assert good["failure"] is None and good["verified"] >= 300 and good["luts"] > 8


def test_a_core_that_never_answers(fresh: Tool) -> None:
    add_room(fresh, "silent", radix2("out_valid_o = done_q", "out_valid_o = 1'b0", "silent"))
    assert "no progress" in fresh.error("multiply", "silent", "1", "1", "-m", "251", code=1)


def test_a_core_that_verilator_refuses(fresh: Tool) -> None:
    add_room(
        fresh, "syntax", f"module mm_syntax #(parameter int Width = 8) ({PORT_LIST});\noops\nendmodule\n"
    )
    done = fresh("multiply", "syntax", "1", "1", "-m", "251", code=1)
    assert "error: verilator failed:\n" in done.stderr
    assert "mm_syntax.sv:" in done.stderr


def test_a_room_that_cannot_be_imported(fresh: Tool) -> None:
    add_room(fresh, "broken", "", "import no_such_library")
    line = fresh.error("list", code=1)
    assert line.startswith("room broken (elsewhere.broken) cannot be imported: ")
    assert "no_such_library" in line


def test_a_machine_without_a_compiler(fresh: Tool, tmp_path: Path) -> None:
    """Nothing can be simulated, and the message names the doctor."""
    cache = tmp_path / "empty"
    fresh.environment |= {"MODMUL_CACHE": str(cache), "PATH": str(tmp_path)}
    line = fresh.error("multiply", SMALL[0], "1", "1", "-m", "251", code=1)
    assert line == "g++ is not installed; 'modmul doctor' says what to do"
