# SPDX-License-Identifier: Apache-2.0
"""Stops both servers by SIGTERM in the middle of their work, for scripts/test-kills --term."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import host_kills

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "Tests/Fixtures"
DRAIN = 2.0
# The time that a busy system needs to clean up a process.
SLACK = 1.5


def fail(text):
    sys.exit(f"test-kills: error: {text}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def family(number):
    """Returns the ids of all descendants of a process."""
    parents = {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                pass
    found, new = set(), {number}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


def is_running(number):
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def takes_signals(number):
    """Whether a process handles SIGTERM, or keeps it for later."""
    try:
        status = pathlib.Path(f"/proc/{number}/status").read_text()
    except OSError:
        return False
    masks = (line.split()[1] for line in status.splitlines() if line.startswith(("SigBlk:", "SigCgt:")))
    return any(int(mask, 16) & 1 << signal.SIGTERM - 1 for mask in masks)


class Server:
    """A server that is repeatedly started and stopped while clients send requests."""

    def __init__(self, programs, numbers, name):
        self.programs, self.numbers, self.name = programs, numbers, name
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="fovea-ends-"))
        self.port = free_port()
        self.ends = self.with_children = 0
        self.slowest = 0.0
        self.stop = threading.Event()

    def arguments(self):
        raise NotImplementedError

    def callers(self):
        """Functions that send one request; each is called repeatedly."""
        raise NotImplementedError

    def check_early(self):
        """Checks what ends at the start have left."""

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)

    def request(self, method, path, body=None, **headers):
        connection = self.connection()
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def drip(self, method, path, length, **headers):
        """Sends a body slowly, perhaps never completely."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {length}"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            for _ in range(length // 100):
                if self.stop.is_set():
                    return
                connection.sendall(b"x" * 100)
                time.sleep(0.05)

    def follow(self, path):
        """Reads a response that never ends."""
        connection = self.connection()
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            while answer.read(512) and not self.stop.is_set():
                pass
        finally:
            connection.close()

    def repeat(self, call):
        while not self.stop.is_set():
            try:
                call()
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.02)

    def end_once(self, span):
        with open(self.work / "log", "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                [self.programs / "fovea-server", *map(str, self.arguments())], stdout=subprocess.PIPE, stderr=log, text=True)
        if not process.stdout.readline().startswith("listening"):
            fail(f"{self.name} does not start:\n" + (self.work / "log").read_text()[-2000:])
        self.stop.clear()
        threads = [threading.Thread(target=self.repeat, args=(call,), daemon=True) for call in self.callers()]
        for thread in threads:
            thread.start()
        time.sleep(self.numbers.uniform(0, span))
        children = family(process.pid)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            fail(f"{self.name} did not end within 60 s of SIGTERM; its log:\n" + (self.work / "log").read_text()[-2000:])
        took = time.monotonic() - began
        self.stop.set()
        process.stdout.close()
        log = (self.work / "log").read_text()
        if code != 0:
            fail(f"{self.name} ended with {code} after {self.ends} ends:\n{log[-2000:]}")
        if took > DRAIN + SLACK:
            fail(f"{self.name} ended {took:.1f} s after SIGTERM, with a drain of {DRAIN} s:\n{log[-2000:]}")
        for _ in range(50):
            left = [child for child in children if is_running(child)]
            if not left:
                break
            time.sleep(0.02)
        else:
            fail(f"{self.name} left the processes {left}")
        for thread in threads:
            thread.join(30)
        self.ends += 1
        self.with_children += bool(children)
        self.slowest = max(self.slowest, took)

    def end_early(self, program):
        """Stops a server in the first 300 ms after its start, through `fovea` or directly.
        Returns: whether the program's own code ended it, not the system."""
        with open(self.work / "log", "w", encoding="utf-8") as log:
            process = subprocess.Popen([self.programs / program, *map(str, self.arguments())], stdout=subprocess.DEVNULL,
                                       stderr=log)
        time.sleep(self.numbers.uniform(0, 0.3))
        is_ready = takes_signals(process.pid)
        number = self.numbers.choice([signal.SIGTERM, signal.SIGINT])
        began = time.monotonic()
        process.send_signal(number)
        try:
            code = process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            fail(f"{self.name} did not end within 60 s of a signal at its start")
        log = (self.work / "log").read_text()
        # Before the first code of the program, the system ends it.
        if code != 0 and (is_ready or code != -number):
            fail(f"{self.name} ended with {code} by signal {number} at its start:\n{log[-2000:]}")
        if time.monotonic() - began > DRAIN + SLACK:
            fail(f"{self.name} took {time.monotonic() - began:.1f} s to end at its start:\n{log[-2000:]}")
        return code == 0

    def run(self, count):
        try:
            early = [self.end_early(program) for _ in range(count) for program in ("fovea", "fovea-server")]
            self.check_early()
            for _ in range(count):
                self.end_once(2.5)
        finally:
            shutil.rmtree(self.work, ignore_errors=True)
        print(f"test-kills: {len(early)} ends of {self.name} in its first 300 ms, {sum(early)} with exit code 0, the others by the "
              "system before the program's first code")
        print(f"test-kills: {self.ends} ends of {self.name} by SIGTERM, {self.with_children} while it had children: all with "
              f"exit code 0 and no process left; the slowest took {self.slowest:.1f} s of {DRAIN:.0f} s")


class HostEnds(Server):
    def __init__(self, programs, numbers):
        super().__init__(programs, numbers, "fovea host serve")
        self.host = f"http://127.0.0.1:{self.port}"
        made = subprocess.run(
            [programs / "fovea-server", "host", "init", self.work / "host", "--project", "ends", "--api-key", "ends-api-key",
             "--url", self.host], capture_output=True, text=True, check=False)
        if made.returncode:
            fail(f"fovea host init: {made.stderr}")
        self.token = host_kills.signed_token(self.work / "host/keys/admin.json", self.work)
        self.number = 0

    def arguments(self):
        return ["host", "serve", self.work / "host", "--listen", f"127.0.0.1:{self.port}", "--drain", f"{DRAIN}s"]

    def check_early(self):
        checked = subprocess.run([self.programs / "fovea-server", "host", "fsck", self.work / "host"], capture_output=True,
                                 text=True, check=False)
        if checked.returncode:
            fail(f"fovea host fsck, after ends at the start: {checked.stdout}{checked.stderr}")

    def publish(self, model, name):
        """Publishes with the command, whose result does not matter."""
        self.number += 1
        file = self.work / f"{name}-{self.number}.tflite"
        file.write_bytes((FIXTURES / f"models/{model}.tflite").read_bytes() + os.urandom(64))
        process = subprocess.Popen(
            [self.programs / "fovea-server", "host", "publish", file, "--name", name, "--key", self.work / "host/keys/admin.json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            if self.stop.wait(0.02):
                # It exits by itself after its server is gone, but not at once.
                process.kill()
        process.wait()
        file.unlink()

    def callers(self):
        key = "key=ends-api-key"
        return [
            lambda: self.publish("endless", "loop"),
            lambda: self.publish("efficientdet", "quick"),
            lambda: self.request("GET", f"/v1beta2/projects/ends/models/quick:download?{key}"),
            lambda: self.request("GET", f"/models/ends/quick.tflite?{key}"),
            lambda: self.request("POST", f"/v1/host/projects/ends/reports?{key}",
                                 json.dumps({"model": "quick", "version": "1", "outcome": "loaded"})),
            lambda: self.drip("POST", f"/v1/projects/ends/events:batch?{key}", 20_000),
            lambda: self.drip("POST", "/v1/host/projects/ends/models/slow/versions", 20_000,
                              Authorization=f"Bearer {self.token}"),
        ]


class ServeEnds(Server):
    def __init__(self, programs, numbers):
        super().__init__(programs, numbers, "fovea serve")
        self.image = (FIXTURES / "images/turned.jpg").read_bytes()
        video = ROOT / "Examples/videos/people.mp4"
        self.video = video if video.exists() else None

    def arguments(self):
        source = ["--source", f"walk={self.video}"] if self.video else []
        return ["serve", "--listen", f"127.0.0.1:{self.port}", "--drain", f"{DRAIN}s", "--deadline", "20s",
                "--model", "tiny=" + str(FIXTURES / "models/efficientdet.tflite"), "--model", "own=detector", *source]

    def callers(self):
        boundary = "----ends"
        parts = b"".join(
            f"--{boundary}\r\nContent-Disposition: form-data; name=\"i\"; filename=\"{n}.jpg\"\r\n\r\n".encode() + self.image + b"\r\n"
            for n in range(20)) + f"--{boundary}--\r\n".encode()
        many = lambda: self.request("POST", "/v1/models/own:detect?format=jsonl&slice=true", parts,
                                    **{"Content-Type": f"multipart/form-data; boundary={boundary}"})
        calls = [
            lambda: self.request("POST", "/v1/models/own:detect", self.image),
            lambda: self.request("POST", "/v1/models/tiny:detect?annotate=png", self.image),
            many, many,
            lambda: self.drip("POST", "/v1/models/own:detect", 20_000),
            lambda: self.request("POST", "/v1/models/tiny:unload"),
            lambda: self.request("POST", "/v1/models/tiny:load"),
            lambda: self.request("GET", "/metrics"),
        ]
        if self.video:
            calls += [lambda: self.follow("/v1/streams/walk/events"), lambda: self.follow("/v1/streams/walk/video.mjpeg")]
        return calls


def run(programs, count, numbers):
    """Stops each server this many times."""
    HostEnds(programs, numbers).run(count)
    ServeEnds(programs, numbers).run(count)
