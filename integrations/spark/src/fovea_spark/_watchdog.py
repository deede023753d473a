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


class Watchdog:
    """One thread that cancels calls which take too long, and ends the process where that does not help."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._changed = threading.Condition()
        self._deadline: float | None = None
        self._cancel: Cancel | None = None
        threading.Thread(target=self._watch, name="fovea-watchdog", daemon=True).start()

    def run(self, call: Callable[[Cancel], _R]) -> _R:
        """The answer of a call, which is cancelled once its time is over."""
        cancel = Cancel()
        with self._changed:
            # The thread that waits wakes up late for a deadline at most, and sees the new one then.
            is_idle = self._deadline is None
            self._deadline, self._cancel = time.monotonic() + self._seconds, cancel
            if is_idle:
                self._changed.notify()
        try:
            return call(cancel)
        finally:
            with self._changed:
                self._deadline = self._cancel = None

    def _watch(self) -> None:
        with self._changed:
            while True:
                deadline, cancel = self._deadline, self._cancel
                if deadline is None or cancel is None:
                    self._changed.wait(self._seconds)
                elif time.monotonic() < deadline:
                    self._changed.wait(deadline - time.monotonic())
                else:
                    cancel.set()
                    self._changed.wait(GRACE)
                    if self._cancel is cancel:
                        # Nothing else ends a call that does not return; the task runs again, each image in a process.
                        os._exit(70)
