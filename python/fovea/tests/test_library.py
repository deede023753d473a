# SPDX-License-Identifier: Apache-2.0
"""Loading: missing, damaged and foreign libraries, and the generated declarations."""

from __future__ import annotations

import errno
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

import fovea
from fovea import _abi, _library

GENERATOR = ROOT / "python/fovea/generate-abi"


def imported(**environment: str) -> str:
    """The output of a new process that imports fovea and opens a detector."""
    code = "import fovea\ntry:\n    fovea.Detector()\nexcept fovea.RuntimeMissing as e:\n    print('RuntimeMissing', e.code, e)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    return (done.stdout + done.stderr).strip()


def compiled(folder: pathlib.Path, source: str) -> str:
    """A small C library."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    code, library = folder / "a.c", folder / "libfovea.so.1"
    code.write_text(source, encoding="utf-8")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, code], check=True)
    return str(library)


def test_the_library_works() -> None:
    assert imported() == ""
    assert fovea.version == fovea.__version__
    assert fovea.litert_version.count(".") == 2


def test_a_missing_library(tmp_path: pathlib.Path) -> None:
    place = str(tmp_path / "libfovea.so.1")
    assert f"ImportError: {place} is missing: install the wheel again" in imported(FOVEA_LIBRARY=place)


@pytest.mark.parametrize("content", [b"", b"no library", b"\x7fELF"])
def test_a_damaged_library(content: bytes, tmp_path: pathlib.Path) -> None:
    place = tmp_path / "libfovea.so.1"
    place.write_bytes(content)
    assert f"ImportError: {place} cannot be loaded: " in imported(FOVEA_LIBRARY=str(place))


def test_a_library_of_another_architecture(tmp_path: pathlib.Path) -> None:
    place = tmp_path / "libfovea.so.1"
    data = bytearray(_library.library_path().read_bytes()[:4096])
    data[18:20] = (183).to_bytes(2, "little")  # e_machine: AArch64
    place.write_bytes(data)
    shown = imported(FOVEA_LIBRARY=str(place))
    assert f"ImportError: {place} is for aarch64, this machine is x86_64: install the wheel for it" in shown


@pytest.mark.parametrize("share", [0.001, 0.3, 0.9])
def test_a_truncated_library(share: float, tmp_path: pathlib.Path) -> None:
    place = tmp_path / "libfovea.so.1"
    data = _library.library_path().read_bytes()
    place.write_bytes(data[: int(len(data) * share)])
    shown = imported(FOVEA_LIBRARY=str(place))
    assert f"ImportError: {place} is truncated: it has {int(len(data) * share)} bytes of " in shown


def test_a_truncated_library_of_the_wheel(tmp_path: pathlib.Path) -> None:
    package = _library.LIBRARIES.parent
    others = package.parent / "fovea.libs"
    if not others.is_dir():
        pytest.skip("no wheel is installed")
    shutil.copytree(package, tmp_path / "fovea")
    shutil.copytree(others, tmp_path / "fovea.libs")
    for path in sorted((tmp_path / "fovea.libs").iterdir()):
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
        shown = imported(PYTHONPATH=str(tmp_path))
        assert f"ImportError: {path} is truncated: it has {len(data) // 2} bytes of " in shown
        path.write_bytes(data)
    assert imported(PYTHONPATH=str(tmp_path)) == ""


def test_a_folder_of_libraries_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: pathlib.Path) -> list[pathlib.Path]:
        raise PermissionError(errno.EACCES, "Permission denied", "/site/fovea.libs")

    monkeypatch.setattr(_library, "_with_it", closed)
    with pytest.raises(ImportError, match=r"/site/fovea\.libs cannot be read: Permission denied\. Install"):
        _library.load(_library.library_path())


def test_a_library_that_cannot_be_read() -> None:
    with pytest.raises(ImportError, match=r"/proc/self/mem cannot be read: Input/output error\. Install"):
        _library._check_file(pathlib.Path("/proc/self/mem"))


def test_an_older_library(tmp_path: pathlib.Path) -> None:
    place = compiled(
        tmp_path, 'const char *fovea_version(void) { return "0.0.9"; } unsigned fovea_abi(void) { return 1; }'
    )
    shown = imported(FOVEA_LIBRARY=place)
    assert f"ImportError: {place} (version 0.0.9) has no fovea_layout: it is older than this package" in shown


def stub(abi: int, layout: str) -> str:
    """A library that has all functions, and only returns versions."""
    named = ("fovea_abi", "fovea_version", "fovea_layout")
    lines = [f"void {name}(void) {{}}" for name in _abi.FUNCTIONS if name not in named]
    lines += [
        f"unsigned fovea_abi(void) {{ return {abi}; }}",
        'const char *fovea_version(void) { return "9.9.9"; }',
        f'const char *fovea_layout(void) {{ return "{layout}"; }}',
    ]
    return "\n".join(lines)


def test_a_library_of_another_interface(tmp_path: pathlib.Path) -> None:
    shown = imported(FOVEA_LIBRARY=compiled(tmp_path, stub(2, "")))
    assert "(version 9.9.9) does not match this package, built for ABI 1: its ABI is 2, expected 1" in shown


def test_a_library_with_other_structs(tmp_path: pathlib.Path) -> None:
    shown = imported(FOVEA_LIBRARY=compiled(tmp_path, stub(1, "fovea_model 40 size:0 path:16")))
    assert "fovea_model.path is at 16, expected at 8; install both from one wheel" in shown


LAYOUTS = [
    ("", "fovea_model is missing"),
    ("fovea_model 8 size:0", "fovea_model.path is missing, expected at 8"),
    ("fovea_model 8 size:0 path:8 bytes:16 length:24 name:32", "fovea_model has 8 bytes, expected 40"),
]


@pytest.mark.parametrize(("text", "difference"), LAYOUTS)
def test_differences_of_layouts(text: str, difference: str) -> None:
    assert _library.layout_difference(text) == difference


def test_the_layout_matches_the_library() -> None:
    text = _library.lib.fovea_layout().decode()
    assert _library.layout_difference(text) is None
    newer = text.replace(" name:32", " name:32 later:40").replace("fovea_model 40", "fovea_model 48")
    assert _library.layout_difference(newer) is None


@pytest.mark.parametrize("content", [None, b"", b"no library"])
def test_a_missing_or_damaged_runtime(content: bytes | None, tmp_path: pathlib.Path) -> None:
    place = tmp_path / "libLiteRt.so"
    if content is not None:
        place.write_bytes(content)
    shown = imported(FOVEA_LITERT_LIBRARY=str(place))
    assert shown.startswith("RuntimeMissing runtime-")
    assert str(place) in shown


def test_other_image_libraries_in_the_way(tmp_path: pathlib.Path) -> None:
    """LD_LIBRARY_PATH with damaged libraries of the same names changes nothing: the wheel's are found by their own names."""
    if not (_library.LIBRARIES.parent.parent / "fovea.libs").is_dir() or os.environ.get("FOVEA_LIBRARY"):
        pytest.skip("not an installed wheel")
    for name in ("libturbojpeg.so.0", "libpng16.so.16", "libwebp.so.7", "libyuv.so.0", "libLiteRt.so"):
        (tmp_path / name).write_bytes(b"no library")
    assert imported(LD_LIBRARY_PATH=str(tmp_path)) == ""


def test_the_declarations_match_the_header() -> None:
    header = next(iter(sorted(ROOT.glob("Sources/**/CFovea/include/fovea.h"))), None)
    if header is None:
        pytest.skip("Sources/C/CFovea/include/fovea.h is not there")
    done = subprocess.run([sys.executable, GENERATOR, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_changed_header_changes_the_declarations(tmp_path: pathlib.Path) -> None:
    header = tmp_path / "fovea.h"
    header.write_text(
        "#define FOVEA_ABI 1\nint32_t fovea_new(const char *name, double x);\n", encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, GENERATOR, "--check", "--header", header],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "run python/fovea/generate-abi" in done.stderr
    header.write_text("wchar_t fovea_new(void);\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, GENERATOR, "--check", "--header", header],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "no ctypes for 'wchar_t'" in done.stderr
