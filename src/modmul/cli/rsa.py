# SPDX-License-Identifier: Apache-2.0
"""RSA with a key file: signatures and decryption on simulated hardware."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modmul.cli.files import (
    NOT_KEPT,
    STANDARD,
    InOption,
    PassphraseOption,
    check_target,
    passphrase_of,
    read,
    writer,
)
from modmul.cli.options import CoreOption, JsonOption, SetOption, settings
from modmul.cli.printing import out, print_json, say
from modmul.cli.progress import showing
from modmul.registry import room
from modmul.tools.extras import need

if TYPE_CHECKING:
    from modmul.tools.progress import Listener
    from modmul.use.power import Answer
    from modmul.use.rsa import Engine, Power, PrivateNumbers, Result

__all__ = ["app", "hardware_engine", "hardware_power"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Sign, decrypt and verify with an RSA key; the exponentiation on simulated hardware, checked.",
)

KeyOption = Annotated[
    Path, typer.Option("--key", "-k", help="An RSA key of 1024 to 4096 bits, PEM or DER, PKCS#1 or PKCS#8.")
]
CrtOption = Annotated[
    bool,
    typer.Option("--crt/--no-crt", help="An exponentiation modulo each prime, or one of the full length."),
]
HashOption = Annotated[str, typer.Option("--hash", help="sha1, sha224, sha256, sha384 or sha512.")]
SignaturePaddingOption = Annotated[str, typer.Option("--padding", help="pkcs1 (v1.5) or pss.")]


def hardware_engine(
    core: str, bits: int, crt: bool, parameters: Mapping[str, int], primes: Sequence[int] = ()
) -> Engine:
    """Simulated hardware that raises to private exponents; the simulator is made when it is first asked.

    Args:
        core: slug of the multiplier.
        bits: length of the modulus.
        crt: whether modulo each prime, by the Chinese remainder theorem.
        parameters: of the core or the system, other than the defaults.
        primes: bits of each prime of the keys, for ``crt``; by default there are two, of half the length.
    """
    if crt:
        return _parts(core, primes or [(bits + 1) // 2] * 2, parameters)
    power = _power(core, bits, parameters)

    def raised(key: PrivateNumbers, number: int, listener: Listener) -> Answer:
        # The length is that of the modulus, so that the time tells nothing of the exponent.
        return power(number, key.d, key.public_numbers.n, bits, listener)

    return raised


def _parts(core: str, primes: Sequence[int], parameters: Mapping[str, int]) -> Engine:
    """The private operation by ``rsa_crt`` on a core, with primes of so many bits."""
    from modmul.moduli.keys import with_primes
    from modmul.use.power import build_for, private_operation

    found = build_for(primes, core, parameters)

    def raised(key: PrivateNumbers, number: int, listener: Listener) -> Answer:
        return private_operation(found, with_primes(key), number, listener=listener)

    return raised


def hardware_power(core: str, bits: int) -> Power:
    """Simulated hardware that raises to public exponents; the simulator is made when it is first asked.

    Args:
        core: slug of the multiplier.
        bits: length of the modulus.
    """
    power = _power(core, bits, {})
    return lambda x, exponent, n, listener: power(x, exponent, n, exponent.bit_length(), listener)


def _power(
    core: str, bits: int, parameters: Mapping[str, int]
) -> Callable[[int, int, int, int, Listener], Answer]:
    """x, exponent, modulus, the exponent's length, who is told: the power, by ``modexp`` on a core."""
    from modmul.use.power import build, operate

    found = build("modexp", core, bits, parameters)

    def run(x: int, exponent: int, n: int, length: int, listener: Listener) -> Answer:
        return operate(found.running(length=length), n, x, exponent, listener=listener)

    return run


@app.command()
def sign(
    key: KeyOption,
    source: InOption,
    core: CoreOption,
    target: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="The signature; - is standard output. Default: the file's name + .sig."
        ),
    ] = None,
    crt: CrtOption = True,
    padding: SignaturePaddingOption = "pkcs1",
    hash_: HashOption = "sha256",
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sign a file; 'openssl dgst -verify' reads what is written."""
    from modmul.use.rsa import sign as run

    place = target or (source if source == STANDARD else Path(f"{source}.sig"))
    scheme = {"padding": padding, "digest": hash_}
    _private(
        "signature", run, key, passphrase_file, source, place, core, crt, settings(set_), scheme, as_json
    )


@app.command()
def decrypt(
    key: KeyOption,
    source: InOption,
    core: CoreOption,
    target: Annotated[
        Path, typer.Option("--out", "-o", help="The message; - is standard output.")
    ] = STANDARD,
    crt: CrtOption = True,
    padding: Annotated[str, typer.Option("--padding", help="pkcs1 (v1.5) or oaep.")] = "pkcs1",
    hash_: HashOption = "sha256",
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decrypt a file that 'openssl pkeyutl -encrypt' or the like has made."""
    from modmul.use.rsa import decrypt as run

    scheme = {"padding": padding, "digest": hash_}
    _private("message", run, key, passphrase_file, source, target, core, crt, settings(set_), scheme, as_json)


@app.command()
def verify(
    key: KeyOption,
    source: InOption,
    signature: Annotated[Path, typer.Option("--signature", "-s", help="The signature to check.")],
    core: Annotated[
        str | None,
        typer.Option("--core", metavar="CORE", help="Also raise to the public exponent on this multiplier."),
    ] = None,
    padding: SignaturePaddingOption = "pkcs1",
    hash_: HashOption = "sha256",
    passphrase_file: PassphraseOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check the signature of a file with a public or private key, or a certificate."""
    from modmul.use import rsa

    public = rsa.public_key(key, passphrase_of(key, passphrase_file))
    message, signed = read("message", source), read("signature", signature)
    right = rsa.verify(public, message, signed, padding=padding, digest=hash_)
    data: dict[str, Any] = {"valid": right, "bits": public.key_size, "padding": padding, "hash": hash_}
    if core is not None and right:
        need("simulation")
        power = hardware_power(room(core).core.slug, public.key_size)
        with showing(NOT_KEPT) as listener:
            answer = rsa.verify_on(power, public, signed, listener=listener)
        data |= {"core": core} | answer.to_json()
        say(answer.effort)
    if as_json:
        print_json(data)
    elif right:
        out.print("the signature is right")
    if not right:
        say(f"error: {signature} is not a signature of this message by this key, with this padding and hash")
        raise typer.Exit(1)


def _private(
    what: str,
    run: Callable[..., Result],
    key_file: Path,
    passphrase_file: Path | None,
    source: Path,
    target: Path,
    core: str,
    crt: bool,
    parameters: Mapping[str, int],
    scheme: dict[str, str],
    as_json: bool,
) -> None:
    """Sign or decrypt: what is written comes only after the hardware's answer was found right."""
    from modmul.moduli.keys import primes_of
    from modmul.use.rsa import check_crt, private_key

    check_target(what, target, as_json)
    key = private_key(key_file, passphrase_of(key_file, passphrase_file))
    if crt:
        check_crt(key)
    taken = read("input", source)
    check_target(what, target, as_json, key=key_file, input=source)
    need("simulation")
    primes = [prime.bit_length() for prime in primes_of(key.private_numbers())]
    engine = hardware_engine(room(core).core.slug, key.key_size, crt, parameters, primes)
    with writer(what, target) as write:
        with showing(NOT_KEPT) as listener:
            result = run(key, taken, engine, listener=listener, **scheme)
        write(result.data)
    if as_json:
        data = {"core": core, "bits": key.key_size, "crt": crt}
        data |= {"padding": scheme["padding"], "hash": scheme["digest"]}
        print_json(data | result.answer.to_json() | {what: str(target)})
        return
    if target != STANDARD:
        say(f"{what}: {target}")
    say(result.answer.effort)
