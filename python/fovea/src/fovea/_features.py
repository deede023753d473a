# SPDX-License-Identifier: Apache-2.0
"""The result of an embedder for one image: its features."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _columns, _json
from ._errors import FoveaError
from ._results import Facts, ImageResult, Source
from ._types import ScoreArray


class Features(ImageResult):
    """The features of one image: numbers that are close for images that look alike to the model.

    ``numpy.asarray(features)`` is `values`, and ``numpy.stack(results)`` has a row for each image.
    """

    __slots__ = ("_parts",)

    def __init__(
        self,
        source: Source,
        result: _columns.Result | None = None,
        index: int = 0,
        *,
        error: FoveaError | None = None,
        facts: Facts | None = None,
        parts: ScoreArray | None = None,
    ) -> None:
        super().__init__(source, result, index, error=error, facts=facts)
        self._parts = parts

    @property
    def values(self) -> ScoreArray:
        """The features: (n,) float32; empty for a failed image."""
        if self._parts is None:
            if self._result is None or self._error is not None:
                self._parts = np.empty(0, np.float32)
            else:
                self._parts = _columns.read_features(self._result, self._index)
        return self._parts

    def similarity(self, other: Features) -> float:
        """Returns the cosine of the angle between these features and others of the same model.

        Returns:
            1 for the same direction, 0 for a right angle or features that are all zeros, -1 for opposite directions.

        Raises:
            ValueError: The numbers of features differ, or one of the images failed.
            TypeError: The other is not a result of an embedder.
        """
        if not isinstance(other, Features):
            raise TypeError(
                "similarity() takes the result of an embedder for another image, a fovea.Features; "
                f"got {type(other).__name__}"
            )
        first, second = (each.values.astype(np.float64) for each in (self, other))
        if not len(first) or first.shape != second.shape:
            raise ValueError(
                f"{len(first)} and {len(second)} features cannot be compared: use results of one embedder, without errors"
            )
        length = float(np.linalg.norm(first) * np.linalg.norm(second))
        return min(max(float(first @ second) / length, -1.0), 1.0) if length else 0.0

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.values, dtype, copy=True) if copy else np.asarray(self.values, dtype)

    def to_json(self) -> str:
        """Returns the line that ``fovea embed`` writes into a ``.jsonl`` file, without a line break."""
        return _json.features(self)

    def __repr__(self) -> str:
        return self._outcome(len(self), "feature", "features")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._source.path, self._error, self._known, self.values.copy())


def _restore(path: str | None, error: FoveaError | None, facts: Facts, parts: ScoreArray) -> Features:
    return Features(Source(path), error=error, facts=facts, parts=parts)
