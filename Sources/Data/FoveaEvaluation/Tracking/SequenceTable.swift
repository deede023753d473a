// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// The boxes of one sequence that count, in the form that the metrics use.
///
/// Identities are numbered from 0 on each side. A link is a pair of identities whose boxes overlap in any
/// frame; links are numbered too, because a table of all pairs would grow with the product.
struct SequenceTable {
  /// Two boxes of one frame that overlap.
  struct Pair {
    /// The indices in the frame of the ground truth's box and the tracker's.
    var row: Int32
    var column: Int32
    /// The number of the pair of identities.
    var link: Int32
    var similarity: Double
  }

  /// The ranges of a frame's boxes and pairs.
  struct Frame {
    var truths: Range<Int>
    var results: Range<Int>
    var pairs: Range<Int>
  }

  private(set) var frames: [Frame] = []
  /// The identity of each box of the ground truth and of the tracker.
  private(set) var truthIDs: [Int32] = []
  private(set) var resultIDs: [Int32] = []
  private(set) var pairs: [Pair] = []
  /// The number of boxes of each identity.
  private(set) var truthCounts: [Int] = []
  private(set) var resultCounts: [Int] = []
  /// The two identities of each link.
  private(set) var links: [(truth: Int32, result: Int32)] = []

  private var truthNumbers: [Int: Int32] = [:]
  private var resultNumbers: [Int: Int32] = [:]
  private var linkNumbers: [UInt64: Int32] = [:]

  init() {}

  /// Adds a frame: the identities of the boxes that count, and their overlaps.
  mutating func append(truths: [Int], results: [Int], pairs found: [OverlapPair]) {
    let truthStart = truthIDs.count
    let resultStart = resultIDs.count
    for identity in truths {
      truthIDs.append(SequenceTable.number(identity, in: &truthNumbers, counts: &truthCounts))
    }
    for identity in results {
      resultIDs.append(SequenceTable.number(identity, in: &resultNumbers, counts: &resultCounts))
    }
    let pairStart = pairs.count
    for pair in found {
      let truth = truthIDs[truthStart + Int(pair.row)]
      let result = resultIDs[resultStart + Int(pair.column)]
      pairs.append(
        Pair(
          row: pair.row, column: pair.column, link: link(truth, result), similarity: pair.similarity))
    }
    frames.append(
      Frame(
        truths: truthStart..<truthIDs.count, results: resultStart..<resultIDs.count,
        pairs: pairStart..<pairs.count))
  }

  private static func number(_ identity: Int, in numbers: inout [Int: Int32], counts: inout [Int]) -> Int32 {
    if let number = numbers[identity] {
      counts[Int(number)] += 1
      return number
    }
    let number = Int32(truncatingIfNeeded: counts.count)
    numbers[identity] = number
    counts.append(1)
    return number
  }

  private mutating func link(_ truth: Int32, _ result: Int32) -> Int32 {
    let key = UInt64(UInt32(bitPattern: truth)) << 32 | UInt64(UInt32(bitPattern: result))
    if let number = linkNumbers[key] { return number }
    let number = Int32(truncatingIfNeeded: links.count)
    linkNumbers[key] = number
    links.append((truth, result))
    return number
  }
}
