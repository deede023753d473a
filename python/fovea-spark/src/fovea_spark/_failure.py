# SPDX-License-Identifier: Apache-2.0
"""Results of images that failed, and the faults that tests plant."""

from __future__ import annotations

import os
import signal
import time

import fovea
from fovea._errors import make_error
from fovea._results import Source

from ._recipe import Kind

Result = fovea.Detections | fovea.Labels


def failed(kind: Kind, error: fovea.FoveaError) -> Result:
    """The result of an image that failed."""
    make = fovea.Detections if kind == "detect" else fovea.Labels
    return make(Source(), error=error)


def error_of(reason: BaseException) -> fovea.FoveaError:
    """Any exception as an error with a code."""
    if isinstance(reason, fovea.FoveaError):
        return reason
    return make_error(
        "image-unreadable",
        f"{type(reason).__name__}: {reason}",
        "Process the image with `fovea detect` to see more",
    )


def timed_out(seconds: float) -> fovea.FoveaError:
    """The error of an image that took too long."""
    return make_error(
        "timeout", f"the image was not done after {seconds:g} s", "Raise --timeout, or use a smaller image"
    )


def crashed(status: int) -> fovea.FoveaError:
    """The error of an image that ended the process that worked on it."""
    how = f"signal {-status} ({signal.Signals(-status).name})" if status < 0 else f"exit code {status}"
    return make_error(
        "crashed",
        f"the process that worked on the image ended by {how}",
        "Process the image with `fovea detect` and report what it prints; where memory was short, raise "
        "spark.executor.memoryOverhead",
    )


def read_failed(reason: BaseException, attempts: int) -> fovea.FoveaError:
    """The error of an image whose bytes could not be read."""
    tried = (
        "the image could not be read: "
        if attempts == 1
        else f"the image could not be read {attempts} times; at last "
    )
    return make_error(
        "read-failed",
        f"{tried}{type(reason).__name__}: {reason}",
        "Check the store and its permissions, then run the job again with --resume",
    )


def plant(path: str) -> None:
    """Does what FOVEA_SPARK_FAULT asks for: ``kill:NAME,hang:NAME`` for paths that end with a name; for tests."""
    for fault in filter(None, os.environ.get("FOVEA_SPARK_FAULT", "").split(",")):
        what, _, name = fault.partition(":")
        if not path.endswith(name):
            continue
        if what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif what == "hang":
            time.sleep(3600)
