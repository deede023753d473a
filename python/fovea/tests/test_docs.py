# SPDX-License-Identifier: Apache-2.0
"""Each Python block of the pages runs, and prints the output shown below it."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT

PAGES = [
    ROOT / "docs/how-to/python.md",
    ROOT / "docs/how-to/masks.md",
    ROOT / "docs/how-to/bodies.md",
    ROOT / "docs/how-to/find-alike.md",
    ROOT / "python/fovea/README.md",
    ROOT / "README.md",
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def blocks(page: pathlib.Path) -> list[tuple[str, str | None]]:
    """Python, and the output shown right below."""
    found = [(block[1], block[2]) for block in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    following = [*found[1:], ("end", "")]
    return [
        (code, after[1] if after[0] == "" and not after[1].startswith("$") else None)
        for (kind, code), after in zip(found, following, strict=True)
        if kind == "python"
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_run_one_after_the_other(page: pathlib.Path) -> None:
    """In one process, as in a notebook; other processors round differently, so numbers are compared to a tenth."""
    code = blocks(page)
    assert len(code) >= {"python.md": 9, "masks.md": 4, "bodies.md": 1}.get(page.name, 0)
    marked = [f"print('\\x00', {number})\n{each}" for number, (each, _) in enumerate(code)]
    environment = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(marked)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    printed = re.split(r"\x00 \d+\n", done.stdout)[1:]
    for (each, shown), out in zip(code, printed, strict=True):
        if shown is not None:
            assert NUMBER.sub("N", out) == NUMBER.sub("N", shown), each
            for printed_number, shown_number in zip(NUMBER.findall(out), NUMBER.findall(shown), strict=True):
                assert float(printed_number) == pytest.approx(float(shown_number), rel=0.1, abs=0.1), each
