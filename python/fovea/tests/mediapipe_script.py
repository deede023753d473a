# SPDX-License-Identifier: Apache-2.0
"""A program for MediaPipe; its first argument is the module to use: mediapipe or fovea.mediapipe."""

import importlib
import json
import sys
import threading

import numpy as np


def boxes(result):
    return [
        [
            [
                one.bounding_box.origin_x,
                one.bounding_box.origin_y,
                one.bounding_box.width,
                one.bounding_box.height,
            ],
            one.categories[0].category_name,
            one.categories[0].index,
            one.categories[0].score,
        ]
        for one in result.detections
    ]


def rgb(mp, path):
    """The image of a file; grey ones with three channels, because MediaPipe's detector accepts no others."""
    image = mp.Image.create_from_file(path)
    pixels = image.numpy_view()
    if image.channels == 1:
        pixels = np.repeat(pixels.reshape(image.height, image.width, 1), 3, axis=2)
    return mp.Image(image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(pixels[:, :, :3]))


def kind_of(work):
    """The class of the error of some work."""
    try:
        work()
    except Exception as error:
        return type(error).__name__
    return None


def live(mp, base, images):
    vision, times, done = mp.tasks.vision, [], threading.Event()

    def callback(result, image, timestamp_ms):
        times.append(timestamp_ms)
        done.set()

    options = vision.ObjectDetectorOptions(
        base_options=base,
        running_mode=vision.RunningMode.LIVE_STREAM,
        result_callback=callback,
        max_results=3,
    )
    with vision.ObjectDetector.create_from_options(options) as detector:
        for number, image in enumerate(images):
            done.clear()
            detector.detect_async(image, number * 33)
            done.wait(30)
    return times == sorted(times) and len(times) > 0


def main(module, detector_path, classifier_path, *paths):
    mp = importlib.import_module(module)
    vision = mp.tasks.vision
    base = mp.tasks.BaseOptions(model_asset_path=detector_path)
    images = [rgb(mp, path) for path in paths]
    answer = {}

    options = vision.ObjectDetectorOptions(base_options=base, max_results=10, score_threshold=0.3)
    with vision.ObjectDetector.create_from_options(options) as detector:
        answer["detect"] = [boxes(detector.detect(image)) for image in images]

    video = vision.ObjectDetectorOptions(
        base_options=base, max_results=10, score_threshold=0.3, running_mode=vision.RunningMode.VIDEO
    )
    with vision.ObjectDetector.create_from_options(video) as detector:
        frames = [
            boxes(detector.detect_for_video(image, 33 * number)) for number, image in enumerate(images[:5])
        ]
        answer["video_equals_image"] = frames == answer["detect"][:5]

    answer["live_timestamps_rise"] = live(mp, base, images[:3])

    allowed = vision.ObjectDetectorOptions(
        base_options=base, category_allowlist=["person"], score_threshold=0.5
    )
    with vision.ObjectDetector.create_from_options(allowed) as detector:
        answer["allow"] = sorted({one[1] for image in images[:20] for one in boxes(detector.detect(image))})

    limited = vision.ObjectDetectorOptions(base_options=base, max_results=1)
    with vision.ObjectDetector.create_from_options(limited) as detector:
        answer["limited"] = [len(detector.detect(image).detections) for image in images[:10]]

    classify = vision.ImageClassifierOptions(
        base_options=mp.tasks.BaseOptions(model_asset_path=classifier_path), max_results=3
    )
    with vision.ImageClassifier.create_from_options(classify) as classifier:
        answer["classify"] = [
            [
                [one.category_name, one.index, one.score]
                for one in classifier.classify(image).classifications[0].categories
            ]
            for image in images
        ]

    wrong = vision.ObjectDetectorOptions(base_options=base, running_mode=vision.RunningMode.LIVE_STREAM)
    answer["errors"] = [kind_of(lambda: vision.ObjectDetector.create_from_options(wrong))]
    print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
