// SPDX-License-Identifier: Apache-2.0

package import FoveaRuntime

/// A group of detector models whose outputs are read in the same way.
///
/// Each is declared in its own folder, with all that is particular to it, and stands in `all`.
public struct DetectorFamily: Sendable {
  /// Every family, in the order in which a model is compared with them.
  public static let all: [DetectorFamily] = [
    .ssdPostProcess, .yolov4, .anchorSSD, .efficientDet, .edgeSSD, .priorSSD,
    .mediaPipeFace, .mediaPipePalm, .fomo,
    .yolov2, .yolox, .yolov5, .yolov8, .yolov8Pose, .yolov8OBB, .yolov10,
    .nanodet, .picodet, .yoloxSuppressed,
  ]

  /// The name as options and reports use it.
  public let name: String
  /// What people call models that are read as those of this family.
  var aliases: [String] = []
  /// The rule that the tensors of a model of the family keep, in words.
  public let rule: String
  /// How the models of the family want their image.
  public let input: DetectorInput
  /// How many labels a model of the family takes.
  package let labels: LabelFit
  /// Whether scores may need an activation, or begin with a background's.
  package internal(set) var hasRawScores = false
  /// What a user has to make sure of for a model with these tensors, as a need; nil where all is well.
  package internal(set) var caution: @Sendable (ModelSignature) -> Advice? = { _ in nil }
  /// Adds the ways to read one list of answers as the family's to those of the families before it.
  var addReadings: @Sendable (YOLOOutput, inout [YOLOLayout]) -> Void = { _, _ in }
  /// What a model of no family lacks to be of this one; nil where it is not near.
  var nearest: @Sendable (ModelSignature) -> NearestFamily? = { _ in nil }
  /// Makes the decoder of a model, nil where the model breaks the rule; the second argument says whether the caller
  /// names the family, so that the tensors need not show it.
  let recognize: @Sendable (DetectorRecognizer, Bool) throws(DetectionError) -> (any DetectionDecoder)?
}

extension DetectorFamily: Hashable, CustomStringConvertible {
  /// The family with a name, or that a model of another name belongs to ("yolo11" is of `yolov8`); nil where there is
  /// none.
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

/// How many labels the models of a family take, where their outputs fix the number of classes.
package enum LabelFit: Sendable {
  /// One for each class.
  case oneForEach
  /// One for each class, and one more if it is the background's.
  case oneForEachOrBackground
  /// One for each class, where the outputs fix how many there are.
  case atLeast
}
