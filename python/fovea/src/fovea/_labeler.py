# SPDX-License-Identifier: Apache-2.0
"""Labels whole images."""

from __future__ import annotations

from collections.abc import Iterable

from . import _options
from ._model_user import ModelUser
from ._results import Labels
from ._types import Box, ImageLike, ModelLike, Order


class Labeler(ModelUser[Labels]):
    """Labels whole images: call it with one image, or pass several to `batch` or `stream`.

    Args:
        model: A classifier: a ``.tflite`` file, an AutoML folder, or bytes; None is the embedded one of five coarse
            categories.
        threshold: The minimum confidence, 0 to 1; None uses the model's own, or 0 if it has none.
        labels: A label file (lines, pbtxt, CSV, JSON or YAML); or the labels themselves.
        max_results: The maximum number of labels per image; None is 10.
        allow: Report only these labels.
        deny: Never report these labels.
        threads: Threads per image.
        sessions: The number of images processed at the same time.
        exact: Run a uint8 model as stored instead of converting it to int8.
        **options: The advanced options of ``fovea label --help-hidden``, with ``_`` for ``-``.

    Raises:
        ModelError: The model cannot be used.
        OptionError: An option is out of range.
        RuntimeMissing: LiteRT cannot be loaded.
        TypeError: An option is unknown.
    """

    _kind = "labeler"
    _result = Labels
    _function = "fovea_label"
    _embedded = "classifier"

    def __init__(
        self,
        model: ModelLike | None = None,
        /,
        *,
        threshold: float | None = None,
        labels: ModelLike | Iterable[str] | None = None,
        max_results: int | None = None,
        allow: Iterable[str] | None = (),
        deny: Iterable[str] | None = (),
        threads: int | None = None,
        sessions: int = 1,
        exact: bool = False,
        **options: object,
    ) -> None:
        given = {
            "labels": _options.kept_labels(labels),
            "threshold": threshold,
            "max_results": max_results,
            "allow": _options.labels_of("allow", allow),
            "deny": _options.labels_of("deny", deny),
            "threads": threads,
            "sessions": None if sessions == 1 else sessions,
            "exact": exact or None,
        }
        super().__init__(model, OPTIONS.checked({**given, **options}))

    async def label_async(
        self,
        image: ImageLike,
        *,
        region: Box | None = None,
        order: Order = "rgb",
        orientation: int | None = None,
    ) -> Labels:
        """Returns the labels of one image without blocking the event loop; cancelling the task stops the run."""
        return await self._one_async(image, region, order, orientation)


OPTIONS = _options.Known(Labeler, _options.RARE, **_options.ELSEWHERE, max_results=_options.MOST)
