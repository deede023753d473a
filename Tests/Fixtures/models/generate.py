# SPDX-License-Identifier: Apache-2.0
"""Makes tiny detectors with known answers, one for each model family, that look at the picture.

All of them see the same: the red, the green and the blue block of a picture, at most one of each, wherever they are
and however large. `see_blocks` computes each block's box from the moments of its colour, and a score that is 1 when
the pixels come in the numbers that the family asks for, and 0 when they do not (wrong normalisation) or when there is
no such block. A head then writes these boxes as a model of its family would, between rows that say nothing.

  python3 -m venv /tmp/models && /tmp/models/bin/pip install tflite==2.18.0 flatbuffers==25.12.19 numpy==2.4.6
  /tmp/models/bin/python Tests/Fixtures/models/generate.py            # writes the models and MANIFEST.json
  /tmp/models/bin/python Tests/Fixtures/models/generate.py --check    # fails when they are not what this makes

Classes: 0 red, 1 green, 2 blue. To add a family: write a head (a function of `Scene`), and a line in MODELS.
"""

import hashlib
import io
import json
import math
import pathlib
import sys
import zipfile
import zlib

sys.dont_write_bytecode = True

import numpy as np

from graph import FLOAT, INT8, INT32, UINT8, Graph

HERE = pathlib.Path(__file__).resolve().parent
MANIFEST = HERE.parent / "MANIFEST.json"
COMMAND = "python3 Tests/Fixtures/models/generate.py (packages: see its first lines)"
CLASSES = 3
# The names that the TensorFlow Object Detection API gives the outputs of an SSD without post-processing.
CODES, SCORES = "raw_outputs/box_encodings", "raw_outputs/class_predictions"


class Scene:
    """What the backbone saw: boxes [1, 3, 4] as (centre x, centre y, width, height) in pixels, scores [1, 3, 1]."""

    def __init__(self, graph, width, height, boxes, scores):
        self.graph, self.width, self.height = graph, width, height
        self.boxes, self.scores = boxes, scores

    def normalized(self, boxes):
        """Numbers of boxes in fractions of the input."""
        return self.graph.multiply(boxes, [1 / self.width, 1 / self.height, 1 / self.width, 1 / self.height])

    def cells(self, strides=(8, 16, 32)):
        """(stride, column, row) of each cell, row-major, finest level first."""
        return [(stride, x, y) for stride in strides
                for y in range(self.height // stride) for x in range(self.width // stride)]


def see_blocks(graph, width, height, full_scale=1.0, order="rgb", kind=None, zero_point=0,
               planar=False, grey=False, signed=False, statistics=False):
    """The part that all models share. full_scale: the number that a full colour has in the input.

    grey: one channel, in which the first class is what is bright, and there are no others.
    signed: the input has pixels −1…1; statistics: it is normalised with ImageNet's mean and deviation, or
    with those given.
    """
    shape = [1, height, width, 1 if grey else 3]
    if planar:
        image = graph.transpose(graph.input([1, 3, height, width]), [0, 2, 3, 1])
    elif kind is None:
        image = graph.input(shape)
    elif kind == INT32:
        image = graph.as_floats(graph.input(shape, kind))
    else:
        image = graph.dequantize(graph.input(shape, kind, quantization=(1 / 255, zero_point)))
    if signed:
        image = graph.add(graph.multiply(image, [0.5]), [0.5])
    if statistics:
        imagenet = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
        mean, deviation = np.array(imagenet if statistics is True else statistics)
        step = -1 if order == "bgr" else 1
        image = graph.add(graph.multiply(image, deviation[::step]), mean[::step])
    # A colour is what its channel has more than the others together, less a tenth that takes noise away.
    weights = np.full((CLASSES, 3), -1.0) + 2 * np.eye(3)
    if order == "bgr":
        weights = weights[:, ::-1]
    if grey:
        weights = np.array([[1.0], [0.0], [0.0]])
    colors = graph.mix_channels(image, weights / 0.9 / full_scale, np.full(CLASSES, -0.1 / 0.9))
    mass = graph.add(graph.mean(colors, [1, 2]), [1e-9])

    def extent(profile, count):
        """Centre and length [1, 3] along one axis, from the profile [1, count, 3]: a block of n pixels has the
        variance (n² - 1) / 12."""
        place = np.arange(count, dtype=np.float32) + 0.5 - count / 2  # from the middle: squares stay small

        def moment(numbers):
            return graph.divide(graph.mean(graph.multiply(profile, numbers[None, :, None]), [1]), mass)

        center = moment(place)
        variance = graph.relu(graph.subtract(moment(place * place), graph.multiply(center, center)))
        return graph.add(center, [count / 2]), graph.square_root(graph.add(graph.multiply(variance, [12.0]), [1.0]))

    x, w = extent(graph.mean(colors, [1]), width)
    y, h = extent(graph.mean(colors, [2]), height)
    boxes = graph.concatenate([graph.reshape(part, [1, CLASSES, 1]) for part in (x, y, w, h)], 2)
    # A tent over the strongest pixel: 1 at 1, 0 at 0 and from 2.
    peak = graph.maximum(colors, [1, 2])
    tent = graph.relu(graph.subtract([1.0], graph.absolute(graph.subtract(peak, [1.0]))))
    return Scene(graph, width, height, boxes, graph.reshape(tent, [1, CLASSES, 1]))


# Each block is answered four times: as it is (score 0.95), the same again (0.85), moved to the right by a tenth of its
# width (0.75; IoU 0.82 with the first), and as the next class (0.25).
ANSWERS = [(0.95, 0.0, 0), (0.85, 0.0, 0), (0.75, 0.1, 0), (0.25, 0.0, 1)]


def answers(scene):
    """Boxes [1, 12, 4] in pixels, scores [1, 12, 1] and the classes of the answers."""
    graph, blocks = scene.graph, list(range(CLASSES)) * len(ANSWERS)
    boxes = graph.gather(scene.boxes, blocks, 1)
    widths = graph.gather(boxes, [2], 2)
    shift = np.zeros((1, len(blocks), 4), np.float32)
    shift[0, :, 0] = np.repeat([move for _, move, _ in ANSWERS], CLASSES)
    boxes = graph.add(boxes, graph.multiply(widths, shift))
    weights = np.repeat([score for score, _, _ in ANSWERS], CLASSES)[None, :, None]
    scores = graph.multiply(graph.gather(scene.scores, blocks, 1), weights)
    classes = [(block + step) % CLASSES for _, _, step in ANSWERS for block in range(CLASSES)]
    return boxes, scores, classes


def answering_rows(count):
    """Rows spread over all levels; in a real model they are the cells where the objects are."""
    total = CLASSES * len(ANSWERS)
    return [(index * (count - 1)) // (total - 1) for index in range(total)]


def place(scene, answer_rows, background):
    """Puts the answers [1, 12, F] between constant rows [N, F]: [1, N, F]."""
    count, answered = len(background), scene.graph.shape(answer_rows)[1]
    rows = scene.graph.concatenate([answer_rows, scene.graph.constant(background[None])], 1)
    pick = [answered + row for row in range(count)]
    for answer, row in enumerate(answering_rows(count)):
        pick[row] = answer
    return scene.graph.gather(rows, pick, 1)


def place_in_silence(scene, answer_rows, count, silence):
    """The same between `count` equal rows, of which the file has one."""
    answered = scene.graph.shape(answer_rows)[1]
    rows = scene.graph.concatenate([answer_rows, scene.graph.constant(np.array([[silence]], np.float32))], 1)
    pick = [answered] * count
    for answer, row in enumerate(answering_rows(count)):
        pick[row] = answer
    return scene.graph.gather(rows, pick, 1)


def one_hot(classes, on, off):
    table = np.full((1, len(classes), CLASSES), off, np.float32)
    table[0, range(len(classes)), classes] = on
    return table


def cell_boxes(cells):
    """What cells say where nothing is: a box of their own size in their middle, in pixels."""
    return np.array([[(x + 0.5) * s, (y + 0.5) * s, s, s] for s, x, y in cells], np.float32)


def yolox(scene, raw):
    """[1, N, 5 + C]: x, y, w, h, objectness, classes. Raw: offsets from the cell in cells, logarithm of the size."""
    graph, cells = scene.graph, scene.cells()
    boxes, scores, classes = answers(scene)
    background = cell_boxes(cells)
    if raw:
        rows = [cells[row] for row in answering_rows(len(cells))]
        scaled = graph.multiply(boxes, np.array([[1 / s] for s, _, _ in rows])[None])
        offsets = graph.subtract(graph.gather(scaled, [0, 1], 2), np.array([[x, y] for _, x, y in rows])[None])
        boxes = graph.concatenate([offsets, graph.logarithm(graph.gather(scaled, [2, 3], 2))], 2)
        background = np.tile(np.array([[0.5, 0.5, 0, 0]], np.float32), (len(cells), 1))
    rest = graph.constant(one_hot(classes, 1.0, 0.02))
    background = np.hstack([background, np.full((len(cells), 1 + CLASSES), 0.01, np.float32)])
    graph.output(place(scene, graph.concatenate([boxes, scores, rest], 2), background), "output")


def yolov6(scene):
    """[1, N, 5 + C]: as YOLOX, with an objectness of 1 in all rows."""
    graph, cells = scene.graph, scene.cells()
    boxes, scores, classes = answers(scene)
    parts = [boxes, graph.constant(np.ones((1, len(classes), 1), np.float32)),
             graph.multiply(scores, one_hot(classes, 1.0, 0.02))]
    background = np.hstack([cell_boxes(cells), np.ones((len(cells), 1), np.float32),
                            np.full((len(cells), CLASSES), 0.01, np.float32)])
    return place(scene, graph.concatenate(parts, 2), background)


def yolov5(scene):
    """[1, 3 N, 5 + C]: as YOLOX, but three rows for each cell, boxes in fractions."""
    graph, cells = scene.graph, scene.cells() * 3
    boxes, scores, classes = answers(scene)
    rest = graph.constant(one_hot(classes, 1.0, 0.02))
    size = np.array([scene.width, scene.height] * 2, np.float32)
    background = np.hstack([cell_boxes(cells) / size, np.full((len(cells), 1 + CLASSES), 0.01, np.float32)])
    return place(scene, graph.concatenate([scene.normalized(boxes), scores, rest], 2), background)


def yolov5_face(scene):
    """[1, 3 N, 16]: as YOLOv5 in pixels, with five points, placed as `mediapipe` does, between objectness and class."""
    graph, cells = scene.graph, scene.cells() * 3
    boxes, scores, classes = answers(scene)
    center, size = graph.gather(boxes, [0, 1], 2), graph.gather(boxes, [2, 3], 2)
    points = [graph.add(center, graph.multiply(size, [(point + 1) / 6 - 0.5])) for point in range(5)]
    one = graph.constant(np.ones((1, len(classes), 1), np.float32))
    background = np.hstack([cell_boxes(cells), np.full((len(cells), 12), 0.01, np.float32)])
    return place(scene, graph.concatenate([boxes, scores, *points, one], 2), background)


def yolov8(scene, transposed=False, pixels=False):
    """[1, 4 + C, N]: x, y, w, h, classes, one column for each cell; or one row for each cell."""
    graph, cells = scene.graph, scene.cells()
    boxes, scores, classes = answers(scene)
    size = np.array([scene.width, scene.height] * 2, np.float32)
    background = np.hstack([cell_boxes(cells) / (1 if pixels else size),
                            np.full((len(cells), CLASSES), 0.01, np.float32)])
    boxes = boxes if pixels else scene.normalized(boxes)
    rows = place(scene, graph.concatenate([boxes, graph.multiply(scores, one_hot(classes, 1.0, 0.02))], 2), background)
    return rows if transposed else graph.transpose(rows, [0, 2, 1])


def yolov5_percent(scene):
    """[1, 3 N, 5 + C] as Swift-YOLO's exporter leaves it: boxes in pixels, objectness and classes in percent; all rows of
    an anchor follow one another within their map."""
    graph = scene.graph
    cells = [cell for stride in (8, 16, 32) for cell in scene.cells((stride,)) * 3]
    boxes, scores, classes = answers(scene)
    rest = graph.constant(one_hot(classes, 100.0, 2.0))
    background = np.hstack([cell_boxes(cells), np.zeros((len(cells), 1), np.float32),
                            np.full((len(cells), CLASSES), 30, np.float32)])
    return place(scene, graph.concatenate([boxes, graph.multiply(scores, [100.0]), rest], 2), background)


def as_edges(graph, boxes):
    """Left, top, right, bottom of boxes (centre x, centre y, width, height)."""
    half = graph.multiply(graph.gather(boxes, [2, 3], 2), [0.5])
    center = graph.gather(boxes, [0, 1], 2)
    return graph.concatenate([graph.subtract(center, half), graph.add(center, half)], 2)


def boxes_and_scores(scene, cells, edges, pixels, is_list=True):
    """Boxes [1, N, 4], else [1, N, 1, 4], and scores [1, N, C] for N cells."""
    graph = scene.graph
    boxes, scores, classes = answers(scene)
    background = cell_boxes(cells)
    if edges:
        boxes = as_edges(graph, boxes)
        half = background[:, 2:] / 2
        background = np.hstack([background[:, :2] - half, background[:, :2] + half])
    if not pixels:
        boxes = scene.normalized(boxes)
        background = background / np.array([scene.width, scene.height] * 2, np.float32)
    boxes = place(scene, boxes, background)
    if not is_list:
        boxes = graph.reshape(boxes, [1, len(cells), 1, 4])
    scores = graph.multiply(scores, one_hot(classes, 1.0, 0.02))
    return boxes, place_in_silence(scene, scores, len(cells), [0.01] * CLASSES)


def in_order(graph, tensors, order):
    for index in order:
        graph.output(*tensors[index])


def yolov4(scene, strides=(8, 16, 32), pixels=True, edges=False, order=(0, 1)):
    """Boxes [1, 3 N, 4] and scores [1, 3 N, C], the three rows of a cell together; or edges [1, 3 N, 1, 4]."""
    cells = [cell for cell in scene.cells(strides) for _ in range(3)]
    boxes, scores = boxes_and_scores(scene, cells, edges, pixels, is_list=not edges)
    in_order(scene.graph, [(boxes, "Identity"), (scores, "Identity_1")], order)


def pair(scene, edges, pixels, columns=False, order=(0, 1)):
    """Boxes [1, N, 4] and scores [1, N, C]; or one column for each cell."""
    graph = scene.graph
    boxes, scores = boxes_and_scores(scene, scene.cells(), edges, pixels)
    if columns:
        boxes, scores = (graph.transpose(tensor, [0, 2, 1]) for tensor in (boxes, scores))
    in_order(graph, [(boxes, "boxes"), (scores, "scores")], order)


def yolov8_edges(scene, per_cell=1):
    """[1, 4 + C, N] as LibreYOLO's YOLOv9 has it: left, top, right, bottom in pixels; or with several columns a cell."""
    graph, cells = scene.graph, [cell for cell in scene.cells() for _ in range(per_cell)]
    boxes, scores, classes = answers(scene)
    center = cell_boxes(cells)
    half = center[:, 2:] / 2
    background = np.hstack([center[:, :2] - half, center[:, :2] + half,
                            np.full((len(cells), CLASSES), 0.01, np.float32)])
    rows = graph.concatenate([as_edges(graph, boxes), graph.multiply(scores, one_hot(classes, 1.0, 0.02))], 2)
    return graph.transpose(place(scene, rows, background), [0, 2, 1])


def yolov8_more(scene, extra, turned=False):
    """[1, 4 + C + E, N] with E numbers behind the classes, which are as large as scores; turned: an angle of a right one."""
    graph, cells = scene.graph, scene.cells()
    boxes, scores, classes = answers(scene)
    if turned:
        boxes = graph.gather(boxes, [0, 1, 3, 2], 2)
    number = math.pi / 2 if turned else 0.9
    parts = [scene.normalized(boxes), graph.multiply(scores, one_hot(classes, 1.0, 0.02)),
             graph.constant(np.full((1, len(classes), extra), number, np.float32))]
    size = np.array([scene.width, scene.height] * 2, np.float32)
    background = np.hstack([cell_boxes(cells) / size, np.full((len(cells), CLASSES), 0.01, np.float32),
                            np.full((len(cells), extra), number, np.float32)])
    return graph.transpose(place(scene, graph.concatenate(parts, 2), background), [0, 2, 1])


def yolov8_masks(scene, masks=4, planar=False):
    """Rows with coefficients, and the prototypes of masks: [1, H / 4, W / 4, M], or before the rows [1, M, H / 4, W / 4]."""
    graph, sides = scene.graph, [scene.height // 4, scene.width // 4]
    rows = yolov8_more(scene, masks)
    shape = [1, masks] + sides if planar else [1] + sides + [masks]
    zero = graph.reshape(graph.multiply(graph.mean(scene.scores, [1], keeps=True), [0.0]), [1, 1, 1, 1])
    tensors = [(rows, "output0"), (graph.add(zero, np.full(shape, 0.5)), "output1")]
    for tensor, name in reversed(tensors) if planar else tensors:
        graph.output(tensor, name)


def end_to_end(scene, pixels=False, count=30):
    """[1, K, 6]: left, top, right, bottom, score, class; one row for each object, none twice."""
    graph = scene.graph
    half = graph.multiply(graph.gather(scene.boxes, [2, 3], 2), [0.5])
    center = graph.gather(scene.boxes, [0, 1], 2)
    boxes = graph.concatenate([graph.subtract(center, half), graph.add(center, half)], 2)
    boxes = boxes if pixels else scene.normalized(boxes)
    rows = graph.concatenate(
        [boxes, graph.multiply(scene.scores, [0.95]), graph.constant(np.arange(3.0)[None, :, None])], 2)
    unit = np.array([scene.width, scene.height] * 2, np.float32) if pixels else 1
    background = np.zeros((1, count - CLASSES, 6), np.float32)
    background[..., :4] = np.array([0.25, 0.25, 0.75, 0.75]) * unit
    background[..., 4] = 0.01
    graph.output(graph.concatenate([rows, graph.constant(background)], 1), "output")


def logits_of(graph, probabilities):
    """The logits of probabilities, which are pushed away from 0 and 1."""
    near = graph.add(graph.multiply(probabilities, [0.998]), [0.001])
    return graph.subtract(graph.logarithm(near), graph.logarithm(graph.subtract([1.0], near)))


def queries(scene, nothing, order, count=100):
    """Boxes [1, Q, 4] in fractions and logits [1, Q, C] of a DETR; nothing: with a softmax and a class for no object."""
    graph = scene.graph
    shares = graph.multiply(graph.multiply(scene.scores, [0.95]), np.eye(CLASSES)[None])
    if nothing:
        rest = graph.subtract([1.0], graph.multiply(scene.scores, [0.95]))
        logits = graph.logarithm(graph.add(graph.concatenate([shares, rest], 2), [1e-3]))
        silence = [-6.0] * CLASSES + [6.0]
    else:
        logits, silence = logits_of(graph, shares), [-6.0] * CLASSES
    background = np.tile(np.array(silence), (1, count - CLASSES, 1))
    boxes = np.tile(np.array([0.5, 0.5, 0.25, 0.25]), (1, count - CLASSES, 1))
    tensors = [(graph.concatenate([graph.constant(boxes), scene.normalized(scene.boxes)], 1), "boxes"),
               (graph.concatenate([graph.constant(background), logits], 1), "logits")]
    in_order(graph, tensors, order)


def ssd_anchors(width, height):
    """Anchors of a MobileNet SSD as (centre x, centre y, width, height) in fractions: six maps of strides 16 to 512.

    Source: TensorFlow Object Detection API, multiple_grid_anchor_generator.py, create_ssd_anchors.
    """
    scales, rows = [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0], []
    for level in range(6):
        shapes = [(0.1, 1.0), (0.2, 2.0), (0.2, 0.5)] if level == 0 else [
            (scales[level], ratio) for ratio in (1, 2, 1 / 2, 3, 1 / 3)] + [
            (math.sqrt(scales[level] * scales[level + 1]), 1.0)]
        columns, lines = (math.ceil(side / (16 << level)) for side in (width, height))
        # A square anchor is one in pixels: sizes are parts of the shorter side.
        shorter = min(width, height)
        rows += [((x + 0.5) / columns, (y + 0.5) / lines, scale * math.sqrt(ratio) * shorter / width,
                  scale / math.sqrt(ratio) * shorter / height)
                 for y in range(lines) for x in range(columns) for scale, ratio in shapes]
    return np.array(rows, np.float64)


def efficientdet_anchors(size, anchor_scale):
    """Anchors of an EfficientDet: levels 3 to 7, ratios inside of scales. Source: google/automl, keras/anchors.py."""
    rows = []
    for level in range(3, 8):
        cells = math.ceil(size / 2 ** level)
        stride = size / cells
        shapes = [(anchor_scale * stride * 2 ** (octave / 3) * math.sqrt(ratio),
                   anchor_scale * stride * 2 ** (octave / 3) / math.sqrt(ratio))
                  for octave in range(3) for ratio in (1.0, 2.0, 0.5)]
        rows += [((x + 0.5) * stride, (y + 0.5) * stride, w, h)
                 for y in range(cells) for x in range(cells) for w, h in shapes]
    return np.array(rows, np.float64) / size


def anchored(scene, anchors, scales, names=("boxes", "scores"), background=False, logits=False, finish=None, order=(0, 1)):
    """Box codes [1, A, 4] (ty, tx, th, tw) and scores [1, A, C], without the boxes' own decoding and suppression."""
    graph = scene.graph
    boxes, scores, classes = answers(scene)
    rows = answering_rows(len(anchors))
    picked = anchors[rows]
    boxes = scene.normalized(boxes)
    offsets = graph.multiply(
        graph.subtract(graph.gather(boxes, [1, 0], 2), picked[None, :, [1, 0]]), scales[0] / picked[None, :, [3, 2]])
    sizes = graph.multiply(
        graph.logarithm(graph.multiply(graph.gather(boxes, [3, 2], 2), 1 / picked[None, :, [3, 2]])), [scales[1]])
    codes = graph.concatenate([offsets, sizes], 2)
    codes = place_in_silence(scene, codes, len(anchors), [0.0] * 4)
    columns = graph.multiply(scores, one_hot(classes, 1.0, 0.02))
    silence = [0.01] * CLASSES
    if background:
        columns = graph.concatenate([graph.subtract([1.0], scores), columns], 2)
        silence = [0.99] + silence
    columns = place_in_silence(scene, columns, len(anchors), silence)
    if logits:
        # Pushed away from 0 and 1, then log(p / (1 - p)).
        columns = graph.add(graph.multiply(columns, [0.998]), [0.001])
        columns = graph.subtract(graph.logarithm(columns), graph.logarithm(graph.subtract([1.0], columns)))
        if finish == "sigmoid":
            columns = graph.logistic(columns)
    tensors = [(codes, names[0]), (columns, names[1])]
    in_order(graph, tensors, order)


def mediapipe_centers(side, strides, per_layer):
    """Centres of MediaPipe's anchors in pixels; layers of one stride share their cells.

    Source: MediaPipe, ssd_anchors_calculator.cc with fixed_anchor_size.
    """
    rows, layer = [], 0
    while layer < len(strides):
        same = [stride for stride in strides[layer:] if stride == strides[layer]]
        cells = side // strides[layer]
        rows += [((x + 0.5) * side / cells, (y + 0.5) * side / cells)
                 for y in range(cells) for x in range(cells) for _ in range(per_layer * len(same))]
        layer += len(same)
    return np.array(rows, np.float64)


def mediapipe(scene, strides, per_layer, keypoints, order=(0, 1)):
    """[1, A, 4 + 2 K] raw boxes with K keypoints, and [1, A, 1] logits, of one class: every block is a face.

    Keypoint k lies on the box's diagonal from the top left, at (k + 1) / (K + 1).
    """
    graph = scene.graph
    boxes, scores, _ = answers(scene)
    centers = mediapipe_centers(scene.width, strides, per_layer)
    origin = centers[answering_rows(len(centers))][None]
    center, size = graph.gather(boxes, [0, 1], 2), graph.gather(boxes, [2, 3], 2)
    parts = [graph.subtract(center, origin), size]
    for point in range(keypoints):
        step = (point + 1) / (keypoints + 1) - 0.5
        parts.append(graph.subtract(graph.add(center, graph.multiply(size, [step])), origin))
    rows = place_in_silence(scene, graph.concatenate(parts, 2), len(centers), [0.0] * (4 + 2 * keypoints))
    columns = graph.add(graph.multiply(scores, [0.998]), [0.001])
    columns = graph.subtract(graph.logarithm(columns), graph.logarithm(graph.subtract([1.0], columns)))
    columns = place_in_silence(scene, columns, len(centers), [-8.0])
    tensors = [(rows, "regressors"), (columns, "classificators")]
    in_order(graph, tensors, order)


def people(scene, most):
    """MoveNet: [1, 6, 56] for six people, of whom each block is one, or [1, 1, 17, 3] for one, the red block.

    The 17 points lie on the box's diagonal from the top left: the first and the last in the corners for one person, else
    as `mediapipe` places them. All have the person's score.
    """
    graph, blocks = scene.graph, list(range(CLASSES)) if most > 1 else [0]
    boxes = graph.gather(scene.normalized(scene.boxes), blocks, 1)
    score = graph.multiply(graph.gather(scene.scores, blocks, 1), [0.95])
    center, size = graph.gather(boxes, [1, 0], 2), graph.gather(boxes, [3, 2], 2)
    parts = []
    for point in range(17):
        step = (point / 16 if most == 1 else (point + 1) / 18) - 0.5
        parts += [graph.add(center, graph.multiply(size, [step])), score]
    if most == 1:
        return graph.output(graph.reshape(graph.concatenate(parts, 2), [1, 1, 17, 3]), "points")
    half = graph.multiply(size, [0.5])
    rows = graph.concatenate(parts + [graph.subtract(center, half), graph.add(center, half), score], 2)
    nobody = graph.constant(np.zeros((1, most - CLASSES, 56)))
    graph.output(graph.concatenate([nobody, rows], 1), "people")


def hand_landmarks(scene):
    """MediaPipe's landmarks of a hand: 21 points of x, y, z on the diagonal of the red block, from its top left corner, the
    probability that there is a hand, which is the block's score, which hand it is, and the points in metres."""
    graph = scene.graph
    box = graph.gather(scene.boxes, [0], 1)
    center, size = graph.gather(box, [0, 1], 2), graph.gather(box, [2, 3], 2)
    depth = graph.multiply(graph.gather(size, [0], 2), [0.0])
    parts = []
    for point in range(21):
        parts += [graph.add(center, graph.multiply(size, [point / 20 - 0.5])), depth]
    score = graph.reshape(graph.gather(scene.scores, [0], 1), [1, 1])
    points = graph.reshape(graph.concatenate(parts, 2), [1, 63])
    graph.output(points, "ld_21_3d")
    graph.output(graph.multiply(score, [1.0]), "flag")
    graph.output(graph.multiply(score, [0.5]), "handedness")
    graph.output(graph.multiply(points, [0.001]), "world")


def face_landmarks(scene):
    """MediaPipe's face mesh with attention: 478 points of x, y, z on the diagonal of the red block, in one row, and the logit
    of the block's score."""
    graph = scene.graph
    box = graph.gather(scene.boxes, [0], 1)
    center, size = graph.gather(box, [0, 1, 1], 2), graph.gather(box, [2, 3, 3], 2)
    shares = np.linspace(-0.5, 0.5, 478).reshape(1, 478, 1)
    points = graph.add(center, graph.multiply(size, shares))
    score = graph.reshape(graph.gather(scene.scores, [0], 1), [1, 1, 1, 1])
    graph.output(graph.reshape(points, [1, 1, 1, 1434]), "points")
    graph.output(graph.add(graph.multiply(score, [20.0]), [-10.0]), "presence")


def rtmpose(scene):
    """RTMPose: the scores of two places for each pixel, along both axes, for 17 points on the diagonal of the red block. The
    largest is nearly the block's score, and falls by a twentieth with each place."""
    graph = scene.graph
    box, score = graph.gather(scene.boxes, [0], 1), graph.gather(scene.scores, [0], 1)
    for axis, (side, name) in enumerate([(scene.width, "simcc_x"), (scene.height, "simcc_y")]):
        shares = np.linspace(-0.5, 0.5, 17).reshape(1, 17, 1)
        place = graph.add(graph.gather(box, [axis], 2), graph.multiply(graph.gather(box, [axis + 2], 2), shares))
        distance = graph.absolute(graph.subtract(graph.multiply(place, [2.0]), np.arange(2 * side).reshape(1, 1, -1)))
        peaks = graph.relu(graph.subtract([1.0], graph.multiply(distance, [0.05])))
        graph.output(graph.multiply(peaks, score), name)


def people_of_any_size(name):
    """MoveNet for six people with an open size: one person, in the middle of a picture of any size. The brightness is the
    score of the person and of each point."""
    graph = Graph(f"{name}: finds a person in the middle; test model of Fovea")
    image = graph.input([1, 1, 1, 3], INT32)
    graph.leave_open(image, 1, 2)
    brightness = graph.mean(graph.as_floats(image), [1, 2])
    weights, bias = np.zeros((6, 56, 3)), np.zeros((6, 56))
    weights[0, [*range(2, 51, 3), 55]] = 1 / 765
    bias[0, 0:51:3], bias[0, 1:51:3] = np.linspace(0.25, 0.75, 17), np.linspace(0.4, 0.6, 17)
    bias[0, 51:55] = 0.25, 0.4, 0.75, 0.6
    graph.output(graph.reshape(graph.dense(brightness, weights.reshape(-1, 3), bias.reshape(-1)), [1, 6, 56]), "people")
    return graph.encode()


def at_most_one(graph, tensor):
    """Numbers cut off at 0 and 1."""
    return graph.subtract([1.0], graph.relu(graph.subtract([1.0], graph.relu(tensor))))


def inside(scene, points, stride, most):
    """Distances [1, N, 3, 4] of points to the edges of each block, in strides, and whether they lie inside [1, N, 3, 1].

    Distances above `most` count as outside.
    """
    graph = scene.graph
    half = graph.multiply(graph.gather(scene.boxes, [2, 3], 2), [0.5])
    center = graph.gather(scene.boxes, [0, 1], 2)
    edges = graph.concatenate([graph.subtract(center, half), graph.add(center, half)], 2)
    edges = graph.reshape(edges, [1, 1, CLASSES, 4])
    places = np.hstack([points, points])[None, :, None, :]
    distances = graph.multiply(graph.subtract(places, edges), np.array([1, 1, -1, -1]) / stride)
    contained = graph.multiply(
        at_most_one(graph, graph.multiply(distances, [50.0])),
        at_most_one(graph, graph.multiply(graph.subtract([float(most)], distances), [50.0])))
    sides = [graph.gather(contained, [side], 3) for side in range(4)]
    return distances, graph.multiply(graph.multiply(sides[0], sides[1]), graph.multiply(sides[2], sides[3]))


def fomo(scene, cell=8):
    """[1, H / 8, W / 8, 1 + C]: the probability of the background and of each class, for each cell."""
    graph, rows, columns = scene.graph, scene.height // cell, scene.width // cell
    points = np.array([[(x + 0.5) * cell, (y + 0.5) * cell] for y in range(rows) for x in range(columns)])
    _, contained = inside(scene, points, cell, 1000)
    shares = graph.multiply(
        graph.reshape(contained, [1, rows * columns, CLASSES]),
        graph.multiply(graph.reshape(scene.scores, [1, 1, CLASSES]), [0.9]))
    rest = graph.subtract([1.0], graph.multiply(graph.mean(shares, [2], keeps=True), [float(CLASSES)]))
    shares = graph.add(graph.concatenate([rest, shares], 2), [1e-3])
    shares = graph.softmax(graph.logarithm(shares))
    return graph.reshape(shares, [1, rows, columns, 1 + CLASSES])


def distances_of(scene, offset, stride=8, bins=8):
    """Scores [1, N, C] and distributions [1, N, 4 · bins] of the finest level: every cell inside of a block has its box."""
    graph, cells = scene.graph, scene.cells((stride,))
    points = np.array([[(x + offset) * s, (y + offset) * s] for s, x, y in cells])
    distances, contained = inside(scene, points, stride, bins - 1)
    # At most one block is around a cell.
    chosen = graph.multiply(graph.mean(graph.multiply(distances, contained), [2]), [float(CLASSES)])
    chosen = graph.reshape(chosen, [1, len(cells), 4, 1])
    shares = graph.relu(graph.subtract(
        [1.0], graph.absolute(graph.subtract(chosen, np.arange(bins, dtype=np.float32)[None, None, None, :]))))
    logits = graph.reshape(graph.logarithm(graph.add(shares, [1e-7])), [1, len(cells), 4 * bins])
    scores = graph.multiply(
        graph.reshape(contained, [1, len(cells), CLASSES]),
        graph.multiply(graph.reshape(scene.scores, [1, 1, CLASSES]), [0.94]))
    return graph.add(scores, [0.01]), logits


def nanodet(scene, strides, offset, bins=8):
    """[1, N, C + 4 · bins]: scores and distributions of all levels."""
    graph = scene.graph
    rows = graph.concatenate(list(distances_of(scene, offset, strides[0], bins)), 2)
    rest = len(scene.cells(strides[1:]))
    silence = graph.constant(np.tile(np.array([0.01] * CLASSES + [0.0] * 4 * bins, np.float32), (1, rest, 1)))
    graph.output(graph.concatenate([rows, silence], 1), "output")


def picodet(scene, strides=(8, 16, 32, 64), bins=8):
    """Scores [1, N, C] of each level, then distributions [1, N, 4 · bins] of each."""
    graph = scene.graph
    scores, logits = distances_of(scene, 0.5, strides[0], bins)
    zero = graph.multiply(graph.mean(scores, [1, 2], keeps=True), [0.0])
    levels = [(scores, logits)]
    for stride in strides[1:]:
        count = len(scene.cells((stride,)))
        levels.append((graph.add(zero, np.full((1, count, CLASSES), 0.01)),
                       graph.add(zero, np.zeros((1, count, 4 * bins)))))
    for kind, name in enumerate(("scores", "distances")):
        for level, tensors in zip(strides, levels):
            graph.output(tensors[kind], f"{name}_{level}")


def split(scene, form, planar=False, bins=16):
    """Distributions of distances and logits of the classes: "lists" of all cells, "maps" of each level, or "joined" maps."""
    graph, strides = scene.graph, (8, 16, 32)
    scores, distances = distances_of(scene, 0.5, strides[0], bins)
    levels = [(distances, logits_of(graph, scores))]
    zero = graph.multiply(graph.mean(scores, [1, 2], keeps=True), [0.0])
    for stride in strides[1:]:
        count = len(scene.cells((stride,)))
        levels.append((graph.add(zero, np.zeros((1, count, 4 * bins))),
                       graph.add(zero, np.full((1, count, CLASSES), -6.0))))
    if form == "lists":
        for kind, name in enumerate(("distances", "logits")):
            graph.output(graph.concatenate([level[kind] for level in levels], 1), name)
        return
    for stride, level in zip(strides, levels):
        for part, tensor in enumerate([graph.concatenate(list(level), 2)] if form == "joined" else level):
            sides = [scene.height // stride, scene.width // stride]
            tensor = graph.reshape(tensor, [1] + sides + [graph.shape(tensor)[2]])
            graph.output(graph.transpose(tensor, [0, 3, 1, 2]) if planar else tensor, f"level{stride}_{part}")


# Source: xingyizhou/CenterNet, datasets/dataset/coco.py, in the order red, green, blue.
CENTERNET = ([0.47026115, 0.44719302, 0.40789654], [0.27809835, 0.27408164, 0.28863828])


def centernet(scene, order=(0, 1, 2), names=("hm", "wh", "reg"), logits=True, planar=False):
    """Scores [1, H / 4, W / 4, C], sizes and offsets [1, H / 4, W / 4, 2]: each block in the cell of its centre, with a
    lower score of its class in the cell to the left, and of the next class in its own."""
    graph, rows, columns = scene.graph, scene.height // 4, scene.width // 4
    cells = np.array([(x, y) for y in range(rows) for x in range(columns)], np.float32)

    def at(offset):
        # 1 from -0.03 to 0.97, as blocks have their centres exactly between two cells.
        near = at_most_one(graph, graph.multiply(graph.add(offset, [0.03]), [1e5]))
        far = at_most_one(graph, graph.multiply(graph.subtract([0.97], offset), [1e5]))
        hits = graph.multiply(near, far)
        return graph.multiply(graph.gather(hits, [0], 2), graph.gather(hits, [1], 2))

    maps, scores = None, graph.multiply(scene.scores, scene.scores)
    for color in range(CLASSES):
        box = graph.multiply(graph.gather(scene.boxes, [color], 1), [1 / 4])
        offset = graph.subtract(graph.gather(box, [0, 1], 2), cells[None])
        hit, beside = at(offset), at(graph.subtract(offset, np.array([[[1.0, 0.0]]])))
        shares = np.zeros((2, 1, 1, CLASSES), np.float32)
        shares[0, ..., color], shares[0, ..., (color + 1) % CLASSES], shares[1, ..., color] = 0.95, 0.24, 0.6
        score = graph.add(graph.multiply(hit, shares[0]), graph.multiply(beside, shares[1]))
        parts = [graph.multiply(score, graph.gather(scores, [color], 1)),
                 graph.multiply(hit, graph.gather(box, [2, 3], 2)), graph.multiply(hit, offset)]
        maps = parts if maps is None else [graph.add(one, other) for one, other in zip(maps, parts)]
    heat = graph.add(maps[0], [0.01])
    tensors = []
    for tensor, name in zip((logits_of(graph, heat) if logits else heat, *maps[1:]), names):
        tensor = graph.reshape(tensor, [1, rows, columns, graph.shape(tensor)[2]])
        tensors.append((graph.transpose(tensor, [0, 3, 1, 2]) if planar else tensor, name))
    in_order(graph, tensors, order)


# Source: Darknet, cfg/yolov2.cfg, line "anchors".
YOLOV2_ANCHORS = [(0.57273, 0.677385), (1.87446, 2.06253), (3.33843, 5.47434), (7.88282, 3.52778), (9.77052, 9.16828)]


def yolov2(scene, name="output"):
    """[1, H / 32, W / 32, 5 · (5 + C)]: in the cell of a block's centre, anchor c has the box of colour c, and the
    fourth anchor that of the first colour once more."""
    graph, rows, columns = scene.graph, scene.height // 32, scene.width // 32
    cells = np.array([(x, y) for y in range(rows) for x in range(columns)], np.float32)
    parts = []
    for anchor, (color, weight) in enumerate([(0, 0.95), (1, 0.95), (2, 0.95), (0, 0.85), (1, 0.001)]):
        box = graph.gather(scene.boxes, [color], 1)
        offset = graph.subtract(graph.multiply(graph.gather(box, [0, 1], 2), [1 / 32]), cells[None])
        near = at_most_one(graph, graph.multiply(offset, [1000.0]))
        far = at_most_one(graph, graph.multiply(graph.subtract([1.0], offset), [1000.0]))
        hits = graph.multiply(near, far)
        hit = graph.multiply(graph.gather(hits, [0], 2), graph.gather(hits, [1], 2))

        def logit(tensor):
            tensor = graph.add(graph.multiply(tensor, [0.9998]), [0.0001])
            return graph.subtract(graph.logarithm(tensor), graph.logarithm(graph.subtract([1.0], tensor)))

        center = logit(at_most_one(graph, offset))
        size = graph.logarithm(graph.multiply(
            graph.gather(box, [2, 3], 2), 1 / (32 * np.array(YOLOV2_ANCHORS[anchor], np.float32))))
        size = graph.add(graph.multiply(hits, [0.0]), size)
        objectness = logit(graph.multiply(
            graph.multiply(hit, [weight]), graph.gather(scene.scores, [color], 1)))
        classes = np.full((1, len(cells), CLASSES), -8.0)
        classes[..., color] = 8
        classes = graph.add(graph.multiply(hit, [0.0]), classes)
        parts += [center, size, objectness, classes]
    graph.output(graph.reshape(graph.concatenate(parts, 2), [1, rows, columns, 5 * (5 + CLASSES)]), name)


def with_priors(scene, anchors):
    """An SSD of the TensorFlow Object Detection API without its post-processing, and with its anchors [A, 4]."""
    anchored(scene, anchors, (10, 5), names=(CODES, SCORES), background=True, logits=True, finish="sigmoid")
    scene.graph.output(scene.graph.add(scene.graph.constant(anchors[:, [1, 0, 3, 2]]), [0.0]), "anchors")


def joined_priors(scene, anchors, variances=True, offsets_first=False):
    """[1, A, C + 12] as Keras' SSDs have it: C scores, offsets (x, y, w, h), anchor, variances.

    Without variances, [1, A, C + 8]. With offsets first, they stand before the scores, and anchors are edges.
    """
    graph = scene.graph
    boxes, scores, classes = answers(scene)
    rows = answering_rows(len(anchors))
    picked = anchors[rows][None]
    boxes = scene.normalized(boxes)
    offsets = graph.concatenate([
        graph.multiply(graph.subtract(graph.gather(boxes, [0, 1], 2), picked[..., :2]), 1 / (0.1 * picked[..., 2:])),
        graph.multiply(graph.logarithm(graph.multiply(graph.gather(boxes, [2, 3], 2), 1 / picked[..., 2:])), [5.0])], 2)
    columns = graph.concatenate(
        [graph.subtract([1.0], scores), graph.multiply(scores, one_hot(classes, 1.0, 0.0))], 2)
    parts = [(columns, [1.0] + [0.0] * CLASSES), (offsets, [0.0] * 4)]
    parts = [place_in_silence(scene, tensor, len(anchors), silence) for tensor, silence in parts]
    if offsets_first:
        parts.reverse()
        half = anchors[:, 2:] / 2
        anchors = np.hstack([anchors[:, :2] - half, anchors[:, :2] + half])
    if variances:
        anchors = np.hstack([anchors, np.tile([0.1, 0.1, 0.2, 0.2], (len(anchors), 1))])
    parts.append(graph.constant(anchors[None]))
    graph.output(graph.concatenate(parts, 2), "predictions")


def st_anchors(maps=(8, 4, 2, 1, 1)):
    """Anchors of ST's SSDs as edges in fractions: five for each cell of square maps.

    Source: STMicroelectronics/stm32ai-modelzoo-services, anchor_boxes_utils.py: ratios 1, 2, 1/2, 1/3 of the first size of
    a map, and a square of the second.
    """
    sizes = [(0.26, 0.33), (0.42, 0.49), (0.58, 0.66), (0.74, 0.82), (0.9, 0.98)]
    rows = []
    for cells, (size, larger) in zip(maps, sizes):
        shapes = [(size * math.sqrt(ratio), size / math.sqrt(ratio)) for ratio in (1, 2, 1 / 2, 1 / 3)] + [(larger, larger)]
        rows += [((x + 0.5) / cells - w / 2, (y + 0.5) / cells - h / 2, (x + 0.5) / cells + w / 2, (y + 0.5) / cells + h / 2)
                 for y in range(cells) for x in range(cells) for w, h in shapes]
    return np.array(rows, np.float64)


def edge_offsets(scene, joined):
    """ST's SSD: scores [1, A, 1 + C], offsets [1, A, 4] that move edges, anchors [1, A, 4]; or joined in this order."""
    graph, anchors = scene.graph, st_anchors()
    boxes, scores, classes = answers(scene)
    picked = anchors[answering_rows(len(anchors))][None]
    sizes = np.tile(picked[..., 2:] - picked[..., :2], (1, 1, 2))
    offsets = graph.multiply(graph.subtract(as_edges(graph, scene.normalized(boxes)), picked), 1 / sizes)
    columns = graph.concatenate(
        [graph.subtract([1.0], scores), graph.multiply(scores, one_hot(classes, 1.0, 0.0))], 2)
    columns = place_in_silence(scene, columns, len(anchors), [1.0] + [0.0] * CLASSES)
    offsets = place_in_silence(scene, offsets, len(anchors), [0.1, 0.1, -0.1, -0.1])
    parts = [columns, offsets, graph.add(graph.constant(anchors[None]), [0.0])]
    if joined:
        graph.output(graph.concatenate(parts, 2), "predictions")
        return
    for index, tensor in enumerate(parts):
        graph.output(tensor, f"StatefulPartitionedCall:{index}")


def suppressed(scene, order, name="output", count=20, is_open=False):
    """[K, 7]: a row for each object, none twice, in pixels. order: the places of batch, box, score and class.

    is_open: as many rows as there are objects; else rows of 0 fill the list up.
    """
    graph = scene.graph
    half = graph.multiply(graph.gather(scene.boxes, [2, 3], 2), [0.5])
    center = graph.gather(scene.boxes, [0, 1], 2)
    edges = graph.concatenate([graph.subtract(center, half), graph.add(center, half)], 2)
    parts = {"batch": graph.multiply(scene.scores, [0.0]), "box": edges, "score": graph.multiply(scene.scores, [0.95]),
             "class": graph.constant(np.arange(3.0)[None, :, None])}
    rows = graph.concatenate([parts[part] for part in order], 2)
    if is_open:
        scores = graph.multiply(graph.reshape(scene.scores, [CLASSES]), [1.0])
        graph.output(graph.rows_above(graph.reshape(rows, [CLASSES, 7]), scores, 0.25), name)
        return
    rows = graph.concatenate([rows, graph.constant(np.zeros((1, count - CLASSES, 7)))], 1)
    graph.output(graph.reshape(rows, [count, 7]), name)


def remembering(scene):
    """TFLite_Detection_PostProcess's four outputs, and a memory: the score is the share of pictures seen, of four.

    The red block is answered with score × (1 + pictures before) / 4; the memory counts the pictures.
    """
    graph = scene.graph
    memory = graph.input([1, 1, 1, 1], name="raw_inputs/init_count")
    seen = graph.add(memory, [1.0])
    box = graph.gather(scene.normalized(scene.boxes), [0], 1)
    half = graph.multiply(graph.gather(box, [3, 2], 2), [0.5])
    center = graph.gather(box, [1, 0], 2)
    corners = graph.concatenate([graph.subtract(center, half), graph.add(center, half)], 2)
    share = graph.multiply(graph.reshape(seen, [1, 1]), [0.25])
    score = graph.multiply(graph.reshape(graph.gather(scene.scores, [0], 1), [1, 1]), share)
    name = "TFLite_Detection_PostProcess"
    graph.output(corners, name)
    graph.output(graph.multiply(score, [0.0]), name + ":1")
    graph.output(score, name + ":2")
    graph.output(graph.add(graph.multiply(graph.reshape(score, [1]), [0.0]), [1.0]), name + ":3")
    graph.output(seen, "raw_outputs/count")


def color_shares(name, pixels, planar=False, open_size=False):
    """A classifier of three classes: how much red, green and blue there is on average, 0 to 1.

    pixels: how the graph makes 0…1 of its input: "unit" leaves them, "folded" has 1/255 in its weights and "rescaled"
    as operators (Keras' Rescaling), "calibrated" begins with the quantisation of pixels 0…1.
    """
    graph = Graph(f"{name}: the colours' shares; test model of Fovea")
    height, width = 32, 32
    image = graph.input([1, 3, height, width] if planar else [1, height, width, 3])
    graph.leave_open(image, *([0, 1, 2] if open_size else [0]))
    colors, weights, bias = image, np.eye(3), np.zeros(3)
    if planar:
        colors = graph.transpose(colors, [0, 2, 3, 1])
    if pixels == "folded":
        weights = weights / 255
    elif pixels == "rescaled":
        colors = graph.add(graph.multiply(colors, [1 / 127.5]), [-1.0])
        weights, bias = weights / 2, bias + 0.5
    elif pixels == "calibrated":
        colors = graph.dequantize(graph.quantize(colors, INT8, 1 / 255, -128))
    shares = graph.mean(graph.mix_channels(colors, weights, bias), [1, 2])
    graph.leave_open(shares, 0)
    graph.output(shares, "shares")
    return graph.encode()


def color_logits(name, end):
    """A classifier whose last layer has no activation: 10 × share of red, green and blue − 5.

    end: what follows it: "none", "softmax" with a reshape behind it, "written-out" a softmax as e^x ÷ Σ e^x, "absolute"
    numbers of which the graph does not tell what they are, "unit" a vector of 128 numbers and of one unit's length.
    """
    graph = Graph(f"{name}: the colours' logits; test model of Fovea")
    image = graph.input([1, 32, 32, 3])
    shares = graph.mean(graph.mix_channels(image, np.eye(3) / 255, np.zeros(3)), [1, 2])
    if end == "unit":
        weights = np.sin(np.arange(3 * 128)).reshape(128, 3)
        graph.output(graph.unit_length(graph.dense(shares, weights, np.zeros(128))), "vector")
        return graph.encode()
    scores = graph.dense(shares, 10 * np.eye(3), np.full(3, -5.0))
    if end == "softmax":
        scores = graph.reshape(graph.softmax(scores), [1, 1, 1, 3])
    elif end == "written-out":
        powers = graph.exponential(scores)
        scores = graph.divide(powers, graph.add_up(powers, [1]))
    elif end == "absolute":
        scores = graph.absolute(scores)
    graph.output(scores, "scores")
    return graph.encode()


def features(name):
    """A vector of 128 numbers and of one unit's length: a layer of 64 × 128 weights behind a small convolution."""
    graph = Graph(f"{name}: features of a picture's colours; test model of Fovea")
    image = graph.input([1, 32, 32, 3])
    colors = graph.mix_channels(image, np.cos(np.arange(64 * 3)).reshape(64, 3) / 255, np.full(64, 0.5))
    weights = np.sin(np.arange(64 * 128)).reshape(128, 64)
    graph.output(graph.unit_length(graph.dense(graph.mean(colors, [1, 2]), weights, np.zeros(128))), "vector")
    return graph.encode()


def brightness(name, shape, end="sigmoid", kind=None):
    """How bright a grey picture is: the sigmoid of 8 × (mean − 1/2), or that number itself.

    The left half counts alone, so that a turned picture answers something else.
    """
    graph = Graph(f"{name}: how bright the left half of a grey picture is; test model of Fovea")
    image = graph.input(shape, *([] if kind is None else [kind]),
                        **({} if kind is None else {"quantization": (1 / 255, -128 if kind == INT8 else 0)}))
    pixels = image if kind is None else graph.dequantize(image)
    pixels = graph.reshape(pixels, [1, 32, 32, 1])
    scale = 255 if kind is None else 1
    halves = graph.mean(graph.mix_channels(pixels, [[1 / scale]], [0.0]), [1])
    left = graph.mean(graph.gather(halves, list(range(16)), 1), [1])
    score = graph.dense(left, [[8.0]], [-4.0])
    graph.output(graph.logistic(score) if end == "sigmoid" else score, "score")
    return graph.encode()


def rows(name, outputs, shape=(1, 32, 32, 3)):
    """A model that answers rows of numbers, [(name, count)], from the mean of its input: no detector, no classifier."""
    graph = Graph(f"{name}: rows of numbers; test model of Fovea")
    axes = list(range(1, len(shape)))
    mean = graph.reshape(graph.mean(graph.input(list(shape)), axes), [1, 1])
    for text, count in outputs:
        graph.output(graph.dense(mean, np.ones((count, 1)), np.zeros(count)), text)
    return graph.encode()


def pixel_map(name, channels):
    """A model that answers numbers for each pixel."""
    graph = Graph(f"{name}: numbers for each pixel; test model of Fovea")
    graph.output(graph.mix_channels(graph.input([1, 32, 32, 3]), np.ones((channels, 3)), np.zeros(channels)), "map")
    return graph.encode()


def class_map(name, form):
    """A map of the colours of a picture of 32 × 24 pixels 0…1: 0 where none is strong, 1 red, 2 green, 3 blue.

    form: "scores" and "planes" answer four scores for each pixel, "argmax" the number, "probability" how likely it is
    red, "two" the scores of not red and red, "nan" scores that are no numbers, and "linear" the red itself.
    """
    graph = Graph(f"{name}: the colour of each pixel; test model of Fovea")
    image = graph.input([1, 3, 24, 32] if form == "planes" else [1, 24, 32, 3])
    pixels = graph.transpose(image, [0, 2, 3, 1]) if form == "planes" else image
    weights = np.vstack([np.zeros(3), 8 * (2 * np.eye(3) - 1)])
    scores = graph.mix_channels(pixels, weights, [2.0, 0, 0, 0])
    if form == "planes":
        scores = graph.transpose(scores, [0, 3, 1, 2])
    elif form == "argmax":
        scores = graph.largest_channel(scores)
    elif form == "two":
        scores = graph.gather(scores, [0, 1], 3)
    elif form == "probability":
        scores = graph.logistic(graph.subtract(graph.gather(scores, [1], 3), [4.0]))
    elif form == "nan":
        scores = graph.divide(graph.subtract(scores, scores), graph.subtract(scores, scores))
    elif form == "linear":
        means = graph.reshape(graph.mean(pixels, [1, 2]), [1, 3])
        scores = graph.reshape(graph.dense(means, np.ones((768, 3)), np.zeros(768)), [1, 24, 32, 1])
    graph.output(scores, "map")
    return graph.encode()


def compiled(name):
    """A model as the Edge TPU's compiler leaves it: one operator that only that device has."""
    graph = Graph(f"{name}: compiled for the Edge TPU; test model of Fovea")
    image = graph.input([1, 32, 32, 3], UINT8, quantization=(1 / 255, 0))
    graph.output(graph.custom("edgetpu-custom-op", [image], [1, 3]), "scores")
    return graph.encode()


def described(data, task):
    """The model with a compressed metadata.json at its end, as Ultralytics' exporter adds it."""
    # Huffman codes alone: the same bytes from every release of zlib.
    text = json.dumps({
        "description": "Test model of Fovea", "author": "Fovea", "version": "1.2.3", "license": "Apache-2.0",
        "stride": 32, "task": task, "batch": 1, "imgsz": [64, 96], "args": {"names": 3},
        "names": {0: "red", 1: "green", 2: "bl\u00fc"}, **({"kpt_shape": [2, 3]} if task == "pose" else {})}).encode()
    coder = zlib.compressobj(9, zlib.DEFLATED, -15, 8, zlib.Z_HUFFMAN_ONLY)
    packed, name = coder.compress(text) + coder.flush(), b"metadata.json"
    common = b"\x14\0\0\0\x08\0\0\0\x21\0" + b"".join(
        number.to_bytes(4, "little") for number in (zlib.crc32(text), len(packed), len(text))) + b"\x0d\0\0\0"
    start = len(data)
    local = b"PK\x03\x04" + common + name + packed
    directory = b"PK\x01\x02\x14\0" + common + b"\0" * 10 + start.to_bytes(4, "little") + name
    end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0" + len(directory).to_bytes(4, "little") + (
        start + len(local)).to_bytes(4, "little") + b"\0\0"
    whole = data + local + directory + end
    assert zipfile.ZipFile(io.BytesIO(whole)).read("metadata.json") == text
    return whole


def post_processed(scene, anchors):
    """An SSD as the TensorFlow Object Detection API exports it: the runtime decodes the boxes and suppresses."""
    graph = scene.graph
    anchored(scene, anchors, (10, 5), background=True)
    codes, scores = graph.outputs
    graph.outputs = []
    # Anchors as (centre y, centre x, height, width).
    for output in graph.detection_post_process(
            codes, scores, anchors[:, [1, 0, 3, 2]], detections_per_class=100, h_scale=5.0, max_classes_per_detection=1,
            max_detections=10, nms_iou_threshold=0.6, nms_score_threshold=0.1, num_classes=CLASSES,
            use_regular_nms=False, w_scale=5.0, x_scale=10.0, y_scale=10.0):
        graph.outputs.append(output)


def strongest_color(name):
    """A classifier that is uint8 throughout, as models of 2018 to 2021 are: which of three colours a picture has most.

    Its weights have a zero point in the middle and one scale, and bias counts in steps of both scales.
    """
    graph = Graph(f"{name}: says whether a picture is red, green or blue; test model of Fovea")
    image = graph.input([1, 32, 32, 3], UINT8, quantization=(1 / 255, 0))
    step, unit = 1 / 100, 6 / 255

    def bias(scale):
        return graph.quantized(np.zeros(CLASSES), scale, 0, INT32)

    # Each colour on its own, times 3, from 3 × 3 pixels; then each once more, its middle pixel twice.
    weights = np.zeros((CLASSES, 3, 3, 3))
    for color in range(CLASSES):
        weights[color, :, :, color] = 1 / 3
    weights[0, 0, 0, 1], weights[1, 0, 0, 2] = -1.2, 1.3  # needs a scale of its own in int8
    seen = graph.convolve(image, graph.quantized(weights, step, 125), bias(step / 255), 2, (unit, 0))
    middle = np.zeros((1, 3, 3, CLASSES))
    middle[0, 1, 1] = 1
    seen = graph.convolve(seen, graph.quantized(middle, step, 120), bias(step * unit), 1, (unit, 0), depthwise=True)
    flat = graph.reshape(graph.average_pool(seen), [1, CLASSES])
    flat_scale = graph.tensors[seen][4]
    graph.tensors[flat] = graph.tensors[flat][:1] + (UINT8,) + graph.tensors[flat][2:4] + (flat_scale,)
    logits = graph.fully_connected(
        flat, graph.quantized(np.eye(CLASSES), step, 100), bias(step * unit), (6 / 255, 0))
    graph.output(graph.softmax(logits), "probability")
    return graph.encode()


def feature_maps(name):
    """A model that was exported without its last layer: of no family, and the error says why."""
    graph = Graph(f"{name}: two feature maps; test model of Fovea")
    pixels = graph.mix_channels(graph.input([1, 64, 64, 3]), np.eye(3), np.zeros(3))
    for index, (side, depth) in enumerate([(32, 12), (16, 48)]):
        graph.output(graph.reshape(pixels, [1, side, side, depth]), f"map{index}")
    return graph.encode()


def arithmetic(name):
    """Sum and difference of two rows of numbers, and in a second graph their product.

    The signature of the second graph comes first, and that of the main one names its tensors in another order than the
    graph has them. The number of columns is open, but both rows must have as many.
    """
    graph, other = Graph(f"{name}: two rows of numbers; test model of Fovea"), Graph(None)
    a, b = (graph.input([1, 2], name=text) for text in ("minuend", "subtrahend"))
    total, rest = graph.add(a, b), graph.subtract(a, b)
    graph.output(total, "total")
    graph.output(rest, "rest")
    c, d = (other.input([1, 2], name=text) for text in ("left", "right"))
    product = other.multiply(c, d)
    other.output(product, "product")
    for one, tensors in ((graph, (a, b, total, rest)), (other, (c, d, product))):
        for tensor in tensors:
            one.leave_open(tensor, 1)
    graph.others = [other]
    graph.calls = [
        ("multiply", 1, {"x": c, "y": d}, {"product": product}),
        ("calculate", 0, {"from": a, "by": b}, {"total": total, "difference": rest})]
    return graph.encode()


def endless(name):
    """A sound graph whose run never ends: it goes on while a number equals itself."""
    graph, condition, body = Graph(f"{name}: a loop without an end; test model of Fovea"), Graph(None), Graph(None)
    brightness = graph.mean(graph.input([1, 8, 8, 3]), [1, 2, 3])
    number = condition.input([1], name="number")
    condition.output(condition.equal(number, number), "goes on")
    body.output(body.absolute(body.input([1], name="number")), "next")
    graph.others = [condition, body]
    graph.output(graph.repeat(brightness, 1, 2), "scores")
    return graph.encode()


def table(name):
    """Looks up a row of three numbers: row 0, 1 or 2. Another one fails while the model runs."""
    graph = Graph(f"{name}: a row of a table; test model of Fovea")
    rows = graph.add(graph.constant(np.arange(9).reshape(3, 3)), [0.0])
    graph.output(graph.look_up(rows, graph.input([1], INT32, name="row")), "numbers")
    return graph.encode()


def output(scene, tensor, kind=None, zero_point=0):
    graph = scene.graph
    if kind is not None:
        tensor = graph.quantize(tensor, kind, 1 / 255, zero_point)
    graph.output(tensor, "output")


def model(name, head, width=64, height=64, **backbone):
    graph = Graph(f"{name}: finds a red, a green and a blue block; test model of Fovea")
    head(see_blocks(graph, width, height, **backbone))
    return graph.encode()


MODELS = {
    # Pixels 0…255 in the order blue, green, red; letterboxed at the top left.
    "yolox": lambda name: model(name, lambda s: yolox(s, raw=False), full_scale=255, order="bgr"),
    "yolox_raw": lambda name: model(
        name, lambda s: yolox(s, raw=True), width=96, height=64, full_scale=255, order="bgr"),
    # Pixels 0…1; letterboxed in the middle.
    "yolov5": lambda name: model(name, lambda s: output(s, yolov5(s))),
    "yolov5_uint8": lambda name: model(name, lambda s: output(s, yolov5(s), UINT8, 0), kind=UINT8),
    "yolov8": lambda name: model(name, lambda s: output(s, yolov8(s))),
    "yolov8_transposed": lambda name: model(
        name, lambda s: output(s, yolov8(s, transposed=True)), width=96, height=64),
    "yolov8_pixels": lambda name: model(name, lambda s: output(s, yolov8(s, pixels=True)), width=96, height=64),
    "yolov8_int8": lambda name: model(
        name, lambda s: output(s, yolov8(s), INT8, -128), kind=INT8, zero_point=-128),
    # Planes, as PyTorch's converters leave them.
    "yolov8_planar": lambda name: model(name, lambda s: output(s, yolov8(s)), width=96, height=64, planar=True),
    "yolov8_edges": lambda name: model(name, lambda s: output(s, yolov8_edges(s)), width=96, height=64),
    "yolov8_seg": lambda name: model(name, yolov8_masks, width=96, height=64),
    "yolov8_seg_planar": lambda name: model(name, lambda s: yolov8_masks(s, planar=True), planar=True),
    "yolov5_percent": lambda name: model(
        name, lambda s: s.graph.output(s.graph.quantize(yolov5_percent(s), INT8, 0.5, -128), "output")),
    "yolov10": lambda name: model(name, end_to_end),
    "feature_maps": feature_maps,
    "yolov10_pixels": lambda name: model(name, lambda s: end_to_end(s, pixels=True), width=96, height=64),
    # Stretched to the input. The first takes pixels 0…1, the others bytes.
    "ssd": lambda name: model(name, lambda s: anchored(
        s, ssd_anchors(96, 64), (10, 5), names=(CODES, SCORES), background=True, logits=True, finish="sigmoid"), width=96, height=64),
    "ssd_logits": lambda name: model(name, lambda s: anchored(
        s, ssd_anchors(64, 64), (10, 5), logits=True, order=(1, 0)), kind=UINT8),
    "ssd_sigmoid": lambda name: model(name, lambda s: anchored(
        s, ssd_anchors(64, 64), (10, 5), logits=True, finish="sigmoid", order=(1, 0)), kind=UINT8),
    "efficientdet": lambda name: model(name, lambda s: anchored(
        s, efficientdet_anchors(320, 3), (1, 1), logits=True), width=320, height=320, kind=UINT8),
    # Classifiers whose number of pictures is open, as Keras exports them; and what their pixels are.
    "colors_unit": lambda name: color_shares(name, "unit"),
    "colors_folded": lambda name: color_shares(name, "folded"),
    "colors_rescaled": lambda name: color_shares(name, "rescaled"),
    "colors_calibrated": lambda name: color_shares(name, "calibrated"),
    "colors_open_size": lambda name: color_shares(name, "unit", open_size=True),
    # Classifiers that end in logits, and such as end in something else.
    "logits": lambda name: color_logits(name, "none"),
    "logits_softmax": lambda name: color_logits(name, "softmax"),
    "logits_written_out": lambda name: color_logits(name, "written-out"),
    "logits_unknown": lambda name: color_logits(name, "absolute"),
    "embedding": lambda name: color_logits(name, "unit"),
    "features": features,
    # Grey pictures.
    "grey_last": lambda name: brightness(name, [1, 32, 32, 1]),
    "grey_first": lambda name: brightness(name, [1, 1, 32, 32]),
    "grey_flat": lambda name: brightness(name, [1, 32, 32]),
    "grey_uint8": lambda name: brightness(name, [1, 32, 32, 1], kind=UINT8),
    "grey_int8": lambda name: brightness(name, [1, 32, 32, 1], kind=INT8),
    "grey_logit": lambda name: brightness(name, [1, 32, 32, 1], end="none"),
    "grey_yolov8": lambda name: model(name, lambda s: output(s, yolov8(s)), grey=True),
    # What is neither detector nor classifier.
    "landmarks": lambda name: rows(name, [("eye_contours", 213), ("iris", 15)]),
    "one_pixel": lambda name: rows(name, [("scores", 3)], (1, 1, 1, 3)),
    "sound": lambda name: rows(name, [("scores", 3)], (1, 16000)),
    "segmentation": lambda name: pixel_map(name, 5),
    "mask": lambda name: pixel_map(name, 1),
    "picture": lambda name: pixel_map(name, 3),
    "map_many": lambda name: pixel_map(name, 300),
    # Maps of classes.
    "map_scores": lambda name: class_map(name, "scores"),
    "map_planes": lambda name: class_map(name, "planes"),
    "map_argmax": lambda name: class_map(name, "argmax"),
    "map_probability": lambda name: class_map(name, "probability"),
    "map_two": lambda name: class_map(name, "two"),
    "map_nan": lambda name: class_map(name, "nan"),
    "map_linear": lambda name: class_map(name, "linear"),
    "edge_tpu": compiled,
    # What Ultralytics' exporter says of its models.
    "described_detect": lambda name: described(
        model(name, lambda s: output(s, yolov8(s)), width=96, height=64, planar=True), "detect"),
    "described_pose": lambda name: described(
        model(name, lambda s: output(s, yolov8_more(s, 6)), planar=True), "pose"),
    "described_obb": lambda name: described(
        model(name, lambda s: output(s, yolov8_more(s, 1, turned=True)), planar=True), "obb"),
    "described_segment": lambda name: described(model(name, yolov8_masks, width=96, height=64), "segment"),
    "described_depth": lambda name: described(model(name, lambda s: output(s, yolov8(s)), planar=True), "depth"),
    "described_classify": lambda name: described(color_shares(name, "unit", planar=True), "classify"),
    # MediaPipe's heads, letterboxed with black bars: pixels −1…1 for faces and bodies (a full colour is 1, the others −1
    # there), 0…1 for palms.
    "mediapipe_face": lambda name: model(
        name, lambda s: mediapipe(s, (8, 16, 16, 16), 2, 6), width=128, height=128, signed=True),
    "mediapipe_face_full": lambda name: model(
        name, lambda s: mediapipe(s, (4,), 1, 6, order=(1, 0)), width=192, height=192, signed=True),
    "mediapipe_palm": lambda name: model(name, lambda s: mediapipe(s, (8, 16, 16, 16), 2, 7), width=192, height=192),
    "mediapipe_pose": lambda name: model(
        name, lambda s: mediapipe(s, (8, 16, 16, 16), 2, 4), width=128, height=128, signed=True),
    "hand_landmarks": lambda name: model(name, hand_landmarks, width=96, height=96),
    "face_landmarks": lambda name: model(name, face_landmarks, width=96, height=96),
    # ImageNet's statistics.
    "rtmpose": lambda name: model(name, rtmpose, width=96, height=128, statistics=True),
    # Letterboxed with black bars, pixels 0…255.
    "movenet": lambda name: model(name, lambda s: people(s, 1), width=96, height=96, kind=UINT8),
    "movenet_multi": lambda name: model(
        name, lambda s: people(s, 6), width=96, height=64, full_scale=255, kind=INT32),
    "movenet_multi_open": people_of_any_size,
    # Stretched, pixels 0…1.
    "fomo": lambda name: model(name, lambda s: output(s, fomo(s)), width=96, height=64),
    "fomo_int8": lambda name: model(
        name, lambda s: output(s, fomo(s), INT8, -128), kind=INT8, zero_point=-128),
    "yolov2": lambda name: model(name, yolov2, width=96, height=96),
    # Stretched, ImageNet's statistics.
    "nanodet": lambda name: model(
        name, lambda s: nanodet(s, (8, 16, 32), 0.5), width=96, height=64, statistics=True, order="bgr"),
    "nanodet_plus": lambda name: model(
        name, lambda s: nanodet(s, (8, 16, 32, 64), 0.0), statistics=True, order="bgr"),
    "picodet": lambda name: model(name, picodet, statistics=True),
    # Letterboxed in the middle, pixels 0…1.
    "yolo_pair": lambda name: model(name, lambda s: pair(s, edges=True, pixels=True), width=96, height=64),
    "yolo_pair_columns": lambda name: model(
        name, lambda s: pair(s, edges=False, pixels=False, columns=True, order=(1, 0))),
    "yolo_split": lambda name: model(name, lambda s: split(s, "lists"), width=96, height=64),
    "yolo_split_maps": lambda name: model(name, lambda s: split(s, "maps", planar=True), planar=True),
    "yolo_split_joined": lambda name: model(name, lambda s: split(s, "joined"), width=96, height=64),
    "yolov5_face": lambda name: model(name, lambda s: output(s, yolov5_face(s)), width=96, height=64),
    "yolov6": lambda name: model(name, lambda s: output(s, yolov6(s)), width=96, height=64),
    "yolov7_joined": lambda name: model(name, lambda s: output(s, yolov8_edges(s, 3)), width=96, height=64),
    # Stretched, ImageNet's statistics.
    "detr": lambda name: model(name, lambda s: queries(s, False, (0, 1)), width=96, height=64, statistics=True),
    "rt_detr": lambda name: model(name, lambda s: queries(s, False, (1, 0)), width=96, height=64),
    "detr_softmax": lambda name: model(name, lambda s: queries(s, True, (1, 0)), statistics=True),
    # Letterboxed in the middle with black bars, blue-green-red.
    "centernet": lambda name: model(
        name, centernet, width=96, height=64, statistics=CENTERNET, order="bgr"),
    "centernet_planar": lambda name: model(
        name, lambda s: centernet(s, (2, 0, 1), ("a", "b", "c"), logits=False, planar=True), width=96, height=64,
        statistics=CENTERNET, order="bgr", planar=True),
    # Stretched, pixels 0…255.
    "damo_yolo": lambda name: model(
        name, lambda s: pair(s, edges=True, pixels=True, order=(1, 0)), width=96, height=64, full_scale=255),
    # Stretched, pixels 0…1.
    "yolov4": lambda name: model(name, yolov4, width=96, height=64),
    "yolov4_tiny": lambda name: model(
        name, lambda s: yolov4(s, strides=(16, 32), pixels=False, order=(1, 0)), width=96, height=64),
    "yolov4_edges": lambda name: model(name, lambda s: yolov4(s, pixels=False, edges=True)),
    # Stretched, bytes.
    "ssd_edges": lambda name: model(name, lambda s: edge_offsets(s, joined=False), kind=UINT8),
    "ssd_edges_row": lambda name: model(name, lambda s: edge_offsets(s, joined=True), kind=UINT8),
    "ssd_priors": lambda name: model(name, lambda s: with_priors(s, ssd_anchors(64, 64)), kind=UINT8),
    "ssd_joined": lambda name: model(name, lambda s: joined_priors(s, ssd_anchors(64, 64)), kind=UINT8),
    "ssd_joined_short": lambda name: model(
        name, lambda s: joined_priors(s, ssd_anchors(64, 64), variances=False), kind=UINT8),
    "ssd_joined_edges": lambda name: model(
        name, lambda s: joined_priors(s, ssd_anchors(64, 64), offsets_first=True), kind=UINT8),
    # As YOLOX.
    "yolox_nms": lambda name: model(
        name, lambda s: suppressed(s, ("batch", "box", "score", "class")), width=96, full_scale=255, order="bgr"),
    "yolox_nms_named": lambda name: model(
        name, lambda s: suppressed(
            s, ("batch", "class", "score", "box"), name="batchno_classid_score_x1y1x2y2"), full_scale=255, order="bgr"),
    "yolox_nms_open": lambda name: model(
        name, lambda s: suppressed(
            s, ("batch", "class", "score", "box"), name="batchno_classid_score_x1y1x2y2", is_open=True),
        full_scale=255, order="bgr"),
    "ssd_postprocess": lambda name: model(
        name, lambda s: post_processed(s, ssd_anchors(64, 64)), kind=UINT8),
    "classifier_uint8": strongest_color,
    # Two graphs and a signature for each.
    "arithmetic": arithmetic,
    "table": table,
    "endless": endless,
    "lstm_ssd": lambda name: model(name, remembering, kind=UINT8),
}


def main():
    files = {f"{name}.tflite": make(name) for name, make in MODELS.items()}
    files["blocks.txt"] = b"red\ngreen\nblue\n"
    entries = [{"file": f"models/{name}", "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data),
                "license": "Apache-2.0", "source": COMMAND} for name, data in sorted(files.items())]
    manifest = json.loads(MANIFEST.read_text()) if MANIFEST.exists() else {"fixtures": []}
    others = [entry for entry in manifest["fixtures"] if not entry["file"].startswith("models/")]
    manifest["fixtures"] = sorted(others + entries, key=lambda entry: entry["file"])
    files[None] = (json.dumps(manifest, indent=2) + "\n").encode()
    stale = []
    for name, data in files.items():
        path = HERE / name if name else MANIFEST
        if not path.exists() or path.read_bytes() != data:
            stale.append(str(path))
            if "--check" not in sys.argv[1:]:
                path.write_bytes(data)
    print("\n".join(stale) or "all are up to date")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
