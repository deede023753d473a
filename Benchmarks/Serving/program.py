# SPDX-License-Identifier: Apache-2.0
"""The server's share of the programs: instructions of a cold start, symbols, connections, size."""

import re
import shutil
import subprocess

from load import wrk
from servers import Serve
from table import show


def cold(options):
    """Measures the cold start of `fovea detect`, and checks that it contains no server code: figure 16."""
    names = subprocess.run(["nm", "-a", options.programs / "fovea"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           text=True, check=False).stdout
    found = sum("NIO" in name or "Hummingbird" in name for name in names.splitlines())
    if names:
        show(f"16. symbols of NIO and Hummingbird in `fovea`, of {len(names.splitlines()):,}", found, "0", found == 0)
    if not shutil.which("valgrind"):
        return
    bare = options.work / "fovea"
    subprocess.run(["strip", "-o", bare, options.programs / "fovea"], check=True)
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", bare, "detect", "--quiet",
                           "--threads", "1", options.photo], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=True)
    count = int(re.search(r"Collected : (\d+)", done.stderr)[1])
    show("… instructions of `fovea detect` on one photo, cold, one thread", f"{count / 1e6:.2f} million")


def outward(options):
    """Counts the connections that a server opens while it responds: figure 17."""
    if not shutil.which("strace"):
        return
    trace = options.work / "trace"
    server = Serve(options, pinned=["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", trace])
    try:
        wrk(server, server.url + server.target, 4, 2, body=options.photo)
    finally:
        server.stop()
    # The system's name service uses a local socket.
    calls = [line for line in trace.read_text(encoding="utf-8", errors="replace").splitlines()
             if "connect(" in line and "AF_UNIX" not in line]
    show("17. connections that the server opens", len(calls), "0", not calls)


def size(options):
    """Measures the size of the program: figure 18."""
    bare = options.work / "fovea-server"
    subprocess.run(["strip", "-o", bare, options.programs / "fovea-server"], check=True)
    sizes = [path.stat().st_size / 1e6 for path in (options.programs / "fovea-server", bare)]
    show("18. size of `fovea-server`, and without symbols", f"{sizes[0]:.0f} and {sizes[1]:.1f} MB")


def programs(options):
    """Measures figures 16 to 18."""
    for part in (cold, outward, size):
        part(options)
