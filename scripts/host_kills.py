# SPDX-License-Identifier: Apache-2.0
"""Kills a model host during publishes, for scripts/test-kills."""

import base64
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

PROJECT, KEY, BUCKET = "test-kills", "test-api-key", "test-kills.appspot.com"
# Failpoints at which a debug build kills itself (Failpoint.swift), and how often a publish or a start passes each.
PLACES = {"commit.before": 6, "commit.after": 6, "blob.write": 12, "blob.sync": 3, "blob.rename": 3, "blob.folder": 3,
          "blob.done": 3}
GONE = (OSError, http.client.HTTPException)


def fail(text):
    sys.exit(f"test-kills: error: {text}")


def signed_token(key_file, work):
    """Returns a token signed with a service key; openssl needs the private key as a file in the folder `work`."""
    account = json.loads(pathlib.Path(key_file).read_text())
    code = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")
    now = int(time.time())
    head = {"alg": "RS256", "typ": "JWT", "kid": account["private_key_id"]}
    claims = {"iss": account["client_email"], "sub": account["client_email"], "iat": now, "exp": now + 3600,
              "scope": "https://www.googleapis.com/auth/cloud-platform"}
    text = b".".join(code(json.dumps(part).encode()) for part in (head, claims))
    key = pathlib.Path(work) / "key.pem"
    key.touch(0o600)
    key.write_text(account["private_key"])
    signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=text, check=True,
                               stdout=subprocess.PIPE).stdout
    return (text + b"." + code(signature)).decode()


class HostUnderTest:
    """A host in its own folder, and everything that its clients know for certain."""

    def __init__(self, programs, model, numbers):
        self.programs, self.numbers, self.base = programs, numbers, model.read_bytes()
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="fovea-kills-"))
        self.folder = self.work / "host"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.command("init", self.folder, "--project", PROJECT, "--api-key", KEY, "--url", self.url)
        self.token = signed_token(self.folder / "keys/admin.json", self.work)
        self.lock = threading.Lock()
        self.sent = {}  # by SHA-256, the name of the model
        self.answered = []  # name, number (None if the reply does not contain it), SHA-256
        self.uploaded = set()  # SHA-256 of acknowledged uploads through Google's route
        self.process = None

    def command(self, *arguments):
        done = subprocess.run([self.programs / "fovea-server", "host", *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            fail(f"fovea host {arguments[0]}: {done.stdout}")
        return done.stdout

    def start(self, place=None):
        """Returns whether it listens; it may have died at the failpoint."""
        environment = {**os.environ, **({"FOVEA_FAIL_AT": place} if place else {})}
        with open(self.work / "log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [self.programs / "fovea-server", "host", "serve", self.folder, "--listen", f"127.0.0.1:{self.port}"],
                stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        listens = self.process.stdout.readline().startswith("listening")
        if not listens and not place:
            fail("the host does not start again:\n" + (self.work / "log").read_text()[-2000:])
        return listens

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def request(self, method, path, body=None, **headers):
        """Returns the JSON of a response with status 200."""
        request = urllib.request.Request(self.url + path, data=body, method=method, headers={
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/octet-stream", **headers})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def new_file(self, name):
        """Returns the file of a new version; TFLite ignores bytes after a model."""
        with self.lock:
            data = self.base + self.numbers.randbytes(self.numbers.randrange(1, 400_000))
            sha256 = hashlib.sha256(data).hexdigest()
            self.sent[sha256] = name
        return data, sha256

    # Publishers: each publishes again and again until the host is gone.

    def publish(self, name):
        data, sha256 = self.new_file(name)
        reply = self.request("POST", f"/v1/host/projects/{PROJECT}/models/{name}/versions?channel=stable", data)
        self.answered.append((name, reply["version"], sha256))

    def publish_by_command(self, name):
        data, sha256 = self.new_file(name)
        file = self.work / f"{name}.tflite"
        file.write_bytes(data)
        done = subprocess.run([self.programs / "fovea-server", "host", "publish", file, "--name", name, "--key",
                               self.folder / "keys/admin.json", "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode == 0:
            self.answered.append((name, json.loads(done.stdout)["version"], sha256))
        elif "does not answer" not in done.stderr:
            raise RuntimeError(f"fovea host publish: {done.stderr}")
        else:
            raise OSError("gone")

    def publish_as_google(self, name):
        data, sha256 = self.new_file(name)
        self.request("POST", f"/upload/storage/v1/b/{BUCKET}/o?uploadType=media&name={sha256}", data)
        self.uploaded.add(sha256)
        models = self.request("GET", f"/v1beta2/projects/{PROJECT}/models").get("models", [])
        found = [model["name"] for model in models if model["displayName"] == name]
        body = {"displayName": name, "tfliteModel": {"gcsTfliteUri": f"gs://{BUCKET}/{sha256}"}}
        mask = "tfliteModel.gcsTfliteUri"
        path = f"/v1beta2/{found[0]}?updateMask={mask}" if found else f"/v1beta2/projects/{PROJECT}/models"
        operation = self.request("PATCH" if found else "POST", path, json.dumps(body).encode(),
                                 **{"Content-Type": "application/json"})
        while not operation.get("done"):
            time.sleep(0.02)
            operation = self.request("GET", "/v1beta2/" + operation["name"])
        if "error" in operation:
            raise RuntimeError(f"Google's route: {operation['error']}")
        if operation["response"].get("modelHash") == sha256:
            self.answered.append((name, None, sha256))

    def publishers(self):
        for name, way in (("one", self.publish), ("two", self.publish), ("command", self.publish_by_command),
                          ("google", self.publish_as_google)):
            yield threading.Thread(target=self.repeat, args=(way, name), daemon=True)

    def repeat(self, way, name):
        try:
            while True:
                way(name)
        except urllib.error.HTTPError as error:
            self.problem = f"publish of {name}: {error.code} {error.read()[:300]}"
        except GONE:
            pass
        except (RuntimeError, KeyError, ValueError) as error:
            self.problem = f"publish of {name}: {error!r}"

    problem = None

    # Checks.

    def blob(self, sha256):
        return self.folder / "blobs/sha256" / sha256[:2] / sha256[2:]

    def check_blob(self, sha256, why):
        try:
            found = hashlib.sha256(self.blob(sha256).read_bytes()).hexdigest()
        except OSError:
            found = "missing"
        if found != sha256:
            fail(f"the file {sha256} of {why} is {found}")

    def models(self):
        """Returns every model with its versions, by name."""
        path = f"/v1/host/projects/{PROJECT}/models"
        return {row["name"]: self.request("GET", f"{path}/{row['name']}") for row in self.request("GET", path)["models"]}

    def check(self):
        """Checks that every acknowledged publish exists, and that everything stored is complete and served.
        Returns: the number of versions."""
        models = self.models()
        for name, number, sha256 in self.answered:
            versions = models.get(name, {"versions": []})["versions"]
            if not any(row["sha256"] == sha256 and number in (None, row["version"]) for row in versions):
                fail(f"version {number} of {name} ({sha256}), which was acknowledged, is gone")
        for name, model in models.items():
            numbers = [row["version"] for row in model["versions"]]
            if len(set(numbers)) != len(numbers):
                fail(f"{name} has two versions of one number: {numbers}")
            for row in model["versions"]:
                if self.sent.get(row["sha256"]) != name:
                    fail(f"version {row['version']} of {name} is {row['sha256']}, which was never sent")
                self.check_blob(row["sha256"], f"version {row['version']} of {name}")
            if model["published"]:
                self.check_delivery(name, model)
        for sha256 in self.uploaded:
            self.check_blob(sha256, "an answered upload")
        return sum(len(model["versions"]) for model in models.values())

    def check_delivery(self, name, model):
        """Checks that devices get the last acknowledged version, or a later one that was not acknowledged."""
        with urllib.request.urlopen(f"{self.url}/v1beta2/projects/{PROJECT}/models/{name}:download?key={KEY}",
                                    timeout=30) as answer:
            information = json.load(answer)
        if name != "google":
            last = max([number for known, number, _ in self.answered if known == name], default=0)
            if int(information["version"]) < last:
                fail(f"devices get version {information['version']} of {name}; {last} was acknowledged")
        if information["sha256"] not in [row["sha256"] for row in model["versions"]]:
            fail(f"devices get {information['sha256']} of {name}, which is not a version")
        with urllib.request.urlopen(information["downloadUri"], timeout=30) as answer:
            if hashlib.sha256(answer.read()).hexdigest() != information["sha256"]:
                fail(f"the file of {name} that devices get does not match its hash")

    def check_sweep(self):
        """Checks that old unused files are removed and all others stay.
        Returns: the number of removed files."""
        old = time.time() - 2 * 24 * 3600
        files = list((self.folder / "blobs").rglob("*/??/*")) + list((self.folder / "uploads").iterdir())
        for file in files:
            os.utime(file, (old, old))
        self.start()
        versions = self.check()
        # The collection starts with the host, and ends a little later.
        used = {row["sha256"] for model in self.models().values() for row in model["versions"]}
        needed = lambda file: file.parent.name + file.name in used or self.sent.get(
            file.parent.name + file.name) == "google"
        for _ in range(100):
            left = [file for file in files if file.exists() and not needed(file)]
            if not left:
                break
            time.sleep(0.1)
        else:
            fail(f"{len(left)} files without a version were not removed: {left[:3]}")
        self.check()
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(60) != 0:
            fail("the host does not exit cleanly")
        self.command("fsck", self.folder)
        return versions, sum(not file.exists() for file in files)


def run(programs, model, count, numbers):
    """Kills a host this many times."""
    if not shutil.which("openssl"):
        fail("there is no openssl to sign the token")
    host = HostUnderTest(programs, model, numbers)
    kills = at_places = 0
    span = 1.0
    try:
        while kills < count:
            # Every other time it dies at a failpoint, in a debug build; otherwise at a random moment.
            place = numbers.choice(sorted(PLACES)) if kills % 2 else None
            listens = host.start(f"{place}:{numbers.randint(1, PLACES[place])}" if place else None)
            if listens:
                try:
                    host.check()
                except GONE:
                    if not place:
                        raise
            answered = len(host.answered)
            threads = list(host.publishers()) if listens else []
            for thread in threads:
                thread.start()
            try:
                host.process.wait(2 if place else numbers.uniform(0, span))
                if host.process.returncode != 137 or not place:
                    fail(f"the host ended by itself with {host.process.returncode}")
                at_places += 1
            except subprocess.TimeoutExpired:
                pass
            host.kill()
            kills += 1
            for thread in threads:
                thread.join()
            # Kills are spread over the duration of a few publishes.
            span = min(span * 1.1, 6) if len(host.answered) == answered else max(span * 0.9, 0.3)
            if host.problem:
                fail(host.problem)
        versions, swept = host.check_sweep()
    finally:
        if host.process and host.process.poll() is None:
            host.kill()
        shutil.rmtree(host.work, ignore_errors=True)
    print(f"test-kills: {kills} kills of a host, {at_places} of them at a step of a publish; {len(host.answered)} acknowledged "
          f"publishes, {versions} versions: every acknowledged one exists and is complete, {swept} unused files are removed")
