# SPDX-License-Identifier: Apache-2.0
"""The papers that the cores are from, and those works they cite that matter here.

Of most papers the list of references was not at hand: a work that is not ``sure`` fits what the paper says.

``docs/papers.md`` says the same for people. A room of somebody else may name a paper that is not here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from modmul.core.published import Published

__all__ = ["PAPERS", "Paper", "Reference", "Work", "resolved", "sources"]


@dataclass(frozen=True, kw_only=True)
class Work:
    """A publication.

    Attributes:
        authors: ``"Family, Given"`` each, at least one; given names or their initials.
        title: of the publication.
        venue: where it appeared, with volume and pages as far as known; ``""`` if that is not known.
        year: when; ``None`` if that is not known.
        doi: its DOI; ``""`` if none is known.
    """

    authors: tuple[str, ...]
    title: str
    venue: str = ""
    year: int | None = None
    doi: str = ""

    @property
    def people(self) -> str:
        """All authors, given names first."""
        return ", ".join(" ".join(reversed(author.split(", "))) for author in self.authors)

    @property
    def names(self) -> str:
        """The authors in running text: ``"Blakley"``, ``"Javeed and Wang"``, ``"Dai et al."``."""
        families = [author.partition(", ")[0] for author in self.authors]
        return f"{families[0]} et al." if len(families) > 2 else " and ".join(families)

    @property
    def short(self) -> str:
        """Authors and year: ``"Dai et al., 2017"``; the authors alone if no year is known."""
        return f"{self.names}, {self.year}" if self.year else self.names

    @property
    def full(self) -> str:
        """Everything on one line: authors, title, venue, year, DOI."""
        year, doi = str(self.year or ""), self.doi and f"doi:{self.doi}"
        return ", ".join(filter(None, (f"{self.people}: {self.title}", self.venue, year, doi)))


@dataclass(frozen=True)
class Reference:
    """A work that a paper cites.

    Attributes:
        number: its number in the paper's list of references.
        work: the work; ``None`` if it is not known which it is.
        sure: whether it is sure that the number means this work.
        note: how that is known.
    """

    number: int
    work: Work | None
    sure: bool = True
    note: str = ""

    @property
    def short(self) -> str:
        """Authors and year of the work, and whether it is sure to be the one that is meant."""
        return self._told(self.work.short if self.work else "")

    @property
    def full(self) -> str:
        """The work on one line, and whether it is sure to be the one that is meant."""
        return self._told(self.work.full if self.work else "")

    def _told(self, work: str) -> str:
        return (work if self.sure else f"as far as known {work}") if work else "a work not known here"


@dataclass(frozen=True, kw_only=True)
class Paper(Work):
    """A paper that describes cores of the library.

    Attributes:
        key: its name in data and options: the first author, and the year where it is known.
        contains: what is in it.
        unsure: what is unsure of all this; ``""`` if nothing is.
        references: the works of its list that cores here implement or are compared with.
        others: rows of its tables that are of other people's designs, which it does not describe.
    """

    key: str
    contains: str
    unsure: str = ""
    references: tuple[Reference, ...] = ()
    others: tuple[Published, ...] = ()


FPL = "International Conference on Field Programmable Logic and Applications (FPL)"
VLSI_SOC = "International Conference on Very Large Scale Integration (VLSI-SoC)"

_JAVEED = Paper(
    key="javeed",
    authors=("Javeed, Khalid", "Wang, Xiaojun"),
    title="Speed and Area Optimized Parallel Higher-Radix Modular Multipliers",
    contains="two interleaved multipliers with Booth encoding, radix 4 and 8, where the multiples of x move "
    "beside the accumulation; on Virtex-6, beside serial ones and ones without Booth encoding",
    unsure="venue and year; which row of Table III a cell belongs to, where the table has gaps",
    references=(
        Reference(
            7,
            Work(
                authors=("Blakley, G. R.",),
                title="A Computer Algorithm for Calculating the Product AB Modulo M",
                venue="IEEE Transactions on Computers C-32(5)",
                year=1983,
            ),
            note="the paper names Blakley and the year",
        ),
        Reference(
            13,
            Work(
                authors=("Javeed, K.", "Wang, X."),
                title="Radix-4 and radix-8 Booth encoded interleaved modular multipliers over general Fp",
                venue=FPL,
                year=2014,
            ),
            sure=False,
        ),
        Reference(
            16,
            Work(
                authors=("Ghosh, S.", "Mukhopadhyay, D.", "Roychowdhury, D."),
                title="High speed Fp multipliers and adders on FPGA platform",
                venue="Conference on Design and Architectures for Signal and Image Processing (DASIP)",
                year=2010,
            ),
            sure=False,
            note="the paper names Ghosh et al.",
        ),
        Reference(
            18,
            Work(
                authors=("Javeed, K.", "Wang, X.", "Scott, M."),
                title="Serial and parallel interleaved modular multipliers on FPGA platform",
                venue=FPL,
                year=2015,
            ),
            sure=False,
        ),
    ),
)

_OTHERS = "other people's work, which the paper does not describe"


def _dai_table_7(
    design: str,
    device: str,
    width: int,
    luts: int,
    time: float,
    product: int,
    blocks: tuple[int, float | None] | None = None,
    gain: float | None = None,
    note: str = "",
) -> Published:
    """A row of another design; ``blocks`` are DSP blocks and RAMB36."""
    dsp, ram = blocks or (None, None)
    against = {1084: 24173, 2076: 57960, 3196: 78191, 4124: 157191, 7740: 219131}
    return Published(
        *("7", design, device, width),
        luts=luts,
        time_us=time,
        luts_us=product,
        gain_percent=gain,
        dsp=dsp,
        bram=round(2 * ram) if ram else None,
        note="; ".join(filter(None, (_OTHERS, note, "RAM18: two for a RAMB36" if ram else ""))),
        derived=("bram",) if ram else (),
        recomputed={"gain_percent": 100 * (product / against[width] - 1)} if gain else {},
    )


_DAI = Paper(
    key="dai2017",
    authors=("Dai, W.", "Chen, D. D.", "Cheung, R. C. C.", "Koç, Ç. K."),
    title="Area-Time Efficient Architecture of FFT-Based Montgomery Multiplication",
    venue="IEEE Transactions on Computers 66(3)",
    year=2017,
    doi="10.1109/TC.2016.2601334",
    contains="FMLM3, Montgomery multiplication of 1,024 to 7,680 bits by number-theoretic transforms in "
    "McLaughlin's framework, with one and with two butterflies; on Virtex-6",
    unsure="authors, title and volume, for only the DOI is in the text that was at hand; which rows of Table "
    "6 have one butterfly, for that is printed by shading and taken here from Table 7",
    references=(
        Reference(
            18,
            Work(
                authors=("Chen, D. D.", "Yao, G. X.", "Cheung, R. C. C.", "Pao, D.", "Koç, Ç. K."),
                title="Parameter Space for the Architecture of FFT-Based Montgomery Modular Multiplication",
                venue="IEEE Transactions on Computers 65(1)",
                year=2016,
            ),
            note="its 4,124 bits in 7.78 µs are those of Table 7",
        ),
        Reference(
            19,
            Work(
                authors=("Wang, W.", "Huang, X."),
                title="A novel fast modular multiplier architecture for 8,192-bit RSA cryptosystem",
                venue="IEEE High Performance Extreme Computing Conference (HPEC)",
                year=2013,
            ),
            sure=False,
        ),
        Reference(
            22,
            Work(
                authors=("McLaughlin, P.",),
                title="New frameworks for Montgomery's modular multiplication method",
                venue="Mathematics of Computation 73(246)",
                year=2004,
            ),
            note="from the paper's list",
        ),
    ),
    others=(
        *(
            _dai_table_7("[14], radix 2, w = 32", "Virtex-II", *row)
            for row in (
                *((1024, 5310, 10.09, 53577), (2048, 10587, 20.68, 218939)),
                *((3072, 15197, 30.94, 470195), (4096, 19621, 41.85, 821138)),
            )
        ),
        _dai_table_7("[31], b = 6, r = 64", "Virtex-4", 1024, 30467, 2.16, 65689),
        _dai_table_7("[13], Arch2-V4, k = 64", "Virtex-5", 1024, 704, 4.21, 2964, (33, 8)),
        *(
            _dai_table_7(f"[18], {parameters}", "Virtex-6", *row)
            for parameters, row in (
                ("d = 128, u = 17", (1084, 4818, 7.57, 36472, (9, 11), 50.9)),
                ("d = 64, u = 65", (2076, 14895, 5.52, 82220, (54, 27.5), 41.9)),
                ("d = 256, u = 25", (3196, 5835, 18.49, 107889, (9, 11), 38.0)),
                ("d = 64, u = 129", (4124, 27839, 7.78, 216587, (135, 49.5), 37.8)),
                ("d = 128, u = 121", (7740, 30230, 14.73, 445287, (81, 44), 103.2)),
            )
        ),
        _dai_table_7(
            *("[19], b = 16", "Stratix V", 8192, 214321, 9.71, 2080488, (72, None)),
            note="ALMs, counted as LUTs; 463 Kb of memory",
        ),
    ),
)

_ZHANG = Paper(
    key="zhang2020",
    authors=("Zhang, Tingting", "Zhu, Junru", "Liu, Yang", "Chen, Fulong"),
    title="The Novel Efficient Dual-field FIPS Modular Multiplication",
    venue="KSII Transactions on Internet and Information Systems 14(2), 738-756",
    year=2020,
    doi="10.3837/tiis.2020.02.015",
    contains="Montgomery multiplication by words with product scanning (FIPS) in GF(p) and GF(2^m), where a "
    "square takes a quarter fewer products; on Artix-7",
    references=(Reference(29, _DAI, note="its 6,047 LUTs and 4.00 µs are a row of Table 6 there"),),
    others=tuple(
        Published("2", design, "", 1024, luts=luts, time_us=time, luts_us2=product, note=note)
        for design, luts, time, product, note in (
            ("Verma [27]", 5718, 2.68, 41068.96, _OTHERS),
            ("Erdem [28]", 34904, 0.91, 28904.0, _OTHERS),
            ("Dai [29]", 6047, 4.0, 96752.0, "FMLM3 with two butterflies, a row of Table 6 of dai2017"),
            ("Wu [30]", 11361, 2.89, 94888.21, _OTHERS),
            ("Wang [34]", 5430, 4.05, 89065.58, _OTHERS),
        )
    ),
)

_PINCKNEY = Paper(
    key="pinckney2008",
    authors=("Pinckney, N.", "Amberg, P.", "Harris, D."),
    title="Parallelized Booth-Encoded Radix-4 Montgomery Multipliers",
    venue=VLSI_SOC,
    year=2008,
    contains="two scalable Montgomery multipliers, rows of elements that take a radix-4 Booth digit each; "
    "one shifts the result right, one the operands left; on Virtex-II, beside earlier ones",
    unsure="authors, title, venue and year, which are not in the text that was at hand",
    references=(
        Reference(
            2,
            Work(
                authors=("Tenca, A. F.", "Koç, Ç. K."),
                title="A Scalable Architecture for Montgomery Multiplication",
                venue="Cryptographic Hardware and Embedded Systems (CHES)",
                year=1999,
            ),
            sure=False,
            note="the paper names Tenca",
        ),
        Reference(
            3,
            Work(
                authors=("Harris, D.", "Krishnamurthy, R.", "Anders, M.", "Mathew, S.", "Hsu, S."),
                title="An Improved Unified Scalable Radix-2 Montgomery Multiplier",
                venue="IEEE Symposium on Computer Arithmetic (ARITH)",
                year=2005,
            ),
            sure=False,
        ),
        Reference(
            4,
            Work(
                authors=("Tenca, A. F.", "Todorov, G.", "Koç, Ç. K."),
                title="High-Radix Design of a Scalable Modular Multiplier",
                venue="Cryptographic Hardware and Embedded Systems (CHES)",
                year=2001,
            ),
            sure=False,
        ),
        Reference(
            6,
            Work(
                authors=("Pinckney, N.", "Harris, D."),
                title="Parallelized Radix-4 Scalable Montgomery Multipliers",
                venue="Journal of Integrated Circuits and Systems",
                year=2008,
            ),
            sure=False,
            note="the paper says that it is by its authors",
        ),
        Reference(
            12,
            Work(
                authors=("Jiang, N.", "Harris, D."),
                title="Parallelized Radix-2 Scalable Montgomery Multiplier",
                venue=VLSI_SOC,
                year=2007,
            ),
            sure=False,
        ),
    ),
)

_AMANOR = Paper(
    key="amanor2005",
    authors=("Amanor, D. N.", "Paar, C.", "Pelzl, J.", "Bunimov, V.", "Schimmler, M."),
    title="Efficient Hardware Architectures for Modular Multiplication on FPGAs",
    venue=FPL,
    year=2005,
    contains="three multipliers with carry-save adders, 32 to 1,024 bits: Montgomery with two, Montgomery "
    "with one and a table, interleaved with one and a table; on Virtex-E",
    unsure="authors, title, venue and year, which are not in the text that was at hand",
    references=(
        Reference(
            3,
            Work(
                authors=("Bunimov, V.", "Schimmler, M.", "Tolg, B."),
                title="A Complexity-Effective Version of Montgomery's Algorithm",
                venue="Workshop on Complexity Effective Designs",
                year=2002,
            ),
            sure=False,
        ),
        Reference(
            4,
            Work(
                authors=("Bunimov, V.", "Schimmler, M."),
                title="Area and Time Efficient Modular Multiplication of Large Integers",
                venue="Application-Specific Systems, Architectures, and Processors (ASAP)",
                year=2003,
            ),
            sure=False,
        ),
        Reference(5, None),
    ),
)

PAPERS: Mapping[str, Paper] = MappingProxyType(
    {paper.key: paper for paper in (_AMANOR, _DAI, _JAVEED, _PINCKNEY, _ZHANG)}
)
"""By key, in the order of the keys."""


def _cited(key: str, text: str) -> list[Reference]:
    """The references of a paper that a text names as ``"[13]"``, in the order of the paper's list."""
    numbers = set(re.findall(r"\[(\d+)\]", text))
    references = PAPERS[key].references if key in PAPERS else ()
    return [reference for reference in references if str(reference.number) in numbers]


def resolved(key: str, text: str) -> str:
    """A text about a paper, with authors and year behind the number of each reference."""
    for reference in _cited(key, text):
        text = text.replace(f"[{reference.number}]", f"[{reference.number}] ({reference.short})")
    return text


def sources(texts: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each paper: its key, the paper in full, and the works that are named by their numbers.

    Args:
        texts: the key of a paper and a text about it, in any number; papers that are not known are left out.
    """
    about: dict[str, str] = {}
    for key, text in texts:
        about[key] = f"{about.get(key, '')} {text}"
    return [
        "; ".join([f"{key}: {PAPERS[key].full}", *(f"[{r.number}] is {r.short}" for r in _cited(key, text))])
        for key, text in about.items()
        if key in PAPERS
    ]
