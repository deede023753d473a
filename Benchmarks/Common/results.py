# SPDX-License-Identifier: Apache-2.0
"""Stored figures: Benchmarks/Results/NAME.json, from which scripts/result-tables makes the tables of the pages.

A file has the measure, its command, the machine, the conditions, the columns and the rows. A cell is text without the unit of
its column. A row has the day of its measurement; `transcribed` marks one that no measure wrote, with the day on which the page
got it. A row with another command, machine or other conditions than the file has its own.
"""

import datetime
import json
import math
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLACE = ROOT / "Benchmarks/Results"
LOAD = os.getloadavg()[0]  # before the measure
# The instructions that decide the speed of networks, by the names in /proc/cpuinfo.
INSTRUCTIONS = {"amx_int8": "AMX", "avx512f": "AVX-512", "avx512_vnni": "VNNI", "avx_vnni": "VNNI", "avx2": "AVX2",
                "asimddp": "DOTPROD", "i8mm": "I8MM"}
noted = []


def note(*cells):
    """Remembers a row for `record`."""
    noted.append([str(cell) for cell in cells])


def verdict(text, reached):
    return text if reached else f"{text}: **not reached**"


def significant(value, digits=3):
    """Returns a number with this many digits: 9.86, 35.9, 1,410."""
    places = digits - 1 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{round(value, places):,.{max(places, 0)}f}"


def processor(fields):
    """Returns the first value of a field of /proc/cpuinfo, given as alternatives; empty without one."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = re.search(rf"^(?:{fields})\s*: (.*)", text, re.MULTILINE)
    return found[1] if found else ""


def instructions():
    """Returns the processor's instructions for networks."""
    flags = processor("flags|Features").split()
    return ", ".join(dict.fromkeys(INSTRUCTIONS[flag] for flag in INSTRUCTIONS if flag in flags))


def machine():
    """Returns the processor, its instructions for networks, and the number of cores."""
    known = f" with {instructions()}" if instructions() else ""
    return f"{processor('model name') or os.uname().machine}{known}, {os.cpu_count()} cores"


def command():
    """Returns the command of this run if it has options besides --record, without folders outside of the repository."""
    program, *given = (os.path.relpath(word, ROOT) if word.startswith(str(ROOT)) else word for word in sys.argv)
    options = [pathlib.Path(word).name if word.startswith(("/", "..")) else word for word in given if word != "--record"]
    return " ".join([program, *options]) if options else None


def load(name):
    return json.loads((PLACE / f"{name}.json").read_text(encoding="utf-8"))


def text(table):
    """Returns the text of a file, with a column and a row on each line."""
    def value(given):
        if not isinstance(given, list):
            return json.dumps(given, ensure_ascii=False)
        return "[\n    " + ",\n    ".join(json.dumps(each, ensure_ascii=False) for each in given) + "\n  ]"

    return "{\n" + ",\n".join(f'  "{key}": {value(given)}' for key, given in table.items()) + "\n}\n"


def record(name, conditions, new=None):
    """Writes the noted rows: one whose first cell is in the file replaces that row, others are appended.

    `new` has the measure, command and columns of a file that does not exist yet.
    """
    table = load(name) if new is None or (PLACE / f"{name}.json").is_file() else {**new, "rows": []}
    rows = {row["cells"][0]: row for row in table["rows"]}
    today = datetime.date.today().isoformat()
    for cells in noted:
        if len(cells) != len(table["columns"]):
            raise ValueError(f"{name}: '{cells[0]}' has {len(cells)} cells for {len(table['columns'])} columns")
        rows[cells[0]] = {"cells": cells, "date": today, **({"command": command()} if command() else {}), "machine": machine(),
                          "conditions": f"{conditions}, load average {LOAD:.1f} before"}
    (PLACE / f"{name}.json").write_text(text({**table, "rows": list(rows.values())}), encoding="utf-8")
