# SPDX-License-Identifier: Apache-2.0
"""What a core is: its description as data and small functions, and the port contract.

A room (a folder of :mod:`modmul.cores`) holds ``mm_<slug>.sv``, ``core.py`` with one
:class:`Core` named ``CORE``, and ``README.md``. This module is all a room imports of the package.
The port list itself is described in ``docs/contract.md``; :data:`PORTS` is the same as data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

__all__ = [
    "PORTS",
    "Config",
    "Core",
    "Domain",
    "Published",
    "State",
    "Step",
    "WordConfig",
    "booth_digit",
    "carry_save",
    "ceil_div",
    "check_odd",
    "check_positive",
    "check_width",
    "full_modulus",
    "mod_double",
    "montgomery_domain",
    "plain_domain",
    "word_configs",
    "word_variants",
]

PORTS: tuple[tuple[str, str, str], ...] = (
    ("clk_i", "input", "1"),
    ("rst_ni", "input", "1"),
    ("ctx_valid_i", "input", "1"),
    ("ctx_ready_o", "output", "1"),
    ("ctx_data_i", "input", "word"),
    ("ctx_error_o", "output", "1"),
    ("in_valid_i", "input", "1"),
    ("in_ready_o", "output", "1"),
    ("x_i", "input", "word"),
    ("y_i", "input", "word"),
    ("out_valid_o", "output", "1"),
    ("out_ready_i", "input", "1"),
    ("z_o", "output", "word"),
)
"""The port list of every core, in order: name, direction, width (``1`` or ``word`` bits)."""

State = Mapping[str, int]


@dataclass(frozen=True)
class Step:
    """The registers after one clock cycle of an operation.

    Attributes:
        label: the numbered steps of the algorithm that this cycle carries out (``"9-14"``).
        state: register name of :attr:`Core.trace` to its value; a register whose value the
            algorithm leaves open in this cycle is absent.
    """

    label: str
    state: State


@dataclass(frozen=True)
class Domain:
    """What a core computes: ``x * y * factor mod M``.

    Attributes:
        name: ``"plain"`` or ``"montgomery"``.
        radix: the Montgomery radix R; 1 in the plain domain.
    """

    name: str
    radix: int

    def product(self, modulus: int, x: int, y: int) -> int:
        """The right answer, from Python's own integers: ``x * y / R mod M``."""
        if self.radix == 1:
            return x * y % modulus
        return x * y * pow(self.radix, -1, modulus) % modulus

    def enter(self, modulus: int, value: int) -> int:
        """``value * R mod M``: the representation the core works on."""
        return value * self.radix % modulus


def plain_domain(_config: Config) -> Domain:
    """The domain of a core that computes x * y mod M."""
    return Domain("plain", 1)


def montgomery_domain(config: Config) -> Domain:
    """The domain of a core that computes x * y * 2^-Width mod M."""
    return Domain("montgomery", 1 << config.width)


@dataclass(frozen=True)
class Published:
    """One printed figure of the core's paper, as printed unless ``note`` says otherwise.

    Attributes:
        table: the paper's table.
        design: the paper's name for the design.
        device: the device the authors used.
        width: operand length in bits.
        slices, luts, ffs: area; ``None`` where the paper prints none.
        fmax_mhz: clock frequency.
        cycles: clock cycles behind ``time_us``.
        time_us: printed time of one multiplication.
        note: what is wrong or missing in the print.
    """

    table: str
    design: str
    device: str
    width: int
    slices: int | None = None
    luts: int | None = None
    ffs: int | None = None
    fmax_mhz: float | None = None
    cycles: int | None = None
    time_us: float | None = None
    note: str = ""

    @classmethod
    def from_share(
        cls, table: str, design: str, device: str, device_slices: int, width: int, percent: float, fmax: float
    ) -> Published:
        """A figure printed as a share of the device and a frequency, for a design of one cycle a bit."""
        return cls(
            *(table, design, device, width),
            slices=round(device_slices * percent / 100),
            fmax_mhz=fmax,
            cycles=width,
            time_us=round(width / fmax, 3),
            note=f"slices: printed share of {device_slices:,}; time: n cycles at the printed frequency",
        )


def ceil_div(a: int, b: int) -> int:
    """ceil(a / b) for integers, b > 0."""
    return -(-a // b)


def booth_digit(y: int, index: int, radix2: int) -> int:
    """Digit ``index`` of ``y`` in radix ``2**radix2`` Booth recoding (paper 000, Figs. 1 and 2)."""
    window = ((y << 1) >> (index * radix2)) & ((1 << (radix2 + 1)) - 1)
    top = window >> radix2
    return ((window + 1) >> 1) - (top << radix2)


def mod_double(r: int, m: int, times: int = 1) -> int:
    """``times`` cascaded A1 blocks (``mm_mod_double``): 2r, less M when that is not negative.

    r lies in 0 … M and so does the result; M itself stays M.
    """
    for _ in range(times):
        r = 2 * r - m if 2 * r >= m else 2 * r
    return r


def carry_save(a: int, b: int, c: int) -> tuple[int, int]:
    """The carry-save adder (``mm_csa``): sum and carry with sum + carry = a + b + c."""
    return a ^ b ^ c, ((a & b) | (a & c) | (b & c)) << 1


@dataclass(frozen=True)
class Config:
    """The parameters of one build of a core. Rooms subclass it and add their own.

    Attributes:
        width: operand length in bits, at least 2.

    Raises:
        ValueError: a parameter is out of range, with the reason.
    """

    width: int

    def __post_init__(self) -> None:
        if self.width < 2:
            raise ValueError(f"width must be at least 2 bits, got {self.width}")

    @property
    def word(self) -> int:
        """Bits of the data ports; the operand length itself for a bit-parallel core."""
        return self.width

    @property
    def beats(self) -> int:
        """Beats of an operand: ceil(width / word)."""
        return ceil_div(self.width, self.word)

    def parameters(self) -> dict[str, int]:
        """The SystemVerilog parameters: each field's name in UpperCamelCase and its value."""
        return {
            "".join(part.capitalize() for part in f.name.split("_")): int(getattr(self, f.name))
            for f in fields(self)
        }

    def options(self) -> dict[str, int]:
        """The parameters but ``Width``."""
        return {name: value for name, value in self.parameters().items() if name != "Width"}

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.parameters().items())


def word_configs(width: int) -> tuple[WordConfig, ...]:
    """The default of a word-serial core: words of 32 bits, or one word where the operand is shorter."""
    return (WordConfig(width, word=min(32, width)),)


def word_variants(width: int) -> tuple[WordConfig, ...]:
    """Words of one bit, of few bits, of half the operand, of the whole operand and more."""
    words = (1, 3, width // 2 + 1, width + 3) if width <= 64 else (width // 2 + 1, width)
    return tuple(WordConfig(width, word=word) for word in dict.fromkeys(words))


@dataclass(frozen=True)
class WordConfig(Config):
    """A build whose operands come and go in words.

    Attributes:
        word: bits of the data ports, at least 1.
    """

    word: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word < 1:
            raise ValueError(f"word must be at least 1 bit, got {self.word}")


def check_positive(_config: Config, modulus: int) -> None:
    """Raise ValueError unless ``modulus`` is a positive integer."""
    if modulus < 1:
        raise ValueError(f"the modulus must be positive, got {modulus}")


def check_width(config: Config, modulus: int) -> None:
    """Raise ValueError unless ``1 <= modulus < 2**width``."""
    check_positive(config, modulus)
    if modulus.bit_length() > config.width:
        raise ValueError(
            f"the modulus has {modulus.bit_length()} bits, more than the core's {config.width}; "
            f"take --width {modulus.bit_length()}"
        )


def check_odd(config: Config, modulus: int) -> None:
    """Raise ValueError unless the modulus fits and is odd, as Montgomery's method needs."""
    check_width(config, modulus)
    if modulus % 2 == 0:
        raise ValueError("Montgomery multiplication needs an odd modulus, this one is even")


def full_modulus(config: Config, modulus: int) -> None:
    """Raise ValueError unless the modulus has exactly ``width`` bits."""
    check_width(config, modulus)
    if modulus.bit_length() != config.width:
        raise ValueError(
            f"this core needs a modulus of exactly {config.width} bits (its top bit set), this "
            f"one has {modulus.bit_length()}; take --width {max(modulus.bit_length(), 2)}"
        )


def _modulus_itself(_config: Config, modulus: int) -> Sequence[int]:
    return (modulus,)


@dataclass(frozen=True)
class Core:
    """One architecture: everything the tools need to know of it.

    Attributes:
        slug: name of the room; the top module is ``mm_<slug>``.
        title: one line for people.
        family: ``"interleaved"``, ``"montgomery"`` …
        paper: number of the paper (``"000"``), or ``""``.
        section: where in the paper, with the paper's name for the design.
        parts: the shared modules of ``rtl/`` it instantiates, directly or through another.
        config: its :class:`Config` class.
        steps: the paper's cycle count as text, for people.
        cycles: compute cycles of an operation by the paper's way of counting, corrected where
            the print is wrong: precomputation and iterations, without loading and unloading.
        latency: clock cycles from the cycle that accepts the last operand beat to the first in
            which ``out_valid_o`` is high.
        interval: clock cycles between the first operand beats of two successive operations when
            neither side waits.
        model: the registers after every clock cycle of an operation, first the one that accepts
            the last operand beat; the last step is the one after which the result is valid.
        trace: for a configuration, register name of :class:`Step` to the signal's path below the
            top module.
        check: raises ``ValueError`` with the reason when a modulus cannot be served.
        moduli: what ``check`` lets through, for people.
        context: the words to load, each of ``width`` bits, the modulus first.
        domain: plain or Montgomery, with its radix.
        operand_max: the largest legal operand for a modulus; results lie below the modulus.
        explore: configurations of a width worth comparing, the default first.
        variants: further configurations of a width that the tests cover.
        published: the paper's printed figures.
        status: ``"stable"`` or what is missing.
    """

    slug: str
    title: str
    family: str
    paper: str
    section: str
    parts: tuple[str, ...]
    config: type[Config]
    steps: str
    cycles: Callable[[Any], int]
    latency: Callable[[Any], int]
    interval: Callable[[Any], int]
    model: Callable[[Any, int, int, int], Iterator[Step]]
    trace: Callable[[Any], Mapping[str, str]]
    check: Callable[[Any, int], None] = check_width
    moduli: str = "1 <= M < 2^n"
    context: Callable[[Any, int], Sequence[int]] = _modulus_itself
    domain: Callable[[Any], Domain] = plain_domain
    operand_max: Callable[[int], int] = field(default=lambda modulus: modulus)
    explore: Callable[[int], Sequence[Config]] | None = None
    variants: Callable[[int], Sequence[Config]] = field(default=lambda _width: ())
    published: tuple[Published, ...] = ()
    status: str = "stable"

    @property
    def top(self) -> str:
        """The top module."""
        return f"mm_{self.slug}"

    def configs(self, width: int) -> Sequence[Config]:
        """Configurations worth comparing at ``width`` bits, the default first."""
        return self.explore(width) if self.explore else (self.config(width=width),)

    def check_operands(self, modulus: int, *operands: int) -> None:
        """Raise ValueError unless every operand lies in ``0 … operand_max(modulus)``."""
        largest = self.operand_max(modulus)
        bound = "M" if largest == modulus else "M-1" if largest == modulus - 1 else hex(largest)
        for operand in operands:
            if not 0 <= operand <= largest:
                raise ValueError(f"operands of {self.slug} lie in 0 … {bound}, got {operand}")
