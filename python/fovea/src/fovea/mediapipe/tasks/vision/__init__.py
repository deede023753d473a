# SPDX-License-Identifier: Apache-2.0
"""Detectors, classifiers, segmenters and embedders of images."""

from ..._missing import missing
from ._core import ImageProcessingOptions, RunningMode
from ._image_classifier import ImageClassifier, ImageClassifierOptions, ImageClassifierResult
from ._image_embedder import ImageEmbedder, ImageEmbedderOptions, ImageEmbedderResult
from ._image_segmenter import ImageSegmenter, ImageSegmenterOptions, ImageSegmenterResult
from ._object_detector import ObjectDetector, ObjectDetectorOptions, ObjectDetectorResult

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
    raise missing("mediapipe.tasks.vision", name, __all__)
