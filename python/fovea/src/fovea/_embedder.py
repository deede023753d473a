# SPDX-License-Identifier: Apache-2.0
"""Computes the features of images."""

from __future__ import annotations

from . import _options
from ._features import Features
from ._library import lib
from ._model_user import ModelUser
from ._types import Box, ImageLike, ModelLike, Order


class Embedder(ModelUser[Features]):
    """Computes the features of an image: call it with one image, or pass several to `batch` or `stream`.

    Args:
        model: A classifier, or a model with one output of features: a ``.tflite`` file, an AutoML folder, or bytes;
            None is the embedded classifier.
        threads: Threads per image.
        sessions: The number of images processed at the same time.
        exact: Run a uint8 model as stored instead of converting it to int8.
        **options: The advanced options of ``fovea embed --help-hidden``, with ``_`` for ``-``.

    Raises:
        ModelError: The model cannot be used.
        OptionError: An option is out of range.
        RuntimeMissing: LiteRT cannot be loaded.
        TypeError: An option is unknown.
    """

    _kind = "embedder"
    _embedded = "classifier"
    _result = Features
    _function = "fovea_embed"

    def __init__(
        self,
        model: ModelLike | None = None,
        /,
        *,
        threads: int | None = None,
        sessions: int = 1,
        exact: bool = False,
        **options: object,
    ) -> None:
        given = {
            "threads": threads,
            "sessions": None if sessions == 1 else sessions,
            "exact": exact or None,
        }
        super().__init__(model, OPTIONS.checked({**given, **options}))

    @property
    def names(self) -> list[str]:
        """Empty: features have no classes."""
        return []

    @property
    def dimension(self) -> int:
        """The number of features of an image."""
        pointer = self._handle.acquire()
        try:
            return int(lib.fovea_embedder_dimension(pointer))
        finally:
            self._handle.release()

    async def embed_async(
        self,
        image: ImageLike,
        *,
        region: Box | None = None,
        order: Order = "rgb",
        orientation: int | None = None,
    ) -> Features:
        """Returns the features of one image without blocking the event loop; cancelling the task stops the run."""
        return await self._one_async(image, region, order, orientation)


OPTIONS = _options.Known(
    Embedder,
    "normalize decode max_pixels",
    **{name: _options.ELSEWHERE[name] for name in ("threads", "sessions")},
)
