# SPDX-License-Identifier: Apache-2.0
"""The session, the images, and shared fixtures."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

# Before the JVM starts: the workers inherit it. Only the names of tests are affected.
os.environ["FOVEA_SPARK_FAULT"] = "kill:planted-kill.jpg,hang:planted-hang.jpg"
os.environ["FOVEA_SPARK_GRACE"] = "1"
os.environ["FOVEA_SPARK_RETRY_SECONDS"] = "0.05"
os.environ["AWS_ACCESS_KEY_ID"] = "fovea"
os.environ["AWS_SECRET_ACCESS_KEY"] = "fovea-secret"
os.environ["AWS_EC2_METADATA_DISABLED"] = "true"
os.environ["PYSPARK_PYTHON"] = sys.executable

import fovea
import pytest
from fovea import _json

from fovea_spark import _job, _settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = pathlib.Path(__file__).resolve().parents[3]
PHOTOS = ROOT / "Examples/photos"
SHARED = pathlib.Path(os.environ.get("FOVEA_SHARED_DATA") or ROOT / "../shared/data").resolve()
COCO_SSD = SHARED / "models/detect/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
FIXTURE = ROOT / "Tests/Fixtures/models/ssd_postprocess.tflite"

# A shell makes its background jobs ignore SIGINT, and so do their children: tests of Ctrl-C would wait forever.
signal.signal(signal.SIGINT, signal.default_int_handler)


def skip(reason: str) -> None:
    """Skips a test, which is a failure in CI."""
    if os.environ.get("CI"):
        pytest.fail(f"skipped in CI: {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One session for the tests of this process."""
    if shutil.which("java") is None:
        skip("java is missing: install openjdk-17-jre-headless")
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.appName("tests")
        .master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.driver.memory", "1g")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("FATAL")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def coco_images() -> list[pathlib.Path]:
    """The 300 photos of COCO."""
    found = sorted((SHARED / "coco/images").glob("*.jpg"))
    if not found or not COCO_SSD.is_file():
        skip(f"no photos of COCO in {SHARED}: FOVEA_SHARED_DATA names another folder")
    return found


class Program:
    """The program `fovea`."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.environment = dict(os.environ)
        library = ROOT / ".fovea/lib/libLiteRt.so"
        if library.is_file():
            self.environment.setdefault("FOVEA_LITERT_LIBRARY", str(library))

    def run(self, *arguments: object, timeout: float = 280) -> str:
        """Returns its output; failed images are not a failure."""
        command = [str(self.path), *map(str, arguments)]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=timeout,
            check=False,
            errors="surrogateescape",
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def program() -> Program:
    """The program to compare rows with."""
    named = os.environ.get("FOVEA_PROGRAM")
    places = [pathlib.Path(named)] if named else [ROOT / ".build/release/fovea", ROOT / ".build/debug/fovea"]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        skip("the program is not built: make program, or FOVEA_PROGRAM")
    assert found is not None
    return Program(found)


ODD_NAMES = [
    "with space.jpg",
    "100%.jpg",
    "a%20b.jpg",
    "#1.jpg",
    "a=b.jpg",
    "Kätzchen 🐈.jpg",
    "two\nlines.jpg",
    "[x]{y}*?.jpg",
    "_under.jpg",
    "2026-11-26T12:30:00.jpg",
    "s3:++x.jpg",
]


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """A few photos, odd names and files that are not images."""
    made = tmp_path / "in put"
    (made / "sub").mkdir(parents=True)
    for name in ("cat", "dog", "coffee", "car"):
        shutil.copyfile(PHOTOS / f"{name}.jpg", made / f"{name}.jpg")
    for name in ODD_NAMES:
        shutil.copyfile(PHOTOS / "cat.jpg", made / "sub" / name)
    shutil.copyfile(PHOTOS / "cat.jpg", os.fsencode(made) + b"/caf\xe9.jpg")
    (made / "empty.jpg").write_bytes(b"")
    (made / "text.jpg").write_text("no image")
    (made / "truncated.jpg").write_bytes((PHOTOS / "dog.jpg").read_bytes()[:3000])
    (made / "folder.jpg").mkdir()
    with (made / "big.jpg").open("wb") as file:  # takes no space
        file.truncate(600 << 20)
    (made / ".hidden.jpg").write_bytes(b"")
    (made / "notes.txt").write_text("left out")
    return made


#: The images of `folder`.
IN_FOLDER = 4 + len(ODD_NAMES) + 1 + 4


def job(spark: SparkSession, source: object, target: object, kind: str = "detect", **settings: Any) -> int:
    """Runs a job in this process and returns its exit code."""
    return _job.Job(
        _settings.Settings(kind, str(source), str(target), **{"buckets": 2, **settings}),  # type: ignore[arg-type]
        lambda: spark,
    ).run()


def rows(target: object) -> dict[str, dict[str, Any]]:
    """A job's table by path, without the times."""
    import pyarrow.dataset as ds

    table = ds.dataset(
        str(target), partitioning=ds.partitioning(flavor="hive"), exclude_invalid_files=True
    ).to_table()
    found = table.drop_columns(["milliseconds"]).to_pylist()
    by_path = {row["path"]: row for row in found}
    assert len(by_path) == len(found)
    return by_path


def expected(line: str) -> tuple[str, Any]:
    """The name and the content of a JSON line of the program."""
    record = json.loads(line)
    record.pop("milliseconds", None)
    return record.pop("image"), record


def as_program(row: dict[str, Any]) -> dict[str, Any]:
    """A row in the program's format."""
    if row["error"] is not None:
        assert row["width"] is None
        return {"error": row["error"]}

    def label(each: dict[str, Any]) -> dict[str, Any]:
        return {"text": each["text"], "index": each["index"], "confidence": rounded(each["confidence"], 6)}

    shown = {"width": row["width"], "height": row["height"], "orientation": row["orientation"]}
    if "labels" in row:
        return {**shown, "labels": [label(each) for each in row["labels"]]}
    return {
        **shown,
        "objects": [
            {
                "box": {name: rounded(each[name], 2) for name in ("x", "y", "width", "height")},
                "score": rounded(each["score"], 6),
                "trackingID": None,
                "labels": [label(one) for one in each["labels"]],
            }
            for each in row["objects"]
        ],
    }


def rounded(value: float, places: int) -> Any:
    return json.loads(_json.number(value, places))


def version() -> str:
    return fovea.version
