# SPDX-License-Identifier: Apache-2.0
"""The paths of the program, the photos and the shared data, and shared fixtures."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import fovea

ROOT = pathlib.Path(__file__).resolve().parents[3]
PHOTOS = ROOT / "Examples/photos"
MODELS = ROOT / "Tests/Fixtures/models"
SHARED = pathlib.Path(os.environ.get("FOVEA_SHARED_DATA") or ROOT / "../shared/data").resolve()
COCO_SSD = SHARED / "models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"

STRICT = os.environ.get("FOVEA_REQUIRE_SHARED") == "1" or (os.environ.get("CI") == "true" and SHARED.is_dir())
"""Whether all requirements of tests must be met: a skipped test is a failure then."""

_OPTIONAL = "because not installed"
"""Marks the reason of an allowed skip: packages too large to install for a test."""

# A shell makes its background jobs ignore SIGINT, and so do their children: tests of Ctrl-C would wait forever.
signal.signal(signal.SIGINT, signal.default_int_handler)

_MILLISECONDS = re.compile(r'"milliseconds": \{[^}]*\}')


def program_path() -> pathlib.Path | None:
    """The program to compare results with."""
    named = os.environ.get("FOVEA_PROGRAM")
    places = [pathlib.Path(named)] if named else [ROOT / ".build/release/fovea", ROOT / ".build/debug/fovea"]
    return next((place for place in places if place.is_file()), None)


class Program:
    """The program `fovea`."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.environment = dict(os.environ)
        library = ROOT / ".fovea/lib/libLiteRt.so"
        if library.is_file():
            self.environment.setdefault("FOVEA_LITERT_LIBRARY", str(library))

    def run(self, *arguments: object) -> str:
        """Returns its output; failed images are not a failure."""
        command = [str(self.path), *map(str, arguments)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=300,
            check=False,
            errors="surrogateescape",
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def lines(self, command: str, *arguments: object) -> list[str]:
        """The JSON lines of `detect` or `label`, without the times."""
        return [
            without_times(line)
            for line in self.run(command, "--format", "jsonl", "--quiet", *arguments).splitlines()
        ]


def without_times(line: str) -> str:
    """A JSON line without the only numbers that differ from run to run."""
    return _MILLISECONDS.sub('"milliseconds": {}', line)


def record(line: str) -> Any:
    """The object of a JSON line."""
    return json.loads(line)


_skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and _OPTIONAL not in str(report.longrepr) and not hasattr(report, "wasxfail"):
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if STRICT and _skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if STRICT and _skipped:
        terminalreporter.section("skipped, though nothing may be missing")
        for name in _skipped:
            terminalreporter.line(name)


@pytest.fixture(scope="session")
def program() -> Program:
    path = program_path()
    if path is None:
        pytest.skip("the program is not built: make program, or FOVEA_PROGRAM")
    return Program(path)


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    if not SHARED.is_dir():
        pytest.skip(f"no shared data in {SHARED}: FOVEA_SHARED_DATA names another folder")
    return SHARED


@pytest.fixture(scope="session")
def photos() -> list[pathlib.Path]:
    return sorted(PHOTOS.glob("*.jpg"))


@pytest.fixture(scope="session")
def cat() -> pathlib.Path:
    return PHOTOS / "cat.jpg"


@pytest.fixture(scope="session")
def pixels(cat: pathlib.Path) -> np.ndarray[Any, Any]:
    """The pixels of a photo, (300, 451, 3) RGB."""
    image = pytest.importorskip("PIL.Image")
    return np.asarray(image.open(cat).convert("RGB"))


@pytest.fixture(scope="session")
def detector() -> Iterator[fovea.Detector]:
    with fovea.Detector() as opened:
        yield opened


class Tensor:
    """A tensor like torch's, as numpy sees it."""

    def __init__(self, pixels: np.ndarray[Any, Any]) -> None:
        self.pixels = pixels
        self.ndim = pixels.ndim

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        return self.pixels

    def __iter__(self) -> Iterator[Any]:
        return iter(self.pixels)


def numbers(result: fovea.Detections) -> list[Any]:
    """All results, for an exact comparison."""
    return [
        result.width,
        result.height,
        result.orientation,
        result.xywh.tolist(),
        result.scores.tolist(),
        [[(label.text, label.index, label.confidence) for label in found.labels] for found in result],
    ]
