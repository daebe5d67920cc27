"""A real ``xlmodel serve``: a process of its own, asked over https."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """Of the error that it is."""
        return str(self.json["error"]["code"])


@dataclass
class Server:
    port: int
    home: Path
    process: subprocess.Popen[bytes] = field(repr=False)
    trust: ssl.SSLContext | None

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def connect(self, timeout: float = 120) -> http.client.HTTPConnection:
        if self.trust is None:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        return http.client.HTTPSConnection("localhost", self.port, timeout=timeout, context=self.trust)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        connection: http.client.HTTPConnection | None = None,
    ) -> Answer:
        used = connection or self.connect()
        used.request(method, path, body, headers or {})
        response = used.getresponse()
        answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        if connection is None:
            used.close()
        return answer

    def post(
        self,
        body: Any,
        connection: http.client.HTTPConnection | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """A batch, or what is sent in the place of one."""
        sent = {"Content-Type": "application/json"} | (headers or {})
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", "/calls", raw, sent, connection)

    def said(self) -> str:
        """All that it has printed and logged."""
        return "".join(path.read_text() for path in sorted(self.home.glob("*.txt")))

    def memory(self) -> int:
        """Bytes that it and its processes hold, shared pages counted for each."""
        return sum(map(_resident, [self.process.pid, *self.processes()]))

    def processes(self) -> list[int]:
        """The processes that it has started, and theirs."""
        return _descendants(self.process.pid)


@contextmanager
def serving(
    *options: str, environment: dict[str, str] | None = None, port: int | None = None
) -> Iterator[Server]:
    """A server with these options, on a free port unless one is given."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        port = port or free_port()
        command = [sys.executable, "-c", "from xlmodel.cli import main; main()", "--verbose"]
        command += ["--log-file", str(home / "log.txt"), "serve", "--port", str(port), *options]
        clean = {key: value for key, value in os.environ.items() if not key.startswith("XLMODEL_")}
        with (home / "out.txt").open("wb") as out:
            process = subprocess.Popen(
                command,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=home,
                env=clean | {"XDG_CONFIG_HOME": str(home)} | (environment or {}),
            )
        try:
            _wait_until_open(port, process, home)
            trust = None
            if "--plain-http" not in options:
                # as strict as a client that has been told to trust this certificate
                trust = ssl.create_default_context(cafile=str(home / "xlmodel" / "localhost.crt"))
            yield Server(port, home, process, trust)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_open(port: int, process: subprocess.Popen[bytes], home: Path) -> None:
    end = time.monotonic() + 90
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"the server does not answer: {(home / 'out.txt').read_text()}")


def _descendants(pid: int) -> list[int]:
    # a child is listed with the thread that has started it
    listed = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    children = [int(child) for each in listed for child in each]
    return children + [each for child in children for each in _descendants(child)]


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
