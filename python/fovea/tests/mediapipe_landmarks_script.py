# SPDX-License-Identifier: Apache-2.0
"""A program with MediaPipe's landmarkers; its first argument is the module to use: mediapipe or fovea.mediapipe."""

import importlib
import json
import os
import sys
import threading

import numpy as np


def numbers(objects, *names):
    """x, y, z and more of each landmark of each object."""
    return [
        [[getattr(point, name) for name in ("x", "y", "z", *names)] for point in each] for each in objects
    ]


def live(vision, options, kind, images):
    """The times of the results of a live stream."""
    times, done = [], threading.Event()

    def callback(result, image, timestamp_ms):
        times.append(timestamp_ms)
        done.set()

    options.running_mode, options.result_callback = vision.RunningMode.LIVE_STREAM, callback
    with kind.create_from_options(options) as landmarker:
        for number, image in enumerate(images):
            done.clear()
            landmarker.detect_async(image, 33 * number)
            done.wait(30)
    return times


def followed(mp, kind, options, image):
    """The results of a video, from 1 ms on: at 0, MediaPipe does not begin to smooth."""
    options.running_mode = mp.tasks.vision.RunningMode.VIDEO
    with kind.create_from_options(options) as landmarker:
        return [
            landmarker.detect_for_video(frame, 1 + 33 * number)
            for number, frame in enumerate(moving(mp, image))
        ]


def moving(mp, image):
    """Frames in which the camera turns, and then one without anybody."""
    pixels = np.array(image.numpy_view())[:, :, :3]
    width = pixels.shape[1] - 24
    for shift in (0, 4, 8, 12, 16):
        yield mp.Image(
            image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(pixels[:, shift : shift + width])
        )
    yield mp.Image(image_format=mp.ImageFormat.SRGB, data=np.full((pixels.shape[0], width, 3), 90, np.uint8))


def main(module, pose_path, face_path, *paths):
    mp = importlib.import_module(module)
    vision, base = mp.tasks.vision, mp.tasks.BaseOptions
    images = [mp.Image.create_from_file(path) for path in paths]
    answer = {}
    options = vision.PoseLandmarkerOptions(base_options=base(model_asset_path=pose_path))
    with vision.PoseLandmarker.create_from_options(options) as landmarker:
        found = [landmarker.detect(image) for image in images]
    answer["pose"] = [numbers(each.pose_landmarks, "visibility", "presence") for each in found]
    answer["pose_world"] = [numbers(each.pose_world_landmarks) for each in found]
    answer["pose_masks"] = [each.segmentation_masks for each in found]
    answer["connections"] = [
        [line.start, line.end] for line in vision.PoseLandmarksConnections.POSE_LANDMARKS
    ]
    answer["nose"] = vision.PoseLandmark.NOSE.value

    with open(face_path, "rb") as file:
        data = file.read()
    faces = vision.FaceLandmarkerOptions(base_options=base(model_asset_buffer=data), num_faces=2)
    with vision.FaceLandmarker.create_from_options(faces) as landmarker:
        found = [landmarker.detect(image) for image in images]
    answer["face"] = [numbers(each.face_landmarks, "visibility", "presence") for each in found]
    answer["face_parts"] = [[each.face_blendshapes, each.facial_transformation_matrixes] for each in found]

    frames = followed(mp, vision.PoseLandmarker, options, images[0])
    answer["video"] = [numbers(each.pose_landmarks, "visibility") for each in frames]
    faces.num_faces = 1
    frames = followed(mp, vision.FaceLandmarker, faces, images[0])
    answer["face_video"] = [numbers(each.face_landmarks) for each in frames]
    answer["live"] = live(vision, options, vision.PoseLandmarker, images[:3])
    print(json.dumps(answer), flush=True)
    os._exit(0)  # MediaPipe may crash at exit


if __name__ == "__main__":
    main(*sys.argv[1:])
