# SPDX-License-Identifier: Apache-2.0
"""Compares Remote Config of a model host with other implementations, for scripts/test-host.

Run with a Python that has firebase-remote-config and firebase-admin:

  host_config.py expressions --server FILE   expressions are accepted and refused like in firebase-remote-config
  host_config.py percent --server FILE       shares match the published hash and firebase-admin
  host_config.py client --server FILE --base URL --sa FILE   firebase-remote-config reports stale tags and wrong templates
  host_config.py hostile --server FILE --base URL --sa FILE   damaged bodies, templates and patterns

Random values depend on --seed.
"""

import argparse
import concurrent.futures
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

PROJECT, KEY = "modelhost-test", "test-api-key"
METHODS = ["exactlyMatches", "contains", "notContains", "matches"]
SIGNS = ["<", "<=", "==", "!=", ">=", ">"]
ZONES = ["Europe/Lisbon", "America/New_York", "Asia/Kathmandu", "UTC"]


# Expressions

class Generator:
    """Generates expressions of the grammar, and damages them."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def blank(self, least=0):
        return " " * self.random.choice([least, least, least, 1, 1, 2])

    def text(self):
        return "'" + self.random.choice(["a", "US", "en-GB", "x y", "1.2", "^a+$", "", "it", "ä", "1:1:ios:ab"]) + "'"

    def listing(self, make):
        return "[" + ("," + self.blank()).join(make() for _ in range(self.random.randint(1, 3))) + "]"

    def version(self):
        return "'" + ".".join(str(self.random.randint(0, 30)) for _ in range(self.random.randint(1, 4))) + "'"

    def moment(self):
        zone = f",{self.blank()}'{self.random.choice(ZONES)}'" if self.random.random() < 0.5 else ""
        day = f"{self.random.randint(2019, 2030)}-{self.random.randint(1, 12):02}-{self.random.randint(1, 28):02}"
        return f"('{day}T{self.random.randint(0, 23):02}:00:59'{zone})"

    def term(self):
        pick = self.random.choice
        # Syntax that the other parser lacks is rare, so that most expressions are compared unchanged.
        has_more = self.random.random() < 0.1
        element = pick(["app.userProperty['k']", "app.customSignal['k']"])
        method = f".{pick(METHODS)}({self.listing(self.text)})"
        return pick([
            lambda: pick(["true", "false", "True"]),
            lambda: f"device.os {pick(['==', '!='])} '{pick(['ios', 'android', 'web'])}'",
            lambda: f"device.{pick(['country', 'language'])} in{self.blank(1)}{self.listing(self.text)}",
            lambda: f"app.id in {self.listing(self.text)}" if has_more else f"app.id == {self.text()}",
            lambda: f"app.{pick(['version', 'build'])}.{pick(SIGNS)}([{self.version()}])",
            lambda: f"app.{pick(['version', 'build'])}{method}",
            lambda: f"{'' if has_more else 'app.'}firebaseInstallationId in {self.listing(self.text)}",
            lambda: f"app.firstOpenTimestamp {pick(SIGNS[:2] + SIGNS[4:] if has_more else ['<=', '>'])} {self.moment()}",
            lambda: f"{'device.' if has_more else ''}dateTime {pick(['<', '>='])} dateTime{self.moment()}",
            lambda: f"app.{pick(['audiences', 'importedSegments'])}."
                    f"{pick(['inAtLeastOne', 'inAll', 'notInAtLeastOne', 'notInAll'])}({self.listing(self.text)})",
            lambda: f"{element}{method}",
            lambda: f"{element} {pick(SIGNS)} {pick(['-', ''])}{self.random.randint(0, 99)}{pick(['', '.5', '.25'])}",
            lambda: f"version(app.customSignal['v']) {pick(SIGNS)} {self.version()}" if has_more
                    else f"firstOpenTimestamp > dateTime{self.moment()}" if self.random.random() < 0.1 else "true",
            lambda: f"percent{self.seed()}{self.blank()}{pick(['<=', '>'])}{self.blank()}"
                    f"{self.random.randint(0 if has_more else 1, 100)}{'.5' if has_more else ''}",
            lambda: f"percent{self.seed()} between {self.random.randint(0, 50)} and {self.random.randint(50, 100)}",
        ])()

    def seed(self):
        return self.random.choice(["", "('seed_1')", " ('a.b-c')"])

    def expression(self):
        count = self.random.choice([1, 1, 1, 2, 3, 3, 49, 50, 51])
        return " && ".join(self.term() for _ in range(count))

    def damaged(self, text):
        for _ in range(self.random.randint(1, 3)):
            at = self.random.randint(0, len(text))
            end = min(len(text), at + self.random.randint(1, 3))
            text = self.random.choice([
                lambda: text[:at] + text[end:],
                lambda: text[:at] + text[at:end] * 2 + text[end:],
                lambda: text[:at] + self.random.choice("'[]().,&|!<>=0 9a") + text[at:],
                lambda: text[:at] + self.random.choice(["&&", " || ", " in ", "percent", "'x'", "version", "!="]) + text[end:],
                lambda: text.replace(self.random.choice(SIGNS), self.random.choice(SIGNS), 1),
                lambda: text.replace("app", "App", 1),
            ])()
        return text.replace("\n", " ").replace("\r", " ")


MOMENT = r"\(\s*'[^']*'(?:\s*,\s*'[^']*')?\s*\)"
# Syntax of Firebase's reference that the other parser lacks, with an equivalent that it has: after the replacement, both
# must accept the expression.
EXTENSIONS = [
    ("an operator directly behind its element", r"(\b(?:app\.id|device\.os|dateTime|app\.firstOpenTimestamp))(==|!=|<=|>=|<|>)", r"\1 \2"),
    ("percentages with decimals", r"(?i)\b(percent\b[^&]*?\d)\.\d*", r"\1"),
    ("percentages with decimals", r"(?i)\b(percent\b[^&]*?\band\s+\d+)\.\d*", r"\1"),
    ("0 percent", r"(?i)\b(percent\s*(?:\(\s*'[^']*'\s*\))?\s*(?:<=|>)\s*)0+(?![\d.])", r"\g<1>1"),
    ("app.id in a list", r"\bapp\.id\s+in\s*\[(\s*'[^']*'\s*,)*\s*'[^']*'\s*\]", "app.id == 'a'"),
    ("app.id in a list", r"\bapp\.id\s+in\[(\s*'[^']*'\s*,)*\s*'[^']*'\s*\]", "app.id == 'a'"),
    ("an installation's id without app.", r"(?<![\w.$])firebaseInstallationId\b", "app.firebaseInstallationId"),
    ("first opening by a dateTime", r"(?<![\w.$])(?:app\.)?firstOpenTimestamp\s*(<=|>=|<|>)\s*(?i:datetime)\s*(" + MOMENT + ")",
     r"app.firstOpenTimestamp > \2"),
    ("more comparisons of the first opening", r"(?<![\w.$])(?:app\.)?firstOpenTimestamp\s*(?:<=|>=|<|>)\s*(" + MOMENT + ")",
     r"app.firstOpenTimestamp > \1"),
    ("device.dateTime", r"\bdevice\.dateTime\b", "dateTime"),
    ("version() of a signal",
     r"\bversion\s*\(\s*app\.customSignal\s*\[\s*'[^']+'\s*\]\s*\)\s*(?:<=|>=|==|!=|<|>)\s*'[\d.]*'", "true"),
    ("conditions of Web apps, which are kept", r"\bapp\.(?:operatingSystem|browser)AndVersion\b[^&]*", "true"),
]
# Checks that the other parser does not make, by the host's message.
STRICTER = {
    "more than 50 terms": "at most 50 terms", "an operating system is": "operating systems by name",
    "a percentage is 0 to 100": "percentages up to 100", "a version is": "versions of numbers and points",
    "at most 20 digits": "numbers of 20 digits and 10 decimals", "cannot be used:": "patterns are compiled",
    "a time is written": "times with two digits", "there is no time zone": "names of time zones by their case",
}


def other_verdict(parser, text):
    """Whether firebase-remote-config accepts an expression."""
    try:
        parser.parse(text)
        return True
    except Exception:  # pylint: disable=broad-except
        return False


def reason(parser, text, is_valid, fault):
    """Returns the known differences between the two; None if there is none."""
    if not is_valid:
        return [why for what, why in STRICTER.items() if what in (fault or "")][:1] or None
    found, rewritten = [], text
    for name, pattern, replacement in EXTENSIONS:
        again = re.sub(pattern, replacement, rewritten)
        if again != rewritten:
            found.append(name)
            rewritten = again
    return list(dict.fromkeys(found)) if found and other_verdict(parser, rewritten) else None


def expressions(options):
    """Compares verdicts."""
    from firebase_remote_config.conditions import ConditionParser  # pylint: disable=import-outside-toplevel
    parser = ConditionParser()
    generator = Generator(options.seed)
    texts = []
    for index in range(options.count):
        text = generator.expression()
        texts.append(text if index % 2 == 0 else generator.damaged(text))
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("\n".join(texts) + "\n")
        file.flush()
        done = subprocess.run([options.server, "host", "config", "check", "--expressions", file.name, "--json"],
                              stdout=subprocess.PIPE, text=True, check=True)
    ours = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(ours) == len(texts), (len(ours), len(texts))
    reasons, explained, problems, both = {}, 0, 0, [0, 0]
    for text, verdict in zip(texts, ours):
        theirs = other_verdict(parser, text)
        if verdict["valid"] == theirs:
            both[theirs] += 1
            continue
        why = reason(parser, text, verdict["valid"], verdict["fault"])
        if why:
            explained += 1
            for name in why:
                reasons[name] = reasons.get(name, 0) + 1
            continue
        problems += 1
        if problems <= 20:
            print(f"  {'accepted' if verdict['valid'] else verdict['fault']}: {text[:300]}")
    print(f"test-host: expressions: {len(texts)}; both accept {both[1]}, both refuse {both[0]}, "
          f"{explained} differ with a reason, {problems} without")
    for why, count in sorted(reasons.items(), key=lambda item: -item[1]):
        print(f"  {count:4} {why}")
    return problems


# Shares

def share(seed, name):
    """Computes the published hash: 0 to 99,999,999."""
    return int(hashlib.sha256((f"{seed}.{name}" if seed else name).encode()).hexdigest(), 16) % 100_000_000


def evaluated(server, template, ids):
    """Returns the program's assignment of each installation."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "template.json").write_text(json.dumps(template), encoding="utf-8")
        (folder / "ids").write_text("\n".join(ids) + "\n", encoding="utf-8")
        done = subprocess.run([server, "host", "config", "evaluate", folder / "template.json", "--ids", folder / "ids"],
                              stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line)["p"] for line in done.stdout.splitlines()]


def percent(options):
    """Compares shares with the published hash, and with Google's evaluator."""
    began = time.monotonic()
    seed, low, high = "model_ab", 12_500_000, 60_000_001
    template = {"conditions": [
        {"name": "low", "expression": f"percent('{seed}') <= {low / 1_000_000}"},
        {"name": "middle", "expression": f"percent('{seed}') between {low / 1_000_000} and {high / 1_000_000:.6f}"},
    ], "parameters": {"p": {"defaultValue": {"value": "high"},
                            "conditionalValues": {"low": {"value": "low"}, "middle": {"value": "middle"}}}}}
    step = 50_000

    def differing(start):
        ids = [f"id-{number}" for number in range(start, min(start + step, options.ids))]
        wrong = 0
        for name, found in zip(ids, evaluated(options.server, template, ids), strict=True):
            value = share(seed, name)
            wrong += found != ("low" if value <= low else "middle" if value <= high else "high")
        return wrong

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = sum(pool.map(differing, range(0, options.ids, step)))
    print(f"test-host: percent: {options.ids} ids, {wrong} unlike the published hash, {time.monotonic() - began:.0f} s")

    import firebase_admin  # pylint: disable=import-outside-toplevel
    from firebase_admin import remote_config  # pylint: disable=import-outside-toplevel
    from google.auth.credentials import AnonymousCredentials  # pylint: disable=import-outside-toplevel

    class Anonymous(firebase_admin.credentials.Base):
        """Never contacts Google."""

        def get_credential(self):
            return AnonymousCredentials()

    app = firebase_admin.initialize_app(Anonymous(), {"projectId": PROJECT})
    server = {"conditions": [
        {"name": "low", "condition": {"percent": {"percentOperator": "LESS_OR_EQUAL", "seed": seed, "microPercent": low}}},
        {"name": "middle", "condition": {"percent": {"percentOperator": "BETWEEN", "seed": seed, "microPercentRange": {
            "microPercentLowerBound": low, "microPercentUpperBound": high}}}}],
        "parameters": template["parameters"]}
    data = {**server, "parameterGroups": {}, "version": {"versionNumber": "1"}, "etag": "e"}
    official = remote_config.init_server_template(app=app, template_data_json=json.dumps(data))
    ids = [f"user-{number}" for number in range(4_000)]
    differ = sum(found != official.evaluate({"randomization_id": name}).get_string("p")
                 for name, found in zip(ids, evaluated(options.server, template, ids), strict=True))
    print(f"test-host: percent: {len(ids)} ids through firebase-admin's evaluator, {differ} differ")
    return wrong + differ


# Hostile input

ANDROID = json.dumps({
    "appInstanceId": "fid", "appId": "1:1:android:ab", "countryCode": "US", "languageCode": "en-US", "appVersion": "1.2",
    "firstOpenTime": "2025-01-02T03:04:05.678Z", "analyticsUserProperties": {"level": "3"}, "customSignals": {"k": 7}})
APPLE = ("{app_instance_id:'fid', app_id:'1:1:ios:ab', country_code:'DE', app_version:'1.0', "
         "custom_signals:{\"k\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"}}")
TEMPLATE = json.dumps({
    "conditions": [{"name": "a", "expression": "app.customSignal['k'].matches(['(a+)+$']) && percent <= 50"}],
    "parameters": {"p": {"defaultValue": {"value": "1"}, "conditionalValues": {"a": {"value": "2"}}, "valueType": "NUMBER"}}})
PATTERNS = [r"(a+)+$", r"^(\d{1,3}\.){3}\d+$", r"(?i)[[:alpha:]_]+|x{2,5}?", r"(a|aa)*b\b", r"[^\x00-\x7F]\z"]


def damage(source, data):
    """Damages a text in one to five places."""
    data = bytearray(data)
    for _ in range(source.randint(1, 5)):
        if not data:
            break
        at = source.randrange(len(data))
        kind = source.randrange(6)
        if kind == 0:
            data[at] ^= 1 << source.randrange(8)
        elif kind == 1:
            del data[at:at + source.randint(1, 20)]
        elif kind == 2:
            data[at:at] = data[at:at + source.randint(1, 40)] * source.randint(1, 40)
        elif kind == 3:
            data[at:at] = source.choice([b"'", b'"', b"{", b"}", b"[", b"]", b"\\", b",", b":", b"\x00", b"\xff", b"(", b"*"])
        elif kind == 4:
            del data[at:]
        else:
            data[at:at + 1] = source.choice([b"1e999", b"null", b"{}", b"[]", b"9" * 400, b"\\ud800", b"{1000}", b"[" * 60])
    return bytes(data)


def client(options):
    """Publishes with firebase-remote-config, and checks that its errors are those of Google's service."""
    from firebase_remote_config import RemoteConfigClient, exceptions  # pylint: disable=import-outside-toplevel
    from google.oauth2 import service_account  # pylint: disable=import-outside-toplevel
    scopes = ["https://www.googleapis.com/auth/firebase.remoteconfig"]
    account = service_account.Credentials.from_service_account_file(options.sa, scopes=scopes)
    made = RemoteConfigClient(account, PROJECT)
    made.url = f"{options.base}/v1/projects/{PROJECT}/remoteConfig"
    # The client requires templates with conditions and parameters.
    first = {"conditions": [{"name": "c", "expression": "device.os == 'web'"}],
             "parameters": {"p": {"defaultValue": {"value": "1"}, "valueType": "STRING"}}}
    made.session.put(made.url, json=first, headers={"If-Match": "*"}, timeout=30).raise_for_status()
    stale = made.get_remote_config()
    fresh = made.update_remote_config(stale)
    problems = 0
    for name, change, wanted in [
            ("a stale tag", lambda: made.update_remote_config(stale), "VersionMismatchError"),
            ("a stale tag, checked alone", lambda: made.validate_remote_config(stale), "VersionMismatchError"),
            ("a wrong template", lambda: made.update_remote_config(wrong(fresh)), "ValidationError")]:
        try:
            change()
            seen = "nothing"
        except (exceptions.VersionMismatchError, exceptions.ValidationError, exceptions.UnexpectedError) as error:
            seen = f"{type(error).__name__}: {error}"
        right = seen.startswith(wanted) and ("[VERSION_MISMATCH]: " in seen or "[VALIDATION_ERROR]: " in seen)
        problems += not right
        if not right:
            print(f"  {name}: {seen}")
    print(f"test-host: firebase-remote-config: {3 - problems} of 3 errors")
    return problems


def wrong(template):
    """Returns the same with a condition that cannot be evaluated."""
    from firebase_remote_config.models import RemoteConfigCondition  # pylint: disable=import-outside-toplevel
    template.template.conditions = [RemoteConfigCondition(name="c", expression="no such thing")]
    return template


def hostile(options):
    """Sends damaged bodies; every response must be 200 or 400, within the time limit."""
    account = json.loads(options.sa.read_text())
    from google.oauth2 import service_account  # pylint: disable=import-outside-toplevel
    from google.auth.transport import requests  # pylint: disable=import-outside-toplevel
    credentials = service_account.Credentials.from_service_account_info(
        account, scopes=["https://www.googleapis.com/auth/cloud-platform"], always_use_jwt_access=False)
    credentials._universe_domain = "modelhost.local"  # pylint: disable=protected-access
    credentials = credentials.with_always_use_jwt_access(True)
    credentials.refresh(requests.Request())
    place = urllib.parse.urlparse(options.base)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
    source = random.Random(options.seed)
    fetch = f"/v1/projects/{PROJECT}/namespaces/firebase:fetch?key={KEY}"
    admin = {"Authorization": f"Bearer {credentials.token}", "If-Match": "*", "Content-Type": "application/json"}
    counts, slow, problems = {}, [], 0
    for index in range(options.count):
        kind = index % 4
        if kind == 0:
            call = ("POST", fetch, damage(source, source.choice([ANDROID, APPLE]).encode()), {})
        elif kind == 1:
            call = ("POST", fetch, damage(source, gzip.compress(APPLE.encode(), mtime=0)), {"Content-Encoding": "gzip"})
        elif kind == 2:
            call = ("PUT", f"/v1/projects/{PROJECT}/remoteConfig?validate_only=true", damage(source, TEMPLATE.encode()), admin)
        else:
            pattern = damage(source, source.choice(PATTERNS).encode()).decode("utf-8", "replace").replace("'", "")
            body = json.dumps({"conditions": [{"name": "a", "expression": f"app.version.matches(['{pattern}'])"}]})
            call = ("PUT", f"/v1/projects/{PROJECT}/remoteConfig?validate_only=true", body.encode(), admin)
        began = time.monotonic()
        connection.request(call[0], call[1], body=call[2], headers=call[3])
        answer = connection.getresponse()
        text = answer.read()
        seconds = time.monotonic() - began
        counts[answer.status] = counts.get(answer.status, 0) + 1
        if answer.status not in (200, 400):
            problems += 1
            if problems < 10:
                print(f"  {answer.status}: {text[:200]} for {call[2][:200]}")
        if seconds > options.limit:
            slow.append((seconds, call[2][:120]))
    longest = max(slow, default=(0, b""))
    print(f"test-host: hostile: {options.count} damaged bodies, templates and patterns: {counts}, "
          f"{len(slow)} took longer than {options.limit * 1000:.0f} ms" + (f" ({longest[0] * 1000:.0f} ms)" if slow else ""))
    # A shared machine occasionally pauses a program for longer.
    return problems + max(0, len(slow) - options.count // 1000)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["expressions", "percent", "client", "hostile"])
    parser.add_argument("--server", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--ids", type=int, default=1_000_000)
    parser.add_argument("--limit", type=float, default=0.05)
    parser.add_argument("--base")
    parser.add_argument("--sa", type=pathlib.Path)
    options = parser.parse_args()
    parts = {"expressions": expressions, "percent": percent, "client": client, "hostile": hostile}
    return 1 if parts[options.part](options) else 0


if __name__ == "__main__":
    sys.exit(main())
