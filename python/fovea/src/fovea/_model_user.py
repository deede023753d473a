# SPDX-License-Identifier: Apache-2.0
"""The base class of models that process images: opening, calls, names, closing, pickling."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _models, _options, _words
from ._async import Lanes
from ._call import Runner, threads_of
from ._handle import Handle
from ._images import MOST_PIXELS, images_of
from ._library import check, lib, text
from ._stream import stream
from ._types import Box, ImageLike, ModelLike, Order

if TYPE_CHECKING:
    from typing_extensions import Self


#: Options whose values may be paths.
_FILES = (*_options.SECOND_STAGES, "labels")
#: Options with which a call takes seconds, so that it must be interruptible.
_LONG = frozenset(["slice", "slice_size", "slice_overlap"])
#: Attributes set by opening; those of a subclass are pickled.
_OPENED = frozenset(
    ["_recipe", "_handle", "_sessions", "_max_pixels", "_lanes", "_digest", "_runner", "_is_long"]
)


_R = TypeVar("_R")


class ModelUser(Generic[_R]):
    """A model that processes images.

    Threads may share it; calls beyond `sessions` wait. A forked child opens the model again on first use, and
    `pickle` stores the model's path or bytes and the options.
    """

    _kind = ""
    _embedded: str | None = None
    #: The class of results, and the name of the library's function that makes them.
    _result: type[Any]
    _function = ""

    def __init__(self, model: ModelLike | None, options: dict[str, object]) -> None:
        # Absolute paths stay valid after a change of folder, in a forked child and in another process.
        kept = {name: _absolute(value) if name in _FILES else value for name, value in options.items()}
        self._recipe: tuple[ModelLike | None, dict[str, object]] = (_absolute(model), kept)
        self._handle = Handle(self._kind, self._opener(), getattr(lib, f"fovea_{self._kind}_close"))
        # The library has accepted the number, or a string with it.
        self._sessions = int(_options.text_of("sessions", options.get("sessions", 1)))
        self._max_pixels = int(_options.text_of("max_pixels", options.get("max_pixels", MOST_PIXELS)))
        self._lanes = Lanes(self._sessions)
        self._digest = _models.Digest(self._recipe[0], self._embedded)
        self._is_long = not _LONG.isdisjoint(options)
        self._runner: Runner[_R] = Runner(
            getattr(lib, self._function), self._maker(), self._digest, self._max_pixels
        )

    def _maker(self) -> Callable[..., _R]:
        """Returns the function that makes a result of a source, a result of C and an index."""
        return self._result

    def __call__(
        self,
        image: ImageLike,
        *,
        region: Box | None = None,
        order: Order = "rgb",
        orientation: int | None = None,
    ) -> _R:
        """Returns the result of one image.

        Args:
            image: A path, the bytes of a file, a uint8 array of shape (H, W, 3), (H, W, 4), (H, W, 1) or (H, W), a
                ``PIL.Image``, or a file opened in binary mode. Arrays are read without a copy.
            region: Process only this part: x, y, width and height in pixels of the stored image.
            order: The channel order of an array: ``"rgb"``, or ``"bgr"`` for OpenCV's.
            orientation: The rotation that makes the stored image upright, 1…8 as in EXIF; None uses the file's own,
                and 1 for arrays.

        Returns:
            The objects, labels, map or features, in pixels of the stored image.

        Raises:
            ImageError: The image cannot be read, or the array has an unsupported type or shape.
            FileNotFoundError: There is no file at the path.
            ClosedError: The model was closed.
        """
        return self._runner.one(self._handle, image, order, region, orientation, is_long=self._is_long)

    def batch(
        self, images: Iterable[ImageLike], *, threads: int | None = None, order: Order = "rgb"
    ) -> list[_R]:
        """Returns the results of several images, in the same order.

        Args:
            images: Images of the types that a call accepts.
            threads: The number of images processed at the same time; None uses the number of `sessions`.
            order: The channel order of arrays.

        Returns:
            One result for each image. A failed image does not raise; its result has an `error`.
        """
        given = list(images_of(images, "batch()"))
        return self._runner.many(self._handle, given, order, threads_of(threads, self._sessions))

    def stream(
        self,
        images: Iterable[ImageLike],
        *,
        batch_size: int = 32,
        threads: int | None = None,
        progress: bool = False,
        order: Order = "rgb",
    ) -> Iterator[_R]:
        """Yields the results of any number of images, one by one in the same order.

        Args:
            images: Images of the types that a call accepts; read when needed.
            batch_size: The number of images read and processed before their results are returned; limits the memory.
            threads: The number of images processed at the same time; None uses the number of `sessions`.
            progress: Whether to show a progress bar, if tqdm is installed.
            order: The channel order of arrays.

        Returns:
            Results like those of `batch`.
        """
        threads = threads_of(threads, self._sessions)
        given = images_of(images, "stream()")
        return stream(
            given, lambda some: self.batch(some, threads=threads, order=order), batch_size, progress
        )

    async def _one_async(
        self, image: ImageLike, region: Box | None, order: Order, orientation: int | None
    ) -> _R:
        """Returns the result of one image without blocking the event loop; cancelling the task stops the run."""
        return await self._lanes.run(
            lambda cancel: self._runner.one(self._handle, image, order, region, orientation, cancel)
        )

    def _opener(self) -> Callable[[], int]:
        model, given = self._recipe
        function = getattr(lib, f"fovea_{self._kind}_open")

        def opener() -> int:
            taken = _options.Model(model)
            out = ctypes.c_void_p()
            with _options.opened(given) as options:
                check(function(taken.reference, options, ctypes.byref(out)))
            return out.value or 0

        return opener

    def _texts(self, count: str, each: str) -> list[str]:
        pointer = self._handle.acquire()
        try:
            number = getattr(lib, f"fovea_{self._kind}_{count}")(pointer)
            function = getattr(lib, f"fovea_{self._kind}_{each}")
            return [text(function(pointer, at)) for at in range(number)]
        finally:
            self._handle.release()

    @property
    def names(self) -> list[str]:
        """The names of the model's classes, by index; empty if unknown."""
        return self._texts("class_count", "class_name")

    @property
    def assumptions(self) -> list[str]:
        """Assumptions made because neither the options nor the model specify the facts.

        A wrong assumption causes poor results without an error; each sentence names the option that overrides it.
        """
        return [_words.python(each) for each in self._texts("assumption_count", "assumption")]

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._handle.closed

    def model_sha256(self) -> str:
        """Returns the SHA-256 of the model as hexadecimal digits."""
        return self._digest()

    def close(self) -> None:
        """Frees the model after running calls have finished; does nothing the second time."""
        self._lanes.close()
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __setattr__(self, name: str, value: object) -> None:
        opened = [known.names for known in _options.Known.every if issubclass(known.kind, ModelUser)]
        if any(name in names for names in opened) or _options.is_elsewhere(name):
            raise AttributeError(
                f"the options of a {type(self).__name__} are fixed when it is opened, so that '{name}' cannot be set. "
                f"Open another one: fovea.{type(self).__name__}(…)"
            )
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        own = {name: value for name, value in vars(self).items() if name not in _OPENED}
        return _opened, (type(self), *self._recipe), own or None

    def __repr__(self) -> str:
        model = self._recipe[0]
        shown = (
            "embedded"
            if model is None
            else f"{len(model)} bytes"
            if isinstance(model, bytes)
            else repr(str(model))
        )
        options = "".join(f", {name}={value!r}" for name, value in self._recipe[1].items())
        return f"<fovea.{type(self).__name__} {shown}{options}{', closed' if self.closed else ''}>"


def _absolute(value: Any) -> Any:
    """Makes a path absolute; returns URLs and other values unchanged."""
    if isinstance(value, (str, os.PathLike)):
        path = os.fsdecode(value)
        is_path = path and "\0" not in path and not re.match(r"[a-z][a-z0-9+.-]+://", path)
        return os.path.abspath(path) if is_path else path
    return value


def _opened(kind: type[ModelUser[_R]], model: ModelLike | None, options: dict[str, object]) -> ModelUser[_R]:
    opened = kind.__new__(kind)
    ModelUser.__init__(opened, model, options)
    return opened
