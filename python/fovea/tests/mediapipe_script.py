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


def sampled(image):
    """Some pixels of a mask."""
    pixels = image.numpy_view().reshape(image.height, image.width)
    step = max(1, min(pixels.shape) // 40)
    return np.round(pixels[::step, ::step].astype(float), 4).tolist()


def masks(mp, segmenter_path, images):
    """The masks of each image, as it is and rotated."""
    vision = mp.tasks.vision
    options = vision.ImageSegmenterOptions(
        base_options=mp.tasks.BaseOptions(model_asset_path=segmenter_path), output_category_mask=True
    )
    found = []
    with vision.ImageSegmenter.create_from_options(options) as segmenter:
        for image, degrees in [(image, 0) for image in images] + [
            (image, 90 * (1 + number % 3)) for number, image in enumerate(images)
        ]:
            how = vision.ImageProcessingOptions(rotation_degrees=degrees)
            result = segmenter.segment(image, how)
            mask = result.confidence_masks[-1]
            found.append(
                {
                    "degrees": degrees,
                    "count": len(result.confidence_masks),
                    "format": int(mask.image_format),
                    "size": [mask.height, mask.width],
                    "confidence": sampled(mask),
                    "category": sampled(result.category_mask),
                }
            )
        return {"labels": segmenter.labels, "images": found}


def features(mp, embedder_path, images):
    vision, found = mp.tasks.vision, {}
    base = mp.tasks.BaseOptions(model_asset_path=embedder_path)
    for name, given in (
        ("plain", {}),
        ("unit", {"l2_normalize": True}),
        ("quantized", {"l2_normalize": True, "quantize": True}),
    ):
        options = vision.ImageEmbedderOptions(base_options=base, **given)
        with vision.ImageEmbedder.create_from_options(options) as embedder:
            embeddings = [embedder.embed(image).embeddings[0] for image in images]
        found[name] = {
            "type": str(embeddings[0].embedding.dtype),
            "head": embeddings[0].head_index,
            "values": [each.embedding.tolist() for each in embeddings],
            "similarity": [
                vision.ImageEmbedder.cosine_similarity(embeddings[0], each) for each in embeddings
            ],
        }
    return found


def main(module, detector_path, classifier_path, embedder_path, segmenter_paths, *paths):
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

    answer["segment"] = [masks(mp, path, images[:12]) for path in segmenter_paths.split(",")]
    answer["embed"] = features(mp, embedder_path, images[:12])

    wrong = vision.ObjectDetectorOptions(base_options=base, running_mode=vision.RunningMode.LIVE_STREAM)
    answer["errors"] = [kind_of(lambda: vision.ObjectDetector.create_from_options(wrong))]
    print(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
