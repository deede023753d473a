# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's `ImageEmbedder`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from ...._embedder import Embedder
from ...._features import Features
from ...._types import CellArray, FloatArray
from ..._image import Image
from ..._wrong import require
from .._base_options import BaseOptions
from ..components.containers import Embedding, EmbeddingResult
from ._core import ImageProcessingOptions, RunningMode, Task
from ._options import Base, opening, read_base

ImageEmbedderResult = EmbeddingResult


@dataclasses.dataclass
class ImageEmbedderOptions:
    """The options of the task, with MediaPipe's defaults.

    Attributes:
        base_options: The model.
        running_mode: The kind of input.
        l2_normalize: Whether to divide the features by their length.
        quantize: Whether to return the features times 128, rounded and limited to -128…127, as the bits of uint8.
        result_callback: The function that gets the results of a live stream.
    """

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    l2_normalize: bool | None = None
    quantize: bool | None = None
    result_callback: Callable[[EmbeddingResult, Image, int], None] | None = None


class ImageEmbedder(Task[EmbeddingResult]):
    """Computes the features of images; create it with `create_from_options` or `create_from_model_path`.

    A classifier is cut before its last dense layer; MediaPipe returns its scores instead.
    """

    def __init__(self, base: Base, *, normalize: bool, quantize: bool) -> None:
        self._normalize = normalize
        self._quantize = quantize
        with opening(base):
            model = Embedder(base.model)
        super().__init__(base.mode, base.callback, model)

    @classmethod
    def create_from_model_path(cls, model_path: str) -> ImageEmbedder:
        """Creates an embedder for single images with default options."""
        return cls.create_from_options(ImageEmbedderOptions(BaseOptions(model_asset_path=model_path)))

    @classmethod
    def create_from_options(cls, options: ImageEmbedderOptions) -> ImageEmbedder:
        """Creates an embedder.

        Raises:
            FileNotFoundError: There is no model at the path.
            ValueError: The model or an option cannot be used.
            RuntimeError: The model cannot be read.
            TypeError: A value has the wrong type.
        """
        base = read_base(options, ImageEmbedderOptions)
        return cls(base, normalize=bool(options.l2_normalize), quantize=bool(options.quantize))

    def embed(
        self, image: Image, image_processing_options: ImageProcessingOptions | None = None
    ) -> EmbeddingResult:
        """Returns the features of an image."""
        return self._run(image, image_processing_options)

    def embed_for_video(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> EmbeddingResult:
        """Returns the features of a frame; timestamps must increase."""
        return self._run_video(image, timestamp_ms, image_processing_options)

    def embed_async(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> None:
        """Sends a camera frame; the callback gets its features, unless a newer frame replaced it."""
        self._send(image, timestamp_ms, image_processing_options)

    @staticmethod
    def cosine_similarity(u: Embedding, v: Embedding) -> float:
        """Returns the cosine of the angle between two embeddings of one embedder, -1…1.

        Raises:
            ValueError: They have different lengths or types, no features, or only zeros.
            WrongTypeError: One is not an embedding.
        """
        for name, each in (("u", u), ("v", v)):
            require(name, each, Embedding, "an Embedding")
            require(f"{name}.embedding", each.embedding, np.ndarray, "an array")
        first, second = _numbers(u), _numbers(v)
        if len(first) != len(second):
            raise ValueError(
                "Cannot compute cosine similarity between embeddings of different sizes "
                f"({len(first)} vs. {len(second)}). Use those of one model"
            )
        if u.embedding.dtype != v.embedding.dtype:
            raise ValueError(
                "Cannot compute cosine similarity between quantized and float embeddings. "
                "Use those of one ImageEmbedder"
            )
        if not len(first):
            raise ValueError("Cannot compute cosine similarity on empty embeddings")
        length = float(np.linalg.norm(first) * np.linalg.norm(second))
        if not length > 0:
            raise ValueError("Cannot compute cosine similarity on embedding with 0 norm")
        return float(first @ second) / length

    def _convert(self, found: Features, timestamp_ms: int | None) -> EmbeddingResult:
        features = found.values.astype(np.float64)
        if self._normalize:
            features /= float(np.linalg.norm(features)) or 1
        embedding = Embedding(_quantized(features) if self._quantize else features, 0, None)
        return EmbeddingResult([embedding], timestamp_ms)


def _quantized(features: FloatArray) -> CellArray:
    """Returns features in steps of 1/128, halves rounded away from 0: the bits of int8."""
    steps = np.trunc(features * 128 + np.copysign(0.5, features))
    return steps.clip(-128, 127).astype(np.int8).view(np.uint8)


def _numbers(each: Embedding) -> FloatArray:
    """Returns the features as numbers: float64, or the bits of int8."""
    values = each.embedding
    if values.dtype == np.uint8:
        return values.view(np.int8).astype(np.float64)
    if values.dtype != np.float64:
        raise ValueError(
            f"Cannot compute cosine similarity on embedding of {values.dtype}, float64 or uint8 expected"
        )
    return values
