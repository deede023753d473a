# SPDX-License-Identifier: Apache-2.0
"""Image detectors and classifiers, as in `fovea.mediapipe.tasks.vision`."""

from ..._missing import missing
from ..vision import (
    ImageClassifier,
    ImageClassifierOptions,
    ImageClassifierResult,
    ImageProcessingOptions,
    ObjectDetector,
    ObjectDetectorOptions,
    ObjectDetectorResult,
    RunningMode,
)

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
    raise missing("mediapipe.tasks.python.vision", name, __all__)
