// SPDX-License-Identifier: Apache-2.0

/// The memory of one output of a session, with room to grow.
///
/// The number of output rows can depend on the input: models with built-in suppression report it only after a
/// run. LiteRT 2.3.0 then writes all rows to the given memory, regardless of its size, so there must be room.
/// It is only address space: the system allocates a page when it is written.
@safe
struct OutputMemory {
  /// The room for growth in bytes, and a smaller one for systems that do not overcommit memory.
  static let rooms = [1 << 30, 64 << 20]

  private let storage: ReservedBytes
  /// The present size of the output in bytes.
  var byteCount: Int

  /// Reserves memory; returns nil if the system has no room.
  init?(byteCount: Int, required: Int) {
    for room in Self.rooms {
      let (size, overflow) = max(byteCount, required).addingReportingOverflow(room)
      guard !overflow, let storage = ReservedBytes(byteCount: size) else { continue }
      self.storage = storage
      self.byteCount = byteCount
      return
    }
    return nil
  }

  /// The maximum size in bytes.
  var capacity: Int { unsafe storage.memory.count }

  /// The start of the tensor.
  var address: UnsafeMutableRawPointer { unsafe storage.memory.baseAddress.unsafelyUnwrapped }

  /// The tensor's own bytes.
  var bytes: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: address, count: min(byteCount, capacity))
  }
}
