# SPDX-License-Identifier: Apache-2.0
"""Types, layout and style: mypy --strict, pyright, stubtest and ruff find nothing."""

from __future__ import annotations

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent


def run(*command: str) -> None:
    tool = pathlib.Path(sys.executable).parent / command[0]
    if not tool.is_file() and shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    place = str(tool) if tool.is_file() else command[0]
    done = subprocess.run(
        [place, *command[1:]], cwd=HERE, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(autouse=True, scope="module")
def optional_packages() -> None:
    missing = [name for name in ("PIL", "pandas") if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"types of {', '.join(missing)} are not there")


def test_mypy() -> None:
    run("mypy")


def test_pyright() -> None:
    run("pyright", "--pythonpath", sys.executable)


def test_stubtest() -> None:
    allowed = "tests/typing/stubtest-allowlist.txt"
    run(
        "stubtest",
        "--mypy-config-file",
        "pyproject.toml",
        "--allowlist",
        allowed,
        "--ignore-unused-allowlist",
        "fovea",
    )


def test_ruff() -> None:
    run("ruff", "check", ".")
    run("ruff", "format", "--check", ".")
