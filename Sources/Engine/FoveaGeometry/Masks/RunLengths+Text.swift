// SPDX-License-Identifier: Apache-2.0

extension RunLengths {
  /// Creates run lengths from COCO's compressed form.
  /// - Parameters:
  ///   - text: The string in the member `counts`.
  ///   - size: The size of the image.
  /// - Throws: `GeometryError` `runLengthsInvalid` if the string is damaged, its runs are not as long as the
  ///   image has pixels, or the image has a negative side or 2³² or more pixels.
  ///
  /// **Source:** `rleFrString` of `maskApi.c`, pycocotools 2.0.11.
  public init(text: String, size: PixelSize) throws(GeometryError) {
    try RunLengths.check(size)
    var counts: [UInt32] = []
    var pixels = 0
    var number = 0
    var shift = 0
    for (index, byte) in text.utf8.enumerated() {
      // Five bits of a number a character, the lowest first; bit 5 announces another, bit 4 of the last is
      // the sign.
      let bits = Int(byte) - 48
      guard (0..<64).contains(bits), shift <= 35 else {
        throw RunLengths.damaged("character \(index + 1) is not part of a number of run lengths")
      }
      number |= (bits & 0x1f) << shift
      shift += 5
      if bits & 0x20 != 0 { continue }
      if bits & 0x10 != 0 { number |= -1 << shift }
      // From the fourth on, a number is the difference to the one two before.
      if counts.count > 2 { number += Int(counts[counts.count - 2]) }
      guard let count = UInt32(exactly: number) else {
        throw RunLengths.damaged("run \(counts.count + 1) has \(number) pixels")
      }
      counts.append(count)
      pixels += number
      (number, shift) = (0, 0)
    }
    guard shift == 0 else { throw RunLengths.damaged("it ends within a number") }
    try RunLengths.check(pixels, size)
    self.init(unchecked: counts, size: size)
  }

  private static func damaged(_ reason: String) -> GeometryError {
    GeometryError(
      .runLengthsInvalid, "The string of run lengths is damaged: \(reason)",
      remedy: "Write the string again; a JSON string has two backslashes for each")
  }

  /// COCO's compressed form, about 5 characters for 2 runs.
  ///
  /// **Source:** `rleToString` of `maskApi.c`, pycocotools 2.0.11.
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(counts.count * 3)
    for (index, count) in counts.enumerated() {
      var number = Int(count)
      if index > 2 { number -= Int(counts[index - 2]) }
      while true {
        let bits = UInt8(truncatingIfNeeded: number & 0x1f)
        number >>= 5
        let isLast = number == (bits & 0x10 != 0 ? -1 : 0)
        bytes.append(48 + (isLast ? bits : bits | 0x20))
        if isLast { break }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
