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

#: The JVM hands rows through. What its second compiler costs is more than it saves, over 12,000 images as well.
_JVM_OPTIONS = "-XX:TieredStopAtLevel=1"


def session(master: str | None) -> SparkSession:
    """The session of spark-submit, or one of this machine.

    Raises:
        Refused: There is no Java, or a variable names a Spark or a Python that is not there.
    """
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("fovea-spark")
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return builder.getOrCreate()
    _check_programs()
    # Four attempts for each task, as on a cluster: an image that ends a worker is found in the second.
    master = with_attempts(master or "local[*]")
    builder = builder.master(master).config("spark.ui.showConsoleProgress", "false")
    python = os.environ.get("PYSPARK_PYTHON") or sys.executable
    os.environ["PYSPARK_PYTHON"] = python
    if master.startswith("local["):
        if shutil.which(python) is None:
            raise Refused(f"PYSPARK_PYTHON is {python}, which is no program. Unset it, or correct it")
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
    """`local[N]` with four attempts for a task, as a cluster gives it; any other master as it is."""
    found = re.fullmatch(r"local(?:\[([^,\]]+)\])?", master)
    return f"local[{found[1] or 1},4]" if found else master


def check_format(spark: SparkSession, name: str) -> None:
    """Looks for Delta's classes.

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
