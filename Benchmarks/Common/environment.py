# SPDX-License-Identifier: Apache-2.0
"""Virtual environments of the compared programs, in .build/peers."""

import pathlib
import subprocess
import sys

PLACE = pathlib.Path(__file__).resolve().parent.parent.parent / ".build" / "peers"


def python_with(requirements, name="venv"):
    """Returns the Python of a virtual environment; creates it if it is missing or has other versions."""
    python, wanted = PLACE / name / "bin/python", requirements.read_text(encoding="utf-8")
    mark = PLACE / ("installed.txt" if name == "venv" else f"{name}.txt")
    if not (mark.is_file() and mark.read_text(encoding="utf-8") == wanted):
        print(f"benchmark: installing {requirements.name} into .build/peers/{name}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", PLACE / name], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
                       check=True)
        mark.write_text(wanted, encoding="utf-8")
    return str(python)
