# SPDX-License-Identifier: Apache-2.0
"""The examples of Ray Data and Beam, and Beam's model handler."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import fovea
import pyarrow.parquet as pq
import pytest
from conftest import PHOTOS, ROOT, skip

SCALE = ROOT / "Examples/Scale"


def needs(module: str, package: str) -> None:
    if importlib.util.find_spec(module) is None:
        skip(f"{package} is not installed")


def run(script: str, *arguments: object) -> None:
    command = [sys.executable, str(SCALE / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("script", ["ray_detect.py", "beam_detect.py"])
def test_an_example_without_arguments(script: str) -> None:
    needs("ray", "Ray")
    needs("apache_beam", "Beam")
    command = [sys.executable, str(SCALE / script), "only-one"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert f"{script} " in done.stderr
    assert "Traceback" not in done.stderr


def test_shards_of_slurm(tmp_path: pathlib.Path) -> None:
    """Its script prints its usage, and runs some of the shards of an earlier array."""
    script = SCALE / "slurm_detect.sh"
    done = subprocess.run(["bash", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 64
    assert "usage: sbatch" in done.stderr
    (tmp_path / "fovea").write_text("#!/bin/sh\necho $*\n")
    (tmp_path / "fovea").chmod(0o755)
    for shards, expected in (("", "--shard 3/2 "), ("16", "--shard 3/16 ")):
        array = {"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "2", "FOVEA_SHARDS": shards}
        done = subprocess.run(
            ["bash", script, tmp_path, tmp_path / "out"],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env={**os.environ, **array, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        )
        assert expected in done.stdout


def test_ray_data(tmp_path: pathlib.Path) -> None:
    needs("ray", "Ray")
    run("ray_detect.py", PHOTOS, tmp_path / "out")
    rows = {pathlib.PurePath(row["path"]).name: row for row in pq.read_table(tmp_path / "out").to_pylist()}
    assert set(rows) == {path.name for path in PHOTOS.iterdir()}
    assert rows.pop("CREDITS.md")["error"]["code"] == "image-unknown-format"
    with fovea.Detector(threads=1) as detector:
        for name, row in rows.items():
            found = [[each[side] for side in ("x", "y", "width", "height")] for each in row["objects"]]
            assert found == detector(PHOTOS / name).xywh.tolist()


def test_beam(tmp_path: pathlib.Path) -> None:
    needs("apache_beam", "Beam")
    (tmp_path / "in").mkdir()
    for name in ("cat.jpg", "dog.jpg"):
        (tmp_path / "in" / name).symlink_to(PHOTOS / name)
    (tmp_path / "in/bad.jpg").write_text("no image")
    run("beam_detect.py", f"{tmp_path}/in/*.jpg", tmp_path / "out/found", "--runner=DirectRunner")
    lines = [
        json.loads(line) for part in (tmp_path / "out").iterdir() for line in part.read_text().splitlines()
    ]
    rows = {pathlib.PurePath(row["image"]).name: row for row in lines}
    assert rows.pop("bad.jpg")["error"]["code"] == "image-unknown-format"
    with fovea.Detector(threads=1, threshold=0.5) as detector:
        for name in ("cat.jpg", "dog.jpg"):
            assert rows.pop(name)["objects"] == detector(PHOTOS / name).to_dict()["objects"]
    assert rows == {}


def test_the_handler_of_beam() -> None:
    needs("apache_beam", "Beam")
    from fovea.beam import DetectorHandler

    handler = DetectorHandler(max_objects=1)
    assert handler.batch_elements_kwargs()["max_batch_size"] == 64
    model = handler.load_model()
    answers = list(handler.run_inference([str(PHOTOS / "cat.jpg"), b"text"], model))
    assert answers[0].inference.labels == ["cat"]
    assert answers[1].inference.error.code == "image-unknown-format"
    with pytest.raises(TypeError, match="takes no inference_args"):
        handler.run_inference([], model, {"threshold": 1})
    assert "threads=1" in repr(model)


def test_beam_reports_missing_packages() -> None:
    script = "import sys; sys.modules['apache_beam'] = None\nimport fovea.beam"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert "fovea.beam needs apache-beam: install it" in done.stderr
