// SPDX-License-Identifier: Apache-2.0

/// The memory of one tensor of a session.
@safe
struct TensorMemory {
  // XNNPACK may read up to 128 bytes beyond a tensor's end.
  private static let margin = 128

  private let storage: AlignedBytes
  private let byteCount: Int

  init(byteCount: Int, required: Int) {
    storage = AlignedBytes(byteCount: max(byteCount, required) + Self.margin)
    self.byteCount = byteCount
  }

  /// Where the tensor begins.
  var address: UnsafeMutableRawPointer { unsafe storage.memory.baseAddress.unsafelyUnwrapped }

  /// The tensor's own bytes, without the margin.
  var bytes: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: address, count: byteCount)
  }
}
