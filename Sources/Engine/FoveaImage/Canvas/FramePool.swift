// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Memory for frames of one size that is used again.
final class FramePool: Sendable {
  /// Memory that one owner at a time writes.
  @safe final class Memory: @unchecked Sendable {
    // SAFETY: the pool gives it to one owner at a time, who gives it back when no one reads it any more.
    private let memory: PixelMemory
    var base: UnsafeMutablePointer<UInt8> { unsafe memory.base }
    var count: Int { memory.count }

    init(count: Int) throws(ImageError) { memory = try PixelMemory(count: count, name: "video frame") }
  }

  /// The most pieces that are kept: as many frames as an encoder usually holds back.
  private static let largestCount = 8
  private let idle = Mutex<[Memory]>([])

  /// How many pieces wait.
  var idleCount: Int { idle.withLock { $0.count } }

  /// A piece of exactly `count` bytes, with any values; pieces of other sizes are let go.
  func take(_ count: Int) throws(ImageError) -> Memory {
    let kept = idle.withLock { idle -> Memory? in
      idle.removeAll { $0.count != count }
      return idle.popLast()
    }
    if let kept { return kept }
    return try Memory(count: count)
  }

  /// Takes a piece back.
  func give(_ memory: Memory) {
    idle.withLock { if $0.count < Self.largestCount { $0.append(memory) } }
  }
}
