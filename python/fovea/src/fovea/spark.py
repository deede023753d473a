# SPDX-License-Identifier: Apache-2.0
"""`fovea_spark` under the name of this package: ``from fovea.spark import detect``."""

try:
    from fovea_spark import coco, detect, label, schema, yolo  # pyright: ignore[reportMissingImports]
except ModuleNotFoundError as error:
    if error.name not in ("fovea_spark", "pyspark", "pyarrow"):
        raise
    raise ImportError(
        f"fovea.spark needs {error.name}: install the package fovea-spark (python/fovea-spark)",
        name=error.name,
    ) from error

__all__ = ["coco", "detect", "label", "schema", "yolo"]
