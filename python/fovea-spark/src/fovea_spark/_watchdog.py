# SPDX-License-Identifier: Apache-2.0
"""Stops calls that take too long."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from fovea._call import Cancel

_R = TypeVar("_R")
#: The time for a cancelled call to return, in seconds, before the process exits.
GRACE = float(os.environ.get("FOVEA_SPARK_GRACE") or 10)


#: The exit code of a process that exited because of this.
EXIT = 70


class Watchdog:
    """A thread that cancels calls that take too long, and exits the process if that does not help."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._deadline: float | None = None
        self._running: Cancel | None = None
        self._own = Cancel()
        self._is_set = False
        threading.Thread(target=self._watch, name="fovea-watchdog", daemon=True).start()

    def run(self, call: Callable[[Cancel], _R]) -> _R:
        """Runs a call, which is cancelled when its time has expired."""
        # The thread sleeps no longer than one call may take, so it wakes up before this deadline without a notification.
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
        """Cancels a call whose time has expired, and exits the process if that has not helped.

        Returns:
            The seconds until the next check: at most the limit of a call, so that no call started meanwhile is missed.
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
            # Nothing else stops a call that does not return; the task runs again, each image in its own process.
            os._exit(EXIT)
        return min(left + GRACE, self._seconds)
