# SPDX-License-Identifier: Apache-2.0
"""The base class of `Detector` and `Labeler`: opening, names, closing, pickling."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _models, _options, _words
from ._async import Lanes
from ._handle import Handle
from ._images import MOST_PIXELS
from ._library import check, lib, text
from ._types import ModelLike

if TYPE_CHECKING:
    from typing_extensions import Self


#: Options whose values may be paths.
_FILES = ("classifier", "labels")
#: Attributes set by opening; those of a subclass are pickled.
_OPENED = frozenset(
    ["_recipe", "_handle", "_sessions", "_max_pixels", "_lanes", "_digest", "_runner", "_is_long"]
)


class ModelUser:
    """A model that processes images.

    Threads may share it; calls beyond `sessions` wait. A forked child opens the model again on first use, and
    `pickle` stores the model's path or bytes and the options.
    """

    _kind = ""
    _embedded: str | None = None

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


def _opened(kind: type[ModelUser], model: ModelLike | None, options: dict[str, object]) -> ModelUser:
    opened = kind.__new__(kind)
    ModelUser.__init__(opened, model, options)
    opened._prepare()  # type: ignore[attr-defined]
    return opened
