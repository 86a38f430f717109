# SPDX-License-Identifier: Apache-2.0
"""``modmul.core`` and ``Bender.yml`` are up to date, and their tools find in them what the registry says."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from modmul.core import SOCKET
from modmul.design import family as family_of
from modmul.design import instantiated
from modmul.registry import Room, on, room, rooms, systems
from modmul.verify.simulator import verilator_root

ROOT = Path(__file__).parents[1]
MANIFESTS = runpy.run_path(str(ROOT / "tools" / "manifests.py"))
SOME = ("fips", "scalable_booth4_left", "interleaved_csa", "rrm_split")


def run(folder: Path, *command: str | Path) -> str:
    """What a program prints; its own settings and caches are in the folder."""
    environment = os.environ | {
        "PATH": os.pathsep.join((str(verilator_root() / "bin"), os.environ["PATH"])),
        **{f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "CACHE")},
    }
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    """A folder with the manifests and the sources, and nothing else to find."""
    folder = tmp_path / "shown"
    folder.mkdir()
    for name in ("modmul.core", "Bender.yml", "src", "examples"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def test_they_are_up_to_date() -> None:
    assert MANIFESTS["main"](["--check"]) == 0, "run 'make manifests'"


def test_what_is_out_of_date_is_named_and_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = MANIFESTS["main"]
    assert main([], tmp_path) == main(["--check"], tmp_path) == 0
    with (tmp_path / "Bender.yml").open("a") as file:
        file.write("# changed by hand\n")
    assert main(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == "out of date: Bender.yml; run 'make manifests'\n"
    assert main([], tmp_path) == main(["--check"], tmp_path) == 0


def test_every_core_has_its_target() -> None:
    core = (ROOT / "modmul.core").read_text()
    _, targets = core.split("\ntargets:\n")
    for found in (*rooms().values(), *(on(name, "montgomery_csa2") for name in systems())):
        assert f"\n  {found.core.top}:\n" in targets


def test_fusesoc_lints_a_system(shown: Path, tmp_path: Path) -> None:
    """The one that is built of another, on the core of the example."""
    build = on("rsa_crt", "montgomery_csa2").build(256)
    listed = fusesoc(tmp_path, shown, build.core.top)
    assert sorted(line.name for line in listed) == sorted(source.name for source in build.design.sources)
    [socket] = [source for source in build.design.sources if source.stem == SOCKET]
    [shipped] = [line for line in listed if line.stem == SOCKET]
    assert (tmp_path / "build" / shipped).read_text() == socket.read_text()


@pytest.mark.parametrize("family", ["xilinx", "ecp5"])
def test_a_flag_takes_the_twins_of_a_family(family: str, shown: Path, tmp_path: Path) -> None:
    found = room("rrm_split")
    listed = fusesoc(tmp_path, shown, found.core.top, "--setup", "--flag", f"twins_{family}")
    tuned = found.build(16).design.tuned(family)
    assert {family, ""} == {family_of(source) for source in tuned.sources}
    assert sorted(line.name for line in listed) == sorted(source.name for source in tuned.sources)


def fusesoc(tmp_path: Path, shown: Path, target: str, *more: str, options: Sequence[str] = ()) -> list[Path]:
    """What FuseSoC lists for a target of the manifest, when it has run or set it up."""
    build = tmp_path / "build"
    program = Path(sys.executable).with_name("fusesoc")
    where = ("--work-root", build, "--target", target)
    run(tmp_path, program, "--cores-root", shown, "run", "--no-export", *where, *more, "modmul", *options)
    [listing] = build.glob("*.vc")
    return [Path(line) for line in listing.read_text().splitlines() if line.endswith(".sv")]


@pytest.mark.parametrize("slug", SOME[:2])
def test_fusesoc_lints_a_core(slug: str, shown: Path, tmp_path: Path) -> None:
    found = room(slug)
    listed = [file.name for file in fusesoc(tmp_path, shown, found.core.top, options=("--Width", "64"))]
    [options] = (tmp_path / "build").glob("*.vc")
    lines = options.read_text().splitlines()
    assert sorted(listed) == sorted(names(found)) and listed[-1] == f"{found.core.top}.sv"
    place = {name: at for at, name in enumerate(listed)}
    for source in found.sources:
        for below in set(instantiated(source)) - {source.stem}:
            assert place[f"{below}.sv"] < place[source.name], "each comes behind those it instantiates"
    assert "-GWidth=64" in lines
    assert f"--top-module {found.core.top}" in lines


@pytest.mark.skipif(
    shutil.which("bender") is None,
    reason="no bender on PATH: it is a Rust program that neither PyPI nor Debian has",
)
@pytest.mark.parametrize("slug", SOME)
def test_bender_finds_a_core(slug: str, shown: Path) -> None:
    listed = run(shown, "bender", "script", "flist", "-t", room(slug).core.top).split()
    assert sorted(Path(line).name for line in listed) == sorted(names(room(slug)))
    everything = run(shown, "bender", "script", "flist").split()
    own = [*rooms().values(), *(on(name, "montgomery_csa2") for name in systems())]
    assert {source.name for found in own for source in found.sources} == {
        Path(line).name for line in everything
    }
    assert len(everything) == len(set(everything))
    tuned = room(slug).build(64).design.tuned("ecp5").sources
    listed = run(shown, "bender", "script", "flist", "-t", room(slug).core.top, "-t", "twins_ecp5").split()
    assert sorted(Path(line).name for line in listed) == sorted(source.name for source in tuned)


def names(found: Room) -> list[str]:
    """The files of a core, those that others are made of first."""
    return [source.name for source in found.sources]
