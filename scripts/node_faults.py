# SPDX-License-Identifier: Apache-2.0
"""Clients of several model hosts under load, and faults of single hosts, for scripts/test-nodes."""

import asyncio
import hashlib
import http.client
import json
import random
import shutil
import subprocess
import threading
import time
import urllib.parse

# A clock that is off, for one process.
CLOCK = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static time_t offset(void) { const char *text = getenv("CLOCK_OFFSET"); return text ? atol(text) : 0; }
int clock_gettime(clockid_t clock, struct timespec *time) {
  int status = syscall(SYS_clock_gettime, clock, time);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offset();
  return status;
}
int gettimeofday(struct timeval *time, void *zone) {
  int status = syscall(SYS_gettimeofday, time, zone);
  if (status == 0) time->tv_sec += offset();
  return status;
}
time_t time(time_t *target) {
  struct timeval now;
  gettimeofday(&now, 0);
  if (target) *target = now.tv_sec;
  return now.tv_sec;
}
"""


class Devices:
    """Simulated devices that ask the balancer for a model now and then, and download each new version from the bucket.

    They send a failed request again after a second, as real ones do, and check what they have downloaded. `failed` has the failed
    requests; `noticed` those that failed again, and each wrong file.
    """

    def __init__(self, port, path, count, interval=10.0):
        self.port, self.path, self.interval = port, path, interval
        self.asked, self.downloads, self.failed, self.noticed = 0, 0, [], []
        self.have = [None] * count
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.all()), daemon=True)
        self.thread.start()

    async def all(self):
        # As many requests at once as a thousand devices have when they ask every ten seconds.
        self.places = asyncio.Semaphore(16)
        await asyncio.gather(*(self.device(number) for number in range(len(self.have))))

    async def device(self, number):
        await asyncio.sleep(random.uniform(0, self.interval))
        while not self.stopped.is_set():
            try:
                await self.visit(number)
            except (OSError, ValueError, EOFError) as error:
                self.noticed.append(f"{type(error).__name__} {error}")
            end = time.monotonic() + random.uniform(0.5, 1.5) * self.interval
            while time.monotonic() < end and not self.stopped.is_set():
                await asyncio.sleep(0.5)

    async def visit(self, number):
        headers = {"If-None-Match": self.have[number]} if self.have[number] else {}
        async with self.places:
            status, _, body = await self.request(self.port, self.path, (200, 304), **headers)
        self.asked += 1
        if status == 304:
            return
        found = json.loads(body)
        # The address of the file leads from the balancer to the bucket.
        target = found["downloadUri"].split("/", 3)[3]
        async with self.places:
            _, headers, _ = await self.request(self.port, "/" + target, (307,))
            place = urllib.parse.urlsplit(headers["location"])
            _, _, body = await self.request(place.port, f"{place.path}?{place.query}", (200,))
        if hashlib.sha256(body).hexdigest() != found["sha256"]:
            self.noticed.append("another file")
        self.have[number] = found["sha256"]
        self.downloads += 1

    async def request(self, port, path, right, **headers):
        """Returns status, headers and body of a request, which is sent once more if it fails."""
        for is_last in (False, True):
            try:
                found = await asyncio.wait_for(self.send(port, path, headers), 30)
                if found[0] in right:
                    return found
                problem = f"{found[0]} {found[2][:200]}"
            except (OSError, EOFError, ValueError, IndexError, asyncio.TimeoutError) as error:
                problem = type(error).__name__
            self.failed.append(problem)
            if is_last:
                raise OSError(problem)
            await asyncio.sleep(1)

    @staticmethod
    async def send(port, path, headers):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close", *(f"{k}: {v}" for k, v in headers.items())]
            writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            fields = {name.lower(): text.strip() for name, _, text in (line.partition(":") for line in head[1:])}
            status = int(head[0].split()[1])
            length = 0 if status in (204, 304) else int(fields["content-length"]) if "content-length" in fields else None
            return status, fields, await (reader.read() if length is None else reader.readexactly(length))
        finally:
            writer.close()

    def stop(self):
        self.stopped.set()
        self.thread.join(60)


class Publishers:
    """Clients that publish one file after the other through the balancer, and send a failed one again."""

    def __init__(self, balancer, path, token, variant, count):
        self.balancer, self.path, self.token, self.variant = balancer, path, token, variant
        self.answered, self.problems, self.worst = {}, [], (0, [])
        # The kills so far, and those whose effects are over.
        self.kills, self.ended, self.failures = 0, 0, 0
        self.lock, self.stopped = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.publish_all, args=(number,), daemon=True) for number in range(1, count + 1)]
        for thread in self.threads:
            thread.start()

    def publish_all(self, number):
        model = f"m{number}"
        for index in range(number * 1_000_000, (number + 1) * 1_000_000):
            if self.stopped.is_set():
                return
            file, digest = self.variant(index)
            try:
                self.publish(model, file.read_bytes(), digest)
            except (KeyError, ValueError) as error:
                self.problems.append(repr(error))
            file.unlink()

    def publish(self, model, data, digest):
        failures, before = [], self.ended
        while True:
            wait = 1.0
            try:
                status, headers, body = self.balancer.request(self.path.format(model), "POST", data, Authorization=f"Bearer {self.token}")
                if status == 200:
                    break
                # While the database or the bucket is away.
                wait = float(headers["Retry-After"] or 5)
                if status not in (409, 502, 503, 504):
                    self.problems.append(f"{status} {body[:200]}")
                failures.append(f"{status} {body[:200]} at kill {self.kills}")
            except (OSError, http.client.HTTPException) as error:
                failures.append(f"{error!r} at kill {self.kills}")
            time.sleep(wait)
        key = (model, json.loads(body)["version"])
        with self.lock:
            if self.answered.setdefault(key, digest) != digest:
                self.problems.append(f"{key} was given twice")
            self.failures += len(failures)
            # A kill takes one request of a client at most.
            self.worst = max(self.worst, (len(failures) - (self.kills - before), failures), key=lambda found: found[0])

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(120)


def newer(nodes, client, server, database, variant, check, wait):
    """A newer program adds to the tables: hosts that serve go on, and one that starts refuses them with a line."""
    number = int(server.sql("SELECT number FROM schema", database=database))
    server.sql("ALTER TABLE model ADD COLUMN later TEXT", "CREATE TABLE later (number BIGINT)",
               f"UPDATE schema SET number = {number + 1}", database=database, user="app")
    file, digest = variant(60_000_000)
    check("newer tables: a host publishes", client.publish(file, "newer") is not None)
    check("newer tables: all hosts have it",
          wait(lambda: all(node.information("newer")[1]["ETag"] == digest for node in nodes), 6) is not None)
    nodes[-1].stop()
    refusal = nodes[-1].refusal()
    check("newer tables: an older program does not start", refusal.count("\n") == 1 and f"has version {number + 1}" in refusal, refusal)
    server.sql("ALTER TABLE model DROP COLUMN later", "DROP TABLE later", f"UPDATE schema SET number = {number}", database=database,
               user="app")
    nodes[-1].start()
    check("newer tables: it starts after their removal", nodes[-1].information("newer")[1]["ETag"] == digest)


def skewed(nodes, client, work, variant, check, wait):
    """A host whose clock is an hour off does not start; one that is ten minutes off says that it should not get changes."""
    compiler, library = shutil.which("clang") or shutil.which("cc"), work / "clock.so"
    if not compiler:
        print("test-nodes: a clock that is off: left out: clang is not installed")
        return
    (work / "clock.c").write_text(CLOCK, encoding="utf-8")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, work / "clock.c"], check=True)
    node = nodes[-1]
    for seconds in (3_600, -3_600, 600, -600):
        name, clock = f"a clock {seconds / 60:+.0f} minutes off", {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(seconds)}
        node.stop()
        if abs(seconds) > 900:
            refusal = node.refusal(**clock)
            check(f"{name}: the bucket refuses it in a line", refusal.count("\n") == 1 and "Set the clock" in refusal, refusal)
            node.start()
            continue
        node.start(**clock)
        is_noticed = wait(lambda: node.metric("fovea_host_clock_error_seconds"), 10)
        check(f"{name}: it is measured", is_noticed and abs(node.metric("fovea_host_clock_error_seconds") - seconds) < 5)
        status, _, body = node.request("/readyz?for=write")
        check(f"{name}: not ready to write, with the reason", status == 503 and b"600 s" in body, (status, body))
        check(f"{name}: ready to read", node.request("/readyz?for=read")[0] == 200)
        # The balancer looks once a second.
        time.sleep(3)
        file, digest = variant(70_000_000 + seconds)
        check(f"{name}: a publish reaches another host", client.publish(file, "clock") is not None)
        check(f"{name}: and this one hears of it", wait(lambda: node.information("clock")[1]["ETag"] == digest, 6) is not None)
    node.stop()
    node.start()
    check("a clock that is right again", wait(lambda: node.request("/readyz")[0] == 200, 10) is not None)


def full(nodes, client, work, variant, check, wait, token, project):
    """A host whose disk is full refuses uploads and stores nothing of them; everything else goes on."""
    node, disk = nodes[-1], work / "small"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("test-nodes: a full disk: left out: only root may mount one")
        return
    node.stop()
    try:
        shutil.copytree(node.folder, disk / "node", ignore=shutil.ignore_patterns("blobs", "uploads"))
        there = node.at(disk / "node")
        there.start()
        with open(disk / "filler", "wb") as filler:
            try:
                while filler.write(b"\0" * 65_536):
                    filler.flush()
            except OSError:
                pass
        path = f"/v1/host/projects/{project}/models/full/versions"
        file, digest = variant(90_000_000)
        status, _, body = there.request(path, "POST", file.read_bytes(), Authorization=f"Bearer {token}")
        check("a full disk: an upload is refused with the reason", status in (503, 507) and b"disk" in body, (status, body))
        left = [name for name in (disk / "node" / "uploads").rglob("*") if name.is_file()]
        check("a full disk: nothing of it stays", not left, left)
        check("a full disk: devices are answered", there.information()[0] == 200)
        check("a full disk: another host publishes", client.publish(file, "full") is not None)
        check("a full disk: and this one has it", wait(lambda: there.information("full")[1]["ETag"] == digest, 6) is not None)
        (disk / "filler").unlink()
        status, _, body = there.request(path, "POST", variant(90_000_001)[0].read_bytes(), Authorization=f"Bearer {token}")
        check("a full disk: uploads are accepted once there is space", status == 200, (status, body))
        there.stop()
    finally:
        subprocess.run(["umount", disk], check=False)
    node.start()
