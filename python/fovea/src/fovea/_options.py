# SPDX-License-Identifier: Apache-2.0
"""Converts keyword arguments to the library's options, which are those of the program."""

from __future__ import annotations

import ctypes
import inspect
import operator
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, SupportsFloat, SupportsIndex

import numpy as np

from . import _abi
from ._errors import FoveaError, ModelError, ModelNotFound, OptionError, make_error
from ._library import check, lib
from ._types import ModelLike

#: The advanced options of both detectors and labelers.
RARE = "locale normalize activation decode max_pixels"
#: Other packages' names of the options of detectors and labelers.
ELSEWHERE = {
    "threshold": "conf conf_thres confidence min_score score_threshold scores",
    "allow": "classes category_allowlist",
    "deny": "category_denylist",
    "threads": "num_threads workers jobs",
    "sessions": "num_threads workers jobs",
}
#: The options that name another model, which processes each object.
SECOND_STAGES = ("classifier", "landmarks")
#: Other packages' names of the maximum number of results.
MOST = "max_det max_detections top_k topk"

_KEYWORDS = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)

Options = Mapping[str, object]


class Known:
    """The options of a class: the keywords of its constructor, and the advanced ones that it accepts as ``**options``.

    Args:
        kind: The class.
        rare: The advanced options.
        **elsewhere: Other packages' names of an option.
    """

    every: ClassVar[list[Known]] = []

    def __init__(self, kind: type, rare: str = "", **elsewhere: str) -> None:
        given = inspect.signature(kind).parameters.values()
        self.kind = kind
        self.names = frozenset([*(each.name for each in given if each.kind in _KEYWORDS), *rare.split()])
        self.elsewhere = {name: frozenset(words.split()) for name, words in elsewhere.items()}
        self.every.append(self)

    def checked(self, options: Options) -> dict[str, object]:
        """Returns the options that are set; all names are known.

        Raises:
            TypeError: An option is unknown; the message lists similar names.
        """
        kind = self.kind.__name__
        for name in options:
            if name not in self.names:
                if name == "model":
                    raise TypeError(f"pass the model first, without a keyword: {kind}('model.tflite')")
                near = self._near(name)
                hint = (
                    f"did you mean {' or '.join(near)}?"
                    if near
                    else f"its options are {', '.join(sorted(self.names))}"
                )
                raise TypeError(f"{kind} has no option '{name}'; {hint}")
        return {
            name: value
            for name, value in options.items()
            if value is not None and not (isinstance(value, tuple) and not value)
        }

    def _near(self, name: str) -> list[str]:
        """Returns options with similar names, or that other packages call by this name."""
        words = frozenset([name]).union(*(each.elsewhere.get(name, ()) for each in self.every))
        found = [own for own, others in self.elsewhere.items() if words & others]
        if found or is_elsewhere(name):
            return found
        import difflib

        return difflib.get_close_matches(name, sorted(self.names), 3, 0.5)


def is_elsewhere(name: str) -> bool:
    """Whether other packages have an option of this name."""
    return any(name in words for each in Known.every for words in each.elsewhere.values())


def text_of(name: str, value: object) -> str:
    """Returns an option's value as text for the program.

    Raises:
        OptionError: The value cannot be written as text.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return text_of(name, value.item())
    if isinstance(value, Iterable):
        parts = [text_of(name, part) for part in value]
        if any("\n" in part for part in parts):
            raise OptionError("option-invalid", f"'{name}' has a line break in {parts!r}", "Remove it")
        return "\n".join([*parts, ""]) if any("," in part for part in parts) else ",".join(parts)
    if isinstance(value, SupportsIndex):
        return repr(operator.index(value))
    if isinstance(value, SupportsFloat):
        return repr(float(value))
    raise OptionError("option-invalid", f"'{name}' is {value!r}", "Pass a number, a string or a list of them")


def whole(name: str, value: object) -> int:
    """Returns a whole number.

    Raises:
        TypeError: It is not one.
    """
    if isinstance(value, SupportsIndex):
        return operator.index(value)
    raise TypeError(f"{name} is {value!r}, a whole number expected")


def number(name: str, value: object) -> float:
    """Returns a number.

    Raises:
        TypeError: It is not one.
    """
    if isinstance(value, SupportsFloat):
        return float(value)
    raise TypeError(f"{name} is {value!r}, a number expected")


def labels_of(name: str, value: object) -> tuple[str, ...]:
    """Returns labels to allow or deny; a single string is one label, and None is no label.

    Raises:
        TypeError: They are not strings.
    """
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
        labels = tuple(value)
        if all(isinstance(label, str) for label in labels):
            return tuple(map(str, labels))
    raise TypeError(f"{name} is {value!r}, a list of labels expected")


def kept_labels(labels: object) -> object:
    """Returns labels as a list, so that they can be read again; a path or bytes unchanged."""
    is_list = isinstance(labels, Iterable) and not isinstance(labels, (str, bytes, os.PathLike))
    return list(labels) if is_list else labels  # type: ignore[call-overload]


@contextmanager
def opened(options: Options) -> Iterator[int | None]:
    """Creates a `fovea_options` and frees it afterwards.

    Raises:
        OptionError: A value is out of range.
    """
    if not options:
        yield None
        return
    out = ctypes.c_void_p()
    check(lib.fovea_options_new(ctypes.byref(out)))
    try:
        with _folder(options) as folder:
            try:
                for name, value in options.items():
                    _set(out.value, name, _as_file(folder, name, value))
                yield out.value
            except FoveaError as error:
                raise _without(folder, error) from None
    finally:
        lib.fovea_options_free(out)


def _set(options: int | None, name: str, value: object) -> None:
    flag = name.replace("_", "-")
    if name == "slice" and not isinstance(value, bool):
        flag = "slice-size"
    if name == "classifier" and value is False:
        flag, value = "no-classify", True
    text = text_of(name, value)
    if "\0" in text:
        raise OptionError("option-invalid", f"'{name}' has a NUL byte: {text!r}", "Remove it")
    given = _encoded(name, text)
    try:
        check(lib.fovea_options_set(options, flag.encode(), given))
    except OptionError as error:
        # Name the caller's keyword if the library has another option for its value.
        message = error.message.replace(f"'{flag.replace('-', '_')}' is", f"'{name}' is")
        raise OptionError(error.code, message, error.remedy, error.subject) from None


def _encoded(name: str, text: str) -> bytes:
    """Encodes a string.

    Raises:
        OptionError: It has a lone surrogate, as in damaged names and JSON.
    """
    try:
        given = os.fsencode(text)
    except UnicodeEncodeError:
        raise OptionError(
            "option-invalid",
            f"'{name}' cannot be encoded as UTF-8: {ascii(text)[:80]}",
            "Correct the text",
        ) from None
    if not _is_utf8(given):
        raise OptionError(
            "option-invalid", f"'{name}' is not UTF-8: {text[:80]!r}", "Rename the file, or correct the text"
        )
    return given


def _without(folder: str | None, error: FoveaError) -> FoveaError:
    """Replaces the path of a temporary file by the name of the option in an error."""
    if folder is None:
        return error
    names = {f"{folder}/labels.txt": "labels", **{f"{folder}/{name}.tflite": name for name in SECOND_STAGES}}
    parts = [error.message, error.remedy, error.subject or ""]
    for place, name in names.items():
        parts = [part.replace(place, name) for part in parts]
    return make_error(error.code, parts[0], parts[1], parts[2] or None)


def _needs_files(options: Options) -> bool:
    labels = options.get("labels")
    return any(isinstance(options.get(name), bytes) for name in SECOND_STAGES) or (
        labels is not None and not isinstance(labels, (str, os.PathLike))
    )


@contextmanager
def _folder(options: Options) -> Iterator[str | None]:
    """Creates a temporary folder while a model is opened; None if no file is needed."""
    if not _needs_files(options):
        yield None
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="fovea-") as folder:
        yield folder


def _as_file(folder: str | None, name: str, value: object) -> object:
    """Writes labels, or the bytes of a second model, into a file; returns its path, or the value if it needs no file."""
    if folder is None:
        return value
    if name in SECOND_STAGES and isinstance(value, bytes):
        path = pathlib.Path(folder, f"{name}.tflite")
        path.write_bytes(value)
        return path
    if name == "labels" and isinstance(value, bytes):
        path = pathlib.Path(folder, "labels.txt")
        path.write_bytes(value)
        return path
    if name == "labels" and isinstance(value, Iterable) and not isinstance(value, str):
        lines = [str(label) for label in value]
        if any("\n" in label for label in lines):
            raise OptionError("option-invalid", "a label has a line break", "Pass labels of one line each")
        path = pathlib.Path(folder, "labels.txt")
        path.write_bytes(b"".join(_encoded(name, label) + b"\n" for label in lines))
        return path
    return value


class Model:
    """A `fovea_model`; keeps the memory that it points to alive."""

    def __init__(self, model: ModelLike | None, name: str | None = None) -> None:
        self.struct = _abi.Model(size=ctypes.sizeof(_abi.Model))
        self.is_embedded = model is None
        if isinstance(model, (bytes, bytearray)):
            if not model:
                raise ModelError(
                    "model-unreadable", "the model has no bytes", "Pass the bytes of a .tflite file"
                )
            self._bytes = bytes(model)
            self.struct.bytes = ctypes.cast(ctypes.c_char_p(self._bytes), ctypes.c_void_p).value
            self.struct.length = len(self._bytes)
            self.struct.name = b"model"
        elif isinstance(model, (str, os.PathLike)):
            try:
                path = os.fsencode(model)
            except UnicodeEncodeError:
                raise ModelNotFound(
                    "metadata-missing-file",
                    f"no file can have the name {ascii(os.fspath(model))[:80]}: it cannot be encoded as UTF-8",
                    "Check the path",
                ) from None
            if not _is_utf8(path):
                raise ModelError(
                    "model-unreadable",
                    f"the model's path is not UTF-8: {os.fsdecode(path)!r}",
                    "Rename it, or pass its bytes",
                )
            if b"\0" in path or not path:
                raise ModelError(
                    "model-unreadable", f"the model's path is {model!r}", "Pass the path of a .tflite file"
                )
            if b"://" in path and not os.path.exists(path):
                raise ModelNotFound(
                    "metadata-missing-file",
                    f"the model '{os.fsdecode(path)}' is a URL",
                    "Download it and pass the path of the file",
                )
            self.struct.path = path
        elif model is not None:
            raise TypeError(f"a model is a path or bytes, not {type(model).__name__}")
        elif name is not None:
            self.struct.name = name.encode()

    @property
    def reference(self) -> object:
        """A pointer to the struct; None for the library's default."""
        return None if self.is_embedded and not self.struct.name else ctypes.byref(self.struct)


def _is_utf8(path: bytes) -> bool:
    try:
        path.decode()
    except UnicodeDecodeError:
        return False
    return True
