# SPDX-License-Identifier: Apache-2.0
"""Servers under test on free ports of this machine, and what they cost."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

TICKS = os.sysconf("SC_CLK_TCK")


def program(name):
    """Path of a program; the system's servers are not in everybody's PATH."""
    found = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
    if not found:
        sys.exit(f"benchmark: there is no {name}: apt-get install {'nginx-light' if name == 'nginx' else name}")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A process group that listens."""

    def __init__(self, command, port, **options):
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(list(map(str, command)), start_new_session=True, **options)

    def statistics(self):
        """Fields of /proc/PID/stat of each process of the group, from the state on."""
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = entry.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == self.process.pid:
                yield fields

    def cpu(self):
        """CPU seconds of all processes so far."""
        return sum(int(fields[11]) + int(fields[12]) for fields in self.statistics()) / TICKS

    def resident(self):
        """Memory in MiB."""
        return sum(int(fields[21]) for fields in self.statistics()) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def peak(self):
        """The most memory so far, in MiB, of the first process."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def descriptors(self):
        """How many files and sockets the first process has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(40)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
