// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import FoveaTracking
import Testing

@Suite struct HostileInputTests {
  static let refused = [
    BoundingBox(minX: .nan, minY: 0, maxX: 10, maxY: 10),
    BoundingBox(minX: 0, minY: 0, maxX: .infinity, maxY: 10),
    BoundingBox(minX: 10, minY: 0, maxX: 0, maxY: 10), BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 10),
    BoundingBox(minX: -1e300, minY: -1e300, maxX: 1e300, maxY: 1e300),
  ]

  @Test(
    "Impossible boxes are rejected, and the others tracked as without them",
    arguments: TrackerKind.allCases)
  func refusedBoxes(_ kind: TrackerKind) throws {
    var clean = try kind.makeTracker()
    var tracker = clean
    for number in 0..<30 {
      let answers = tracker.frame(
        number, Self.refused.map { TrackingDetection(box: $0, score: 0.9) } + Scene.walk(number))
      #expect(answers.prefix(Self.refused.count).allSatisfy { $0.outcome == .refused && $0.identity == nil })
      #expect(Array(answers.dropFirst(Self.refused.count)) == clean.frame(number, Scene.walk(number)))
    }
  }

  @Test("A score that is not a number is rejected, and one above 1 counts as 1")
  func oddScores() throws {
    var tracker = try Scene.stream()
    let answers = tracker.frame(
      0, [Scene.seen(100, score: .nan), Scene.seen(300, score: -1), Scene.seen(500, score: 70)])
    #expect(answers.map(\.outcome) == [.refused, .refused, .tracked])
    #expect(tracker.tracks.map(\.score) == [1])
  }

  @Test("Of twenty thousand boxes in one frame the best within the limit are associated")
  func manyBoxes() throws {
    var generator = SeededGenerator(seed: 4)
    let detections = (0..<20_000).map { _ in
      Scene.seen(generator.number(0...1920), generator.number(0...1080), score: generator.number(0.5...1))
    }
    var configuration = FoveaTracker.Configuration()
    configuration.detectionLimit = 200
    var tracker = try FoveaTracker(configuration: configuration)
    for number in 0..<3 {
      let answers = tracker.frame(number, detections)
      #expect(answers.count == detections.count)
      #expect(answers.count { $0.outcome != .refused } == 200)
    }
  }

  @Test("Objects are dropped, so that an endless stream needs no more memory than a short one")
  func endless() throws {
    var generator = SeededGenerator(seed: 8)
    var tracker = try Scene.stream(objectLimit: 100)
    var most = 0
    for number in 0..<300 {
      let detections = (0..<5).map { _ in Scene.seen(generator.number(0...1e5), generator.number(0...1e5)) }
      #expect(tracker.frame(number, detections).count == 5)
      most = max(most, tracker.tracks.count)
    }
    // Five per frame, for the frame itself and the 30 of a second.
    #expect(most == 5 * 31)
  }
}
