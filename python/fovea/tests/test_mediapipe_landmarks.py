# SPDX-License-Identifier: Apache-2.0
"""`fovea.mediapipe`'s landmarkers: one script with both modules, results, options and errors."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import pickle
import subprocess
import sys
import threading
import zipfile
from typing import Any

import numpy as np
import pytest
from conftest import MODELS, ROOT
from mediapipe_models import bundle, normalized, with_irises

import fovea
import fovea.mediapipe as mp
from fovea import _columns, _results

vision = mp.tasks.vision
SCRIPT = pathlib.Path(__file__).parent / "mediapipe_landmarks_script.py"
#: The mean distance of visible points, in shares of a body's longer side.
NEAR = 0.02
#: The same for bodies in the shade or partly hidden: a little noise moves MediaPipe's own points as much.
UNCERTAIN = {"000000005001.jpg": 0.05, "000000129648.jpg": 0.07}


@pytest.fixture(scope="module")
def photos_of_people(shared: pathlib.Path) -> list[pathlib.Path]:
    """The colour photos whose expected answers are known."""
    known = json.loads((shared / "goldens/tasks/mediapipe.json").read_bytes())["photos"]
    paths = [(ROOT if each["photo"].startswith("Examples") else shared) / each["photo"] for each in known]
    return [path for path in paths if path.name != "photographer.jpg"]


@pytest.fixture(scope="module")
def both(
    shared: pathlib.Path, photos_of_people: list[pathlib.Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Any, Any]:
    if importlib.util.find_spec("mediapipe") is None:
        pytest.skip("mediapipe is not installed")
    folder = tmp_path_factory.mktemp("bundles")
    pose = bundle(
        folder / "pose_landmarker.task",
        normalized((shared / "tasks/pose_detection.tflite").read_bytes(), 127.5, 127.5),
        normalized((shared / "tasks/pose_landmark_full.tflite").read_bytes()),
        "pose",
    )
    face = bundle(
        folder / "face_landmarker.task",
        normalized((shared / "wild-models/face_detection_short_range.tflite").read_bytes(), 127.5, 127.5),
        normalized(with_irises((shared / "tasks/face_landmark.tflite").read_bytes())),
        "face",
    )
    answers = []
    for module in ("mediapipe", "fovea.mediapipe"):
        command = [sys.executable, str(SCRIPT), module, str(pose), str(face), *map(str, photos_of_people)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout.splitlines()[-1]))
    return answers[0], answers[1]


def test_bodies_match_mediapipe(both: tuple[Any, Any], photos_of_people: list[pathlib.Path]) -> None:
    total = 0
    for path, theirs, ours in zip(photos_of_people, both[0]["pose"], both[1]["pose"], strict=True):
        assert len(theirs) == len(ours), path.name
        for one, other in zip(np.array(theirs, float), np.array(ours, float), strict=True):
            total += 1
            side = np.ptp(one[:, :2], axis=0).max()
            seen = one[:, 3] >= 0.5
            distance = np.linalg.norm(one[seen, :2] - other[seen, :2], axis=1).mean() / side
            assert distance <= UNCERTAIN.get(path.name, NEAR), f"{path.name}: {distance}"
            if path.name in UNCERTAIN:
                continue
            assert np.abs(one[seen, 2] - other[seen, 2]).mean() <= 0.15 * np.ptp(one[:, 2]), path.name
            assert np.abs(one[:, 3:] - other[:, 3:]).mean() <= 0.1, path.name
    assert total >= 7


def test_bodies_in_metres_match_mediapipe(
    both: tuple[Any, Any], photos_of_people: list[pathlib.Path]
) -> None:
    for path, theirs, ours, points in zip(
        photos_of_people, both[0]["pose_world"], both[1]["pose_world"], both[0]["pose"], strict=True
    ):
        if not theirs or path.name in UNCERTAIN:
            continue
        seen = np.array(points[0], float)[:, 3] >= 0.5
        one, other = np.array(theirs[0], float)[seen], np.array(ours[0], float)[seen]
        assert np.linalg.norm(one - other, axis=1).mean() <= 0.1, path.name


def test_faces_match_mediapipe(both: tuple[Any, Any], photos_of_people: list[pathlib.Path]) -> None:
    total = 0
    for path, theirs, ours in zip(photos_of_people, both[0]["face"], both[1]["face"], strict=True):
        assert len(theirs) == len(ours), path.name
        for one, other in zip(np.array(theirs, float), np.array(ours, float), strict=True):
            total += 1
            assert one.shape == other.shape == (478, 5)
            assert np.linalg.norm(one[:, :2] - other[:, :2], axis=1).mean() <= 0.002, path.name
            assert np.abs(one[:, 2] - other[:, 2]).mean() <= 0.01, path.name
            assert np.isnan(other[:, 3:]).all()
    assert total >= 3


def test_modes_and_other_parts_match_mediapipe(both: tuple[Any, Any]) -> None:
    for key in ("pose_masks", "connections", "nose", "face_parts", "live"):
        assert both[0][key] == both[1][key], key


def test_a_body_is_followed_like_in_mediapipe(both: tuple[Any, Any]) -> None:
    assert (
        [len(each) for each in both[0]["video"]] == [len(each) for each in both[1]["video"]] == [1] * 5 + [0]
    )
    for theirs, ours in zip(both[0]["video"][:-1], both[1]["video"][:-1], strict=True):
        one, other = np.array(theirs[0], float), np.array(ours[0], float)
        seen = one[:, 3] >= 0.5
        side = np.ptp(one[:, :2], axis=0).max()
        assert np.linalg.norm(one[seen, :2] - other[seen, :2], axis=1).mean() / side <= NEAR


def test_a_face_is_followed_like_in_mediapipe(both: tuple[Any, Any]) -> None:
    theirs, ours = both[0]["face_video"], both[1]["face_video"]
    assert [len(each) for each in theirs] == [len(each) for each in ours] == [1] * 5 + [0]
    for one, other in zip(theirs[:-1], ours[:-1], strict=True):
        assert np.linalg.norm(np.subtract(one, other)[0, :, :2], axis=1).mean() <= 0.001


def test_names_match_mediapipe() -> None:
    module = "mediapipe.tasks.python.vision"
    if importlib.util.find_spec("mediapipe") is None:
        pytest.skip("mediapipe is not installed")
    for file, name in (("pose", "PoseLandmark"), ("hand", "HandLandmark")):
        theirs = getattr(importlib.import_module(f"{module}.{file}_landmarker"), name)
        assert [(each.name, each.value) for each in getattr(vision, name)] == [
            (each.name, each.value) for each in theirs
        ]
    for file in ("pose", "hand", "face"):
        theirs = getattr(
            importlib.import_module(f"{module}.{file}_landmarker"), f"{file.title()}LandmarksConnections"
        )
        ours = getattr(vision, f"{file.title()}LandmarksConnections")
        names = [name for name in dir(theirs) if name.isupper()]
        assert names == [name for name in dir(ours) if name.isupper()]
        for name in names:
            assert [(line.start, line.end) for line in getattr(ours, name)] == [
                (line.start, line.end) for line in getattr(theirs, name)
            ], name


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A bundle of tiny models, which find red blocks."""
    return bundle(
        tmp_path_factory.mktemp("bundles") / "hand_landmarker.task",
        (MODELS / "mediapipe_palm.tflite").read_bytes(),
        (MODELS / "hand_landmarks.tflite").read_bytes(),
        "hand",
    )


@pytest.fixture(scope="module")
def red() -> mp.Image:
    """A red block on grey."""
    pixels = np.full((160, 240, 3), 90, np.uint8)
    pixels[50:100, 80:140] = 255, 0, 0
    return mp.Image(mp.ImageFormat.SRGB, pixels)


def options_of(hands: pathlib.Path, **given: Any) -> Any:
    return vision.HandLandmarkerOptions(mp.tasks.BaseOptions(str(hands)), **given)


def test_a_hand(hands: pathlib.Path, red: mp.Image) -> None:
    with vision.HandLandmarker.create_from_model_path(str(hands)) as landmarker:
        found = landmarker.detect(red)
    assert len(found.hand_landmarks) == len(found.hand_world_landmarks) == len(found.handedness) == 1
    points = found.hand_landmarks[0]
    assert len(points) == len(found.hand_world_landmarks[0]) == len(vision.HandLandmark)
    with fovea.Detector(hands, max_objects=1, threads=1) as detector:
        expected = detector(red.numpy_view())[0].keypoints
    assert [(point.x, point.y) for point in points] == [(x / 240, y / 160) for x, y in expected]
    assert {(point.z, point.visibility, point.presence, point.name) for point in points} == {
        (0.0, None, None, None)
    }
    side = found.handedness[0][0]
    # The tiny model's probability of a right hand is half of the flag.
    assert (side.index, side.category_name) in ((0, "Right"), (1, "Left"))
    assert side.score is not None
    assert side.score >= 0.5


def test_bytes_of_a_bundle(hands: pathlib.Path, red: mp.Image) -> None:
    base = mp.tasks.BaseOptions(model_asset_buffer=hands.read_bytes())
    with (
        vision.HandLandmarker.create_from_options(vision.HandLandmarkerOptions(base)) as landmarker,
        vision.HandLandmarker.create_from_model_path(str(hands)) as other,
    ):
        assert landmarker.detect(red) == other.detect(red)


def test_video_and_live_stream(hands: pathlib.Path, red: mp.Image) -> None:
    with vision.HandLandmarker.create_from_model_path(str(hands)) as landmarker:
        expected = landmarker.detect(red)
    video = options_of(hands, running_mode=vision.RunningMode.VIDEO)
    with vision.HandLandmarker.create_from_options(video) as landmarker:
        assert landmarker.detect_for_video(red, 0) == expected
        # In a crop that the landmarks placed, not the detector.
        second = landmarker.detect_for_video(red, 33)
        assert second != expected
        assert middles(second) == pytest.approx(middles(expected), abs=0.02)
        with pytest.raises(ValueError, match=r"monotonically increasing. 33 came after 33"):
            landmarker.detect_for_video(red, 33)
    seen: list[Any] = []
    done = threading.Event()

    def callback(result: Any, image: mp.Image, timestamp_ms: int) -> None:
        seen.append((result, timestamp_ms))
        done.set()

    live = options_of(hands, running_mode=vision.RunningMode.LIVE_STREAM, result_callback=callback)
    with vision.HandLandmarker.create_from_options(live) as landmarker:
        landmarker.detect_async(red, 5)
        assert done.wait(30)
    assert seen == [(expected, 5)]


def middles(found: Any) -> list[float]:
    """x and y of the middle of each hand."""
    return [
        np.mean([getattr(point, name) for point in hand])
        for hand in found.hand_landmarks
        for name in ("x", "y")
    ]


def test_a_hand_is_followed_until_it_is_gone(hands: pathlib.Path) -> None:
    def frame(x: int | None) -> mp.Image:
        pixels = np.full((160, 240, 3), 90, np.uint8)
        if x is not None:
            pixels[50:100, x : x + 60] = 255, 0, 0
        return mp.Image(mp.ImageFormat.SRGB, pixels)

    video = options_of(hands, running_mode=vision.RunningMode.VIDEO)
    with vision.HandLandmarker.create_from_options(video) as landmarker:
        for number, x in enumerate((80, 86, 92, 98)):
            found = landmarker.detect_for_video(frame(x), 40 * number)
            assert middles(found) == pytest.approx([(x + 30) / 240, 75 / 160], abs=0.03)
        assert landmarker.detect_for_video(frame(None), 200).hand_landmarks == []
        # Found again by the detector, at another place.
        again = landmarker.detect_for_video(frame(20), 240)
        assert middles(again) == pytest.approx([50 / 240, 75 / 160], abs=0.03)
        turned = vision.ImageProcessingOptions(rotation_degrees=90)
        assert len(landmarker.detect_for_video(frame(20), 280, turned).hand_landmarks) == 1


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A bundle of tiny models, which find red blocks."""
    return bundle(
        tmp_path_factory.mktemp("bundles") / "face_landmarker.task",
        (MODELS / "mediapipe_face.tflite").read_bytes(),
        (MODELS / "face_landmarks.tflite").read_bytes(),
        "face",
    )


def block(x: int) -> mp.Image:
    """A red block at x on grey."""
    pixels = np.full((160, 240, 3), 90, np.uint8)
    pixels[50:100, x : x + 60] = 255, 0, 0
    return mp.Image(mp.ImageFormat.SRGB, pixels)


def faces_of(faces: pathlib.Path, frames: list[tuple[int, int]], **given: Any) -> list[Any]:
    """x, y and z in pixels of the first face in frames with a block at x and a time."""
    options = vision.FaceLandmarkerOptions(
        mp.tasks.BaseOptions(str(faces)), running_mode=vision.RunningMode.VIDEO, **given
    )
    with vision.FaceLandmarker.create_from_options(options) as landmarker:
        found = [landmarker.detect_for_video(block(x), time).face_landmarks[0] for x, time in frames]
    return [np.array([(point.x, point.y, point.z) for point in face]) * (240, 160, 240) for face in found]


def filtered(frames: list[tuple[int, int]], values: list[Any]) -> list[Any]:
    """The values with the filter of MediaPipe's face landmarker: the paper's, its speeds in sizes of the face."""
    answer, speed = [values[0]], 0.0
    for at in range(1, len(values)):
        passed = (frames[at][1] - frames[at - 1][1]) / 1000
        size = np.ptp(values[at][:, :2], axis=0).mean()

        def share(cutoff: Any, passed: float = passed) -> Any:
            return 1 / (1 + 1 / (2 * np.pi * cutoff * passed))

        speed = speed + share(1) * ((values[at] - values[at - 1]) / size / passed - speed)
        answer.append(answer[-1] + share(0.05 + 80 * np.abs(speed)) * (values[at] - answer[-1]))
    return answer


def test_the_landmarks_of_one_face_are_smoothed(faces: pathlib.Path) -> None:
    frames = [(80, 0), (83, 33), (88, 66), (88, 200), (87, 210)]
    # MediaPipe smooths only if the maximum is 1, and so the others show what the model saw.
    plain, smooth = faces_of(faces, frames, num_faces=2), faces_of(faces, frames)
    assert np.array_equal(plain[0], smooth[0])
    assert all(np.abs(one - other).max() > 1e-3 for one, other in zip(plain[1:], smooth[1:], strict=True))
    for one, other in zip(filtered(frames, plain), smooth, strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-3)


def test_crops_that_overlap_more_than_the_tracking_confidence_show_one_hand(hands: pathlib.Path) -> None:
    for confidence, count in ((0.5, 1), (0, 1), (True, 2), (2, 2)):
        video = options_of(
            hands, running_mode=vision.RunningMode.VIDEO, num_hands=2, min_tracking_confidence=confidence
        )
        with vision.HandLandmarker.create_from_options(video) as landmarker:
            assert len(landmarker.detect_for_video(block(80), 0).hand_landmarks) == 1
            # The detector looks again after half a second.
            assert len(landmarker.detect_for_video(block(83), 600).hand_landmarks) == count, confidence


@pytest.mark.parametrize("value", [-1, -0.001, float("nan"), float("-inf")])
def test_a_tracking_confidence_that_ends_mediapipe_is_an_error(hands: pathlib.Path, value: float) -> None:
    video = options_of(hands, running_mode=vision.RunningMode.VIDEO, min_tracking_confidence=value)
    with pytest.raises(ValueError, match=r"min_tracking_confidence is .*Pass 0 or more"):
        vision.HandLandmarker.create_from_options(video)


def test_rotations_and_regions(hands: pathlib.Path, red: mp.Image) -> None:
    part = mp.tasks.components.containers.Rect(0.25, 0.0, 1.0, 0.75)
    with vision.HandLandmarker.create_from_model_path(str(hands)) as landmarker:
        for degrees in (0, 90, 180, 270):
            found = landmarker.detect(red, vision.ImageProcessingOptions(rotation_degrees=degrees))
            assert len(found.hand_landmarks) == 1, degrees
            middle = np.mean([(point.x, point.y) for point in found.hand_landmarks[0]], axis=0)
            assert np.allclose(middle, (110 / 240, 75 / 160), atol=0.03), degrees
        with pytest.raises(ValueError, match="doesn't support region-of-interest"):
            landmarker.detect(red, vision.ImageProcessingOptions(region_of_interest=part))


def test_nothing_to_find(hands: pathlib.Path, red: mp.Image) -> None:
    grey = mp.Image(mp.ImageFormat.SRGB, np.full((160, 240, 3), 90, np.uint8))
    with vision.HandLandmarker.create_from_model_path(str(hands)) as landmarker:
        assert landmarker.detect(grey) == vision.HandLandmarkerResult([], [], [])
    with vision.HandLandmarker.create_from_options(
        options_of(hands, min_hand_detection_confidence=1.5)
    ) as landmarker:
        assert landmarker.detect(red).hand_landmarks == []


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"num_hands": 0}, RuntimeError, "num_hands is 0"),
    ({"num_hands": -1}, RuntimeError, "num_hands is -1"),
    ({"num_hands": 1.5}, TypeError, "num_hands is 1.5, a whole number expected"),
    ({"num_hands": None}, TypeError, "num_hands is None"),
    ({"min_hand_detection_confidence": "0.5"}, TypeError, "min_hand_detection_confidence is str, a number"),
    ({"min_hand_presence_confidence": None}, TypeError, "min_hand_presence_confidence is NoneType"),
    ({"min_hand_presence_confidence": 1.5}, ValueError, r"in the range \[0.0, 1.0\]. It is 1.5"),
    ({"min_hand_presence_confidence": float("nan")}, ValueError, "It is nan"),
    ({"min_tracking_confidence": "a"}, TypeError, "min_tracking_confidence is str"),
    ({"result_callback": print}, ValueError, "result callback should not be provided"),
]


@pytest.mark.parametrize(("given", "kind", "text"), WRONG)
def test_wrong_options(hands: pathlib.Path, given: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        vision.HandLandmarker.create_from_options(options_of(hands, **given))


@pytest.mark.parametrize("value", [-1, 2, float("nan"), True])
def test_odd_confidences_are_accepted_like_in_mediapipe(hands: pathlib.Path, value: Any) -> None:
    odd = options_of(hands, min_hand_detection_confidence=value, min_tracking_confidence=value)
    vision.HandLandmarker.create_from_options(odd).close()


def test_parts_that_are_not_available(hands: pathlib.Path) -> None:
    base = mp.tasks.BaseOptions(str(hands))
    for kind, options, name in (
        (vision.PoseLandmarker, vision.PoseLandmarkerOptions, "output_segmentation_masks"),
        (vision.FaceLandmarker, vision.FaceLandmarkerOptions, "output_face_blendshapes"),
        (vision.FaceLandmarker, vision.FaceLandmarkerOptions, "output_facial_transformation_matrixes"),
    ):
        with pytest.raises(ValueError, match=f"{name} is not available. Omit it"):
            kind.create_from_options(options(base, **{name: True}))


def test_other_models(hands: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"pose_landmarker\.task, but this file finds palm"):
        vision.PoseLandmarker.create_from_model_path(str(hands))
    with pytest.raises(ValueError, match="but this file is a single model"):
        vision.HandLandmarker.create_from_model_path(str(MODELS / "mediapipe_palm.tflite"))
    for file, what in ((hands, "finds palm"), (MODELS / "mediapipe_palm.tflite", "is a single model")):
        video = vision.PoseLandmarkerOptions(mp.tasks.BaseOptions(str(file)), vision.RunningMode.VIDEO)
        with pytest.raises(ValueError, match=f"but this file {what}"):
            vision.PoseLandmarker.create_from_options(video)
    with pytest.raises(FileNotFoundError):
        vision.HandLandmarker.create_from_model_path("nothere.task")
    cut = tmp_path / "cut.task"
    cut.write_bytes(hands.read_bytes()[:1000])
    # MediaPipe raises a RuntimeError.
    for kind in (RuntimeError, ValueError):
        with pytest.raises(kind, match="The archive is damaged: its end is missing"):
            vision.HandLandmarker.create_from_model_path(str(cut))
    mix = tmp_path / "mix.task"
    with zipfile.ZipFile(mix, "w") as archive:
        archive.write(MODELS / "mediapipe_palm.tflite", "pose_detector.tflite")
        archive.write(MODELS / "rtmpose.tflite", "pose_landmarks_detector.tflite")
    for mode in (vision.RunningMode.IMAGE, vision.RunningMode.VIDEO):
        options = vision.PoseLandmarkerOptions(mp.tasks.BaseOptions(str(mix)), mode)
        with pytest.raises(ValueError, match="finds the points of a person in the box of a person"):
            vision.PoseLandmarker.create_from_options(options)
    single = tmp_path / "single.task"
    with zipfile.ZipFile(single, "w") as archive:
        archive.write(MODELS / "hand_landmarks.tflite", "hand_landmarks_detector.tflite")
    with pytest.raises(FileNotFoundError, match="has no detector with a landmark model"):
        vision.HandLandmarker.create_from_model_path(str(single))
    (tmp_path / "text.task").write_text("no bundle")
    with pytest.raises(RuntimeError):
        vision.HandLandmarker.create_from_model_path(str(tmp_path / "text.task"))


def detections(count: int, *, world: bool = True, right: float = 0.25) -> fovea.Detections:
    """Two objects, of which the second one has landmarks."""
    numbers = np.arange(count, dtype=np.float32)
    details = _columns.LandmarkColumns(
        10 * numbers,
        numbers / count,
        np.stack([numbers, 2 * numbers, 3 * numbers], axis=1)
        if world
        else np.full((count, 3), np.nan, np.float32),
        np.array([np.nan, right], np.float32),
    )
    parts = _columns.Columns(
        np.tile([1.0, 2, 6, 4], (2, 1)),
        np.array([0.9, 0.6], np.float32),
        None,
        _columns.no_labels(2),
        _columns.offsets_of([0, count]),
        np.stack([numbers, numbers], axis=1).astype(float),
        keypoint_scores=np.full(count, 0.5, np.float32),
        landmarks=details,
    )
    return fovea.Detections(
        _results.Source(), facts=_results.Facts(100, 50, 1), parts=_results._frozen(parts)
    )


def converted(kind: Any, found: fovea.Detections, threshold: float = 0.5) -> Any:
    """The result of a landmarker without a model."""
    task = kind.__new__(kind)
    task._threshold = threshold
    return task._convert(found, None)


def test_places_depths_and_metres() -> None:
    found = converted(vision.PoseLandmarker, detections(33))
    assert len(found.pose_landmarks) == 1
    point, world = found.pose_landmarks[0][3], found.pose_world_landmarks[0][3]
    assert (point.x, point.y, point.visibility) == (0.03, 0.06, 0.5)
    assert np.allclose([point.z, point.presence], [0.3, 3 / 33])
    assert (world.x, world.y, world.z, world.visibility) == (3.0, 6.0, 9.0, 0.5)
    assert converted(vision.PoseLandmarker, detections(33), 0.7).pose_landmarks == []


def test_selections_and_pickles_keep_the_values() -> None:
    found = pickle.loads(pickle.dumps(detections(33)[[1, 0]]))
    rows = found._rows.landmarks
    assert rows is not None
    assert rows.right_hands[0] == 0.25
    assert np.isnan(rows.right_hands[1])
    assert rows.worlds.shape == (33, 3)


@pytest.mark.parametrize(
    ("right", "index", "name", "score"),
    [(0.75, 0, "Right", 0.75), (0.25, 1, "Left", 0.75), (0.5, 0, "Right", 0.5)],
)
def test_handedness(right: float, index: int, name: str, score: float) -> None:
    side = converted(vision.HandLandmarker, detections(21, right=right)).handedness[0][0]
    assert (side.index, side.category_name, side.display_name, side.score) == (index, name, name, score)


def test_models_without_the_values_are_errors() -> None:
    for kind, found, text in (
        (vision.PoseLandmarker, detections(33, world=False), "has no points in metres"),
        (vision.PoseLandmarker, detections(21), "found 21 points, 33 expected"),
        (vision.FaceLandmarker, detections(33), "found 33 points, 468 or 478 expected"),
        (vision.HandLandmarker, detections(21, right=float("nan")), "does not output which hand it is"),
    ):
        with pytest.raises(RuntimeError, match=text):
            converted(kind, found)
    assert len(converted(vision.FaceLandmarker, detections(478, world=False)).face_landmarks[0]) == 478
