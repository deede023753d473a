# SPDX-License-Identifier: Apache-2.0
"""Processes more images than fit into memory."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, TypeVar

from ._errors import OptionError
from ._options import whole

_I = TypeVar("_I")
_R = TypeVar("_R")


def stream(
    images: Iterable[_I], work: Callable[[list[_I]], list[_R]], batch_size: int, progress: bool
) -> Iterator[_R]:
    """Yields the results of `work` for batches of images, one by one in the same order.

    Raises:
        OptionError: `batch_size` is less than 1.
    """
    batch_size = whole("batch_size", batch_size)
    if batch_size < 1:
        raise OptionError(
            "option-invalid", f"batch_size is {batch_size}, 1 or more expected", "Pass 1 or more"
        )
    return _answers(images, work, batch_size, progress)


def _answers(
    images: Iterable[_I], work: Callable[[list[_I]], list[_R]], batch_size: int, progress: bool
) -> Iterator[_R]:
    bar = _bar(images) if progress else None
    rest = iter(images)
    try:
        while batch := list(itertools.islice(rest, batch_size)):
            for answer in work(batch):
                yield answer
                if bar is not None:
                    bar.update()
    finally:
        if bar is not None:
            bar.close()


def _bar(images: Iterable[Any]) -> Any:
    """Returns a progress bar of tqdm; None if it is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    total = len(images) if isinstance(images, Sized) else None
    return tqdm(total=total, unit="image")
