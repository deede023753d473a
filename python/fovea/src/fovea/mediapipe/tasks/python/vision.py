# SPDX-License-Identifier: Apache-2.0
"""Detectors, classifiers, segmenters and embedders of images, as in `fovea.mediapipe.tasks.vision`."""

from ..._missing import missing
from ..vision import (
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
    RunningMode,
)

__all__ = [
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
    "RunningMode",
]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks.python.vision", name, __all__)
