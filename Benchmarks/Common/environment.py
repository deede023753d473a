# SPDX-License-Identifier: Apache-2.0
"""Virtual environments of the compared programs, in .build/peers, and the shared data."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLACE = ROOT / ".build" / "peers"
DATA = pathlib.Path(os.environ.get("FOVEA_SHARED_DATA") or ROOT / "../shared/data").resolve()


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
