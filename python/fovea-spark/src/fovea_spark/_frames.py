# SPDX-License-Identifier: Apache-2.0
"""The Spark API: schemas, settings, sending the model, tables in and out."""

from __future__ import annotations

import contextlib
import pathlib
import posixpath
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from . import _plan, _recipe, _work
from ._find import table_bytes
from ._places import Place
from ._recipe import Kind, Model, Recipe

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LABEL = "array<struct<text: string, index: int, confidence: float>>"
_CONTENT = {
    "detect": "objects array<struct<x: double, y: double, width: double, height: double, score: float, label: string, "
    f"label_index: int, labels: {_LABEL}>> not null",
    "label": f"labels {_LABEL} not null",
}
#: The minimum number of images in a task.
_FEWEST = 8
#: The largest file that the JVM reads, which has 1 GB for several; the workers read larger ones.
_SPARK_BYTES = 16 << 20
_PATH = "path string not null, size bigint, modified timestamp"


def results(kind: Kind) -> str:
    """Returns the result columns as a Spark schema string."""
    return (
        f"width int, height int, orientation string, {_CONTENT[kind]}, "
        "milliseconds struct<decode: double, prepare: double, detect: double, classify: double, total: double>, "
        "error struct<code: string, message: string, remedy: string>, model_sha256 string not null, "
        "fovea_version string not null"
    )


def schema(kind: Kind = "detect") -> str:
    """Returns the columns of a job's table as a Spark schema string."""
    return f"path string not null, bucket int not null, size bigint, modified timestamp, {results(kind)}"


def _add(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    for name, count in other.items():
        one[name] = one.get(name, 0) + count
    return one


def counter(spark: SparkSession) -> Any:
    """Creates an accumulator of counts by name."""
    from pyspark.accumulators import AccumulatorParam

    class Counts(AccumulatorParam):  # type: ignore[misc]
        """Adds counts by name."""

        def zero(self, value: dict[str, int]) -> dict[str, int]:
            return {}

        def addInPlace(self, one: dict[str, int], other: dict[str, int]) -> dict[str, int]:  # noqa: N802
            return _add(one, other)

    return spark.sparkContext.accumulator({}, Counts())


_sent: set[tuple[str, str]] = set()


def send(spark: SparkSession, bundle: pathlib.Path | None) -> None:
    """Sends the model's files to every executor, once per application."""
    if bundle is None:
        return
    try:
        context = spark.sparkContext
    except Exception:  # Spark Connect has no context; its exception differs from version to version
        spark.addArtifacts(str(bundle), file=True)
        return
    key = (str(context.applicationId), bundle.name)
    if key not in _sent:
        context.addFile(str(bundle))
        _sent.add(key)


@contextlib.contextmanager
def settings(spark: SparkSession) -> Iterator[None]:
    """Sets small batches, cheap opening of files, and any date, while the job runs."""
    wanted = {
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(_work.BATCH),
        "spark.sql.files.openCostInBytes": str(256 << 10),
        "spark.sql.files.ignoreMissingFiles": "true",
        # Spark asks for the size of each file again, by default in a task per file: most of the time of reading them.
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": str(
            4 * spark.sparkContext.defaultParallelism
        ),
        # Spark 3.5 refuses to write dates before 1900 unless the calendar is set.
        "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
        "spark.sql.parquet.int96RebaseModeInWrite": "CORRECTED",
    }
    if int(spark.version.split(".", 1)[0]) >= 4:
        wanted["spark.sql.execution.arrow.maxBytesPerBatch"] = "64m"
    before = {name: spark.conf.get(name, None) for name in wanted}
    for name, value in wanted.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            if old is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, old)


def of_list(
    spark: SparkSession, recipe: Recipe, folder: Place, rows: pa.Table, counts: Any, parts: int
) -> DataFrame:
    """Returns the results of listed images, which the workers read; tasks have about equal bytes."""
    sizes = np.array([size or 0 for size in rows.column("size").to_pylist()], np.int64)
    lists = [
        (bytearray(table_bytes(rows.take(pa.array(chosen)))),)
        for chosen in _plan.dealt(sizes, max(min(parts, rows.num_rows // _FEWEST), 1))
    ]
    tasks = spark.sparkContext.parallelize(lists, len(lists))
    frame = spark.createDataFrame(tasks, "list binary not null", verifySchema=False)
    work = _work.listed_work(recipe, folder, counts.add)
    return frame.mapInArrow(work, f"{_PATH}, {results(recipe.kind)}")


def of_files(
    spark: SparkSession,
    recipe: Recipe,
    folder: Place,
    address: str,
    rows: pa.Table,
    counts: Any,
    *,
    is_checked: bool,
) -> DataFrame | None:
    """Returns the results of listed images, which Spark reads; None if there is nothing to read, or a file is gone.

    A file that differs from the list (it is larger, a folder, or has another spelling of its path) has no row;
    `is_checked` means that the list was made from the folder itself.
    """
    from pyspark.errors import AnalysisException
    from pyspark.sql import functions as f

    if not rows.num_rows:
        return None

    base = f"file://{folder.path}" if folder.is_local else address.partition("?")[0].rstrip("/")
    shown = f"file:{folder.path}/" if folder.is_local else f"{base}/"
    files = [escaped(f"{base}/{name}") for name in rows.column("path").to_pylist()]
    try:
        # The recursive option disables partitions, which Spark makes of folders such as `path=1`.
        frame = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(files)
    except AnalysisException as reason:
        if "PATH_NOT_FOUND" in str(reason):
            return None
        raise
    frame = frame.filter(f.col("length") <= _SPARK_BYTES).select(
        f.substring("path", len(shown) + 1, 1 << 30).alias("path"),
        f.col("length").alias("size"),
        f.col("modificationTime").alias("modified"),
        "content",
    )
    if not is_checked:
        names = spark.createDataFrame([(name,) for name in rows.column("path").to_pylist()], "path string")
        frame = frame.join(f.broadcast(names), "path", "left_semi")
    return frame.mapInArrow(_work.frame_work(recipe, 3, counts.add), f"{_PATH}, {results(recipe.kind)}")


def escaped(path: str) -> str:
    """Escapes the patterns of a path: Hadoop reads ``\\[`` as the character."""
    return "".join(f"\\{letter}" if letter in "{}[]*?\\" else letter for letter in path)


def spark_reads(name: str, size: int | None, max_bytes: int) -> bool:
    """Whether Spark's own source reads a file: not empty, not large, not hidden, below the folder and with a UTF-8 name.

    Hadoop refuses a name with a colon, and the whole job with it; it changes `a//b` to `a/b`.
    """
    return (
        size is not None
        and 0 < size <= min(max_bytes, _SPARK_BYTES)
        and ":" not in name
        and not name.startswith("/")
        and posixpath.normpath(name) == name
        and not any(part.startswith(("_", ".")) for part in name.split("/"))
    )


def applied(
    kind: Kind,
    frame: DataFrame,
    model: Model,
    options: dict[str, object],
    column: str | None,
    key: Sequence[str] | None,
    timeout: float,
) -> DataFrame:
    """Implements `detect` and `label`."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import BinaryType, StringType

    if not hasattr(frame, "mapInArrow"):
        raise TypeError(
            f"df is {type(frame).__module__.partition('.')[0]}'s {type(frame).__name__}, a DataFrame of Spark expected. "
            "Make one: spark.createDataFrame(df), or spark.read"
        )
    fields = {field.name: field for field in frame.schema.fields}
    images, keys, renamed = _chosen(list(fields), column, key)
    taken = [name for name in [images, *keys] if name not in fields]
    if taken:
        raise ValueError(f"the table has no column '{taken[0]}': it has {', '.join(fields) or 'none'}")
    type_ = fields[images].dataType
    if not isinstance(type_, (BinaryType, StringType)):
        raise TypeError(f"the column '{images}' is {type_.simpleString()}; binary or string expected")
    outputs = [renamed.get(name, name) for name in keys]
    _check_names(outputs, kind)
    recipe, bundle = _recipe.made(kind, model, options, timeout)
    spark = frame.sparkSession
    if isinstance(type_, BinaryType):
        _warn_of_large_batches(spark)
    send(spark, bundle)
    chosen = frame.select(
        *(f.col(_quoted(name)).alias(output) for name, output in zip(keys, outputs, strict=True)),
        f.col(_quoted(images)).alias("fovea_image"),
    )
    from pyspark.sql.types import StructType

    wanted = StructType([*chosen.schema.fields[:-1], *parsed(results(kind)).fields])
    return chosen.mapInArrow(_work.frame_work(recipe, len(keys)), wanted)


def parsed(schema: str) -> Any:
    """Converts a schema to Spark's types."""
    from pyspark.sql import types

    if hasattr(types.StructType, "fromDDL"):  # from Spark 4
        return types.StructType.fromDDL(schema)
    return types._parse_datatype_string(schema)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _chosen(
    columns: list[str], column: str | None, key: Sequence[str] | None
) -> tuple[str, list[str], dict[str, str]]:
    """Returns the column of the images, the columns to keep, and the new names of some."""
    if column is None:
        if "content" not in columns:
            raise ValueError(
                f"the table has no column 'content': it has {', '.join(columns) or 'none'}; name the column of the images"
            )
        column = "content"
    if isinstance(key, str):
        key = [key]
    if key is not None:
        return column, list(key), {}
    source: list[str] = [name for name in ("path", "length", "modificationTime") if name in columns]
    if column == "content" and source:
        return column, source, {"length": "size", "modificationTime": "modified"}
    return column, [name for name in columns if name != column], {}


def _check_names(names: list[str], kind: Kind) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the column '{name}' would occur twice: list each key once")
    for field in _work.content(kind):
        if field.name in names:
            raise ValueError(f"the column '{field.name}' has the name of a result: rename it first")


def _warn_of_large_batches(spark: SparkSession) -> None:
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    value = int(spark.conf.get(name, "10000") or 0)
    if not 0 < value <= 1000:
        warnings.warn(
            f"{name} is {value}: this many images are in memory at once. Set it to {_work.BATCH}",
            stacklevel=4,
        )
