#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures one landmarker of `mediapipe` or `fovea.mediapipe`: the CPU time of all threads for a photo, the file included.

    landmarkers.py fovea.mediapipe pose pose_landmarker.task photo.jpg ...
    landmarkers.py --video mediapipe pose pose_landmarker.task photo.jpg ...    a frame, as the camera turns

Prints the least time of each photo, or the median of its frames, and the median of all.
"""

import argparse
import importlib
import itertools
import os
import statistics
import time

import numpy as np

ROUNDS = 10
FRAMES = 60


def milliseconds(work):
    """The CPU time of a call."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def frames(mp, path):
    """The frames of a camera that turns to and fro."""
    pixels = np.array(mp.Image.create_from_file(path).numpy_view())[:, :, :3]
    width = pixels.shape[1] - FRAMES
    for number in range(FRAMES):
        shift = 2 * min(number, FRAMES - 1 - number)
        data = np.ascontiguousarray(pixels[:, shift : shift + width])
        yield mp.Image(image_format=mp.ImageFormat.SRGB, data=data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--video", action="store_true")
    parser.add_argument("module", choices=["mediapipe", "fovea.mediapipe"])
    parser.add_argument("kind", choices=["pose", "face", "hand"])
    parser.add_argument("bundle")
    parser.add_argument("photos", nargs="+")
    given = parser.parse_args()
    mp = importlib.import_module(given.module)
    vision = mp.tasks.vision
    mode = vision.RunningMode.VIDEO if given.video else vision.RunningMode.IMAGE
    options = getattr(vision, f"{given.kind.title()}LandmarkerOptions")(
        base_options=mp.tasks.BaseOptions(model_asset_path=given.bundle), running_mode=mode
    )
    with getattr(vision, f"{given.kind.title()}Landmarker").create_from_options(options) as landmarker:
        times, now = [], itertools.count(0, 33)
        for path in given.photos:
            if given.video:
                each = [
                    milliseconds(lambda frame=frame: landmarker.detect_for_video(frame, next(now)))
                    for frame in frames(mp, path)
                ]
                times.append(statistics.median(each))
            else:
                each = [
                    milliseconds(lambda path=path: landmarker.detect(mp.Image.create_from_file(path)))
                    for _ in range(ROUNDS)
                ]
                times.append(min(each))
    print(given.module, given.kind, *(f"{each:.2f}" for each in times), f"median {statistics.median(times):.2f} ms", flush=True)
    os._exit(0)  # MediaPipe may crash at exit


if __name__ == "__main__":
    main()
