# SPDX-License-Identifier: Apache-2.0
"""MediaPipe Tasks' ObjectDetector, with its own defaults, from a file to boxes."""

import mediapipe
import numpy
from mediapipe.tasks.python import BaseOptions, vision

import peer


def make_detector(model, _):
    options = vision.ObjectDetectorOptions(base_options=BaseOptions(model_asset_path=model), max_results=5)
    detector = vision.ObjectDetector.create_from_options(options)

    def detect(path):
        image = mediapipe.Image.create_from_file(path)
        if image.channels == 1:  # the task does not accept grey images
            pixels = numpy.repeat(image.numpy_view().reshape(image.height, image.width, 1), 3, axis=2)
            image = mediapipe.Image(image_format=mediapipe.ImageFormat.SRGB, data=pixels)
        return len(detector.detect(image).detections)

    return detect


peer.run(make_detector)
