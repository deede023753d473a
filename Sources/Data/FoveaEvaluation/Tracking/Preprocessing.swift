// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Decides which boxes of a frame count.
///
/// **Source:** the published rules of MOT Challenge and KITTI, as described in section 3.3 of Milan et al.,
/// "MOT16: A Benchmark for Multi-Object Tracking", 2016.
struct Preprocessing {
  let benchmark: TrackingBenchmark
  /// Whether each box of the last frame counts.
  private(set) var keepsTruth: [Bool] = []
  private(set) var keepsResult: [Bool] = []
  private var matcher = FrameMatcher()

  init(_ benchmark: TrackingBenchmark) { self.benchmark = benchmark }

  /// Decides which of a frame's boxes count, by their overlaps.
  mutating func judge(
    _ truths: ArraySlice<TrackAnnotation>, _ results: ArraySlice<TrackAnnotation>, _ pairs: [OverlapPair]
  ) {
    keepsResult = [Bool](repeating: true, count: results.count)
    switch benchmark {
    case .mot15: keepsTruth = truths.map { abs($0.score) >= 1 }
    case .plain: keepsTruth = truths.map { $0.score != 0 }
    case .mot16, .mot17, .mot20:
      match(rows: truths.count, columns: results.count, pairs)
      for (row, truth) in truths.enumerated() where matcher.columnOfRow[row] >= 0 {
        if MOTClass.isDistractor(truth.classID, on: benchmark) {
          keepsResult[matcher.columnOfRow[row]] = false
        }
      }
      keepsTruth = truths.map { abs($0.score) >= 1 && $0.classID == MOTClass.pedestrian }
    case .kitti(let kind): judge(kind, truths, results, pairs)
    }
  }

  /// Pairs boxes with an overlap of at least a half so that the sum of the overlaps is maximal.
  private mutating func match(rows: Int, columns: Int, _ pairs: [OverlapPair]) {
    matcher.begin()
    for pair in pairs where pair.similarity >= 0.5 - Double.ulpOfOne {
      matcher.allow(row: pair.row, column: pair.column, weight: pair.similarity)
    }
    matcher.match(rows: rows, columns: columns)
  }

  private mutating func judge(
    _ kind: KITTIClass, _ truths: ArraySlice<TrackAnnotation>, _ results: ArraySlice<TrackAnnotation>,
    _ pairs: [OverlapPair]
  ) {
    let truths = Array(truths)
    let results = Array(results)
    let isOfKind = results.map { $0.classID == kind.rawValue }
    let isLooked = truths.map {
      $0.identity >= 0 && ($0.classID == kind.rawValue || $0.classID == kind.neighbour?.rawValue)
    }
    keepsTruth = truths.indices.map { isLooked[$0] && KITTIRules.counts(truths[$0], as: kind) }
    keepsResult = isOfKind
    match(
      rows: truths.count, columns: results.count,
      pairs.filter { isLooked[Int($0.row)] && isOfKind[Int($0.column)] })
    var isMatched = [Bool](repeating: false, count: results.count)
    for row in truths.indices where matcher.columnOfRow[row] >= 0 {
      let column = matcher.columnOfRow[row]
      isMatched[column] = true
      if !keepsTruth[row] { keepsResult[column] = false }
    }
    let regions = truths.filter { $0.classID == KITTIClass.dontCare.rawValue }.map(\.box)
    for column in results.indices where isOfKind[column] && !isMatched[column] {
      if KITTIRules.isPassedOver(results[column].box, regions) { keepsResult[column] = false }
    }
  }
}

/// The classes of MOT Challenge's ground truth that have rules.
enum MOTClass {
  static let pedestrian = 1

  /// Person on a vehicle, static person, distractor, reflection; in MOT20 also vehicles outside the
  /// benchmark.
  static func isDistractor(_ classID: Int, on benchmark: TrackingBenchmark) -> Bool {
    switch classID {
    case 2, 7, 8, 12: true
    case 6: benchmark == .mot20
    default: false
    }
  }
}

/// The rules of KITTI's tracking benchmark.
enum KITTIRules {
  static let maximumOcclusion = 2
  static let maximumTruncation = 0
  static let minimumHeight = 25.0

  static func counts(_ truth: TrackAnnotation, as kind: KITTIClass) -> Bool {
    truth.classID == kind.rawValue && truth.occlusion <= maximumOcclusion
      && truth.truncation <= maximumTruncation
  }

  /// Whether a tracker's box without an object is ignored.
  static func isPassedOver(_ box: BoundingBox, _ regions: [BoundingBox]) -> Bool {
    if box.height <= minimumHeight + Double.ulpOfOne { return true }
    let area = box.area
    guard area > Double.ulpOfOne else { return false }
    return regions.contains { box.intersection($0).area / area > 0.5 + Double.ulpOfOne }
  }
}
