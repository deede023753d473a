// SPDX-License-Identifier: Apache-2.0

/// What stands for the background at an end of a list of labels, which may be one more than there are classes.
package enum SpareBackground: Sendable, Hashable {
  /// The name can be that of an object as well, as `empty`.
  case possible
  /// The name can be that of no object, as `background`.
  case certain
  /// The first line is blank, and may be a class without a name.
  case blank

  /// Whether it does not show if it is one of the classes.
  package var leavesOpen: Bool { self != .possible }
}

extension LabelMap {
  /// The background that the first or the last label names, or a blank first line; nil for others.
  package var spareBackground: SpareBackground? {
    guard let first = names.first, let last = names.last, count > 1 else { return nil }
    if backgroundFirst != nil || BackgroundName.isCertain(last) { return .certain }
    if beginsBlank { return .blank }
    return BackgroundName.isOne(first) || BackgroundName.isOne(last) ? .possible : nil
  }
}
