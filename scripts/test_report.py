# SPDX-License-Identifier: Apache-2.0
"""The results of scripts/run-test-groups, as a table and as a report in xUnit's format."""

import re
import xml.etree.ElementTree as xml

SLOWEST = 10


class Test:
    """The state of one test, from the events of its process."""

    def __init__(self, identifier, group):
        # Group.Suite/name()/File.swift:line:column
        self.identifier, self.group = identifier, group
        parts = re.sub(r"/[^/]+\.swift:\d+:\d+$", "", identifier).removeprefix(f"{group}.")
        self.suite, _, self.name = parts.rpartition("/")
        self.began = None
        self.seconds = 0.0
        self.is_over = False
        self.skipped = None
        self.failures = []
        # The test's comment on its first failure, which is mostly the remedy.
        self.comment = ""

    @property
    def label(self):
        return f"{self.group}.{self.suite}/{self.name}" if self.suite else f"{self.group}.{self.name}"

    @property
    def outcome(self):
        return "skipped" if self.skipped is not None else "failed" if self.failures else "passed"


def seconds(path):
    """Returns the duration of each group from an earlier report; empty without one."""
    try:
        return {suite.get("name"): float(suite.get("time", 0)) for suite in xml.parse(path).iter("testsuite")}
    except (OSError, xml.ParseError, ValueError):
        return {}


def write(done, path):
    root = xml.Element("testsuites")
    for group in done:
        tests = list(group.tests.values())
        suite = xml.SubElement(root, "testsuite", name=group.name, tests=str(len(tests)), time=f"{group.seconds:.3f}")
        for test in tests:
            case = xml.SubElement(suite, "testcase", classname=f"{test.group}.{test.suite}".rstrip("."), name=test.name,
                                  time=f"{test.seconds:.3f}")
            if test.skipped is not None:
                xml.SubElement(case, "skipped").text = test.skipped
            for failure in test.failures:
                xml.SubElement(case, "failure").text = "".join(c for c in failure if c.isprintable() or c in "\n\t")
    xml.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def table(done, seconds):
    def row(name, tests, time):
        outcomes = [test.outcome for test in tests]
        return (f"{name:<26} {len(tests):6} {outcomes.count('passed'):7} {outcomes.count('failed'):7} "
                f"{outcomes.count('skipped'):8} {time:8.1f}")

    everything = [test for group in done for test in group.tests.values()]
    lines = ["", f"{'group':<26} {'tests':>6} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>8}"]
    lines += [row(group.name, list(group.tests.values()), group.seconds) for group in done]
    lines += [row("all", everything, seconds)]
    lines += ["", "the slowest tests, in seconds:"]
    lines += [f"  {test.seconds:6.1f}  {test.label}"
              for test in sorted(everything, key=lambda test: -test.seconds)[:SLOWEST]]
    if failed := [test for test in everything if test.failures]:
        lines += ["", "failed:"] + [f"  {test.label}: {test.failures[0].splitlines()[0]}" + (f": {test.comment}" if test.comment else "")
                                    for test in failed]
    return "\n".join(lines)
