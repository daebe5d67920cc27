"""A certificate for development, signed by itself, for this machine's own names and nobody else's.

It is kept between starts, so that a desk trusts it once, and made anew a month before it ends.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import sys
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from xlmodel.errors import CertificateRefused

# macOS refuses a server's certificate that is valid for longer than 825 days, issuers of one's own included.
# Source: Apple, "Requirements for trusted certificates in iOS 13 and macOS 10.15".
_VALID = dt.timedelta(days=397)
_RENEWED_BEFORE = dt.timedelta(days=30)
_ALWAYS = ("localhost", "127.0.0.1", "::1")


def development_certificate(folder: Path) -> tuple[Path, Path]:
    """The files of certificate and key in the folder, made if there is none that is good for a month."""
    certificate, key = folder / "localhost.crt", folder / "localhost.key"
    try:
        if not _is_good(certificate, key):
            folder.mkdir(parents=True, exist_ok=True)
            _make(certificate, key)
    except OSError as error:
        raise CertificateRefused(f"no certificate can be kept in {folder}: {error}") from None
    return certificate, key


def user_folder() -> Path:
    """Where a program keeps what it made for its user, by the custom of each system."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "xlmodel"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "xlmodel"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "xlmodel"


def _is_good(certificate: Path, key: Path) -> bool:
    if not certificate.exists() or not key.exists():
        return False
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), password=None)
    except ValueError:
        return False
    fits = _public_bytes(private.public_key()) == _public_bytes(found.public_key())
    return fits and found.not_valid_after_utc - dt.datetime.now(dt.UTC) > _RENEWED_BEFORE


def _public_bytes(key: object) -> bytes:
    made: bytes = key.public_bytes(  # type: ignore[attr-defined]  # every public key of the library has it
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return made


def _make(certificate: Path, key: Path) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "xlmodel development, this machine only")])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))  # clocks differ
        .not_valid_after(now + _VALID)
        .add_extension(x509.SubjectAlternativeName([_name(each) for each in _ALWAYS]), critical=False)
        # It can sign nothing else, so that to trust it is to trust this one server.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    _write_for_owner(
        key,
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))


def _name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _write_for_owner(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
