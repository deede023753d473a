# SPDX-License-Identifier: Apache-2.0
"""A minimal WebSocket client (RFC 6455) for the load: whole messages, no extensions."""

import base64
import os
import socket
import struct


class WebSocket:
    """A connection to a path of a local server; `buffer` limits the kernel's buffer of unread bytes."""

    def __init__(self, port, path, buffer=None):
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(60)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb", 1 << 20)
        status = self.stream.readline()
        if b" 101 " not in status:
            raise ConnectionError(f"{path}: {status.decode(errors='replace').strip()}")
        while self.stream.readline() not in (b"\r\n", b""):
            pass

    def send(self, payload, is_text=False):
        # A mask of zeros is valid, and leaves the bytes unchanged.
        size = len(payload)
        head = bytes([0x81 if is_text else 0x82])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += b"\xfe" + struct.pack(">H", size)
        else:
            head += b"\xff" + struct.pack(">Q", size)
        self.socket.sendall(head + bytes(4) + payload)

    def receive(self):
        """Returns the next message and answers pings; None at the end."""
        message = b""
        while True:
            head = self.stream.read(2)
            if len(head) < 2:
                return None
            size = head[1] & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.stream.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.stream.read(8))[0]
            payload, kind = self.stream.read(size), head[0] & 0xF
            if kind == 8:
                return None
            if kind == 9:
                self.socket.sendall(b"\x8a" + bytes([0x80 | size]) + bytes(4) + payload)
            elif kind in (0, 1, 2):
                message += payload
                if head[0] & 0x80:
                    return message

    def close(self):
        self.stream.close()
        self.socket.close()
