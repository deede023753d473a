# SPDX-License-Identifier: Apache-2.0
"""The process that Python workers are forked from, with what each of them imports already there.

Spark starts `pyspark.daemon` with an archive of PySpark first on its path: Python compiles the source in it at every start, and each
worker reads its directory again. This daemon takes the same PySpark from its folder, where Python keeps what it has compiled.

**Source:** Apache Spark, "Debugging PySpark": `spark.python.daemon.module`.
"""

from __future__ import annotations

import contextlib
import importlib
import pathlib
import sys
from importlib.machinery import PathFinder

_ARCHIVE = "pyspark.zip"
#: What a worker needs before its first row.
_NEEDED = ("pandas", "pyspark.worker", "fovea_spark._work")


def without_archive(path: list[str]) -> list[str]:
    """A search path without the archive of PySpark, where its folder is on the path as well; else the path as it is."""
    archives = [each for each in path if pathlib.PurePath(each).name == _ARCHIVE]
    others = [each for each in path if each not in archives]
    found = PathFinder.find_spec("pyspark", others)
    if found is None or found.origin is None:
        return path
    folder = pathlib.Path(found.origin).parent
    # Of a package of pip, or of a distribution of Spark. Another PySpark's archive is what its Spark wants.
    same = {folder / "python/lib" / _ARCHIVE, folder.parent / "lib" / _ARCHIVE}
    return others if all(pathlib.Path(each) in same for each in archives) else path


def main() -> None:
    """Does what Spark's own daemon does, until Spark ends it."""
    sys.path[:] = without_archive(sys.path)
    for name in _NEEDED:
        # What cannot be imported is an error of the tasks that need it, with its trace.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    daemon = importlib.import_module("pyspark.daemon")
    daemon.manager()


if __name__ == "__main__":
    main()
