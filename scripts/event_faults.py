# SPDX-License-Identifier: Apache-2.0
"""The long faults of scripts/test-events --long, each with a server, a broker and a web hook of its own: kills, a large backlog, a
web hook that never answers, a full disk, a camera that comes and goes, and a wall clock that jumps. Needs mosquitto and paho;
ffmpeg for the camera, and a C compiler for the clock.

  scripts/test-events --long              200 kills, 100,000 messages; half an hour
  scripts/test-events --long kills disk   some of them; --kills 5 and --messages 1000 are shorter
"""

import argparse
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import paho.mqtt.client as paho

ROOT = pathlib.Path(__file__).resolve().parent.parent
VIDEO = ROOT / "Examples/videos/people.mp4"
# A library that moves the wall clock by the seconds in a file, and leaves the clocks that only count.
WALL_CLOCK = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = syscall(SYS_clock_gettime, clock, now);
  if (status || clock != CLOCK_REALTIME) return status;
  char text[16] = {0};
  int file = open(getenv("WALL_CLOCK_OFFSET"), O_RDONLY);
  if (file >= 0 && read(file, text, sizeof text - 1) > 0) now->tv_sec += atol(text);
  if (file >= 0) close(file);
  return 0;
}
"""
SHAPES = ["--zone", "gate:drive=0,200,768,200,768,432,0,432", "--line", "gate:door=500,432,500,0"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(what, seconds, name):
    """Waits for a true value and returns it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = what()
        if value:
            return value
        time.sleep(0.1)
    raise AssertionError(f"{name}: not within {seconds} s")


class Skip(Exception):
    """The system lacks what a fault needs."""


class Scene:
    """A folder, a broker with a listener whose session outlives both, and a server."""

    def __init__(self, options):
        self.options, self.folder = options, pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
        self.folder.chmod(0o755)
        self.events = self.folder / "events"
        self.mqtt, self.http = free_port(), free_port()
        (self.folder / "broker.conf").write_text(
            f"listener {self.mqtt} 127.0.0.1\nallow_anonymous true\nuser root\npersistence true\n"
            f"persistence_location {self.folder}/\nmax_queued_messages 0\n")
        self.broker = subprocess.Popen(["mosquitto", "-c", self.folder / "broker.conf"], stderr=subprocess.DEVNULL)
        until(self.answers, 10, "mosquitto answers")
        self.heard, self.statuses, self.server = [], [], None
        self.ear = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="ear", clean_session=False)
        self.ear.on_message = self.hear
        self.ear.on_connect = lambda client, *_: client.subscribe("fovea/#", 1)
        self.ear.connect("127.0.0.1", self.mqtt, 30)
        self.ear.loop_start()

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.mqtt), 1).close()
            return True
        except OSError:
            return False

    def hear(self, _client, _data, message):
        if message.topic.endswith("/events"):
            self.heard.append(json.loads(message.payload))
        elif message.topic == "fovea/gate/status":
            self.statuses.append((time.monotonic(), message.payload.decode()))

    def start(self, *more, source=VIDEO, **environment):
        command = [self.options.fovea, "serve", "--listen", f"127.0.0.1:{self.http}", "--source", f"gate={source}", *SHAPES,
                   "--events", self.events, "--mqtt", f"mqtt://127.0.0.1:{self.mqtt}", *more]
        with open(self.folder / "server.log", "ab") as log:
            self.server = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, cwd=ROOT,
                                           env=os.environ | environment)

        def ready():
            assert self.server.poll() is None, (self.folder / "server.log").read_text()[-400:]
            try:
                return self.get("/readyz") is not None
            except OSError:
                return False
        until(ready, 60, "/readyz")

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.http}{path}", timeout=20) as answer:
            return answer.read().decode()

    def metric(self, name):
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", self.get("/metrics"), re.M))

    def kill(self):
        self.server.kill()
        self.server.wait()

    def lines(self):
        """Returns the messages in the files, in their order."""
        files = sorted(self.events.glob("events-*.jsonl"))
        return [json.loads(line) for path in files for line in path.read_bytes().split(b"\n")[:-1]]

    def end(self):
        for process in (self.server, self.broker):
            if process and process.poll() is None:
                process.terminate()
                process.wait(30)
        self.ear.loop_stop()
        subprocess.run(["umount", self.events], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def key(message):
    return message["id"], message["sequence"]


def kills(scene):
    """A server that is killed again and again loses no line, repeats few and ends each event."""
    for _ in range(scene.options.kills):
        scene.start()
        time.sleep(random.uniform(0.2, 3))
        scene.kill()
    scene.start()
    scene.server.send_signal(signal.SIGTERM)
    scene.server.wait(60)
    lines = scene.lines()
    numbers = [line["number"] for line in lines]
    assert numbers == list(range(1, len(lines) + 1)), "the numbers have gaps or repeat"
    until(lambda: {key(line) for line in lines} <= {key(message) for message in scene.heard}, 60, "all lines over MQTT")
    more = len(scene.heard) - len(lines)
    assert more <= 100 * scene.options.kills, f"{more} messages were repeated"
    ended = {line["id"] for line in lines if line["event_type"] == "end"}
    assert {line["id"] for line in lines} == ended, "an event has no end"
    return f"{len(lines)} lines, {more} repeated"


def backlog(scene):
    """All messages that a broker lacks arrive in order."""
    count = scene.options.messages // 2 * 2
    scene.events.mkdir(mode=0o700)
    (scene.events / "events.json").write_text('{"format": "fovea-events", "version": 1}\n')
    (scene.events / "cursor-mqtt.json").write_text('{"number": 0, "time": null}\n')
    text = {"source": "gate", "label": "person", "box": {"x": 1.5, "y": 2.5, "width": 30, "height": 40}, "zones": {}}
    for first in range(1, count + 1, 15_000):
        path = scene.events / f"events-{first:012}.jsonl"
        with open(path, "w", encoding="utf-8") as out:
            for number in range(first, min(first + 15_000, count + 1)):
                # The order of the members is that of the program.
                out.write(json.dumps({
                    "event_type": "start" if number % 2 else "end", "id": f"gate-20261126T115352.123Z-{(number + 1) // 2}",
                    "number": number, "sequence": 2 - number % 2, **text, "time": "2026-11-26T11:53:52.123Z",
                    "startTime": "2026-11-26T11:53:52.123Z", "filling": "x" * 200}) + "\n")
    begin = time.monotonic()
    scene.start("--events-keep", "90d")
    started = time.monotonic() - begin
    begin = time.monotonic()
    scene.get("/v1/events?limit=100")
    listed = time.monotonic() - begin
    begin = time.monotonic()
    until(lambda: len(scene.heard) >= count, 30 + count / 200, "all messages")
    rate = count / (time.monotonic() - begin)
    assert [message["number"] for message in scene.heard[:count]] == list(range(1, count + 1)), "the order differs"
    return f"{count} messages at {rate:.0f}/s; start {started:.2f} s, newest 100 in {1000 * listed:.0f} ms"


def webhook(scene):
    """A web hook that never answers delays no other receiver."""
    posts = []

    class Hook(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_POST(self):
            posts.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

    good = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=good.serve_forever, daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as stalled:
        scene.start("--webhook", f"http://127.0.0.1:{good.server_port}/", "--webhook",
                    f"http://127.0.0.1:{stalled.getsockname()[1]}/")
        until(lambda: len(posts) >= 10 and len(scene.heard) >= 10, 120, "ten messages at the others")
        delays = sum(posts[index]["number"] != index + 1 for index in range(10))
        assert not delays, "the order differs"
        lag = until(lambda: scene.metric("fovea_output_lag_seconds"), 20, "a lag")
        scene.server.send_signal(signal.SIGTERM)
        scene.server.wait(60)
    return f"{len(posts)} messages at the other; lag {lag:.0f} s"


def disk(scene):
    """With a full disk messages go on, and a later start uses none of their numbers."""
    scene.events.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", scene.events], stderr=subprocess.DEVNULL, check=False)
    if mounted.returncode:
        raise Skip("a tmpfs cannot be mounted")
    scene.start()
    until(lambda: scene.heard, 120, "a message")
    filling = scene.events / "filling"
    with open(filling, "wb", buffering=0) as out:
        try:
            while True:
                out.write(bytes(4096))
        except OSError:
            pass
    frames = scene.metric("fovea_stream_frames_total")
    # The last page of the file has room for some.
    until(lambda: scene.heard[-1]["number"] > scene.lines()[-1]["number"] + 2, 300, "messages that are not kept")
    assert scene.metric("fovea_events_unkept_total") >= 3, "messages that are not kept are not counted"
    assert scene.metric("fovea_stream_frames_total") > frames, "frames stopped"
    time.sleep(3)
    scene.kill()
    seen = {key(message): message["number"] for message in scene.heard}
    filling.unlink()
    scene.start()
    until(lambda: max(message["number"] for message in scene.heard) > max(seen.values()) + 2, 120, "further messages")
    for message in scene.heard:
        known = seen.get(key(message))
        assert known in (None, message["number"]), "an id and a sequence stand for two messages"
        assert known or message["number"] > max(seen.values()), "a number was used again"
    assert scene.lines()[-1]["number"] > max(seen.values()), "the files do not go on"
    return f"number {max(seen.values())} before, {scene.lines()[-1]['number']} after"


def camera(scene):
    """A camera that comes and goes changes its status seldom."""
    if not shutil.which("ffmpeg"):
        raise Skip("ffmpeg is missing")
    address = f"udp://127.0.0.1:{free_port()}"
    scene.start(source=f"{address}?timeout=1000000")
    begin = time.monotonic()
    while time.monotonic() - begin < scene.options.flapping:
        sender = subprocess.Popen(["ffmpeg", "-v", "quiet", "-re", "-i", VIDEO, "-an", "-c:v", "mpeg2video", "-b:v", "2M", "-g", "10", "-f",
                                   "mpegts", address], stdin=subprocess.DEVNULL)
        time.sleep(7)
        sender.kill()
        sender.wait()
        time.sleep(3)
    assert scene.metric("fovea_stream_frames_total"), "the camera has sent no frame"
    changes = [later for (later, text), (_, other) in zip(scene.statuses[1:], scene.statuses) if text != other]
    gaps = [later - earlier for earlier, later in zip(changes, changes[1:])]
    assert all(gap >= 9 for gap in gaps), f"the status changed after {min(gaps):.1f} s"
    return f"{len(changes)} changes in {time.monotonic() - begin:.0f} s"


def clock(scene):
    """A wall clock that jumps by an hour in both directions changes no duration and no number."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        raise Skip("a C compiler is missing")
    library, offset = scene.folder / "clock.so", scene.folder / "offset"
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=WALL_CLOCK.encode(), check=True)
    offset.write_text("0")
    begin = time.monotonic()
    scene.start("--dwell", "gate:drive=2", LD_PRELOAD=str(library), WALL_CLOCK_OFFSET=str(offset))
    for jump in ("3600", "-3600", "0"):
        count = len(scene.heard)
        until(lambda: len(scene.heard) > count + 20, 120, "further messages")
        offset.write_text(jump)
    count = len(scene.heard)
    until(lambda: len(scene.heard) > count + 20, 120, "further messages")
    scene.server.send_signal(signal.SIGTERM)
    scene.server.wait(60)
    passed = time.monotonic() - begin
    lines = scene.lines()
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1)), "the numbers have gaps or repeat"
    hours = {line["time"][:13] for line in lines}
    assert len(hours) >= 3, f"the clock did not jump: {sorted(hours)}"
    durations = [line["duration"] for line in lines]
    assert 0 <= min(durations) and max(durations) <= passed, f"a duration of {max(durations)} s, {passed:.0f} s after the start"
    dwells = [line["dwell"] for line in lines if line["event_type"] == "dwell"]
    assert dwells and all(2 <= dwell < 3 for dwell in dwells), f"dwells: {dwells}"
    return f"{len(lines)} lines in {len(hours)} hours of the clock; {len(dwells)} dwells, the longest duration {max(durations):.1f} s"


FAULTS = {"kills": kills, "backlog": backlog, "webhook": webhook, "disk": disk, "camera": camera, "clock": clock}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fovea", type=pathlib.Path, required=True)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--flapping", type=int, default=300, help="the seconds of the camera that comes and goes")
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=", ".join(FAULTS))
    options = parser.parse_args()
    unknown = [name for name in options.faults if name not in FAULTS]
    if unknown:
        parser.error(f"there is no fault '{unknown[0]}'; the faults are {', '.join(FAULTS)}")
    failed = 0
    for name in options.faults or FAULTS:
        scene = Scene(options)
        try:
            print(f"ok     {name}: {FAULTS[name](scene)}", flush=True)
        except Skip as reason:
            print(f"skips  {name}: {reason}", flush=True)
        except (AssertionError, OSError, subprocess.TimeoutExpired) as problem:
            failed += 1
            print(f"FAILS  {name}: {problem}", flush=True)
        finally:
            scene.end()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
