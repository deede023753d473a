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

  /// Returns a note for users who expect more than boxes from a model with this layout; nil if everything is
  /// read.
  ///
  /// Without a declared task, rows with mask coefficients can look like rows with points.
  func note(modelName: String, _ layout: RowLayout) -> Advice? {
    switch self {
    case .points where layout.pointSize != nil: nil
    case .points where !layout.isDescribed:
      "'\(modelName)' outputs points or masks on each object as well, which are not read: its boxes are"
    case .masks:
      layout.prototypes != nil
        ? nil
        : "'\(modelName)' has coefficients of masks, but no output with their prototypes, a map of the"
          + " input's proportions: its boxes are read"
    case .points(let count):
      "'\(modelName)' outputs \(count) numbers of points on each object as well, which are not read,"
        + " as \(Self.doubt(about: layout)): its boxes are"
    case .angle: nil
    }
  }

  /// The reason why the points of a layout are not read.
  private static func doubt(about layout: RowLayout) -> String {
    guard let shape = layout.contradictedShape else { return "nothing shows how many each point has" }
    return shape.count == 2
      ? "its description declares \(shape[0]) points of \(shape[1]) numbers"
      : "its description has \(shape) in place of two numbers for points"
  }

  /// The clause for errors about the number of classes, which depends on the numbers behind them.
  var clause: String {
    switch self {
    case .masks(1): "the last number of each row is read as the coefficient of a mask"
    case .masks(let count): "the last \(count) numbers of each row are read as coefficients of a mask"
    case .points(let count): "the last \(count) numbers of each row are read as points"
    case .angle: "the last number of each row is read as an angle"
    }
  }
}

extension DetectionDecoder {
  /// The clause for errors about the number of classes; nil if nothing follows them in a row.
  package var clauseBehindClasses: String? { (self as? RowDecoder)?.layout.extra?.clause }
}
