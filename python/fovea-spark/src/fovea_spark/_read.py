# SPDX-License-Identifier: Apache-2.0
"""Reads images on the workers, two ahead, and retries after temporary errors of a store."""

from __future__ import annotations

import collections
import concurrent.futures
import os
import queue
import random
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from fovea._errors import make_error

from . import _places
from ._failure import read_failed
from ._find import Image

#: The number of retries of a read.
RETRIES = 4
#: The longest pause before the first retry, in seconds; doubled for each further one.
PAUSE = float(os.environ.get("FOVEA_SPARK_RETRY_SECONDS") or 0.5)
#: The number of images read ahead.
AHEAD = 2

#: The minimum throughput of a store in bytes per second, after the initial timeout.
_SLOWEST = 64 << 10

_T = TypeVar("_T")
_R = TypeVar("_R")


class SlowError(OSError):
    """A store did not deliver an image in time."""


class Reader:
    """Reads images by their names: names below a folder, or whole addresses.

    Args:
        folder: The folder; None for addresses only.
        max_bytes: The size of the largest file that is read.
        timeout: The time limit of a store for an image, in seconds, plus one second per 64 KiB.
    """

    def __init__(self, folder: _places.Place | None, max_bytes: int, timeout: float = 60) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._timeout = timeout
        self._systems: dict[tuple[str, str, str], Any] = {}

    def read(self, name: str | None) -> Image:
        """Returns an image with its bytes or with an error; never raises for an image."""
        if name is None:
            return Image("", None)
        for attempt in range(RETRIES + 1):
            if attempt:
                time.sleep(random.uniform(0, PAUSE * 2 ** (attempt - 1)))
            try:
                return self._once(name)
            except FileNotFoundError:
                error = make_error("image-not-found", "there is no such file", "Check the path", name)
                return Image(name, None, error)
            except SlowError as reason:
                return Image(name, None, read_failed(reason, attempt + 1))
            except (OSError, ValueError, ImportError) as reason:
                last: Exception = reason
        return Image(name, None, read_failed(last, RETRIES + 1))

    def _once(self, name: str) -> Image:
        folder, path = self._resolved(name)
        return self._local(name, path) if folder.is_local else self._remote(name, folder, path)

    def _resolved(self, name: str) -> tuple[_places.Place, str]:
        if _places.is_address(name):
            whole = _places.place(name)
            own = self._folder
            if own is not None and own.scheme == whole.scheme and not whole.query:
                whole = whole._replace(query=own.query, authority=whole.authority or own.authority)
            return whole, whole.path
        if self._folder is None or self._folder.is_local:
            path = _places.local_path(name)
            base = "" if self._folder is None else self._folder.path
            return _places.Place("file", "", ""), os.path.join(base, path)
        return self._folder, self._folder.file(name)

    def _local(self, name: str, path: str) -> Image:
        """Reads a file; one that is not regular, empty or unreadable is passed to fovea by path, which reports the error."""
        if "\0" in path:
            return Image(name, path)
        try:
            with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb", buffering=0) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or not 0 < status.st_size <= self._max_bytes:
                    return Image(name, path, size=status.st_size)
                data = file.read(self._max_bytes + 1)
                return Image(name, data, size=len(data))
        except (FileNotFoundError, NotADirectoryError, PermissionError, IsADirectoryError):
            return Image(name, path)

    def _remote(self, name: str, folder: _places.Place, path: str) -> Image:
        key = (folder.scheme, folder.authority or path.split("/", 1)[0], folder.query)
        if key not in self._systems:
            self._systems[key] = _places.file_system(folder)
        file = self._systems[key].open_input_file(path)
        size = file.size()
        if size > self._max_bytes:
            message = f"the file has {size} bytes, at most {self._max_bytes} expected"
            return Image(name, None, make_error("image-too-large", message, "Use a smaller image"), size)
        data = _within(self._timeout + size / _SLOWEST, file.read)
        file.close()
        if len(data) != size:
            raise OSError(f"{len(data)} of {size} bytes arrived")
        return Image(name, data, size=size)


def _within(seconds: float, read: Callable[[], bytes]) -> bytes:
    """Reads with a time limit; Arrow has none for a slow transfer, so that is left to its thread.

    Raises:
        SlowError: The time has expired.
        OSError: It failed.
    """
    answer: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()

    def work() -> None:
        try:
            answer.put(read())
        except Exception as reason:
            answer.put(reason)

    threading.Thread(target=work, name="fovea-read-store", daemon=True).start()
    try:
        found = answer.get(timeout=min(seconds, threading.TIMEOUT_MAX))
    except queue.Empty:
        raise SlowError(f"the store did not deliver it within {seconds:.0f} s") from None
    if isinstance(found, Exception):
        raise found
    return found


def ahead(function: Callable[[_T], _R], items: Iterable[_T]) -> Iterator[_R]:
    """Yields results in order, while one thread computes two further ones."""
    with concurrent.futures.ThreadPoolExecutor(1, "fovea-read") as pool:
        waiting: collections.deque[concurrent.futures.Future[_R]] = collections.deque()
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
