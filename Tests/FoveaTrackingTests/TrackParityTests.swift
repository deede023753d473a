// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import FoveaTracking
import Testing

@Suite struct TrackParityTests {
  /// The differences of one sequence's results from a golden file.
  struct Difference: Equatable {
    var boxes = 0
    var missing = 0
    var extra = 0
    var otherIdentity = 0
  }

  static func farthestEdge(_ first: BoundingBox, _ second: BoundingBox) -> Double {
    max(
      max(abs(first.minX - second.minX), abs(first.minY - second.minY)),
      max(abs(first.width - second.width), abs(first.height - second.height)))
  }

  static func difference(_ found: [[SharedSequence.Entry]], _ golden: [[SharedSequence.Entry]]) -> Difference
  {
    var difference = Difference()
    var renamed: [Int: Int] = [:]
    var original: [Int: Int] = [:]
    for (found, golden) in zip(found, golden) {
      var rest = found
      difference.boxes += golden.count
      for entry in golden {
        // The file has two decimals, so half a hundredth is rounding; the rest is the tolerance.
        let best = rest.indices.min {
          farthestEdge(rest[$0].box, entry.box) < farthestEdge(rest[$1].box, entry.box)
        }
        guard let best, farthestEdge(rest[best].box, entry.box) <= 0.01 else {
          difference.missing += 1
          continue
        }
        let identity = rest.remove(at: best).identity
        if renamed[entry.identity, default: identity] != identity
          || original[identity, default: entry.identity] != entry.identity
        {
          difference.otherIdentity += 1
        }
        renamed[entry.identity] = identity
        original[identity] = entry.identity
      }
      difference.extra += rest.count
    }
    return difference
  }

  /// Compares a kind of tracker with the golden files of a name.
  static func compare(_ kind: TrackerKind, _ name: String, _ sequence: SharedSequence) throws {
    try compare(try kind.makeTracker(frameRate: try sequence.frameRate()), name, sequence)
  }

  /// Compares a tracker with the golden files of a name.
  static func compare(
    _ tracker: any MultiObjectTracker, _ name: String, _ sequence: SharedSequence, frameLimit: Int = .max
  ) throws {
    var tracker = tracker
    var found: [[SharedSequence.Entry]] = []
    for (index, detections) in try sequence.frames(limit: frameLimit).enumerated() {
      let answers = tracker.update(detections, at: FrameTime(number: index + 1))
      #expect(answers.count == detections.count)
      found.append(
        answers.compactMap { answer in
          answer.identity.map { SharedSequence.Entry(identity: $0, box: answer.box) }
        })
    }
    let golden = try sequence.golden(name, limit: frameLimit)
    let boxes = golden.reduce(0) { $0 + $1.count }
    #expect(boxes > 0)
    #expect(Self.difference(found, golden) == Difference(boxes: boxes))
  }

  @Test(
    "With the prototype's parameters the tracker gives its boxes within 0.01 pixels, with renumbered identities",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: SharedSequence.all)
  func prototype(_ sequence: SharedSequence) throws {
    var configuration = FoveaTracker.Configuration.prototype
    configuration.frameRate = try sequence.frameRate()
    // The sequences of MOT17 have up to 50 boxes on each of 1,050 frames; later frames do not change earlier
    // ones.
    try Self.compare(
      try FoveaTracker(configuration: configuration), "ours", sequence,
      frameLimit: sequence.set == "MOT17" ? 300 : .max)
  }

  @Test(
    "SORT gives the boxes of the published figures, with renumbered identities",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: SharedSequence.short
  )
  func sort(_ sequence: SharedSequence) throws {
    try Self.compare(.sort, "sort", sequence)
  }

  @Test(
    "ByteTrack gives the boxes of the published figures, with renumbered identities",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)), arguments: SharedSequence.short
  )
  func byteTrack(_ sequence: SharedSequence) throws {
    try Self.compare(.bytetrack, "byte", sequence)
  }
}
