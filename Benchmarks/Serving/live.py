# SPDX-License-Identifier: Apache-2.0
"""Programs that follow objects live, and viewers of one source."""

import json
import pathlib
import statistics
import struct
import subprocess
import threading
import time

from process import program
from results import note, verdict
from servers import Serve
from table import percentile, show
from websocket import WebSocket

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIP = ROOT / "Examples/videos/people.mp4"
RATE = 15
CLIENTS = 4
VIEWERS = 50


def frames(folder):
    """Converts the clip to JPEG files of 640 × 360, as sent by the page."""
    folder.mkdir(exist_ok=True)
    subprocess.run([program("ffmpeg"), "-loglevel", "error", "-i", CLIP, "-vf", f"scale=640:360,fps={RATE}", "-q:v", "6",
                    folder / "%04d.jpg"], check=True)
    return [path.read_bytes() for path in sorted(folder.glob("*.jpg"))]


class Follower:
    """A client of /v1/live that sends frames at a fixed rate, regardless of responses."""

    def __init__(self, server, images, seconds, offset):
        self.live = WebSocket(server.port, "/v1/live")
        self.live.send(json.dumps({"type": "start", "task": "track"}).encode(), is_text=True)
        ready = json.loads(self.live.receive())
        assert ready["type"] == "ready", ready
        self.images, self.count = images, int(seconds * RATE)
        self.sent, self.times, self.dropped, self.errors = {}, [], 0, 0
        self.threads = [threading.Thread(target=self.send, args=(offset,), daemon=True),
                        threading.Thread(target=self.read, daemon=True)]
        for thread in self.threads:
            thread.start()

    def send(self, offset):
        begin = time.perf_counter() + offset
        for number in range(1, self.count + 1):
            time.sleep(max(0, begin + number / RATE - time.perf_counter()))
            image = self.images[number % len(self.images)]
            self.sent[number] = time.perf_counter()
            self.live.send(struct.pack("<II", number, 0) + image)

    def read(self):
        for _ in range(self.count):
            answer = self.live.receive()
            now = time.perf_counter()
            if answer is None:
                return
            answer = json.loads(answer)
            if answer["type"] == "result":
                self.times.append(1000 * (now - self.sent[answer["sequence"]]))
            self.dropped += answer["type"] == "dropped"
            self.errors += answer["type"] == "error"

    def join(self):
        for thread in self.threads:
            thread.join()
        self.live.close()


def follow(options):
    """Measures four programs that follow objects at 15 frames/s with the embedded detector: figure 12."""
    images = frames(options.work / "frames")
    server = Serve(options, embedded=True)
    try:
        warm = Follower(server, images, 2, 0)
        warm.join()
        before = server.cpu()
        clients = [Follower(server, images, options.long / 2, number / RATE / CLIENTS) for number in range(CLIENTS)]
        for client in clients:
            client.join()
        cpu = server.cpu() - before
    finally:
        server.stop()
    times = [time for client in clients for time in client.times]
    sent = sum(client.count for client in clients)
    lost = sum(client.dropped + client.errors for client in clients)
    show(f"12. {CLIENTS} × {RATE} frames/s over /v1/live, {sent:,} frames, sent to answered: p50, p95",
         f"{statistics.median(times):.1f}, {percentile(times, 95):.1f} ms", "p95 ≤ 60 ms", percentile(times, 95) <= 60)
    show("… frames dropped; CPU for each", f"{100 * lost / sent:.2f} %; {1000 * cpu / sent:.1f} ms", "≤ 2 %",
         lost <= 0.02 * sent)
    note(f"12. four programs that follow objects at {RATE} frames/s over `/v1/live`: p50, p95; dropped",
         verdict(f"{statistics.median(times):.1f}, {percentile(times, 95):.1f} ms; {lost or 'none'} of {sent:,} frames",
                 percentile(times, 95) <= 60 and lost <= 0.02 * sent), "p95 60 ms; 2 %")


class Viewer:
    """A viewer of a source; one that stalls reads nothing."""

    def __init__(self, server, stalls=False):
        self.socket = WebSocket(server.port, "/v1/streams/clip/live", buffer=8192 if stalls else None)
        self.count, self.stalls = 0, stalls
        if not stalls:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while self.socket.receive() is not None:
                self.count += 1
        except (OSError, ValueError):
            pass


def rate(server, viewers, seconds):
    """Returns the CPU time of a second, and the frames that each viewer received in it."""
    reading = [viewer for viewer in viewers if not viewer.stalls]
    before, counts, began = server.cpu(), [viewer.count for viewer in reading], time.perf_counter()
    time.sleep(seconds)
    passed = time.perf_counter() - began
    got = [(viewer.count - count) / passed for viewer, count in zip(reading, counts)]
    return (server.cpu() - before) / passed, got


def view(options):
    """Measures fifty viewers of a source, then one that stalls: figure 13."""
    seconds = max(10, options.long / 4)
    server = Serve(options, "--source", f"clip={CLIP}", embedded=True)
    try:
        viewers = [Viewer(server)]
        time.sleep(3)
        alone, _ = rate(server, viewers, seconds)
        viewers += [Viewer(server) for _ in range(VIEWERS - 1)]
        time.sleep(3)
        all_of_them, got = rate(server, viewers, seconds)
        each = 100 * (all_of_them - alone) / (VIEWERS - 1)
        show(f"13. one source, {VIEWERS} viewers: CPU for each further one (the first with the source {100 * alone:.0f} %)",
             f"{each:.2f} % of a core", "≤ 1 %", each <= 1)
        show("… frames/s of the viewers: least, most", f"{min(got):.1f}, {max(got):.1f}")
        memory = server.resident()
        viewers.append(Viewer(server, stalls=True))
        time.sleep(3)
        _, stalled = rate(server, viewers, seconds)
        show("… with one that reads nothing: frames/s of the others; memory grew by",
             f"{min(stalled):.1f}, {max(stalled):.1f}; {server.resident() - memory:.1f} MiB", "unchanged",
             min(stalled) > 0.95 * min(got))
    finally:
        server.stop()
