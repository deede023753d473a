# SPDX-License-Identifier: Apache-2.0
"""The cost of a request against FastAPI + LiteRT, the cost of HTTP per image, and the time to the first response."""

import json
import os
import subprocess
import sys
import time

from load import wrk
from results import note, significant, verdict
from servers import Peer, Serve, answers
from table import median, show, turns

CONNECTIONS = (1, 4, 16)


def bare(options):
    """Returns the CPU milliseconds per image without HTTP: `fovea bench`, with as many workers as the server's slots."""
    done = subprocess.run([options.programs / "fovea", "bench", "--json", "--mode", "throughput", "--model", options.model,
                           "--max-results", "10", "--threshold", "0.3", "--repetitions", "200", options.photo],
                          stdout=subprocess.PIPE, text=True, check=True)
    return 1000 * json.loads(done.stdout)["throughput"]["cpu_s_per_image"]


def cost(options):
    """Measures CPU time, rate, latency and memory: figures 1 to 4."""
    servers = {"fovea": Serve(options), "peer": Peer(options)}
    rows = {(name, count): [] for name in servers for count in CONNECTIONS}
    alone = []
    try:
        servers["peer"].await_answer(options.photo.read_bytes())
        for server in servers.values():
            wrk(server, server.url + server.target, 8, 2, body=options.photo)
        for number in range(options.rounds):
            for count in CONNECTIONS:
                for name in turns(list(servers), number):
                    server = servers[name]
                    rows[name, count].append(
                        wrk(server, server.url + server.target, count, options.seconds, body=options.photo))
            alone.append(bare(options))
    finally:
        for server in servers.values():
            server.stop()
    pairs = {count: list(zip(rows["fovea", count], rows["peer", count])) for count in CONNECTIONS}
    ratios = [median([our["cpu"] / peer["cpu"] for our, peer in pairs[count]]) for count in CONNECTIONS]
    for count, ratio in zip(CONNECTIONS, ratios):
        ours, peers = median(rows["fovea", count], "cpu"), median(rows["peer", count], "cpu")
        show(f"1. CPU per request, {'1 connection' if count == 1 else f'{count} connections'}, next to the peer", f"{ours:.2f} next to {peers:.2f} ms: {ratio:.2f}",
             "≤ 0.80", ratio <= 0.8)
    each = {name: ", ".join(significant(median(rows[name, count], "cpu")) for count in CONNECTIONS) for name in servers}
    note("1. CPU per request, 1, 4 and 16 connections",
         verdict(f"{each['fovea']} next to {each['peer']} ms: **{', '.join(f'{ratio:.2f}' for ratio in ratios)}**", max(ratios) <= 0.8),
         "0.80")
    extra = median([our["cpu"] - image for our, image in zip(rows["fovea", 4], alone)])
    show("2. … less that of an image in `fovea bench --mode throughput`, 4 connections",
         f"{extra:.2f} ms ({median(rows['fovea', 4], 'cpu'):.2f} less {median(alone):.2f})", "≤ 0.6 ms", extra <= 0.6)
    rate = median([our["rate"] / peer["rate"] for our, peer in pairs[16]])
    show("3. requests/s, 16 connections, next to the peer", f"{median(rows['fovea', 16], 'rate'):.0f} next to "
         f"{median(rows['peer', 16], 'rate'):.0f}: {rate:.2f}", "≥ 1.3", rate >= 1.3)
    middle = median([our["p50"] / peer["p50"] for our, peer in pairs[1]])
    show("… p50, 1 connection", f"{median(rows['fovea', 1], 'p50'):.1f} next to {median(rows['peer', 1], 'p50'):.1f} ms: "
         f"{middle:.2f}", "≤ 0.7", middle <= 0.7)
    note("3. requests a second, 16 connections; p50, 1 connection",
         verdict(f"{median(rows['fovea', 16], 'rate'):.0f} next to {median(rows['peer', 16], 'rate'):.0f}: **{rate:.2f}**; "
                 f"{median(rows['fovea', 1], 'p50'):.1f} next to {median(rows['peer', 1], 'p50'):.1f} ms: **{middle:.2f}**",
                 rate >= 1.3 and middle <= 0.7), "1.3; 0.7")
    show("… p99, 16 connections", f"{median(rows['fovea', 16], 'p99'):.0f} next to {median(rows['peer', 16], 'p99'):.0f} ms")
    most = [max(row["resident"] for count in CONNECTIONS for row in rows[name, count]) for name in servers]
    show("4. resident, the most", f"{most[0]:.0f} next to {most[1]:.0f} MiB", "≤ 90 MB", most[0] * 1.048576 <= 90)
    note("4. resident, the most", verdict(f"{most[0]:.0f} next to {most[1]:.0f} MiB", most[0] * 1.048576 <= 90), "90 MB (85.8 MiB)")


def start(options):
    """Measures the time from exec to the first response: figure 5."""
    photo, times, costs, peers = options.photo.read_bytes(), [], [], []
    for _ in range(options.rounds):
        began = time.perf_counter()
        server = Serve(options)
        try:
            if not answers(server.port, photo, server.target):
                sys.exit("bench-serving: the first request does not return 200")
            times.append(time.perf_counter() - began)
            costs.append(server.cpu())
        finally:
            server.stop()
        peer = Peer(options)
        try:
            peers.append(peer.await_answer(photo))
        finally:
            peer.stop()
    first, cpu = 1000 * median(times), 1000 * median(costs)
    show("5. exec to the first 200, next to the peer", f"{first:.0f} ms ({1000 * min(times):.0f} to {1000 * max(times):.0f}) "
         f"next to {1000 * median(peers):,.0f}", "≤ 250 ms", first <= 250)
    show("… CPU until then", f"{cpu:.0f} ms", "≤ 120 ms", cpu <= 120)
    note("5. exec to the first answer; CPU until then",
         verdict(f"{first:.0f} next to {1000 * median(peers):,.0f} ms; {cpu:.0f} ms", first <= 250 and cpu <= 120), "250, 120 ms")
