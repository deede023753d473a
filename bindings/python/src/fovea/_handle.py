# SPDX-License-Identifier: Apache-2.0
"""A C object that threads share: closed once, opened again in a forked child."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from ._errors import ClosedError


class _Process:
    """Counts forks: what was opened in another generation belongs to a parent process."""

    def __init__(self) -> None:
        self.generation = 0
        self.lock = threading.Lock()

    def forked(self) -> None:
        self.generation += 1
        self.lock = threading.Lock()


process = _Process()
os.register_at_fork(after_in_child=process.forked)


class Handle:
    """Holds a pointer, counts the calls that use it, and closes it when the last one has left."""

    __slots__ = (
        "_close",
        "_condition",
        "_generation",
        "_name",
        "_open",
        "_orphan",
        "_pointer",
        "_renews",
        "_users",
    )

    def __init__(
        self, name: str, opener: Callable[[], int], closer: Callable[[int], None], *, renews: bool = True
    ) -> None:
        self._renews = renews
        self._name = name
        self._open = opener
        self._close = closer
        self._condition = threading.Condition(threading.Lock())
        self._users: dict[int, int] = {}
        self._orphan: int | None = None
        self._pointer: int | None = None
        self._generation = process.generation
        self._pointer = opener()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._pointer is None

    def acquire(self) -> int:
        """The pointer, which stays open until `release`.

        Raises:
            ClosedError: The object was closed.
        """
        if self._generation != process.generation:
            self._renew()
        me = threading.get_ident()
        with self._condition:
            if self._pointer is None:
                raise ClosedError("closed", f"the {self._name} is closed", f"Make another {self._name}")
            self._users[me] = self._users.get(me, 0) + 1
            return self._pointer

    def release(self) -> None:
        """Ends the use that `acquire` began."""
        me = threading.get_ident()
        with self._condition:
            left = self._users.get(me, 1) - 1
            if left:
                self._users[me] = left
                return
            self._users.pop(me, None)
            if not self._users:
                self._close_orphan()

    def close(self) -> None:
        """Refuses further calls and closes once those that run have ended; does nothing the second time."""
        if self._generation != process.generation:
            self._pointer = None  # the parent's: neither used nor closed here
            return
        with self._condition:
            if self._pointer is not None:
                self._orphan, self._pointer = self._pointer, None
            if not self._users:
                self._close_orphan()
            elif threading.get_ident() not in self._users:
                self._condition.wait_for(lambda: self._orphan is None)

    def _close_orphan(self) -> None:
        if self._orphan is not None:
            pointer, self._orphan = self._orphan, None
            self._close(pointer)
            self._condition.notify_all()

    def _renew(self) -> None:
        """In a forked child: forgets the parent's pointer and opens one of its own.

        Raises:
            ClosedError: The object has a state that cannot be opened again.
        """
        if not self._renews:
            raise ClosedError(
                "wrong-process",
                f"the {self._name} belongs to the parent process",
                f"Make a {self._name} after the fork",
            )
        with process.lock:
            if self._generation == process.generation:
                return
            self._condition = threading.Condition(threading.Lock())
            self._users = {}
            self._orphan = None
            if self._pointer is not None:
                self._pointer = self._open()
            self._generation = process.generation

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer is not None and process is not None and self._generation == process.generation:
            self._pointer = None
            self._close(pointer)
