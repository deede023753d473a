# SPDX-License-Identifier: Apache-2.0
"""Segmenters and embedders: arrays, masks, JSON like the program's, copies, errors."""

from __future__ import annotations

import asyncio
import json
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
from conftest import MODELS, PHOTOS, Program, without_times

import fovea

PHOTO = PHOTOS / "astronaut.jpg"
MAPS = ["map_scores", "map_argmax", "map_two", "map_probability"]


@pytest.fixture(scope="module", params=MAPS)
def segmenter(request: pytest.FixtureRequest) -> fovea.Segmenter:
    return fovea.Segmenter(MODELS / f"{request.param}.tflite")


@pytest.fixture(scope="module")
def embedder() -> fovea.Embedder:
    return fovea.Embedder(sessions=2)


def test_arrays_cover_the_whole_image(segmenter: fovea.Segmenter) -> None:
    found = segmenter(PHOTO)
    pixels = np.asarray(found)
    assert (pixels.shape, pixels.dtype) == ((found.height, found.width), np.uint8)
    assert found.cells.ndim == 2
    assert not found.cells.flags.writeable
    assert np.asarray(found, dtype=np.int32).dtype == np.int32
    if found.confidences is not None:
        assert found.confidences.shape == found.cells.shape
        assert found.confidences.min() >= 0
        assert found.confidences.max() <= 1
    with pytest.raises(ValueError, match="copy=False"):
        np.array(found, copy=False)


def test_shares_add_up_and_masks_partition_the_image(segmenter: fovea.Segmenter) -> None:
    found = segmenter(PHOTO)
    assert sum(part.share for part in found.shares) == pytest.approx(1)
    assert [part.share for part in found.shares] == sorted(
        (part.share for part in found.shares), reverse=True
    )
    assert len({part.index for part in found.shares}) == len(found.shares)
    pixels = np.asarray(found)
    for part in found.shares:
        mask = found.mask(part.index)
        # Between three classes, the nearest cell and the votes of four cells may differ.
        assert np.mean(mask.bitmap != (pixels == part.index)) < 0.02
        if part.label is not None:
            assert found.mask(part.label) == mask


def test_json_is_that_of_the_program(segmenter: fovea.Segmenter, program: Program) -> None:
    model = str(segmenter._recipe[0])
    for form in ("rle", "polygon", "none"):
        lines = program.lines("segment", PHOTO, "--model", model, "--masks", form)
        found = segmenter(PHOTO)
        assert [without_times(found.to_json(masks=form))] == lines
    assert json.loads(segmenter(PHOTO).to_json())["classes"][0]["share"] > 0
    with pytest.raises(ValueError, match="'rle', 'polygon' or 'none' expected"):
        found.to_json(masks="png")  # type: ignore[arg-type]


def test_text_is_that_of_the_program(program: Program) -> None:
    segmenter = fovea.Segmenter(MODELS / "map_two.tflite")
    text = program.run("segment", "--quiet", PHOTO, "--model", MODELS / "map_two.tflite")
    assert str(segmenter(PHOTO)) + "\n" == text


@pytest.mark.parametrize("orientation", range(1, 9))
def test_upright_turns_pixels_as_numpy_does(orientation: int) -> None:
    from fovea import _upright

    segmenter = fovea.Segmenter(MODELS / "map_two.tflite")
    stored = segmenter(PHOTO, orientation=orientation)
    upright = stored.upright()
    assert upright.space == "upright"
    assert upright.upright() is upright
    expected = _upright.turned(np.asarray(stored), orientation)
    assert np.asarray(upright).shape == expected.shape
    assert np.mean(np.asarray(upright) != expected) < 0.001


def test_a_region_leaves_pixels_outside_it_without_a_class() -> None:
    segmenter = fovea.Segmenter(MODELS / "map_two.tflite")
    pixels = np.asarray(segmenter(PHOTO, region=(100, 50, 200, 300)))
    inside = np.zeros(pixels.shape, bool)
    inside[50:350, 100:300] = True
    assert (pixels[~inside] == 255).all()
    assert (pixels[inside] < 2).all()


def test_batches_keep_order_and_errors(segmenter: fovea.Segmenter) -> None:
    found = segmenter.batch([PHOTO, "/no/such.jpg", PHOTO])
    assert [each.error is None for each in found] == [True, False, True]
    failed = found[1]
    assert failed.shares == []
    assert np.asarray(failed).shape == (0, 0)
    assert json.loads(failed.to_json())["error"]["code"] == "image-not-found"
    assert "image-not-found" in repr(failed)
    assert [each.error is None for each in segmenter.stream([PHOTO])] == [True]


def test_copies_keep_the_map(segmenter: fovea.Segmenter) -> None:
    found = segmenter(PHOTO)
    copy = pickle.loads(pickle.dumps(found))
    assert copy.to_json() == found.to_json()
    assert copy.names == found.names
    reopened = pickle.loads(pickle.dumps(segmenter))
    assert without_times(reopened(PHOTO).to_json()) == without_times(found.to_json())


@pytest.mark.parametrize(("which", "error"), [("dragon", KeyError), (-1, IndexError), (255, IndexError)])
def test_unknown_classes_are_errors(segmenter: fovea.Segmenter, which: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        segmenter(PHOTO).mask(which)


def test_labels_name_the_classes(tmp_path: pathlib.Path) -> None:
    segmenter = fovea.Segmenter(MODELS / "map_two.tflite", labels=["wall", "door"])
    assert segmenter.names == ["wall", "door"]
    assert {part.label for part in segmenter(PHOTO).shares} <= {"wall", "door"}
    with pytest.raises(fovea.ModelError, match=r"3 labels|has 3"):
        fovea.Segmenter(MODELS / "map_two.tflite", labels=["a", "b", "c"])


@pytest.mark.parametrize(
    ("model", "options", "text"),
    [
        ("map_two", {"threshold": 0.5}, "Segmenter has no option 'threshold'"),
        ("map_two", {"family": "yolov8"}, "The family 'yolov8' is not one of a segmenter"),
        ("yolov8", {}, "fovea.Detector|detector"),
    ],
)
def test_wrong_options_and_models_are_errors(model: str, options: dict[str, Any], text: str) -> None:
    with pytest.raises((fovea.FoveaError, TypeError), match=text):
        fovea.Segmenter(MODELS / f"{model}.tflite", **options)


def test_a_detector_names_the_segmenter() -> None:
    with pytest.raises(fovea.ModelError, match=r"fovea\.Segmenter"):
        fovea.Detector(MODELS / "map_two.tflite")


def test_features_are_an_array(embedder: fovea.Embedder) -> None:
    features = embedder(PHOTO)
    assert (features.values.shape, features.values.dtype) == ((embedder.dimension,), np.float32)
    assert len(features) == embedder.dimension
    assert not features.values.flags.writeable
    assert np.array_equal(np.asarray(features), features.values)
    assert embedder.names == []
    assert features.width > 0
    assert features.milliseconds["total"] > 0


def test_features_are_those_of_the_program(
    embedder: fovea.Embedder, program: Program, tmp_path: pathlib.Path
) -> None:
    output = tmp_path / "features.jsonl"
    program.run("embed", PHOTO, "--output", output)
    assert embedder(str(PHOTO)).to_json() == output.read_text().rstrip("\n")


def test_similarity_is_the_cosine(embedder: fovea.Embedder) -> None:
    first, second = embedder.batch([PHOTO, PHOTOS / "coffee.jpg"])
    assert first.similarity(first) == pytest.approx(1)
    expected = first.values @ second.values / np.linalg.norm(first.values) / np.linalg.norm(second.values)
    assert first.similarity(second) == pytest.approx(float(expected), abs=1e-6)
    assert first.similarity(second) == second.similarity(first)


def test_failed_photos_have_no_features(embedder: fovea.Embedder) -> None:
    good, failed = embedder.batch([PHOTO, "/no/such.jpg"])
    assert failed.error is not None
    assert len(failed) == 0
    with pytest.raises(ValueError, match="cannot be compared"):
        good.similarity(failed)
    with pytest.raises(TypeError, match=r"takes the result of an embedder .* a fovea\.Features; got ndarray"):
        good.similarity(np.asarray(good))  # type: ignore[arg-type]
    assert embedder.batch([]) == []
    assert np.stack(embedder.batch([PHOTO] * 2)).shape == (2, embedder.dimension)


def test_features_can_be_copied_and_awaited(embedder: fovea.Embedder) -> None:
    features = embedder(PHOTO)
    copy = pickle.loads(pickle.dumps(features))
    assert np.array_equal(copy.values, features.values)
    awaited = asyncio.run(embedder.embed_async(PHOTO))
    assert np.array_equal(awaited.values, features.values)
    segmenter = fovea.Segmenter(MODELS / "map_two.tflite")
    assert asyncio.run(segmenter.segment_async(PHOTO)).shares == segmenter(PHOTO).shares


def test_a_detector_has_no_features() -> None:
    with pytest.raises(fovea.ModelError):
        fovea.Embedder(MODELS / "yolov8.tflite")
    with pytest.raises(TypeError, match="Embedder has no option 'labels'"):
        fovea.Embedder(labels=["a"])
