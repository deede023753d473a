// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

/// Checks the order of images that become frames by their names.
enum ImageOrder {
  /// Returns the warning about names that contradict the order of images as frames; nil if they do not.
  static func warning(_ images: [String], file: String) -> TrackFileWarning? {
    if zip(images, images.dropFirst()).contains(where: { isFalling($0, $1) }) {
      return TrackFileWarning(
        file: file, line: 0, reason: "the images are not in the order of their names",
        action: "the order of the file is used", isOfOrder: true)
    }
    guard hasGaps(images) else { return nil }
    return TrackFileWarning(
      file: file, line: 0, reason: "the numbers in the names of the images leave gaps",
      action: "each image is the next frame", isOfOrder: true)
  }

  /// Whether the second of two images in one folder comes first in every natural order.
  private static func isFalling(_ first: String, _ second: String) -> Bool {
    let (one, other) = (PathEnds.parts(first), PathEnds.parts(second))
    guard one.dropLast() == other.dropLast(), let before = one.last, let after = other.last else {
      return false
    }
    let (left, right) = (Array(after.utf8)[...], Array(before.utf8)[...])
    return NaturalOrder.precedes(left, right) && NaturalOrder.precedes(left, right, ignoringCase: false)
  }

  /// Whether the names differ only in a final number, by unequal steps.
  private static func hasGaps(_ images: [String]) -> Bool {
    var begin: Substring?
    var last: Int?
    var step: Int?
    var differs = false
    for image in images {
      guard let file = PathEnds.parts(image).last else { return false }
      let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
      let count = stem.reversed().prefix { $0.isASCII && $0.isNumber }.count
      guard let number = Int(stem.suffix(count)), begin ?? stem.dropLast(count) == stem.dropLast(count) else {
        return false
      }
      begin = stem.dropLast(count)
      if let last {
        guard number > last else { return false }
        if let step, step != number - last { differs = true }
        step = number - last
      }
      last = number
    }
    return differs
  }
}
