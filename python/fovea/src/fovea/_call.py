# SPDX-License-Identifier: Apache-2.0
"""Runs `fovea_detect` and `fovea_label` on one image, or on a batch that Ctrl-C can interrupt."""

from __future__ import annotations

import contextlib
import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from . import _abi
from ._columns import Result
from ._errors import FoveaError, OptionError
from ._handle import Handle
from ._images import Given, conversion_error, fill
from ._library import lib, take_error
from ._options import whole
from ._results import Source
from ._types import Box, Order

_R = TypeVar("_R")
_W = TypeVar("_W")
#: The size of a `fovea_call`.
CALL_SIZE = ctypes.sizeof(_abi.Call)
_MOST_THREADS = 1024
#: The maximum delay, in seconds, of a signal that arrives just before the main thread waits.
_HEARD = 0.1


class _Owned:
    """An object of the library that is freed with this one."""

    __slots__ = ("_free", "pointer")
    _kind: ClassVar[str]

    def __init__(self) -> None:
        self._free = getattr(lib, f"fovea_{self._kind}_free")
        self.pointer = getattr(lib, f"fovea_{self._kind}_new")()
        if not self.pointer:
            raise MemoryError

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self._free(self.pointer)


class Cancel(_Owned):
    """A `fovea_cancel`."""

    __slots__ = ()
    _kind = "cancel"

    def set(self) -> None:
        """Cancels the calls that it was passed to."""
        lib.fovea_cancel_set(self.pointer)


class Stream(_Owned):
    """A `fovea_stream`: the memory of a detector from one frame to the next."""

    __slots__ = ()
    _kind = "stream"


#: A stream, and the time of its next frame in seconds.
Frame = tuple[Stream, float]


def call(
    function: Any,
    handle: Handle,
    images: Any,
    count: int,
    threads: int,
    cancel: Cancel | None,
    frame: Frame | None = None,
) -> Result:
    """Calls the library on the caller's thread.

    Raises:
        FoveaError: The call failed; errors of single images are in the result.
    """
    out = ctypes.c_void_p()
    how = None
    if threads > 1 or cancel is not None or frame is not None:
        how = _abi.Call(size=CALL_SIZE, threads=threads, cancel=cancel.pointer if cancel else None)
        if frame is not None:
            how.stream, how.seconds = frame[0].pointer, frame[1]
    pointer = handle.acquire()
    try:
        error = function(pointer, images, count, how if how is None else ctypes.byref(how), ctypes.byref(out))
    finally:
        handle.release()
    if error:
        raise take_error(error)
    return Result(out.value or 0)


def threads_of(threads: object, sessions: int) -> int:
    """Returns the number of images that a batch processes at the same time; by default the number of sessions.

    Raises:
        OptionError: It is less than 1 or too large.
        TypeError: It is not a whole number.
    """
    if threads is None:
        return sessions
    count = whole("threads", threads)
    if not 1 <= count <= _MOST_THREADS:
        raise OptionError(
            "option-invalid",
            f"'threads' is {count}, 1…{_MOST_THREADS} expected",
            "Use at most one per core, or omit it",
        )
    return count


def interruptible(work: Callable[[Cancel], _W]) -> _W:
    """Runs the work, and cancels it if a signal handler raises, such as that of Ctrl-C.

    Only the main thread runs signal handlers, so there the work moves to another thread and the main thread waits.
    """
    cancel = Cancel()
    if threading.current_thread() is not threading.main_thread():
        return work(cancel)
    outcome: list[_W | BaseException] = []
    go, done = threading.Event(), threading.Event()
    is_given_up = False

    def run() -> None:
        go.wait()
        if is_given_up:
            return
        try:
            outcome.append(work(cancel))
        except BaseException as error:  # raised again in the waiting thread
            outcome.append(error)
        finally:
            done.set()

    worker, is_started = threading.Thread(target=run, name="fovea"), False
    try:
        worker.start()
        is_started = True
        go.set()
        while not done.wait(_HEARD):
            pass
    except BaseException:
        cancel.set()
        # If a handler raises inside start(), the thread may or may not run: it waits and then does nothing.
        is_given_up = not is_started
        go.set()
        while is_started and not done.is_set():
            with contextlib.suppress(BaseException):  # a second Ctrl-C: the call reads this frame's memory
                done.wait()
        raise
    worker.join()
    answer = outcome[0]
    if isinstance(answer, BaseException):
        raise answer
    return answer


class Runner(Generic[_R]):
    """Runs images through a detector or labeler."""

    def __init__(
        self,
        function: Any,
        make: Callable[..., _R],
        model: Callable[[], str],
        max_pixels: int,
    ) -> None:
        self.function = function
        self.make = make
        self.model = model
        self.max_pixels = max_pixels

    def one(
        self,
        handle: Handle,
        image: object,
        order: Order,
        region: Box | None,
        orientation: int | None,
        cancel: Cancel | None = None,
        *,
        is_long: bool = False,
        frame: Frame | None = None,
    ) -> _R:
        """Returns the result of one image, or of the next frame of a stream.

        Raises:
            FoveaError: The image, or the call, failed.
        """
        struct = _abi.Image()
        given = fill(struct, image, order, region, orientation, self.max_pixels)
        if given.path is None:
            struct.name = b"image"
        reference = ctypes.byref(struct)
        if is_long and cancel is None:

            def work(stop: Cancel, kept: Given = given) -> Result:
                return call(self.function, handle, reference, 1, 0, stop, frame)

            result = interruptible(work)
        else:
            result = call(self.function, handle, reference, 1, 0, cancel, frame)
        error = result.error(0)
        if error is not None:
            raise error
        return self._answer(given, result, 0, orientation)

    def many(self, handle: Handle, images: Sequence[object], order: Order, threads: int) -> list[_R]:
        """Returns the results of several images, in the same order; those of failed images have an error."""
        structs = (_abi.Image * max(len(images), 1))()
        taken: list[tuple[int, Given]] = []
        answers: list[_R | None] = [None] * len(images)
        for at, image in enumerate(images):
            struct = structs[len(taken)]
            try:
                given = fill(struct, image, order, max_pixels=self.max_pixels)
                if given.path is None:
                    struct.name = (
                        b"image %d" % at
                    )  # the library's name for it, with its index in the caller's list
                taken.append((at, given))
            except Exception as error:
                failure = conversion_error(error)
                if failure is None:
                    raise
                ctypes.memset(ctypes.byref(struct), 0, ctypes.sizeof(struct))
                answers[at] = self.make(Source(failure.subject), error=failure)
        result = interruptible(lambda stop: call(self.function, handle, structs, len(taken), threads, stop))
        for number, (at, given) in enumerate(taken):
            failed = result.error(number)
            answers[at] = self._failed(given, failed) if failed else self._answer(given, result, number, None)
        return [answer for answer in answers if answer is not None]

    def _failed(self, given: Given, error: FoveaError) -> _R:
        return self.make(Source(given.path, None, False, self.model), error=error)

    def _answer(self, given: Given, result: Result, index: int, orientation: int | None) -> _R:
        return self.make(Source(given.path, given.shown, orientation is not None, self.model), result, index)
