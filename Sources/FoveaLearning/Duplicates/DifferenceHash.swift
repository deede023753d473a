// SPDX-License-Identifier: Apache-2.0

/// 64 bits that copies of a photo share, whatever their size and quality.
package enum DifferenceHash {
  /// The columns of the small grey image that is compared.
  package static let width = 9
  /// Its rows.
  package static let height = 8
  /// The most bits in which two photos differ that are probably the same.
  package static let nearDistance = 4
  /// The most bits in which two photos differ that may be the same where something else says so; unrelated ones differ in 32.
  package static let looseDistance = 12

  /// A bit for each pixel that is darker than its right neighbour, row by row; the first is the highest.
  ///
  /// **Source:** Krawetz, "Kind of Like That", 2013 (dHash).
  /// - Parameter grey: The photo shrunk to 9 × 8 grey pixels, row by row: `[8, 9]`.
  /// - Returns: The hash; nil for another number of pixels.
  package static func of(_ grey: [UInt8]) -> UInt64? {
    guard grey.count == width * height else { return nil }
    var bits: UInt64 = 0
    for row in 0..<height {
      for column in 0..<width - 1 {
        let place = row * width + column
        bits = bits << 1 | (grey[place] < grey[place + 1] ? 1 : 0)
      }
    }
    return bits
  }
}
