# SPDX-License-Identifier: Apache-2.0
"""Finds and labels objects in millions of images on Apache Spark.

from fovea.spark import detect

df = detect(spark.read.format("binaryFile").load("hdfs:///photos"), model="yolox_nano.tflite", threshold=0.4)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._export import coco, yolo
from ._frames import applied, schema
from ._recipe import VERSION, Model

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__version__ = VERSION
__all__ = ["__version__", "coco", "detect", "label", "schema", "yolo"]


def detect(
    df: DataFrame,
    model: Model = None,
    *,
    column: str | None = None,
    key: Sequence[str] | None = None,
    timeout: float = 60,
    **options: object,
) -> DataFrame:
    """Finds objects in the images of a table; returns one row per input row.

    Args:
        df: A table; that of ``spark.read.format("binaryFile")`` needs no other arguments.
        model: A ``.tflite`` file, an AutoML folder or bytes on the driver; None is the embedded detector of COCO's 80 classes.
        column: The column of the images: their bytes (binary), or their addresses (string), which the workers read.
        key: The columns to keep; None keeps all others, or path, size and modified of ``binaryFile``.
        timeout: The timeout for one image, in seconds.
        **options: The options of `fovea.Detector`, such as ``threshold=0.4``.

    Returns:
        The keys, and the columns of `schema` from ``width`` on. A failed image has an ``error``, and nulls.

    Raises:
        FoveaError: The model cannot be used.
        TypeError: The column has another type, or an option is unknown.
        ValueError: A column is missing, or a name occurs twice.
    """
    return applied("detect", df, model, options, column, key, timeout)


def label(
    df: DataFrame,
    model: Model = None,
    *,
    column: str | None = None,
    key: Sequence[str] | None = None,
    timeout: float = 60,
    **options: object,
) -> DataFrame:
    """Labels the images of a table, like `detect`, with ``labels`` instead of ``objects``.

    Args:
        df: A table.
        model: A classifier on the driver; None is the embedded one.
        column: The column of the images.
        key: The columns to keep.
        timeout: The timeout for one image, in seconds.
        **options: The options of `fovea.Labeler`, such as ``max_results=3``.

    Returns:
        The keys, and the columns of ``schema("label")`` from ``width`` on.

    Raises:
        FoveaError: The model cannot be used.
        TypeError: The column has another type, or an option is unknown.
        ValueError: A column is missing, or a name occurs twice.
    """
    return applied("label", df, model, options, column, key, timeout)
