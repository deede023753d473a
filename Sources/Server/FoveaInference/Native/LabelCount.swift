// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The limits of a list of labels, counted before a string is split.
struct LabelCount: Sendable {
  /// The maximum number of strings in a list.
  static let most = 1_000
  /// The maximum number of parts between commas in a string; a label may contain commas too.
  static let mostParts = 10_000
  /// The maximum number of bytes in all strings of a list.
  static let mostBytes = 64 << 10

  private var texts = 0
  private var bytes = 0

  init() {}

  /// Counts a string: one label, or several separated by commas or line breaks.
  /// - Parameters:
  ///   - text: The next text of the list.
  ///   - noun: The word for its entries.
  /// - Returns: The error of the list, such as `has more than 1,000 labels`; nil if it is within the limits.
  mutating func add(_ text: String, noun: String = "labels") -> String? {
    texts += 1 + text.utf8.dropLast().count(where: { $0 == UInt8(ascii: "\n") })
    bytes += text.utf8.count
    if texts > LabelCount.most { return Self.excess(LabelCount.most, noun) }
    if bytes > LabelCount.mostBytes { return Self.excess(LabelCount.mostBytes, "bytes") }
    let commas = text.utf8.count(where: { $0 == UInt8(ascii: ",") })
    return commas < LabelCount.mostParts ? nil : Self.excess(LabelCount.mostParts, "parts between commas")
  }

  private static func excess(_ most: Int, _ noun: String) -> String {
    "has more than \(DecimalText.grouped(most)) \(noun)"
  }
}
#endif
