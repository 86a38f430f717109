# SPDX-License-Identifier: Apache-2.0
"""A device on a bus that signs: its context for a key, and a simulated one at a TCP port."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modmul.cli.files import PassphraseOption, passphrase_of, writer
from modmul.cli.options import BadInput, CoreOption, JsonOption, SetOption, settings
from modmul.cli.printing import out, print_json, say
from modmul.registry import room
from modmul.tools.extras import need

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    from modmul.use.device import Signing

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Devices on a bus that sign: the context that a driver loads for a key; a simulated one at a port.",
)

KeyOption = Annotated[Path, typer.Option("--key", "-k", help="A key of RSA or of a curve, PEM or DER.")]


def _key(private: bool, key: Path, passphrase_file: Path | None) -> object:
    """A key of RSA or of a curve."""
    from modmul.use import curve_keys, rsa
    from modmul.use.ecc import CurveError
    from modmul.use.rsa import RSAError

    passphrase = cache(passphrase_of(key, passphrase_file))
    try:
        return (rsa.private_key if private else rsa.public_key)(key, passphrase)
    except RSAError as of_rsa:
        try:
            return (curve_keys.private_key if private else curve_keys.public_key)(key, passphrase)
        except CurveError as of_curve:
            raise BadInput(f"{of_rsa}; nor as one of a curve: {of_curve}") from of_curve


@app.command()
def prepare(
    key: KeyOption,
    core: CoreOption,
    folder: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where its file goes.")
    ] = Path(),
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the context of a key for a device: the driver finds its file by the key.

    That of an RSA key holds the key: keep it as you keep that.
    """
    from modmul.use.device import prepared

    private = _signing(_key(True, key, passphrase_file), key)
    found = prepared(private, room(core).core.slug, settings(set_))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / found.name
    with writer("context", target, 0o600) as write:
        write(found.text().encode())
    if as_json:
        print_json(
            {"context": str(target), "device": str(found.shell.build), "build": f"{found.shell.build_id:#x}"}
        )
    else:
        out.print(f"{target}: for {found.shell.build}", soft_wrap=True)


@app.command()
def serve(
    key: KeyOption,
    core: CoreOption,
    port: Annotated[int, typer.Option(help="The TCP port, of this machine alone; 0: any.")] = 4000,
    passphrase_file: PassphraseOption = None,
    set_: SetOption = None,
) -> None:
    """Simulate the device for keys like this one, of which the public half will do, until Ctrl-C."""
    from modmul.use.device import listen, shell_of

    need("simulation")
    found = _key(False, key, passphrase_file)
    shell = shell_of(_verifying(found, key), room(core).core.slug, settings(set_))
    say(f"compiling {shell.build}")
    listen(shell, port, lambda taken: out.print(f"listening on localhost:{taken}"))


def _signing(found: object, key: Path) -> Signing:
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    if isinstance(found, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        return found
    raise BadInput(f"{key}: devices sign with keys of RSA and ECDSA; take one of these")


def _verifying(found: object, key: Path) -> RSAPublicKey | EllipticCurvePublicKey:
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    if isinstance(found, rsa.RSAPublicKey | ec.EllipticCurvePublicKey):
        return found
    raise BadInput(f"{key}: devices sign with keys of RSA and ECDSA; take one of these")
