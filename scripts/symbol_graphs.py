# SPDX-License-Identifier: Apache-2.0
"""The public API, from the compiler's symbol graphs of the library modules."""

import json
import shutil
import subprocess
import sys


OURS, GOOGLE = "ours", "google"


def manifest(root, file=None):
    """Returns the manifest, from `swift package dump-package` or from a file with its output."""
    if file:
        return json.loads(file.read_text(encoding="utf-8"))
    return json.loads(subprocess.run(["swift", "package", "--package-path", str(root), "dump-package"], check=True, text=True,
                                     stdout=subprocess.PIPE).stdout)


def modules(package, kinds=(OURS, GOOGLE)):
    """Returns the Swift modules of the library: Fovea's own and those with Google's names, or only one kind."""
    for target in package["targets"]:
        path = target.get("path") or f"Sources/{target['name']}"
        if target.get("type", "regular") == "regular" and path.startswith("Sources/") and not path.startswith("Sources/C/") \
                and (GOOGLE if path.startswith("Sources/Google/") else OURS) in kinds:
            yield target["name"]


def dump(root):
    """Writes the graphs of every module and returns their folder."""
    for old in root.glob(".build/*/symbolgraph"):
        shutil.rmtree(old)
    # Its exit status is meaningless: it fails on the test runner's module, whose graph is not needed.
    run = subprocess.run(
        [root / "scripts/with-traits", "package", "--package-path", str(root), "dump-symbol-graph",
         "--minimum-access-level", "public", "--skip-synthesized-members"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    folders = list(root.glob(".build/*/symbolgraph"))
    if not folders:
        sys.exit(f"{run.stdout}\n'swift package dump-symbol-graph' wrote nothing; see the lines above.")
    return folders[0]


def public_symbols(graphs, package, problems, kinds=(OURS, GOOGLE)):
    """Yields (module, symbol) of everything public with a location in the source; adds missing graphs to `problems`."""
    for module in modules(package, kinds):
        files = [graphs / f"{module}.symbols.json", *sorted(graphs.glob(f"{module}@*.symbols.json"))]
        if not files[0].is_file():
            problems.append(f"{module}: there is no symbol graph of it in {graphs}.")
            continue
        for file in files:
            for symbol in json.loads(file.read_text(encoding="utf-8"))["symbols"]:
                if symbol["accessLevel"] in ("public", "open") and "location" in symbol:
                    yield module, symbol
