# SPDX-License-Identifier: Apache-2.0
"""fovea serve and its peer, each on a free port."""

import http.client
import os
import pathlib
import subprocess
import sys
import time

from environment import python_with
from process import Server, free_port

HERE = pathlib.Path(__file__).resolve().parent


def answers(port, body, target):
    """Returns whether a POST returns 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST", target, body)
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


class Serve(Server):
    """`fovea serve` with one model, named `photos`, or the embedded one; `pinned` is a command prefix, such as `taskset`."""

    target = "/v1/detect?max-objects=10&threshold=0.3"

    def __init__(self, options, *arguments, model=None, embedded=False, pinned=()):
        port = free_port()
        models = [] if embedded else ["--model", f"photos={model or options.model}"]
        self.command = [*pinned, options.programs / "fovea", "serve", "--listen", f"127.0.0.1:{port}", *models, *arguments]
        self.log = options.work / "serve.log"
        self.launch(port)
        self.await_line()

    def launch(self, port):
        with open(self.log, "w", encoding="utf-8") as log:
            super().__init__(self.command, port, stdout=subprocess.PIPE, stderr=log, text=True)

    def await_line(self):
        line = self.process.stdout.readline()
        if not line.startswith("listening"):
            sys.exit(f"bench-serving: fovea serve does not listen: {self.log.read_text(encoding='utf-8')}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def metric(self, name):
        """Returns the current value of a gauge or a counter without labels."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        return next(float(line.split()[1]) for line in lines if line.startswith(name + " "))


class Peer(Server):
    """FastAPI + LiteRT + Pillow behind uvicorn, one worker per core."""

    target = "/detect?most=10&threshold=0.3"

    def __init__(self, options):
        port, python = free_port(), python_with(HERE / "peer/requirements.txt", "serving")
        self.log = options.work / "peer.log"
        with open(self.log, "w", encoding="utf-8") as log:
            super().__init__([python, "-m", "uvicorn", "app:app", "--app-dir", HERE / "peer", "--port", port, "--workers",
                              len(os.sched_getaffinity(0)), "--no-access-log", "--log-level", "warning"], port, stderr=log,
                             env={**os.environ, "FOVEA_BENCH_MODEL": str(options.model), "PYTHONDONTWRITEBYTECODE": "1"})
        self.began = time.perf_counter()

    def await_answer(self, body):
        """Returns the seconds from exec to the first response."""
        while time.perf_counter() - self.began < 60:
            if answers(self.port, body, self.target):
                return time.perf_counter() - self.began
            time.sleep(0.01)
        sys.exit(f"bench-serving: the peer does not answer: {self.log.read_text(encoding='utf-8')}")
