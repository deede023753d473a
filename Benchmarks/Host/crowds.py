# SPDX-License-Identifier: Apache-2.0
"""Connections that are slow in every way, and many clients at once."""

import hashlib
import json
import selectors
import socket
import threading
import time
import urllib.request

from servers import KEY, PROJECT

HEAD = "GET /v1beta2/projects/{}/models/small:download?key={} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = "POST /v1/projects/{}/installations?key={} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n\r\n{{"


class Crowd:
    """Connections that send a byte per second of a head or a body, request a file and read nothing, or do nothing.

    For some seconds each connection that the server closes is replaced. `closed` has the duration of each in seconds; a
    client that does not read does not notice the end, so the server's descriptors are counted.
    """

    def __init__(self, port, target, counts, renews):
        self.port, self.target, self.renews_until = port, target, time.monotonic() + renews
        self.sockets, self.closed = {}, {kind: [] for kind in counts}
        self.selector, self.stopped = selectors.DefaultSelector(), threading.Event()
        for kind, count in counts.items():
            for _ in range(count):
                self.connect(kind)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def connect(self, kind):
        # A small window, so that the kernel does not buffer what the client does not read.
        end = socket.socket()
        if kind == "readers":
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end.connect(("127.0.0.1", self.port))
        text = {"heads": HEAD.format(PROJECT, KEY), "bodies": BODY.format(PROJECT, KEY),
                "readers": f"GET {self.target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "idle": ""}[kind]
        end.sendall(text.encode())
        end.setblocking(False)
        self.sockets[end] = (kind, time.monotonic())
        if kind != "readers":
            self.selector.register(end, selectors.EVENT_READ)

    def end(self, end):
        kind, since = self.sockets.pop(end)
        self.closed[kind].append(time.monotonic() - since)
        if kind != "readers":
            self.selector.unregister(end)
        end.close()
        if time.monotonic() < self.renews_until:
            self.connect(kind)

    def run(self):
        while not self.stopped.is_set():
            for key, _ in self.selector.select(1):
                try:
                    data = key.fileobj.recv(4096)
                except OSError:
                    data = b""
                if not data:
                    self.end(key.fileobj)
            for end, (kind, _) in list(self.sockets.items()):
                try:
                    if kind in ("heads", "bodies"):
                        end.send(b"x" if kind == "heads" else b" ")
                except OSError:
                    self.end(end)

    def stop(self):
        self.stopped.set()
        self.thread.join()
        for end in list(self.sockets):
            end.close()


def herd(host, name, count):
    """Runs this many clients that each request a model and download it, all at once.
    Returns: seconds until all have the correct file, and the number of failures."""
    failures, start = [], threading.Event()

    def client():
        start.wait()
        try:
            with urllib.request.urlopen(host.address(name), timeout=60) as answer:
                information = json.load(answer)
            digest = hashlib.sha256()
            with urllib.request.urlopen(information["downloadUri"], timeout=60) as answer:
                while piece := answer.read(1 << 18):
                    digest.update(piece)
            if digest.hexdigest() != information["sha256"]:
                failures.append("another hash")
        except (OSError, ValueError) as error:
            failures.append(str(error))

    threads = [threading.Thread(target=client, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    began = time.perf_counter()
    start.set()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began, failures
