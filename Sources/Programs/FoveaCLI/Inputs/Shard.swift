// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaCore

/// `I/N`: one of N parts of the images, by a hash of their paths.
///
/// The part of an image depends only on its path inside the folder argument: parts are the same on every
/// machine and do not change when images are added. The rule is the same as for the Spark job's buckets.
///
/// **Source:** Apache Spark SQL, functions `xxhash64` (XXH64 of the UTF-8 text, seed 42) and `pmod`.
struct Shard: ExpressibleByArgument, Equatable, Sendable {
  /// The part, from 0.
  let index: Int
  let count: Int

  private static let seed: UInt64 = 42

  /// Parses two numbers; ``problem`` checks their range.
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// The reason why there is no such part; nil if it exists.
  var problem: String? {
    guard count >= 1 else { return "there must be one part or more, got \(count)" }
    guard (0..<count).contains(index) else {
      return "the parts of \(count) are 0 to \(count - 1), got \(index)"
    }
    return nil
  }

  /// Whether the image with this path inside the folder argument is in this part.
  func contains(_ relativePath: String) -> Bool {
    let hash = Int64(bitPattern: XXHash64.hash(of: Array(relativePath.utf8), seed: Shard.seed))
    let remainder = Int(hash % Int64(count))
    return (remainder < 0 ? remainder + count : remainder) == index
  }
}
