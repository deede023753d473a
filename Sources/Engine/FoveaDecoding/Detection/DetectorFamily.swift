// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
package import FoveaRuntime

/// A group of detector models whose outputs are decoded in the same way.
///
/// Families whose outputs are rows are values in `Rows`; the others are declared in their own folders, with
/// everything specific to them. All are listed in `all`.
public struct DetectorFamily: Sendable {
  /// All families, in the order in which a model is compared with them.
  public static let all: [DetectorFamily] = [
    .ssdPostProcess, .yolov4, .anchorSSD, .efficientDet, .edgeSSD, .priorSSD,
    .mediaPipeFace, .mediaPipePalm, .mediaPipePose, .movenet, .movenetMulti, .fomo, .centerNet,
    .yolov2, .yolox, .yolov6, .yolov5, .yolov5Face, .yolov8, .yolov8Pose, .yolov8OBB,
    .yolov10, .nanodet, .picodet, .yoloPair, .damoYOLO, .yoloSplit, .yolov7Joined, .detr, .rtDETR,
    .detrSoftmax, .yoloxSuppressed,
  ]

  /// The name in options and reports.
  public let name: String
  /// Other names of models that are decoded as this family.
  var aliases: [String] = []
  /// A description of the tensors that a model of the family must have.
  public let rule: String
  /// The input that models of the family expect.
  public let input: DetectorInput
  /// The number of labels that a model of the family accepts.
  package let labels: LabelFit
  /// Whether scores may need an activation or begin with a background class.
  package internal(set) var hasRawScores = false
  /// Returns what users must check for a model with these tensors; nil if there is nothing.
  package internal(set) var caution: @Sendable (ModelSignature) -> Advice? = { _ in nil }
  /// Returns the name of a family with the same outputs for this number of classes, but another image, which
  /// only the caller can name; nil if there is none.
  var twin: @Sendable (_ classCount: Int?) -> String? = { _ in nil }
  /// The layouts of the outputs, the likelier first; empty for families with a decoder of their own.
  var forms: [RowForm] = []
  /// The largest IoU of two boxes of one class; nil without duplicates, or if the model decides.
  var iou: Double?
  /// The largest number of detections: the default of Ultralytics (`max_det`), unless the family has its own.
  var limit = 300
  /// The lowest score of an object in the family's own programs; nil for the usual one.
  var threshold: Float?
  /// The class names if all models of the family have the same; nil if they come from a label file.
  var classNames: [String]?
  /// The size of the input of models that leave it open; nil if the family needs a fixed one.
  var openSize: PixelSize?
  /// A flag for boxes that may be offsets from their cells, with logarithms of sizes.
  var isRelativeToCells = false
  /// A flag for exports with scores before distances, which decides if both have the same width.
  var isScoresFirst = false
  /// The names of families whose models the caller may also mean by this name.
  var kin: [String] = []
  /// Returns how a model that belongs to no family differs from this one; nil if it is not similar.
  var nearest: @Sendable (ModelSignature) -> NearestFamily? = { _ in nil }
  /// Creates the decoder of a model, or nil if the model breaks the rule; nil for families with forms.
  ///
  /// The second argument is true if the caller names the family, so that the tensors need not show it.
  var recognize: (@Sendable (DetectorRecognizer, Bool) throws(DetectionError) -> (any DetectionDecoder)?)?

  /// Creates the decoder of a model; nil if the model breaks the rule.
  func decoder(of model: DetectorRecognizer, isAsked: Bool) throws(DetectionError) -> (
    any DetectionDecoder
  )? {
    guard let recognize else { return try model.rowDecoder(of: self, isAsked: isAsked) }
    return try recognize(model, isAsked)
  }
}

extension DetectorFamily {
  /// Returns the shape with which a model runs whose input leaves its size open.
  /// - Parameter signature: The tensors in the file; an open size is −1, or 1 in some exports.
  /// - Returns: The shape; nil for a fixed size, and for a model of no family that has a size for it.
  package static func openShape(of signature: ModelSignature) -> [Int]? {
    guard let input = signature.inputs.first?.shape, input.count == 4, input[0] == 1, input[3] == 3,
      input[1...2].contains(-1) || input[1...2] == [1, 1]
    else { return nil }
    for family in all {
      guard let size = family.openSize else { continue }
      var sized = signature
      let shape = [1, size.height, size.width, 3]
      sized.inputs[0].shape = shape
      let model = DetectorRecognizer(modelName: "", signature: sized, metadata: nil)
      if RowBinding(model)?.layouts(of: family).isEmpty == false { return shape }
    }
    return nil
  }
}

extension DetectorFamily: Hashable, CustomStringConvertible {
  /// Finds the family with this name or alias ("yolo11" is an alias of `yolov8`); nil if there is none.
  public init?(name: String) {
    guard let family = Self.all.first(where: { $0.name == name || $0.aliases.contains(name) }) else {
      return nil
    }
    self = family
  }

  /// Families are equal if they have the same name.
  public static func == (left: DetectorFamily, right: DetectorFamily) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  public var description: String { name }
}

/// The number of labels that models of a family accept, if their outputs fix the number of classes.
package enum LabelFit: Sendable {
  /// One per class.
  case oneForEach
  /// One per class, and optionally one for the background.
  case oneForEachOrBackground
  /// One per class, if the outputs fix the number of classes.
  case atLeast
}
