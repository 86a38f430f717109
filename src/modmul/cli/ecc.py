# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves with key files: signatures, key agreement and encryption on simulated hardware."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modmul.cli.completing import core_names
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
from modmul.cli.options import BadInput, CoreOption, JsonOption, SetOption, settings
from modmul.cli.printing import out, print_json, print_table, say
from modmul.cli.progress import showing
from modmul.registry import room
from modmul.tools.extras import need

if TYPE_CHECKING:
    from modmul.use.curve_keys import PrivateKey
    from modmul.use.ecc import Hardware

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Make keys of elliptic curves; sign, verify, encrypt and agree on secrets with them, on simulated "
    "hardware, checked.",
)

KeyOption = Annotated[
    Path, typer.Option("--key", "-k", help="A key of an elliptic curve, PEM or DER: 'modmul ecc curves'.")
]
HashOption = Annotated[
    str,
    typer.Option(
        "--hash", help="Of ECDSA: sha224 … sha512, sha3_224 … sha3_512. Default: sha256; SM2 has sm3."
    ),
]
OptionalCoreOption = Annotated[
    str | None,
    typer.Option(
        "--core",
        metavar="CORE",
        help="Compute the public key on this multiplier, too.",
        autocompletion=core_names,
    ),
]
DerOption = Annotated[bool, typer.Option("--der", help="Write DER, not PEM.")]
CompressedOption = Annotated[
    bool, typer.Option("--compressed", help="Write x of the public key and one bit of y.")
]


def _hardware(core: str, parameters: dict[str, int]) -> Hardware:
    from modmul.use.ecc import Hardware

    need("simulation")
    return Hardware(room(core).core.slug, parameters)


@app.command()
def curves(as_json: JsonOption = False) -> None:
    """The curves that the hardware serves; key files hold those that have another name, too."""
    from modmul.moduli import CURVES
    from modmul.moduli.multiples import blind_bits, program_of, scalar_bits

    if as_json:
        print_json(
            [
                {
                    "name": each.name,
                    "form": each.form,
                    "bits": each.bits,
                    "modulus": each.field,
                    "blind": blind_bits(each),
                    "scalar_bits": scalar_bits(each, blind_bits(each)),
                    "program": program_of(each),
                    "in_keys": each.other,
                }
                for each in CURVES.values()
            ]
        )
        return
    rows = [
        (
            *(each.name, each.form, f"{each.bits}", each.field, f"{blind_bits(each)}"),
            *(f"{scalar_bits(each, blind_bits(each))}", program_of(each), each.other),
        )
        for each in CURVES.values()
    ]
    print_table(
        ("curve", "form", "bits", "modulus", "blind", "bits of a blinded scalar", "program", "in keys"), rows
    )


def _curve_names(incomplete: str) -> list[str]:
    from modmul.moduli import CURVES

    return [each for each in CURVES if each.startswith(incomplete)]


@app.command()
def keygen(
    name: Annotated[
        str,
        typer.Argument(
            metavar="CURVE",
            help="As 'modmul ecc curves' or OpenSSL names it: p256, prime256v1, SM2, sect233r1, X25519.",
            autocompletion=_curve_names,
        ),
    ],
    target: Annotated[
        Path, typer.Option("--out", "-o", help="The private key; - is standard output.")
    ] = STANDARD,
    public: Annotated[Path | None, typer.Option("--public", help="Also write the public key here.")] = None,
    core: OptionalCoreOption = None,
    der: DerOption = False,
    compressed: CompressedOption = False,
    passphrase_file: Annotated[
        Path | None,
        typer.Option("--passphrase-file", help="Encrypt the private key by the first line of this file."),
    ] = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a private key; 'openssl pkey' reads it. A file that is there is not written over."""
    from modmul.use import curve_keys

    check_target("key", target, as_json)
    for each in (target, public):
        if each not in (None, STANDARD) and each.exists():
            raise BadInput(f"there is a file {each}, which may be a key; give another name, or remove it")
    if public == target:
        raise BadInput("the private and the public key go to two files; give another --public")
    passphrase = passphrase_of(target, passphrase_file)() if passphrase_file else None
    if passphrase_file and not passphrase:
        raise BadInput(f"{passphrase_file} has no passphrase in its first line")
    made = curve_keys.make(name)
    private = curve_keys.private_bytes(made, der=der, passphrase=passphrase)
    known = curve_keys.public_bytes(made.public_key(), der=der, compressed=compressed)
    hardware = _public_on(core, made, set_)
    with writer("key", target, 0o600) as write:
        write(private)
    if public:
        with writer("public key", public) as write:
            write(known)
    _tell("key", target, core or "", curve_keys.curve_of(made).name, hardware, as_json)


@app.command()
def public(
    key: KeyOption,
    target: Annotated[
        Path, typer.Option("--out", "-o", help="The public key; - is standard output.")
    ] = STANDARD,
    core: OptionalCoreOption = None,
    der: DerOption = False,
    compressed: CompressedOption = False,
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """The public key of a private one, as 'openssl pkey -pubout' writes it."""
    from modmul.use import curve_keys

    check_target("public key", target, as_json, key=key)
    private = curve_keys.private_key(key, passphrase_of(key, passphrase_file))
    data = curve_keys.public_bytes(private.public_key(), der=der, compressed=compressed)
    hardware = _public_on(core, private, set_)
    with writer("public key", target) as write:
        write(data)
    _tell("public_key", target, core or "", curve_keys.curve_of(private).name, hardware, as_json)


def _public_on(core: str | None, key: PrivateKey, set_: list[str] | None) -> Hardware | None:
    """The hardware that has computed a public key; ``None``: none was asked for."""
    from modmul.use import curve_keys

    if core is None:
        return None
    hardware = _hardware(core, settings(set_))
    with showing(NOT_KEPT) as listener:
        curve_keys.public(key, hardware, listener=listener)
    return hardware


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
    hash_: HashOption = "",
    random: Annotated[
        bool, typer.Option("--random", help="A random k for ECDSA, not that of RFC 6979.")
    ] = False,
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sign a file by ECDSA, EdDSA or SM2; OpenSSL reads what is written."""
    from modmul.use import curve_keys

    place = target or (source if source == STANDARD else Path(f"{source}.sig"))
    check_target("signature", place, as_json)
    private = curve_keys.private_key(key, passphrase_of(key, passphrase_file))
    message = read("input", source)
    check_target("signature", place, as_json, key=key, input=source)
    hardware = _hardware(core, settings(set_))
    with writer("signature", place) as write:
        with showing(NOT_KEPT) as listener:
            made = curve_keys.sign(private, message, hardware, digest=hash_, random=random, listener=listener)
        write(made)
    _tell("signature", place, core, curve_keys.curve_of(private).name, hardware, as_json)


@app.command()
def verify(
    key: KeyOption,
    source: InOption,
    signature: Annotated[Path, typer.Option("--signature", "-s", help="The signature to check.")],
    core: Annotated[
        str | None,
        typer.Option("--core", metavar="CORE", help="Also verify on this multiplier."),
    ] = None,
    hash_: HashOption = "",
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check the signature of a file with a public or private key, or a certificate."""
    from modmul.use import curve_keys

    public = curve_keys.public_key(key, passphrase_of(key, passphrase_file))
    message, signed = read("message", source), read("signature", signature)
    hardware = _hardware(core, settings(set_)) if core else None
    with showing(NOT_KEPT) as listener:
        right = curve_keys.verify(public, message, signed, hardware, digest=hash_, listener=listener)
    data: dict[str, Any] = {"valid": right, "curve": curve_keys.curve_of(public).name}
    if hardware and hardware.done.runs:
        data |= {"core": core} | hardware.done.to_json()
        say(hardware.done.effort)
    if as_json:
        print_json(data)
    elif right:
        out.print("the signature is right")
    if not right:
        say(f"error: {signature} is not a signature of this message by this key, with this hash")
        raise typer.Exit(1)


@app.command()
def derive(
    key: KeyOption,
    peer: Annotated[Path, typer.Option("--peer", "-p", help="The other's public key, or a certificate.")],
    core: CoreOption,
    target: Annotated[
        Path, typer.Option("--out", "-o", help="The shared secret; - is standard output.")
    ] = STANDARD,
    once: Annotated[
        Path | None, typer.Option("--once", help="Of SM2: the own private key made for this time alone.")
    ] = None,
    peer_once: Annotated[
        Path | None, typer.Option("--peer-once", help="Of SM2: the other's public key made for this time.")
    ] = None,
    begins: Annotated[
        bool, typer.Option("--begins/--answers", help="Of SM2: whether you are the one who begins.")
    ] = True,
    length: Annotated[int, typer.Option("--bytes", min=1, max=1 << 16, help="Of SM2's secret.")] = 16,
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Agree on a secret by ECDH, X25519, X448 (as 'openssl pkeyutl -derive' does) or SM2's key exchange."""
    from modmul.use import curve_keys

    files = {"key": key, "peer": peer} | ({"once": once} if once else {})
    files |= {"peer-once": peer_once} if peer_once else {}
    check_target("secret", target, as_json, **files)
    private = curve_keys.private_key(key, passphrase_of(key, passphrase_file))
    public = curve_keys.public_key(peer, passphrase_of(peer, passphrase_file))
    sides = None
    if once and peer_once:
        sides = curve_keys.Sides(
            curve_keys.private_key(once, passphrase_of(once, passphrase_file)),
            curve_keys.public_key(peer_once, passphrase_of(peer_once, passphrase_file)),
            begins,
            length,
        )
    elif once or peer_once:
        raise BadInput("--once and --peer-once go together")
    hardware = _hardware(core, settings(set_))
    with writer("secret", target) as write:
        with showing(NOT_KEPT) as listener:
            shared = curve_keys.derive(private, public, hardware, sides=sides, listener=listener)
        write(shared)
    _tell("secret", target, core, curve_keys.curve_of(private).name, hardware, as_json)


@app.command()
def encrypt(
    key: KeyOption,
    source: InOption,
    core: CoreOption,
    target: Annotated[
        Path, typer.Option("--out", "-o", help="What is encrypted; - is standard output.")
    ] = STANDARD,
    raw: Annotated[
        bool, typer.Option("--raw", help="Write C1, C3, C2 one behind the other, not the DER of OpenSSL.")
    ] = False,
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Encrypt a file by SM2 for a public key; 'openssl pkeyutl -decrypt' reads what is written."""
    from modmul.use import curve_keys

    check_target("encrypted file", target, as_json, key=key, input=source)
    public = curve_keys.public_key(key, passphrase_of(key, passphrase_file))
    message = read("input", source)
    hardware = _hardware(core, settings(set_))
    with writer("encrypted file", target) as write:
        with showing(NOT_KEPT) as listener:
            made = curve_keys.encrypt(public, message, hardware, raw=raw, listener=listener)
        write(made)
    _tell("encrypted", target, core, curve_keys.curve_of(public).name, hardware, as_json)


@app.command()
def decrypt(
    key: KeyOption,
    source: InOption,
    core: CoreOption,
    target: Annotated[
        Path, typer.Option("--out", "-o", help="The message; - is standard output.")
    ] = STANDARD,
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decrypt a file that was encrypted by SM2, in DER or as C1, C3, C2."""
    from modmul.use import curve_keys

    check_target("message", target, as_json, key=key, input=source)
    private = curve_keys.private_key(key, passphrase_of(key, passphrase_file))
    data = read("input", source)
    hardware = _hardware(core, settings(set_))
    with writer("message", target) as write:
        with showing(NOT_KEPT) as listener:
            message = curve_keys.decrypt(private, data, hardware, listener=listener)
        write(message)
    _tell("message", target, core, curve_keys.curve_of(private).name, hardware, as_json)


def _tell(what: str, target: Path, core: str, name: str, hardware: Hardware | None, as_json: bool) -> None:
    if as_json:
        done = {"core": core} | hardware.done.to_json() if hardware else {}
        print_json({"curve": name} | done | {what: str(target)})
        return
    if target != STANDARD:
        say(f"{what.replace('_', ' ')}: {target}")
    if hardware:
        say(hardware.done.effort)
