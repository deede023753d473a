# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's `HandLandmarker`."""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Callable
from typing import ClassVar

from ...._results import Detections
from ..._image import Image
from .._base_options import BaseOptions
from ..components.containers import Category, Landmark, NormalizedLandmark
from . import _landmarker
from ._core import RunningMode
from ._landmarker import Kind, Landmarker, connections


class HandLandmark(enum.IntEnum):
    """The landmarks of a hand."""

    WRIST = 0
    THUMB_CMC = 1
    THUMB_MCP = 2
    THUMB_IP = 3
    THUMB_TIP = 4
    INDEX_FINGER_MCP = 5
    INDEX_FINGER_PIP = 6
    INDEX_FINGER_DIP = 7
    INDEX_FINGER_TIP = 8
    MIDDLE_FINGER_MCP = 9
    MIDDLE_FINGER_PIP = 10
    MIDDLE_FINGER_DIP = 11
    MIDDLE_FINGER_TIP = 12
    RING_FINGER_MCP = 13
    RING_FINGER_PIP = 14
    RING_FINGER_DIP = 15
    RING_FINGER_TIP = 16
    PINKY_MCP = 17
    PINKY_PIP = 18
    PINKY_DIP = 19
    PINKY_TIP = 20


class HandLandmarksConnections:
    """The lines between the landmarks of a hand."""

    Connection = _landmarker.Connection

    HAND_PALM_CONNECTIONS: ClassVar[list[_landmarker.Connection]] = connections(
        "0 1, 0 5, 9 13 17, 5 9, 0 17"
    )
    HAND_THUMB_CONNECTIONS: ClassVar[list[_landmarker.Connection]] = connections("1 2 3 4")
    HAND_INDEX_FINGER_CONNECTIONS: ClassVar[list[_landmarker.Connection]] = connections("5 6 7 8")
    HAND_MIDDLE_FINGER_CONNECTIONS: ClassVar[list[_landmarker.Connection]] = connections("9 10 11 12")
    HAND_RING_FINGER_CONNECTIONS: ClassVar[list[_landmarker.Connection]] = connections("13 14 15 16")
    HAND_PINKY_FINGER_CONNECTIONS: ClassVar[list[_landmarker.Connection]] = connections("17 18 19 20")
    HAND_CONNECTIONS: ClassVar[list[_landmarker.Connection]] = [
        *HAND_PALM_CONNECTIONS,
        *HAND_THUMB_CONNECTIONS,
        *HAND_INDEX_FINGER_CONNECTIONS,
        *HAND_MIDDLE_FINGER_CONNECTIONS,
        *HAND_RING_FINGER_CONNECTIONS,
        *HAND_PINKY_FINGER_CONNECTIONS,
    ]


@dataclasses.dataclass
class HandLandmarkerResult:
    """The landmarks of each hand, by descending score.

    Attributes:
        handedness: "Right" (index 0) or "Left" (index 1) with its probability, of a hand in an image that is not mirrored.
        hand_landmarks: In the image.
        hand_world_landmarks: In metres from the middle of the hand.
    """

    handedness: list[list[Category]]
    hand_landmarks: list[list[NormalizedLandmark]]
    hand_world_landmarks: list[list[Landmark]]


@dataclasses.dataclass
class HandLandmarkerOptions:
    """The options of the task, with MediaPipe's defaults.

    Attributes:
        base_options: A bundle, such as ``hand_landmarker.task``.
        running_mode: The kind of input.
        num_hands: The maximum number of hands.
        min_hand_detection_confidence: The minimum score of the detector.
        min_hand_presence_confidence: The minimum probability 0…1 that the landmark model sees a hand.
        min_tracking_confidence: The IoU above which two crops in a video or a live stream show one hand.
        result_callback: The function that gets the results of a live stream.
    """

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    num_hands: int = 1
    min_hand_detection_confidence: float = 0.5
    min_hand_presence_confidence: float = 0.5
    min_tracking_confidence: float = 0.5
    result_callback: Callable[[HandLandmarkerResult, Image, int], None] | None = None


class HandLandmarker(Landmarker[HandLandmarkerOptions, HandLandmarkerResult]):
    """Finds the landmarks of hands; create it with `create_from_options` or `create_from_model_path`."""

    _options = HandLandmarkerOptions
    _kind = Kind("hand", "hands", "palm", (21,), "hand_landmarker.task", smooths=False)

    def _convert(self, found: Detections, timestamp_ms: int | None) -> HandLandmarkerResult:
        hands = self._objects(found)
        return HandLandmarkerResult(
            [[self._side(each.right_hand)] for each in hands],
            _landmarker.landmarks_of(hands),
            _landmarker.worlds_of(hands),
        )

    def _side(self, right: float) -> Category:
        """Returns the more likely side.

        Raises:
            RuntimeError: The model does not know it.
        """
        if math.isnan(right):
            raise RuntimeError(
                f"The landmark model does not output which hand it is. Use MediaPipe's {self._kind.bundle}"
            )
        index, name, score = (0, "Right", right) if right >= 0.5 else (1, "Left", 1 - right)
        return Category(index, score, name, name)
