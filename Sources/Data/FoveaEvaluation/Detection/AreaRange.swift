// SPDX-License-Identifier: Apache-2.0

/// The ranges of sizes that figures are given for, borders included.
enum AreaRange: Int, CaseIterable {
  case all, small, medium, large

  static let count = 4

  /// One bit for each range that does not hold an area, in square pixels: up to 1e10, 32², 32² to 96², from 96².
  static func outside(_ area: Double) -> UInt8 {
    var bits: UInt8 = 0
    if area > 1e10 { bits |= 0b1001 }
    if area > 1_024 { bits |= 0b0010 }
    if area < 1_024 || area > 9_216 { bits |= 0b0100 }
    if area < 9_216 { bits |= 0b1000 }
    return bits
  }
}
