# SPDX-License-Identifier: Apache-2.0
"""A model host and nginx, each in a new folder."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

from process import Server, free_port, program

PROJECT, KEY = "bench-host", "bench-api-key"
NGINX = """daemon off; worker_processes auto; pid {state}/nginx.pid; error_log {state}/error.log warn; {user}
events {{ worker_connections 4096; }}
http {{
  access_log off; sendfile on; tcp_nopush on; etag on; keepalive_requests 1000000;
  default_type application/octet-stream;
  client_body_temp_path {state}/body; proxy_temp_path {state}/proxy; fastcgi_temp_path {state}/fastcgi;
  uwsgi_temp_path {state}/uwsgi; scgi_temp_path {state}/scgi;
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


class Nginx(Server):
    """nginx with static files, a worker per core (its default), and sendfile."""

    def __init__(self, work, root):
        state, port = work / "nginx", free_port()
        state.mkdir()
        user = "user root;" if os.geteuid() == 0 else ""
        (state / "nginx.conf").write_text(NGINX.format(state=state, port=port, root=root, user=user), encoding="utf-8")
        super().__init__([program("nginx"), "-c", state / "nginx.conf", "-p", state], port, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.02)
        sys.exit("bench-host: nginx does not listen")


class Host(Server):
    """A model host in a new folder."""

    def __init__(self, programs, work, *options):
        self.program, self.folder, port = programs / "fovea-server", work / "host", free_port()
        self.run("init", self.folder, "--project", PROJECT, "--api-key", KEY, "--url", f"http://127.0.0.1:{port}")
        self.log = open(work / "host.log", "w", encoding="utf-8")  # pylint: disable=consider-using-with
        self.command = [self.program, "host", "serve", self.folder, "--listen", f"127.0.0.1:{port}", *options]
        super().__init__(self.command, port, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.await_line()

    def await_line(self):
        line = self.process.stdout.readline()
        if not line.startswith("listening"):
            sys.exit(f"bench-host: the host does not listen: {pathlib.Path(self.log.name).read_text(encoding='utf-8')}")

    def restart(self):
        """Restarts the host.
        Returns: seconds from exec to the line that it listens."""
        self.stop()
        began = time.perf_counter()
        Server.__init__(self, self.command, self.port, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.await_line()
        return time.perf_counter() - began

    def run(self, *arguments):
        """Runs a command of the host.
        Returns: its output."""
        done = subprocess.run([self.program, "host", *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"bench-host: fovea host {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def publish(self, file, name):
        self.run("publish", file, "--name", name, "--key", self.folder / "keys/admin.json")

    def address(self, name):
        """The address of a model for devices."""
        return f"{self.url}/v1beta2/projects/{PROJECT}/models/{name}:download?key={KEY}"

    @property
    def fetch(self):
        """The address of the configuration for apps."""
        return f"{self.url}/v1/projects/{PROJECT}/namespaces/firebase:fetch?key={KEY}"

    @property
    def events(self):
        """The path of events from apps."""
        return f"/v1/projects/{PROJECT}/events:batch?key={KEY}"

    def information(self, name):
        with urllib.request.urlopen(self.address(name), timeout=30) as answer:
            return json.load(answer)
