# SPDX-License-Identifier: Apache-2.0
"""Reads the options of the tasks like MediaPipe, and opens their models."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...._errors import FoveaError, OptionError
from ..._wrong import require, whole
from .._base_options import BaseOptions
from ._core import RunningMode, as_mediapipe


@dataclasses.dataclass
class Base:
    """The validated options that all tasks have.

    Attributes:
        mode: The running mode.
        callback: The callback of a live stream.
        model: A path, or the bytes of a model.
    """

    mode: RunningMode
    callback: Callable[..., None] | None
    model: str | bytes


@dataclasses.dataclass
class Settings(Base):
    """The validated options of a task with scored results.

    Attributes:
        most: The maximum number of results.
        threshold: The minimum score; 0 keeps all.
        allow: The categories to report; empty for all.
        deny: The categories to leave out.
        locale: The language of the display names.
    """

    most: int
    threshold: float
    allow: list[str]
    deny: list[str]
    locale: str | None


def read_base(options: Any, kind: type) -> Base:
    """Validates the options that all tasks have.

    Args:
        options: The caller's options.
        kind: Their required class.

    Raises:
        ValueError: A value is invalid.
        WrongTypeError: A value has the wrong type.
    """
    require("options", options, kind, kind.__name__)
    mode, callback = options.running_mode, options.result_callback
    require("running_mode", mode, RunningMode, "a member of RunningMode")
    _check_callback(mode, callback)
    require("base_options", options.base_options, BaseOptions, "BaseOptions")
    return Base(mode, callback, options.base_options._model())


def read(options: Any, kind: type, most: int) -> Settings:
    """Validates the options of a task with scored results.

    Args:
        options: The caller's options.
        kind: Their required class.
        most: The number of results that stands for all.

    Raises:
        ValueError: A value is invalid.
        WrongTypeError: A value has the wrong type.
    """
    base = read_base(options, kind)
    count = -1 if options.max_results is None else whole("max_results", options.max_results)
    if count == 0:
        raise ValueError("Invalid `max_results` option: value must be != 0. Pass -1 for all results")
    allow = _names("category_allowlist", options.category_allowlist)
    deny = _names("category_denylist", options.category_denylist)
    if allow and deny:
        raise ValueError(
            "`category_allowlist` and `category_denylist` are mutually exclusive options. Set only one of them"
        )
    require("display_names_locale", options.display_names_locale, (str, type(None)), "a text")
    return Settings(
        base.mode,
        base.callback,
        base.model,
        min(count, most) if count > 0 else most,
        0.0 if options.score_threshold is None else threshold("score_threshold", options.score_threshold),
        allow,
        deny,
        options.display_names_locale or None,
    )


def _check_callback(mode: RunningMode, callback: object) -> None:
    if mode is RunningMode.LIVE_STREAM and callback is None:
        raise ValueError(
            "The vision task is in live stream mode, a user-defined result callback must be provided. "
            "Set result_callback"
        )
    if mode is not RunningMode.LIVE_STREAM and callback is not None:
        raise ValueError(
            "The vision task is in image or video mode, a user-defined result callback should not be provided. "
            "Omit result_callback, or set running_mode=RunningMode.LIVE_STREAM"
        )
    if callback is not None:
        require("result_callback", callback, Callable, "a function")


def _names(option: str, names: Any) -> list[str]:
    if names is None:
        return []
    if isinstance(names, (str, bytes)) or not isinstance(names, Sequence):
        require(option, names, list, "a list of category names")
    for name in names:
        require(f"a name of {option}", name, str, "a text")
    return list(names)


def threshold(option: str, value: Any) -> float:
    """Returns a minimum score; NaN keeps all, as in MediaPipe.

    Raises:
        WrongTypeError: It is not a number.
    """
    if isinstance(value, (str, bytes)):
        require(option, value, float, "a number")
    try:
        score = float(value)
    except TypeError:
        require(option, value, float, "a number")
        raise
    return 0.0 if math.isnan(score) else max(score, 0.0)


@contextlib.contextmanager
def opening(base: Base) -> Iterator[None]:
    """Converts the errors of opening a task's model.

    Raises:
        FileNotFoundError: There is no model at the path.
        ValueError: The model or an option cannot be used.
        RuntimeError: The model cannot be read, or LiteRT cannot be loaded.
    """
    try:
        yield
    except FoveaError as error:
        is_folder = isinstance(base.model, str) and os.path.isdir(base.model)
        raise (RuntimeError(str(error)) if is_folder else as_mediapipe(error)) from error


def opened(kind: Any, settings: Settings, given: dict[str, Any]) -> tuple[Any, list[str]]:
    """Opens a detector or labeler; returns it with the names of its classes in the requested language.

    Raises:
        FileNotFoundError: There is no model at the path.
        ValueError: The model or an option cannot be used.
        RuntimeError: The model cannot be read, or LiteRT cannot be loaded.
    """
    with opening(settings):
        model = _with_lists(kind, settings, given)
    names: list[str] = []
    if settings.locale is not None:
        # A model without this language has no display names; MediaPipe opens it anyway.
        with contextlib.suppress(FoveaError), kind(settings.model, locale=settings.locale) as translated:
            names = translated.names
    return model, names


def _with_lists(kind: Any, settings: Settings, given: dict[str, Any]) -> Any:
    lists = {"allow": settings.allow, "deny": settings.deny}
    try:
        return kind(settings.model, **given, **lists)
    except OptionError:
        if not (settings.allow or settings.deny):
            raise
    # MediaPipe ignores names that the model does not have.
    with kind(settings.model) as plain:
        known = set(plain.names)
    kept = {name: [each for each in names if each in known] for name, names in lists.items()}
    return kind(settings.model, **given, **kept)
