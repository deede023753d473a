// SPDX-License-Identifier: Apache-2.0

/// The buffer of a tensor's constant numbers.
struct ModelBuffer {
  /// The number of bytes; 0 for a computed tensor.
  let byteCount: Int
  /// The position of the bytes; nil if they are after the FlatBuffer.
  let data: FlatVector?

  /// Reads the list of buffers, inside the FlatBuffer or, for large models, after it.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, table Buffer.
  static func all(
    _ root: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [ModelBuffer] {
    var buffers: [ModelBuffer] = []
    for buffer in try root.tables(ModelFile.Field.buffers, in: bytes, &budget) {
      if let data = try buffer.vector(ModelFile.Field.bufferData, stride: 1, in: bytes), data.count > 0 {
        buffers.append(ModelBuffer(byteCount: data.count, data: data))
        continue
      }
      let offset = Int(clamping: try buffer.uint64(ModelFile.Field.bufferOffset, in: bytes))
      let size = Int(clamping: try buffer.uint64(ModelFile.Field.bufferSize, in: bytes))
      // 0 and 1 mean that there are no bytes outside.
      if offset > 1 { try bytes.require(size, at: offset, "buffer \(buffers.count)") }
      buffers.append(ModelBuffer(byteCount: offset > 1 ? size : 0, data: nil))
    }
    return buffers
  }
}
