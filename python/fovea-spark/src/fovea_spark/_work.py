# SPDX-License-Identifier: Apache-2.0
"""The work of tasks: Arrow batches in, Arrow batches out."""

from __future__ import annotations

import itertools
import pathlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import fovea
import pyarrow as pa

from . import _listing, _read, _recipe
from ._find import Finder, Image, InProcess, Isolated, read_table
from ._places import Place
from ._recipe import Kind, Recipe

#: Images in one batch.
BATCH = 64
Batches = Iterator[pa.RecordBatch]
_open: dict[tuple[Recipe, bool], Finder] = {}


def finder(recipe: Recipe) -> Finder:
    """Returns the finder of this Python worker, which is kept for later tasks.

    A retried task passes each image to a child process: one of its images may have crashed the worker.
    """
    from pyspark import SparkFiles, TaskContext

    context = TaskContext.get()
    isolated = context is not None and context.attemptNumber() > 0
    key = (recipe, isolated)
    if key not in _open:
        for other in list(_open):
            _open.pop(other).close()
        folder = None
        if recipe.bundle is not None:
            folder = _recipe.unpacked(recipe, pathlib.Path(SparkFiles.getRootDirectory()))
        _open[key] = Isolated(recipe, folder) if isolated else InProcess(recipe, folder)
    return _open[key]


def content(kind: Kind) -> list[pa.Field]:
    """Returns the columns of the results, without those that identify the image."""
    fields = fovea.schema("objects" if kind == "detect" else "labels")
    named = [field for field in fields if field.name != "path"]
    return [field.with_nullable(False) if field.name == "model_sha256" else field for field in named]


def columns(recipe: Recipe, found: pa.Table) -> list[Any]:
    """Returns the result columns of fovea's table."""
    constant = pa.array([recipe.model_sha256] * found.num_rows, pa.string())
    return [
        constant if field.name == "model_sha256" else found.column(field.name).combine_chunks()
        for field in content(recipe.kind)
    ]


def counted(found: pa.Table, sizes: Sequence[int | None]) -> dict[str, int]:
    """Returns the counts for the progress."""
    counts = {"images": found.num_rows, "bytes": sum(size or 0 for size in sizes)}
    name = "objects" if "objects" in found.column_names else "labels"
    counts[name] = len(found.column(name).combine_chunks().flatten())
    for error in found.column("error").to_pylist():
        if error is not None:
            counts[f"error:{error['code']}"] = counts.get(f"error:{error['code']}", 0) + 1
    return counts


def groups(images: Iterable[Any], size: int = BATCH) -> Iterator[list[Any]]:
    """Yields lists of at most `size` items."""
    iterator = iter(images)
    while group := list(itertools.islice(iterator, size)):
        yield group


def listed_work(
    recipe: Recipe, folder: Place, count: Callable[[dict[str, int]], None]
) -> Callable[[Batches], Batches]:
    """Returns a function for `mapInArrow` over lists of images: each task has one row with a list."""
    fields = [*_listing.SCHEMA, *content(recipe.kind)]

    def work(batches: Batches) -> Batches:
        found = finder(recipe)
        reader = _read.Reader(folder, recipe.max_bytes, recipe.timeout)
        for batch in batches:
            for data in batch.column(0).to_pylist():
                yield from _rows(recipe, found, reader, read_table(data), count, fields)

    return work


def _rows(
    recipe: Recipe,
    found: Finder,
    reader: _read.Reader,
    listing: pa.Table,
    count: Callable[[dict[str, int]], None],
    fields: list[pa.Field],
) -> Batches:
    images = _read.ahead(reader.read, listing.column("path").to_pylist())
    start = 0
    for group in groups(images):
        rows = listing.slice(start, len(group))
        start += len(group)
        table = found.find(group)
        sizes = [
            image.size if size is None else size
            for image, size in zip(group, rows.column("size").to_pylist(), strict=True)
        ]
        count(counted(table, sizes))
        first = [
            rows.column("path").combine_chunks(),
            pa.array(sizes, pa.int64()),
            rows.column("modified").combine_chunks(),
        ]
        yield pa.RecordBatch.from_arrays([*first, *columns(recipe, table)], schema=pa.schema(fields))


def frame_work(
    recipe: Recipe, keys: int, count: Callable[[dict[str, int]], None] | None = None
) -> Callable[[Batches], Batches]:
    """Returns a function for `mapInArrow` over a table's rows: `keys` columns are kept, the next has bytes or addresses."""

    def work(batches: Batches) -> Batches:
        found = finder(recipe)
        reader = _read.Reader(None, recipe.max_bytes, recipe.timeout)
        for batch in batches:
            for start in range(0, batch.num_rows, BATCH):
                yield _frame_rows(recipe, found, reader, batch.slice(start, BATCH), keys, count)

    return work


def _frame_rows(
    recipe: Recipe,
    found: Finder,
    reader: _read.Reader,
    rows: pa.RecordBatch,
    keys: int,
    count: Callable[[dict[str, int]], None] | None,
) -> pa.RecordBatch:
    images = rows.column(keys)
    names = [str(value) for value in rows.column(0).to_pylist()] if keys else [""] * rows.num_rows
    if pa.types.is_string(images.type) or pa.types.is_large_string(images.type):
        given = list(_read.ahead(reader.read, images.to_pylist()))
    else:
        given = [Image(name, value.as_py(), size=None) for name, value in zip(names, images, strict=True)]
    table = found.find(given)
    if count is not None:
        sizes = [len(image.data) if isinstance(image.data, bytes) else 0 for image in given]
        count(counted(table, sizes))
    first = [rows.schema.field(at) for at in range(keys)]
    return pa.RecordBatch.from_arrays(
        [*(rows.column(at) for at in range(keys)), *columns(recipe, table)],
        schema=pa.schema([*first, *content(recipe.kind)]),
    )
