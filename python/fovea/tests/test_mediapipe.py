# SPDX-License-Identifier: Apache-2.0
"""One script, run with MediaPipe and with `fovea.mediapipe`."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from conftest import COCO_SSD, MODELS, PHOTOS
from mediapipe_models import normalized

import fovea
import fovea.mediapipe as mp

vision = mp.tasks.vision
SCRIPT = pathlib.Path(__file__).parent / "mediapipe_script.py"
COUNT = 100
#: The allowed difference of two resizers and two runtimes, one of which computes in int8.
IOU, SCORE = 0.7, 0.12
#: One with a channel for its foreground, and one with 21 classes.
SEGMENTERS = ("selfie_segmentation.tflite", "deeplabv3_257_metadata.tflite")
CLASSIFIER = "tfls_mobilenet_v1_0.25_224_1_metadata_1.tflite"


def script(module: str, *arguments: object) -> Any:
    """The output of the script with a module instead of MediaPipe."""
    command = [sys.executable, str(SCRIPT), module, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def overlap(one: list[float], other: list[float]) -> float:
    """IoU of two boxes x, y, width, height."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    shared = max(width, 0) * max(height, 0)
    return shared / (one[2] * one[3] + other[2] * other[3] - shared)


@pytest.fixture(scope="module")
def both(shared: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    if importlib.util.find_spec("mediapipe") is None:
        pytest.skip("mediapipe is not installed")
    images = sorted((shared / "coco/images").glob("*.jpg"))[:COUNT]
    embedder = tmp_path_factory.mktemp("models") / "embedder.tflite"
    embedder.write_bytes(normalized((MODELS / "embedding.tflite").read_bytes()))
    segmenters = ",".join(str(shared / "tasks" / name) for name in SEGMENTERS)
    arguments = [COCO_SSD, shared / "models/classify" / CLASSIFIER, embedder, segmenters, *images]
    return script("mediapipe", *arguments), script("fovea.mediapipe", *arguments)


def test_objects_match_mediapipe(both: tuple[Any, Any]) -> None:
    """Of MediaPipe's objects above 0.5, 95 % are found with the same class, and a similar score and box."""
    total = same = 0
    for theirs, ours in zip(both[0]["detect"], both[1]["detect"], strict=True):
        for box, name, index, score in theirs:
            if score < 0.5:
                continue
            total += 1
            near = [one for one in ours if one[1:3] == [name, index] and overlap(box, one[0]) > IOU]
            same += any(abs(one[3] - score) < SCORE for one in near)
    assert total > 100
    assert same / total >= 0.95, f"{same} of {total}"


def test_modes_and_options_match_mediapipe(both: tuple[Any, Any]) -> None:
    for key in ("video_equals_image", "live_timestamps_rise", "errors", "allow", "limited"):
        assert both[0][key] == both[1][key], key


def test_categories_match_mediapipe(both: tuple[Any, Any]) -> None:
    firsts = [(one[0], other[0]) for one, other in zip(both[0]["classify"], both[1]["classify"], strict=True)]
    sure = [(one, other) for one, other in firsts if one[2] > 0.3]
    assert len(sure) > 10
    assert sum(one[:2] == other[:2] for one, other in sure) / len(sure) >= 0.95


@pytest.mark.parametrize("index", range(len(SEGMENTERS)), ids=SEGMENTERS)
def test_masks_match_mediapipe(both: tuple[Any, Any], index: int) -> None:
    """Labels, sizes and numbers of masks are MediaPipe's, and nearly all categories and probabilities.

    MediaPipe samples rotated images differently: its masks of the selfie model are then not those of rotated pixels.
    """
    theirs, ours = (each["segment"][index] for each in both)
    assert theirs["labels"] == ours["labels"]
    same: dict[bool, list[Any]] = {False: [], True: []}
    apart = []
    for one, other in zip(theirs["images"], ours["images"], strict=True):
        for key in ("degrees", "count", "format", "size"):
            assert one[key] == other[key], key
        is_turned = one["degrees"] != 0
        same[is_turned].append(np.mean(np.array(one["category"]) == np.array(other["category"])))
        if one["count"] == 1 and not is_turned:
            apart.append(np.abs(np.array(one["confidence"]) - np.array(other["confidence"])).mean())
    if apart:
        assert np.mean(apart) < 0.005, apart
        assert np.mean(same[False]) >= 0.99, same
    else:
        assert np.mean(same[False]) >= 0.95, same
        assert np.mean(same[True]) >= 0.95, same


def test_features_match_mediapipe(both: tuple[Any, Any]) -> None:
    for key, theirs in both[0]["embed"].items():
        ours = both[1]["embed"][key]
        assert (theirs["type"], theirs["head"]) == (ours["type"], ours["head"])
        assert np.allclose(theirs["similarity"], ours["similarity"], atol=0.01)
        if key != "quantized":
            assert np.allclose(theirs["values"], ours["values"], atol=0.01)


def test_boxes_are_foveas_rounded(shared: pathlib.Path) -> None:
    path = PHOTOS / "coffee.jpg"
    options = vision.ObjectDetectorOptions(
        mp.tasks.BaseOptions(str(COCO_SSD)), max_results=5, score_threshold=0.4
    )
    with vision.ObjectDetector.create_from_options(options) as task:
        found = task.detect(mp.Image.create_from_file(str(path)))
    with fovea.Detector(COCO_SSD, max_objects=5, threshold=0.4) as detector:
        expected = detector(path)
    assert len(found.detections) == len(expected) > 0
    for one, other in zip(found.detections, expected, strict=True):
        assert abs(one.bounding_box.origin_x - other.xyxy[0]) <= 0.5
        assert one.categories[0].category_name == other.label
        assert one.categories[0].score == other.score


def test_names_that_do_not_exist() -> None:
    for module, name in [
        (mp, "solutions"),
        (mp.tasks, "text"),
        (mp.tasks.vision, "HolisticLandmarker"),
        (mp.tasks.components.containers, "AudioData"),
        (mp.tasks.components, "processors"),
    ]:
        with pytest.raises(AttributeError, match=f"has no '{name}': it has .*use MediaPipe itself"):
            getattr(module, name)


IMAGES: list[tuple[Any, Any]] = [
    (mp.ImageFormat.SRGB, np.zeros((4, 5), np.uint8)),
    (mp.ImageFormat.GRAY8, np.zeros((4, 5, 3), np.uint8)),
    (mp.ImageFormat.SRGB, np.zeros((4, 5, 3), np.uint16)),
    (mp.ImageFormat.UNKNOWN, np.zeros((4, 5, 3), np.uint8)),
    (99, np.zeros((4, 5, 3), np.uint8)),
]


@pytest.mark.parametrize(("kind", "data"), IMAGES)
def test_values_that_are_not_an_image(kind: Any, data: Any) -> None:
    with pytest.raises(ValueError):
        mp.Image(kind, data)


def test_images(pixels: np.ndarray[Any, Any], cat: pathlib.Path) -> None:
    image = mp.Image(mp.ImageFormat.SRGB, pixels)
    assert (image.width, image.height, image.channels, image.image_format) == (
        451,
        300,
        3,
        mp.ImageFormat.SRGB,
    )
    assert np.array_equal(image.numpy_view(), pixels)
    assert not image.numpy_view().flags.writeable
    file = mp.Image.create_from_file(str(cat))
    assert (file.width, file.height, file.image_format) == (451, 300, mp.ImageFormat.SRGB)
    assert mp.Image.create_from_file(str(PHOTOS / "photographer.jpg")).channels == 1
    with pytest.raises(FileNotFoundError, match=r"nothere\.jpg"):
        mp.Image.create_from_file("nothere.jpg")


def test_rotations_and_regions(
    detector: fovea.Detector, pixels: np.ndarray[Any, Any], shared: pathlib.Path
) -> None:
    options = vision.ObjectDetectorOptions(mp.tasks.BaseOptions(str(COCO_SSD)), score_threshold=0.4)
    with (
        vision.ObjectDetector.create_from_options(options) as task,
        fovea.Detector(COCO_SSD, threshold=0.4) as plain,
    ):
        image = mp.Image(mp.ImageFormat.SRGB, pixels)
        for degrees, orientation in ((0, 1), (90, 6), (180, 3), (270, 8), (-90, 8)):
            how = vision.ImageProcessingOptions(rotation_degrees=degrees)
            found = task.detect(image, how)
            assert len(found.detections) == len(plain(pixels, orientation=orientation))
        part = mp.tasks.components.containers.Rect(0.25, 0.0, 1.0, 0.75)
        found = task.detect(image, vision.ImageProcessingOptions(region_of_interest=part))
        region = (0.25 * 451, 0.0, 0.5 * 451, 300.0)
        assert len(found.detections) == len(plain(pixels, region=region))
        for wrong in (
            vision.ImageProcessingOptions(rotation_degrees=45),
            vision.ImageProcessingOptions(
                region_of_interest=mp.tasks.components.containers.Rect(0.5, 0, 1, 0.5)
            ),
        ):
            with pytest.raises(ValueError):
                task.detect(image, wrong)


def test_a_live_stream_keeps_the_newest_frame(pixels: np.ndarray[Any, Any], shared: pathlib.Path) -> None:
    """Callbacks run on one thread, times rise, and frames received meanwhile are dropped."""
    seen: list[int] = []
    threads: set[int] = set()
    first, goes_on = threading.Event(), threading.Event()

    def callback(result: Any, image: mp.Image, timestamp_ms: int) -> None:
        threads.add(threading.get_ident())
        seen.append(timestamp_ms)
        first.set()
        goes_on.wait(30)

    options = vision.ObjectDetectorOptions(
        mp.tasks.BaseOptions(str(COCO_SSD)),
        running_mode=vision.RunningMode.LIVE_STREAM,
        result_callback=callback,
    )
    with vision.ObjectDetector.create_from_options(options) as task:
        image = mp.Image(mp.ImageFormat.SRGB, pixels)
        task.detect_async(image, 0)
        assert first.wait(30)
        for timestamp in (10, 20, 30):
            task.detect_async(image, timestamp)
        with pytest.raises(ValueError, match="monotonically"):
            task.detect_async(image, 30)
        goes_on.set()
    assert seen == [0, 30]
    assert len(threads) == 1
    assert threading.get_ident() not in threads


WRONG: list[Any] = [
    lambda base: vision.ObjectDetectorOptions(base, running_mode=vision.RunningMode.LIVE_STREAM),
    lambda base: vision.ObjectDetectorOptions(base, result_callback=lambda *_: None),
    lambda base: vision.ObjectDetectorOptions(base, max_results=0),
    lambda base: vision.ObjectDetectorOptions(base, category_allowlist=["cat"], category_denylist=["dog"]),
    lambda base: vision.ObjectDetectorOptions(mp.tasks.BaseOptions()),
    lambda base: vision.ObjectDetectorOptions(
        mp.tasks.BaseOptions("a", delegate=mp.tasks.BaseOptions.Delegate.GPU)
    ),
]


@pytest.mark.parametrize("make", WRONG)
def test_wrong_options_are_value_errors(make: Any, shared: pathlib.Path) -> None:
    with pytest.raises(ValueError):
        vision.ObjectDetector.create_from_options(make(mp.tasks.BaseOptions(str(COCO_SSD))))


def test_the_wrong_mode(pixels: np.ndarray[Any, Any], shared: pathlib.Path) -> None:
    image = mp.Image(mp.ImageFormat.SRGB, pixels)
    with vision.ObjectDetector.create_from_model_path(str(COCO_SSD)) as task:
        with pytest.raises(ValueError, match="not initialized with the video mode"):
            task.detect_for_video(image, 0)
        with pytest.raises(ValueError, match="not initialized with the live stream mode"):
            task.detect_async(image, 0)


def test_bytes_of_a_model(cat: pathlib.Path, shared: pathlib.Path) -> None:
    path = shared / "models/classify" / CLASSIFIER
    image = mp.Image.create_from_file(str(cat))
    options = vision.ImageClassifierOptions(
        mp.tasks.BaseOptions(model_asset_buffer=path.read_bytes()), max_results=3
    )
    with (
        vision.ImageClassifier.create_from_options(options) as task,
        fovea.Labeler(path, max_results=3) as labeler,
    ):
        found = task.classify(image).classifications[0]
        assert [(one.category_name, one.index, one.score) for one in found.categories] == [
            (one.text, one.index, one.confidence) for one in labeler(cat)
        ]
