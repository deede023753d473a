# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's API for images, implemented by Fovea: ``import fovea.mediapipe as mp``.

``mp.Image``, ``mp.ImageFormat``, ``mp.tasks.BaseOptions``, ``mp.tasks.vision.ObjectDetector``, ``ImageClassifier``,
``ImageSegmenter``, ``ImageEmbedder``, ``PoseLandmarker``, ``FaceLandmarker`` and ``HandLandmarker`` with their options, in
the running modes IMAGE, VIDEO and LIVE_STREAM. Other names raise an AttributeError that lists these.
"""

from . import tasks
from ._image import Image, ImageFormat
from ._missing import missing

__all__ = ["Image", "ImageFormat", "tasks"]


def __getattr__(name: str) -> object:
    raise missing("mediapipe", name, __all__)
