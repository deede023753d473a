# SPDX-License-Identifier: Apache-2.0
"""Measures one way to find objects in its own process: prints CPU seconds as a line of JSON.

peer.py KIND MODEL REPETITIONS IMAGE…

Kinds: fovea (bytes of JPEG), fovea-array (RGB pixels), mediapipe (JPEG files), mediapipe-array, threads (images/s of one
thread and of two), call (the fixed cost of a call), first (only imports and the first result), mediapipe-first.
"""

import ctypes
import json
import pathlib
import sys
import time
from concurrent.futures import ThreadPoolExecutor


def pixels(path):
    import numpy as np
    from PIL import Image

    return np.array(Image.open(path).convert("RGB"))


def mean_cpu(work, inputs, repetitions):
    """Returns the CPU seconds of all threads per input, after a warm-up run."""
    for each in inputs:
        work(each)
    began = time.process_time()
    for _ in range(repetitions):
        for each in inputs:
            work(each)
    return (time.process_time() - began) / (repetitions * len(inputs))


def mediapipe_detector(model):
    import mediapipe
    from mediapipe.tasks.python import BaseOptions, vision

    options = vision.ObjectDetectorOptions(base_options=BaseOptions(model_asset_path=model), max_results=5)
    return mediapipe, vision.ObjectDetector.create_from_options(options)


def mediapipe_image(mediapipe, path):
    import numpy as np

    image = mediapipe.Image.create_from_file(path)
    if image.channels == 1:  # the task does not accept grey images
        grey = np.repeat(image.numpy_view().reshape(image.height, image.width, 1), 3, axis=2)
        image = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=grey)
    return image


def measure_mediapipe(kind, model, repetitions, images):
    mediapipe, detector = mediapipe_detector(model)
    if kind == "mediapipe-first":
        detector.detect(mediapipe_image(mediapipe, images[0]))
        return {}
    if kind == "mediapipe":
        return {"cpu_s": mean_cpu(lambda path: detector.detect(mediapipe_image(mediapipe, path)), images, repetitions)}
    arrays = [pixels(path) for path in images]

    def detect(array):
        detector.detect(mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=array))

    return {"cpu_s": mean_cpu(detect, arrays, repetitions)}


def fixed_cost(fovea, detector, images, repetitions):
    """Returns the extra CPU seconds of a Python call over the same library call with prepared structs."""
    from fovea import _abi, _images
    from fovea._library import lib

    image = pixels(images[0])[:32, :32].copy()
    struct = _abi.Image()
    given = _images.fill(struct, image, "rgb")
    out, reference = ctypes.c_void_p(), ctypes.byref(struct)

    def bare():
        pointer = detector._handle._pointer
        lib.fovea_detect(pointer, reference, 1, None, ctypes.byref(out))
        lib.fovea_result_free(out)

    costs = {"bare": [], "python": []}
    for _ in range(25):
        for name, work in (("bare", bare), ("python", lambda: len(detector(image).xyxy))):
            began = time.thread_time()
            for _ in range(repetitions * 20):
                work()
            costs[name].append((time.thread_time() - began) / (repetitions * 20))
    del given
    return {"call_s": min(costs["python"]) - min(costs["bare"]), "bare_s": min(costs["bare"])}


def two_threads(fovea, model, images, repetitions):
    data = [pathlib.Path(path).read_bytes() for path in images] * repetitions
    rates = {}
    with fovea.Detector(model, sessions=2, threads=1) as detector:
        for count in (1, 2):
            with ThreadPoolExecutor(count) as pool:
                list(pool.map(detector, data[:20]))
                began = time.perf_counter()
                list(pool.map(detector, data))
                rates[count] = len(data) / (time.perf_counter() - began)
    return {"images_per_s": rates[1], "images_per_s_2": rates[2]}


def measure_fovea(kind, model, repetitions, images):
    import fovea

    if kind == "threads":
        return two_threads(fovea, model, images, repetitions)
    if kind == "call":
        tiny = pathlib.Path(__file__).resolve().parents[2] / "Tests/Fixtures/models/ssd_postprocess.tflite"
        with fovea.Detector(tiny, threads=1) as detector:
            return fixed_cost(fovea, detector, images, repetitions)
    detector = fovea.Detector(model, max_objects=5, threads=1 if kind == "fovea" else None)
    if kind == "first":
        len(detector(images[0]))
        return {}
    if kind == "fovea":
        inputs = [pathlib.Path(path).read_bytes() for path in images]
    else:
        inputs = [pixels(path) for path in images]
    return {"cpu_s": mean_cpu(detector, inputs, repetitions)}


def main():
    kind, model, repetitions, *images = sys.argv[1:]
    measure = measure_mediapipe if kind.startswith("mediapipe") else measure_fovea
    print(json.dumps(measure(kind, model, int(repetitions), images)))


if __name__ == "__main__":
    main()
