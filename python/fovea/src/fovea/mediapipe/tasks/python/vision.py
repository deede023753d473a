# SPDX-License-Identifier: Apache-2.0
"""Detectors, classifiers, segmenters, embedders and landmarkers of images, as in `fovea.mediapipe.tasks.vision`."""

from ..._missing import missing
from ..vision import (
    FaceLandmarker,
    FaceLandmarkerOptions,
    FaceLandmarkerResult,
    FaceLandmarksConnections,
    HandLandmark,
    HandLandmarker,
    HandLandmarkerOptions,
    HandLandmarkerResult,
    HandLandmarksConnections,
    ImageClassifier,
    ImageClassifierOptions,
    ImageClassifierResult,
    ImageEmbedder,
    ImageEmbedderOptions,
    ImageEmbedderResult,
    ImageProcessingOptions,
    ImageSegmenter,
    ImageSegmenterOptions,
    ImageSegmenterResult,
    ObjectDetector,
    ObjectDetectorOptions,
    ObjectDetectorResult,
    PoseLandmark,
    PoseLandmarker,
    PoseLandmarkerOptions,
    PoseLandmarkerResult,
    PoseLandmarksConnections,
    RunningMode,
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
    raise missing("mediapipe.tasks.python.vision", name, __all__)
