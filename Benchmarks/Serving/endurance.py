# SPDX-License-Identifier: Apache-2.0
"""Many requests, and servers stopped under load."""

import http.client
import pathlib
import signal
import statistics
import struct
import subprocess
import threading
import time
import zlib

from process import program
from load import POST
from servers import Serve, answers
from table import percentile, show

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIXTURE = ROOT / "Tests/Fixtures/models/classifier_uint8.tflite"
CLIENTS = 8


def small_image(path):
    """Creates a PNG of 16 × 16 pixels."""
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes((8 * (x + y)) % 256 for x in range(16) for _ in range(3)) for y in range(16))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def slope(points):
    """Returns the growth in MiB per million requests, by least squares."""
    across = statistics.mean(x for x, _ in points)
    up = statistics.mean(y for _, y in points)
    return 1e6 * sum((x - across) * (y - up) for x, y in points) / max(1, sum((x - across) ** 2 for x, _ in points))


def endurance(options):
    """Measures resident memory over many requests to a tiny model: figure 10."""
    image, script = options.work / "small.png", options.work / "small.lua"
    small_image(image)
    script.write_text(POST.format(f'"{image}"'), encoding="utf-8")
    server = Serve(options, model=FIXTURE)
    server.target = "/v1/label"
    try:
        if not answers(server.port, image.read_bytes(), server.target):
            raise SystemExit("bench-serving: the small model does not answer")
        load = subprocess.Popen([program("wrk"), "-t1", f"-c{CLIENTS}", "-d86400s", "-s", script, server.url + server.target],
                                stdout=subprocess.DEVNULL)
        began, points, done = time.perf_counter(), [], 0
        try:
            while done < options.requests:
                time.sleep(0.25)
                done = requests(server)
                points.append((done, server.resident()))
        finally:
            load.kill()
            load.wait()
        seconds, cpu = time.perf_counter() - began, server.cpu()
    finally:
        server.stop()
    warm = [point for point in points if point[0] > options.requests / 5]
    rise = slope(warm)
    grown = rise * options.requests / 1e6
    bar = 1 if options.requests >= 1_000_000 else 2
    show(f"10. {done:,} requests to a tiny model, {done / seconds:,.0f}/s: memory grew after the first fifth, by regression",
         f"{grown:.2f} MiB ({rise:.1f} MiB for 10⁶); resident {points[0][1]:.0f}, {warm[0][1]:.0f}, {warm[-1][1]:.0f} MiB",
         f"≤ {bar} MiB", grown <= bar)
    show("… CPU per request", f"{1e6 * cpu / done:.0f} µs")


def requests(server):
    """Returns the number of images labelled so far."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    return sum(int(line.rsplit(" ", 1)[1]) for line in lines if line.startswith("fovea_queue_seconds_count"))


class Load:
    """Clients that send one photo after the other, each on its own persistent connection."""

    def __init__(self, server, body):
        self.server, self.body = server, body
        self.answered, self.refused, self.broken, self.unanswered = 0, 0, 0, []
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        while True:
            try:
                connection.request("POST", self.server.target, self.body)
            except OSError:  # the request was not accepted
                self.broken += 1
                return
            sent = time.perf_counter()
            try:
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                self.unanswered.append(sent)
                return
            self.answered += answer.status == 200
            self.refused += answer.status != 200
            if answer.getheader("Connection") == "close":
                return

    def join(self):
        for thread in self.threads:
            thread.join()


def ends(options):
    """Measures SIGTERM and SIGKILL under load: figure 14."""
    photo, ready, drains, lost, codes, refused = options.photo.read_bytes(), [], [], [], set(), 0
    for number in range(options.kills):
        server = Serve(options)
        load = Load(server, photo)
        time.sleep(0.3)
        if number % 4 == 0:
            signalled = time.perf_counter()
            server.process.send_signal(signal.SIGTERM)
            codes.add(server.process.wait(60))
            drains.append(time.perf_counter() - signalled)
            load.join()
            lost += [1000 * (sent - signalled) for sent in load.unanswered]
            refused += load.refused
        else:
            server.kill()
            load.join()
        began = time.perf_counter()
        server.launch(server.port)
        server.await_line()
        answered = answers(server.port, photo, server.target)
        ready.append(1000 * (time.perf_counter() - began) if answered else float("inf"))
        server.kill()
    show(f"14. SIGTERM under load, {len(drains)} times: requests without an answer, refused",
         f"{len(lost)}, {refused}" + (f" (sent {min(lost):.1f} to {max(lost):.1f} ms after the signal)" if lost else ""), "0",
         not lost)
    show("… exit status, and after", f"{', '.join(map(str, sorted(codes)))}; {statistics.median(drains):.2f} s, "
         f"{max(drains):.2f} at most", "0, ≤ 25 s", codes == {0} and max(drains) <= 25)
    show(f"… ready again on the same port after {options.kills} ends, {options.kills - len(drains)} by SIGKILL, with an answer",
         f"{statistics.median(ready):.0f} ms, p95 {percentile(ready, 95):.0f}", "≤ 250 ms", statistics.median(ready) <= 250)
