# SPDX-License-Identifier: Apache-2.0
"""A C object shared by threads: closed once, opened again in a forked child."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from ._errors import ClosedError

#: The maximum time that a fork waits for calls of other threads, in seconds.
FORK_WAIT = 5.0


class _Process:
    """Counts forks and running calls, so that no thread is inside the library while the process forks.

    A child inherits the state of its parent's locks. A lock held by another thread would never be released there, so
    a fork waits for running calls and blocks new ones.
    """

    def __init__(self) -> None:
        self.generation = 0
        self._reset()

    def _reset(self) -> None:
        self.lock = threading.Lock()
        self._gate_lock = threading.Lock()
        self._gate = threading.Condition(self._gate_lock)
        self._active = 0
        self._forks = 0

    def enter(self) -> None:
        """Starts a call, after any pending fork."""
        with self._gate_lock:
            while self._forks:
                self._gate.wait()
            self._active += 1

    def leave(self) -> None:
        """Ends a call."""
        with self._gate_lock:
            self._active -= 1
            if self._forks:
                self._gate.notify_all()

    def before_fork(self) -> None:
        """Waits for running calls, at most `FORK_WAIT`."""
        with self._gate_lock:
            self._forks += 1
            self._gate.wait_for(lambda: self._active == 0, FORK_WAIT)

    def after_fork(self) -> None:
        """Allows calls again, in the parent."""
        with self._gate_lock:
            self._forks -= 1
            self._gate.notify_all()

    def forked(self) -> None:
        """Starts a new generation, in the child: handles of the old one belong to the parent."""
        self.generation += 1
        self._reset()


process = _Process()
os.register_at_fork(
    before=process.before_fork, after_in_parent=process.after_fork, after_in_child=process.forked
)


class Handle:
    """Owns a pointer, counts the calls that use it, and closes it after the last one."""

    __slots__ = (
        "_close",
        "_condition",
        "_generation",
        "_lock",
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
        self._lock = threading.Lock()
        self._condition = threading.Condition(self._lock)
        self._users: dict[int, int] = {}
        self._orphan: int | None = None
        self._pointer: int | None = None
        self._generation = process.generation
        self._pointer = self._opened()

    def _opened(self) -> int:
        process.enter()
        try:
            return self._open()
        finally:
            process.leave()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._pointer is None

    def acquire(self) -> int:
        """Returns the pointer, which stays open until `release`.

        Raises:
            ClosedError: The object was closed.
        """
        if self._generation != process.generation:
            self._renew()
        me = threading.get_ident()
        process.enter()
        with self._lock:
            if self._pointer is None:
                process.leave()
                raise ClosedError("closed", f"the {self._name} is closed", f"Create another {self._name}")
            self._users[me] = self._users.get(me, 0) + 1
            return self._pointer

    def release(self) -> None:
        """Releases the pointer returned by `acquire`."""
        me = threading.get_ident()
        with self._lock:
            left = self._users.get(me, 1) - 1
            if left:
                self._users[me] = left
            else:
                self._users.pop(me, None)
            if not self._users:
                self._close_orphan()
        process.leave()

    def close(self) -> None:
        """Refuses further calls and closes after running ones have finished; does nothing the second time."""
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
        """Replaces the parent's pointer by a new one, in a forked child.

        Raises:
            ClosedError: The object has state, so it cannot be opened again.
        """
        if not self._renews:
            raise ClosedError(
                "wrong-process",
                f"the {self._name} belongs to the parent process",
                f"Create a {self._name} after the fork",
            )
        with process.lock:
            if self._generation == process.generation:
                return
            self._lock = threading.Lock()
            self._condition = threading.Condition(self._lock)
            self._users = {}
            self._orphan = None
            if self._pointer is not None:
                self._pointer = self._opened()
            self._generation = process.generation

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer is not None and process is not None and self._generation == process.generation:
            self._pointer = None
            self._close(pointer)
