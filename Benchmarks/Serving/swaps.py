# SPDX-License-Identifier: Apache-2.0
"""A model that is replaced while it serves requests."""

import http.client
import json
import os
import shutil
import statistics
import threading
import time

from servers import Serve
from table import show

SWAPS = 100
CLIENTS = 8
# Seconds after which the server has returned unused memory.
IDLE = 8


def ask(connection, server, photo):
    """Returns the status and the result of one request, without times."""
    connection.request("POST", server.target, photo)
    answer = connection.getresponse()
    body = json.loads(answer.read())
    return answer.status, json.dumps(body.get("objects", body))


class Client:
    """Sends one photo after the other, and counts the different responses."""

    def __init__(self, server, photo):
        self.answers, self.goes_on = {}, True
        self.thread = threading.Thread(target=self.run, args=(server, photo), daemon=True)
        self.thread.start()

    def run(self, server, photo):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        while self.goes_on:
            try:
                answer = ask(connection, server, photo)
            except (OSError, http.client.HTTPException) as error:
                answer = (0, repr(error))
            self.answers[answer] = self.answers.get(answer, 0) + 1

    def end(self):
        self.goes_on = False
        self.thread.join()


def swaps(options):
    """Measures a hundred swaps between two models under load: figure 15."""
    if not options.other.is_file():
        return
    photo, place = options.photo.read_bytes(), options.work / "swapped.tflite"
    shutil.copy(options.model, place)
    server = Serve(options, model=place)
    try:
        main = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        right, times = [], []
        for model in (options.model, options.other):
            swap(main, model, place)
            right.append(ask(main, server, photo))
        for model in (options.model, options.other) * 2:  # each has been loaded while the other served
            swap(main, model, place)
        # The memory of the same clients without a swap.
        clients = [Client(server, photo) for _ in range(CLIENTS)]
        time.sleep(2)
        for client in clients:
            client.end()
        time.sleep(IDLE)
        before = server.resident()
        clients = [Client(server, photo) for _ in range(CLIENTS)]
        for number in range(SWAPS):
            began = time.perf_counter()
            swap(main, (options.model, options.other)[number % 2], place)
            times.append(time.perf_counter() - began)
        busy = server.resident()
        for client in clients:
            client.end()
        time.sleep(IDLE)
        after = server.resident()
    finally:
        server.stop()
    counts = {}
    for client in clients:
        for answer, count in client.answers.items():
            counts[answer] = counts.get(answer, 0) + count
    failed = sum(count for (status, _), count in counts.items() if status != 200)
    mixed = sum(count for answer, count in counts.items() if answer[0] == 200 and answer not in right)
    show(f"15. {SWAPS} swaps of a model under {CLIENTS} connections, {sum(counts.values()):,} answers: not 200; of neither model",
         f"{failed}; {mixed}", "0; 0", failed == mixed == 0 and right[0] != right[1])
    show("… a swap under load takes", f"{1000 * statistics.median(times):.0f} ms, at most {1000 * max(times):.0f}")
    show("… resident before the swaps, under them, after", f"{before:.0f}, {busy:.0f}, {after:.0f} MiB", "back to one model",
         after < before + options.model.stat().st_size / 2**20)


def swap(connection, model, place):
    """Replaces the model's file by another one, and reloads it."""
    new = place.with_suffix(".new")
    shutil.copy(model, new)
    os.replace(new, place)
    connection.request("POST", "/v1/models/photos:load")
    answer = connection.getresponse()
    state = json.loads(answer.read())
    if answer.status != 200 or state.get("state") != "ready":
        raise SystemExit(f"bench-serving: the model is not loaded: {state}")
