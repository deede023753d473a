# SPDX-License-Identifier: Apache-2.0
"""`quantize` and `compare`: figures, errors, files, Ctrl-C."""

from __future__ import annotations

import os
import pathlib
import signal
import threading

import numpy as np
import pytest
from conftest import MODELS, PHOTOS

import fovea

FLOAT = MODELS / "features.tflite"


def test_a_float_model_becomes_an_int8_file_that_agrees(tmp_path: pathlib.Path) -> None:
    output = tmp_path / "int8.tflite"
    made = fovea.quantize(FLOAT, PHOTOS, output)
    assert made.path == str(output)
    assert os.listdir(tmp_path) == ["int8.tflite"]
    assert made.comparison.size == fovea.Figures(FLOAT.stat().st_size, output.stat().st_size)
    assert made.comparison.agreement is not None
    assert made.comparison.agreement > 0.9
    assert [type(layer) for layer in made.layers] == [fovea.QuantizedLayer]
    assert made.failed == ()
    assert np.asarray(fovea.Embedder(output)(PHOTOS / "cat.jpg")).size > 0


def test_a_model_agrees_with_itself_and_failed_photos_are_named() -> None:
    grey = np.full((8, 8, 3), 90, np.uint8)
    photos = [PHOTOS / "cat.jpg", "nothere.jpg", grey, b"", grey.astype(float)]
    compared = fovea.compare(FLOAT, FLOAT.read_bytes(), photos)
    assert (compared.task, compared.measure, compared.agreement) == ("embedding", "meanCosine", 1)
    assert compared.photos == 2
    assert compared.accuracy is None
    assert compared.cpu is not None
    assert compared.cpu.ratio is not None
    assert compared.size.ratio == 1
    found = {error.subject: type(error) for error in compared.failed}
    assert found == {
        "nothere.jpg": fovea.ImageNotFound,
        "image 3": fovea.ImageError,
        "image 4": fovea.ImageError,
    }


@pytest.mark.parametrize(
    ("model", "options", "kind", "message"),
    [
        (MODELS / "classifier_uint8.tflite", {}, fovea.ModelError, "classifier_uint8"),
        ("nothere.tflite", {}, fovea.ModelNotFound, "nothere.tflite"),
        (FLOAT, {"at_least": 1.5}, fovea.OptionError, "'at_least' is '1.5', 0…1 expected"),
        (FLOAT, {"keep_float": ["third"]}, fovea.OptionError, "'third'"),
        (FLOAT, {"family": "yolov99"}, fovea.OptionError, "'family'"),
        (FLOAT, {"ground_truth": "nothere.json"}, fovea.FoveaError, "nothere.json"),
    ],
)
def test_what_cannot_be_done_is_an_error_and_writes_nothing(
    tmp_path: pathlib.Path,
    model: fovea.ModelLike,
    options: dict[str, object],
    kind: type[fovea.FoveaError],
    message: str,
) -> None:
    with pytest.raises(kind, match=message):
        fovea.quantize(model, PHOTOS, tmp_path / "int8.tflite", **options)
    assert os.listdir(tmp_path) == []


def test_no_photos_and_one_photo(tmp_path: pathlib.Path) -> None:
    with pytest.raises(fovea.FoveaError) as caught:
        fovea.quantize(FLOAT, tmp_path, tmp_path / "int8.tflite")
    assert caught.value.code == "calibration-empty"
    with pytest.raises(TypeError, match=r"quantize\(\) takes several images"):
        fovea.quantize(FLOAT, PHOTOS / "cat.jpg", tmp_path / "int8.tflite")


@pytest.mark.parametrize(
    ("photos", "message"),
    [
        ([np.full((8, 8, 3), 90, np.uint8)] * 12, "12 photos of one colour show no ranges"),
        ([PHOTOS / "cat.jpg"] * 12, "11 are copies of this photo"),
    ],
)
def test_photos_that_show_the_same_are_refused(
    tmp_path: pathlib.Path, photos: list[fovea.ImageLike], message: str
) -> None:
    with pytest.raises(fovea.FoveaError, match=message) as caught:
        fovea.quantize(FLOAT, photos, tmp_path / "int8.tflite")
    assert caught.value.code == "calibration-empty"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("output", ["old.tflite", "link.tflite", "folder", "none/new.tflite"])
def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    tmp_path: pathlib.Path, output: str
) -> None:
    (tmp_path / "old.tflite").write_text("old", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.tflite").symlink_to("nothere")
    with pytest.raises(fovea.FoveaError) as caught:
        fovea.quantize(FLOAT, [], tmp_path / output)
    assert (caught.value.code, caught.value.subject) == ("output-unwritable", str(tmp_path / output))
    assert (tmp_path / "old.tflite").read_text(encoding="utf-8") == "old"


def test_a_file_is_replaced_if_asked_for(tmp_path: pathlib.Path) -> None:
    output = tmp_path / "old.tflite"
    output.write_text("old", encoding="utf-8")
    made = fovea.quantize(FLOAT, [PHOTOS / "cat.jpg"], output, at_least=0, overwrite=True)
    assert output.stat().st_size == made.comparison.size.second


def test_models_of_two_tasks_are_not_compared() -> None:
    with pytest.raises(fovea.ModelError) as caught:
        fovea.compare(FLOAT, MODELS / "classifier_uint8.tflite", [])
    assert caught.value.code == "tasks-differ"


def test_ctrl_c_writes_nothing(tmp_path: pathlib.Path) -> None:
    # Parts of one large image: each is another photo, and none is copied.
    blocks = np.random.default_rng(0).integers(0, 256, (40, 20, 3), dtype=np.uint8)
    noise = blocks.repeat(100, axis=0).repeat(100, axis=1)
    photos = [noise[start : start + 2000] for start in range(0, 2000, 10)]
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        fovea.quantize(FLOAT, photos, tmp_path / "int8.tflite")
    timer.join()
    assert os.listdir(tmp_path) == []
