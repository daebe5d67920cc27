"""Who may read and ask, and what is checked before the server starts."""

from __future__ import annotations

import datetime as dt
import re
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography import x509

from xlmodel.errors import BadUsage, CertificateRefused, XlmodelError
from xlmodel.faces.officejs.certificate import development_certificate
from xlmodel.faces.officejs.guard import Guard
from xlmodel.faces.officejs.limits import Limits
from xlmodel.faces.officejs.server import Wanted, listen, prepare, with_evaluators

URL = "https://tools.example:8443/xl"


@pytest.mark.parametrize(
    ("origin", "may"),
    [
        ("https://excel.officeapps.live.com", True),
        ("https://euc-excel.officeapps.live.com", True),
        ("https://contoso.sharepoint.com", True),
        ("http://excel.officeapps.live.com", False),
        ("https://officeapps.live.com.evil.example", False),
        ("https://evilofficeapps.live.com", False),
        ("null", False),
        ("https://[", False),
        (None, False),
    ],
)
def test_only_excel_on_the_web_reads_the_metadata_from_another_origin(origin: str | None, may: bool) -> None:
    assert Guard(URL).may_read_metadata(origin) is may


REFUSED: dict[str, tuple[dict[str, Any], type[XlmodelError], str]] = {
    "open to others, no token": ({"host": "0.0.0.0"}, BadUsage, "needs a token"),
    "a name, no token": ({"host": "calc.example"}, BadUsage, "needs a token"),
    "open to others, no address": ({"host": "::", "token": "x" * 32}, BadUsage, "--public-url"),
    "open to others, a certificate for this machine": (
        {"host": "0.0.0.0", "token": "x" * 32, "public_url": URL}, CertificateRefused, "this machine only",
    ),
    "a short token": ({"token": "a-short-one"}, BadUsage, "16 characters"),
    "a token in two words": ({"token": "two words of some length"}, BadUsage, "space"),
    "plain http without a proxy": ({"plain_http": True}, BadUsage, "https only"),
    "an address without https": ({"public_url": "http://calc.example"}, BadUsage, "no https address"),
    "an address that is none": ({"public_url": "https://[oops"}, BadUsage, "no https address"),
    "an address with a password": ({"public_url": "https://a:b@calc.example"}, BadUsage, "no https address"),
    "a certificate without its key": ({"certificate": Path("c.pem")}, BadUsage, "go together"),
    "a certificate that is not there": (
        {"certificate": Path("c.pem"), "key": Path("k.pem")}, CertificateRefused, "c.pem",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_server_that_would_be_unsafe_is_not_started(name: str) -> None:
    wanted, error, says = REFUSED[name]
    with pytest.raises(error, match=re.escape(says)) as raised:
        prepare(Wanted(**wanted))
    assert wanted.get("token", "no token") not in str(raised.value)


def test_the_token_is_in_no_text_of_the_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    wanted = Wanted(token="a-token-of-some-length")
    assert "a-token" not in f"{wanted} {prepare(wanted)}"


def test_a_certificate_is_kept_until_a_month_before_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = development_certificate(tmp_path / "new")
    first = certificate.read_bytes()
    found = x509.load_pem_x509_certificate(first)
    valid = found.not_valid_after_utc - found.not_valid_before_utc
    assert dt.timedelta(days=365) < valid < dt.timedelta(days=825)
    assert development_certificate(tmp_path / "new") == (certificate, key)
    assert certificate.read_bytes() == first

    monkeypatch.setattr("xlmodel.faces.officejs.certificate._RENEWED_BEFORE", dt.timedelta(days=400))
    development_certificate(tmp_path / "new")
    second = certificate.read_bytes()
    assert second != first
    key.write_bytes(b"no key")
    monkeypatch.undo()
    development_certificate(tmp_path / "new")
    assert certificate.read_bytes() != second


def test_a_given_certificate_is_tried_before_the_server_starts(tmp_path: Path) -> None:
    certificate, key = development_certificate(tmp_path / "one")
    _, other = development_certificate(tmp_path / "two")
    assert prepare(Wanted(certificate=certificate, key=key)).key == key
    with pytest.raises(CertificateRefused):
        prepare(Wanted(certificate=certificate, key=other))
    with pytest.raises(CertificateRefused, match="no certificate can be kept"):
        development_certificate(key)  # a file where a folder belongs


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(BadUsage, match=re.escape(f"127.0.0.1 port {port}: Address already in use")):
            listen(Wanted(port=port))
    with pytest.raises(BadUsage, match="cannot listen on nowhere"):
        listen(Wanted(host="nowhere.invalid"))


def test_the_cores_are_shared_among_the_workers() -> None:
    shares = [with_evaluators(Limits(), 8, workers).evaluators for workers in (1, 3, 16)]
    assert shares == [8, 2, 1]


def test_the_address_by_default_is_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    ready = prepare(Wanted(port=9000))
    assert urlsplit(ready.settings.guard.public_url).netloc == "localhost:9000"
