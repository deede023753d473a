# SPDX-License-Identifier: Apache-2.0
"""Summarizes an exception for printing: one sentence and a remedy."""

from __future__ import annotations

import re

import fovea

#: The last line of a Python trace.
_PYTHON = re.compile(
    r"^ *(?:\w+\.)*(\w*(?:Error|Exception|Interrupt|Missing|NotFound)(?:: .*|$))", re.MULTILINE
)
#: The first line of a Java trace, and its causes.
_JAVA = re.compile(
    r"^(?:Caused by: |: |)((?:[a-z]\w*\.)+)([A-Z][\w$]*(?:Exception|Error))(?:: (.*))?$", re.MULTILINE
)

#: Spark's message for a crashed worker, and its meaning.
_CRASHED = "Python worker exited unexpectedly"
_WORKER = "a Python worker crashed in every attempt of a task"
_TWO_SPARKS = (
    "Spark and PySpark have different versions: unset SPARK_HOME, or install the PySpark of that Spark"
)
#: Parts of messages, and their remedies.
_REMEDIES = (
    (
        "JAVA_GATEWAY_EXITED",
        "Spark did not start. Install Java 17 (openjdk-17-jre-headless), or set JAVA_HOME",
    ),
    (
        _CRASHED,
        "Allow tasks four attempts, so that an image that crashes its worker becomes a row: --master 'local[2,4]', or "
        "spark.task.maxFailures=4",
    ),
    ("Could not parse Master URL", "Pass --master 'local[2,4]', or the address of a cluster"),
    (
        "No FileSystem for scheme",
        "Spark needs Hadoop's jar for this scheme to write OUTPUT, or to read INPUT with --read bytes (for S3: s3a:// and "
        "hadoop-aws). Use a folder, omit --read bytes, or start with spark-submit --packages",
    ),
    ("ClassNotFoundException", "Start with spark-submit --packages for the package of the class"),
    (
        "libjvm",
        "hdfs:// needs a Hadoop client: set JAVA_HOME, HADOOP_HOME, and CLASSPATH to `hadoop classpath --glob`",
    ),
    ("libhdfs", "hdfs:// needs a Hadoop client: set HADOOP_HOME or ARROW_LIBHDFS_DIR"),
    ("No space left on device", "Free space there, then run the job again with --resume"),
    ("ermission denied", "Check the permissions of INPUT and OUTPUT"),
    ("OutOfMemoryError", "Increase spark.driver.memory or spark.executor.memory"),
    ("MemoryError", "Increase or unset spark.executor.pyspark.memory, the memory of Python workers"),
    ("'JavaPackage' object is not callable", _TWO_SPARKS),
    ("SparkSession([class", _TWO_SPARKS),
    ("reading the port number", "Python's workers did not start: see the lines above"),
    ("AWS Error", "Check the address, the keys in the environment, and the region (?region=…)"),
)


def failure(reason: BaseException) -> str:
    """Summarizes a failed job: message and remedy, without a trace of Python or Java."""
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
