# SPDX-License-Identifier: Apache-2.0
"""The model with its options, sent once to every worker and verified there."""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import pathlib
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import fovea

VERSION = "0.2.0"
Kind = Literal["detect", "label"]
Model = str | os.PathLike[str] | bytes | None

#: The longest timeout for one image, in seconds: eleven days.
LONGEST = 1_000_000
#: The options that a job sets itself.
DECIDED = ("threads", "sessions")
#: The options whose values are files.
_FILES = ("labels", "classifier", "landmarks")
_PREFIX = "bundle:"


@dataclass(frozen=True)
class Recipe:
    """A model, its options, and the facts that a worker verifies.

    Attributes:
        kind: ``detect`` or ``label``.
        bundle: The name of the archive with the model's files; None for an embedded model without files.
        bundle_sha256: The archive's SHA-256.
        model: The model's path in the archive; None for the embedded one.
        options: The options of `fovea.Detector` or `fovea.Labeler`; files are paths in the archive.
        model_sha256: The SHA-256 of the model that the driver opened.
        fovea_version: The driver's version of fovea.
        spark_version: The driver's version of this package.
        timeout: The timeout for one image, in seconds.
        max_bytes: The maximum size of one image, in bytes.
    """

    kind: Kind
    bundle: str | None
    bundle_sha256: str
    model: str | None
    options: tuple[tuple[str, object], ...]
    model_sha256: str
    fovea_version: str
    spark_version: str
    timeout: float
    max_bytes: int


def finder(kind: Kind) -> type[fovea.Detector] | type[fovea.Labeler]:
    """Returns the class for a kind of job."""
    return fovea.Detector if kind == "detect" else fovea.Labeler


def opened(kind: Kind, model: Model, options: Mapping[str, object]) -> fovea.Detector | fovea.Labeler:
    """Opens a detector or labeler with one session and one thread.

    Raises:
        FoveaError: The model cannot be used.
        TypeError: An option is unknown.
    """
    return finder(kind)(model, threads=1, **options)  # type: ignore[arg-type]


def made(
    kind: Kind, model: Model, options: Mapping[str, object], timeout: float, max_bytes: int = 512 << 20
) -> tuple[Recipe, pathlib.Path | None]:
    """Opens the model here, so that a bad one fails now, and packs its files.

    Returns:
        The recipe, and the archive to send to the workers; None if there is nothing to send.

    Raises:
        FoveaError: The model cannot be used.
        TypeError: An option is unknown, or set by the job itself.
        ValueError: The timeout is not above 0, or is above `LONGEST`.
    """
    if not 0 < timeout <= LONGEST:
        raise ValueError(f"timeout is {timeout}; pass seconds above 0, at most {LONGEST:,}")
    for name in DECIDED:
        if name in options:
            raise TypeError(f"'{name}' is 1 in a job: Spark runs one task per core")
    with opened(kind, model, options) as probe:
        sha256 = probe.model_sha256()
    given, files = _with_files(model, options)
    bundle, digest = (None, "") if not files else _bundle(files)
    model_place = next((place for place in files if place.startswith("model/")), None)
    recipe = Recipe(
        kind,
        bundle.name if bundle else None,
        digest,
        _model_root(model, model_place),
        tuple(sorted(given.items())),
        sha256,
        fovea.version,
        VERSION,
        float(timeout),
        max_bytes,
    )
    return recipe, bundle


def _model_root(model: Model, place: str | None) -> str | None:
    if place is None:
        return None
    is_folder = isinstance(model, (str, os.PathLike)) and os.path.isdir(model)
    return "model" if is_folder else place


def _with_files(
    model: Model, options: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, pathlib.Path | bytes]]:
    """Returns the options with paths in the archive, and the archive's entries."""
    files: dict[str, pathlib.Path | bytes] = {}
    if isinstance(model, bytes):
        files["model/model.tflite"] = model
    elif model is not None:
        files.update(_entries("model", pathlib.Path(model)))
    given: dict[str, object] = {}
    for name, value in options.items():
        if name in _FILES and isinstance(value, (str, os.PathLike)):
            entries = _entries(name, pathlib.Path(value))
            files.update(entries)
            given[name] = _PREFIX + (name if os.path.isdir(value) else next(iter(entries)))
        else:
            given[name] = tuple(value) if isinstance(value, list) else value
    return {name: value for name, value in given.items() if value is not None}, files


def _entries(folder: str, path: pathlib.Path) -> dict[str, pathlib.Path | bytes]:
    if path.is_dir():
        found = sorted(each for each in path.rglob("*") if each.is_file())
        return {f"{folder}/{each.relative_to(path).as_posix()}": each for each in found}
    return {f"{folder}/{path.name}": path}


@functools.cache
def _folder() -> pathlib.Path:
    """Returns the folder of archives while this process runs: Spark serves them from there."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fovea-spark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _bundle(files: Mapping[str, pathlib.Path | bytes]) -> tuple[pathlib.Path, str]:
    """Creates an archive whose bytes depend only on the files; returns it with its SHA-256."""
    target = _folder() / "new.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for place, content in sorted(files.items()):
            entry = zipfile.ZipInfo(place, (1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, content if isinstance(content, bytes) else content.read_bytes())
    digest = sha256_of(target)
    named = target.with_name(f"fovea-{digest[:32]}.zip")
    os.replace(target, named)
    return named, digest


def sha256_of(path: pathlib.Path) -> str:
    """Returns the SHA-256 of a file as hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def unpacked(recipe: Recipe, root: pathlib.Path) -> pathlib.Path:
    """Returns the folder of the model's files on this machine, unpacked once.

    Raises:
        RuntimeError: The archive did not arrive, or differs.
    """
    assert recipe.bundle is not None
    target = root / recipe.bundle.removesuffix(".zip")
    archive = root / recipe.bundle
    if not archive.is_file():
        raise RuntimeError(
            f"the model is missing on this executor: there is no {archive}, its SHA-256 is "
            f"{recipe.bundle_sha256} on the driver. Start the job again"
        )
    if target.is_dir():
        return target
    found = sha256_of(archive)
    if found != recipe.bundle_sha256:
        raise RuntimeError(
            f"the model on this executor differs: {archive} has the SHA-256 {found}, "
            f"{recipe.bundle_sha256} on the driver. Start the job again"
        )
    new = pathlib.Path(tempfile.mkdtemp(prefix="fovea-", dir=root))
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(new)
    try:
        os.rename(new, target)
    except OSError:  # another worker was faster
        shutil.rmtree(new, ignore_errors=True)
    return target


def opened_on_worker(recipe: Recipe, folder: pathlib.Path | None) -> fovea.Detector | fovea.Labeler:
    """Opens the model like the driver.

    Raises:
        RuntimeError: The versions or the models of driver and executor differ.
    """
    check_versions(recipe)

    def place(value: object) -> object:
        if folder is not None and isinstance(value, str) and value.startswith(_PREFIX):
            return str(folder / value.removeprefix(_PREFIX))
        return value

    options = {name: place(value) for name, value in recipe.options}
    model = None if recipe.model is None or folder is None else str(folder / recipe.model)
    worker = opened(recipe.kind, model, options)
    found = worker.model_sha256()
    if found != recipe.model_sha256:
        raise RuntimeError(
            f"the model on this executor has the SHA-256 {found}, {recipe.model_sha256} on the driver. "
            "Install the same wheel of fovea everywhere"
        )
    return worker


def check_versions(recipe: Recipe) -> None:
    """Compares the versions of driver and executor.

    Raises:
        RuntimeError: They differ.
    """
    pairs = (("fovea", fovea.version, recipe.fovea_version), ("fovea-spark", VERSION, recipe.spark_version))
    for name, here, there in pairs:
        if here != there:
            raise RuntimeError(
                f"{name} {here} is on this executor, {there} on the driver. Install the same version everywhere"
            )
