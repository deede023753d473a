# SPDX-License-Identifier: Apache-2.0
"""Results of failed images, and faults injected by tests."""

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
    """Returns the result of a failed image."""
    make = fovea.Detections if kind == "detect" else fovea.Labels
    return make(Source(), error=error)


def error_of(reason: BaseException) -> fovea.FoveaError:
    """Converts any exception to an error with a code."""
    if isinstance(reason, fovea.FoveaError):
        return reason
    return make_error(
        "image-unreadable",
        f"{type(reason).__name__}: {reason}",
        "Process the image with `fovea detect` for details",
    )


def timed_out(seconds: float) -> fovea.FoveaError:
    """Returns the error of an image that took too long."""
    return make_error(
        "timeout", f"the image was not done after {seconds:g} s", "Raise --timeout, or use a smaller image"
    )


def crashed(status: int) -> fovea.FoveaError:
    """Returns the error of an image that crashed its process."""
    how = f"signal {-status} ({signal.Signals(-status).name})" if status < 0 else f"exit code {status}"
    return make_error(
        "crashed",
        f"the image's process ended with {how}",
        "Process the image with `fovea detect` and report its output; if memory was short, raise "
        "spark.executor.memoryOverhead",
    )


def read_failed(reason: BaseException, attempts: int) -> fovea.FoveaError:
    """Returns the error of an image whose bytes could not be read."""
    tried = (
        "the image could not be read: "
        if attempts == 1
        else f"the image could not be read {attempts} times; the last error is "
    )
    return make_error(
        "read-failed",
        f"{tried}{type(reason).__name__}: {reason}",
        "Check the store and its permissions, then run the job again with --resume",
    )


def plant(path: str) -> None:
    """Injects the faults of FOVEA_SPARK_FAULT, ``kill:NAME,hang:NAME``, for paths that end with a name; for tests."""
    for fault in filter(None, os.environ.get("FOVEA_SPARK_FAULT", "").split(",")):
        what, _, name = fault.partition(":")
        if not path.endswith(name):
            continue
        if what == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif what == "hang":
            time.sleep(3600)
