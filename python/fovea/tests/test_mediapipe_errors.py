# SPDX-License-Identifier: Apache-2.0
"""`fovea.mediapipe` raises MediaPipe's errors: compared with a table, and with MediaPipe if it is installed."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import logging
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import COCO_SSD, PHOTOS, SHARED
from mediapipe_errors import CASES, SCORED, TASKS, World, raised

import fovea.mediapipe as mp

vision = mp.tasks.vision
CLASSIFIER = "models/classify/tfls_mobilenet_v1_0.25_224_1_metadata_1.tflite"
PHOTO = PHOTOS / "cat.jpg"
MODELS = {
    "detector": COCO_SSD,
    "classifier": SHARED / CLASSIFIER,
    "segmenter": SHARED / "tasks/selfie_segmentation.tflite",
    "embedder": SHARED / CLASSIFIER,
}
ROWS = [pytest.param(task, *case, id=f"{task}: {case[0]}") for task in TASKS for case in CASES[task]]


@pytest.fixture(scope="module", params=TASKS)
def world(request: pytest.FixtureRequest, shared: pathlib.Path) -> Iterator[World]:
    model = str(MODELS[request.param])
    with contextlib.closing(World("fovea.mediapipe", request.param, model, str(PHOTO))) as world:
        yield world


@pytest.mark.parametrize(("world", "name", "kind", "work"), ROWS, indirect=["world"])
def test_errors_match_mediapipe(world: World, name: str, kind: str, work: Any) -> None:
    """MediaPipe's class or a subclass, with a text that names the expected value or the remedy."""
    classes, text = raised(world, work)
    assert kind in classes, f"{classes[0]}: {text}"
    if kind != "None":
        assert len(text) > 20
        assert "Traceback" not in text
        assert "_image_ptr" not in text


def test_the_table_matches_mediapipe(shared: pathlib.Path) -> None:
    if importlib.util.find_spec("mediapipe") is None:
        pytest.skip("mediapipe is not installed")
    script = pathlib.Path(__file__).parent / "mediapipe_errors.py"
    command = [sys.executable, script, "mediapipe", PHOTO, *MODELS.values()]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    wrong = {
        (task, name): (kind, found[f"{task}: {name}"][0][0])
        for task in TASKS
        for name, kind, _ in CASES[task]
        if found[f"{task}: {name}"][0][0] != kind
    }
    assert wrong == {}


def test_a_time_after_a_refused_call(world: World) -> None:
    """A frame rejected for its options does not count: its time is free."""
    with world.make(running_mode=world.modes.VIDEO) as task:
        with pytest.raises(ValueError, match="multiple of 90"):
            world.video(task, world.image, 50, world.vision.ImageProcessingOptions(rotation_degrees=45))
        world.video(task, world.image, 50)


def test_a_live_stream_continues_after_errors(
    pixels: np.ndarray[Any, Any],
    tmp_path: pathlib.Path,
    caplog: pytest.LogCaptureFixture,
    shared: pathlib.Path,
) -> None:
    """A frame that fails, and a callback that raises, are logged; later frames are processed."""
    seen: list[int] = []
    turn = threading.Event()

    def callback(result: Any, image: mp.Image, timestamp_ms: int) -> None:
        seen.append(timestamp_ms)
        turn.set()
        if timestamp_ms == 0:
            raise ZeroDivisionError("in the callback")

    gone = tmp_path / "gone.jpg"
    gone.write_bytes(PHOTO.read_bytes())
    lost = mp.Image.create_from_file(str(gone))
    gone.unlink()
    options = vision.ObjectDetectorOptions(
        mp.tasks.BaseOptions(str(COCO_SSD)),
        running_mode=vision.RunningMode.LIVE_STREAM,
        result_callback=callback,
    )
    image = mp.Image(mp.ImageFormat.SRGB, pixels)
    with (
        caplog.at_level(logging.ERROR, "fovea.mediapipe"),
        vision.ObjectDetector.create_from_options(options) as task,
    ):
        task.detect_async(image, 0)
        assert turn.wait(30)
        task.detect_async(lost, 10)
        deadline = time.monotonic() + 30
        while "10 ms failed" not in caplog.text and time.monotonic() < deadline:
            time.sleep(0.01)
        turn.clear()
        task.detect_async(image, 20)
        assert turn.wait(30)
    assert seen == [0, 20]
    assert "in the callback" in caplog.text
    assert "gone.jpg: there is no such file" in caplog.text


@pytest.mark.parametrize("world", SCORED, indirect=True)
def test_a_threshold_above_all_finds_nothing(world: World) -> None:
    image = mp.Image.create_from_file(str(PHOTO))
    with world.make(score_threshold=2.0) as task:
        found = world.one(task, image)
    categories = found.detections if world.task == "detector" else found.classifications[0].categories
    assert categories == []


def test_unknown_names_are_ignored(shared: pathlib.Path) -> None:
    image = mp.Image.create_from_file(str(PHOTO))
    for names, found in ((["unicorn"], True), (["unicorn", "cat"], True), (["unicorn", "dog"], False)):
        options = vision.ObjectDetectorOptions(
            mp.tasks.BaseOptions(str(COCO_SSD)), score_threshold=0.4, category_allowlist=names
        )
        with vision.ObjectDetector.create_from_options(options) as task:
            assert bool(task.detect(image).detections) == found, names


def test_results_have_the_time_of_their_frame(shared: pathlib.Path) -> None:
    options = vision.ImageClassifierOptions(
        mp.tasks.BaseOptions(str(shared / CLASSIFIER)), running_mode=vision.RunningMode.VIDEO, max_results=1
    )
    with vision.ImageClassifier.create_from_options(options) as task:
        assert task.classify_for_video(mp.Image.create_from_file(str(PHOTO)), 40).timestamp_ms == 40


def test_pixels_have_a_channel() -> None:
    assert mp.Image(mp.ImageFormat.GRAY8, np.zeros((4, 5), np.uint8)).numpy_view().shape == (4, 5, 1)
    assert mp.Image.create_from_file(str(PHOTOS / "photographer.jpg")).numpy_view().ndim == 3


def test_values_of_pixels() -> None:
    pixels = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    image = mp.Image(mp.ImageFormat.SRGB, pixels)
    assert [image[1, 2, 0], image[3, 4, 2]] == [21, 59]
    assert mp.Image(mp.ImageFormat.GRAY8, pixels[:, :, 0])[1, 2] == 21
    with pytest.raises(IndexError):
        image[4, 0, 0]
    assert (image.uses_gpu(), image.is_contiguous(), image.is_empty()) == (False, True, False)


def test_scores_below_the_models_own_are_returned(shared: pathlib.Path) -> None:
    """MediaPipe's default keeps all scores."""
    with vision.ObjectDetector.create_from_model_path(str(COCO_SSD)) as task:
        found = task.detect(mp.Image.create_from_file(str(PHOTO)))
    scores = [one.categories[0].score or 0 for one in found.detections]
    assert len(scores) == 10
    assert min(scores) < 0.3


def test_a_number_is_not_an_image_path() -> None:
    """And does not close the file descriptor of that number."""
    with PHOTO.open("rb") as file:
        with pytest.raises(TypeError, match="file_name is int, a path expected"):
            mp.Image.create_from_file(file.fileno())  # type: ignore[arg-type]
        assert file.read(2) == b"\xff\xd8"


def test_a_closed_task(world: World) -> None:
    task = world.make()
    task.close()
    task.close()
    with pytest.raises(RuntimeError, match="closed"):
        world.one(task, world.image)


def test_the_names_in_googles_examples(shared: pathlib.Path) -> None:
    from fovea.mediapipe.tasks import python
    from fovea.mediapipe.tasks.python import components
    from fovea.mediapipe.tasks.python import vision as named

    base = python.BaseOptions(model_asset_path=str(COCO_SSD))
    options = named.ObjectDetectorOptions(base_options=base, score_threshold=0.5)
    with python.vision.ObjectDetector.create_from_options(options) as task:
        found = task.detect(mp.Image.create_from_file(str(PHOTO)))
    assert isinstance(found.detections[0], components.containers.Detection)
    assert [one.categories[0].category_name for one in found.detections] == ["cat"]
    for module, name in ((python, "text"), (named, "HolisticLandmarker"), (components, "processors")):
        with pytest.raises(AttributeError, match=f"has no '{name}': it has .*use MediaPipe itself"):
            getattr(module, name)
