# SPDX-License-Identifier: Apache-2.0
"""The C API as ctypes: made from fovea.h by python/fovea/generate-abi, do not edit."""

from __future__ import annotations

import ctypes
from typing import Any

ABI = 1
FILE = 1
ENCODED = 2
RGB = 3
BGR = 4
RGBA = 5
BGRA = 6
GREY = 7


class Model(ctypes.Structure):
    """`fovea_model`."""

    size: int
    path: Any
    bytes: int | None
    length: int
    name: Any

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("path", ctypes.c_char_p),
        ("bytes", ctypes.c_void_p),
        ("length", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
    ]


class Image(ctypes.Structure):
    """`fovea_image`."""

    size: int
    kind: int
    data: int | None
    length: int
    width: int
    height: int
    stride: int
    orientation: int
    name: Any
    region: Any

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("kind", ctypes.c_int32),
        ("data", ctypes.c_void_p),
        ("length", ctypes.c_size_t),
        ("width", ctypes.c_int32),
        ("height", ctypes.c_int32),
        ("stride", ctypes.c_int64),
        ("orientation", ctypes.c_int32),
        ("name", ctypes.c_char_p),
        ("region", ctypes.c_double * 4),
    ]


class Call(ctypes.Structure):
    """`fovea_call`."""

    size: int
    threads: int
    cancel: int | None
    progress: int | None
    context: int | None
    stream: int | None
    seconds: float

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("threads", ctypes.c_int32),
        ("cancel", ctypes.c_void_p),
        ("progress", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("stream", ctypes.c_void_p),
        ("seconds", ctypes.c_double),
    ]


class Columns(ctypes.Structure):
    """`fovea_columns`."""

    size: int
    images: int
    objects: int
    labels: int
    widths: int | None
    heights: int | None
    orientations: int | None
    milliseconds: int | None
    object_offsets: int | None
    boxes: int | None
    scores: int | None
    track_ids: int | None
    label_offsets: int | None
    label_indexes: int | None
    label_scores: int | None
    label_texts: int | None
    keypoint_offsets: int | None
    keypoints: int | None
    oriented_boxes: int | None
    mask_offsets: int | None
    mask_cells: int | None
    mask_sizes: int | None
    mask_places: int | None
    keypoint_scores: int | None
    map_offsets: int | None
    map_classes: int | None
    map_confidences: int | None
    map_sizes: int | None
    map_places: int | None
    map_class_count: int
    features: int | None
    feature_count: int
    keypoint_depths: int | None
    keypoint_presences: int | None
    keypoint_worlds: int | None
    right_hands: int | None

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("images", ctypes.c_size_t),
        ("objects", ctypes.c_size_t),
        ("labels", ctypes.c_size_t),
        ("widths", ctypes.c_void_p),
        ("heights", ctypes.c_void_p),
        ("orientations", ctypes.c_void_p),
        ("milliseconds", ctypes.c_void_p),
        ("object_offsets", ctypes.c_void_p),
        ("boxes", ctypes.c_void_p),
        ("scores", ctypes.c_void_p),
        ("track_ids", ctypes.c_void_p),
        ("label_offsets", ctypes.c_void_p),
        ("label_indexes", ctypes.c_void_p),
        ("label_scores", ctypes.c_void_p),
        ("label_texts", ctypes.c_void_p),
        ("keypoint_offsets", ctypes.c_void_p),
        ("keypoints", ctypes.c_void_p),
        ("oriented_boxes", ctypes.c_void_p),
        ("mask_offsets", ctypes.c_void_p),
        ("mask_cells", ctypes.c_void_p),
        ("mask_sizes", ctypes.c_void_p),
        ("mask_places", ctypes.c_void_p),
        ("keypoint_scores", ctypes.c_void_p),
        ("map_offsets", ctypes.c_void_p),
        ("map_classes", ctypes.c_void_p),
        ("map_confidences", ctypes.c_void_p),
        ("map_sizes", ctypes.c_void_p),
        ("map_places", ctypes.c_void_p),
        ("map_class_count", ctypes.c_size_t),
        ("features", ctypes.c_void_p),
        ("feature_count", ctypes.c_size_t),
        ("keypoint_depths", ctypes.c_void_p),
        ("keypoint_presences", ctypes.c_void_p),
        ("keypoint_worlds", ctypes.c_void_p),
        ("right_hands", ctypes.c_void_p),
    ]


#: Each struct by its name in C.
STRUCTURES: dict[str, type[ctypes.Structure]] = {
    "fovea_model": Model,
    "fovea_image": Image,
    "fovea_call": Call,
    "fovea_columns": Columns,
}

#: The return type and argument types of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "fovea_abi": (ctypes.c_uint32, []),
    "fovea_version": (ctypes.c_char_p, []),
    "fovea_layout": (ctypes.c_char_p, []),
    "fovea_error_code": (ctypes.c_char_p, [ctypes.c_void_p]),
    "fovea_error_message": (ctypes.c_char_p, [ctypes.c_void_p]),
    "fovea_error_remedy": (ctypes.c_char_p, [ctypes.c_void_p]),
    "fovea_error_subject": (ctypes.c_char_p, [ctypes.c_void_p]),
    "fovea_error_free": (None, [ctypes.c_void_p]),
    "fovea_options_new": (ctypes.c_void_p, [ctypes.c_void_p]),
    "fovea_options_set": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]),
    "fovea_options_free": (None, [ctypes.c_void_p]),
    "fovea_inspect": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p]),
    "fovea_string_free": (None, [ctypes.c_void_p]),
    "fovea_runtime_set": (ctypes.c_void_p, [ctypes.c_char_p]),
    "fovea_runtime_path": (ctypes.c_void_p, [ctypes.c_void_p]),
    "fovea_cancel_new": (ctypes.c_void_p, []),
    "fovea_cancel_set": (None, [ctypes.c_void_p]),
    "fovea_cancel_free": (None, [ctypes.c_void_p]),
    "fovea_stream_new": (ctypes.c_void_p, []),
    "fovea_stream_free": (None, [ctypes.c_void_p]),
    "fovea_result_columns": (None, [ctypes.c_void_p, ctypes.c_void_p]),
    "fovea_result_error": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "fovea_result_free": (None, [ctypes.c_void_p]),
    "fovea_mask_bits": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p, ctypes.c_size_t],
    ),
    "fovea_mask_text": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p],
    ),
    "fovea_mask_outlines": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p],
    ),
    "fovea_map_pixels": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p, ctypes.c_size_t],
    ),
    "fovea_detector_open": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "fovea_detect": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p],
    ),
    "fovea_detector_class_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "fovea_detector_class_name": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "fovea_detector_assumption_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "fovea_detector_assumption": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "fovea_detector_close": (None, [ctypes.c_void_p]),
    "fovea_labeler_open": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "fovea_label": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p],
    ),
    "fovea_labeler_class_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "fovea_labeler_class_name": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "fovea_labeler_assumption_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "fovea_labeler_assumption": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "fovea_labeler_close": (None, [ctypes.c_void_p]),
    "fovea_segmenter_open": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "fovea_segment": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p],
    ),
    "fovea_segmenter_class_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "fovea_segmenter_class_name": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "fovea_segmenter_assumption_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "fovea_segmenter_assumption": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "fovea_segmenter_close": (None, [ctypes.c_void_p]),
    "fovea_embedder_open": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
    "fovea_embed": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p],
    ),
    "fovea_embedder_dimension": (ctypes.c_size_t, [ctypes.c_void_p]),
    "fovea_embedder_assumption_count": (ctypes.c_size_t, [ctypes.c_void_p]),
    "fovea_embedder_assumption": (ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    "fovea_embedder_close": (None, [ctypes.c_void_p]),
    "fovea_tracker_open": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p]),
    "fovea_tracker_update": (
        ctypes.c_void_p,
        [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p],
    ),
    "fovea_tracker_reset": (None, [ctypes.c_void_p]),
    "fovea_tracker_close": (None, [ctypes.c_void_p]),
    "fovea_quantize": (
        ctypes.c_void_p,
        [
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ],
    ),
    "fovea_compare": (
        ctypes.c_void_p,
        [
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ],
    ),
}
