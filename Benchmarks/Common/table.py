# SPDX-License-Identifier: Apache-2.0
"""Figures as rows of a table: subject, measured, goal, whether it is reached."""

import os
import resource
import statistics


def head(rounds):
    print(f"Load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, medians of {rounds} rounds\n")
    print("| what | measured | must be | reached |\n|---|---|---|---|", flush=True)


def show(what, value, bar=None, reached=None):
    verdict = "" if reached is None else "yes" if reached else "**no**"
    print(f"| {what} | {value} | {bar or ''} | {verdict} |", flush=True)


def median(rows, name=None):
    return statistics.median(row[name] if name else row for row in rows)


def percentile(values, share):
    """Returns a percentile; infinite without values."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)] if ordered else float("inf")


def turns(tools, number):
    """Returns the tools in the order of a round: each starts in its turn."""
    return tools[number % len(tools):] + tools[:number % len(tools)]


def allow_descriptors(count):
    """Raises the limit of open files, here and in child processes, if the system permits it."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, count) if most > 0 else count, most))
