# SPDX-License-Identifier: Apache-2.0
"""`fovea.mediapipe`'s segmenter and embedder: masks, categories, rotations, quantized features, similarity."""

from __future__ import annotations

import pathlib
import threading
from typing import Any

import numpy as np
import pytest
from conftest import MODELS, PHOTOS

import fovea
import fovea.mediapipe as mp
from fovea._columns import MapColumns
from fovea._results import Facts, Source
from fovea.mediapipe.tasks.vision import _image_embedder, _masks

vision = mp.tasks.vision
containers = mp.tasks.components.containers
PHOTO = PHOTOS / "astronaut.jpg"


def segment(model: str, image: mp.Image, how: Any = None, **options: Any) -> Any:
    base = mp.tasks.BaseOptions(str(MODELS / f"{model}.tflite"))
    options.setdefault("output_category_mask", True)
    with vision.ImageSegmenter.create_from_options(vision.ImageSegmenterOptions(base, **options)) as task:
        return task.segment(image, how)


def flat(mask: mp.Image) -> np.ndarray[Any, Any]:
    return mask.numpy_view()[:, :, 0]


@pytest.fixture(scope="module")
def photo() -> mp.Image:
    image = pytest.importorskip("PIL.Image")
    return mp.Image(mp.ImageFormat.SRGB, np.asarray(image.open(PHOTO).convert("RGB"))[:, :400])


@pytest.mark.parametrize(
    ("model", "count"), [("map_probability", 1), ("map_two", 2), ("map_scores", 4), ("map_argmax", None)]
)
def test_masks_have_the_size_and_type_of_mediapipes(photo: mp.Image, model: str, count: int | None) -> None:
    found = segment(model, photo)
    assert count is None or len(found.confidence_masks) == count
    for mask in found.confidence_masks:
        assert (mask.image_format, mask.channels) == (mp.ImageFormat.VEC32F1, 1)
        assert (mask.height, mask.width) == (photo.height, photo.width)
        view = mask.numpy_view()
        assert (view.shape, view.dtype) == ((photo.height, photo.width, 1), np.float32)
        assert not view.flags.writeable
        assert view.min() >= 0
        assert view.max() <= 1
        assert isinstance(mask[3, 4], float)
    category = found.category_mask
    assert category.image_format == mp.ImageFormat.GRAY8
    assert category.numpy_view().shape == (photo.height, photo.width, 1)
    assert isinstance(category[3, 4, 0], int)


def test_the_foreground_of_one_channel_is_category_0(photo: mp.Image) -> None:
    found = segment("map_probability", photo)
    category, confidence = flat(found.category_mask), flat(found.confidence_masks[0])
    assert set(np.unique(category)) <= {0, 255}
    assert np.array_equal(category == 0, confidence > 0.5)


def test_two_classes_have_complementary_masks(photo: mp.Image) -> None:
    found = segment("map_two", photo)
    background, foreground = map(flat, found.confidence_masks)
    assert np.abs(background + foreground - 1).max() < 1e-5
    assert np.array_equal(flat(found.category_mask), foreground > 0.5)


def test_the_best_of_several_masks_is_the_category(photo: mp.Image) -> None:
    found = segment("map_scores", photo)
    best = np.argmax([flat(mask) for mask in found.confidence_masks], axis=0)
    assert np.mean(best == flat(found.category_mask)) > 0.98


def test_only_masks_that_were_asked_for_are_made(photo: mp.Image) -> None:
    found = segment("map_two", photo, output_category_mask=False)
    assert found.category_mask is None
    assert len(found.confidence_masks) == 2
    found = segment("map_two", photo, output_confidence_masks=False)
    assert found.confidence_masks is None
    with pytest.raises(ValueError, match="At least one"):
        segment("map_two", photo, output_confidence_masks=False, output_category_mask=False)


@pytest.mark.parametrize("model", ["map_two", "map_probability", "map_scores"])
def test_a_model_without_labels_has_none(model: str) -> None:
    with vision.ImageSegmenter.create_from_model_path(str(MODELS / f"{model}.tflite")) as task:
        assert task.labels == []


def test_labels_are_those_of_the_masks(shared: pathlib.Path) -> None:
    for model, count, first in (
        ("selfie_segmentation", 1, "selfie"),
        ("deeplabv3_257_metadata", 21, "background"),
    ):
        with vision.ImageSegmenter.create_from_model_path(str(shared / f"tasks/{model}.tflite")) as task:
            assert (len(task.labels), task.labels[0]) == (count, first)


@pytest.mark.parametrize("degrees", [90, 180, 270, -90])
def test_masks_of_rotated_images_are_upright_and_stretched(photo: mp.Image, degrees: int) -> None:
    turned = np.rot90(photo.numpy_view(), degrees // 90)
    how = vision.ImageProcessingOptions(rotation_degrees=degrees)
    found = segment("map_scores", mp.Image(mp.ImageFormat.SRGB, np.ascontiguousarray(turned)), how)
    category = flat(found.category_mask)
    assert category.shape == turned.shape[:2]
    upright = flat(segment("map_scores", photo).category_mask)
    rows = (np.arange(turned.shape[0]) + 0.5) * upright.shape[0] / turned.shape[0]
    across = (np.arange(turned.shape[1]) + 0.5) * upright.shape[1] / turned.shape[1]
    assert np.mean(category == upright[np.ix_(rows.astype(int), across.astype(int))]) > 0.97
    best = np.argmax([flat(mask) for mask in found.confidence_masks], axis=0)
    assert np.mean(best == category) > 0.98


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_rotation_is_that_of_rotated_pixels(shared: pathlib.Path, photo: mp.Image, degrees: int) -> None:
    square = photo.numpy_view()[:400]  # nothing is stretched
    upright = np.ascontiguousarray(np.rot90(square, -degrees // 90))
    how = vision.ImageProcessingOptions(rotation_degrees=degrees)
    model = str(shared / "tasks/selfie_segmentation.tflite")
    with vision.ImageSegmenter.create_from_model_path(model) as task:
        turned = task.segment(mp.Image(mp.ImageFormat.SRGB, square), how)
        plain = task.segment(mp.Image(mp.ImageFormat.SRGB, upright))
    first, second = (flat(found.confidence_masks[0]) for found in (turned, plain))
    assert np.abs(first - second).mean() < 0.01


def test_a_region_is_refused(photo: mp.Image) -> None:
    how = vision.ImageProcessingOptions(region_of_interest=containers.Rect(0.0, 0.0, 1.0, 0.5))
    with pytest.raises(ValueError, match="region-of-interest"):
        segment("map_two", photo, how)


def test_detectors_and_classifiers_are_refused() -> None:
    for model in ("yolov8", "classifier_uint8"):
        with pytest.raises(ValueError, match="fovea"):
            vision.ImageSegmenter.create_from_model_path(str(MODELS / f"{model}.tflite"))
    with pytest.raises(ValueError, match="not in a dense layer"):
        vision.ImageEmbedder.create_from_model_path(str(MODELS / "yolov8.tflite"))


def map_of(classes: Any, confidences: Any, places: Any, size: tuple[int, int], count: int) -> Any:
    parts = MapColumns(
        np.array(classes, np.uint8),
        None if confidences is None else np.array(confidences, np.uint8),
        np.array(places, np.float64),
        count,
    )
    return fovea.Segmentation(Source(None), facts=Facts(*size), parts=parts)


WHOLE = [0, 0, 4, 1, 0, 0, 4, 1]
INTERPOLATED: list[tuple[str, Any, int, list[float]]] = [
    ("between two cells", map_of([[0, 0]], [[0, 255]], WHOLE, (4, 1), 3), 0, [0, 0.25, 0.75, 1]),
    ("a class that is nowhere", map_of([[0, 0]], [[9, 255]], WHOLE, (4, 1), 3), 2, [0, 0, 0, 0]),
    ("another class is 0", map_of([[1, 0]], [[255, 255]], WHOLE, (4, 1), 3), 0, [0, 0.25, 0.75, 1]),
    ("the other of two", map_of([[0, 1]], [[255, 255]], WHOLE, (4, 1), 2), 0, [1, 0.75, 0.25, 0]),
    ("classes alone", map_of([[0, 1]], None, WHOLE, (4, 1), 2), 1, [0, 0.25, 0.75, 1]),
    ("a cell without a class", map_of([[255, 0]], [[0, 255]], WHOLE, (4, 1), 3), 0, [0, 0.25, 0.75, 1]),
    ("one cell", map_of([[1]], [[255]], WHOLE, (4, 1), 3), 1, [1, 1, 1, 1]),
    (
        "outside the processed part",
        map_of([[1]], [[255]], [1, 0, 3, 1, 1, 0, 3, 1], (4, 1), 3),
        1,
        [0, 1, 1, 0],
    ),
    (
        "cells larger than the image",
        map_of([[0, 1]], [[255, 255]], [0, 0, 4, 1, -4, 0, 8, 1], (4, 1), 2),
        1,
        [0.25, 5 / 12, 7 / 12, 0.75],
    ),
]


@pytest.mark.parametrize(("name", "found", "number", "expected"), INTERPOLATED)
def test_probabilities_between_cells(name: str, found: Any, number: int, expected: list[float]) -> None:
    assert _masks.probabilities(found, number)[0].tolist() == pytest.approx(expected)


def test_probabilities_between_rows() -> None:
    found = map_of([[1], [1]], [[0], [255]], [0, 0, 2, 4, 0, 0, 2, 4], (2, 4), 3)
    assert _masks.probabilities(found, 1).tolist() == [[0, 0], [0.25, 0.25], [0.75, 0.75], [1, 1]]


def test_the_number_of_classes_is_the_models_or_that_of_the_map() -> None:
    assert _masks.class_count(map_of([[0]], [[255]], WHOLE, (4, 1), 21)) == 21
    assert _masks.class_count(map_of([[7, 255]], None, WHOLE, (4, 1), 0)) == 8
    assert _masks.class_count(map_of([[255]], None, WHOLE, (4, 1), 0)) == 1


def test_a_live_stream_of_masks_and_features(photo: mp.Image) -> None:
    seen: list[Any] = []
    turn = threading.Event()

    def callback(result: Any, image: mp.Image, timestamp_ms: int) -> None:
        seen.append((type(result), image.width, timestamp_ms))
        turn.set()

    live = {"running_mode": vision.RunningMode.LIVE_STREAM, "result_callback": callback}
    base = mp.tasks.BaseOptions(str(MODELS / "map_two.tflite"))
    with vision.ImageSegmenter.create_from_options(vision.ImageSegmenterOptions(base, **live)) as task:
        task.segment_async(photo, 5)
        assert turn.wait(30)
    turn.clear()
    base = mp.tasks.BaseOptions(str(MODELS / "embedding.tflite"))
    with vision.ImageEmbedder.create_from_options(vision.ImageEmbedderOptions(base, **live)) as task:
        task.embed_async(photo, 6)
        assert turn.wait(30)
    assert seen == [(vision.ImageSegmenterResult, 400, 5), (vision.ImageEmbedderResult, 400, 6)]


def embed(image: mp.Image, **options: Any) -> Any:
    base = mp.tasks.BaseOptions(str(MODELS / "embedding.tflite"))
    with vision.ImageEmbedder.create_from_options(vision.ImageEmbedderOptions(base, **options)) as task:
        return task.embed(image)


def test_embeddings_are_foveas_features(photo: mp.Image) -> None:
    found = embed(photo)
    (each,) = found.embeddings
    with fovea.Embedder(MODELS / "embedding.tflite") as embedder:
        expected = embedder(photo.numpy_view())
    assert (each.embedding.dtype, each.head_index, found.timestamp_ms) == (np.float64, 0, None)
    assert each.embedding.tolist() == expected.values.tolist()
    unit = embed(photo, l2_normalize=True).embeddings[0]
    assert np.linalg.norm(unit.embedding) == pytest.approx(1)
    bits = embed(photo, l2_normalize=True, quantize=True).embeddings[0]
    assert (bits.embedding.dtype, bits.embedding.shape) == (np.uint8, each.embedding.shape)
    assert np.abs(bits.embedding.view(np.int8) / 128 - unit.embedding).max() <= 1 / 128
    assert vision.ImageEmbedder.cosine_similarity(bits, bits) == pytest.approx(1)


def test_features_of_a_video_have_the_time_of_their_frame(photo: mp.Image) -> None:
    base = mp.tasks.BaseOptions(str(MODELS / "embedding.tflite"))
    options = vision.ImageEmbedderOptions(base, running_mode=vision.RunningMode.VIDEO)
    with vision.ImageEmbedder.create_from_options(options) as task:
        assert task.embed_for_video(photo, 40).timestamp_ms == 40


@pytest.mark.parametrize(
    ("feature", "step"),
    [
        (0.0, 0),
        (0.5, 64),
        (-0.5, -64),
        (1.0, 127),
        (-1.0, -128),
        (7.0, 127),
        (-7.0, -128),
        (0.5 / 128, 1),
        (-0.5 / 128, -1),
        (0.49 / 128, 0),
        (1e300, 127),
    ],
)
def test_quantized_features_are_the_bits_of_steps(feature: float, step: int) -> None:
    assert _image_embedder._quantized(np.array([feature])).tolist() == [step % 256]


SIMILAR: list[tuple[Any, Any, Any]] = [
    ([1.0, 0.0], [2.0, 0.0], 1.0),
    ([1.0, 0.0], [0.0, 3.0], 0.0),
    ([1.0, 0.0], [-2.0, 0.0], -1.0),
    (np.array([255, 0], np.uint8), np.array([1, 0], np.uint8), -1.0),
    ([1.0], [1.0, 2.0], "different sizes"),
    ([], [], "empty"),
    ([0.0], [1.0], "0 norm"),
    ([1.0], np.array([1], np.uint8), "quantized and float"),
    (np.ones(1, np.float32), np.ones(1, np.float32), "float32, float64 or uint8 expected"),
]


@pytest.mark.parametrize(("first", "second", "expected"), SIMILAR)
def test_similarity(first: Any, second: Any, expected: Any) -> None:
    pair = [containers.Embedding(np.asarray(each), 0, None) for each in (first, second)]
    if isinstance(expected, str):
        with pytest.raises(ValueError, match=expected):
            vision.ImageEmbedder.cosine_similarity(*pair)
    else:
        assert vision.ImageEmbedder.cosine_similarity(*pair) == pytest.approx(expected)


FLOATS: list[tuple[Any, Any, str]] = [
    (mp.ImageFormat.VEC32F1, np.zeros((4, 5), np.uint8), "float32 expected for VEC32F1"),
    (mp.ImageFormat.VEC32F1, np.zeros((4, 5), np.float64), "float32 expected for VEC32F1"),
    (mp.ImageFormat.VEC32F1, np.zeros((4, 5, 3), np.float32), "VEC32F1 has 1 channel"),
    (mp.ImageFormat.GRAY8, np.zeros((4, 5), np.float32), "uint8 expected for GRAY8"),
]


@pytest.mark.parametrize(("kind", "data", "text"), FLOATS)
def test_values_that_are_not_a_mask(kind: Any, data: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mp.Image(kind, data)


def test_a_mask_is_not_an_image_to_process() -> None:
    mask = mp.Image(mp.ImageFormat.VEC32F1, np.full((4, 5), 0.25, np.float32))
    assert (mask.numpy_view().shape, mask[1, 2], mask.channels) == ((4, 5, 1), 0.25, 1)
    with pytest.raises(ValueError, match="float32"):
        segment("map_two", mask)
