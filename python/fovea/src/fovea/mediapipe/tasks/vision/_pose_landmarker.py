# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's `PoseLandmarker`."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from typing import ClassVar

from ...._results import Detections
from ..._image import Image
from .._base_options import BaseOptions
from ..components.containers import Landmark, NormalizedLandmark
from . import _landmarker
from ._core import RunningMode
from ._landmarker import Kind, Landmarker, connections


class PoseLandmark(enum.IntEnum):
    """The landmarks of a body."""

    NOSE = 0
    LEFT_EYE_INNER = 1
    LEFT_EYE = 2
    LEFT_EYE_OUTER = 3
    RIGHT_EYE_INNER = 4
    RIGHT_EYE = 5
    RIGHT_EYE_OUTER = 6
    LEFT_EAR = 7
    RIGHT_EAR = 8
    MOUTH_LEFT = 9
    MOUTH_RIGHT = 10
    LEFT_SHOULDER = 11
    RIGHT_SHOULDER = 12
    LEFT_ELBOW = 13
    RIGHT_ELBOW = 14
    LEFT_WRIST = 15
    RIGHT_WRIST = 16
    LEFT_PINKY = 17
    RIGHT_PINKY = 18
    LEFT_INDEX = 19
    RIGHT_INDEX = 20
    LEFT_THUMB = 21
    RIGHT_THUMB = 22
    LEFT_HIP = 23
    RIGHT_HIP = 24
    LEFT_KNEE = 25
    RIGHT_KNEE = 26
    LEFT_ANKLE = 27
    RIGHT_ANKLE = 28
    LEFT_HEEL = 29
    RIGHT_HEEL = 30
    LEFT_FOOT_INDEX = 31
    RIGHT_FOOT_INDEX = 32


class PoseLandmarksConnections:
    """The lines between the landmarks of a body."""

    Connection = _landmarker.Connection

    POSE_LANDMARKS: ClassVar[list[_landmarker.Connection]] = connections(
        "0 1 2 3 7, 0 4 5 6 8, 9 10, 11 12, 11 13 15 17, 15 19, 15 21, 17 19, 12 14 16 18, 16 20, 16 22, 18 20, 11 23, "
        "12 24, 23 24, 23 25, 24 26, 25 27, 26 28, 27 29, 28 30, 29 31, 30 32, 27 31, 28 32"
    )


@dataclasses.dataclass
class PoseLandmarkerResult:
    """The landmarks of each body, by descending score.

    Attributes:
        pose_landmarks: In the image.
        pose_world_landmarks: In metres from the middle of the hips.
        segmentation_masks: None.
    """

    pose_landmarks: list[list[NormalizedLandmark]]
    pose_world_landmarks: list[list[Landmark]]
    segmentation_masks: list[Image] | None = None


@dataclasses.dataclass
class PoseLandmarkerOptions:
    """The options of the task, with MediaPipe's defaults.

    Attributes:
        base_options: A bundle, such as ``pose_landmarker_full.task``.
        running_mode: The kind of input.
        num_poses: The maximum number of bodies.
        min_pose_detection_confidence: The minimum score of the detector.
        min_pose_presence_confidence: The minimum probability 0…1 that the landmark model sees a body.
        min_tracking_confidence: The IoU above which two crops in a video or a live stream show one body.
        output_segmentation_masks: Not available; True is an error.
        result_callback: The function that gets the results of a live stream.
    """

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    num_poses: int = 1
    min_pose_detection_confidence: float = 0.5
    min_pose_presence_confidence: float = 0.5
    min_tracking_confidence: float = 0.5
    output_segmentation_masks: bool = False
    result_callback: Callable[[PoseLandmarkerResult, Image, int], None] | None = None


class PoseLandmarker(Landmarker[PoseLandmarkerOptions, PoseLandmarkerResult]):
    """Finds the landmarks of bodies; create it with `create_from_options` or `create_from_model_path`."""

    _options = PoseLandmarkerOptions
    _kind = Kind(
        "pose", "poses", "person", (33,), "pose_landmarker.task", absent=("output_segmentation_masks",)
    )

    def _convert(self, found: Detections, timestamp_ms: int | None) -> PoseLandmarkerResult:
        bodies = self._objects(found)
        return PoseLandmarkerResult(_landmarker.landmarks_of(bodies), _landmarker.worlds_of(bodies))
