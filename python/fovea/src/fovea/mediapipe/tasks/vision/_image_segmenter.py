# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's `ImageSegmenter`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from ...._maps import Segmentation
from ...._models import inspect
from ...._segmenter import Segmenter
from ..._image import Image, ImageFormat
from .._base_options import BaseOptions
from . import _masks
from ._core import ImageProcessingOptions, RunningMode, Task
from ._options import Base, opening, read_base

#: MediaPipe's categories of a model with one channel: the foreground's is the first.
_FOREGROUND, _BACKGROUND = 0, 255


@dataclasses.dataclass
class ImageSegmenterResult:
    """The masks of an image, of its size.

    Attributes:
        confidence_masks: The probabilities 0…1 of each class: VEC32F1. A model with one channel has one mask, that of
            its foreground. With three or more classes, a mask has the probability only where its class is the best,
            and 0 elsewhere.
        category_mask: The index of each pixel's class: GRAY8. For a model with one channel it is 0 for the foreground
            and 255 for the background, as in MediaPipe.
    """

    confidence_masks: list[Image] | None = None
    category_mask: Image | None = None


@dataclasses.dataclass
class ImageSegmenterOptions:
    """The options of the task, with MediaPipe's defaults."""

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    output_confidence_masks: bool = True
    output_category_mask: bool = False
    result_callback: Callable[[ImageSegmenterResult, Image, int], None] | None = None


class ImageSegmenter(Task[ImageSegmenterResult]):
    """Finds the class of each pixel; create it with `create_from_options` or `create_from_model_path`.

    It takes no region of interest. With a rotation, masks are upright and stretched to the size of the image, as in
    MediaPipe.
    """

    _takes_regions = False

    def __init__(self, base: Base, *, confidences: bool, categories: bool) -> None:
        self._confidences = confidences
        self._categories = categories
        with opening(base):
            model = Segmenter(base.model)
            description = inspect(base.model)
        self._is_foreground = _has_one_channel(description["outputs"][0])
        names = model.names if description["labels"] else []
        self._labels = names[-1:] if self._is_foreground else names
        super().__init__(base.mode, base.callback, model)

    @classmethod
    def create_from_model_path(cls, model_path: str) -> ImageSegmenter:
        """Creates a segmenter for single images with default options."""
        return cls.create_from_options(ImageSegmenterOptions(BaseOptions(model_asset_path=model_path)))

    @classmethod
    def create_from_options(cls, options: ImageSegmenterOptions) -> ImageSegmenter:
        """Creates a segmenter.

        Raises:
            FileNotFoundError: There is no model at the path.
            ValueError: The model or an option cannot be used.
            RuntimeError: The model cannot be read.
            TypeError: A value has the wrong type.
        """
        base = read_base(options, ImageSegmenterOptions)
        if not options.output_confidence_masks and not options.output_category_mask:
            raise ValueError(
                "At least one of `output_confidence_masks` and `output_category_mask` must be set. Set one to True"
            )
        return cls(
            base,
            confidences=bool(options.output_confidence_masks),
            categories=bool(options.output_category_mask),
        )

    @property
    def labels(self) -> list[str]:
        """The names of the masks' classes; empty if the model has none."""
        return list(self._labels)

    def segment(
        self, image: Image, image_processing_options: ImageProcessingOptions | None = None
    ) -> ImageSegmenterResult:
        """Returns the masks of an image."""
        return self._run(image, image_processing_options)

    def segment_for_video(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> ImageSegmenterResult:
        """Returns the masks of a frame; timestamps must increase."""
        return self._run_video(image, timestamp_ms, image_processing_options)

    def segment_async(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> None:
        """Sends a camera frame; the callback gets its masks, unless a newer frame replaced it."""
        self._send(image, timestamp_ms, image_processing_options)

    def _found(self, image: Image, arguments: dict[str, Any], timestamp_ms: int | None) -> Segmentation:
        found: Segmentation = super()._found(image, arguments, timestamp_ms)
        return _masks.stretched(found) if "orientation" in arguments else found

    def _convert(self, found: Segmentation, timestamp_ms: int | None) -> ImageSegmenterResult:
        return ImageSegmenterResult(
            self._confidence_masks(found) if self._confidences else None,
            self._category_mask(found) if self._categories else None,
        )

    def _confidence_masks(self, found: Segmentation) -> list[Image]:
        numbers = [1] if self._is_foreground else range(_masks.class_count(found))
        return [Image._of(ImageFormat.VEC32F1, _masks.probabilities(found, number)) for number in numbers]

    def _category_mask(self, found: Segmentation) -> Image:
        pixels = np.asarray(found)
        if self._is_foreground:
            pixels = np.where(pixels == 1, np.uint8(_FOREGROUND), np.uint8(_BACKGROUND))
        return Image._of(ImageFormat.GRAY8, pixels)


def _has_one_channel(output: dict[str, Any]) -> bool:
    """Whether a model's output is the probability of a foreground; a number without a scale is that of a class."""
    is_number = output["type"].startswith("float") or output["quantization"] is not None
    shape = output["shape"]
    return is_number and len(shape) == 4 and 1 in (shape[1], shape[3])
