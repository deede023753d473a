# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's `FaceLandmarker`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar

import numpy.typing as npt

from ...._results import Detections
from ..._image import Image
from .._base_options import BaseOptions
from ..components.containers import Category, NormalizedLandmark
from . import _face_connections, _landmarker
from ._core import RunningMode
from ._landmarker import Kind, Landmarker, connections


class FaceLandmarksConnections:
    """The lines between the landmarks of a face."""

    Connection = _landmarker.Connection

    FACE_LANDMARKS_LIPS: ClassVar[list[_landmarker.Connection]] = connections(_face_connections.LIPS)
    FACE_LANDMARKS_LEFT_EYE: ClassVar[list[_landmarker.Connection]] = connections(_face_connections.LEFT_EYE)
    FACE_LANDMARKS_LEFT_EYEBROW: ClassVar[list[_landmarker.Connection]] = connections(
        _face_connections.LEFT_EYEBROW
    )
    FACE_LANDMARKS_LEFT_IRIS: ClassVar[list[_landmarker.Connection]] = connections(
        _face_connections.LEFT_IRIS
    )
    FACE_LANDMARKS_RIGHT_EYE: ClassVar[list[_landmarker.Connection]] = connections(
        _face_connections.RIGHT_EYE
    )
    FACE_LANDMARKS_RIGHT_EYEBROW: ClassVar[list[_landmarker.Connection]] = connections(
        _face_connections.RIGHT_EYEBROW
    )
    FACE_LANDMARKS_RIGHT_IRIS: ClassVar[list[_landmarker.Connection]] = connections(
        _face_connections.RIGHT_IRIS
    )
    FACE_LANDMARKS_FACE_OVAL: ClassVar[list[_landmarker.Connection]] = connections(
        _face_connections.FACE_OVAL
    )
    FACE_LANDMARKS_NOSE: ClassVar[list[_landmarker.Connection]] = connections(_face_connections.NOSE)
    FACE_LANDMARKS_CONTOURS: ClassVar[list[_landmarker.Connection]] = [
        *FACE_LANDMARKS_LIPS,
        *FACE_LANDMARKS_LEFT_EYE,
        *FACE_LANDMARKS_LEFT_EYEBROW,
        *FACE_LANDMARKS_RIGHT_EYE,
        *FACE_LANDMARKS_RIGHT_EYEBROW,
        *FACE_LANDMARKS_FACE_OVAL,
    ]
    FACE_LANDMARKS_TESSELATION: ClassVar[list[_landmarker.Connection]] = connections(
        _face_connections.TESSELATION
    )


@dataclasses.dataclass
class FaceLandmarkerResult:
    """The landmarks of each face, by descending score.

    Attributes:
        face_landmarks: In the image: 478, or 468 from a model without irises.
        face_blendshapes: Empty.
        facial_transformation_matrixes: Empty.
    """

    face_landmarks: list[list[NormalizedLandmark]]
    face_blendshapes: list[list[Category]]
    facial_transformation_matrixes: list[npt.NDArray[Any]]


@dataclasses.dataclass
class FaceLandmarkerOptions:
    """The options of the task, with MediaPipe's defaults.

    Attributes:
        base_options: A bundle, such as ``face_landmarker.task``.
        running_mode: The kind of input.
        num_faces: The maximum number of faces.
        min_face_detection_confidence: The minimum score of the detector.
        min_face_presence_confidence: The minimum probability 0…1 that the landmark model sees a face.
        min_tracking_confidence: The IoU above which two crops in a video or a live stream show one face.
        output_face_blendshapes: Not available; True is an error.
        output_facial_transformation_matrixes: Not available; True is an error.
        result_callback: The function that gets the results of a live stream.
    """

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    num_faces: int = 1
    min_face_detection_confidence: float = 0.5
    min_face_presence_confidence: float = 0.5
    min_tracking_confidence: float = 0.5
    output_face_blendshapes: bool = False
    output_facial_transformation_matrixes: bool = False
    result_callback: Callable[[FaceLandmarkerResult, Image, int], None] | None = None


class FaceLandmarker(Landmarker[FaceLandmarkerOptions, FaceLandmarkerResult]):
    """Finds the landmarks of faces; create it with `create_from_options` or `create_from_model_path`."""

    _options = FaceLandmarkerOptions
    _kind = Kind(
        "face",
        "faces",
        "face",
        (468, 478),
        "face_landmarker.task",
        has_world=False,
        absent=("output_face_blendshapes", "output_facial_transformation_matrixes"),
    )

    def _convert(self, found: Detections, timestamp_ms: int | None) -> FaceLandmarkerResult:
        return FaceLandmarkerResult(_landmarker.landmarks_of(self._objects(found)), [], [])
