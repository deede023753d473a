// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Evaluates tracks: HOTA, the CLEAR figures (MOTA …) and the identity figures (IDF1 …).
///
/// The figures equal TrackEval's, counts exactly and fractions to 1e-6, which the tests check on the
/// sequences of MOT Challenge and on random ones. Overlaps are computed from the boxes in the files, without
/// rounding.
///
/// **Source:** Luiten et al., "HOTA", IJCV 2021; Bernardin and Stiefelhagen, 2008; Ristani et al., 2016; and
/// TrackEval 1.3.0 (MIT licence), whose results decide if the papers leave a choice.
public struct TrackingEvaluator: Sendable, Hashable {
  /// The rules that decide which boxes count.
  package let benchmark: TrackingBenchmark

  /// Creates an evaluator.
  public init(benchmark: TrackingBenchmark) { self.benchmark = benchmark }

  /// Evaluates the tracks of one sequence.
  ///
  /// A sequence without results or without objects is valid and has figures of 0.
  /// - Parameters:
  ///   - results: The tracker's results.
  ///   - groundTruth: The ground truth of the same frames.
  ///   - lastFrame: The number of the video's last frame, if known; boxes after it are an error.
  /// - Returns: The figures of this sequence; `TrackingMetrics.init(combining:)` combines those of several.
  /// - Complexity: O(*n* log *n*) for *n* boxes of a frame that overlap few others.
  /// - Throws: `EvaluationError` `duplicateIdentity`, `sequenceMismatch` or `tooManyBoxes`.
  public func evaluate(
    _ results: TrackFrames, groundTruth: TrackFrames, lastFrame: Int? = nil
  ) throws(EvaluationError) -> TrackingMetrics {
    var classID: Int?
    // KITTI's classes are evaluated one at a time.
    if case .kitti(let kind) = benchmark { classID = kind.rawValue }
    for frames in [groundTruth, results] {
      try frames.checkEnd(lastFrame)
      try frames.checkIdentities(of: classID)
    }
    return TrackingMetrics(try table(results, groundTruth))
  }

  private func table(
    _ results: TrackFrames, _ groundTruth: TrackFrames
  ) throws(EvaluationError) -> SequenceTable {
    var table = SequenceTable()
    var search = OverlapSearch()
    var rules = Preprocessing(benchmark)
    for (frame, truths, boxes) in FramePairs(groundTruth, results) {
      guard search.search(truths.map(\.box), boxes.map(\.box)) else {
        throw EvaluationError(
          .tooManyBoxes,
          "\(results.name): frame \(frame) has \(boxes.count) boxes and \(truths.count) of the ground truth, "
            + "and more than \(OverlapSearch.maximumPairs) pairs of them overlap",
          remedy: "Leave out boxes with low scores, or all but one of several boxes in the same place")
      }
      rules.judge(truths, boxes, search.pairs)
      append(truths, boxes, search.pairs, rules, to: &table)
    }
    return table
  }

  /// Adds the boxes that count to the table, with new indices in the frame.
  private func append(
    _ truths: ArraySlice<TrackAnnotation>, _ boxes: ArraySlice<TrackAnnotation>, _ pairs: [OverlapPair],
    _ rules: Preprocessing, to table: inout SequenceTable
  ) {
    let rows = TrackingEvaluator.places(rules.keepsTruth)
    let columns = TrackingEvaluator.places(rules.keepsResult)
    var kept: [OverlapPair] = []
    kept.reserveCapacity(pairs.count)
    for pair in pairs where rows[Int(pair.row)] >= 0 && columns[Int(pair.column)] >= 0 {
      kept.append(
        OverlapPair(
          row: rows[Int(pair.row)], column: columns[Int(pair.column)], similarity: pair.similarity))
    }
    func identities(_ boxes: ArraySlice<TrackAnnotation>, _ keeps: [Bool]) -> [Int] {
      zip(boxes, keeps).compactMap { $1 ? $0.identity : nil }
    }
    table.append(
      truths: identities(truths, rules.keepsTruth), results: identities(boxes, rules.keepsResult), pairs: kept
    )
  }

  /// Returns the index of each box among the kept ones; -1 for the others.
  private static func places(_ keeps: [Bool]) -> [Int32] {
    var next: Int32 = 0
    return keeps.map { isKept in
      guard isKept else { return -1 }
      defer { next += 1 }
      return next
    }
  }
}

/// The frames that have boxes on either side, in order.
struct FramePairs: Sequence, IteratorProtocol {
  private let groundTruth: TrackFrames
  private let results: TrackFrames
  private var truth = 0
  private var result = 0

  init(_ groundTruth: TrackFrames, _ results: TrackFrames) {
    self.groundTruth = groundTruth
    self.results = results
  }

  mutating func next() -> (
    frame: Int, truths: ArraySlice<TrackAnnotation>, results: ArraySlice<TrackAnnotation>
  )? {
    let nextTruth = truth < groundTruth.frames.count ? groundTruth.frames[truth] : Int.max
    let nextResult = result < results.frames.count ? results.frames[result] : Int.max
    let frame = Swift.min(nextTruth, nextResult)
    guard frame < Int.max else { return nil }
    var truths: ArraySlice<TrackAnnotation> = []
    var boxes: ArraySlice<TrackAnnotation> = []
    if nextTruth == frame {
      truths = groundTruth.annotations(at: truth)
      truth += 1
    }
    if nextResult == frame {
      boxes = results.annotations(at: result)
      result += 1
    }
    return (frame, truths, boxes)
  }
}
