# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves with key files: signatures and key agreement on simulated hardware."""

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
from modmul.cli.options import JsonOption, SetOption, settings
from modmul.cli.printing import out, print_json, print_table, say
from modmul.cli.progress import showing
from modmul.registry import room
from modmul.tools.extras import need

if TYPE_CHECKING:
    from modmul.use.ecc import Hardware

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Sign, verify and agree on secrets with keys of elliptic curves, on simulated hardware, checked.",
)

KeyOption = Annotated[
    Path, typer.Option("--key", "-k", help="A key of an elliptic curve, PEM or DER: 'modmul ecc curves'.")
]
CoreOption = Annotated[
    str,
    typer.Option(
        "--core",
        metavar="CORE",
        help="The multiplier; 'modmul list' names them.",
        autocompletion=core_names,
    ),
]
HashOption = Annotated[str, typer.Option("--hash", help="Of ECDSA: sha224 … sha512, sha3_224 … sha3_512.")]


def _hardware(core: str, parameters: dict[str, int]) -> Hardware:
    from modmul.use.ecc import Hardware

    need("simulation")
    return Hardware(room(core).core.slug, parameters)


@app.command()
def curves(as_json: JsonOption = False) -> None:
    """The curves that the hardware serves; key files hold those that have another name, too."""
    from modmul.moduli import CURVES
    from modmul.use.ecc import programs_of

    if as_json:
        print_json(
            [
                {
                    "name": each.name,
                    "form": each.form,
                    "bits": each.bits,
                    "modulus": each.field,
                    "programs": programs_of(each),
                    "in_keys": each.other,
                }
                for each in CURVES.values()
            ]
        )
        return
    rows = [
        (each.name, each.form, f"{each.bits}", each.field, ", ".join(programs_of(each)), each.other)
        for each in CURVES.values()
    ]
    print_table(("curve", "form", "bits", "modulus", "programs", "in keys"), rows)


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
    hash_: HashOption = "sha256",
    random: Annotated[
        bool, typer.Option("--random", help="A random k for ECDSA, not that of RFC 6979.")
    ] = False,
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sign a file by ECDSA or EdDSA; OpenSSL reads what is written."""
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
    hash_: HashOption = "sha256",
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
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Agree on a secret by ECDH, X25519 or X448: the bytes that 'openssl pkeyutl -derive' gives."""
    from modmul.use import curve_keys

    check_target("secret", target, as_json, key=key, peer=peer)
    private = curve_keys.private_key(key, passphrase_of(key, passphrase_file))
    public = curve_keys.public_key(peer, passphrase_of(peer, passphrase_file))
    hardware = _hardware(core, settings(set_))
    with writer("secret", target) as write:
        with showing(NOT_KEPT) as listener:
            shared = curve_keys.derive(private, public, hardware, listener=listener)
        write(shared)
    _tell("secret", target, core, curve_keys.curve_of(private).name, hardware, as_json)


def _tell(what: str, target: Path, core: str, name: str, hardware: Hardware, as_json: bool) -> None:
    if as_json:
        print_json({"core": core, "curve": name} | hardware.done.to_json() | {what: str(target)})
        return
    if target != STANDARD:
        say(f"{what}: {target}")
    say(hardware.done.effort)
