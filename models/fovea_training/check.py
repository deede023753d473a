# SPDX-License-Identifier: Apache-2.0
"""Runs every step on few images: train each network, stop and resume, export, run with LiteRT and `fovea`."""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from .export import rebuild
from .tflite import Runner

LABELS_MAP = Path(__file__).parent.parent / "labeler_map.json"


def flags(**values: object) -> list[object]:
    """Returns the options of a command by their Python names."""
    return [part for name, value in values.items() for part in (f"--{name.replace('_', '-')}", value)]


def run(module: str, *arguments: object) -> None:
    command = [sys.executable, "-m", f"fovea_training.{module}", *(str(argument) for argument in arguments)]
    first = Path(str(arguments[0])).name
    print(f"+ {module}" if first.startswith("-") else f"+ {module} {first}", flush=True)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(
            f"{module} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
        )
    print(
        "".join(f"    {line}\n" for line in done.stdout.splitlines() if "step " in line or "bytes" in line),
        end="",
    )


def compare(checkpoint: Path, folder: Path, kind: str, tolerance: float) -> None:
    """Checks that both files run, and that the float16 one matches the network."""
    network = rebuild(checkpoint)
    image = np.random.default_rng(0).integers(0, 256, (network.side, network.side, 3), np.uint8)
    with torch.no_grad():
        pixels = (torch.from_numpy(image)[None].permute(0, 3, 1, 2).float() - 127.5) / 127.5
        own = network(pixels)
    scores = (own if isinstance(own, torch.Tensor) else own[1]).sigmoid().numpy().reshape(-1)
    for form in ("fp16", "int8"):
        out = Runner(folder / f"{kind}_{form}.tflite")(image)
        found = out["scores"].reshape(-1)
        if found.shape != scores.shape or not np.isfinite(found).all():
            raise SystemExit(f"{kind}_{form}.tflite returns {found.shape}, the network {scores.shape}")
        apart = float(np.abs(found - scores).max())
        print(f"    {kind}_{form}.tflite: scores differ from the network's by {apart:.4f} at most")
        if form == "fp16" and apart > tolerance:
            raise SystemExit(f"{kind}_{form}.tflite is {apart:.4f} off the network, {tolerance} allowed")


def detect(fovea: str, model: Path, image: Path) -> None:
    command = [fovea, "detect", str(image), "--model", str(model), "--threshold", "0.01", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"fovea detect: {done.stderr}")
    json.loads(done.stdout)
    print(f"    fovea detect runs {model.name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shared", type=Path, required=True, help="the folder of sets and models (README.md)"
    )
    parser.add_argument("--fovea", help="the program; without it, its part is skipped")
    parser.add_argument("--limit", type=int, default=64, help="images (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=4, help="of each network (default: %(default)s)")
    a = parser.parse_args()
    models, start = a.shared / "models", time.monotonic()
    data, coco, own = a.shared / "training", a.shared / "coco", models / "own"
    backbone = models / "classify/tfls_mobilenet_v2_1.0_224_quant.tflite"
    teacher = models / "detect/mobile_object_localizer_v1_1_default_1.tflite"
    labeler = models / "classify/mlkit_object_labeler.tflite"
    few = flags(batch=8, warmup=1, report_every=2, limit=a.limit)
    samples = flags(imagenet=backbone, teacher=teacher, data=data)
    program = flags(fovea=a.fovea) if a.fovea else []
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        localizer = [*samples, *few, *flags(samples=a.limit, output=work / "localizer")]
        run("train", "localizer", *localizer, *flags(steps=a.steps // 2))
        run("train", "localizer", *localizer, *flags(steps=a.steps))
        more = flags(labeler=labeler, labels_map=LABELS_MAP, output=work / "classifier", steps=a.steps)
        run("train", "classifier", *samples, *more, *few)
        instances = flags(annotations=coco / "instances.json", images=coco / "images", steps=a.steps)
        run(
            "detector",
            *instances,
            *flags(start=own / "localizer_fp16.tflite", output=work / "detector"),
            *few,
        )
        for kind in ("localizer", "classifier", "detector"):
            options = flags(data=data, limit=a.limit, calibration=16, output=work / "out")
            run("export", work / kind, *options, *program)
            compare(work / kind, work / "out", kind, 0.01)
            if a.fovea and kind != "classifier":
                photo = sorted((coco / "images").iterdir())[0]
                detect(a.fovea, work / "out" / f"{kind}_int8.tflite", photo)
        shipped = own / "localizer_int8.tflite"
        run("evaluate", "localizer", shipped, *flags(coco=coco, limit=a.limit), "--no-card")
        named = flags(start=a.shared / "named-detector/detector80_int8.tflite", data=data, limit=a.limit)
        run("named", *named, *flags(output=work / "named", batch=1, steps=2))
        out = Runner(work / "named/detector80_int8.tflite")(np.zeros((352, 352, 3), np.uint8))
        print(f"    detector80_int8.tflite returns {next(iter(out.values())).shape}")
    print(f"check: every step ran, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
