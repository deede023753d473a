#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes trackeval.json: what TrackEval says of random tracks, by the rules of each benchmark.

A case is made from its number alone, here and in Support/RandomTracks.swift, with the same steps in the same order: a
change in one of the two needs the same change in the other, and new figures:

    pip install trackeval==1.3.0
    cd Tests/FoveaEvaluationTests/Fixtures
    python3 make-trackeval-figures.py > trackeval.json

TrackEval (MIT licence) reads the files and does all the work from there. All coordinates are parts of a power of two, so
that both languages have the same numbers to the last bit.
"""

import contextlib
import importlib.metadata
import io
import json
import pathlib
import tempfile

import trackeval

CASES = 64
RULES = ["MOT15", "MOT17", "MOT20", "plain", "car", "pedestrian"]
CLASSES = [1, 1, 1, 1, 1, 2, 3, 6, 7, 8, 12, 13]
KITTI_CLASSES = [1, 1, 1, 2, 4, 4, 4, 5, 6, 9]
KITTI_TYPES = ["", "Car", "Van", "Truck", "Pedestrian", "Person", "Cyclist", "Tram", "Misc", "DontCare"]
FRACTIONS = ["HOTA", "DetA", "AssA", "DetRe", "DetPr", "AssRe", "AssPr", "LocA", "MOTA", "MOTP", "MODA", "CLR_Re",
             "CLR_Pr", "IDF1", "IDR", "IDP"]
COUNTS = ["CLR_TP", "CLR_FN", "CLR_FP", "IDSW", "MT", "PT", "ML", "Frag", "IDTP", "IDFN", "IDFP", "Dets", "GT_Dets",
          "IDs", "GT_IDs"]
MASK = (1 << 64) - 1


class SplitMix64:
    """Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        return self.next() % bound

    def fine(self, bound):
        """A number from 0 to `bound`, in steps of 1/1024."""
        return self.below(bound * 1024) / 1024


def make_sequence(random, is_kitti):
    """Frames of (identity, x, y, width, height, flag or score, class, occlusion, truncation), truth and results."""
    frames = 1 + random.below(14)
    objects = random.below(7)
    drops_results = random.below(16) == 0
    boxes, kinds, speeds, identities = [], [], [], []
    for index in range(objects):
        x, y = random.fine(200), random.fine(80)
        width, height = 10 + random.fine(40), 16 + random.fine(60)
        if random.below(24) == 0:
            width = 0.0
        boxes.append([x, y, width, height])
        speeds.append(random.fine(16) - 8)
        kinds.append(KITTI_CLASSES[random.below(len(KITTI_CLASSES))] if is_kitti else CLASSES[random.below(len(CLASSES))])
        identities.append(index + 1)
    next_identity = objects + 1
    truth, results = [], []
    for _ in range(frames):
        truths, found = [], []
        for index in range(objects):
            x, y, width, height = boxes[index]
            boxes[index][0] = x + speeds[index]
            if random.below(6) == 0:
                continue
            flag = 0 if random.below(8) == 0 else 1
            occlusion, truncation = max(0, random.below(8) - 4), max(0, random.below(8) - 6)
            identity = -1 if is_kitti and kinds[index] == 9 else index + 1
            truths.append((identity, x, y, width, height, flag, kinds[index], occlusion, truncation))
            event = random.below(12)
            if event == 0:
                identities[index] = next_identity
                next_identity += 1
            elif event == 1:
                other = random.below(objects)
                identities[index], identities[other] = identities[other], identities[index]
        # After the truth, so that two exchanged identities are never twice in a frame.
        for index in range(objects):
            if random.below(5) == 0:
                continue
            x, y, width, height = boxes[index]
            reach = 4 if random.below(3) > 0 else 24
            dx, dy = random.fine(2 * reach) - reach, random.fine(2 * reach) - reach
            dw, dh = random.fine(8), random.fine(8)
            kind = [1, 4][random.below(2)] if random.below(6) == 0 else kinds[index]
            found.append((identities[index], x - speeds[index] + dx, y + dy, width + dw, height + dh, 0.5, kind))
        for extra in range(random.below(3)):
            kind = [1, 4][random.below(2)]
            found.append((1000 + extra, random.fine(300), random.fine(120), 8 + random.fine(50), 8 + random.fine(50), 0.5,
                          kind))
        truth.append(truths)
        results.append([] if drops_results else found)
    return truth, results


def mot_lines(frames, is_truth):
    lines = []
    for number, boxes in enumerate(frames, 1):
        for box in boxes:
            identity, x, y, width, height, score = box[:6]
            tail = f"{box[6]},1" if is_truth else "-1,-1,-1"
            lines.append(f"{number},{identity},{x!r},{y!r},{width!r},{height!r},{score},{tail}\n")
    return "".join(lines)


def kitti_lines(frames, is_truth):
    lines = []
    for number, boxes in enumerate(frames):
        for box in boxes:
            identity, x, y, width, height, score, kind = box[:7]
            occlusion, truncation = (box[7], box[8]) if is_truth else (-1, -1)
            kind = KITTI_TYPES[kind if is_truth or kind in (1, 4) else 1]
            tail = "" if is_truth else f" {score}"
            lines.append(f"{number} {identity} {kind} {truncation} {occlusion} -10 {x!r} {y!r} {x + width!r} {y + height!r}"
                         f" -1 -1 -1 -1000 -1000 -1000 -10{tail}\n")
    return "".join(lines)


def write_case(folder, rules, sequences):
    is_kitti = rules in ("car", "pedestrian")
    lines = kitti_lines if is_kitti else mot_lines
    result_folder = folder / "trackers" / "one" / "data"
    result_folder.mkdir(parents=True)
    seqmap = []
    for index, (truth, results) in enumerate(sequences):
        name = f"s{index}"
        (result_folder / f"{name}.txt").write_text(lines(results, False))
        if is_kitti:
            truth_folder = folder / "gt" / "label_02"
            truth_folder.mkdir(parents=True, exist_ok=True)
            (truth_folder / f"{name}.txt").write_text(lines(truth, True))
            seqmap.append(f"{name} empty 000000 {len(truth)}\n")
        else:
            truth_folder = folder / "gt" / name / "gt"
            truth_folder.mkdir(parents=True)
            (truth_folder / "gt.txt").write_text(lines(truth, True))
    if is_kitti:
        (folder / "gt" / "evaluate_tracking.seqmap.training").write_text("".join(seqmap))


def dataset_of(folder, rules, sequences):
    config = {"GT_FOLDER": str(folder / "gt"), "TRACKERS_FOLDER": str(folder / "trackers"), "TRACKERS_TO_EVAL": ["one"],
              "PRINT_CONFIG": False, "OUTPUT_FOLDER": str(folder / "out")}
    if rules in ("car", "pedestrian"):
        return trackeval.datasets.Kitti2DBox({**config, "CLASSES_TO_EVAL": [rules], "SPLIT_TO_EVAL": "training"})
    return trackeval.datasets.MotChallenge2DBox({
        **config, "BENCHMARK": "MOT17" if rules == "plain" else rules, "DO_PREPROC": rules != "plain",
        "SKIP_SPLIT_FOL": True, "SEQ_INFO": {f"s{index}": len(truth) for index, (truth, _) in enumerate(sequences)}})


def figures(results):
    flat = {**results["HOTA"], **results["CLEAR"], **results["Identity"], **results["Count"]}
    mean = {name: sum(flat[name]) / 19 if hasattr(flat[name], "__len__") else flat[name] for name in FRACTIONS}
    return {"fractions": [round(float(mean[name]), 10) for name in FRACTIONS],
            "counts": [int(flat[name]) for name in COUNTS]}


def evaluate(folder, rules, sequences):
    kind = rules if rules in ("car", "pedestrian") else "pedestrian"
    dataset = dataset_of(folder, rules, sequences)
    metrics = [trackeval.metrics.HOTA(), trackeval.metrics.CLEAR({"PRINT_CONFIG": False}),
               trackeval.metrics.Identity({"PRINT_CONFIG": False}), trackeval.metrics.Count()]
    per_sequence = {}
    for index in range(len(sequences)):
        data = dataset.get_preprocessed_seq_data(dataset.get_raw_seq_data("one", f"s{index}"), kind)
        per_sequence[f"s{index}"] = {metric.get_name(): metric.eval_sequence(data) for metric in metrics}
    combined = {metric.get_name(): metric.combine_sequences(
        {name: one[metric.get_name()] for name, one in per_sequence.items()}) for metric in metrics}
    return [figures(one) for one in per_sequence.values()], figures(combined)


def main():
    cases = []
    for number in range(CASES):
        rules = RULES[number % len(RULES)]
        random = SplitMix64(number)
        sequences = [make_sequence(random, rules in ("car", "pedestrian")) for _ in range(1 + random.below(3))]
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            write_case(pathlib.Path(folder), rules, sequences)
            parts, combined = evaluate(pathlib.Path(folder), rules, sequences)
        cases.append({"rules": rules, "sequences": parts, "combined": combined})
    head = {"trackeval": importlib.metadata.version("trackeval"), "fractions": FRACTIONS, "counts": COUNTS}
    print(json.dumps(head)[:-1] + ', "cases": [')
    print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
    print("]}")


if __name__ == "__main__":
    main()
