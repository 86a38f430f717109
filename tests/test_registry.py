# SPDX-License-Identifier: Apache-2.0
"""The registry finds every room, refuses a broken one with a clear message; imports keep their arrows."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from importlib.metadata import EntryPoint
from importlib.resources import files
from pathlib import Path

import pytest
from pyslang.syntax import HierarchyInstantiationSyntax, SyntaxNode, SyntaxTree

from modmul import registry
from modmul.chips import CHIPS
from modmul.core import PRIME_FIELD, Polynomial
from modmul.design import PREFIX, instantiated
from modmul.moduli import NAMED
from modmul.registry import (
    Room,
    RoomError,
    UnknownCore,
    choose_rooms,
    on,
    room,
    rooms,
    shared,
    systems,
)

PACKAGE = Path(str(files("modmul")))
ALL = list(rooms().values())
each_core = pytest.mark.parametrize("each", ALL, ids=lambda r: r.core.slug)
DESCRIPTIONS = [
    file
    for folder in (*(each.path for each in ALL), *(folder for _, folder in systems().values()))
    for file in sorted(folder.glob("*.py"))
    if not file.name.startswith(("test_", "__init__", "evidence"))
]
"""Of cores and systems, with the models beside them; what is said of a paper (``evidence.py``) knows more."""

DESCRIPTION = """
from modmul.core import Algorithm, Builds, Config, Core, Interface

CORE = Core(
    "{slug}", "a core", Interface(latency=lambda c: 2, interval=lambda c: 3),
    Algorithm("n", cycles=lambda c: 1), Builds(Config),
)
"""


# --- what is found ------------------------------------------------------------------------------


def test_every_folder_is_a_room() -> None:
    own = {r.path for r in ALL if r.wing}
    assert own == {core.parent for core in (PACKAGE / "cores").glob("*/*/core.py")}
    folders = {f for f in (PACKAGE / "cores").glob("*/*") if f.is_dir() and not f.name.startswith("_")}
    assert own == folders


@each_core
def test_a_room_holds_its_files(each: Room) -> None:
    assert rooms()[each.core.slug] == each
    assert each.path.name == each.core.slug
    assert all(source.is_file() for source in each.sources)
    plain = {path.stem for path in each.path.glob("mm_*.sv") if path.name.count(".") == 1}
    assert plain == {source.stem for source in each.sources if source.parent == each.path}, "all are used"
    assert each.sources[-1].stem == each.core.top
    assert (each.path / "README.md").is_file()


def test_a_room_may_hold_several_modules(toy: Room) -> None:
    """Each comes before those that instantiate it."""
    assert [source.name for source in toy.sources] == ["mm_toy_step.sv", "mm_toy.sv"]


def test_papers_in_order_then_wings() -> None:
    assert sorted(ALL, key=lambda r: (r.core.origin.paper or "~", r.wing, r.core.slug)) == ALL


def test_choosing_rooms() -> None:
    assert choose_rooms(None) == choose_rooms([]) == tuple(ALL)
    first, last = ALL[0], ALL[-1]
    assert choose_rooms([last.core.slug, first.core.slug]) == (last, first)


@pytest.mark.parametrize(
    ("target", "width", "there"),
    [
        ("ecp5", 96, True),
        ("ecp5", 97, False),
        ("virtex2", 2, False),
        ("artix7", 256, True),
        ("", 256, True),
    ],
)
def test_what_a_device_does_not_hold_is_left_out_unless_named(target: str, width: int, there: bool) -> None:
    assert (room("pipelined") in choose_rooms(None, target, width)) == there
    assert room("rrm") in choose_rooms(None, target, width)
    assert choose_rooms(["pipelined"], target, width) == (room("pipelined"),)


@each_core
def test_limits_are_of_targets(each: Room) -> None:
    assert set(each.core.builds.device_limits) <= set(CHIPS)


@each_core
def test_fitting_gives_the_configurations_to_compare_or_the_reason(each: Room) -> None:
    configs = each.core.builds.at(8)
    legal, long = (251, 257) if PRIME_FIELD in configs[0].fields else (Polynomial(283), Polynomial(515))
    served = each.core.function.only_modulus(configs[0]) or legal
    assert each.fitting(8, served) == tuple(map(each.of, configs))
    reason = r"the modulus has (9 bits|degree 9), more than the core's 8; take --width 9"
    with pytest.raises(ValueError, match=reason):
        each.fitting(8, long)


@pytest.mark.parametrize("name", ["p256", "secp256k1", "sm2"])
def test_fitting_leaves_out_builds_for_other_moduli(name: str) -> None:
    """Of a core with builds for one modulus each."""
    sparse, prime = room("sparse_prime"), NAMED[name].value
    made_for = [c for c in sparse.core.builds.at(256) if c.parameters()["Modulus"] == prime]
    fitting = sparse.fitting(256, prime)
    assert fitting == tuple(map(sparse.of, made_for)) != ()
    assert all(sparse.core.function.only_modulus(build.config) == prime for build in fitting)


def test_a_build_is_made_for_the_modulus() -> None:
    """Of any length and parity that the core can be built for; a parameter that is given is kept."""
    sparse = room("sparse_prime")
    only = sparse.core.function.only_modulus
    modulus = 2**100 - 2**20 - 3
    [build] = sparse.fitting(100, modulus)
    assert only(build.config) == modulus
    changed = sparse.build(100, {"Digit": 2}, modulus).config.options()
    assert changed == {**build.config.options(), "Digit": 2}
    assert only(sparse.build(256, {}, NAMED["sm2"].value).config) == NAMED["sm2"].value


@pytest.mark.parametrize(
    ("slug", "width", "modulus", "reason"),
    [
        ("sparse_prime", 64, 2**63 + 1, "at most a third"),
        ("sparse_prime_dsp", 64, 2**64 - 2**40 - 2**20 + 1, "powers of 2 in D"),
        ("sparse_prime_dsp", 64, 2**64 - 2**33 - 1, "multiples of the word"),
        ("sparse_prime", 64, 2**64 - 2, "must be odd"),
        ("sparse_prime_dsp", 64, 2**64 - 2, "must be odd"),
        ("sparse_prime", 64, 2**65 - 1, "take --width 65"),
        ("sparse_prime_dsp", 64, 2**65 - 1, "take --width 65"),
        ("sparse_prime", 64, 2**63 - 1, "take --width 63"),
    ],
)
def test_a_modulus_that_cannot_be_built_for_has_a_reason(
    slug: str, width: int, modulus: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        room(slug).fitting(width, modulus)
    with pytest.raises(ValueError, match=reason):
        room(slug).build(width, {}, modulus)


def test_only_a_build_for_one_modulus_has_one() -> None:
    pipelined = room("pipelined")
    only = pipelined.core.function.only_modulus
    p256 = NAMED["p256"].value
    assert only(pipelined.build(256, {"Modulus": p256}).config) == p256
    assert only(pipelined.build(256).config) is None
    assert room("rrm").core.function.only_modulus(room("rrm").build(256).config) is None


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("imml_boot4", "imml_booth4"),
        ("montgomery", "montgomery_csa1"),
        ("csa2", "montgomery_csa2"),
    ],
)
def test_an_unknown_core_names_the_near_ones(text: str, near: str) -> None:
    with pytest.raises(UnknownCore, match=f"no core named '{text}'; did you mean .*{near}"):
        room(text)
    with pytest.raises(ValueError, match=text):
        choose_rooms([ALL[0].core.slug, text])


@pytest.mark.parametrize("text", ["", "?", "12345"])
def test_a_core_unlike_any_says_how_to_list_them(text: str) -> None:
    with pytest.raises(UnknownCore, match="'modmul list' shows them all"):
        room(text)


# --- rooms of third parties ---------------------------------------------------------------------

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Makes a package with a room on sys.path and names it in the entry-point group."""
    points: list[EntryPoint] = []
    group = registry.ENTRY_POINT_GROUP

    def entry_points(**asked: str) -> list[EntryPoint]:
        assert asked == {"group": group}
        return points

    def make(slug: str, *, description: str = DESCRIPTION, inside: str = "", source: bool = True) -> Path:
        folder = tmp_path / f"thirdparty{len(points)}" / slug
        folder.mkdir(parents=True)
        if description:
            (folder / "core.py").write_text(description.format(slug=inside or slug))
        if source:
            (folder / f"mm_{inside or slug}.sv").touch()
        points.append(EntryPoint(slug, f"{folder.parent.name}.{slug}", group))
        return folder

    monkeypatch.setattr(registry, "entry_points", entry_points)
    monkeypatch.syspath_prepend(tmp_path)
    rooms.cache_clear()
    yield make
    rooms.cache_clear()
    for name in [name for name in sys.modules if name.startswith("thirdparty")]:
        del sys.modules[name]


def test_a_room_of_a_third_party_is_found(install: Install) -> None:
    folder = install("wallace")
    found = room("wallace")
    assert found.path == folder
    assert found.sources == (folder / "mm_wallace.sv",)
    assert len(rooms()) == len(ALL) + 1
    assert list(rooms())[-1] == "wallace", "rooms without a paper come last"


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ("", "No module named"),
        ("import no_such_library", "No module named 'no_such_library'"),
        ("1 / 0", "division by zero"),
        ("def broken(:", "SyntaxError"),
        ("from modmul.core import Core", "no attribute 'CORE'"),
    ],
)
def test_a_room_that_fails_to_import(install: Install, description: str, reason: str) -> None:
    install("wallace", description=description)
    with pytest.raises(
        RoomError, match=rf"room wallace \(thirdparty0.wallace\) cannot be imported: .*{reason}"
    ):
        rooms()


def test_an_entry_point_that_leads_nowhere(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("wallace", "no_such_package.wallace", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda **_: [point])
    with pytest.raises(RoomError, match=r"wallace .* cannot be imported: .*no_such_package"):
        rooms()


@pytest.mark.parametrize("value", ["None", "'a core'", "Core"])
def test_a_core_of_the_wrong_type(install: Install, value: str) -> None:
    install("wallace", description=f"from modmul.core import Core\nCORE = {value}")
    with pytest.raises(RoomError, match=r"room wallace \(.*\): CORE is not a modmul.core.Core"):
        rooms()


def test_a_slug_that_is_not_the_room_s_name(install: Install) -> None:
    install("wallace", inside="dadda")
    with pytest.raises(RoomError, match=r"room wallace \(.*\) describes a core named dadda"):
        rooms()


def test_a_room_without_its_source(install: Install) -> None:
    install("wallace", source=False)
    with pytest.raises(RoomError, match=r"room wallace \(.*\) lacks mm_wallace.sv"):
        rooms()


def test_a_room_that_instantiates_a_module_which_is_not_there(install: Install) -> None:
    source = install("wallace") / "mm_wallace.sv"
    source.write_text(
        "module mm_wallace;\n  mm_csa #(.Bits(3)) u_csa ();\n  mm_wheel u_wheel ();\nendmodule\n"
    )
    with pytest.raises(RoomError, match=r"room wallace \(.*\) lacks mm_wheel.sv$"):
        _ = room("wallace").sources


def test_a_slug_that_is_taken_by_a_room_of_the_project(install: Install) -> None:
    taken = ALL[0]
    install(taken.core.slug)
    with pytest.raises(
        RoomError, match=f"slug {taken.core.slug} is taken twice: {taken.path} and thirdparty0"
    ):
        rooms()


def test_a_slug_that_two_third_parties_take(install: Install) -> None:
    install("wallace")
    install("wallace")
    with pytest.raises(RoomError, match=r"slug wallace is taken twice: .*thirdparty0.* and thirdparty1"):
        rooms()


# --- the arrows of the imports ------------------------------------------------------------------


def imports(file: Path) -> set[str]:
    """Every module a file imports, at its top or in a function."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}: relative import"
            assert node.module is not None
            # `from modmul import cli` imports modmul.cli.
            own = {f"modmul.{alias.name}" for alias in node.names} if node.module == "modmul" else set()
            found |= own or {node.module}
    return found


def own_imports(file: Path) -> set[str]:
    """The modules of this package among them, without ``modmul.``."""
    return {name.removeprefix("modmul.") for name in imports(file) if name.split(".")[0] == "modmul"}


@pytest.mark.parametrize("description", DESCRIPTIONS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_room_imports_the_description_and_the_standard_library(description: Path) -> None:
    """Or modules that its wing shares, or that systems do, which import nothing else either."""
    own = own_imports(description)
    assert own or description.stem not in ("core", "system")
    wing = ".".join(description.parent.parent.relative_to(PACKAGE).parts)
    found, todo = {"core"}, own - {"core"}
    while todo:
        name = todo.pop()
        assert name.startswith(f"{wing}."), name
        found.add(name)
        todo |= own_imports(PACKAGE / f"{name.replace('.', '/')}.py") - found
    others = {name.split(".")[0] for name in imports(description)} - {"modmul"}
    assert others <= sys.stdlib_module_names


def layers() -> dict[str, set[str]]:
    """Each layer and the others it may import, from the table of docs/architecture.md."""
    text = (Path(__file__).parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", text.split("## Layers")[1], re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", allowed)) for name, allowed in rows}


def layer_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


SOURCES = [
    file
    for file in sorted(PACKAGE.rglob("*.py"))
    if layer_of(file) not in ("__init__", "__main__", "cores", "systems")
]


def test_every_file_is_in_a_layer() -> None:
    assert {layer_of(file) for file in SOURCES} == set(layers())


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_go_from_layer_to_layer_as_the_architecture_says(file: Path) -> None:
    found = {name.split(".")[0] for name in own_imports(file)} - {"__init__", "__version__"}
    assert found <= {layer_of(file)} | layers()[layer_of(file)]


def test_every_arrow_of_the_architecture_is_used() -> None:
    used: dict[str, set[str]] = {name: set() for name in layers()}
    for file in SOURCES:
        used[layer_of(file)] |= {name.split(".")[0] for name in own_imports(file)} & set(used)
    assert {name: found - {name} for name, found in used.items()} == layers()


def test_no_file_imports_itself_through_others() -> None:
    """Inside of a layer, too; an import in a function counts."""
    files_of = {
        module_name(file): file for file in PACKAGE.rglob("*.py") if not file.name.startswith("test_")
    }
    below = {name: imported(file) & set(files_of) - {name} for name, file in files_of.items()}
    order = list(TopologicalSorter(below).static_order())  # raises CycleError
    assert set(order) == set(files_of)


def module_name(file: Path) -> str:
    """``modmul.tools.run`` for its file."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported(file: Path) -> set[str]:
    """The modules that a file imports, whether it names them or takes a name from them."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            files_inside = {name for name in inside if (PACKAGE.parent / name.replace(".", "/")).exists()}
            modules = {
                n for n in inside if (PACKAGE.parent / n.replace(".", "/")).with_suffix(".py").exists()
            }
            found |= (files_inside | modules) or {node.module}
    return found


def test_nothing_imports_a_room_and_nothing_the_command_line() -> None:
    """But for a room's own tests, which may import the room."""
    for file in PACKAGE.rglob("*.py"):
        upper = {name for name in own_imports(file) if name.split(".")[0] in ("cli", "cores", "systems")}
        if file.is_relative_to(PACKAGE / "cli"):
            upper = {name for name in upper if not name.startswith("cli")}
        folder = ".".join(file.relative_to(PACKAGE).parent.parts)
        tests = file.name.startswith("test_")
        for name in upper:
            shared = f"{folder}.".startswith(f"{name.rpartition('.')[0]}.")  # of its wing, or of the systems
            assert shared or (tests and name.startswith(f"{folder}.")), file.name


# --- the shared parts ---------------------------------------------------------------------------


def parsed(source: Path) -> set[str]:
    """The modules a source names in any branch."""
    found = set()

    def visit(node: object) -> None:
        if isinstance(node, HierarchyInstantiationSyntax):
            found.add(str(node.type.valueText))

    root: SyntaxNode = SyntaxTree.fromFile(str(source)).root
    root.visit(visit)
    return found


@pytest.mark.parametrize("source", sorted(PACKAGE.rglob("mm_*.sv")), ids=lambda file: file.stem)
def test_the_modules_instantiated_are_read_off_the_source(source: Path) -> None:
    """As the parser of slang finds them, twins and all branches included."""
    assert set(instantiated(source)) == {name for name in parsed(source) if name.startswith(PREFIX)}


def test_every_shared_module_is_used() -> None:
    found = (*ALL, *(on(system, ALL[0].core.slug) for system in systems()))
    assert set(shared().values()) <= {source for r in found for source in r.sources}


FRAMES = ("mm_frame", "mm_word_frame")


def test_a_wing_shares_what_several_of_its_rooms_use() -> None:
    """What two wings use is in rtl, beside the frames that any core may take; what one room uses is there."""
    for name, source in shared().items():
        users = [r for r in ALL if source in r.sources]
        wings = {r.wing for r in users}
        if source.parent.parent == PACKAGE / "cores":
            assert wings == {source.parent.name} and len(users) > 1, name
        if source.parent == PACKAGE / "rtl":
            assert len(wings) > 1 or name in FRAMES, name
