// SPDX-License-Identifier: Apache-2.0

/// Writes numbers with a fixed number of decimals, as tables of boxes have them.
enum FixedDecimal {
  /// Appends `value`, rounded to `places` decimals (0 to 6), halves away from zero.
  ///
  /// What is not finite or larger than 10¹² is written in Swift's own way, which readers of numbers take too.
  static func append(_ value: Double, places: Int, to bytes: inout [UInt8]) {
    let powers: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
    let places = max(0, min(places, 6))
    guard abs(value) <= 1e12 else {
      bytes.append(contentsOf: value.description.utf8)
      return
    }
    let units = Int((value * powers[places]).rounded())
    if units < 0 { bytes.append(UInt8(ascii: "-")) }
    let power = Int(powers[places])
    append(units.magnitude / power.magnitude, to: &bytes)
    guard places > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    let decimals = String(units.magnitude % power.magnitude)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: places - decimals.utf8.count))
    bytes.append(contentsOf: decimals.utf8)
  }

  /// Appends a whole number.
  static func append(_ value: some BinaryInteger, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: String(value).utf8)
  }
}
