// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// The photos of a run that could not be read.
package struct UnreadablePhotos: Sendable {
  private let failed: [ComparedModels.Failed]
  /// The number of all photos.
  private let count: Int
  /// The number of photos that messages name.
  private static let namedCount = 3

  /// - Parameters:
  ///   - failed: The photos, with the reason of each.
  ///   - count: The number of all photos.
  package init(_ failed: [ComparedModels.Failed], of count: Int) {
    (self.failed, self.count) = (failed, count)
  }

  /// Whether there are photos, and none of them could be read.
  var areAll: Bool { !failed.isEmpty && failed.count >= count }

  /// The number of the photos as a sentence without the full stop; nil if all could be read.
  var text: String? {
    guard !failed.isEmpty else { return nil }
    let all = DecimalText.counted(count, "photo", "photos")
    return areAll
      ? "None of the \(all) can be read" : "\(DecimalText.grouped(failed.count)) of \(all) cannot be read"
  }

  /// The error with their number, the first names and the first reason; nil if all could be read.
  package var error: FoveaError? {
    guard let first = failed.first, let text else { return nil }
    guard count > 1 else {
      return FoveaError(
        .calibrationEmpty, "The photo '\(first.name.printable)' cannot be read: \(first.error.message)",
        remedy: first.error.remedy)
    }
    let named = failed.prefix(Self.namedCount).dropFirst().map { "'\($0.name.printable)'" }
    let more = failed.count - Self.namedCount
    let others = named.joined(separator: ", ") + (more > 0 ? " and \(DecimalText.grouped(more)) more" : "")
    return FoveaError(
      .calibrationEmpty,
      "\(text), first '\(first.name.printable)': \(first.error.message)"
        + (others.isEmpty ? "" : "; also \(others)"),
      remedy: first.error.remedy)
  }

  /// The error at the end of a run that has named each photo; nil for fewer than two.
  package var summary: FoveaError? { failed.count > 1 ? error : nil }
}
