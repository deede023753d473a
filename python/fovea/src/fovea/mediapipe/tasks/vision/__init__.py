# SPDX-License-Identifier: Apache-2.0
"""Detectors, classifiers, segmenters, embedders and landmarkers of images."""

from ..._missing import missing
from ._core import ImageProcessingOptions, RunningMode
from ._face_landmarker import (
    FaceLandmarker,
    FaceLandmarkerOptions,
    FaceLandmarkerResult,
    FaceLandmarksConnections,
)
from ._hand_landmarker import (
    HandLandmark,
    HandLandmarker,
    HandLandmarkerOptions,
    HandLandmarkerResult,
    HandLandmarksConnections,
)
from ._image_classifier import ImageClassifier, ImageClassifierOptions, ImageClassifierResult
from ._image_embedder import ImageEmbedder, ImageEmbedderOptions, ImageEmbedderResult
from ._image_segmenter import ImageSegmenter, ImageSegmenterOptions, ImageSegmenterResult
from ._object_detector import ObjectDetector, ObjectDetectorOptions, ObjectDetectorResult
from ._pose_landmarker import (
    PoseLandmark,
    PoseLandmarker,
    PoseLandmarkerOptions,
    PoseLandmarkerResult,
    PoseLandmarksConnections,
)

__all__ = [
    "FaceLandmarker",
    "FaceLandmarkerOptions",
    "FaceLandmarkerResult",
    "FaceLandmarksConnections",
    "HandLandmark",
    "HandLandmarker",
    "HandLandmarkerOptions",
    "HandLandmarkerResult",
    "HandLandmarksConnections",
    "ImageClassifier",
    "ImageClassifierOptions",
    "ImageClassifierResult",
    "ImageEmbedder",
    "ImageEmbedderOptions",
    "ImageEmbedderResult",
    "ImageProcessingOptions",
    "ImageSegmenter",
    "ImageSegmenterOptions",
    "ImageSegmenterResult",
    "ObjectDetector",
    "ObjectDetectorOptions",
    "ObjectDetectorResult",
    "PoseLandmark",
    "PoseLandmarker",
    "PoseLandmarkerOptions",
    "PoseLandmarkerResult",
    "PoseLandmarksConnections",
    "RunningMode",
]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks.vision", name, __all__)
