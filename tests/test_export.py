# SPDX-License-Identifier: Apache-2.0
"""The exported folder works by itself: simulated, synthesis-read and, when broken, found out."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from modmul.core import PAPERS, PRIME_FIELD, Config, Polynomial, WordConfig
from modmul.export import export, vectors
from modmul.registry import Room, on, room, rooms, systems
from modmul.study.facts import facts
from modmul.use.program import giving
from modmul.verify.simulator import verilator_root

WIDTH, MODULUS, COUNT = 13, 0x1F3D, 40
PRIME_64, PRIME_96 = 2**64 - 59, 2**96 - 17
FAST_BUILD = " ".join(f"-MAKEFLAGS {name}=-O0" for name in ("OPT_FAST", "OPT_SLOW", "OPT_GLOBAL"))
REPORTED = re.compile(r"^(PASS|FAIL|TIME UP)")


def small(found: Room) -> Config:
    """The default configuration at 13 bits, in three or four beats where the core takes such words."""
    config = found.core.builds.at(WIDTH)[0]
    for word in (5, 4) if isinstance(config, WordConfig) else ():
        with suppress(ValueError):
            return config.with_parameters({"Word": word})
    return config


def make(folder: Path, *arguments: str, path: tuple[Path, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run the exported Makefile with only system programs and ``path`` on PATH; benches have no limit."""
    programs = [shutil.which(name) for name in ("make", "iverilog", "g++", "perl")]
    system = dict.fromkeys(str(Path(program).parent) for program in programs if program)
    return subprocess.run(
        ["make", "LIMIT=0", *arguments],
        cwd=folder,
        env={"PATH": os.pathsep.join((*map(str, path), *system, "/usr/bin", "/bin"))},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def verdicts(run: subprocess.CompletedProcess[str]) -> list[str]:
    """The closing lines of a bench: exactly one is right."""
    return [line for line in run.stdout.splitlines() if REPORTED.match(line)]


@pytest.mark.parametrize("system", systems())
def test_every_system_passes_its_bench_in_icarus(system: str, tmp_path: Path) -> None:
    """With as many operations as the bench has time for."""
    found = on(system, "montgomery_csa2")
    export(found.build(32), None, tmp_path / "out")
    run = make(tmp_path / "out", "icarus")
    [verdict] = verdicts(run)
    assert re.fullmatch(r"PASS: \d+ operations", verdict), run.stdout + run.stderr


def test_a_program_passes_its_bench_in_icarus(tmp_path: Path) -> None:
    """With its text in the folder, and the numbers that are given in the context."""
    text = ".number r2 ~k\n.operand x y\nmul a, x, r2\nmul b, y, k\nmul c, a, b\nout c\n"
    (tmp_path / "mine.s").write_text(text)
    build = room(f"{tmp_path / 'mine.s'}:montgomery_csa2").build(WIDTH)
    contexts = []
    for k in (5, 6):
        out = tmp_path / f"out{k}"
        export(giving(build, {"k": k}), MODULUS, out, count=COUNT)
        assert (out / "mine.s").read_text() == text
        contexts.append((out / "context.hex").read_text())
    [verdict] = verdicts(run := make(out, "icarus"))
    assert verdict.startswith(f"PASS: {COUNT} operations"), run.stdout + run.stderr
    assert contexts[0] != contexts[1]
    (out / "context.hex").write_text(contexts[0])
    [verdict] = verdicts(make(out, "icarus"))
    assert verdict.startswith("FAIL")
    with pytest.raises(ValueError, match="takes no number q of the context; it takes k"):
        giving(build, {"q": 1})
    with pytest.raises(ValueError, match="r2 follows from the modulus"):
        giving(build, {"r2": 1})
    with pytest.raises(ValueError, match="takes no numbers"):
        giving(room("rrm").build(WIDTH), {"k": 1})


def test_a_long_operation_is_tried_on_random_operands_first(tmp_path: Path) -> None:
    """Few of them, and none that hardware without an answer would have right."""
    found = on("rsa_crt", "montgomery_csa2")
    export(found.build(512), None, tmp_path / "out")
    first, *others = (tmp_path / "out" / "bench" / "vectors.hex").read_text().splitlines()[1:]
    assert len(others) == 3 and all(int(number, 16) > 1 << 400 for number in first.split())


def legal(found: Room, config: Config) -> int:
    """A modulus of the build, which may be for one alone."""
    if PRIME_FIELD not in config.fields:
        return found.core.function.some_modulus(config)
    return found.core.function.only_modulus(config) or MODULUS


@pytest.mark.parametrize("slug", rooms())
def test_every_core_passes_its_bench_in_icarus(slug: str, tmp_path: Path) -> None:
    found, config = room(slug), small(room(slug))
    export(found.of(config), legal(found, config), tmp_path / "out", count=COUNT)
    for seed in ("1", "2"):
        run = make(tmp_path / "out", "icarus", f"SEED={seed}")
        assert verdicts(run) == [f"PASS: {COUNT} operations"], run.stdout + run.stderr
        assert run.returncode == 0
        assert "warning" not in run.stderr


@pytest.mark.parametrize("slug", rooms())
def test_yosys_reads_every_core(slug: str, tmp_path: Path) -> None:
    found, config = room(slug), small(room(slug))
    export(found.of(config), legal(found, config), tmp_path / "out", count=1)
    run = make(tmp_path / "out", "yosys")
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    assert "Found and reported 0 problems" in run.stdout


@pytest.mark.parametrize(
    ("slug", "options", "width", "modulus"),
    [
        ("imml_booth4", {}, 64, PRIME_64),
        ("interleaved_csa", {"word": 32}, 96, PRIME_96),
    ],
)
def test_bench_passes_in_verilator_without_warnings(
    slug: str, options: dict[str, int], width: int, modulus: int, tmp_path: Path
) -> None:
    found = room(slug)
    export(found.of(found.core.builds.config(width, **options)), modulus, tmp_path / "out")
    run = make(tmp_path / "out", "verilator", f"VERILATOR_FLAGS={FAST_BUILD}")
    assert verdicts(run) == ["PASS: 200 operations"], run.stdout + run.stderr
    assert run.returncode == 0
    assert "%Warning" not in (tmp_path / "out" / "build" / "verilator" / "log").read_text()


TOY_MODULI = {"even": 0x1F3C, "short": 0x35, "polynomial": Polynomial(0x201B), "trinomial": Polynomial(0x2B)}


@pytest.mark.parametrize("modulus", TOY_MODULI.values(), ids=TOY_MODULI)
@pytest.mark.parametrize("word", [5, 14])
def test_run_time_length_controls_and_several_in_flight(
    word: int, modulus: int, toy: Room, tmp_path: Path
) -> None:
    """The bench of a core that uses everything: both fields, results above M, one beat and several."""
    config = toy.core.builds.config(WIDTH).with_parameters({"Word": word})
    export(toy.of(config), modulus, tmp_path / "out", count=COUNT)
    assert verdicts(make(tmp_path / "out", "icarus")) == [f"PASS: {COUNT} operations"]
    text = (tmp_path / "out" / "README.md").read_text()
    assert ".square_i(square_i)," in (tmp_path / "out" / "use" / "mm_toy_top.sv").read_text()
    assert "| latency with `square_i` high | " in text
    assert ("the polynomial x^" in text) == isinstance(modulus, Polynomial)
    assert ("congruent to the product modulo M" in text) != isinstance(modulus, Polynomial)


def test_bench_with_controls_passes_in_verilator_without_warnings(toy: Room, tmp_path: Path) -> None:
    export(
        toy.of(toy.core.builds.config(WIDTH).with_parameters({"Word": 5})),
        MODULUS,
        tmp_path / "out",
        count=COUNT,
    )
    run = make(tmp_path / "out", "verilator", f"VERILATOR_FLAGS={FAST_BUILD}")
    assert verdicts(run) == [f"PASS: {COUNT} operations"], run.stdout + run.stderr
    assert "%Warning" not in (tmp_path / "out" / "build" / "verilator" / "log").read_text()


def test_vectors_alternate_the_controls(toy: Room) -> None:
    config = toy.core.builds.config(WIDTH)
    made = vectors(toy.of(config), MODULUS, COUNT, seed=1)
    controls = [mask for *_, mask in made]
    assert controls[: COUNT // 2] == [0] * (COUNT // 2)
    assert controls[COUNT // 2 : 3 * COUNT // 4] == [0, 1] * (COUNT // 8)
    assert set(controls[3 * COUNT // 4 :]) == {0, 1}
    assert all(z == x * (x if mask else y) % MODULUS for x, y, z, mask in made)


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("mm_toy.sv", "in_square_q <= square_i;", "in_square_q <= 1'b0;", "should be|cycles, not"),
        ("mm_toy.sv", "(32'(left_q) <= Word);", "(32'(left_q) <= 0);", "no progress"),
        (
            "mm_toy.sv",
            "out_q <= Bits'(z_next);",
            "out_q <= Bits'(z_next) + m_q;",
            "z is .*, should be .* up to",
        ),
        ("mm_toy.sv", "out_q <= Bits'(z_next);", "out_q <= Bits'(z_next) ^ 1;", "z is .*, should be"),
        (
            "mm_toy.sv",
            "start       = in_full_q &",
            "start       = in_full_q & ~out_full_q &",
            "after the one",
        ),
        ("mm_toy.sv", "+ Word'(square_q);", "+ 1;", "cycles, not"),
    ],
)
def test_bench_fails_on_a_broken_toy(
    file: str, old: str, new: str, reason: str, toy: Room, tmp_path: Path
) -> None:
    export(
        toy.of(toy.core.builds.config(WIDTH).with_parameters({"Word": 5})),
        MODULUS,
        tmp_path / "out",
        count=COUNT,
    )
    source = tmp_path / "out" / "rtl" / file
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new))
    (verdict,) = verdicts(make(tmp_path / "out", "icarus"))
    assert re.match(rf"FAIL: .*({reason})", verdict), verdict


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("mm_imml_booth4.sv", ": '0) | (mag[1]", ": '0) & (mag[1]", "beat 0 of z is"),
        ("mm_imml_booth4.sv", "Digits + 1;", "Digits + 2;", "cycles"),
        ("mm_frame.sv", "(~done_q | out_ready_i)", "~done_q", "after the one before"),
        ("mm_frame.sv", "else if (out_ready_i) ", "else ", "fell before the result was taken"),
        ("mm_context_gate.sv", "whole_q & ctx_legal_i &", "whole_q &", "operands were accepted"),
        ("mm_context_gate.sv", "error_q <= ~ctx_legal_i", "error_q <= 1'b0", "no progress"),
        ("mm_frame.sv", "out_valid_o = done_q", "out_valid_o = 1'b0", "no progress"),
        ("mm_frame.sv", "out_valid_o = done_q", "out_valid_o = 1'bx", "unknown"),
    ],
)
def test_bench_fails_on_a_broken_core(file: str, old: str, new: str, reason: str, tmp_path: Path) -> None:
    found = room("imml_booth4")
    export(found.of(found.core.builds.config(WIDTH)), MODULUS, tmp_path / "out", count=COUNT)
    source = tmp_path / "out" / "rtl" / file
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new))
    run = make(tmp_path / "out", "icarus")
    (verdict,) = verdicts(run)
    assert verdict.startswith("FAIL: ")
    assert reason in verdict
    assert run.returncode != 0


def test_folder_is_complete_and_names_nothing_outside(tmp_path: Path) -> None:
    found = room("montgomery_csa1")
    config = small(found)
    folder = tmp_path / "a" / "b"
    written = export(found.of(config), MODULUS, folder, modulus_name="thirteen\nbits", count=COUNT)
    assert sorted(written) == sorted(path for path in folder.rglob("*") if path.is_file())
    for source, copy in zip(found.sources, written, strict=False):
        assert copy.read_bytes() == source.read_bytes()
    texts = {path.relative_to(folder).as_posix(): path.read_text() for path in written}
    assert texts.pop("tools.conf") == f"{sys.executable}\n"
    assert "/tools.conf" in texts[".gitignore"].splitlines()
    assert texts["mm_montgomery_csa1.f"].split() == [f"rtl/{source.name}" for source in found.sources]
    for name, text in texts.items():
        assert not any(str(place) in text for place in (tmp_path, found.path, verilator_root())), name
        assert not name.endswith(".md") or not re.search(r"\]\((?!https?:|mm_)", text), name
    assert not re.search(r"(^|[\s=:\"'])[/~]\w", texts["Makefile"])
    assert "Apache License" in texts["LICENSE"]
    assert "**Paper** Amanor et al. (`amanor2005` (of modmul))" in texts["mm_montgomery_csa1.md"]
    assert "thirteen bits" in texts["README.md"]
    assert ".Width(13)," in texts["use/mm_montgomery_csa1_top.sv"]
    assert f"| {found.core.interface.latency(config)} |" in texts["README.md"]


@pytest.mark.parametrize("slug", ["imml_booth4", "montgomery_csa1", "fips", "scalable_radix4"])
def test_the_readme_tells_the_facts_that_show_tells(slug: str, tmp_path: Path) -> None:
    found = room(slug)
    config = small(found)
    export(found.of(config), MODULUS, tmp_path / "out", count=1)
    text = (tmp_path / "out" / "README.md").read_text()
    told = facts(found.of(config), MODULUS)
    assert f"From {PAPERS[found.core.origin.paper].full}: {found.core.origin.where}." in text
    assert f"`z = {told.computes}`" in text
    assert f"in {told.beats} beat" in text and f" of {told.word} bits" in text
    assert f"0 ≤ x, y ≤ {told.operands}. Result: 0 ≤ z ≤ {told.results}" in text
    assert f"has {len(told.context)} beat" in text
    for number in (told.cycles, told.latency, told.interval):
        assert f" | {number} |" in text
    assert all(f"`{name}`" in text and meaning in text for name, meaning in told.controls.items())


@pytest.mark.parametrize(("slug", "name"), [("imml_booth4", "2^8 - 1"), ("fmlm3", "0x80")])
def test_a_modulus_of_full_length_where_none_is_given(slug: str, name: str, tmp_path: Path) -> None:
    """fmlm3 of 8 bits cannot serve 2^8 - 1, which is its radix."""
    found = room(slug)
    export(found.build(8), None, tmp_path / "out", count=1)
    told = json.loads((tmp_path / "out" / "context.json").read_text())
    assert told["modulus_name"] == name
    assert int(told["modulus"], 16).bit_length() == 8


def test_context_files_tell_the_context_and_the_way_into_the_domain(tmp_path: Path) -> None:
    found = room("montgomery_csa1")
    config = small(found)
    export(found.of(config), MODULUS, tmp_path / "out", count=COUNT)
    told = json.loads((tmp_path / "out" / "context.json").read_text())
    radix = found.core.function.domain(config).radix
    assert int(told["modulus"], 16) == MODULUS
    assert int(told["radix"], 16) == radix
    assert int(told["radix_mod_modulus"], 16) == radix % MODULUS
    assert int(told["radix_squared_mod_modulus"], 16) == radix**2 % MODULUS
    lines = (tmp_path / "out" / "context.hex").read_text().splitlines()[1:]
    context = list(found.core.interface.context(config.at(MODULUS), MODULUS))
    assert [int(line, 16) for line in lines] == context
    assert [int(beat, 16) for beat in told["context"]] == context
    lines = (tmp_path / "out" / "bench" / "refused.hex").read_text().splitlines()[1:]
    assert [int(line, 16) for line in lines] == list(found.core.illegal_contexts(config)[0])

    plain = room("interleaved_csa")
    export(plain.of(small(plain)), MODULUS, tmp_path / "plain", count=1)
    assert "radix_mod_modulus" not in json.loads((tmp_path / "plain" / "context.json").read_text())


def test_vectors_are_right_reproducible_and_reach_the_corners() -> None:
    found = room("montgomery_csa1")
    core, config = found.core, small(found)
    made = vectors(found.of(config), MODULUS, COUNT, seed=1)
    assert len(made) == COUNT
    assert all(z * core.function.domain(config).radix % MODULUS == x * y % MODULUS for x, y, z, _ in made)
    assert not any(controls for *_, controls in made)
    largest = core.function.operand_max(config.at(MODULUS), MODULUS)
    pairs = {(x, y) for x, y, *_ in made}
    assert {(0, 0), (1, MODULUS - 1), (MODULUS - 1, MODULUS - 1), (largest, largest)} <= pairs
    assert made == vectors(found.of(config), MODULUS, COUNT, seed=1)
    assert made != vectors(found.of(config), MODULUS, COUNT, seed=2)
    assert len(vectors(found.of(config), MODULUS, 3, seed=1)) == 3


def test_one_multiplication_is_enough(tmp_path: Path) -> None:
    found = room("imml_booth4")
    export(found.of(found.core.builds.config(2)), 3, tmp_path / "out", count=1)
    assert verdicts(make(tmp_path / "out", "icarus")) == ["PASS: 1 operations"]


@pytest.mark.parametrize(
    ("slug", "config", "modulus", "count", "reason"),
    [
        ("montgomery_csa1", WordConfig(WIDTH, word=5), MODULUS + 1, 1, "odd modulus"),
        ("imml_booth4", None, MODULUS << 1, 1, "more than the core's 13"),
        ("imml_booth4", None, Polynomial(MODULUS), 1, r"works in GF\(p\), this modulus is of GF\(2\^m\)"),
        ("imml_booth4", None, MODULUS, 0, "at least 1 operation"),
        ("imml_booth4", WordConfig(WIDTH, word=5), MODULUS, 1, "configured by ImmlBooth4, not WordConfig"),
    ],
)
def test_illegal_arguments_are_refused_before_anything_is_written(
    slug: str, config: Config | None, modulus: int, count: int, reason: str, tmp_path: Path
) -> None:
    found = room(slug)
    with pytest.raises(ValueError, match=reason):
        export(found.of(config or found.core.builds.config(WIDTH)), modulus, tmp_path / "out", count=count)
    assert not list(tmp_path.iterdir())


def test_a_used_folder_is_refused_unless_forced(tmp_path: Path) -> None:
    found = room("imml_booth4")
    config = found.core.builds.config(WIDTH)
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "README.md").write_text("old")
    with pytest.raises(ValueError, match="is not empty"):
        export(found.of(config), MODULUS, tmp_path)
    assert (tmp_path / "README.md").read_text() == "old"
    with pytest.raises(ValueError, match="is a file"):
        export(found.of(config), MODULUS, tmp_path / "mine.txt", force=True)
    written = export(found.of(config), MODULUS, tmp_path, force=True)
    assert (tmp_path / "README.md").read_text() != "old"
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == {*written, tmp_path / "mine.txt"}
    (tmp_path / "empty").mkdir()
    assert export(found.of(config), MODULUS, tmp_path / "empty")


def test_an_interrupted_export_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_files: Path) -> None:
        raise KeyboardInterrupt

    found = room("imml_booth4")
    monkeypatch.setattr("shutil.copyfile", interrupt)
    with pytest.raises(KeyboardInterrupt):
        export(found.of(found.core.builds.config(WIDTH)), MODULUS, tmp_path / "out")
    assert not list(tmp_path.iterdir())
