# SPDX-License-Identifier: Apache-2.0
"""What to print of an exception: one sentence of it, and what to do next."""

from __future__ import annotations

import re

import fovea

#: The last line of a Python trace.
_PYTHON = re.compile(
    r"^ *(?:\w+\.)*(\w*(?:Error|Exception|Interrupt|Missing|NotFound)(?:: .*|$))", re.MULTILINE
)
#: What a Java trace begins with, and its causes.
_JAVA = re.compile(
    r"^(?:Caused by: |: |)((?:[a-z]\w*\.)+)([A-Z][\w$]*(?:Exception|Error))(?:: (.*))?$", re.MULTILINE
)

#: What Spark says of a worker that an image has ended, and what it means.
_CRASHED = "Python worker exited unexpectedly"
_WORKER = "a Python worker ended without an answer, as often as Spark tries a task"
_TWO_SPARKS = (
    "Spark and PySpark have different versions: unset SPARK_HOME, or install the PySpark of that Spark"
)
#: A part of a text, and what to do about it.
_REMEDIES = (
    (
        "JAVA_GATEWAY_EXITED",
        "Spark did not start. Install Java 17 (openjdk-17-jre-headless), or set JAVA_HOME to one",
    ),
    (
        _CRASHED,
        "Give tasks four attempts, so that an image that ends its worker becomes a row: --master 'local[2,4]', or "
        "spark.task.maxFailures=4",
    ),
    ("Could not parse Master URL", "Give --master 'local[2,4]', or the address of a cluster"),
    (
        "No FileSystem for scheme",
        "Spark writes OUTPUT, and reads INPUT with --read bytes, by Hadoop's jar for such an address (for S3: s3a:// and "
        "hadoop-aws). Name a folder, leave --read bytes out, or start with spark-submit --packages",
    ),
    ("ClassNotFoundException", "Start with spark-submit --packages that brings the class"),
    (
        "libjvm",
        "hdfs:// is read with a Hadoop client: set JAVA_HOME, HADOOP_HOME, and CLASSPATH to `hadoop classpath --glob`",
    ),
    ("libhdfs", "hdfs:// is read with a Hadoop client: set HADOOP_HOME, or ARROW_LIBHDFS_DIR"),
    ("No space left on device", "Free space there, then run the job again with --resume"),
    ("ermission denied", "Check who may read INPUT and write OUTPUT"),
    ("OutOfMemoryError", "Give more memory: spark.driver.memory, spark.executor.memory"),
    ("MemoryError", "Give the Python workers more memory: spark.executor.pyspark.memory, or leave it out"),
    ("'JavaPackage' object is not callable", _TWO_SPARKS),
    ("SparkSession([class", _TWO_SPARKS),
    ("reading the port number", "Python's workers did not start: the lines above have the reason"),
    ("AWS Error", "Check the address, the keys in the environment, and the region (?region=…)"),
)


def failure(reason: BaseException) -> str:
    """What to print of a failed job: what happened and what to do, without a trace of Python or Java."""
    if isinstance(reason, fovea.FoveaError):
        return str(reason)
    whole = str(reason)
    said = _WORKER if _CRASHED in whole else _sentence(whole) or type(reason).__name__
    for part, remedy in _REMEDIES:
        if part in whole and remedy not in said:
            return f"{said.rstrip('. ')}. {remedy}"
    return said


def _sentence(text: str) -> str:
    if "Traceback" in text:
        found = _PYTHON.findall(text)
        if found:
            return str(found[-1])
    causes = [
        f"{said.strip()} ({name})" if said.strip() else name
        for _, name, said in _JAVA.findall(text)
        if name not in ("Py4JJavaError", "SparkException") or said.strip()
    ]
    if "\n\tat " in text and causes:
        return causes[-1]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith("at ")), "")
