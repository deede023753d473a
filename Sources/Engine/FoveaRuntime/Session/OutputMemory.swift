// SPDX-License-Identifier: Apache-2.0

/// The memory of one output of a session, with room to grow.
///
/// How many rows a model answers can depend on its input: those with their own suppression say so only after they ran.
/// LiteRT 2.3.0 then writes all rows to the memory it was given, whatever its size, so that there has to be room. It is
/// address space alone: the system gives a page when it is written.
@safe
struct OutputMemory {
  /// The bytes that an output may grow by, and the fewer ones where the system promises no more than it has.
  static let rooms = [1 << 30, 64 << 20]

  private let storage: ReservedBytes
  /// The bytes that the output has now.
  var byteCount: Int

  /// Reserves memory; nil where the system has no room.
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

  /// The most bytes that there is memory for.
  var capacity: Int { unsafe storage.memory.count }

  /// Where the tensor begins.
  var address: UnsafeMutableRawPointer { unsafe storage.memory.baseAddress.unsafelyUnwrapped }

  /// The tensor's own bytes.
  var bytes: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: address, count: min(byteCount, capacity))
  }
}
