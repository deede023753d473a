// SPDX-License-Identifier: Apache-2.0

/// A group of detector models whose outputs are read in the same way.
public struct DetectorFamily: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String, CaseIterable {
    case ssdPostProcess = "ssd-postprocess"
    case anchorSSD = "ssd-anchors"
    case efficientDet = "efficientdet"
    case yolox
    case yolov5
    case yolov8
    case yolov10
  }
  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// SSD with the operator `TFLite_Detection_PostProcess`: four outputs, boxes, classes, scores and count.
  public static let ssdPostProcess = DetectorFamily(.ssdPostProcess)
  /// SSD without post-processing: box codes and scores for each anchor, whose layout is known or in the metadata.
  public static let anchorSSD = DetectorFamily(.anchorSSD)
  /// EfficientDet without post-processing: box codes and logits for each anchor of levels 3 to 7.
  public static let efficientDet = DetectorFamily(.efficientDet)

  /// YOLOX: a row for each cell with objectness and classes, decoded or not.
  public static let yolox = DetectorFamily(.yolox)
  /// YOLOv5 and others of its layout: three decoded rows for each cell with objectness and classes.
  public static let yolov5 = DetectorFamily(.yolov5)
  /// YOLOv8, 9, 11 and 12: a column or row for each cell with classes, without objectness.
  public static let yolov8 = DetectorFamily(.yolov8)
  /// YOLOv10, YOLO26 and others that answer end to end: a row for each object, none twice.
  public static let yolov10 = DetectorFamily(.yolov10)

  /// Every family, in the order in which a model is compared with them.
  public static let all = Kind.allCases.map(DetectorFamily.init)

  // What people call models that are read as those of another name.
  private static let aliases: [String: Kind] = [
    "yolov7": .yolov5, "yolov9": .yolov8, "yolo11": .yolov8, "yolov11": .yolov8, "yolo12": .yolov8,
    "yolov12": .yolov8, "yolo26": .yolov10, "yolov26": .yolov10,
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
    case .yolox:
      "one output [1, N, 5 + C], N the number of cells (8,400 at 640 × 640): box, objectness, C classes"
    case .yolov5:
      "one output [1, 3 N, 5 + C], N the number of cells (25,200 rows at 640 × 640): box, objectness, C classes"
    case .yolov8:
      "one output [1, 4 + C, N] or [1, N, 4 + C], N the number of cells (8,400 at 640 × 640): box, C classes"
    case .yolov10:
      "one output [1, K, 6], K at most 1,000: left, top, right, bottom, score, class"
    }
  }
}
