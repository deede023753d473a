# SPDX-License-Identifier: Apache-2.0
"""Ends a call that takes too long."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from fovea._call import Cancel

_R = TypeVar("_R")
#: Seconds that a cancelled call may still take before the process ends.
GRACE = float(os.environ.get("FOVEA_SPARK_GRACE") or 10)


#: The exit code of a process that a call has ended in this way.
EXIT = 70


class Watchdog:
    """One thread that cancels calls which take too long, and ends the process where that does not help."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._deadline: float | None = None
        self._running: Cancel | None = None
        self._own = Cancel()
        self._is_set = False
        threading.Thread(target=self._watch, name="fovea-watchdog", daemon=True).start()

    def run(self, call: Callable[[Cancel], _R]) -> _R:
        """The answer of a call, which is cancelled once its time is over."""
        # The thread sleeps no longer than one call may take, so it wakes up before this deadline: nothing to notify.
        with self._lock:
            cancel = self._own
            self._deadline, self._running = time.monotonic() + self._seconds, cancel
        try:
            return call(cancel)
        finally:
            with self._lock:
                self._deadline = self._running = None
                if self._is_set:
                    self._own, self._is_set = Cancel(), False

    def _watch(self) -> None:
        while True:
            with self._lock:
                pause = self._checked(time.monotonic())
            time.sleep(pause)

    def _checked(self, now: float) -> float:
        """Cancels a call whose time is over, and ends the process where that has not helped.

        Returns:
            The seconds until it is due again: never more than a call may take, so that none is missed that begins meanwhile.
        """
        if self._running is None or self._deadline is None:
            return self._seconds
        left = self._deadline - now
        if left > 0:
            return left
        if not self._is_set:
            self._running.set()
            self._is_set = True
        if left + GRACE <= 0:
            # Nothing else ends a call that does not return; the task runs again, each image in a process.
            os._exit(EXIT)
        return min(left + GRACE, self._seconds)
