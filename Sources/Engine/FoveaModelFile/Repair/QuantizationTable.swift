// SPDX-License-Identifier: Apache-2.0

/// The FlatBuffer table of a quantisation with the same scale and zero point for each channel.
///
/// **Source:** TensorFlow Lite, `schema.fbs`, table QuantizationParameters: scale 2, zero_point 3,
/// quantized_dimension 6.
enum QuantizationTable {
  /// The start of the table within the bytes, after its vtable.
  static let start = 20

  /// Returns the bytes, to place at a multiple of 8.
  static func bytes(scale: Float, zeroPoint: Int64, count: Int, dimension: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + 12 * count)
    // The vtable: its length, the table's length, and the offsets of the fields 0…6; then two bytes of
    // padding to a multiple of 4.
    for word: UInt16 in [18, 16, 0, 0, 4, 8, 0, 0, 12, 0] { bytes.append(littleEndian: word) }
    // The numbers of a vector of 64-bit integers are at a multiple of 8, so its length, just before them, is
    // at a multiple of 8 plus 4.
    let scales = start + 16
    let zeroPoints = (scales + 4 + 4 * count + 7) / 8 * 8 + 4
    bytes.append(littleEndian: Int32(start))
    bytes.append(littleEndian: UInt32(scales - start - 4))
    bytes.append(littleEndian: UInt32(zeroPoints - start - 8))
    bytes.append(littleEndian: Int32(dimension))
    bytes.append(littleEndian: UInt32(count))
    for _ in 0..<count { bytes.append(littleEndian: scale.bitPattern) }
    bytes += [UInt8](repeating: 0, count: zeroPoints - bytes.count)
    bytes.append(littleEndian: UInt32(count))
    for _ in 0..<count { bytes.append(littleEndian: UInt64(bitPattern: zeroPoint)) }
    return bytes
  }
}
