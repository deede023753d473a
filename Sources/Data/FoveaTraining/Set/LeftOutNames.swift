// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Names of what is to be left out of a training.
enum LeftOutNames {
  private static let shownCount = 3

  /// That names are those of nothing, as a typing error has it; no note where all are known.
  /// - Parameters:
  ///   - unknown: The names.
  ///   - kind: What they should name: "photo".
  /// - Returns: A sentence without the final stop.
  static func notes(_ unknown: Set<String>, kind: String) -> [String] {
    guard !unknown.isEmpty else { return [] }
    let shown = unknown.sorted(by: ClassNames.precedes).prefix(shownCount).map { "'\($0.printable)'" }
    let more = unknown.count > shownCount ? ", …" : ""
    let names = DecimalText.counted(unknown.count, "name", "names")
    return [
      "\(names) to leave out \(unknown.count == 1 ? "is" : "are") of no \(kind): \(shown.joined(separator: ", "))\(more)"
    ]
  }
}
