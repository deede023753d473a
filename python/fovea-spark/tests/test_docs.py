# SPDX-License-Identifier: Apache-2.0
"""The Python of the guide and of the README runs; the Kubernetes manifest matches the guide."""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from conftest import PHOTOS, ROOT, Program, job, skip

from fovea_spark import _frames

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["docs/how-to/spark.md", "python/fovea-spark/README.md"])
def test_blocks_run(
    spark: SparkSession, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """One after the other, in a folder with the command's table."""
    job(spark, PHOTOS, tmp_path / "results", buckets=1)
    (tmp_path / "Examples").symlink_to(ROOT / "Examples")
    monkeypatch.chdir(tmp_path)
    real, names = spark.read, {"spark": spark}
    assert real is not None
    monkeypatch.setattr(_frames.warnings, "warn", lambda *arguments, **options: None)
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    printed, ran = "", 0
    for at, (language, text) in enumerate(blocks):
        if language != "python":
            continue
        # Paths are local: Spark resolves them against the JVM's initial folder.
        local = re.sub(r'"(Examples/[^"]*|results)"', lambda found: f'"{tmp_path}/{found[1]}"', text)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(local, f"{page}, block {at}", "exec"), names)
        printed, ran = out.getvalue(), ran + 1
        if at + 1 < len(blocks) and blocks[at + 1][0] == "" and "print(" in text:
            assert printed == blocks[at + 1][1]
    assert ran >= 1
    spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")


def test_the_schema_of_the_guide() -> None:
    text = (ROOT / "docs/how-to/spark.md").read_text(encoding="utf-8")
    block = next(text for _, text in BLOCK.findall(text) if text.startswith("path string"))
    assert re.sub(r"\s+", " ", block).strip() == _frames.schema("detect")


def test_the_job_of_kubernetes() -> None:
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError:
        skip("PyYAML is not installed")
    manifest: Any = yaml.safe_load((ROOT / "Examples/Scale/job.yaml").read_text(encoding="utf-8"))
    spec = manifest["spec"]
    assert (manifest["apiVersion"], manifest["kind"], spec["completionMode"]) == (
        "batch/v1",
        "Job",
        "Indexed",
    )
    pod = spec["template"]["spec"]
    # Both are conditions of backoffLimitPerIndex and podFailurePolicy.
    assert pod["restartPolicy"] == "Never"
    assert spec["backoffLimitPerIndex"] == 2
    (container,) = pod["containers"]
    rules = spec["podFailurePolicy"]["rules"]
    assert [rule["action"] for rule in rules] == ["FailJob", "Ignore"]
    assert rules[0]["onExitCodes"] == {"containerName": container["name"], "operator": "In", "values": [64]}
    assert f'$JOB_COMPLETION_INDEX/{spec["completions"]}"' in container["command"][2]
    volumes = {volume["name"] for volume in pod["volumes"]}
    assert volumes == {mount["name"] for mount in container["volumeMounts"]}


SHARDS: list[tuple[str, list[str], int, int]] = [
    ("photos", [], 0, 4),
    ("with one that is cut off", [], 0, 5),
    ("nowhere", [], 2, 0),
    ("empty", [], 2, 0),
    ("photos", ["--model", "/nowhere/model.tflite"], 2, 0),
    ("photos", ["--threshold", "2"], 64, 0),
]


@pytest.mark.parametrize(("name", "options", "status", "lines"), SHARDS)
def test_a_shard_is_complete_when_all_its_images_have_a_line(
    program: Program, tmp_path: pathlib.Path, name: str, options: list[str], status: int, lines: int
) -> None:
    """A failed image has its line; a shard without its model, folder or disk is not complete."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/fovea").symlink_to(program.path.resolve())
    (tmp_path / "results").mkdir()
    for folder in ("photos", "with one that is cut off"):
        (tmp_path / folder).mkdir()
        for photo in ("cat", "dog", "coffee", "car"):
            shutil.copyfile(PHOTOS / f"{photo}.jpg", tmp_path / folder / f"{photo}.jpg")
    (tmp_path / "with one that is cut off/cut.jpg").write_bytes((PHOTOS / "cat.jpg").read_bytes()[:3000])
    (tmp_path / "empty").mkdir()
    environment = {**program.environment, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    commands = [
        ["bash", str(ROOT / "Examples/Scale/slurm_detect.sh"), str(tmp_path / name), str(tmp_path / "results"), *options]
    ]  # fmt: skip
    if not options:
        text = (ROOT / "Examples/Scale/job.yaml").read_text(encoding="utf-8")
        line = " ".join(text[text.index("fovea detect /photos") : text.index("resources:")].split())
        line = (
            line.replace("/16", "/1")
            .replace("/photos", f"'{tmp_path / name}'")
            .replace("/results", str(tmp_path))
        )
        commands.append(["sh", "-c", line])
    for command in commands:
        done = subprocess.run(
            command, text=True, capture_output=True, timeout=120, check=False,
            env={**environment, "SLURM_ARRAY_TASK_ID": "0", "FOVEA_SHARDS": "1", "JOB_COMPLETION_INDEX": "0"},
        )  # fmt: skip
        assert done.returncode == status, done.stderr
    found = tmp_path / "results/0.jsonl"
    assert len(found.read_text().splitlines() if found.exists() else []) == lines
