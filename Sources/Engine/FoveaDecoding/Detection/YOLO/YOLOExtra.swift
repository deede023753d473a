// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// What stands in a row behind its classes where a model finds more than boxes.
enum YOLOExtra: Sendable, Hashable {
  /// The coefficients of a mask.
  case masks(Int)
  /// The numbers of points: two or three for each.
  case points(Int)
  /// The angle of the box, in radians.
  case angle

  /// The numbers.
  var count: Int {
    switch self {
    case .masks(let count), .points(let count): count
    case .angle: 1
    }
  }

  /// Reads what a described task leaves behind `classCount` classes.
  ///
  /// **Source:** Ultralytics, "Tasks" of its documentation: `detect`, `segment`, `pose`, `obb`; a point has x and y, or these
  /// and how visible it is.
  /// - Returns: Nil where the task has no rows with so many numbers.
  init?(task: String?, count: Int) {
    switch task {
    case "segment" where count > 0: self = .masks(count)
    case "pose" where count >= 2 && (count.isMultiple(of: 2) || count.isMultiple(of: 3)):
      self = .points(count)
    case "obb" where count == 1: self = .angle
    default: return nil
    }
  }

  /// What users have to know who expect more than boxes of the model.
  ///
  /// Without a description, rows with the coefficients of masks can look like rows with points.
  func note(modelName: String, isDescribed: Bool) -> Advice {
    switch self {
    case .points where !isDescribed:
      "'\(modelName)' answers points or masks on each object as well, which are not read: its boxes are"
    case .masks: "'\(modelName)' answers masks as well, which are not read: its boxes are"
    case .points: "'\(modelName)' answers points on each object as well, which are not read: its boxes are"
    case .angle: "'\(modelName)' answers rotated boxes; the upright box around each is read"
    }
  }
}
