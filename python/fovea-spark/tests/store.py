# SPDX-License-Identifier: Apache-2.0
"""A real S3 server, SeaweedFS, behind a proxy that rejects, truncates and delays."""

from __future__ import annotations

import contextlib
import http.client
import http.server
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from collections.abc import Iterator


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        # SeaweedFS uses this port plus 10,000 for gRPC unless it is set.
        return [each.getsockname()[1] for each in sockets]


def weed() -> str | None:
    beside = pathlib.Path(sys.executable).with_name("weed")
    return str(beside) if beside.is_file() else shutil.which("weed")


@contextlib.contextmanager
def seaweed(program: str, folder: pathlib.Path) -> Iterator[int]:
    """A server on its own port."""
    folder.mkdir()
    identity = {
        "name": "fovea",
        "credentials": [{"accessKey": "fovea", "secretKey": "fovea-secret"}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    (folder / "s3.json").write_text(json.dumps({"identities": [identity]}))
    ports = free_ports(8)
    names = ("master", "master", "volume", "volume", "filer", "filer", "s3", "s3")
    options = [
        f"-{name}.port{'.grpc' if at % 2 else ''}={port}"
        for at, (name, port) in enumerate(zip(names, ports, strict=True))
    ]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [program, "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3",
             "-s3.port.iceberg=0", "-s3.port.lance=0", f"-s3.config={folder}/s3.json", "-volume.max=100", "-master.volumeSizeLimitMB=64", *options],
            stdout=log, stderr=log, cwd=folder,
        )  # fmt: skip
    try:
        # The server answers before a volume can be written: an object of the filer's own is written, too.
        probes = [(ports[6], "GET", "/"), (ports[4], "PUT", "/probe"), (ports[4], "DELETE", "/probe")]
        end = time.monotonic() + 60
        while probes:
            port, method, path = probes[0]
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
                connection.request(method, path, body=b"probe" if method == "PUT" else None)
                if connection.getresponse().status in (200, 201, 204, 403):
                    del probes[0]
                    continue
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError((folder / "log").read_text(errors="replace")[-2000:])
            time.sleep(0.2)
        yield ports[6]
    finally:
        server.terminate()
        try:
            server.wait(3)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(20)
        # Its sockets, whatever TMPDIR is.
        for port in ports:
            for place in pathlib.Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):
                place.unlink(missing_ok=True)


@contextlib.contextmanager
def fault_proxy(target: int) -> Iterator[int]:
    """Handles a GET by its key: ``busy-3`` fails three times, ``forbidden``, ``cut`` and ``slow`` always fail."""
    seen: dict[str, int] = {}
    ended = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *arguments: object) -> None:
            """Prints nothing."""

        def forward(self) -> None:
            key = urllib.parse.unquote(self.path.partition("?")[0]).rpartition("/")[2]
            is_read = self.command in ("GET", "HEAD")
            if is_read and key.startswith("busy-"):
                seen[key] = seen.get(key, 0) + 1
                if seen[key] <= int(key.split("-")[1].split(".")[0]):
                    return self.answer(503, "SlowDown")
            if is_read and key.startswith("forbidden"):
                return self.answer(403, "AccessDenied")
            length = int(self.headers.get("Content-Length") or 0)
            connection = http.client.HTTPConnection("127.0.0.1", target, timeout=30)
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                connection.putheader(name, value)
            connection.endheaders(self.rfile.read(length) if length else None)
            answer = connection.getresponse()
            body = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in (
                    "transfer-encoding",
                    "connection",
                    "date",
                    "server",
                    "content-length",
                ):
                    self.send_header(name, value)
            size = answer.getheader("Content-Length") if self.command == "HEAD" else str(len(body))
            self.send_header("Content-Length", size or "0")
            self.end_headers()
            if self.command == "GET" and key.startswith("cut"):
                self.wfile.write(body[: len(body) // 2])
                self.close_connection = True
                return None
            if self.command == "GET" and key.startswith("slow"):
                for at in range(len(body)):  # two bytes a second: never a second without one
                    self.wfile.write(body[at : at + 1])
                    if ended.wait(0.5):
                        return None
            self.wfile.write(body)
            return None

        def answer(self, status: int, code: str) -> None:
            text = (
                f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{code}</Message></Error>'.encode()
            )
            self.send_response(status)
            self.send_header("Content-Type", "application/xml")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(text)

        do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = forward  # noqa: N815

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
