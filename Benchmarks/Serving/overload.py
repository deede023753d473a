# SPDX-License-Identifier: Apache-2.0
"""Four times as many requests as the server can handle, and one client next to a greedy one."""

import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from load import wrk
from results import note, verdict
from servers import Serve
from table import median, percentile, show

HERE = pathlib.Path(__file__).resolve().parent
DEADLINE = 500


class Prober:
    """A client that sends one request after the other on one connection, from its own address."""

    def __init__(self, server, method, target, body=None, pause=0.0):
        self.server, self.request, self.pause = server, (method, target, body), pause
        self.times, self.failures = [], []

    def run(self, seconds):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30,
                                                source_address=("127.0.0.2", 0))
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            began = time.perf_counter()
            connection.request(*self.request)
            answer = connection.getresponse()
            answer.read()
            if answer.status == 200:
                self.times.append(1000 * (time.perf_counter() - began))
            else:
                self.failures.append(answer.status)
            time.sleep(self.pause)
        connection.close()
        return self

    def start(self, seconds):
        thread = threading.Thread(target=self.run, args=[seconds], daemon=True)
        thread.start()
        return thread


def flood(server, rate, options, pinned):
    """Sends this many requests per second at random moments, regardless of responses, for the given time.
    Returns: for each status, milliseconds from a request to its response."""
    done = subprocess.run([*pinned, sys.executable, HERE / "open_loop.py", "--port", str(server.port), "--target",
                           server.target, "--body", options.photo, "--rate", str(rate), "--seconds", str(options.long)],
                          stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def overload(options):
    """Measures the server on one core with the load on another: figure 6."""
    cores = sorted(os.sched_getaffinity(0))
    apart = len(cores) > 1 and shutil.which("taskset")
    ours, loads = (["taskset", "-c", str(cores[0])], ["taskset", "-c", str(cores[1])]) if apart else ([], [])
    server = Serve(options, "--deadline", f"{DEADLINE / 1000}s", pinned=ours)
    try:
        wrk(server, server.url + server.target, 8, 2, body=options.photo, pinned=loads)
        alone = wrk(server, server.url + server.target, 8, 2 * options.seconds, body=options.photo, pinned=loads)
        quiet = Prober(server, "GET", "/livez", pause=0.02).run(options.seconds)
        before, cpu = server.resident(), server.cpu()
        probe = Prober(server, "GET", "/livez", pause=0.02)
        thread = probe.start(options.long)
        found = flood(server, 4 * alone["rate"], options, loads)
        thread.join()
        cpu, grown = server.cpu() - cpu, server.resident() - before
        busy = server.metric("fovea_queue_depth")
    finally:
        server.stop()
    good, refused = found.get("200", []), [time for status in ("429", "503") for time in found.get(status, [])]
    counts = ", ".join(f"{len(times):,} × {status}" for status, times in sorted(found.items()))
    show(f"6. 4 × capacity ({4 * alone['rate']:.0f}/s on {'one core' if apart else 'all cores'}) for {options.long} s: answers",
         counts)
    show("… p99 of the answers", f"{percentile(good, 99):.0f} ms", f"≤ {DEADLINE} ms", percentile(good, 99) <= DEADLINE)
    note(f"6. four times the capacity for {options.long} s, `--deadline {DEADLINE / 1000}s`: p99 of the answers",
         verdict(f"{percentile(good, 99):.0f} ms ({4 * alone['rate']:.0f} requests/s on {'one core' if apart else 'all cores'})",
                 percentile(good, 99) <= DEADLINE), f"{DEADLINE} ms")
    goodput = len(good) / options.long / alone["rate"]
    show("… answers ÷ capacity", f"{goodput:.2f} ({len(good) / options.long:.0f} of {alone['rate']:.0f}/s; "
         f"{cpu / options.long:.2f} cores)", "≥ 0.95", goodput >= 0.95)
    note("6. answers ÷ capacity", verdict(f"{goodput:.2f}", goodput >= 0.95), "0.95")
    show("… CPU per answer, refusals included, and alone", f"{1000 * cpu / max(1, len(good)):.2f} and {alone['cpu']:.2f} ms")
    show("… p50, p99 of refusals", f"{percentile(refused, 50):.1f}, {percentile(refused, 99):.1f} ms", "p99 ≤ 25 ms",
         percentile(refused, 99) <= 25)
    show("… p99 of `/livez`, and alone", f"{percentile(probe.times, 99):.1f} and {percentile(quiet.times, 99):.1f} ms "
         f"({len(probe.failures)} of {len(probe.times):,} failed)", "≤ 25 ms", percentile(probe.times, 99) <= 25)
    show("… memory grew by", f"{grown:.0f} MiB; {busy:.0f} wait afterwards", "≤ 32 MiB", grown <= 32 and busy == 0)


def fairness(options):
    """Measures a client with one connection, alone and next to one with 32: figure 7."""
    server, ratios, alone, beside, failures = Serve(options), [], [], [], 0
    photo = options.photo.read_bytes()
    try:
        wrk(server, server.url + server.target, 8, 2, body=options.photo)
        for _ in range(options.rounds):
            first = Prober(server, "POST", server.target, photo).run(options.seconds)
            second = Prober(server, "POST", server.target, photo)
            thread = second.start(options.seconds)
            greedy = wrk(server, server.url + server.target, 32, options.seconds, body=options.photo, strict=False)
            thread.join()
            alone.append(percentile(first.times, 95))
            beside.append(percentile(second.times, 95))
            ratios.append(beside[-1] / alone[-1])
            failures += len(first.failures) + len(second.failures)
    finally:
        server.stop()
    show("7. p95 of a client with 1 connection next to one with 32, and alone",
         f"{median(beside):.1f} and {median(alone):.1f} ms: {median(ratios):.1f} ({failures} refused)", "≤ 3",
         median(ratios) <= 3 and failures == 0)
    show("… the other in the last round: p50, requests, of these refused",
         f"{greedy['p50']:.0f} ms, {greedy['requests']:,}, {greedy['refused']:,}")
