# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's `ImageClassifier`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ...._labeler import Labeler
from ...._results import Labels
from ..._image import Image
from .._base_options import BaseOptions
from ..components.containers import Category, ClassificationResult, Classifications
from ._core import ImageProcessingOptions, RunningMode, Task
from ._options import Settings, opened, read

ImageClassifierResult = ClassificationResult
#: MediaPipe's "all": more results than any model has.
_ALL = 100_000


@dataclasses.dataclass
class ImageClassifierOptions:
    """The options of the task, with MediaPipe's defaults."""

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    display_names_locale: str | None = None
    max_results: int | None = None
    score_threshold: float | None = None
    category_allowlist: list[str] | None = None
    category_denylist: list[str] | None = None
    result_callback: Callable[[ClassificationResult, Image, int], None] | None = None


class ImageClassifier(Task[ClassificationResult]):
    """Labels whole images; create it with `create_from_options` or `create_from_model_path`."""

    def __init__(self, settings: Settings) -> None:
        self._threshold = settings.threshold
        given = {"max_results": settings.most, "threshold": min(settings.threshold, 1) or None}
        model, self._names = opened(Labeler, settings, given)
        super().__init__(settings.mode, settings.callback, model)

    @classmethod
    def create_from_model_path(cls, model_path: str) -> ImageClassifier:
        """Creates a classifier for single images with default options."""
        return cls.create_from_options(ImageClassifierOptions(BaseOptions(model_asset_path=model_path)))

    @classmethod
    def create_from_options(cls, options: ImageClassifierOptions) -> ImageClassifier:
        """Creates a classifier.

        Raises:
            FileNotFoundError: There is no model at the path.
            ValueError: The model or an option cannot be used.
            RuntimeError: The model cannot be read.
            TypeError: A value has the wrong type.
        """
        return cls(read(options, ImageClassifierOptions, _ALL))

    def classify(
        self, image: Image, image_processing_options: ImageProcessingOptions | None = None
    ) -> ClassificationResult:
        """Returns the categories of an image."""
        return self._run(image, image_processing_options)

    def classify_for_video(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> ClassificationResult:
        """Returns the categories of a frame; timestamps must increase."""
        return self._run_video(image, timestamp_ms, image_processing_options)

    def classify_async(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> None:
        """Sends a camera frame; the callback gets its categories, unless a newer frame replaced it."""
        self._send(image, timestamp_ms, image_processing_options)

    def _convert(self, found: Labels, timestamp_ms: int | None) -> ClassificationResult:
        names = self._names
        categories = [
            Category(
                label.index,
                label.confidence,
                names[label.index] if label.index < len(names) else None,
                label.text,
            )
            for label in found
            if label.confidence >= self._threshold
        ]
        return ClassificationResult([Classifications(categories, 0, None)], timestamp_ms)
