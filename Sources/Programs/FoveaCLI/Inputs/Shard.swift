// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore

/// `I/N`: one of N parts of the images, by a hash of their paths.
///
/// Which part an image belongs to depends on its path below the folder that was named alone: parts are the same on every
/// machine, and stay when images are added. The rule is that of the Spark job's buckets.
///
/// **Source:** Apache Spark SQL, functions `xxhash64` (XXH64 of the UTF-8 text, seed 42) and `pmod`.
struct Shard: ExpressibleByArgument, Equatable, Sendable {
  /// From 0.
  let index: Int
  let count: Int

  private static let seed: UInt64 = 42

  /// Nil unless both are numbers; what they may be is for ``problem``.
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Why there is no such part; nil where there is.
  var problem: String? {
    guard count >= 1 else { return "there must be one part or more, got \(count)" }
    guard (0..<count).contains(index) else {
      return "the parts of \(count) are 0 to \(count - 1), got \(index)"
    }
    return nil
  }

  /// Whether the image with this path below the folder that was named is in this part.
  func contains(_ relativePath: String) -> Bool {
    let hash = Int64(bitPattern: XXHash64.hash(of: Array(relativePath.utf8), seed: Shard.seed))
    let remainder = Int(hash % Int64(count))
    return (remainder < 0 ? remainder + count : remainder) == index
  }
}
