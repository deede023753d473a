# SPDX-License-Identifier: Apache-2.0
"""Finds the class of each part of images."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

from . import _options
from ._maps import Segmentation
from ._model_user import ModelUser
from ._types import Box, ImageLike, ModelLike, Order


class Segmenter(ModelUser[Segmentation]):
    """Finds the class of each part of an image: call it with one image, or pass several to `batch` or `stream`.

    Args:
        model: A segmentation model: a ``.tflite`` file, or its bytes. None is embedded.
        labels: A label file (lines, pbtxt, CSV, JSON or YAML); or the labels themselves.
        family: The family of the model, if its tensors do not show it: ``"mask"``, ``"map"``.
        threads: Threads per image.
        sessions: The number of images processed at the same time.
        exact: Run a uint8 model as stored instead of converting it to int8.
        **options: The advanced options of ``fovea segment --help-hidden``, with ``_`` for ``-``.

    Raises:
        ModelError: The model cannot be used.
        OptionError: An option is out of range.
        RuntimeMissing: LiteRT cannot be loaded.
        TypeError: An option is unknown.
    """

    _kind = "segmenter"
    _result = Segmentation
    _function = "fovea_segment"

    def __init__(
        self,
        model: ModelLike,
        /,
        *,
        labels: ModelLike | Iterable[str] | None = None,
        family: str | None = None,
        threads: int | None = None,
        sessions: int = 1,
        exact: bool = False,
        **options: object,
    ) -> None:
        given = {
            "labels": _options.kept_labels(labels),
            "family": family,
            "threads": threads,
            "sessions": None if sessions == 1 else sessions,
            "exact": exact or None,
        }
        super().__init__(model, OPTIONS.checked({**given, **options}))

    def _maker(self) -> Callable[..., Segmentation]:
        return functools.partial(Segmentation, names=tuple(self.names))

    async def segment_async(
        self,
        image: ImageLike,
        *,
        region: Box | None = None,
        order: Order = "rgb",
        orientation: int | None = None,
    ) -> Segmentation:
        """Returns the map of one image without blocking the event loop; cancelling the task stops the run."""
        return await self._one_async(image, region, order, orientation)


OPTIONS = _options.Known(
    Segmenter,
    "locale normalize decode max_pixels",
    **{name: _options.ELSEWHERE[name] for name in ("threads", "sessions")},
)
