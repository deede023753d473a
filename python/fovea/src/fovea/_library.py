# SPDX-License-Identifier: Apache-2.0
"""Loads libfovea, compares its layout with that of `_abi`, and converts its errors to exceptions."""

from __future__ import annotations

import ctypes
import os
import pathlib
import struct
from typing import Any, NoReturn

from . import _abi, _words
from ._errors import FoveaError, make_error

#: The folder of the shared libraries in an installed package.
LIBRARIES = pathlib.Path(__file__).resolve().parent / "lib"
NAME = f"libfovea.so.{_abi.ABI}"
_LITERT = "FOVEA_LITERT_LIBRARY"
#: Processors by their ELF machine number.
_MACHINES = {62: "x86_64", 183: "aarch64"}


def library_path() -> pathlib.Path:
    """Returns the path of libfovea: FOVEA_LIBRARY, or the one in this package."""
    named = os.environ.get("FOVEA_LIBRARY")
    return pathlib.Path(named) if named else LIBRARIES / NAME


def layout(text: str) -> dict[str, tuple[int, dict[str, int]]]:
    """Parses the text of `fovea_layout`: each struct's size and the offsets of its fields."""
    found: dict[str, tuple[int, dict[str, int]]] = {}
    name = ""
    for word in text.replace(";", " ").split():
        if ":" in word:
            field, offset = word.split(":")
            found[name][1][field] = int(offset)
        elif word.isdigit():
            found[name] = (int(word), {})
        else:
            name = word
    return found


def layout_difference(text: str) -> str | None:
    """Returns the first struct or field that the library lacks or has at another offset; None if they match."""
    theirs = layout(text)
    for name, structure in _abi.STRUCTURES.items():
        if name not in theirs:
            return f"{name} is missing"
        size, offsets = theirs[name]
        for field, *_ in structure._fields_:
            mine = getattr(structure, field).offset
            if offsets.get(field) != mine:
                place = f"at {offsets[field]}" if field in offsets else "missing"
                return f"{name}.{field} is {place}, expected at {mine}"
        if size < ctypes.sizeof(structure):
            return f"{name} has {size} bytes, expected {ctypes.sizeof(structure)}"
    return None


def load(path: pathlib.Path) -> ctypes.CDLL:
    """Loads the library and declares the types of its functions.

    Raises:
        ImportError: The file is missing, cannot be loaded, or has another ABI or layout.
    """
    try:
        files = [path, *_with_it(path)] if path.is_file() else []
    except OSError as error:
        raise _unreadable(path, error) from error
    if not files:
        raise ImportError(f"{path} is missing: install the wheel again, or set FOVEA_LIBRARY", path=str(path))
    for file in files:
        _check_file(file)
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"{path} cannot be loaded: {error}", path=str(path)) from error
    for name, (result, arguments) in _abi.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(
                f"{path} ({_version(library)}) has no {name}: it is older than this package, "
                "install both from one wheel",
                path=str(path),
            ) from None
        function.restype = result
        function.argtypes = arguments
    if library.fovea_abi() != _abi.ABI:
        _refuse(path, library, f"its ABI is {library.fovea_abi()}, expected {_abi.ABI}")
    difference = layout_difference(library.fovea_layout().decode())
    if difference:
        _refuse(path, library, difference)
    return library


def _with_it(path: pathlib.Path) -> list[pathlib.Path]:
    """Returns the libraries in the wheel that the packaged library needs."""
    folder = LIBRARIES.parent.parent / "fovea.libs"
    return sorted(filter(pathlib.Path.is_file, folder.glob("*.so*"))) if path.parent == LIBRARIES else []


def _check_file(path: pathlib.Path) -> None:
    """Refuses a truncated library, which would crash the process, and one for another processor.

    The loader reports files that are not libraries. **Source:** the ELF-64 object file format, version 1.5.

    Raises:
        ImportError: It is one of them.
    """
    try:
        with open(path, "rb") as file:
            header = file.read(64)
            if len(header) < 64 or header[:6] != b"\x7fELF\x02\x01":
                return
            machine = int.from_bytes(header[18:20], "little")
            file.seek(int.from_bytes(header[32:40], "little"))
            segments = file.read(56 * int.from_bytes(header[56:58], "little"))
            size = file.seek(0, os.SEEK_END)
    except OSError as error:
        raise _unreadable(path, error) from error
    here = os.uname().machine
    if _MACHINES.get(machine, here) != here:
        raise ImportError(
            f"{path} is for {_MACHINES[machine]}, this machine is {here}: install the wheel for it",
            path=str(path),
        )
    ends = (struct.unpack_from("<8xQ16xQ", segments, at) for at in range(0, len(segments) - 55, 56))
    needed = max((start + count for start, count in ends), default=0)
    if needed > size:
        raise ImportError(
            f"{path} is truncated: it has {size} bytes of {needed}. Install the wheel again", path=str(path)
        )


def _unreadable(path: pathlib.Path, error: OSError) -> ImportError:
    place = error.filename or path
    return ImportError(f"{place} cannot be read: {error.strerror}. Install the wheel again", path=str(path))


def _version(library: ctypes.CDLL) -> str:
    try:
        function = library.fovea_version
    except AttributeError:
        return "of unknown version"
    function.restype = ctypes.c_char_p
    return f"version {function().decode()}"


def _refuse(path: pathlib.Path, library: ctypes.CDLL, difference: str) -> NoReturn:
    raise ImportError(
        f"{path} ({_version(library)}) does not match this package, built for ABI {_abi.ABI}: {difference}; "
        "install both from one wheel",
        path=str(path),
    )


lib: Any = load(library_path())
version: str = lib.fovea_version().decode()


def text(value: bytes | None) -> str:
    """Returns the text of a `const char *`; empty for NULL."""
    return value.decode("utf-8", "replace") if value else ""


def error_of(pointer: int) -> FoveaError:
    """Converts a `fovea_error` to an exception without freeing it."""
    subject = text(lib.fovea_error_subject(pointer))
    code = text(lib.fovea_error_code(pointer))
    remedy = _words.python(text(lib.fovea_error_remedy(pointer)))
    return make_error(
        code,
        _words.python(text(lib.fovea_error_message(pointer))),
        _runtime_remedy() if code in ("runtime-missing", "runtime-unusable") else remedy,
        subject or None,
    )


def _runtime_remedy() -> str:
    """Returns the remedy if LiteRT cannot be loaded."""
    if os.environ.get(_LITERT):
        return f"Correct {_LITERT}, or unset it: this package contains LiteRT"
    return f"Install the wheel again, or set {_LITERT} to the path of a libLiteRt.so"


def take_error(pointer: int) -> FoveaError:
    """Converts a `fovea_error` to an exception and frees it."""
    try:
        return error_of(pointer)
    finally:
        lib.fovea_error_free(pointer)


def check(pointer: int | None) -> None:
    """Raises the error that a function returned; None is success."""
    if pointer:
        raise take_error(pointer)


def _use_bundled_runtime() -> None:
    """Selects the LiteRT library of this package, unless the environment selects another."""
    beside = LIBRARIES / "libLiteRt.so"
    if not os.environ.get(_LITERT) and beside.is_file():
        check(lib.fovea_runtime_set(os.fsencode(beside)))


_use_bundled_runtime()
