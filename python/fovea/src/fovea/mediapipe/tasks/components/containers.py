# SPDX-License-Identifier: Apache-2.0
"""Results, with MediaPipe's names."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy.typing as npt

from ..._missing import missing


@dataclasses.dataclass
class BoundingBox:
    """A box in whole pixels of the unrotated image."""

    origin_x: int
    origin_y: int
    width: int
    height: int


@dataclasses.dataclass
class Category:
    """A class with its score, index and names."""

    index: int | None = None
    score: float | None = None
    display_name: str | None = None
    category_name: str | None = None


@dataclasses.dataclass
class NormalizedKeypoint:
    """A point on an object, in fractions of the image's sides."""

    x: float | None = None
    y: float | None = None
    label: str | None = None
    score: float | None = None


@dataclasses.dataclass
class Detection:
    """One object."""

    bounding_box: BoundingBox
    categories: list[Category]
    keypoints: list[NormalizedKeypoint] | None = None


@dataclasses.dataclass
class DetectionResult:
    """The objects of an image."""

    detections: list[Detection]


@dataclasses.dataclass
class Classifications:
    """The categories of one head of a classifier."""

    categories: list[Category]
    head_index: int
    head_name: str | None = None


@dataclasses.dataclass
class ClassificationResult:
    """The categories of each head."""

    classifications: list[Classifications]
    timestamp_ms: int | None = None


@dataclasses.dataclass
class Embedding:
    """The features of one head of an embedder: float64, or uint8 if they are quantized."""

    embedding: npt.NDArray[Any]
    head_index: int | None = None
    head_name: str | None = None


@dataclasses.dataclass
class EmbeddingResult:
    """The features of each head."""

    embeddings: list[Embedding]
    timestamp_ms: int | None = None


@dataclasses.dataclass
class Landmark:
    """A point of an object in metres, in the axes of the image; z is smaller nearer to the camera."""

    x: float | None = None
    y: float | None = None
    z: float | None = None
    visibility: float | None = None
    presence: float | None = None
    name: str | None = None


@dataclasses.dataclass
class NormalizedLandmark:
    """A point of an object in the image.

    Attributes:
        x: In fractions of the width; outside 0…1 if the point is outside the image.
        y: In fractions of the height.
        z: In fractions of the width, smaller nearer to the camera.
        visibility: The probability to be visible; None if the model has none.
        presence: The probability to be in the image; None if the model has none.
        name: None.
    """

    x: float | None = None
    y: float | None = None
    z: float | None = None
    visibility: float | None = None
    presence: float | None = None
    name: str | None = None


@dataclasses.dataclass
class Rect:
    """A region of an image, in fractions of its sides."""

    left: float
    top: float
    bottom: float
    right: float


__all__ = [
    "BoundingBox",
    "Category",
    "ClassificationResult",
    "Classifications",
    "Detection",
    "DetectionResult",
    "Embedding",
    "EmbeddingResult",
    "Landmark",
    "NormalizedKeypoint",
    "NormalizedLandmark",
    "Rect",
]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks.components.containers", name, __all__)
