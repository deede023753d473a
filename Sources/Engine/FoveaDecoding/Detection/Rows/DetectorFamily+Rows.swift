// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaMetadata
import FoveaRuntime

// The families whose outputs are rows: each is a value, which `RowBinding` compares with a model and
// `RowDecoder` decodes.

extension DetectorInput {
  /// The input of Ultralytics models: letterboxed in the middle, RGB, 0…1.
  static let ultralytics = DetectorInput(letterbox: Letterbox(.center), normalization: .fractions)
  /// The input of MoveNet: letterboxed in the middle with black bars, RGB, 0…255.
  static let movenet = DetectorInput(
    letterbox: Letterbox(.center, padding: 0),
    normalization: Normalization(mean: [0], standardDeviation: [1]))
  /// Stretched images with ImageNet's statistics, as RGB.
  static let imageNet = DetectorInput(
    normalization: Normalization(
      mean: [123.675, 116.28, 103.53], standardDeviation: [58.395, 57.12, 57.375]))
}

extension DetectorFamily {
  /// MoveNet for one person, Lightning and Thunder: the 17 points of COCO's people, in fractions.
  ///
  /// The score is the mean of the points' scores, the box that of the points of 0.3 and more.
  ///
  /// **Source:** TensorFlow Hub, model cards of MoveNet.SinglePose Lightning and Thunder (letterboxed with
  /// black bars, RGB, 0…255; y, x, score). They publish no threshold for a person.
  public static let movenet: DetectorFamily = .init(
    name: "movenet", aliases: ["movenet-singlepose", "movenet-lightning", "movenet-thunder"],
    rule: "one output [1, 1, 17, 3]: y, x and score of the 17 points of one person",
    input: .movenet, labels: .oneForEach, forms: [RowForm(tensors: ["B"], rows: .people(1))],
    threshold: 0.25, classNames: ["person"])

  /// MoveNet for up to six people: the points, box and score of each, in fractions.
  ///
  /// **Source:** TensorFlow Hub, model card of MoveNet.MultiPose Lightning (17 times y, x, score, then top,
  /// left, bottom, right, score; sides that are multiples of 32); tensorflow/examples (Apache-2.0),
  /// `lite/examples/pose_estimation/raspberry_pi/ml/movenet_multipose.py` (threshold, longer side of 256).
  public static let movenetMulti: DetectorFamily = .init(
    name: "movenet-multi", aliases: ["movenet-multipose"],
    rule:
      "one output [1, 6, 56]: y, x and score of the 17 points of up to six people, then top, left,"
      + " bottom, right, score",
    input: .movenet, labels: .oneForEach, forms: [RowForm(tensors: ["B t s"], rows: .people(6))],
    threshold: 0.11, classNames: ["person"], openSize: PixelSize(width: 256, height: 256))

  /// NanoDet and NanoDet-Plus: class scores, and for each edge a distribution of its distance from the cell.
  ///
  /// Both exporters include the sigmoid of the scores; if scores lie outside 0…1, it is applied here.
  ///
  /// **Source:** RangiLyu/nanodet (Apache-2.0), `config/nanodet-plus-m_320.yml` (stretched, BGR, ImageNet's
  /// statistics; `reg_max` + 1 distances); `nanodet_plus_head.py`, `_forward_onnx` and `get_bboxes` (IoU).
  public static let nanodet: DetectorFamily = .init(
    name: "nanodet", aliases: ["nanodet-plus"],
    rule:
      "one output [1, N, C + 32] for N cells (2,125 at 320 × 320 with NanoDet-Plus): C scores,"
      + " and a distribution of eight distances for each edge; or scores and distributions"
      + " as separate outputs",
    // Channel order: blue, green, red.
    input: DetectorInput(
      normalization: Normalization(
        mean: [103.53, 116.28, 123.675], standardDeviation: [57.375, 57.12, 58.395]), isBGR: true),
    labels: .oneForEach,
    forms: [
      RowForm(
        tensors: ["C d"], rows: .cells(1), evidence: .noOtherCOCO, strides: fourOrThree, bins: [8, 11]),
      RowForm(tensors: ["C", "d"], rows: .cells(1), strides: fourOrThree, bins: [8, 11]),
      RowForm(
        tensors: [RowTensor("C", isPerLevel: true), RowTensor("d", isPerLevel: true)], rows: .cells(1),
        strides: [[8, 16, 32]], bins: [8, 11]),
    ], iou: 0.6, limit: 100, isScoresFirst: true)

  /// PicoDet: class scores and distributions of distances, two outputs per level.
  ///
  /// **Source:** PaddleDetection (Apache-2.0), `picodet_320_reader.yml` (stretched, RGB, ImageNet's
  /// statistics); `pico_head.py`, `post_process` (IoU).
  public static let picodet: DetectorFamily = .init(
    name: "picodet",
    rule:
      "two outputs for each level, scores [1, N, C] and distributions [1, N, 32] for N cells"
      + " (1,600, 400, 100 and 25 at 320 × 320)",
    input: .imageNet, labels: .oneForEach,
    forms: [
      RowForm(tensors: ["C", "d"], rows: .cells(1), strides: fourOrThree, bins: [8, 11]),
      RowForm(
        tensors: [RowTensor("C", isPerLevel: true), RowTensor("d", isPerLevel: true)], rows: .cells(1),
        strides: [[8, 16, 32, 64]], bins: [8, 11]),
    ], iou: 0.6, limit: 100, isScoresFirst: true,
    nearest: { signature in
      // Two lists for each of several maps.
      let shapes = signature.outputs.map(\.shape)
      guard [6, 8].contains(shapes.count), shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }) else {
        return nil
      }
      return NearestFamily(
        .picodet,
        shapes.contains { [32, 44].contains($0[2]) }
          ? "the rows of the \(shapes.count) outputs are not the cells of 8, 16, 32 and 64 pixels"
          : "none of the \(shapes.count) outputs has distributions of 32 or 44 numbers",
        remedy: "Export the model with one output of decoded boxes")
    })

  /// The sets of strides in the configurations of NanoDet and PicoDet.
  private static let fourOrThree = [[8, 16, 32, 64], [8, 16, 32]]

  /// Returns the position of a cell's point, in cells from its left and top edge.
  ///
  /// **Source:** RangiLyu/nanodet (Apache-2.0), `nanodet_plus_head.py`, `get_single_level_center_priors` (the
  /// corner; four strides), `gfl_head.py`, `get_single_level_center_point` (the middle; three strides);
  /// PaddleDetection (Apache-2.0), `pico_head.py`, `cell_offset` 0.5 in all configurations.
  func cellOffset(_ strides: Int) -> Float { self == .nanodet && strides == 4 ? 0 : 0.5 }
}

// Layouts that no single project owns.

extension DetectorFamily {
  /// YOLO-NAS, PP-YOLOE and YOLOv8 heads with boxes and scores as two outputs: one row or column per cell.
  ///
  /// Boxes are edges or centre and size, in pixels or fractions; scores are probabilities. PP-YOLOE takes
  /// stretched images with ImageNet's statistics, YOLO-NAS letterboxed ones.
  ///
  /// **Source:** LibreYOLO (MIT), `export/tflite.py`, and its exports of YOLO-NAS and PP-YOLOE.
  public static let yoloPair: DetectorFamily = .init(
    name: "yolo-pair", aliases: ["yolo-nas", "pp-yoloe"],
    rule:
      "two outputs in either order, boxes [1, N, 4] or [1, 4, N] and scores [1, N, C], [1, C, N] or, for one"
      + " class, [1, N] for N cells (8,400 at 640 × 640)",
    input: .ultralytics, labels: .oneForEach,
    caution: { _ in
      "the family (\(option: "family", "damo-yolo")) if it is a DAMO-YOLO, or the image's fit and"
        + " normalisation (\(option: "normalize", "MEAN,STD")) if they are not a letterbox and 0 to 1, as"
        + " PP-YOLOE's are not"
    },
    forms: [RowForm(tensors: ["b", "C"], rows: .cells(1), isTransposed: [false, true])], iou: 0.65)

  /// DAMO-YOLO: scores and boxes as `yoloPair`, from stretched images that are not normalised.
  ///
  /// **Source:** tinyvision/DAMO-YOLO (Apache-2.0), `zero_head.py`, `forward_eval` (edges in pixels; IoU);
  /// `damo/config/augmentations.py`, `test_transform` (stretched, 0…255); `tools/demo.py` (RGB).
  public static let damoYOLO: DetectorFamily = .init(
    name: "damo-yolo", aliases: ["damoyolo"],
    rule: "two outputs as yolo-pair's in either order, if the family is named: scores [1, N, C] and boxes"
      + " [1, N, 4]",
    input: DetectorInput(normalization: Normalization(mean: [0], standardDeviation: [1])),
    labels: .oneForEach, forms: [RowForm(tensors: ["b", "C"], rows: .cells(1), evidence: .name)], iou: 0.7)

  /// YOLOv8 heads before their last step: distributions of distances, and logits of the classes.
  ///
  /// **Source:** blakeblackshear/frigate (MIT), `edgetpu_tfl.py`; IoU and image as `yolov8`.
  public static let yoloSplit: DetectorFamily = .init(
    name: "yolo-split", aliases: ["yolov8-split", "yolo11-split"],
    rule:
      "distributions [1, N, 64] or [1, 64, N] and scores [1, N, C] or [1, C, N] for N cells; or maps [1,"
      + " H ÷ S, W ÷ S, 64] and [1, H ÷ S, W ÷ S, C] for each S of 8, 16 and 32, or [1, H ÷ S, W ÷ S,"
      + " 64 + C] with as many labels as classes",
    input: .ultralytics, labels: .oneForEach,
    forms: [
      RowForm(
        tensors: ["d", "C"], rows: .cells(1), strides: [[8, 16, 32]], isTransposed: [false, true],
        bins: [16]),
      RowForm(
        tensors: [RowTensor("d", isPerLevel: true), RowTensor("C", isPerLevel: true)], rows: .cells(1),
        strides: [[8, 16, 32]], isTransposed: [false, true], bins: [16]),
      RowForm(
        tensors: [RowTensor("d C", isPerLevel: true)], rows: .cells(1), evidence: .classCount,
        strides: [[8, 16, 32]], isTransposed: [false, true], bins: [16],
        // 255 numbers: YOLOv5 with COCO's classes, not decoded.
        foreignClassCount: 191),
    ], iou: 0.7)

  /// YOLOv4 and v7 out of LibreYOLO: three columns per cell with classes, without objectness.
  ///
  /// **Source:** LibreYOLO (MIT), exports of YOLOv4 and YOLOv7: edges in pixels, objectness · class.
  public static let yolov7Joined: DetectorFamily = .init(
    name: "yolov7-joined",
    rule: "one output [1, 4 + C, 3 N] for N cells (25,200 columns at 640 × 640): box, C classes; or, if the"
      + " family is named, [1, 3 N, 4 + C]",
    input: .ultralytics, labels: .oneForEach,
    forms: [
      RowForm(tensors: ["b C"], rows: .cells(3), isTransposed: [true]),
      // As rows, the same shape is that of YOLOv5 with one class fewer.
      RowForm(tensors: ["b C"], rows: .cells(3), evidence: .name),
    ], iou: 0.65)

  /// RF-DETR and others: a box and the logits of the classes for each query.
  ///
  /// **Source:** roboflow/rf-detr (Apache-2.0), `models/lwdetr.py`, `PostProcess` (stretched, RGB, ImageNet's
  /// statistics; 91 classes with COCO's own numbers).
  public static let detr: DetectorFamily = .init(
    name: "detr", aliases: ["rf-detr"],
    rule:
      "two outputs in either order, boxes [1, Q, 4] and logits [1, Q, C] for Q queries, 100, 150, 200, 300,"
      + " 500 or 900",
    input: .imageNet, labels: .oneForEach,
    caution: { _ in
      "the family (\(option: "family", "rt-detr")) if it is a D-FINE, an RT-DETR or a DEIM:"
        + " ImageNet's is assumed"
    },
    // COCO's own numbers are those of RF-DETR; the others count its 80 classes.
    twin: { $0 == 91 ? nil : "rt-detr" },
    forms: [RowForm(tensors: ["x", "C"], rows: .queries, evidence: .noOther, foreignClassCount: 92)],
    nearest: { signature in
      let shapes = signature.outputs.map(\.shape)
      let lists = shapes.filter { $0.count == 3 }
      guard shapes.count == 3, lists.count == 2, lists.contains(where: { $0[2] == 4 }),
        let maps = shapes.first(where: { $0.count == 4 }), lists.allSatisfy({ $0[1] == maps[1] })
      else { return nil }
      return NearestFamily(
        .detr, "there is a third output with a map for each of the \(maps[1]) queries, the masks of a DETR",
        remedy: "Export a model that was trained for detection, without masks")
    })

  /// RT-DETR, D-FINE, DEIM: outputs as `detr`, from images without ImageNet's statistics.
  ///
  /// **Source:** D-FINE (Apache-2.0), `postprocessor.py`; huggingface/transformers (Apache-2.0),
  /// `RTDetrImageProcessor` (stretched, RGB, 0…1).
  public static let rtDETR: DetectorFamily = .init(
    name: "rt-detr", aliases: ["rt-detrv2", "d-fine", "deim"],
    rule: "two outputs as detr's in either order, if the family is named: boxes [1, Q, 4] and logits"
      + " [1, Q, C]",
    input: DetectorInput(normalization: .fractions), labels: .oneForEach,
    forms: [RowForm(tensors: ["x", "C"], rows: .queries, evidence: .name)])

  /// CenterNet: a map of scores whose peaks are the centres of objects, a map of sizes, and one of offsets.
  ///
  /// Sizes are width and height in cells, offsets x and y of the centre in its cell; scores are logits or
  /// done.
  ///
  /// **Source:** Zhou et al., "Objects as Points"; xingyizhou/CenterNet (MIT), `detectors/base_detector.py`,
  /// `pre_process` (black bars, blue-green-red), `datasets/dataset/coco.py` (statistics),
  /// `detectors/ctdet.py` (sigmoid; 100 objects, nothing suppressed); mmdetection (Apache-2.0),
  /// `centernet_head.py`.
  public static let centerNet: DetectorFamily = .init(
    name: "centernet",
    rule:
      "three outputs in any order, scores [1, H ÷ 4, W ÷ 4, C], sizes [1, H ÷ 4, W ÷ 4, 2] and offsets"
      + " [1, H ÷ 4, W ÷ 4, 2]; or each with the channels first",
    input: DetectorInput(
      letterbox: Letterbox(.center, padding: 0),
      normalization: Normalization(
        mean: [104.0136, 114.0342, 119.9166], standardDeviation: [73.6028, 69.8908, 70.9151]), isBGR: true),
    labels: .oneForEach,
    caution: { _ in
      """
      the normalisation (\(option: "normalize", "MEAN,STD")) if it is not that of CenterNet's authors, and \
      another export if images are RGB, or if sizes and offsets have y before x, as TensorFlow's have
      """
    },
    forms: [
      RowForm(
        tensors: (["C", "z", "f"] as [Columns]).map { RowTensor($0, isPerLevel: true) }, rows: .cells(1),
        strides: [[4]], isTransposed: [false, true])
    ], limit: 100,
    nearest: { signature in
      let shapes = signature.outputs.map(\.shape)
      guard (2...3).contains(shapes.count), shapes.allSatisfy({ $0.count == 4 }) else { return nil }
      let isLike = [1, 3].contains { channel in
        let sides = Set(shapes.map { channel == 1 ? $0[2...3] : $0[1...2] })
        return sides.count == 1 && shapes.count { $0[channel] == 2 } >= shapes.count - 1
      }
      guard isLike else { return nil }
      return NearestFamily(
        .centerNet,
        shapes.count == 2
          ? "there are 2 outputs"
          : "the 3 maps are not for one image, or do not have a quarter of the input's sides",
        remedy: "Export the model with its three maps, for one image at a time")
    })

  /// DETR with a softmax, whose last class stands for no object.
  ///
  /// **Source:** huggingface/transformers (Apache-2.0), `DetrImageProcessor`,
  /// `post_process_object_detection`; COCO's 91 numbers and no object: 92.
  public static let detrSoftmax: DetectorFamily = .init(
    name: "detr-softmax", aliases: ["yolos"],
    rule:
      "two outputs in either order, boxes [1, Q, 4] and logits [1, Q, C + 1] for Q queries, the last for no"
      + " object (92 for COCO)",
    input: .imageNet, labels: .oneForEach,
    forms: [RowForm(tensors: ["x", "C n"], rows: .queries, evidence: .noOther, foreignClassCount: 90)])
}
