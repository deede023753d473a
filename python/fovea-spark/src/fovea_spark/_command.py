# SPDX-License-Identifier: Apache-2.0
"""The command `fovea-spark detect|label INPUT OUTPUT`."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import fovea

from . import _job, _places, _session
from ._progress import say
from ._reasons import failure
from ._recipe import DECIDED, LONGEST, VERSION, Kind, finder
from ._settings import Settings, UsageError
from ._store import Refused

_FAILED = 2
_USAGE = 64
_INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """Exits with 64 like the program, because 2 means a failed job."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(_USAGE, f"{self.prog}: error: {message}\n")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"'{text}': pass a whole number from 1 to 1,000,000")
    return int(text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}': pass a number") from None


def _seconds(text: str) -> float:
    seconds = _number(text)
    if not 0 < seconds <= LONGEST:
        raise argparse.ArgumentTypeError(f"'{text}': pass seconds above 0, at most {LONGEST:,}")
    return seconds


def _address(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("'': pass a path or an address")
    try:
        _places.place(text)
    except ValueError as reason:
        raise argparse.ArgumentTypeError(str(reason)) from None
    return text


def _master(text: str) -> str:
    if not re.fullmatch(r"(local(-cluster)?(\[[^\]]+\])?|yarn|(spark|k8s)://.+)", text):
        raise argparse.ArgumentTypeError(
            f"'{text}': pass local[N,4] for N cores, yarn, spark://HOST:PORT or k8s://ADDRESS"
        )
    return text


def _option(text: str) -> tuple[str, object]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"'{text}': pass NAME=VALUE")
    try:
        return name.replace("-", "_"), json.loads(value)
    except ValueError:
        return name.replace("-", "_"), value


def _usual(kind: Kind) -> dict[str, dict[str, Any]]:
    """Returns the options with a default of None, with the way to parse each."""
    values: dict[str, dict[str, Any]] = {"float | None": {"type": _number}, "int | None": {"type": int}}
    return {
        each.name: values.get(each.annotation, {"metavar": "FILE"})
        for each in inspect.signature(finder(kind)).parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.default is None and each.name not in DECIDED
    }


def _described(kind: Kind, name: str) -> str | None:
    """Returns the description of an option in the class's docstring, without its default."""
    found = re.search(rf"^ +{name}: ([^;]+);", finder(kind).__doc__ or "", re.MULTILINE)
    text = " ".join(found[1].split()).replace("%", "%%") if found else ""
    return text[:1].lower() + text[1:] or None


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command's arguments."""
    top = _Parser(
        prog="fovea-spark",
        description="Finds or labels objects in all images of a folder or bucket, on Spark.",
        epilog="Exit codes: 0 done, 1 done with failed images, 2 the job failed, 64 wrong usage, 130 interrupted.",
    )
    top.add_argument("--version", action="version", version=f"fovea-spark {VERSION}, fovea {fovea.version}")
    commands = top.add_subparsers(dest="kind", required=True, metavar="detect|label")
    kinds: dict[Kind, str] = {"detect": "objects in each image", "label": "labels of each image"}
    for kind, text in kinds.items():
        command = commands.add_parser(kind, help=text)
        add = command.add_argument
        add(
            "input",
            type=_address,
            metavar="INPUT",
            help="a folder: a path, or an address of file, s3, gs, abfs or hdfs",
        )
        add("output", type=_address, metavar="OUTPUT", help="a folder for the table; it is created")
        add("--model", help="a .tflite file or an AutoML folder on the driver (default: the embedded model)")
        for name, value in _usual(kind).items():
            add(f"--{name.replace('_', '-')}", help=_described(kind, name), **value)
        add("--option", type=_option, action="append", default=[], metavar="NAME=VALUE",
            help="any other option of fovea.Detector or fovea.Labeler: iou=0.5")  # fmt: skip
        add("--read", choices=["paths", "bytes"], default="paths",
            help="paths: the workers read images (default); bytes: Spark reads them")  # fmt: skip
        add(
            "--list",
            type=_address,
            metavar="FILE",
            help="the images: text with one per line, or Parquet with a column path; names below INPUT, or addresses",
        )
        add(
            "--buckets",
            type=_count,
            metavar="B",
            help="number of parts, each written as a whole (default: five minutes of work each)",
        )
        add("--resume", action="store_true", help="continue, and keep buckets that are done and unchanged")
        add(
            "--redo",
            action="store_true",
            help="continue with another model, INPUT, options or versions, and redo what they change",
        )
        add(
            "--format",
            choices=["parquet", "delta"],
            default="parquet",
            help="the table's format (default: parquet)",
        )
        add(
            "--timeout",
            type=_seconds,
            default=60.0,
            metavar="S",
            help="timeout for one image, in seconds (default: 60)",
        )
        add("--master", type=_master, help="Spark's master, without spark-submit (default: local[*,4])")
    return top


def settings(arguments: Sequence[str] | None = None) -> Settings:
    """Parses the arguments."""
    given = vars(parser().parse_args(arguments))
    options = dict(given.pop("option"))
    for name in _usual(given["kind"]):
        value = given.pop(name, None)
        if value is not None:
            options[name] = value
    asked = Settings(**given, options=options)
    _check_names(asked)
    return asked


def _check_names(asked: Settings) -> None:
    """Reports wrong usage if Spark or Arrow, whose names are text, would use a path that is not UTF-8."""
    for name, path, remedy in (
        ("OUTPUT", asked.output, "choose another folder"),
        ("INPUT", asked.input if asked.read == "bytes" else "", "omit --read bytes"),
        ("--list", asked.list or "", "rename it"),
    ):
        if any("\ud800" <= letter <= "\udfff" for letter in path):
            shown = os.fsencode(path).decode("utf-8", "replace")
            parser().error(f"argument {name}: '{shown}' is not UTF-8, as Spark and Arrow require: {remedy}")


def _in_its_words(reason: Exception) -> str:
    """Replaces fovea's classes by the command's names."""
    text = (
        str(reason)
        .replace("fovea.Detector", "fovea-spark detect")
        .replace("fovea.Labeler", "fovea-spark label")
    )
    return text.replace("fovea.inspect()", "'fovea model inspect'")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command.

    Returns:
        0; 1 if images failed, 2 if the job failed, 64 for wrong usage, 130 after Ctrl-C.
    """
    asked = settings(arguments)
    try:
        return _job.Job(asked, lambda: _session.session(asked.master)).run()
    except KeyboardInterrupt:
        say("interrupted; --resume continues")
        return _INTERRUPTED
    except (
        fovea.OptionError,
        UsageError,
    ) as reason:  # an option that is wrong regardless of the files
        say(f"error: {_in_its_words(reason)}")
        return _USAGE
    except (Refused, fovea.FoveaError) as reason:
        say(f"error: {_in_its_words(reason)}")
        return _FAILED
    except Exception as reason:  # Spark's and the store's have no common class
        say(f"error: the job failed: {failure(reason)}")
        return _FAILED
