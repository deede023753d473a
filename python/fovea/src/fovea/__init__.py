# SPDX-License-Identifier: Apache-2.0
"""Finds, labels and follows objects in images with TFLite models, and computes maps and features of images.

import fovea

detector = fovea.Detector()
for found in detector("street.jpg"):
    print(found.label, found.score, found.xyxy)
"""

from ._detector import Detector
from ._embedder import Embedder
from ._errors import (
    Cancelled,
    ClosedError,
    FoveaError,
    ImageError,
    ImageNotFound,
    ModelError,
    ModelNotFound,
    OptionError,
    RuntimeMissing,
)
from ._features import Features
from ._labeler import Labeler
from ._library import version
from ._maps import Segmentation, Share
from ._masks import Mask, Masks
from ._models import inspect, litert_version
from ._quantization import Comparison, Figures, Quantization, QuantizedLayer, compare, quantize
from ._results import Detection, Detections, Label, Labels
from ._segmenter import Segmenter
from ._table import schema, table
from ._tracker import Tracker
from ._types import Box, ImageLike, MaskForm, ModelLike, Order

__version__ = version

__all__ = [
    "Box",
    "Cancelled",
    "ClosedError",
    "Comparison",
    "Detection",
    "Detections",
    "Detector",
    "Embedder",
    "Features",
    "Figures",
    "FoveaError",
    "ImageError",
    "ImageLike",
    "ImageNotFound",
    "Label",
    "Labeler",
    "Labels",
    "Mask",
    "MaskForm",
    "Masks",
    "ModelError",
    "ModelLike",
    "ModelNotFound",
    "OptionError",
    "Order",
    "Quantization",
    "QuantizedLayer",
    "RuntimeMissing",
    "Segmentation",
    "Segmenter",
    "Share",
    "Tracker",
    "__version__",
    "compare",
    "inspect",
    "litert_version",
    "quantize",
    "schema",
    "table",
    "version",
]
