// SPDX-License-Identifier: Apache-2.0

/// Sizes for people.
package enum ByteText {
  /// Three digits or so, as `812 bytes`, `4.2 MB` or `1.3 GB`.
  ///
  /// A MB is a million bytes, as disks and networks count.
  package static func short(_ count: Int) -> String {
    var value = Double(count)
    guard value >= 1_000 else { return "\(count) bytes" }
    var unit = ""
    for name in ["kB", "MB", "GB", "TB"] {
      value /= 1_000
      unit = name
      // Rounding must not give 1000.0.
      if value < 999.95 { break }
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
