# SPDX-License-Identifier: Apache-2.0
"""What a core is: its description as data and small functions, and the port contract.

A room (a folder of :mod:`modmul.cores`) holds ``mm_<slug>.sv``, ``core.py`` with one
:class:`Core` named ``CORE``, and ``README.md``. This module is all a room imports of the package.
The port list itself is described in ``docs/contract.md``; :data:`PORTS` is the same as data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Self

from flint import nmod_poly

__all__ = [
    "BINARY_FIELD",
    "CONTROLS",
    "MAX_WIDTH",
    "PORTS",
    "PRIME_FIELD",
    "RUNTIME",
    "TOOL_WIDTHS",
    "Config",
    "Core",
    "Domain",
    "Polynomial",
    "Published",
    "ScalableConfig",
    "State",
    "Step",
    "WordConfig",
    "booth_digit",
    "bound_name",
    "carry_save",
    "carryless_product",
    "ceil_div",
    "check_odd",
    "check_positive",
    "check_tool",
    "check_width",
    "field_of",
    "full_modulus",
    "mod_double",
    "montgomery_domain",
    "operand_length",
    "plain_domain",
    "radix_name",
    "size_name",
    "to_beats",
    "word_configs",
    "word_variants",
]

PRIME_FIELD = "GF(p)"
"""Arithmetic of integers modulo M, whether or not M is prime."""
BINARY_FIELD = "GF(2^m)"
"""Arithmetic of polynomials over GF(2) modulo M, whether or not M is irreducible."""

RUNTIME: Mapping[str, bool] = MappingProxyType({"runtime": True})
"""Metadata of a :class:`Config` field that is chosen at run time, by the context or a control port."""

MAX_WIDTH = 1 << 20
"""Bits of the longest operand, and of the longest word, that a core is described for."""

TOOL_WIDTHS: Mapping[str, int] = MappingProxyType(
    {"simulated": 1 << 15, "exported": 1 << 15, "synthesised": 1 << 14}
)
"""What can be done with a core, to the longest operands in bits with which that ends in reasonable time."""

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
"""The ports that every core has, in order: name, direction, width (``1`` or ``word`` bits)."""

CONTROLS: Mapping[str, str] = MappingProxyType({"square_i": "z is the product of x and x; y_i is ignored"})
"""The control ports a core may have besides :data:`PORTS`: name to what it does when it is high.

A control is one bit, belongs to the first beat of an operation's operands, and is ignored in later ones.
``square_i`` is the run-time field ``square`` of the core's configuration.
"""

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


class Polynomial(int):
    """A polynomial over GF(2), as a modulus: bit i is the coefficient of x^i.

    An ``int`` in all but its arithmetic modulo itself, which is in :meth:`product` and
    :meth:`inverse`. It equals the plain integer of the same bits: ask :func:`field_of` which it is.

    Raises:
        ValueError: the bits are negative.
    """

    def __new__(cls, bits: int) -> Self:
        if bits < 0:
            raise ValueError(f"the bits of a polynomial are not negative, got {bits}")
        return super().__new__(cls, bits)

    def __repr__(self) -> str:
        return f"Polynomial({hex(self)})"

    @property
    def degree(self) -> int:
        """The degree; -1 for the zero polynomial."""
        return self.bit_length() - 1

    @property
    def text(self) -> str:
        """As people write it: ``"x^8+x^4+x^3+x+1"``."""
        names = {0: "1", 1: "x"}
        powers = (i for i in reversed(range(self.bit_length())) if (self >> i) & 1)
        return "+".join(names.get(i, f"x^{i}") for i in powers) or "0"

    def product(self, *factors: int) -> int:
        """The product of one or more polynomials, modulo this one.

        Raises:
            ZeroDivisionError: this is the zero polynomial.
        """
        modulus, (first, *rest) = _poly(self), map(_poly, factors)
        value = first % modulus
        for factor in rest:
            value = value * factor % modulus
        return _bits(value)

    def inverse(self, value: int) -> int:
        """The polynomial whose product with ``value`` is 1 modulo this one.

        Raises:
            ValueError: they have a common factor, or this is 0 or 1.
        """
        common, inverse, _ = _poly(value).xgcd(_poly(self))
        if self.degree < 1 or not common.is_one():
            raise ValueError(f"{Polynomial(value).text} has no inverse modulo {self.text}")
        return _bits(inverse % _poly(self))


@lru_cache(maxsize=64)  # moduli and inverses come again and again
def _poly(bits: int) -> nmod_poly:
    # The characters "0" and "1" are 48 and 49: 0 and 1 modulo 2.
    return nmod_poly(list(bin(bits)[:1:-1].encode()), 2)


def _bits(poly: nmod_poly) -> int:
    return int(bytes(48 + int(c) for c in reversed(poly.coeffs())) or b"0", 2)


def carryless_product(a: int, b: int) -> int:
    """The product of two polynomials over GF(2), not reduced; bit i is the coefficient of x^i."""
    return _bits(_poly(a) * _poly(b))


def field_of(modulus: int) -> str:
    """The field a modulus is of: ``"GF(2^m)"`` for a :class:`Polynomial`, otherwise ``"GF(p)"``."""
    return BINARY_FIELD if isinstance(modulus, Polynomial) else PRIME_FIELD


def operand_length(modulus: int) -> int:
    """Bits of a reduced operand: the length of an integer, the degree of a :class:`Polynomial`."""
    return modulus.degree if isinstance(modulus, Polynomial) else modulus.bit_length()


@lru_cache(maxsize=256)
def _inverse(radix: int, modulus: int) -> int:
    return pow(radix, -1, modulus)


@lru_cache(maxsize=256)
def _binary_inverse(radix: int, modulus: Polynomial) -> int:
    return modulus.inverse(radix) if modulus.degree > 0 else 0


@dataclass(frozen=True)
class Domain:
    """What a core computes: ``x * y / R mod M``, of integers or, for a Polynomial M, of polynomials.

    Attributes:
        name: ``"plain"`` or ``"montgomery"``.
        radix: the Montgomery radix R; 1 in the plain domain. For a Polynomial modulus its bits are
            coefficients: R = x^k is ``1 << k``.
    """

    name: str
    radix: int

    def product(self, modulus: int, x: int, y: int) -> int:
        """The right answer, reduced, without the hardware: ``x * y / R mod M``.

        Raises:
            ValueError: R and M have a common factor.
        """
        if isinstance(modulus, Polynomial):
            if self.radix == 1:
                return modulus.product(x, y)
            return modulus.product(x, y, _binary_inverse(self.radix, modulus))
        if self.radix == 1:
            return x * y % modulus
        return x * y * _inverse(self.radix, modulus) % modulus

    def enter(self, modulus: int, value: int) -> int:
        """``value * R mod M``: the representation the core works on. A product with 1 leaves it."""
        if isinstance(modulus, Polynomial):
            return modulus.product(value, self.radix)
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
        dsp: multiplier blocks.
        bram: block memories in units of 18 kbit: a RAMB36 counts two.
        fmax_mhz: clock frequency.
        cycles: clock cycles behind ``time_us``.
        time_us: printed time of one multiplication.
        note: what is wrong or missing in the print.
        options: the SystemVerilog parameters of the build it is of, where they differ from the default.
        runtime: the run-time fields of its operations, where they differ from the default.
        block: the part of the design the area is of, a name of :attr:`Core.blocks`; ``""`` for the whole.
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
    options: Mapping[str, int] = field(default_factory=dict, hash=False)
    runtime: Mapping[str, Any] = field(default_factory=dict, hash=False)
    block: str = ""
    dsp: int | None = None
    bram: int | None = None

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


def to_beats(value: int, bits: int, word: int) -> list[int]:
    """A number of ``bits`` bits as its ceil(bits / word) beats of ``word`` bits, least significant first.

    Raises:
        ValueError: the number is negative or does not fit into these beats.
    """
    beats = ceil_div(bits, word)
    if value < 0 or value >> (beats * word):
        raise ValueError(f"{value:#x} does not fit into {beats} beats of {word} bits")
    return [(value >> (word * i)) & ((1 << word) - 1) for i in range(beats)]


@dataclass(frozen=True)
class Config:
    """The parameters of one build of a core. Rooms subclass it and add their own.

    Fields marked with :data:`RUNTIME` are no parameters: the hardware gets them from the context or a
    control port. A configuration with them set is the build while it serves a modulus (:meth:`at`).

    Attributes:
        width: operand length in bits, from 2 to :data:`MAX_WIDTH`; the longest where the length is
            chosen at run time.

    Raises:
        ValueError: a parameter is out of range, with the reason.
    """

    width: int

    def __post_init__(self) -> None:
        if self.width < 2:
            raise ValueError(f"width must be at least 2 bits, got {self.width}")
        if self.width > MAX_WIDTH:
            raise ValueError(f"width must be at most {MAX_WIDTH} bits, got {self.width}")

    @property
    def word(self) -> int:
        """Bits of the data ports; the operand length itself for a bit-parallel core."""
        return self.width

    @property
    def bits(self) -> int:
        """Bits of an operand at the ports."""
        return self.width

    @property
    def beats(self) -> int:
        """Beats of an operand: ceil(bits / word)."""
        return ceil_div(self.bits, self.word)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields it computes in: :data:`PRIME_FIELD`, :data:`BINARY_FIELD` or both."""
        return (PRIME_FIELD,)

    @property
    def trace_bits(self) -> int:
        """Bits of the widest traced register: operands, a loop's sums, the words of X."""
        return self.beats * self.word + 2

    def at(self, modulus: int, **controls: bool) -> Self:
        """This build while it serves a modulus: its run-time fields as the context and controls set them.

        Args:
            modulus: one that ``Core.check`` lets through for this build.
            controls: value of each control, by its field (``square=True``); those not given stay.

        Raises:
            ValueError: there is no such control.
        """
        for name in controls:
            if not isinstance(self.runtime().get(name), bool):
                raise ValueError(f"there is no control {name!r}")
        return replace(self, **controls) if controls else self

    def runtime(self) -> dict[str, Any]:
        """The run-time fields and their values."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.metadata.get("runtime")}

    def split(self, *numbers: int) -> list[int]:
        """Each number as its ``beats`` beats of ``word`` bits, least significant first, one after another.

        Raises:
            ValueError: a number does not fit.
        """
        return [beat for number in numbers for beat in to_beats(number, self.bits, self.word)]

    def _parameter_fields(self) -> dict[str, str]:
        """The field of each SystemVerilog parameter, whose name is the field's in UpperCamelCase."""
        return {
            "".join(part.capitalize() for part in f.name.split("_")): f.name
            for f in fields(self)
            if not f.metadata.get("runtime")
        }

    def parameters(self) -> dict[str, int]:
        """The SystemVerilog parameters: name and value."""
        return {name: int(getattr(self, attribute)) for name, attribute in self._parameter_fields().items()}

    def with_parameters(self, values: Mapping[str, int]) -> Self:
        """This build with some SystemVerilog parameters changed.

        Raises:
            ValueError: there is no such parameter, or a value is out of range.
        """
        known = self._parameter_fields()
        for name in values:
            if name not in known:
                raise ValueError(f"there is no parameter {name!r}; there is {', '.join(known)}")
        return replace(self, **{known[name]: value for name, value in values.items()})

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
        word: bits of the data ports, from 1 to :data:`MAX_WIDTH`.
    """

    word: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.word < 1:
            raise ValueError(f"word must be at least 1 bit, got {self.word}")
        if self.word > MAX_WIDTH:
            raise ValueError(f"word must be at most {MAX_WIDTH} bits, got {self.word}")


@dataclass(frozen=True)
class ScalableConfig(WordConfig):
    """A build whose operand length is chosen with the context, up to ``width``.

    Attributes:
        length: bits of an operand at run time; 0 stands for ``width``.
    """

    length: int = field(default=0, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.length <= self.width:
            raise ValueError(f"operands of {self.length} bits are longer than the core's {self.width}")

    @property
    def n(self) -> int:
        """Bits of an operand at run time."""
        return self.length or self.width

    @property
    def bits(self) -> int:
        """Bits of an operand at the ports: those at run time."""
        return self.n

    def at(self, modulus: int, **controls: bool) -> Self:
        """Operands as long as the modulus, and of at least two bits."""
        return replace(super().at(modulus, **controls), length=max(operand_length(modulus), 2))


def check_tool(done: str, width: int, word: int = 1) -> None:
    """Raise ValueError if a core is too wide for a tool to end in reasonable time.

    Args:
        done: what the tool does with the core, a name of :data:`TOOL_WIDTHS`.
        width: bits of an operand.
        word: bits of its data ports.
    """
    most = TOOL_WIDTHS[done]
    for name, bits in (("width", width), ("word", word)):
        if bits > most:
            raise ValueError(
                f"{name} must be at most {most} bits for a core to be {done} in reasonable time, got {bits}; "
                f"take a {name} of {most} or less"
            )


def check_positive(config: Config, modulus: int) -> None:
    """Raise ValueError unless ``modulus`` is positive and of a field that the core computes in."""
    if field_of(modulus) not in config.fields:
        raise ValueError(f"works in {' and '.join(config.fields)}, this modulus is of {field_of(modulus)}")
    if modulus < 1:
        raise ValueError(f"the modulus must be positive, got {modulus}")


def check_width(config: Config, modulus: int) -> None:
    """Raise ValueError unless the modulus is positive and its operands have at most ``width`` bits.

    That is ``1 <= modulus < 2**width`` for an integer, degree <= ``width`` for a Polynomial.
    """
    check_positive(config, modulus)
    if operand_length(modulus) > config.width:
        raise ValueError(
            f"the modulus has {size_name(modulus)}, more than the core's {config.width}; "
            f"take --width {operand_length(modulus)}"
        )


def check_odd(config: Config, modulus: int) -> None:
    """Raise ValueError unless the modulus fits and is odd, as Montgomery's method needs.

    A Polynomial has to have the constant term 1.
    """
    check_width(config, modulus)
    if modulus % 2 == 0:
        raise ValueError(
            "Montgomery multiplication needs the constant term 1, this polynomial is a multiple of x"
            if isinstance(modulus, Polynomial)
            else "Montgomery multiplication needs an odd modulus, this one is even"
        )


def full_modulus(config: Config, modulus: int) -> None:
    """Raise ValueError unless the operands of the modulus have exactly ``width`` bits."""
    check_width(config, modulus)
    if operand_length(modulus) != config.width:
        raise ValueError(
            f"this core needs a modulus of exactly {config.width} bits (its top bit set), this "
            f"one has {size_name(modulus)}; take --width {max(operand_length(modulus), 2)}"
        )


def size_name(modulus: int) -> str:
    """The size of a modulus for people: ``"256 bits"``, ``"degree 163"``."""
    if isinstance(modulus, Polynomial):
        return f"degree {modulus.degree}"
    return f"{modulus.bit_length()} bits"


def _modulus_itself(config: Config, modulus: int) -> Sequence[int]:
    return config.split(modulus)


def _operand_max(_config: Config, modulus: int) -> int:
    return (1 << modulus.degree) - 1 if isinstance(modulus, Polynomial) else modulus


def _result_max(_config: Config, modulus: int) -> int:
    return (1 << modulus.degree) - 1 if isinstance(modulus, Polynomial) else modulus - 1


def _no_blocks(_config: Config) -> Mapping[str, tuple[str, Mapping[str, int]]]:
    return {}


def _no_notes(_config: Config) -> Mapping[str, Sequence[str]]:
    return {}


@dataclass(frozen=True)
class Core:
    """One architecture: everything the tools need to know of it.

    Every function takes one configuration: ``config.at(modulus)`` where a modulus is known. Without
    ``at`` it describes the build at its full length.

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
            which ``out_valid_o`` is high, for an operation accepted while no other is in flight.
        interval: clock cycles between the first operand beats of two successive operations when
            neither side waits, in the steady state of a stream (see ``in_flight``).
        model: the registers after every clock cycle of an operation, first the one that accepts
            the last operand beat; the last step is the one after which the result is valid.
        trace: for a configuration, register name of :class:`Step` to the signal's path below the
            top module.
        check: raises ``ValueError`` with the reason when a build cannot serve a modulus.
        moduli: what ``check`` lets through, for people.
        context: the beats to load, in order, each below ``2**word``.
        refused: for a build, contexts (each a run of beats) that the hardware must refuse with
            ``ctx_error_o``; ``None`` for those of :meth:`illegal_contexts`.
        domain: plain or Montgomery, with its radix.
        operand_max: the largest legal operand for a modulus; M for integers, 2^degree - 1 for
            polynomials unless given.
        result_max: the largest result for a modulus; a result is congruent to the product and lies in
            0 … result_max. Unless given it is reduced: M-1 for integers, 2^degree - 1 for polynomials.
        in_flight: operations it holds at most, from an operation's first operand beat to the last beat
            of its result. The steady state begins behind the first ``in_flight`` operations; with 1,
            all are in it.
        controls: further input ports of one bit, names of :data:`CONTROLS`.
        explore: configurations of a width worth comparing, the default first.
        variants: further configurations of a width that the tests cover.
        published: the paper's printed figures.
        blocks: for a configuration, the inner modules whose area the paper prints: name of the block
            to its module and parameters.
        dsp: synthesised with multiplier blocks: its multipliers are the architecture, and its paper
            counts them. All other cores have their multiplications in LUTs.
        notes: for a configuration, what ``modmul show`` tells besides: a title to its lines.
        status: ``"stable"`` or what is missing.

    Raises:
        ValueError: a control is not in :data:`CONTROLS`.
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
    refused: Callable[[Any], Sequence[Sequence[int]]] | None = None
    domain: Callable[[Any], Domain] = plain_domain
    operand_max: Callable[[Any, int], int] = _operand_max
    result_max: Callable[[Any, int], int] = _result_max
    in_flight: int = 1
    controls: tuple[str, ...] = ()
    explore: Callable[[int], Sequence[Config]] | None = None
    variants: Callable[[int], Sequence[Config]] = field(default=lambda _width: ())
    published: tuple[Published, ...] = ()
    blocks: Callable[[Any], Mapping[str, tuple[str, Mapping[str, int]]]] = _no_blocks
    dsp: bool = False
    notes: Callable[[Any], Mapping[str, Sequence[str]]] = _no_notes
    status: str = "stable"

    def __post_init__(self) -> None:
        for name in self.controls:
            if name not in CONTROLS:
                raise ValueError(f"there is no control port {name!r}; there is {', '.join(CONTROLS)}")

    @property
    def top(self) -> str:
        """The top module."""
        return f"mm_{self.slug}"

    @property
    def ports(self) -> tuple[tuple[str, str, str], ...]:
        """Its port list: :data:`PORTS` with the controls behind ``y_i``."""
        place = [name for name, _, _ in PORTS].index("y_i") + 1
        return (*PORTS[:place], *((name, "input", "1") for name in self.controls), *PORTS[place:])

    @property
    def control_fields(self) -> tuple[str, ...]:
        """The run-time field of each control: ``"square"`` for ``"square_i"``."""
        return tuple(name.removesuffix("_i") for name in self.controls)

    def configs(self, width: int) -> Sequence[Config]:
        """Configurations worth comparing at ``width`` bits, the default first."""
        return self.explore(width) if self.explore else (self.config(width=width),)

    def serves(self, config: Config, modulus: int) -> bool:
        """Whether ``check`` lets the modulus through."""
        try:
            self.check(config, modulus)
        except ValueError:
            return False
        return True

    def some_modulus(self, config: Config) -> int:
        """A modulus of full length that the build can serve, for figures that need one.

        Raises:
            ValueError: it serves none of those tried, with its reason.
        """
        top = 1 << config.width
        candidates = (top // 2 + 1, top - 1, top // 2, Polynomial(top | 3), Polynomial(top))
        for modulus in candidates:
            if self.serves(config, modulus):
                return modulus
        self.check(config, candidates[0])
        raise ValueError(f"{self.slug} serves no modulus of {config.width} bits")

    def product(self, config: Config, modulus: int, x: int, y: int) -> int:
        """The right answer, reduced, without the hardware; ``config`` is ``config.at(modulus, …)``."""
        squares = getattr(config, "square", False)
        return self.domain(config).product(modulus, x, x if squares else y)

    def right(self, config: Config, modulus: int, product: int, result: int) -> bool:
        """Whether a result is congruent to the reduced product and not above ``result_max``."""
        if not 0 <= result <= self.result_max(config, modulus):
            return False
        return result == product or (
            not isinstance(modulus, Polynomial) and (result - product) % modulus == 0
        )

    def illegal_contexts(self, config: Config) -> list[Sequence[int]]:
        """Contexts that the hardware must refuse with ``ctx_error_o``.

        Those of ``refused``; by default a modulus that ``check`` refuses (of 0, 1, 2, 4, 2^(width-1)
        and 2^width - 2), at full length, with zeros behind it up to the length of a legal context.
        """
        if self.refused is not None:
            return list(self.refused(config))
        top = 1 << config.width
        legal = self.some_modulus(config)
        length = len(self.context(config.at(legal), legal))
        candidates = (m for m in (0, 1, 2, 4, top // 2, top - 2) if m < top)
        illegal = [m for m in dict.fromkeys(candidates) if not self.serves(config, m)]
        runs = map(config.split, illegal)
        return [[*run, *[0] * (length - len(run))] for run in runs]

    def check_operands(self, config: Config, modulus: int, *operands: int) -> None:
        """Raise ValueError unless every operand lies in ``0 … operand_max(config, modulus)``."""
        largest = self.operand_max(config, modulus)
        for operand in operands:
            if not 0 <= operand <= largest:
                bound = bound_name(largest, modulus)
                raise ValueError(f"operands of {self.slug} lie in 0 … {bound}, got {operand}")


def bound_name(bound: int, modulus: int) -> str:
    """A largest value as people write it: ``"M-1"``, ``"2M-2"``, ``"2^163-1"``, or in hexadecimal."""
    if not isinstance(modulus, Polynomial):
        factor = ceil_div(bound, modulus)
        less = factor * modulus - bound
        if 1 <= factor <= 4 and less <= 2:
            return f"{factor if factor > 1 else ''}M{f'-{less}' if less else ''}"
    power = (bound + 1).bit_length() - 1
    return f"2^{power}-1" if bound + 1 == 1 << power else hex(bound)


def radix_name(radix: int, modulus: int) -> str:
    """A Montgomery radix as people write it: ``"2^256"``, ``"2^512 - 1"``, ``"x^163"``, or in hexadecimal."""
    power = radix.bit_length() - 1
    if radix == 1 << power:
        return f"{'x' if isinstance(modulus, Polynomial) else '2'}^{power}"
    if radix + 1 == 2 << power and not isinstance(modulus, Polynomial):
        return f"2^{power + 1} - 1"
    return hex(radix)
