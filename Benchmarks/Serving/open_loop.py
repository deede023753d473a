#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends requests at random moments with a given rate, regardless of responses.

  open_loop.py --port PORT --target TARGET --body FILE --rate PER-SECOND --seconds N

Prints JSON: for each status, milliseconds from a request's due time to the end of its response. `none` are requests whose
connection ended without a response, `unsent` those that found all connections busy.
"""

import argparse
import json
import pathlib
import random
import selectors
import socket
import time

MOST = 500


class Connection:
    """A persistent connection with at most one request."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self.due, self.rest, self.answer = None, b"", b""

    def send(self):
        """Returns whether everything is sent."""
        try:
            self.rest = self.rest[self.socket.send(self.rest):]
        except BlockingIOError:
            pass
        return not self.rest

    def read(self):
        """Returns the status after the complete response, 0 if the connection has ended, else None; and whether it persists."""
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return None, True
        except OSError:
            return 0, False
        if not data:
            return 0, False
        self.answer += data
        head, end, body = self.answer.partition(b"\r\n\r\n")
        head = head.lower()
        if not end or len(body) < int(head.partition(b"content-length:")[2].split(b"\r\n")[0]):
            return None, True
        return int(head.split()[1]), b"connection: close" not in head


class OpenLoop:
    """All connections of the load, in one thread."""

    def __init__(self, port, request, rate):
        self.port, self.request, self.rate = port, request, rate
        self.selector, self.chance = selectors.DefaultSelector(), random.Random(6)
        self.free, self.count, self.found = [], 0, {}

    def begin(self, due):
        if not self.free and self.count == MOST:
            return self.enter("unsent", due)
        if self.free:
            connection = self.free.pop()
        else:
            connection, self.count = Connection(self.port), self.count + 1
            self.selector.register(connection.socket, selectors.EVENT_READ, connection)
        connection.due, connection.rest, connection.answer = due, memoryview(self.request), b""
        if not connection.send():
            self.selector.modify(connection.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, connection)
        return None

    def enter(self, status, due):
        self.found.setdefault(status, []).append(round(1000 * (time.perf_counter() - due), 3))

    def react(self, connection, events):
        if events & selectors.EVENT_WRITE:
            try:
                if connection.send():
                    self.selector.modify(connection.socket, selectors.EVENT_READ, connection)
            except OSError:  # refused before everything was sent; there may still be a response
                self.selector.modify(connection.socket, selectors.EVENT_READ, connection)
        if events & selectors.EVENT_READ:
            status, is_kept = connection.read()
            if status is None:
                return
            if connection.due is not None:
                self.enter(str(status or "none"), connection.due)
                connection.due = None
            if is_kept and not connection.rest:
                self.selector.modify(connection.socket, selectors.EVENT_READ, connection)
                self.free.append(connection)
            else:
                self.selector.unregister(connection.socket)
                connection.socket.close()
                self.free = [other for other in self.free if other is not connection]
                self.count -= 1

    def run(self, seconds):
        now = time.perf_counter()
        due, end = now, now + seconds
        while (now := time.perf_counter()) < end + 5 and (now < end or self.count > len(self.free)):
            while due <= now and due < end:
                self.begin(due)
                due += self.chance.expovariate(self.rate)
            wait = max(0.0, min(due, end) - now) if now < end else 0.1
            for key, events in self.selector.select(wait):
                self.react(key.data, events)
        for key in list(self.selector.get_map().values()):
            if key.data.due is not None:
                self.enter("none", key.data.due)
            key.fileobj.close()
        return self.found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--body", type=pathlib.Path, required=True)
    parser.add_argument("--rate", type=float, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    options = parser.parse_args()
    body = options.body.read_bytes()
    head = f"POST {options.target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    print(json.dumps(OpenLoop(options.port, head.encode() + body, options.rate).run(options.seconds)))


if __name__ == "__main__":
    main()
