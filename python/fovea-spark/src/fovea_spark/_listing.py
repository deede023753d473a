# SPDX-License-Identifier: Apache-2.0
"""Lists images: those of a folder, or those named in a file."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from . import _places
from ._reasons import failure
from ._store import Refused

#: The endings that `fovea detect FOLDER` accepts. It also reads files with other endings; here that would be a request
#: to the store for each.
ENDINGS = (
    "jpg", "jpeg", "jpe", "jfif", "jif", "jfi", "pjpeg", "pjpg", "pjp", "mpo", "png", "apng", "webp", "heic", "heif", "hif",
    "heics", "heifs", "avif", "avifs", "gif", "bmp", "dib", "rle", "tif", "tiff", "tf8", "btf",
    "gtif", "gtiff", "geotiff",
)  # fmt: skip
SCHEMA = pa.schema(
    [
        pa.field("path", pa.string(), False),
        pa.field("size", pa.int64()),
        pa.field("modified", pa.timestamp("us", "UTC")),
    ]
)


def has_image_ending(name: str) -> bool:
    """Whether a file's name has an ending of images."""
    return name.rpartition(".")[2].lower() in ENDINGS and "." in name


class PassedOver:
    """The files of a folder whose names are not those of images."""

    _SHOWN = 3

    def __init__(self) -> None:
        self.count = 0
        self._names: list[str] = []

    def add(self, name: str) -> None:
        """Adds a name."""
        self.count += 1
        if len(self._names) < self._SHOWN:
            self._names.append(name)

    def __str__(self) -> str:
        files = "1 file" if self.count == 1 else f"{self.count:,} files"
        more = ", …" if self.count > len(self._names) else ""
        return f"ignored {files} without an image ending: {', '.join(self._names)}{more}"


def folder(place: _places.Place, passed: PassedOver | None = None) -> pa.Table:
    """Lists the images of a folder and its subfolders, by their relative names; hidden ones are left out.

    Args:
        place: The folder.
        passed: Receives the ignored files.

    Raises:
        Refused: The folder cannot be listed.
    """
    passed = PassedOver() if passed is None else passed
    rows = _local(place.path, passed) if place.is_local else _remote(place, passed)
    return _table(rows)


def _table(rows: Iterator[tuple[str, int | None, int | None]]) -> pa.Table:
    paths, sizes, times = [], [], []
    for path, size, time in rows:
        paths.append(path)
        sizes.append(size)
        times.append(time)
    return pa.table([pa.array(paths, pa.string()), pa.array(sizes, pa.int64()),
                     pa.array(times, SCHEMA.field("modified").type)], schema=SCHEMA)  # fmt: skip


def _local(root: str, passed: PassedOver) -> Iterator[tuple[str, int, int]]:
    base = os.fsencode(root)
    if not os.path.isdir(base):
        if os.path.exists(base):
            raise Refused(
                f"INPUT {root} is not a folder. Pass the folder that contains it, or list its name with --list"
            )
        raise Refused(f"there is no folder {root}. Check INPUT")

    def refuse(error: OSError) -> None:
        raise Refused(
            f"{os.fsdecode(error.filename or root)} cannot be listed: {error.strerror}. Check its permissions"
        )

    seen: set[tuple[int, int]] = set()
    for here, folders, files in os.walk(base, onerror=refuse, followlinks=True):
        status = os.stat(here)
        if (status.st_dev, status.st_ino) in seen:  # a link back
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = sorted(name for name in folders if not name.startswith(b"."))
        for name in sorted(files):
            if name.startswith(b"."):
                continue
            path = os.path.join(here, name)
            if not has_image_ending(os.fsdecode(name)):
                passed.add(_places.named(os.path.relpath(path, base)))
                continue
            try:
                entry = os.stat(path)
            except FileNotFoundError:  # a broken link: opening it reports the error
                entry = os.lstat(path)
            if stat.S_ISREG(entry.st_mode) or stat.S_ISLNK(entry.st_mode):
                yield _places.named(os.path.relpath(path, base)), entry.st_size, entry.st_mtime_ns // 1000


def _remote(place: _places.Place, passed: PassedOver) -> Iterator[tuple[str, int, int | None]]:
    import pyarrow.fs

    start = f"{place.path}/"
    try:
        system = _places.file_system(place)
        entries = system.get_file_info(pyarrow.fs.FileSelector(place.path, recursive=True))
    except FileNotFoundError:
        raise Refused(f"there is no folder {place.shown}. Check INPUT") from None
    except (OSError, ImportError, ValueError) as reason:
        raise Refused(f"{place.shown} cannot be listed: {failure(reason)}") from reason
    for entry in entries:
        if entry.type != pyarrow.fs.FileType.File:
            continue
        name = entry.path.removeprefix(start)
        if any(part.startswith(".") for part in name.split("/")):
            continue
        if not has_image_ending(name):
            passed.add(name)
            continue
        yield name, entry.size, None if entry.mtime_ns is None else entry.mtime_ns // 1000


def listed(address: str) -> tuple[pa.Table, int]:
    """Reads a list of images: Parquet with a column ``path`` (and ``size``, ``modified``), or text with one per line.

    Returns:
        The list, each image once, and the number of duplicates.

    Raises:
        Refused: It cannot be read, or the column is missing or has another type.
    """
    place = _places.place(address)
    try:
        system = _places.file_system(place)
        if place.path.lower().endswith((".parquet", ".pq")):
            table = _of_parquet(address, system, place)
        else:
            with system.open_input_file(place.path) as file:
                lines = [line.removesuffix(b"\r") for line in file.read().split(b"\n")]
            table = _table((_places.named(line), None, None) for line in lines if line)
    except FileNotFoundError:
        raise Refused(f"there is no list {place.shown}. Check --list") from None
    except (OSError, ImportError, ValueError) as reason:  # Arrow's errors are ValueErrors
        raise Refused(f"the list {place.shown} cannot be read: {failure(reason)}. Check --list") from reason
    first: dict[str, int] = {}
    for at, path in enumerate(table.column("path").to_pylist()):
        first.setdefault(path, at)
    chosen = pa.array(list(first.values()), pa.int64())
    return table.take(chosen), table.num_rows - len(first)


def _of_parquet(address: str, system: Any, place: _places.Place) -> pa.Table:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(place.path, filesystem=system)
    if "path" not in table.column_names:
        raise Refused(
            f"{address} has no column 'path': it has {', '.join(table.column_names)}. Rename the column of the images"
        )
    kind = table.schema.field("path").type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise Refused(f"the column 'path' of {address} is {kind}, string expected. Use names or addresses")
    if table.column("path").null_count:
        raise Refused(
            f"the column 'path' of {address} has {table.column('path').null_count} nulls. Remove those rows"
        )
    columns = [
        table.column(field.name).cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in SCHEMA
    ]
    return pa.table(columns, schema=SCHEMA)


def checksum(table: pa.Table) -> str:
    """Returns the SHA-256 of a list, regardless of its order."""
    digest = hashlib.sha256()
    times = table.column("modified").cast(pa.int64()).to_pylist()
    for row in sorted(
        zip(table.column("path").to_pylist(), table.column("size").to_pylist(), times, strict=True), key=str
    ):
        digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
