# SPDX-License-Identifier: Apache-2.0
"""Where an architecture comes from, and what was printed of it: for whoever compares us with a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from modmul.core.config import Config
from modmul.core.papers import PAPERS, resolved
from modmul.core.published import Published

__all__ = ["Checkout", "Origin"]


def _nothing(_config: Config) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Checkout:
    """Sources that somebody else published, and that are read where they lie, in a checkout of theirs.

    Attributes:
        repository: ``owner/name`` on GitHub.
        commit: 40 hexadecimal digits.
        licence: of the files, an SPDX expression; ``""`` where the repository names none.
        files: paths in the repository; the names of no two of them are equal.
    """

    repository: str
    commit: str
    licence: str
    files: tuple[str, ...]

    @property
    def url(self) -> str:
        """Where it is cloned from."""
        return f"https://github.com/{self.repository}"

    @property
    def terms(self) -> str:
        """The licence, or that there is none."""
        return self.licence or "no licence"

    def __str__(self) -> str:
        return f"{self.repository}, commit {self.commit[:12]}, {self.terms}"


@dataclass(frozen=True)
class Origin:
    """The paper of a core, and the paper's figures; or the repository of a core that somebody else wrote.

    Attributes:
        paper: key of the paper in :data:`~modmul.core.papers.PAPERS`, or another name where it is not there;
            ``""`` for none.
        section: where in the paper, with the paper's name for the design; without a paper, the document that
            describes the architecture.
        published: the paper's figures, printed or derived from what is printed.
        prints_nothing: whether the paper prints no figures of this design.
        counts: for a configuration, further figures of :class:`~modmul.core.published.Published`, in cycles.
        blocks: for a configuration, the inner modules whose area the paper prints: name of the block
            to its module and parameters. They can be synthesised, placed and routed alone.
        checkout: where the sources come from that are not the room's; ``None`` where all are.
    """

    paper: str = ""
    section: str = ""
    published: tuple[Published, ...] = ()
    prints_nothing: bool = False
    counts: Callable[[Any], Mapping[str, int]] = field(default=_nothing)
    blocks: Callable[[Any], Mapping[str, tuple[str, Mapping[str, int]]]] = field(default=_nothing)
    checkout: Checkout | None = None

    @property
    def citation(self) -> str:
        """The paper in running text, authors and year; its name where it is none of PAPERS."""
        return PAPERS[self.paper].short if self.paper in PAPERS else self.paper

    @property
    def full(self) -> str:
        """The paper in full, or its name where it is none of PAPERS; ``""`` if there is none."""
        return PAPERS[self.paper].full if self.paper in PAPERS else self.paper

    @property
    def where(self) -> str:
        """The section, with authors and year behind the number of each reference."""
        return resolved(self.paper, self.section)
