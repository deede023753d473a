# SPDX-License-Identifier: Apache-2.0
"""Adds libfovea and LiteRT to the package, and builds them if they are missing."""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = pathlib.Path(os.environ.get("FOVEA_LIBRARY") or ROOT / ".build/capi/libfovea.so.1")
LITERT = ROOT / ".fovea/lib"


def version() -> str:
    """Returns the project's version."""
    source = (ROOT / "Sources/Engine/FoveaCore/FoveaVersion.swift").read_text(encoding="utf-8")
    found = re.search(r"current = \"([\d.]+)\"", source)
    if not found:
        raise SystemExit("setup.py: Sources/Engine/FoveaCore/FoveaVersion.swift has no version")
    return found[1]


def litert_version() -> str:
    """Returns the LiteRT version that scripts/setup pins."""
    found = re.search(
        r"^litert_version=([\d.]+)$", (ROOT / "scripts/setup").read_text(encoding="utf-8"), re.MULTILINE
    )
    if not found:
        raise SystemExit("setup.py: scripts/setup has no LiteRT version")
    return found[1]


def collect_licenses() -> None:
    """Copies the licences of everything in the wheel to `licenses`."""
    target = HERE / "licenses"
    target.mkdir(exist_ok=True)
    swiftc = pathlib.Path(shutil.which("swiftc") or "/swift/usr/bin/swiftc").resolve()
    texts = {
        "LICENSE": ROOT / "LICENSE",
        "NOTICE": ROOT / "NOTICE",
        "LICENSE.LiteRT.txt": LITERT / "LICENSE.LiteRT.txt",
        "LICENSE.Swift.txt": swiftc.parent.parent / "share/swift/LICENSE.txt",
        **{f"LICENSE.{name}.txt": place for name, place in linked_licenses().items()},
    }
    for name, place in texts.items():
        if not place.is_file():
            raise SystemExit(f"setup.py: {place} is missing: the wheel would lack the licence {name}")
        shutil.copyfile(place, target / name)


def linked_licenses() -> dict[str, pathlib.Path]:
    """Returns Debian's copyright file of each image library linked by libfovea, by package name."""
    lines = subprocess.run(["ldd", LIBRARY], check=True, capture_output=True, text=True).stdout
    found = {}
    for path in re.findall(r"=> (/\S*/lib(?:turbojpeg|jpeg|png|webp|yuv|sharpyuv)\S*)", lines):
        real = pathlib.Path(path).resolve()
        names = [str(real), str(real).removeprefix("/usr")]
        for name in names:
            owner = subprocess.run(["dpkg", "-S", name], check=False, capture_output=True, text=True).stdout
            if owner:
                package = owner.split(":")[0]
                found[package] = pathlib.Path("/usr/share/doc") / package / "copyright"
                break
        else:
            raise SystemExit(f"setup.py: no package contains {path}: its licence cannot be found")
    return found


def prepare() -> None:
    """Builds missing libraries and the folder of licences."""
    if not LIBRARY.is_file():
        subprocess.run([ROOT / "scripts/build-capi"], check=True, cwd=ROOT)
    if not (LITERT / "libLiteRt.so").is_file():
        subprocess.run([ROOT / "scripts/setup", "--litert-only"], check=True, cwd=ROOT)
    collect_licenses()


class BuildWithLibraries(build_py):
    """Copies the two libraries next to the modules."""

    def run(self) -> None:
        """Copies the libraries after the modules."""
        super().run()
        base = HERE / "src" if self.editable_mode else pathlib.Path(self.build_lib)
        target = base / "fovea/lib"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(LIBRARY, target / "libfovea.so.1")
        shutil.copyfile(LITERT / "libLiteRt.so", target / "libLiteRt.so")
        (target / "litert-version.txt").write_text(litert_version() + "\n", encoding="utf-8")


class WithLibraries(Distribution):
    """A distribution for one platform, although no extension is compiled."""

    def has_ext_modules(self) -> bool:
        """Installs the package as platform-specific."""
        return True


class AnyPython(bdist_wheel):
    """A wheel for every Python version: it has no extension modules."""

    def get_tag(self) -> tuple[str, str, str]:
        """Returns py3-none and the platform."""
        return "py3", "none", super().get_tag()[2]


prepare()
setup(
    version=version(),
    distclass=WithLibraries,
    cmdclass={"build_py": BuildWithLibraries, "bdist_wheel": AnyPython},
)
