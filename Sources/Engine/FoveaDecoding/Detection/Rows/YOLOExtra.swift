// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The numbers after the classes in a row of a model that finds more than boxes.
enum YOLOExtra: Sendable, Hashable {
  /// The coefficients of a mask.
  case masks(Int)
  /// The numbers of points.
  case points(Int)
  /// The angle of the box, in radians.
  case angle

  /// Determines what a declared task appends after `classCount` classes.
  ///
  /// **Source:** Ultralytics documentation, "Tasks": `detect`, `segment`, `pose`, `obb`; a point has x and y,
  /// and optionally its visibility.
  /// - Returns: Nil if the task does not have rows with this many numbers.
  init?(task: String?, count: Int) {
    switch task {
    case "segment" where count > 0: self = .masks(count)
    case "pose" where count >= 2 && (count.isMultiple(of: 2) || count.isMultiple(of: 3)):
      self = .points(count)
    case "obb" where count == 1: self = .angle
    default: return nil
    }
  }

  /// Returns a note for users who expect more than boxes from the model; nil if everything is read.
  ///
  /// Without a declared task, rows with mask coefficients can look like rows with points.
  func note(
    modelName: String, isDescribed: Bool, hasPrototypes: Bool, pointSize: Int?
  ) -> Advice? {
    switch self {
    case .points where pointSize != nil: nil
    case .points where !isDescribed:
      "'\(modelName)' outputs points or masks on each object as well, which are not read: its boxes are"
    case .masks:
      hasPrototypes
        ? nil
        : "'\(modelName)' has coefficients of masks, but no output with their prototypes, a map of the"
          + " input's proportions: its boxes are read"
    case .points(let count):
      "'\(modelName)' outputs \(count) numbers of points on each object as well, which are not read,"
        + " as nothing shows how many each point has: its boxes are"
    case .angle: nil
    }
  }
}
