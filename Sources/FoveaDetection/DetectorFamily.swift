// SPDX-License-Identifier: Apache-2.0

/// A group of detector models whose outputs are read in the same way.
public struct DetectorFamily: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String, CaseIterable {
    case ssdPostProcess = "ssd-postprocess"
    case anchorSSD = "ssd-anchors"
    case efficientDet = "efficientdet"
    case priorSSD = "ssd-priors"
    case mediaPipeFace = "mediapipe-face"
    case mediaPipePalm = "mediapipe-palm"
    case fomo
    case yolov2
    case yolox
    case yolov5
    case yolov8
    case yolov10
    case nanodet
    case picodet
    case yoloxSuppressed = "yolox-nms"
  }
  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// SSD with the operator `TFLite_Detection_PostProcess`: four outputs, boxes, classes, scores and count.
  public static let ssdPostProcess = DetectorFamily(.ssdPostProcess)
  /// SSD without post-processing: box codes and scores for each anchor, whose layout is known or in the metadata.
  public static let anchorSSD = DetectorFamily(.anchorSSD)
  /// EfficientDet without post-processing: box codes and logits for each anchor of levels 3 to 7.
  public static let efficientDet = DetectorFamily(.efficientDet)
  /// SSD without post-processing whose outputs carry the anchors: as a third output, or in each row.
  public static let priorSSD = DetectorFamily(.priorSSD)
  /// MediaPipe's face detectors, short and full range: raw boxes with six keypoints, and scores, for each anchor.
  public static let mediaPipeFace = DetectorFamily(.mediaPipeFace)
  /// MediaPipe's palm detector: raw boxes with seven keypoints, and scores, for each anchor.
  public static let mediaPipePalm = DetectorFamily(.mediaPipePalm)
  /// Edge Impulse FOMO: a heat map with the background and a channel for each class.
  public static let fomo = DetectorFamily(.fomo)

  /// YOLOv2: one map of cells of 32 pixels, five raw boxes for each.
  public static let yolov2 = DetectorFamily(.yolov2)
  /// YOLOX: a row for each cell with objectness and classes, decoded or not.
  public static let yolox = DetectorFamily(.yolox)
  /// YOLOv5 and others of its layout: three decoded rows for each cell with objectness and classes.
  public static let yolov5 = DetectorFamily(.yolov5)
  /// YOLOv8, 9, 11 and 12: a column or row for each cell with classes, without objectness.
  public static let yolov8 = DetectorFamily(.yolov8)
  /// YOLOv10, YOLO26 and others that answer end to end: a row for each object, none twice.
  public static let yolov10 = DetectorFamily(.yolov10)

  /// NanoDet and NanoDet-Plus: classes and, for each edge, the distribution of its distance from the cell.
  public static let nanodet = DetectorFamily(.nanodet)
  /// PicoDet: classes and distributions of distances, two outputs for each level.
  public static let picodet = DetectorFamily(.picodet)
  /// YOLOX and others that were exported with their suppression: a row of seven numbers for each object.
  public static let yoloxSuppressed = DetectorFamily(.yoloxSuppressed)

  /// Every family, in the order in which a model is compared with them.
  public static let all = Kind.allCases.map(DetectorFamily.init)

  // What people call models that are read as those of another name.
  private static let aliases: [String: Kind] = [
    "yolov7": .yolov5, "yolov9": .yolov8, "yolo11": .yolov8, "yolov11": .yolov8, "yolo12": .yolov8,
    "yolov12": .yolov8, "yolo26": .yolov10, "yolov26": .yolov10,
    "blazeface": .mediaPipeFace, "nanodet-plus": .nanodet,
  ]

  /// The family with a name, or that a model of another name belongs to ("yolo11" is of `yolov8`); nil where there is
  /// none.
  public init?(name: String) {
    guard let kind = Kind(rawValue: name) ?? Self.aliases[name] else { return nil }
    self.kind = kind
  }

  /// The name as options and reports use it.
  public var name: String { kind.rawValue }

  /// The name.
  public var description: String { name }

  /// The rule that the tensors of a model of the family keep, in words.
  public var rule: String {
    switch kind {
    case .ssdPostProcess:
      "four float outputs: boxes [1, N, 4], classes [1, N], scores [1, N], count [1]"
    case .anchorSSD:
      "two outputs, box codes [1, A, 4] and scores [1, A, C], where A is the number of an SSD's anchors"
        + " (738 at 192 × 192, 1917 at 300 × 300, 2034 at 320 × 320, with a feature pyramid 12804), or its metadata"
        + " have A anchors"
    case .efficientDet:
      "two outputs, box codes [1, A, 4] and scores [1, A, C], where A is 9 for each cell of levels 3 to 7"
        + " (19206 at 320 × 320, 49104 at 512 × 512)"
    case .priorSSD:
      "three outputs, box codes [1, A, 4], scores [1, A, C] and anchors [A, 4]; or one [1, A, C + 8] or [1, A, C + 12]"
        + " with the anchors, and their variances, in each row, A the number of an SSD's anchors (8732 at 300 × 300)"
    case .mediaPipeFace:
      "two outputs, boxes [1, A, 16] and scores [1, A, 1], where A is 896 at 128 × 128 or 256 × 256, and 2304 at"
        + " 192 × 192"
    case .mediaPipePalm:
      "two outputs, boxes [1, 2016, 18] and scores [1, 2016, 1], at 192 × 192"
    case .fomo:
      "one output [1, H ÷ 8, W ÷ 8, C + 1] of probabilities, the background's first"
    case .yolov2:
      "one output [1, H ÷ 32, W ÷ 32, 5 · (5 + C)]: five boxes for each cell, with objectness and C classes"
    case .yolox:
      "one output [1, N, 5 + C], N the number of cells (8,400 at 640 × 640): box, objectness, C classes"
    case .yolov5:
      "one output [1, 3 N, 5 + C], N the number of cells (25,200 rows at 640 × 640): box, objectness, C classes"
    case .yolov8:
      "one output [1, 4 + C, N] or [1, N, 4 + C], N the number of cells (8,400 at 640 × 640): box, C classes"
    case .yolov10:
      "one output [1, K, 6], K at most 1,000: left, top, right, bottom, score, class"
    case .nanodet:
      "one output [1, N, C + 32], N the number of cells (2,125 at 320 × 320 with NanoDet-Plus): C scores, and a"
        + " distribution of eight distances for each edge; or scores and distributions as outputs of their own"
    case .picodet:
      "two outputs for each level, scores [1, N, C] and distributions [1, N, 32], N the number of cells (1,600, 400,"
        + " 100 and 25 at 320 × 320)"
    case .yoloxSuppressed:
      "one output [K, 7]: the picture's number, left, top, right, bottom, score, class, in one of the usual orders"
    }
  }
}
