# SPDX-License-Identifier: Apache-2.0
"""The Spark session of a job."""

from __future__ import annotations

import os
import re
import shutil
import sys
from typing import TYPE_CHECKING

from . import _daemon
from ._store import Refused

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: The JVM only forwards rows. Its second compiler costs more than it saves, even for 12,000 images.
_JVM_OPTIONS = "-XX:TieredStopAtLevel=1"


def session(master: str | None) -> SparkSession:
    """Returns the session of spark-submit, or a local one.

    Raises:
        Refused: Java is missing, or a variable names a missing Spark or Python.
    """
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("fovea-spark")
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return builder.getOrCreate()
    _check_programs()
    # Four attempts per task, as on a cluster: the second attempt finds an image that crashes a worker.
    master = with_attempts(master or "local[*]")
    builder = builder.master(master).config("spark.ui.showConsoleProgress", "false")
    python = os.environ.get("PYSPARK_PYTHON") or sys.executable
    os.environ["PYSPARK_PYTHON"] = python
    if master.startswith("local["):
        if shutil.which(python) is None:
            raise Refused(f"PYSPARK_PYTHON is {python}, which is not a program. Unset it, or correct it")
        if python == sys.executable:
            builder = builder.config("spark.python.daemon.module", _daemon.__name__)
    spark = builder.config("spark.driver.extraJavaOptions", _JVM_OPTIONS).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def _check_programs() -> None:
    spark = os.environ.get("SPARK_HOME")
    if spark and not os.access(f"{spark}/bin/spark-submit", os.X_OK):
        raise Refused(
            f"SPARK_HOME is {spark}, which has no bin/spark-submit. Unset it to use PySpark's own Spark, or correct it"
        )
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and os.access(f"{home}/bin/java", os.X_OK)):
        raise Refused(
            "Spark needs Java 17, and there is no java. Install it (openjdk-17-jre-headless), or set JAVA_HOME"
        )


def with_attempts(master: str) -> str:
    """Returns `local[N]` with four attempts per task, as on a cluster; other masters unchanged."""
    found = re.fullmatch(r"local(?:\[([^,\]]+)\])?", master)
    return f"local[{found[1] or 1},4]" if found else master


def check_format(spark: SparkSession, name: str) -> None:
    """Verifies that Delta's classes are available.

    Raises:
        Refused: They are not on the class path.
    """
    if name != "delta":
        return
    try:
        loader = spark.sparkContext._jvm.java.lang.Thread.currentThread().getContextClassLoader()
        loader.loadClass("io.delta.sql.DeltaSparkSessionExtension")
    except Exception as reason:
        raise Refused(
            "--format delta needs Delta's jar, which is not on the class path. Start with "
            "spark-submit --packages io.delta:delta-spark_2.13:VERSION and Delta's two settings, or use --format parquet"
        ) from reason
