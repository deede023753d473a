# SPDX-License-Identifier: Apache-2.0
"""Servers under test on free ports of this machine, and their resource usage."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

TICKS = os.sysconf("SC_CLK_TCK")


def program(name):
    """Returns the path of a program; system servers are often not on PATH."""
    found = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
    if not found:
        sys.exit(f"benchmark: there is no {name}: apt-get install {'nginx-light' if name == 'nginx' else name}")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A process group that listens on a port."""

    def __init__(self, command, port, **options):
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(list(map(str, command)), start_new_session=True, **options)

    def statistics(self):
        """Returns the fields of /proc/PID/stat of each process of the group, from the state on."""
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = entry.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == self.process.pid:
                yield fields

    def cpu(self):
        """Returns the CPU seconds of all processes so far."""
        return sum(int(fields[11]) + int(fields[12]) for fields in self.statistics()) / TICKS

    def resident(self):
        """Returns the resident memory in MiB."""
        return sum(int(fields[21]) for fields in self.statistics()) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def peak(self):
        """Returns the peak memory of the first process, in MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def descriptors(self):
        """Returns the number of open files and sockets of the first process."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(40)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
