# SPDX-License-Identifier: Apache-2.0
"""Batches of an experiment's events, sent over a few connections."""

import datetime
import http.client
import json
import pathlib
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))
# pylint: disable=wrong-import-position
from devices import Draw, metric
from host_kills import signed_token

BATCH = 500


def batches(shown, name, units):
    """Creates bodies with an exposure and a metric of each unit; every tenth body is repeated ten bodies later.

    Returns: the bodies, and the number of units of each variant.
    """
    draw, now = Draw(shown), datetime.datetime.now(datetime.timezone.utc)
    counts, events, bodies = [0] * len(draw.variants), [], []
    for number in range(units):
        unit = f"device-{number:08d}"
        events.append(draw.exposure(unit, now))
        events.append(metric(name, unit, now))
        counts[draw.variant(unit)] += 1
        if len(events) >= BATCH or number == units - 1:
            bodies.append(json.dumps({"events": events}).encode())
            events = []
    order = []
    for index, body in enumerate(bodies):
        order.append(body)
        if index % 10 == 9:
            order.append(bodies[index - 9])
    return order, counts


def send(host, path, bodies, connections=4, patient=False):
    """Sends all bodies; with `patient`, again after a 503, as devices do.

    Returns: seconds, sums of the responses, and the host's memory in MiB at each twentieth.
    """
    rest, lock = iter(enumerate(bodies)), threading.Lock()
    sums, resident, problems = {"counted": 0, "repeated": 0, "refused": 0}, [], []
    step = max(1, len(bodies) // 20)
    # Like a server that logs for many users: without it, an address may send 5,000 events.
    token = signed_token(host.folder / "keys/admin.json", host.folder.parent)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}

    def work():
        connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=60)
        while not problems:
            with lock:
                index, body = next(rest, (None, None))
            if body is None:
                break
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            found = answer.read()
            while patient and answer.status == 503:
                time.sleep(0.5)
                connection.request("POST", path, body, headers)
                answer = connection.getresponse()
                found = answer.read()
            if answer.status != 200:
                problems.append(f"{answer.status}: {found[:200]}")
                break
            found = json.loads(found)
            with lock:
                sums["counted"] += found["counted"]
                sums["repeated"] += found["repeated"]
                sums["refused"] += len(found["refused"])
                if index % step == step - 1:
                    resident.append(host.resident())
        connection.close()

    began = time.perf_counter()
    threads = [threading.Thread(target=work) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        sys.exit(f"bench-host: a batch of events returned {problems[0]}")
    return time.perf_counter() - began, sums, resident
