# SPDX-License-Identifier: Apache-2.0
"""The wheel's last step changes its size, and nothing else."""

from __future__ import annotations

import pathlib
import random
import subprocess
import sys
import zipfile

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "recompress"
FILES = {
    "a.py": b"print('a')\n" * 500,
    "lib/": b"",
    "lib/b.so": random.Random(1).randbytes(4000),
    "müll.txt": b"x",
    "py.typed": b"",
}


def recompressed(wheel: pathlib.Path) -> bytes:
    pytest.importorskip("deflate")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in FILES.items():
            info = zipfile.ZipInfo(name, (2024, 2, 29, 23, 59, 58))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o40755 if name.endswith("/") else 0o100755) << 16
            archive.writestr(info, data)
    subprocess.run([sys.executable, SCRIPT, wheel], check=True)
    return wheel.read_bytes()


def test_names_contents_times_and_modes_stay(tmp_path: pathlib.Path) -> None:
    recompressed(tmp_path / "a.whl")
    with zipfile.ZipFile(tmp_path / "a.whl") as archive:
        assert archive.testzip() is None
        assert {info.filename: archive.read(info) for info in archive.infolist()} == FILES
        for info in archive.infolist():
            assert info.date_time == (2024, 2, 29, 23, 59, 58)
            assert info.external_attr >> 16 == (0o40755 if info.is_dir() else 0o100755)
            assert info.compress_size <= info.file_size
    assert [path.name for path in tmp_path.iterdir()] == ["a.whl"]


def test_the_same_wheel_gives_the_same_bytes(tmp_path: pathlib.Path) -> None:
    assert recompressed(tmp_path / "a.whl") == recompressed(tmp_path / "b.whl")


def test_something_else_is_not_replaced(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("deflate")
    (tmp_path / "a.whl").write_bytes(b"no archive")
    done = subprocess.run([sys.executable, SCRIPT, tmp_path / "a.whl"], capture_output=True, check=False)
    assert done.returncode != 0
    assert (tmp_path / "a.whl").read_bytes() == b"no archive"
