# SPDX-License-Identifier: Apache-2.0
"""Types, layout and style: mypy --strict, pyright, stubtest and ruff find nothing."""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent.parent


def run(module: str, *arguments: str) -> None:
    """Runs a tool as a module: its script names the Python it was installed for, which may have moved."""
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        pytest.skip(f"{module} is not installed")
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=280, check=False)
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
        "mypy.stubtest",
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
