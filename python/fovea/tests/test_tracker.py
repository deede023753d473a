# SPDX-License-Identifier: Apache-2.0
"""Identities match the program's."""

from __future__ import annotations

import json
import pathlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest import PHOTOS, ROOT, Program, Tensor

import fovea

VIDEO = ROOT / "Examples/videos/people.mp4"
FRAMES = 40


def frames() -> Iterator[np.ndarray[Any, Any]]:
    """The frames of a video, RGB."""
    av = pytest.importorskip("av")
    with av.open(str(VIDEO)) as container:
        for number, frame in enumerate(container.decode(video=0)):
            if number == FRAMES:
                return
            yield frame.to_ndarray(format="rgb24")


def objects(result: fovea.Detections) -> list[Any]:
    return [[one.track_id, one.label, [round(value, 2) for value in one.xywh]] for one in result]


@pytest.fixture(scope="module")
def moving() -> list[np.ndarray[Any, Any]]:
    """A photo that moves to the right, six pixels per frame."""
    image = pytest.importorskip("PIL.Image")
    pixels = np.asarray(image.open(PHOTOS / "cat.jpg").convert("RGB"))
    return [np.ascontiguousarray(np.roll(pixels, 6 * number, axis=1)) for number in range(12)]


def test_identities_of_recorded_boxes_match_the_program(program: Program, tmp_path: pathlib.Path) -> None:
    """Two boxes that cross, as a det.txt of MOT: only the tracker, without frames."""
    rows = []
    for number in range(30):
        rows.append([(10 + 9 * number, 50, 40, 80, 0.9), (300 - 9 * number, 60, 42, 82, 0.8)])
    rows[12] = rows[12][:1]
    file = tmp_path / "det.txt"
    file.write_text(
        "".join(
            f"{number},-1,{x},{y},{w},{h},{score}\n"
            for number, boxes in enumerate(rows, start=1)
            for x, y, w, h, score in boxes
        ),
        encoding="utf-8",
    )
    for name in ("bytetrack", "ocsort", "sort"):
        flags = [
            "--detections",
            file,
            "--tracker",
            name,
            "--frame-rate",
            "25",
            "--format",
            "jsonl",
            "--quiet",
        ]
        printed = program.run("track", *flags).splitlines()
        expected = [sorted(one["trackingID"] for one in json.loads(line)["objects"]) for line in printed]
        with fovea.Tracker(name, frame_rate=25) as tracker:
            found = [tracker.update(None, boxes_of(boxes), number / 25) for number, boxes in enumerate(rows)]
        assert [sorted(np.asarray(result.track_id).tolist()) for result in found] == expected


def boxes_of(boxes: list[tuple[float, ...]]) -> fovea.Detections:
    """Detections from numbers."""
    from fovea._columns import Columns, no_labels
    from fovea._results import Facts, Source

    array = np.array(boxes, np.float64).reshape(-1, 5)
    parts = Columns(array[:, :4].copy(), array[:, 4].astype(np.float32), None, no_labels(len(array)))
    return fovea.Detections(Source(), facts=Facts(500, 300), parts=parts)


def test_identities_in_a_video_match_the_program(program: Program) -> None:
    lines = program.run(
        "track", VIDEO, "--frames", FRAMES, "--allow", "person", "--format", "jsonl", "--quiet"
    ).splitlines()
    expected = [[one["trackingID"] for one in json.loads(line)["objects"]] for line in lines]
    with fovea.Detector(allow=["person"]) as detector, fovea.Tracker(frame_rate=30) as tracker:
        found = [[one.track_id for one in result] for result in tracker.track(detector, frames())]
    assert max(map(len, expected)) > 0
    assert len(found) == len(expected)
    # PyAV's decoder converts colours differently, so single boxes may appear a frame later.
    same = sum(one == other for one, other in zip(found, expected, strict=True))
    assert same >= 0.9 * len(expected)


def test_identities_last(detector: fovea.Detector, moving: list[np.ndarray[Any, Any]]) -> None:
    for options in ({}, {"every": 3}):
        with fovea.Tracker(frame_rate=10, **options) as tracker:  # type: ignore[arg-type]
            found = list(tracker.track(detector, moving))
            assert len(found) == len(moving)
            assert {one.track_id for result in found[4:] for one in result} == {1}
            assert all(result.labels == ["cat"] for result in found[4:])
            assert found[-1].track_id is not None
            assert json.loads(found[-1].to_json())["objects"][0]["trackingID"] == 1
            assert "#1  cat" in str(found[-1])
            again = [tracker.reset(), tracker.update(moving[0], detector(moving[0]), 9.0)][1]
            assert again is not None


def test_tensors_are_frames(detector: fovea.Detector, moving: list[np.ndarray[Any, Any]]) -> None:
    def identities(frames: list[Any]) -> list[Any]:
        with fovea.Tracker(every=2, frame_rate=10) as tracker:
            return [(found.track_id, found.xywh.tolist()) for found in tracker.track(detector, frames)]

    assert identities([Tensor(pixels) for pixels in moving]) == identities(moving)


def test_wrong_frames_and_detections(
    detector: fovea.Detector, moving: list[np.ndarray[Any, Any]], cat: pathlib.Path
) -> None:
    with fovea.Tracker() as tracker:
        with pytest.raises(TypeError, match="a frame is an array"):
            tracker.update(str(cat), detector(cat))  # type: ignore[arg-type]
        with pytest.raises(fovea.ImageError, match="uint8"):
            tracker.update(np.zeros((4, 4), np.float32), detector(cat))  # type: ignore[arg-type]
        with pytest.raises(fovea.FoveaError):
            tracker.update(moving[0], None)
        with pytest.raises(fovea.OptionError, match="before upright"):
            tracker.update(None, detector(cat, orientation=6).upright())
        tracker.update(None, detector(cat)[:0])
    with pytest.raises(fovea.ClosedError):
        tracker.update(None, detector(cat))
    with fovea.Tracker(every=2) as tracker, pytest.raises(fovea.FoveaError):
        tracker.update(None, detector(cat))


def test_a_second_thread_is_answered_at_once(
    detector: fovea.Detector, moving: list[np.ndarray[Any, Any]]
) -> None:
    """The call either runs or raises busy; nothing waits and nothing breaks."""
    found = detector(moving[0])
    codes: list[str] = []
    with fovea.Tracker() as tracker:

        def use() -> None:
            for _ in range(200):
                try:
                    tracker.update(None, found)
                except fovea.ClosedError as error:
                    codes.append(error.code)

        threads = [threading.Thread(target=use) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert set(codes) <= {"busy"}
