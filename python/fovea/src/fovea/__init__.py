# SPDX-License-Identifier: Apache-2.0
"""Finds, labels and follows objects in images with TFLite models.

import fovea

detector = fovea.Detector()
for found in detector("street.jpg"):
    print(found.label, found.score, found.xyxy)
"""

from ._detector import Detector
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
from ._labeler import Labeler
from ._library import version
from ._masks import Mask, Masks
from ._models import inspect, litert_version
from ._results import Detection, Detections, Label, Labels
from ._table import schema, table
from ._tracker import Tracker
from ._types import Box, ImageLike, MaskForm, ModelLike, Order

__version__ = version

__all__ = [
    "Box",
    "Cancelled",
    "ClosedError",
    "Detection",
    "Detections",
    "Detector",
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
    "RuntimeMissing",
    "Tracker",
    "__version__",
    "inspect",
    "litert_version",
    "schema",
    "table",
    "version",
]
