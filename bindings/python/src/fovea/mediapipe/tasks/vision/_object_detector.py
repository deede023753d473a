# SPDX-License-Identifier: Apache-2.0
"""`ObjectDetector` with MediaPipe's names."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from ...._detector import Detector
from ...._results import Detections, Label
from ..._image import Image
from .._base_options import BaseOptions
from ..components.containers import BoundingBox, Category, Detection, DetectionResult, NormalizedKeypoint
from ._core import ImageProcessingOptions, RunningMode, Task, opened, options_of

ObjectDetectorResult = DetectionResult
#: "All" to MediaPipe: more than any model answers.
_ALL = 1_000


@dataclasses.dataclass
class ObjectDetectorOptions:
    """The options of MediaPipe's task, with its defaults."""

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    display_names_locale: str | None = None
    max_results: int | None = -1
    score_threshold: float | None = 0.0
    category_allowlist: list[str] | None = None
    category_denylist: list[str] | None = None
    result_callback: Callable[[DetectionResult, Image, int], None] | None = None


class ObjectDetector(Task[DetectionResult]):
    """Finds objects; made by `create_from_options` or `create_from_model_path`."""

    @classmethod
    def create_from_model_path(cls, model_path: str) -> ObjectDetector:
        """A detector for single images with the default options."""
        return cls.create_from_options(ObjectDetectorOptions(BaseOptions(model_asset_path=model_path)))

    @classmethod
    def create_from_options(cls, options: ObjectDetectorOptions) -> ObjectDetector:
        """A detector.

        Raises:
            ValueError: The model or an option cannot be used.
        """
        if options.max_results == 0:
            raise ValueError("Invalid `max_results` option: value must be != 0")
        model, given = options_of(
            options.base_options,
            options.display_names_locale,
            options.score_threshold,
            options.category_allowlist,
            options.category_denylist,
        )
        given["cross_class_iou"] = 1  # MediaPipe keeps duplicates of another class
        count = options.max_results or -1
        given["max_objects"] = count if count > 0 else _ALL
        return cls(options.running_mode, options.result_callback, opened(Detector, model, given))

    def detect(
        self, image: Image, image_processing_options: ImageProcessingOptions | None = None
    ) -> DetectionResult:
        """The objects of an image."""
        return self._run(image, image_processing_options)

    def detect_for_video(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> DetectionResult:
        """The objects of a frame; times rise."""
        return self._run_video(image, timestamp_ms, image_processing_options)

    def detect_async(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> None:
        """Sends a frame of a camera; the callback gets its objects, unless a newer frame came before its turn."""
        self._send(image, timestamp_ms, image_processing_options)

    def _convert(self, found: Detections) -> DetectionResult:
        return DetectionResult(
            [
                Detection(
                    _box(one.xyxy),
                    [_category(label) for label in one.labels],
                    [NormalizedKeypoint(x / found.width, y / found.height, "", 0.0) for x, y in one.keypoints]
                    or None,
                )
                for one in found
            ]
        )


def _category(label: Label) -> Category:
    """A class by its name; by its index where it has none, as MediaPipe's detector answers."""
    return Category(label.index if label.text is None else None, label.confidence, None, label.text)


def _box(xyxy: tuple[float, float, float, float]) -> BoundingBox:
    """Whole pixels, each corner to the nearest."""
    left, top, right, bottom = (math.floor(value + 0.5) for value in xyxy)
    return BoundingBox(left, top, right - left, bottom - top)
