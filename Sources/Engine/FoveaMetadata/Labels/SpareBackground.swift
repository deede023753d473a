// SPDX-License-Identifier: Apache-2.0

/// A possible background at an end of a list of labels, which may have one label more than there are classes.
package enum SpareBackground: Sendable, Hashable {
  /// The name may also be an object's name, such as `empty`.
  case possible
  /// The name cannot be an object's name, such as `background`.
  case certain
  /// The first line is blank, and may be a nameless class.
  case blank

  /// Whether it is unclear that the label is one of the classes.
  package var leavesOpen: Bool { self != .possible }
}

extension LabelMap {
  /// The background in the first or last label, or a blank first line; nil for others.
  package var spareBackground: SpareBackground? {
    guard let first = names.first, let last = names.last, count > 1 else { return nil }
    if backgroundFirst != nil || BackgroundName.isCertain(last) { return .certain }
    if beginsBlank { return .blank }
    return BackgroundName.isOne(first) || BackgroundName.isOne(last) ? .possible : nil
  }
}
