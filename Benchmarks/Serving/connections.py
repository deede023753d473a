# SPDX-License-Identifier: Apache-2.0
"""Clients that disconnect before the response, and ten thousand connections without a request."""

import http.client
import random
import socket
import statistics
import time

from load import wrk
from results import note, verdict
from servers import Serve, answers
from table import median, percentile, show

DROPS = 1000
# Below a server's maximum (10,000), so that the active ones can connect.
IDLE = 9_900
SECONDS = "fovea_slots_busy_seconds_total"


def message(server, body):
    """Returns the bytes of a complete request."""
    head = f"POST {server.target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def leave(server, request, seconds):
    """Sends a request and closes the connection this many seconds later.
    Returns: how long it stayed open after everything was sent."""
    with socket.create_connection(("127.0.0.1", server.port)) as end:
        end.sendall(request)
        began = time.perf_counter()
        time.sleep(seconds)
    return time.perf_counter() - began


def settled(server):
    """Waits until all slots are idle, and returns the seconds that they were busy."""
    last = server.metric(SECONDS)
    while True:
        time.sleep(0.005)
        now = server.metric(SECONDS)
        if now == last:
            return now
        last = now


def dropped(options):
    """Measures requests whose client disconnects at a random moment, one by one, then all at once: figure 8."""
    server, chance, body = Serve(options), random.Random(8), options.photo.read_bytes()
    request, late = message(server, body), []
    try:
        wrk(server, server.url + server.target, 1, 2, body=options.photo)
        before = settled(server)
        for _ in range(100):
            answers(server.port, body, server.target)
        begun = settled(server)
        whole = (begun - before) / 100
        busy = begun
        for _ in range(DROPS):
            open_for = leave(server, request, chance.uniform(0, whole))
            now = settled(server)
            late.append(max(0.0, now - busy - open_for))
            busy = now
        waste = sum(late) / (busy - begun)
        ends = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(DROPS)]
        for end in ends:
            end.sendall(request)
        chance.shuffle(ends)
        for end in ends:
            end.close()
        time.sleep(1)
        depth, at_work = server.metric("fovea_queue_depth"), server.metric(SECONDS)
        time.sleep(0.2)
        still = server.metric(SECONDS) - at_work
        served = answers(server.port, body, server.target)
    finally:
        server.stop()
    show(f"8. {DROPS:,} clients leave within the {1000 * whole:.1f} ms of a request: slot time after it, p50, p99",
         f"{1000 * statistics.median(late):.2f}, {1000 * percentile(late, 99):.2f} ms", "one operator")
    show("… of all slot time", f"{100 * waste:.1f} %", "< 5 %", waste < 0.05)
    note(f"8. {DROPS:,} clients that leave within the time of a request: slot time afterwards",
         verdict(f"p50 {1000 * statistics.median(late):.1f}, p99 {1000 * percentile(late, 99):.1f} ms (a request takes {1000 * whole:.1f} ms); "
                 f"{100 * waste:.0f} % of all slot time", waste < 0.05), "5 %")
    show(f"… {DROPS:,} at once: waiting after 1 s, slot time from then on, next request",
         f"{depth:.0f}, {1000 * still:.0f} ms, {'answered' if served else '**not answered**'}", "0",
         depth == 0 and still == 0 and served)


def idle(options):
    """Measures the cost of idle connections, for the server and for other clients: figure 9."""
    server = Serve(options)
    load = lambda: wrk(server, server.url + server.target, 4, options.seconds, body=options.photo)
    try:
        load()
        before, open_ones = server.resident(), []
        first = [load() for _ in range(options.rounds)]
        for _ in range(IDLE):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request("GET", "/livez")
            connection.getresponse().read()
            open_ones.append(connection)
        each = (server.resident() - before) * 1024 / IDLE
        began = time.perf_counter()
        second = []
        while len(second) < options.rounds and time.perf_counter() - began < 40:  # before the server closes them
            second.append(load())
        held = server.descriptors()
        for connection in open_ones:
            connection.close()
        # The server returns memory after some idle seconds.
        time.sleep(8)
        after, left = server.resident(), server.descriptors()
        third = [load() for _ in range(options.rounds)]
    finally:
        server.stop()
    alone = median(first + third, "p99")
    show(f"9. {IDLE:,} idle connections ({held:,} open), memory of each", f"{each:.1f} KiB", "≤ 24 KiB", each <= 24)
    show("… p99 of 4 active ones, and without them", f"{median(second, 'p99'):.1f} and {alone:.1f} ms: "
         f"{median(second, 'p99') / alone:.2f}", "≤ 1.2", median(second, "p99") <= 1.2 * alone)
    show("… CPU of their requests, and without them",
         f"{median(second, 'cpu'):.2f} and {median(first + third, 'cpu'):.2f} ms")
    show("… resident before, and after they have closed", f"{before:.0f}, {after:.0f} MiB; {left} descriptors")
