# SPDX-License-Identifier: Apache-2.0
"""Images that kill or block a worker, and killed processes: the final table is the same."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from conftest import PHOTOS, ROOT, job, rows, skip

from fovea_spark import _find, _recipe, _watchdog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COMMAND = pathlib.Path(__file__).resolve().parents[1] / "fovea-spark.py"


def many(folder: pathlib.Path, count: int) -> pathlib.Path:
    """Links to photos under other names."""
    folder.mkdir()
    photos = sorted(PHOTOS.glob("*.jpg"))
    for number in range(count):
        (folder / f"{number:03}.jpg").symlink_to(photos[number % len(photos)])
    return folder


def test_an_image_that_kills_its_worker_is_a_row(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    folder = many(tmp_path / "in", 12)
    job(spark, folder, tmp_path / "plain", buckets=1)
    shutil.copyfile(PHOTOS / "cat.jpg", folder / "planted-kill.jpg")
    assert job(spark, folder, tmp_path / "out", buckets=1) == 1
    found = rows(tmp_path / "out")
    bad = found.pop("planted-kill.jpg")
    assert bad["error"]["code"] == "crashed"
    assert "signal 9 (SIGKILL)" in bad["error"]["message"]
    assert found == rows(tmp_path / "plain")
    record = json.loads((tmp_path / "out/_fovea/bucket-0.json").read_text())
    assert record["counts"]["images"] == 13


def test_an_image_that_hangs_is_a_row(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    folder = many(tmp_path / "in", 4)
    shutil.copyfile(PHOTOS / "cat.jpg", folder / "planted-hang.jpg")
    assert job(spark, folder, tmp_path / "out", buckets=1, timeout=3) == 1
    found = rows(tmp_path / "out")
    assert found.pop("planted-hang.jpg")["error"]["code"] == "timeout"
    assert len(found) == 4
    assert all(row["error"] is None for row in found.values())


@pytest.fixture
def small_disk(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A file system of 24 KiB."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24k", "fovea-test", place],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode != 0:
        skip(f"no small file system without the rights of root: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def test_a_full_disk_fails_the_job_and_resume_finishes_it(
    spark: SparkSession, tmp_path: pathlib.Path, small_disk: pathlib.Path
) -> None:
    folder = many(tmp_path / "in", 40)
    job(spark, folder, tmp_path / "plain")
    with pytest.raises(Exception, match="No space left on device"):
        job(spark, folder, small_disk / "out")
    assert len(rows(tmp_path / "plain")) == 40
    subprocess.run(["mount", "-o", "remount,size=16m", small_disk], check=True)
    assert job(spark, folder, small_disk / "out", resume=True) == 0
    assert rows(small_disk / "out") == rows(tmp_path / "plain")


def test_a_slow_model_is_cancelled(tmp_path: pathlib.Path) -> None:
    """A run ends at the model's next operator; the detector stays usable."""
    recipe, _ = _recipe.made("detect", None, {"slice": 64}, 0.02)
    finder = _find.InProcess(recipe, None)
    big = _find.Image("big", str(PHOTOS / "astronaut.jpg"))
    codes = [(row["error"] or {}).get("code") for row in finder.find([big, big]).to_pylist()]
    assert codes == ["timeout", "timeout"]
    finder.close()


def test_the_watchdog_is_idle_between_calls() -> None:
    dog = _watchdog.Watchdog(0.2)
    for _ in range(3):
        assert dog.run(lambda cancel: 7) == 7
    time.sleep(0.5)
    seen: list[float] = []
    began = time.monotonic()

    def waits(cancel: Any) -> None:
        while time.monotonic() - began < 5 and not seen:
            if dog._deadline is not None and time.monotonic() > dog._deadline:
                seen.append(time.monotonic() - began)
            time.sleep(0.01)

    dog.run(waits)
    assert 0.15 < seen[0] < 3


def test_a_call_after_a_cancelled_one_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also within the grace period of the previous one."""
    monkeypatch.setattr(_watchdog, "GRACE", 60.0)
    dog = _watchdog.Watchdog(0.05)

    def is_cancelled(cancel: Any) -> bool:
        return until(lambda: dog._is_set, 20)

    assert [dog.run(is_cancelled) for _ in range(3)] == [True, True, True]


def test_a_child_that_cannot_open_the_model(tmp_path: pathlib.Path) -> None:
    import dataclasses

    recipe, _ = _recipe.made("detect", None, {}, 60)
    finder = _find.Isolated(dataclasses.replace(recipe, model_sha256="00"), None)
    with pytest.raises(RuntimeError, match="could not open the model"):
        finder.find([_find.Image("cat", str(PHOTOS / "cat.jpg"))])


def processes(root: int, word: str) -> list[int]:
    """The descendants of a process whose command line contains a word."""
    children: dict[int, list[int]] = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(errors="replace")
            except OSError:
                continue
            children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        for child in children.get(waiting.pop(), []):
            waiting.append(child)
            try:
                line = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if word in line:
                found.append(child)
    return found


def parent(pid: int) -> int:
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[1])


def until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_killed_python_workers(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    folder = many(tmp_path / "in", 150)
    job(spark, folder, tmp_path / "plain", buckets=1)
    outcome: list[int] = []
    thread = threading.Thread(target=lambda: outcome.append(job(spark, folder, tmp_path / "out", buckets=1)))
    thread.start()
    killed = 0

    def kills() -> bool:
        nonlocal killed
        daemons = set(processes(os.getpid(), "pyspark.daemon"))
        for worker in daemons:
            try:
                if parent(worker) in daemons and (tmp_path / "out/bucket=0").exists():
                    os.kill(worker, signal.SIGKILL)
                    killed += 1
            except OSError:
                continue
        return killed >= 2 or not thread.is_alive()

    until(kills, 120)
    thread.join(200)
    assert not thread.is_alive()
    assert killed >= 1
    assert outcome == [0]
    assert rows(tmp_path / "out") == rows(tmp_path / "plain")


def command(*arguments: object) -> list[str]:
    return [sys.executable, str(COMMAND), *map(str, arguments)]


def test_a_killed_driver(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    """After --resume the table equals that of one run."""
    folder, target = many(tmp_path / "in", 240), tmp_path / "out"
    driver = subprocess.Popen(
        command("detect", folder, target, "--buckets", 12, "--master", "local[1,4]"),
        stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        begun = until(
            lambda: len(list(target.glob("_fovea/bucket-*.json"))) >= 3 or driver.poll() is not None, 200
        )
    finally:
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait(30)
    # The workers have their own group and end with the JVM.
    assert begun
    done = len(list(target.glob("_fovea/bucket-*.json")))
    assert 3 <= done < 12
    assert (target / "_fovea/lock.json").exists()
    assert job(spark, folder, target, buckets=None, resume=True) == 0
    notes = json.loads((target / "_fovea/run.json").read_text())
    assert (notes["state"], notes["images"], notes["buckets_skipped"]) == ("done", 240, done)
    job(spark, folder, tmp_path / "fresh", buckets=12)
    assert rows(target) == rows(tmp_path / "fresh")


def test_ctrl_c(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    folder, target = many(tmp_path / "in", 200), tmp_path / "out"
    driver = subprocess.Popen(
        command("detect", folder, target, "--buckets", 10, "--master", "local[1,4]"),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert until(
            lambda: bool(list(target.glob("_fovea/bucket-*.json"))) or driver.poll() is not None, 200
        )
        driver.send_signal(signal.SIGINT)
        _, errors = driver.communicate(timeout=120)
    finally:
        driver.kill()
        driver.wait(30)
    assert driver.returncode == 130, errors[-3000:]
    assert "interrupted; --resume continues" in errors
    assert json.loads((target / "_fovea/run.json").read_text())["state"] == "interrupted"
    assert not (target / "_fovea/lock.json").exists()
    assert job(spark, folder, target, buckets=None, resume=True) == 0
    assert len(rows(target)) == 200


def test_the_command_line(tmp_path: pathlib.Path) -> None:
    """The file for spark-submit, with options of both kinds."""
    if shutil.which("java") is None:
        skip("java is missing: install openjdk-17-jre-headless")
    folder = many(tmp_path / "in", 3)
    done = subprocess.run(
        command("detect", folder, tmp_path / "out", "--threshold", 0.5, "--option", "max-objects=2"),
        capture_output=True, text=True, timeout=250, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "3 of 3 images, 0 failed" in done.stderr
    assert all(len(row["objects"]) <= 2 for row in rows(tmp_path / "out").values())


def test_workers_of_a_python_without_the_package(tmp_path: pathlib.Path) -> None:
    venv.create(tmp_path / "other", with_pip=False)
    done = subprocess.run(
        command("detect", many(tmp_path / "in", 1), tmp_path / "out", "--master", "local[1,4]"),
        capture_output=True, text=True, timeout=250, check=False,
        env={**os.environ, "PYSPARK_PYTHON": str(tmp_path / "other/bin/python"), "PYSPARK_DRIVER_PYTHON": sys.executable},
    )  # fmt: skip
    assert done.returncode == 2
    said = done.stderr.splitlines()[-1]
    assert said == "fovea-spark: error: the job failed: ModuleNotFoundError: No module named 'fovea_spark'"


def test_a_killed_executor(tmp_path: pathlib.Path) -> None:
    """Two executors in separate processes, one of which is killed."""
    import pyspark

    home = pathlib.Path(pyspark.__file__).parent
    if not (home / "bin/spark-class").is_file():
        skip("PySpark has no spark-class to start executors with")
    folder, target = many(tmp_path / "in", 200), tmp_path / "out"
    # No task starts before both executors are there: a slow one would find no work left.
    both = "--conf spark.cores.max=2 --conf spark.scheduler.minRegisteredResourcesRatio=1.0"
    wait = "--conf spark.scheduler.maxRegisteredResourcesWaitingTime=240s"
    driver = subprocess.Popen(
        command("detect", folder, target, "--buckets", 1, "--master", "local-cluster[2,1,1024]"),
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True,
        env={**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_SCALA_VERSION": "2.13",
             "PYSPARK_SUBMIT_ARGS": f"{both} {wait} pyspark-shell"},
    )  # fmt: skip
    killed: list[int] = []

    def kills() -> bool:
        executors = processes(driver.pid, "CoarseGrainedExecutorBackend")
        if len(executors) >= 2 and list(target.glob("bucket=0/_temporary/0/_temporary/*")):
            os.kill(executors[0], signal.SIGKILL)
            killed.append(executors[0])
        return bool(killed) or driver.poll() is not None

    try:
        until(kills, 250)
        _, errors = driver.communicate(timeout=250)
    finally:
        if driver.poll() is None:
            os.killpg(driver.pid, signal.SIGKILL)
            driver.wait(30)
    assert driver.returncode == 0, errors[-3000:]
    assert killed
    found = rows(target)
    assert len(found) == 200
    assert all(row["error"] is None for row in found.values())


def test_the_package_reports_missing_packages() -> None:
    script = "import sys; sys.modules['fovea_spark'] = None\nimport fovea.spark"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )
    assert "fovea.spark needs fovea_spark: install the package fovea-spark" in done.stderr
