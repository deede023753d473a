# SPDX-License-Identifier: Apache-2.0
"""Finds objects in images on a worker: in its own process, or each image in a child process."""

from __future__ import annotations

import io
import os
import pathlib
import pickle
import select
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import IO, Any, NamedTuple, Protocol

import fovea
import pyarrow as pa

from . import _failure, _recipe, _watchdog
from ._recipe import Recipe
from ._watchdog import Watchdog

#: The maximum time for a child to open the model, in seconds.
_OPENING = 180.0


class Image(NamedTuple):
    """An image to process.

    Attributes:
        path: Its name in the table.
        data: Its bytes, or a path that fovea opens; None if there is an `error`.
        error: The error of reading it.
        size: Its size in bytes; None if unknown.
    """

    path: str
    data: bytes | str | None
    error: fovea.FoveaError | None = None
    size: int | None = None


class Finder(Protocol):
    """Returns a table with a row for each image."""

    def find(self, images: Sequence[Image]) -> pa.Table:
        """The rows of the images, in their order."""

    def close(self) -> None:
        """Frees the model."""


class InProcess:
    """Processes images in this process; a call that takes too long is cancelled."""

    def __init__(self, recipe: Recipe, folder: pathlib.Path | None) -> None:
        self._recipe = recipe
        self._opened = _recipe.opened_on_worker(recipe, folder)
        self._watchdog = Watchdog(recipe.timeout)

    def find(self, images: Sequence[Image]) -> pa.Table:
        """The rows of the images, in their order."""
        return fovea.table([self._one(image) for image in images])

    def _one(self, image: Image) -> Any:
        if image.error is not None or image.data is None:
            return _failure.failed(self._recipe.kind, image.error or _missing())
        opened, data = self._opened, image.data
        try:

            def call(cancel: Any) -> Any:
                _failure.plant(image.path)
                return opened._runner.one(opened._handle, data, "rgb", None, None, cancel)

            return self._watchdog.run(call)
        except fovea.Cancelled:
            return _failure.failed(self._recipe.kind, _failure.timed_out(self._recipe.timeout))
        except Exception as reason:  # any error: one image must not end the job
            return _failure.failed(self._recipe.kind, _failure.error_of(reason))

    def close(self) -> None:
        """Frees the model."""
        self._opened.close()


def _missing() -> fovea.FoveaError:
    from fovea._errors import make_error

    return make_error("image-empty", "the image is null", "Remove rows without an image")


class Isolated:
    """Passes each image to a child process, which is restarted if an image crashes it or takes too long."""

    def __init__(self, recipe: Recipe, folder: pathlib.Path | None) -> None:
        _recipe.check_versions(recipe)
        self._recipe = recipe
        self._folder = folder
        self._child: subprocess.Popen[bytes] | None = None

    def find(self, images: Sequence[Image]) -> pa.Table:
        """The rows of the images, in their order."""
        return pa.concat_tables([self._one(image) for image in images])

    def _one(self, image: Image) -> pa.Table:
        if image.error is not None or image.data is None:
            return self._failed(image.error or _missing())
        child = self._running()
        try:
            send(_pipe(child.stdin), pickle.dumps(image))
            return read_table(receive(_pipe(child.stdout), self._recipe.timeout + 1))
        except TimeoutError:
            self._end(child)
            return self._failed(_failure.timed_out(self._recipe.timeout))
        except (EOFError, BrokenPipeError):
            status = self._end(child)
            is_late = status == _watchdog.EXIT  # its own watchdog stopped it
            return self._failed(
                _failure.timed_out(self._recipe.timeout) if is_late else _failure.crashed(status)
            )

    def _failed(self, error: fovea.FoveaError) -> pa.Table:
        return fovea.table([_failure.failed(self._recipe.kind, error)])

    def _running(self) -> subprocess.Popen[bytes]:
        """Returns the child, and starts it if necessary.

        Raises:
            RuntimeError: It cannot open the model.
        """
        if self._child is not None and self._child.poll() is None:
            return self._child
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        child = subprocess.Popen(
            [sys.executable, "-m", "fovea_spark._child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        try:
            send(_pipe(child.stdin), pickle.dumps((self._recipe, self._folder)))
            receive(_pipe(child.stdout), _OPENING)
        except (EOFError, BrokenPipeError, TimeoutError) as reason:
            status = self._end(child)
            raise RuntimeError(
                f"a child process could not open the model (exit code {status}, {type(reason).__name__}); "
                "see its output above"
            ) from reason
        self._child = child
        return child

    def _end(self, child: subprocess.Popen[bytes]) -> int:
        """Stops a child and returns its status."""
        self._child = None
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # it ended with unread bytes
        try:
            return child.wait(0.5)
        except subprocess.TimeoutExpired:
            child.kill()
            return child.wait(30)

    def close(self) -> None:
        """Stops the child."""
        if self._child is not None:
            self._end(self._child)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def send(pipe: IO[bytes], message: bytes) -> None:
    """Writes a message with its length."""
    pipe.write(struct.pack("<Q", len(message)))
    pipe.write(message)
    pipe.flush()


def receive(pipe: IO[bytes], seconds: float | None = None) -> bytes:
    """Reads a message.

    Raises:
        EOFError: The other end is closed.
        TimeoutError: The time has expired.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    (length,) = struct.unpack("<Q", _exactly(pipe, 8, deadline))
    return _exactly(pipe, length, deadline)


def _exactly(pipe: IO[bytes], count: int, deadline: float | None) -> bytes:
    parts = io.BytesIO()
    while parts.tell() < count:
        if deadline is not None:
            left = max(deadline - time.monotonic(), 0)
            if not select.select([pipe], [], [], left)[0]:
                raise TimeoutError
        part = os.read(pipe.fileno(), min(count - parts.tell(), 1 << 20))
        if not part:
            raise EOFError
        parts.write(part)
    return parts.getvalue()


def table_bytes(table: pa.Table) -> bytes:
    """Serializes a table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def read_table(data: bytes) -> pa.Table:
    """Reads a table from an Arrow stream."""
    return pa.ipc.open_stream(data).read_all()
