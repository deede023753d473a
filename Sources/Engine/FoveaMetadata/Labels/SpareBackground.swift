// SPDX-License-Identifier: Apache-2.0

/// A name of the background at an end of a list of labels, which may be one label more than there are classes.
package enum SpareBackground: Sendable, Hashable {
  /// The name can be that of an object as well, as `empty`.
  case possible
  /// The name can be that of no object, as `background`.
  case certain
}

extension LabelMap {
  /// The background that the first or the last label names; nil if neither does.
  package var spareBackground: SpareBackground? {
    guard let first = names.first, let last = names.last, count > 1 else { return nil }
    if backgroundFirst != nil || BackgroundName.isCertain(last) { return .certain }
    return BackgroundName.isOne(first) || BackgroundName.isOne(last) ? .possible : nil
  }
}
