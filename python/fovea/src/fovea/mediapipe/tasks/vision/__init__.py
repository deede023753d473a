# SPDX-License-Identifier: Apache-2.0
"""Image detectors and classifiers."""

from ..._missing import missing
from ._core import ImageProcessingOptions, RunningMode
from ._image_classifier import ImageClassifier, ImageClassifierOptions, ImageClassifierResult
from ._object_detector import ObjectDetector, ObjectDetectorOptions, ObjectDetectorResult

__all__ = [
    "ImageClassifier",
    "ImageClassifierOptions",
    "ImageClassifierResult",
    "ImageProcessingOptions",
    "ObjectDetector",
    "ObjectDetectorOptions",
    "ObjectDetectorResult",
    "RunningMode",
]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks.vision", name, __all__)
