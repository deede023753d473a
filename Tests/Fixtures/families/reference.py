# SPDX-License-Identifier: Apache-2.0
"""Decodes made-up output tensors by the published formulas of each family, as an independent check of the decoders.

  python3 -m venv /tmp/families && /tmp/families/bin/pip install numpy==2.4.6
  /tmp/families/bin/python Tests/Fixtures/families/reference.py            # writes expected.json and its MANIFEST entry
  /tmp/families/bin/python Tests/Fixtures/families/reference.py --check    # fails when they are not what this makes

The tensors are pseudo-random numbers that the tests make in the same way (`FamilyReference.swift`): a linear congruential
generator, 24 bits of each state. Sources stand beside each function.
"""

import hashlib
import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
MANIFEST = HERE.parent / "MANIFEST.json"
F = np.float32


def numbers(seed, count, low, high):
    """Numbers of low…high as float32."""
    state, values = seed, np.empty(count, F)
    for index in range(count):
        state = (state * 1664525 + 1013904223) % 2 ** 32
        values[index] = F(low) + (F(high) - F(low)) * F((state >> 8) / 2 ** 24)
    return values


def sigmoid(x):
    return 1 / (1 + np.exp(-np.asarray(x, np.float64)))


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def iou(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0
    return w * h / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h)


def suppress(rows, threshold):
    """Greedy suppression within a class; rows are (score, class, box)."""
    kept = []
    for row in sorted(rows, key=lambda row: -row[0]):
        if all(row[1] != other[1] or iou(row[2], other[2]) <= threshold for other in kept):
            kept.append(row)
    return kept


def answer(rows, limit=12):
    """The best rows as JSON: score, class, edges in fractions, and keypoints where there are any."""
    return [{"score": round(float(row[0]), 6), "class": int(row[1]), "box": [round(float(x), 6) for x in row[2]],
             "keypoints": [round(float(x), 6) for x in np.ravel(row[3])] if len(row) > 3 else []}
            for row in rows[:limit]]


def mediapipe(side, strides, per_layer, values, seed):
    """MediaPipe 0.10.14: ssd_anchors_calculator.cc, tensors_to_detections_calculator.cc, non_max_suppression_calculator.cc.

    Run on the tensors of face_detection_short_range.tflite and an image warped by OpenCV as MediaPipe does it, this gives
    what mediapipe.solutions.face_detection gives, within 0.3 pixels.
    """
    anchors, layer = [], 0
    while layer < len(strides):
        last = layer
        while last < len(strides) and strides[last] == strides[layer]:
            last += 1
        cells = side // strides[layer]
        for y in range(cells):
            for x in range(cells):
                anchors += [((x + 0.5) / cells, (y + 0.5) / cells)] * (per_layer * (last - layer))
        layer = last
    raw = numbers(seed, len(anchors) * values, -0.2 * side, 0.4 * side).reshape(-1, values).astype(np.float64)
    scores = sigmoid(np.clip(numbers(seed + 1, len(anchors), -9, 3), -100, 100))
    rows = []
    for (x, y), row, score in zip(anchors, raw / side, scores):
        if score >= 0.5 and row[2] > 0 and row[3] > 0:
            center = np.array([row[0] + x, row[1] + y])
            size = row[2:4] / 2
            points = row[4:].reshape(-1, 2) + (x, y)
            rows.append((score, np.concatenate([center - size, center + size]), points))
    rows.sort(key=lambda row: -row[0])
    found = []
    while rows:
        same = [row for row in rows if row is rows[0] or iou(row[1], rows[0][1]) > 0.3]
        total = sum(row[0] for row in same)
        found.append((rows[0][0], 0, sum(row[0] * row[1] for row in same) / total,
                      sum(row[0] * row[2] for row in same) / total))
        rows = [row for row in rows if not any(row is other for other in same)]
    return answer(found)


def fomo(rows, columns, classes, seed):
    """Edge Impulse's inferencing SDK, ei_fill_result_struct.h: cells that touch a box of their class enlarge it."""
    heat = softmax(numbers(seed, rows * columns * (classes + 1), -4, 4).reshape(rows, columns, -1).astype(np.float64))
    found = []
    for y in range(rows):
        for x in range(columns):
            for label in range(1, classes + 1):
                value = heat[y, x, label]
                if value < 0.95:
                    continue
                for cube in found:
                    if cube["label"] == label and not (
                            cube["x2"] < x or cube["y2"] < y or cube["x"] > x + 1 or cube["y"] > y + 1):
                        cube.update(x=min(cube["x"], x), y=min(cube["y"], y), x2=max(cube["x2"], x + 1),
                                    y2=max(cube["y2"], y + 1), value=max(cube["value"], value))
                        break
                else:
                    found.append({"label": label, "x": x, "y": y, "x2": x + 1, "y2": y + 1, "value": value})
    rows_ = [(c["value"], c["label"] - 1, (c["x"] / columns, c["y"] / rows, c["x2"] / columns, c["y2"] / rows))
             for c in found]
    return answer(sorted(rows_, key=lambda row: -row[0]), 100)


def yolov2(rows, columns, classes, anchors, seed):
    """Darknet, region_layer.c, get_region_box and forward_region_layer."""
    raw = numbers(seed, rows * columns * 5 * (5 + classes), -2, 2).reshape(rows, columns, 5, -1).astype(np.float64)
    raw[..., 5:] *= 8
    found = []
    for y in range(rows):
        for x in range(columns):
            for anchor in range(5):
                row = raw[y, x, anchor]
                classes_ = softmax(row[5:] * 1.0)
                score = sigmoid(row[4]) * classes_.max()
                if score < 0.2:
                    continue
                cx, cy = (x + sigmoid(row[0])) / columns, (y + sigmoid(row[1])) / rows
                w, h = np.exp(row[2:4]) * anchors[anchor] / (columns, rows)
                found.append((score, classes_.argmax(), (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)))
    return answer(suppress(found, 0.45))


def distances(width, height, strides, offset, bins, classes, seed):
    """Generalized Focal Loss; nanodet_plus_head.py, get_bboxes (offset 0), gfl_head.py and pico_head.py (offset 0.5).

    Scores and distributions of a row follow each other. Three of four rows have low scores, as background has.
    """
    points = [(stride, (x + offset) * stride, (y + offset) * stride) for stride in strides
              for y in range(-(-height // stride)) for x in range(-(-width // stride))]
    raw = numbers(seed, len(points) * (classes + 4 * bins), 0, 1).reshape(len(points), -1).astype(np.float64)
    raw[:, classes:] *= 8
    raw[np.arange(len(raw)) % 4 > 0, :classes] /= 8
    found = []
    for (stride, x, y), row in zip(points, raw):
        score = row[:classes].max()
        if score < 0.8:
            continue
        left, top, right, bottom = (softmax(row[classes:].reshape(4, bins)) * np.arange(bins)).sum(1) * stride
        box = np.array([x - left, y - top, x + right, y + bottom]) / [width, height, width, height]
        found.append((score, row[:classes].argmax(), box))
    return answer(suppress(found, 0.6))


def joined_ssd(count, classes, seed):
    """pierluigiferrari/ssd_keras, ssd_output_decoder.py, decode_detections for centroids; rykov8/ssd_keras, decode_boxes."""
    scores = softmax(numbers(seed, count * classes, -2, 4).reshape(count, -1).astype(np.float64)).astype(F)
    codes = numbers(seed + 1, count * 4, -2, 2).reshape(count, 4)
    anchors = numbers(seed + 2, count * 4, 0.1, 0.5).reshape(count, 4)
    anchors[:, :2] *= 2  # centres of 0.2…1; the last ones end beyond the image
    found = []
    for row in range(count):
        best = 1 + scores[row, 1:].argmax()
        if scores[row, best] < 0.6:
            continue
        (x, y, w, h), code = anchors[row].astype(np.float64), codes[row].astype(np.float64)
        v = (0.1, 0.1, 0.2, 0.2)
        cx, cy, bw, bh = code[0] * v[0] * w + x, code[1] * v[1] * h + y, np.exp(code[2] * v[2]) * w, np.exp(code[3] * v[3]) * h
        found.append((scores[row, best], best - 1, (cx - bw / 2, cy - bh / 2, cx + bw / 2, cy + bh / 2)))
    return answer(suppress(found, 0.45))


def centernet(rows, columns, classes, seed):
    """Zhou et al., "Objects as Points", sections 3 and 4: a peak is at least as high as its eight neighbours; the centre of
    its box is the cell and the offset, its size is in cells. xingyizhou/CenterNet, decode.py: the best of all classes.
    """
    heat = sigmoid(numbers(seed, rows * columns * classes, -9, 1).reshape(rows, columns, classes))
    sizes = numbers(seed + 1, rows * columns * 2, 1, 9).reshape(rows, columns, 2).astype(np.float64)
    offsets = numbers(seed + 2, rows * columns * 2, 0, 1).reshape(rows, columns, 2).astype(np.float64)
    around = np.pad(heat, ((1, 1), (1, 1), (0, 0)), constant_values=-1)
    highest = np.max([around[y:y + rows, x:x + columns] for y in range(3) for x in range(3)], axis=0)
    found = []
    for y, x, label in np.argwhere((heat == highest) & (heat >= 0.6)):
        (cx, cy), (w, h) = offsets[y, x] + (x, y), sizes[y, x]
        found.append((heat[y, x, label], label, np.array([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2])
                      / (columns, rows, columns, rows)))
    return answer(sorted(found, key=lambda row: -row[0]), 100)


YOLOV2 = np.array([[0.57273, 0.677385], [1.87446, 2.06253], [3.33843, 5.47434], [7.88282, 3.52778], [9.77052, 9.16828]])
TINY_VOC = np.array([[1.08, 1.19], [3.42, 4.41], [6.63, 11.38], [9.42, 5.11], [16.62, 10.52]])

def movenet(count, seed):
    """TensorFlow Hub, model cards of MoveNet: 17 times y, x, score; for several people also ymin, xmin, ymax, xmax, score."""
    width = 51 if count == 1 else 56
    values = numbers(seed, count * width, 0, 1).reshape(count, width)
    values[:, 53:55] += F(0.9)
    people = []
    for row in values:
        points = row[:51].reshape(17, 3)
        if count == 1:
            seen, score = points[points[:, 2] >= 0.3], np.mean(points[:, 2], dtype=np.float64)
            top, left, bottom, right = *seen[:, :2].min(0), *seen[:, :2].max(0)
        else:
            top, left, bottom, right, score = row[51:]
        if score >= 0.3:
            people.append((score, 0, (left, top, right, bottom), points[:, 1::-1]))
    return answer(sorted(people, key=lambda person: -person[0]))


CASES = {
    "mediapipe-face 128": lambda: mediapipe(128, [8, 16, 16, 16], 2, 16, 11),
    "mediapipe-face 192": lambda: mediapipe(192, [4], 1, 16, 13),
    "mediapipe-face 256": lambda: mediapipe(256, [16, 32, 32, 32], 2, 16, 15),
    "mediapipe-palm 192": lambda: mediapipe(192, [8, 16, 16, 16], 2, 18, 17),
    "mediapipe-pose 224": lambda: mediapipe(224, [8, 16, 32, 32, 32], 2, 12, 41),
    "mediapipe-pose 128": lambda: mediapipe(128, [8, 16, 16, 16], 2, 12, 43),
    "movenet": lambda: movenet(1, 37),
    "movenet-multi": lambda: movenet(6, 39),
    "fomo": lambda: fomo(12, 20, 3, 19),
    "yolov2 coco": lambda: yolov2(3, 4, 80, YOLOV2, 21),
    "yolov2 voc": lambda: yolov2(4, 3, 20, TINY_VOC, 23),
    "nanodet": lambda: distances(96, 64, [8, 16, 32], 0.5, 8, 5, 25),
    "nanodet plus": lambda: distances(96, 64, [8, 16, 32, 64], 0, 8, 5, 27),
    "nanodet 11": lambda: distances(96, 64, [8, 16, 32], 0.5, 11, 80, 29),
    "picodet": lambda: distances(96, 64, [8, 16, 32, 64], 0.5, 8, 5, 27),
    "centernet": lambda: centernet(12, 20, 3, 33),
    "ssd joined": lambda: joined_ssd(96, 4, 31),
}


def main():
    data = (json.dumps({name: make() for name, make in CASES.items()}, indent=1) + "\n").encode()
    manifest = json.loads(MANIFEST.read_text())
    entry = {"file": "families/expected.json", "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data),
             "license": "Apache-2.0", "source": "python3 Tests/Fixtures/families/reference.py (packages: see its first lines)"}
    manifest["fixtures"] = sorted(
        [other for other in manifest["fixtures"] if other["file"] != entry["file"]] + [entry], key=lambda e: e["file"])
    stale = []
    for path, text in ((HERE / "expected.json", data), (MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())):
        if not path.exists() or path.read_bytes() != text:
            stale.append(str(path))
            if "--check" not in sys.argv[1:]:
                path.write_bytes(text)
    print("\n".join(stale) or "all are up to date")
    return 1 if stale and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
