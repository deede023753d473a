# SPDX-License-Identifier: Apache-2.0
"""Writes the rows of a bucket with Spark."""

from __future__ import annotations

import pathlib
import threading
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import _frames
from ._places import Place
from ._recipe import Recipe
from ._settings import Settings
from ._store import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Writer:
    """Writes buckets into the output folder.

    Args:
        spark: The session.
        settings: The command's settings.
        recipe: The detector or labeler of the workers.
        folder: The input folder.
        store: The output folder.
    """

    def __init__(
        self, spark: SparkSession, settings: Settings, recipe: Recipe, folder: Place, store: Store
    ) -> None:
        self._spark, self._settings, self._recipe = spark, settings, recipe
        self._folder, self._store = folder, store
        self._first = threading.Lock()

    def write(self, bucket: int, rows: pa.Table, counts: Any) -> None:
        """Writes a bucket as a whole; `counts` is the accumulator of the workers."""
        spark, recipe, asked = self._spark, self._recipe, self._settings
        parts = 4 * spark.sparkContext.defaultParallelism
        if asked.read == "paths":
            frame = _frames.of_list(spark, recipe, self._folder, rows, counts, parts)
            self._save(frame, bucket, "overwrite")
            return
        names, sizes = rows.column("path").to_pylist(), rows.column("size").to_pylist()
        # For a listed folder, Spark would also read the files listed below it.
        folders = (
            set()
            if asked.list is None
            else {str(above) for name in names for above in pathlib.PurePosixPath(name).parents}
        )
        by_spark = [
            name not in folders and _frames.spark_reads(name, size, recipe.max_bytes)
            for name, size in zip(names, sizes, strict=True)
        ]
        read, left = rows.filter(pa.array(by_spark)), rows.filter(pa.array([not each for each in by_spark]))
        frame = _frames.of_files(
            spark, recipe, self._folder, asked.input, read, counts, is_checked=asked.list is None
        )
        if frame is None:
            frame = _frames.of_list(spark, recipe, self._folder, rows, counts, parts)
        elif left.num_rows:
            frame = frame.union(_frames.of_list(spark, recipe, self._folder, left, counts, parts))
        self._save(frame, bucket, "overwrite")
        if counts.value.get("images", 0) != rows.num_rows:
            self._add_missing(bucket, rows, counts, parts)

    def clear(self, bucket: int) -> None:
        """Removes the rows of a bucket that no longer has images."""
        if self._settings.format == "parquet":
            self._store.remove_folder(f"bucket={bucket}")

    def files(self, bucket: int) -> dict[str, int]:
        """Returns the files of a bucket's rows with their sizes; none for Delta, which has its own list."""
        return self._store.sizes(f"bucket={bucket}") if self._settings.format == "parquet" else {}

    def _add_missing(self, bucket: int, rows: pa.Table, counts: Any, parts: int) -> None:
        """Adds rows for the images that Spark ignored, missing or different from the list: the workers report why."""
        spark = self._spark
        target = f"{self._target()}/bucket={bucket}" if self._settings.format == "parquet" else self._target()
        frame = spark.read.format(self._settings.format).load(_frames.escaped(target))
        if self._settings.format != "parquet":
            frame = frame.filter(f"bucket = {bucket}")
        there = {row[0] for row in frame.select("path").toLocalIterator()}
        gone = rows.filter(
            pa.array([name not in there for name in rows.column("path").to_pylist()], pa.bool_())
        )
        if gone.num_rows:
            self._save(
                _frames.of_list(spark, self._recipe, self._folder, gone, counts, parts), bucket, "append"
            )

    def _target(self) -> str:
        """Returns the output folder in Spark's form."""
        place = self._store.place
        return (
            f"file://{place.path}" if place.is_local else self._settings.output.partition("?")[0].rstrip("/")
        )

    def _save(self, frame: DataFrame, bucket: int, mode: str) -> None:
        if self._settings.format == "parquet":
            frame.write.mode(mode).parquet(f"{self._target()}/bucket={bucket}")
            return
        from pyspark.sql import functions as f

        writer = (
            frame.withColumn("bucket", f.lit(bucket)).write.format("delta").mode(mode).partitionBy("bucket")
        )
        if mode == "overwrite":
            writer = writer.option("replaceWhere", f"bucket = {bucket}")
        with self._first:  # two first writes would both create the table
            writer.save(self._target())
