# SPDX-License-Identifier: Apache-2.0
"""Results as tables of pandas and Arrow."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _columns, _json
from ._library import version
from ._results import Detections, ImageResult, Labels

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_STAGES = _columns.STAGES


def to_pandas(result: Detections) -> pd.DataFrame:
    """Returns one row per object, with the columns of the program's CSV."""
    import pandas as pd

    count, labels = len(result), result._rows.labels
    starts, ends = labels.offsets[:-1], labels.offsets[1:]
    best = np.full(count, np.nan, np.float32)
    best[starts < ends] = labels.scores[starts[starts < ends]]
    boxes = result.xywh
    names = [labels.texts[at] if at < end else None for at, end in zip(starts, ends, strict=True)]
    return pd.DataFrame(
        {
            **_start(result, "objects", "object"),
            "x": boxes[:, 0],
            "y": boxes[:, 1],
            "box_width": boxes[:, 2],
            "box_height": boxes[:, 3],
            "score": result.scores,
            "label": pd.Series(names, dtype=object),
            "label_index": result.label_index,
            "label_confidence": best,
        }
    )


def labels_to_pandas(result: Labels) -> pd.DataFrame:
    """Returns one row per label, with the columns of the program's CSV."""
    import pandas as pd

    return pd.DataFrame(
        {
            **_start(result, "labels", "rank"),
            "label": pd.Series([label.text for label in result], dtype=object),
            "label_index": result.label_index,
            "label_confidence": result.confidences,
        }
    )


def _start(result: Detections | Labels, counted: str, numbered: str) -> dict[str, Any]:
    """Returns the columns that identify a row's image."""
    count = len(result)
    return {
        "image": [_json.csv_name(result.path)] * count,
        "width": np.full(count, result.width),
        "height": np.full(count, result.height),
        "orientation": [_json.ORIENTATIONS[result.orientation - 1]] * count,
        "space": [result.space] * count,
        counted: np.full(count, count),
        numbered: np.arange(1, count + 1),
    }


def schema(kind: str = "objects") -> pa.Schema:
    """Returns the schema of `table` for results of a detector (`objects`) or of a labeler (`labels`)."""
    if kind not in ("objects", "labels"):
        raise ValueError(f"kind is {kind!r}, 'objects' or 'labels' expected")
    import pyarrow as pa

    label = pa.struct([("text", pa.string()), ("index", pa.int32()), ("confidence", pa.float32())])
    found = pa.struct(
        [
            *((name, pa.float64()) for name in ("x", "y", "width", "height")),
            ("score", pa.float32()),
            ("label", pa.string()),
            ("label_index", pa.int32()),
            ("labels", pa.list_(label)),
        ]
    )
    content = pa.field("objects", pa.list_(found), False)
    if kind == "labels":
        content = pa.field("labels", pa.list_(label), False)
    return pa.schema(
        [
            pa.field("path", pa.string()),
            pa.field("width", pa.int32()),
            pa.field("height", pa.int32()),
            pa.field("orientation", pa.string()),
            content,
            pa.field("milliseconds", pa.struct([(stage, pa.float64()) for stage in _STAGES])),
            pa.field("error", pa.struct([(name, pa.string()) for name in ("code", "message", "remedy")])),
            pa.field("model_sha256", pa.string()),
            pa.field("fovea_version", pa.string(), False),
        ]
    )


def table(results: Iterable[Detections | Labels]) -> pa.Table:
    """Returns one row per image, with its objects in a list; numbers are not rounded.

    Args:
        results: Results of a detector, or of a labeler.

    Returns:
        An Arrow table with the columns of `schema`. `path` is null for arrays, `model_sha256` for unpickled results.

    Raises:
        ImportError: pyarrow is not installed.
        TypeError: Results of both kinds, or other objects.
    """
    import pyarrow as pa

    rows = list(results)
    for row in rows:
        if not isinstance(row, ImageResult):
            raise TypeError(f"a table needs results, not {type(row).__name__}. Pass a list of them: [result]")
    kinds = {isinstance(row, Labels) for row in rows}
    if len(kinds) > 1:
        raise TypeError("a table needs results of a detector or of a labeler, not of both")
    if kinds == {True}:
        wanted, content = schema("labels"), _label_lists([row for row in rows if isinstance(row, Labels)])
    else:
        wanted, content = schema(), _object_lists([row for row in rows if isinstance(row, Detections)])
    failed = [row.error is not None for row in rows]
    columns = [
        pa.array([_path(row) for row in rows], pa.string()),
        pa.array([None if bad else row.width for row, bad in zip(rows, failed, strict=True)], pa.int32()),
        pa.array([None if bad else row.height for row, bad in zip(rows, failed, strict=True)], pa.int32()),
        pa.array(
            [
                None if bad else _json.ORIENTATIONS[row.orientation - 1]
                for row, bad in zip(rows, failed, strict=True)
            ],
            pa.string(),
        ),
        content,
        pa.array(
            [None if bad else row.milliseconds for row, bad in zip(rows, failed, strict=True)],
            wanted.field("milliseconds").type,
        ),
        pa.array([_error(row) for row in rows], wanted.field("error").type),
        pa.array([row._source.model() if row._source.model else None for row in rows], pa.string()),
        pa.array([version] * len(rows), pa.string()),
    ]
    return pa.Table.from_arrays(columns, schema=wanted)


def _path(row: ImageResult) -> str | None:
    return None if row.path is None else _json.csv_name(row.path)


def _error(row: ImageResult) -> dict[str, str] | None:
    error = row.error
    return None if error is None else {"code": error.code, "message": error.message, "remedy": error.remedy}


def _offsets(counts: Iterable[int]) -> Any:
    import pyarrow as pa

    return pa.array(np.concatenate([[0], np.cumsum(list(counts))]).astype(np.int32), pa.int32())


def _label_struct(labels: list[_columns.Labelled]) -> Any:
    import pyarrow as pa

    return pa.StructArray.from_arrays(
        [
            pa.array([text for each in labels for text in each.texts], pa.string()),
            pa.array(
                np.concatenate([each.indexes for each in labels] or [np.empty(0, np.int32)]), pa.int32()
            ),
            pa.array(
                np.concatenate([each.scores for each in labels] or [np.empty(0, np.float32)]), pa.float32()
            ),
        ],
        ["text", "index", "confidence"],
    )


def _object_lists(rows: list[Detections]) -> Any:
    """Converts the objects of all images to one Arrow array without a Python object per object."""
    import pyarrow as pa

    parts = [row._rows for row in rows] or [_columns.empty()]
    boxes = np.concatenate([part.xywh for part in parts])
    counts = np.concatenate([np.diff(part.labels.offsets) for part in parts])
    labels = pa.ListArray.from_arrays(
        _offsets(counts.tolist()), _label_struct([part.labels for part in parts])
    )
    objects = pa.StructArray.from_arrays(
        [
            *(pa.array(np.ascontiguousarray(boxes[:, column])) for column in range(4)),
            pa.array(np.concatenate([part.scores for part in parts]), pa.float32()),
            pa.array([name for row in rows for name in row.labels], pa.string()),
            pa.array(
                np.concatenate([row.label_index for row in rows] or [np.empty(0, np.int32)]), pa.int32()
            ),
            labels,
        ],
        ["x", "y", "width", "height", "score", "label", "label_index", "labels"],
    )
    return pa.ListArray.from_arrays(_offsets(len(row) for row in rows), objects)


def _label_lists(rows: list[Labels]) -> Any:
    import pyarrow as pa

    type_ = schema("labels").field("labels").type
    return pa.array([[dataclasses.asdict(label) for label in row] for row in rows], type_)
