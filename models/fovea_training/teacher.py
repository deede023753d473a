# SPDX-License-Identifier: Apache-2.0
"""The teachers' raw outputs: the localizer's before suppression, two inner maps; the labeler's scores."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .anchors import anchors, decode, encode
from .tflite import Graph, Runner

HINTS = ("expanded_conv_12/add", "expanded_conv_16/project/add_fold")
SIDE = 192


def cut(data: bytes) -> tuple[bytes, NDArray[np.float32], list[str]]:
    """The localizer without post-processing, its anchors, and the names of codes, logits and hints.

    The outputs become the twelve tensors of the six heads, which are quantised more finely than the joined
    ones, and the two inner maps. As outputs of the graph, they do not prevent the fast delegate.
    """
    graph = Graph(data)
    body = graph.graph
    last = next((op for op in body.operators if graph.operator(op) == "CUSTOM"), None)
    if last is None or len(last.inputs) != 3:
        raise ValueError("the teacher has no post-processing with anchors: use mobile_object_localizer_v1")
    stored = graph.real(int(last.inputs[2]))
    made = {int(op.outputs[0]): op for op in body.operators}

    def joined(tensor: int) -> list[int]:
        while graph.operator(made[tensor]) != "CONCATENATION":
            tensor = int(made[tensor].inputs[0])
        return [int(source) for source in made[tensor].inputs]

    boxes, scores = joined(int(last.inputs[0])), joined(int(last.inputs[1]))
    hints = [next(t for t in made if graph.name(t).endswith(name)) for name in HINTS]
    body.outputs = boxes + scores + hints
    needed, keep = set(body.outputs), []
    for op in reversed(body.operators):
        if needed & {int(t) for t in op.outputs}:
            keep.append(op)
            needed |= {int(t) for t in op.inputs}
    body.operators = keep[::-1]
    graph.model.signatureDefs = None
    return graph.pack(), stored, [graph.name(t) for t in body.outputs]


@dataclass(frozen=True)
class Answer:
    """The teacher's outputs for an image, for our anchors."""

    codes: NDArray[np.float32]  # [738, 4]
    scores: NDArray[np.float32]  # [738]
    middle: NDArray[np.float32]  # [12, 12, 72]
    last: NDArray[np.float32]  # [6, 6, 240]


class LocalizerTeacher:
    """mobile_object_localizer_v1, with exact anchors instead of its quantised ones."""

    def __init__(self, path: str | Path) -> None:
        model, self._stored, self._names = cut(Path(path).read_bytes())
        self._runner, self._anchors = Runner(model), anchors()

    def __call__(self, image: NDArray[np.uint8]) -> Answer:
        out = self._runner(image)
        parts = [out[name] for name in self._names]
        codes = np.concatenate([part.reshape(-1, 4) for part in parts[:6]])
        logits = np.concatenate([part.reshape(-1) for part in parts[6:12]])
        boxes = decode(codes, self._stored)
        scores = 1 / (1 + np.exp(-logits))
        return Answer(encode(boxes, self._anchors), scores, parts[12][0], parts[13][0])


class LabelerTeacher:
    """The object labeler; a category's score is the largest of its labels'."""

    def __init__(self, path: str | Path, categories: dict[str, list[int]], order: tuple[str, ...]) -> None:
        self._runner = Runner(path)
        self._groups = [categories[name] for name in order]

    @property
    def labels(self) -> int:
        return int(self._runner.outputs[0]["shape"][-1])

    def __call__(self, image: Image.Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Returns category scores and label scores of a crop."""
        side = self._runner.width
        pixels = np.asarray(image.resize((side, side), Image.Resampling.BILINEAR))
        (scores,) = self._runner(pixels).values()
        scores = scores.reshape(-1)
        return np.array([scores[group].max() for group in self._groups], np.float32), scores
