// SPDX-License-Identifier: Apache-2.0

/// Changes to a model's bytes: a few numbers in place, and tables after its end.
///
/// Everything else keeps its position, so that offsets to weights after the FlatBuffer stay valid.
package struct ModelPatch: Sendable {
  /// The repairs, with reasons; empty for other changes.
  package internal(set) var repairs: [ModelRepair] = []
  /// The 32-bit numbers to store, by position.
  private(set) var words: [Int: UInt32] = [:]
  private(set) var tail: [UInt8] = []
  private let end: Int

  /// Creates an empty patch for a model of `byteCount` bytes.
  init(byteCount: Int) { end = (byteCount + 15) / 16 * 16 }

  /// The size of the patched model in bytes.
  package var byteCount: Int { end + tail.count }

  /// Stores a number at a position of the old bytes.
  mutating func store(_ word: UInt32, at position: Int) { words[position] = word }

  /// Keeps some elements of a vector of tables.
  mutating func keep(
    _ kept: [Int], of vector: FlatVector, named name: String, in bytes: Span<UInt8>
  ) throws(MetadataError) {
    store(UInt32(kept.count), at: vector.start - 4)
    for (place, old) in kept.enumerated() where place != old {
      let target = try bytes.target(at: vector.start + 4 * old, "element \(old) of '\(name)'")
      store(UInt32(truncatingIfNeeded: target - vector.start - 4 * place), at: vector.start + 4 * place)
    }
  }

  /// Appends bytes after the end, 16-byte aligned.
  /// - Returns: The position of the bytes.
  mutating func append(_ bytes: [UInt8]) -> Int {
    let position = byteCount
    tail += bytes
    while !tail.count.isMultiple(of: 16) { tail.append(0) }
    return position
  }

  /// Writes the patched model.
  /// - Parameters:
  ///   - model: The bytes for which the patch was created.
  ///   - bytes: `byteCount` bytes, all 0.
  package func write(_ model: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) {
    precondition(bytes.count == byteCount && model.count <= end)
    unsafe model.withUnsafeBufferPointer { source in
      unsafe bytes.withUnsafeMutableBufferPointer { target in
        // SAFETY: both sizes were compared above.
        unsafe _ = target.update(fromContentsOf: source)
      }
    }
    for index in tail.indices { bytes[end + index] = tail[index] }
    for (position, word) in words {
      for index in 0..<4 { bytes[position + index] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(index))) }
    }
  }
}
