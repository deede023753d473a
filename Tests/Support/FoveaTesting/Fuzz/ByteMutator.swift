// SPDX-License-Identifier: Apache-2.0

/// Damages files in ways that break decoders; the same seed gives the same damage.
public struct ByteMutator: Sendable {
  private var random: SeededGenerator

  /// Starts the sequence of a seed.
  public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The next random number.
  public mutating func next() -> UInt64 { random.next() }

  /// Returns a random number of 0 ..< bound; 0 if the bound is less than 1.
  public mutating func below(_ bound: Int) -> Int { random.below(max(bound, 1)) }

  /// Returns one of the files, with one to four damages.
  public mutating func mutated(_ files: [[UInt8]]) -> [UInt8] {
    var bytes = files[below(files.count)]
    for _ in 0...below(4) { damage(&bytes, files) }
    return bytes
  }

  /// Damages a file once; a part of one of `files` may be inserted.
  public mutating func damage(_ bytes: inout [UInt8], _ files: [[UInt8]]) {
    guard bytes.count > 4 else { return }
    switch below(7) {
    case 0:
      for _ in 0...below(8) { bytes[below(bytes.count)] ^= 1 << UInt8(below(8)) }
    case 1:
      bytes[below(bytes.count)] = [0, 1, 0x7f, 0x80, 0xff][below(5)]
    case 2, 3: setNumber(&bytes)
    case 4: bytes.removeLast(below(bytes.count))
    case 5:
      // Replaces a part with one of another file, or of this one.
      let other = files[below(files.count)]
      let start = below(other.count)
      let piece = other[start..<min(start + 1 + below(64), other.count)]
      let place = below(bytes.count)
      bytes.replaceSubrange(place..<min(place + below(64), bytes.count), with: piece)
    default:
      // Repeats a part.
      let start = below(bytes.count)
      let piece = Array(bytes[start..<min(start + 1 + below(256), bytes.count)])
      for _ in 0...below(8) { bytes.insert(contentsOf: piece, at: start) }
    }
  }

  /// Writes an extreme number of 2 or 4 bytes, mostly into the header.
  private mutating func setNumber(_ bytes: inout [UInt8]) {
    let extremes: [UInt32] = [
      0, 1, 2, 0x7f, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe,
      0xffff_ffff, 14_000,
    ]
    let value = extremes[below(extremes.count)]
    let count = below(2) == 0 ? 2 : 4
    let isBig = below(2) == 0
    let offset = below(below(3) == 0 ? bytes.count : min(bytes.count, 96))
    for index in 0..<count where offset + index < bytes.count {
      let shift = 8 * (isBig ? count - 1 - index : index)
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(shift))
    }
  }
}
