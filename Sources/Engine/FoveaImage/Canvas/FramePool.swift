// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Reusable memory for frames of the same size.
final class FramePool: Sendable {
  /// A block of memory that only one owner at a time writes to.
  @safe final class Memory: @unchecked Sendable {
    // SAFETY: the pool hands it to one owner at a time, who returns it when no one reads it any more.
    private let memory: PixelMemory
    var base: UnsafeMutablePointer<UInt8> { unsafe memory.base }
    var count: Int { memory.count }

    init(count: Int) throws(ImageError) { memory = try PixelMemory(count: count, name: "video frame") }
  }

  /// The maximum number of idle blocks to keep: as many frames as an encoder usually holds.
  private static let largestCount = 8
  private let idle = Mutex<[Memory]>([])

  /// The number of idle blocks.
  var idleCount: Int { idle.withLock { $0.count } }

  /// Returns a block of exactly `count` bytes with undefined values; frees idle blocks of other sizes.
  func take(_ count: Int) throws(ImageError) -> Memory {
    let kept = idle.withLock { idle -> Memory? in
      idle.removeAll { $0.count != count }
      return idle.popLast()
    }
    if let kept { return kept }
    return try Memory(count: count)
  }

  /// Returns a block to the pool.
  func give(_ memory: Memory) {
    idle.withLock { if $0.count < Self.largestCount { $0.append(memory) } }
  }
}
