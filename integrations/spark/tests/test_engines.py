# SPDX-License-Identifier: Apache-2.0
"""The examples of Ray Data and Beam, and Beam's model handler."""

from __future__ import annotations

import importlib.util
import json
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


def test_beam_says_what_is_missing() -> None:
    script = "import sys; sys.modules['apache_beam'] = None\nimport fovea.beam"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert "fovea.beam needs apache-beam: install it" in done.stderr
