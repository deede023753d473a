# SPDX-License-Identifier: Apache-2.0
"""Tests without training: data, anchors, targets, metrics, weights. Some are skipped without shared data."""

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from fovea_training.anchors import anchors, decode, encode, iou, mirrored_rows, suppress
from fovea_training.augment import crop_with_boxes
from fovea_training.data import CocoSet, TrainingSets, is_rotated_copy
from fovea_training.detector import targets
from fovea_training.evaluate import Share, auroc, failures, matches
from fovea_training.loop import Loop, LoopSettings, batches, duration
from fovea_training.losses import giou
from fovea_training.model import Classifier, Detector, normalised
from fovea_training.quantised import QuantisedGraph, fake_quantised
from fovea_training.teacher import LocalizerTeacher
from fovea_training.tflite import Graph, Runner
from fovea_training.weights import load_network

SHARED = Path(os.environ.get("FOVEA_SHARED_DATA", "shared"))
needs_data = pytest.mark.skipif(
    not (SHARED / "training/labels.csv").exists(), reason="FOVEA_SHARED_DATA is missing"
)


def noise(side=64, low=60):
    return np.random.default_rng(0).integers(low, 200, (side, side, 3), np.uint8)


@pytest.mark.parametrize("angle,rotated", [(0, False), (5, True), (15, True), (45, True), (90, False)])
def test_a_rotated_copy_has_black_corners(angle, rotated):
    image = np.asarray(Image.fromarray(noise(256)).rotate(angle, Image.Resampling.BILINEAR))
    assert is_rotated_copy(image) == rotated


def test_three_black_corners_are_no_rotation():
    image = noise()
    image[:4, :4] = image[:4, -4:] = image[-4:, :4] = 0
    assert not is_rotated_copy(image)


@needs_data
def test_the_shared_sets_lose_their_rotated_copies_and_held_out_images():
    sets = TrainingSets(SHARED / "training")
    assert sets.left_out == {"held out": 1215, "rotated copies of openimages": 587}
    assert len(sets.samples) == 9356 - 1215 - 587


def test_codes_and_boxes_are_inverse():
    anchor = anchors()
    assert anchor.shape == (738, 4)
    boxes = np.tile(np.array([[0.1, 0.2, 0.6, 0.9]], np.float32), (738, 1))
    assert np.allclose(decode(encode(boxes, anchor), anchor), boxes, atol=1e-4)


def test_mirrored_rows_mirror_the_anchors():
    anchor, rows = anchors(), mirrored_rows()
    assert np.allclose(anchor[rows, 1], 1 - anchor[:, 1], atol=1e-6)
    assert np.allclose(anchor[rows][:, [0, 2, 3]], anchor[:, [0, 2, 3]])


def test_suppression_keeps_the_best_of_overlapping_boxes():
    boxes = np.array([[0, 0, 1, 1], [0, 0, 1, 0.95], [0, 0, 0.2, 0.2]], np.float32)
    assert suppress(boxes, np.array([0.5, 0.9, 0.1], np.float32)) == [1, 2]


def test_targets_give_each_box_an_anchor_and_leave_the_rest_to_the_background():
    anchor = anchors()
    boxes = np.array([[0.4, 0.4, 0.42, 0.42], [0.0, 0.0, 1.0, 1.0]], np.float32)
    codes, labels = targets(boxes, np.array([3, 1]), anchor)
    assert {1, 3} <= set(labels.tolist()) <= {-2, -1, 1, 3}
    row = int(np.flatnonzero(labels == 3)[0])
    assert np.allclose(decode(codes, anchor)[row], boxes[0], atol=1e-4)
    assert (targets(np.zeros((0, 4), np.float32), np.zeros(0, np.int64), anchor)[1] == -1).all()


def test_a_crop_moves_boxes_with_the_pixels():
    white = np.zeros((100, 100, 3), np.uint8)
    white[40:60, 40:60] = 255
    box = np.array([[0.4, 0.4, 0.6, 0.6]], np.float32)
    for seed in range(20):
        pixels, moved, stays = crop_with_boxes(Image.fromarray(white), box, 100, random.Random(seed))
        if stays[0]:
            y, x = np.nonzero(pixels[..., 0] > 180)
            found = np.array([[y.min(), x.min(), y.max() + 1, x.max() + 1]], np.float32) / 100
            assert iou(found, moved)[0, 0] > 0.8


def test_batches_go_on_where_they_stopped():
    stream = batches(10, 3, 7, 0)
    first = [next(stream) for _ in range(8)]
    again = batches(10, 3, 7, 5)
    assert [next(again) for _ in range(3)] == first[5:]


def test_training_in_two_parts_equals_one(tmp_path):
    def train(folder, *stops):
        torch.manual_seed(1)
        network = torch.nn.Linear(3, 1)
        for steps in stops:
            loop = Loop(network, LoopSettings(steps=8, warmup=1, report_every=100), folder)
            loop.resume()

            def loss(step, done, loop=loop, steps=steps):
                loop._stop = step + 1 == steps
                x = torch.from_numpy(np.random.default_rng(step).normal(size=(4, 3)).astype(np.float32))
                return (network(x) - x.sum(1, keepdim=True)).square().mean()

            finished = loop.run(loss)
        assert finished == (stops[-1] > 8)
        return loop.average.state["weight"]

    assert torch.equal(train(tmp_path / "a", 99), train(tmp_path / "b", 3, 99))


def test_settings_of_another_network_are_refused(tmp_path):
    Loop(torch.nn.Linear(1, 1), LoopSettings(), tmp_path, about={"classes": 1}).save()
    with pytest.raises(ValueError, match="other settings"):
        Loop(torch.nn.Linear(1, 1), LoopSettings(), tmp_path, about={"classes": 2}).resume()


def test_durations():
    assert [duration(s) for s in (5, 65, 3725)] == ["0 min 05 s", "1 min 05 s", "1 h 02 min"]


def test_giou_of_equal_and_of_distant_boxes():
    a = torch.tensor([[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]])
    b = torch.tensor([[0.0, 0.0, 1.0, 1.0], [0.0, 3.0, 1.0, 4.0]])
    assert torch.allclose(giou(a, b), torch.tensor([1.0, -0.5]), atol=1e-5)


def test_metrics():
    truth = np.array([[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]], np.float32)
    found = np.array([[0, 0, 0.5, 0.5], [0, 0, 0.5, 0.48]], np.float32)
    assert matches(truth, found, 0.5) == 1
    assert auroc(np.array([1.0, 0.5]), np.array([0.5, 0.0])) == 0.875
    good, bad = {"x": Share(90, 100)}, {"x": Share(80, 100)}
    assert failures("localizer", good, {"x": 0.95}) == []
    assert len(failures("localizer", bad, {"x": 0.95})) == 1


def test_fake_quantisation_rounds_and_passes_gradients():
    x = torch.tensor([0.26, 99.0], requires_grad=True)
    y = fake_quantised(x, 0.5, -128.0)
    y.sum().backward()
    assert y.tolist() == [0.5, 99.0] and x.grad.tolist() == [1.0, 1.0]


def test_coco_without_boxes_is_an_error(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps({"images": [{"id": 1}], "annotations": [], "categories": [{"id": 1, "name": "x"}]})
    )
    with pytest.raises(ValueError, match="no image has a box"):
        CocoSet(path, tmp_path)


@needs_data
@pytest.mark.parametrize("network,file", [(Detector, "localizer_fp16"), (Classifier, "coarse_fp16")])
def test_networks_with_the_files_weights_equal_litert(network, file):
    path = SHARED / f"models/own/{file}.tflite"
    own, image = network().eval(), noise(network.side, 0)
    load_network(own, path)
    with torch.no_grad():
        found = own(normalised(torch.from_numpy(image[None])))
    scores = (found[1] if isinstance(found, tuple) else found).sigmoid().numpy().reshape(-1)
    wanted = next(v for v in Runner(path)(image).values() if v.size == scores.size)
    assert np.abs(scores - wanted.reshape(-1)).max() < 1e-3


@needs_data
def test_the_cut_teacher_has_the_boxes_of_the_whole_one():
    path = SHARED / "models/detect/mobile_object_localizer_v1_1_default_1.tflite"
    photo = Image.open(SHARED / "photos/coral_cat_720p.jpg").convert("RGB")
    image = np.asarray(photo.resize((192, 192), Image.Resampling.BILINEAR))
    answer = LocalizerTeacher(path)(image)
    best = decode(answer.codes, anchors())[answer.scores.argmax()]
    whole = next(value for value in Runner(path)(image).values() if value.ndim == 3)[0]
    assert iou(best[None], whole[:1])[0, 0] > 0.9


@needs_data
def test_keeping_the_rank_of_the_last_product_changes_no_value():
    path = SHARED / "named-detector/detector80_int8.tflite"
    graph, image = Graph.load(path), noise(352, 0)
    graph.keep_rank_of_last_product()
    once = graph.pack()
    graph.keep_rank_of_last_product()
    assert graph.pack() == once
    before, after = (next(iter(Runner(model)(image).values())) for model in (path, once))
    assert np.array_equal(before, after)


@needs_data
def test_the_named_detector_is_written_back_as_it_was():
    path = SHARED / "named-detector/detector80_int8.tflite"
    graph = QuantisedGraph(Graph.load(path))
    image = noise(352, 0)
    before, after = (next(iter(Runner(model)(image).values())) for model in (path, graph.written()))
    assert np.abs(before - after)[..., 4:].max() < 0.05
