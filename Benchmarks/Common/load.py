# SPDX-License-Identifier: Apache-2.0
"""Load on one address with wrk, on the same cores as the server."""

import json
import re
import subprocess
import sys
import tempfile

from process import program

UNITS = {"us": 1e-3, "ms": 1.0, "s": 1000.0, "m": 60_000.0}
POST = """local file = io.open({}, "rb")
wrk.method, wrk.body = "POST", file:read("*a")
file:close()
"""


def wrk(server, url, connections, seconds, headers=(), body=None, pinned=(), strict=True):
    """Returns requests/s, p50 and p99 in ms, the server's CPU milliseconds per request and its memory in MiB.

    With `body`, a path, each request posts that file; `pinned` is a prefix of wrk's command, such as `taskset`;
    without `strict`, responses other than 200 are counted as `refused`.
    """
    options = [word for header in headers for word in ("-H", header)]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        if body:
            script.write(POST.format(json.dumps(str(body))))
            script.flush()
            options += ["-s", script.name]
        before = server.cpu()
        done = subprocess.run([*pinned, program("wrk"), "--latency", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout",
                               "30s", *options, url], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        cpu, text = server.cpu() - before, done.stdout
    problem = re.search(r"(Non-2xx or 3xx responses|Socket errors): .*", text)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    if done.returncode != 0 or problem and (strict or not refused):
        sys.exit(f"benchmark: wrk on {url.split('?')[0]}: {problem[0] if problem else text}")
    requests = int(re.search(r"(\d+) requests in", text)[1])
    row = {"requests": requests, "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
           "cpu": 1000 * cpu / max(requests, 1), "resident": server.resident(),
           "refused": int(refused[1]) if refused else 0}
    for share in ("50", "99"):
        value, unit = re.search(rf"\s{share}%\s+([\d.]+)(us|ms|s|m)", text).groups()
        row["p" + share] = float(value) * UNITS[unit]
    return row
