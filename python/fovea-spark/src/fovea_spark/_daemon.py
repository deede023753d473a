# SPDX-License-Identifier: Apache-2.0
"""The process that Python workers are forked from, with their imports already loaded.

Spark starts `pyspark.daemon` with an archive of PySpark first on its path: Python compiles the source in it at every
start, and each worker reads its directory again. This daemon imports the same PySpark from its folder, where Python
caches the compiled code.

**Source:** Apache Spark, "Debugging PySpark": `spark.python.daemon.module`.
"""

from __future__ import annotations

import contextlib
import importlib
import pathlib
import sys
from importlib.machinery import PathFinder

_ARCHIVE = "pyspark.zip"
#: The modules that a worker needs before its first row.
_NEEDED = ("pandas", "pyspark.worker", "fovea_spark._work")


def without_archive(path: list[str]) -> list[str]:
    """Removes the archive of PySpark from a search path that also has its folder; else returns the path unchanged."""
    archives = [each for each in path if pathlib.PurePath(each).name == _ARCHIVE]
    others = [each for each in path if each not in archives]
    found = PathFinder.find_spec("pyspark", others)
    if found is None or found.origin is None:
        return path
    folder = pathlib.Path(found.origin).parent
    # A package of pip, or a distribution of Spark. The archive of another PySpark belongs to its own Spark.
    same = {folder / "python/lib" / _ARCHIVE, folder.parent / "lib" / _ARCHIVE}
    return others if all(pathlib.Path(each) in same for each in archives) else path


def main() -> None:
    """Runs Spark's own daemon until Spark stops it."""
    sys.path[:] = without_archive(sys.path)
    for name in _NEEDED:
        # A failed import is an error of the tasks that need it, with its trace.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    daemon = importlib.import_module("pyspark.daemon")
    daemon.manager()


if __name__ == "__main__":
    main()
