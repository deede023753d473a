# SPDX-License-Identifier: Apache-2.0
"""Puts libfovea and LiteRT into the package; builds them where they are not there yet."""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = pathlib.Path(os.environ.get("FOVEA_LIBRARY") or ROOT / ".build/capi/libfovea.so.1")
LITERT = ROOT / ".fovea/lib"


def version() -> str:
    """The version of the whole project."""
    source = (ROOT / "Sources/FoveaCLI/Version.swift").read_text(encoding="utf-8")
    found = re.search(r'fovea = "([\d.]+)"', source)
    if not found:
        raise SystemExit("setup.py: Sources/FoveaCLI/Version.swift names no version")
    return found[1]


def litert_version() -> str:
    """The version that scripts/setup pins."""
    found = re.search(
        r"^litert_version=([\d.]+)$", (ROOT / "scripts/setup").read_text(encoding="utf-8"), re.MULTILINE
    )
    if not found:
        raise SystemExit("setup.py: scripts/setup names no version of LiteRT")
    return found[1]


class BuildWithLibraries(build_py):
    """Copies the two libraries next to the modules."""

    def run(self) -> None:
        """Builds what is missing, then copies."""
        super().run()
        if not LIBRARY.is_file():
            subprocess.run([ROOT / "scripts/build-capi"], check=True, cwd=ROOT)
        if not (LITERT / "libLiteRt.so").is_file():
            subprocess.run([ROOT / "scripts/setup", "--litert-only"], check=True, cwd=ROOT)
        base = HERE / "src" if self.editable_mode else pathlib.Path(self.build_lib)
        target = base / "fovea/lib"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(LIBRARY, target / "libfovea.so.1")
        shutil.copyfile(LITERT / "libLiteRt.so", target / "libLiteRt.so")
        (target / "litert-version.txt").write_text(litert_version() + "\n", encoding="utf-8")


class AnyPython(bdist_wheel):
    """A wheel for every Python of the platform: nothing in it is compiled for one."""

    def finalize_options(self) -> None:
        """Marks the wheel as one with libraries."""
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        """py3-none and the platform."""
        return "py3", "none", super().get_tag()[2]


setup(version=version(), cmdclass={"build_py": BuildWithLibraries, "bdist_wheel": AnyPython})
