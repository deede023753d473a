# SPDX-License-Identifier: Apache-2.0
"""`ImageClassifier` with MediaPipe's names."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ...._labeler import Labeler
from ...._results import Labels
from ..._image import Image
from .._base_options import BaseOptions
from ..components.containers import Category, ClassificationResult, Classifications
from ._core import ImageProcessingOptions, RunningMode, Task, opened, options_of

ImageClassifierResult = ClassificationResult
#: "All" to MediaPipe: more than any model answers.
_ALL = 100_000


@dataclasses.dataclass
class ImageClassifierOptions:
    """The options of MediaPipe's task, with its defaults."""

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    display_names_locale: str | None = None
    max_results: int | None = None
    score_threshold: float | None = None
    category_allowlist: list[str] | None = None
    category_denylist: list[str] | None = None
    result_callback: Callable[[ClassificationResult, Image, int], None] | None = None


class ImageClassifier(Task[ClassificationResult]):
    """Labels whole images; made by `create_from_options` or `create_from_model_path`."""

    @classmethod
    def create_from_model_path(cls, model_path: str) -> ImageClassifier:
        """A classifier for single images with the default options."""
        return cls.create_from_options(ImageClassifierOptions(BaseOptions(model_asset_path=model_path)))

    @classmethod
    def create_from_options(cls, options: ImageClassifierOptions) -> ImageClassifier:
        """A classifier.

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
        count = options.max_results or -1
        given["max_results"] = count if count > 0 else _ALL
        return cls(options.running_mode, options.result_callback, opened(Labeler, model, given))

    def classify(
        self, image: Image, image_processing_options: ImageProcessingOptions | None = None
    ) -> ClassificationResult:
        """The categories of an image."""
        return self._run(image, image_processing_options)

    def classify_for_video(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> ClassificationResult:
        """The categories of a frame; times rise."""
        return self._run_video(image, timestamp_ms, image_processing_options)

    def classify_async(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> None:
        """Sends a frame of a camera; the callback gets its categories, unless a newer frame came before its turn."""
        self._send(image, timestamp_ms, image_processing_options)

    def _convert(self, found: Labels) -> ClassificationResult:
        categories = [Category(label.index, label.confidence, None, label.text) for label in found]
        return ClassificationResult([Classifications(categories, 0, None)])
