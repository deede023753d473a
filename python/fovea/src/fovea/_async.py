# SPDX-License-Identifier: Apache-2.0
"""Calls for asyncio: each detector has its own threads, and cancellation reaches the model."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ._call import Cancel
from ._handle import process

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_R = TypeVar("_R")


class Lanes:
    """A pool of one thread per session, created on first use and again in a forked child."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._lock = threading.Lock()
        self._executor: ThreadPoolExecutor | None = None
        self._generation = process.generation

    def _running(self) -> ThreadPoolExecutor:
        if self._generation != process.generation:
            with process.lock:
                self._lock, self._executor = threading.Lock(), None
                self._generation = process.generation
        with self._lock:
            if self._executor is None:
                from concurrent.futures import ThreadPoolExecutor

                self._executor = ThreadPoolExecutor(self._count, thread_name_prefix="fovea")
            return self._executor

    async def run(self, work: Callable[[Cancel], _R]) -> _R:
        """Runs `work` on a thread; cancelling the task sets the `Cancel` passed to it."""
        import asyncio  # takes 20 ms, so only on use

        cancel = Cancel()
        future = self._running().submit(work, cancel)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            cancel.set()
            raise

    def close(self) -> None:
        """Refuses new calls; running ones finish."""
        executor, self._executor = self._executor, None
        if executor is not None and self._generation == process.generation:
            executor.shutdown(wait=False)  # queued calls find that the detector is closed
