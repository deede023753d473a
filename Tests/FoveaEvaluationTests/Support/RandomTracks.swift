// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaGeometry
import FoveaTesting

/// Small random sequences, the same as in Fixtures/make-trackeval-figures.py for the same number.
struct RandomTracks {
  /// The truth of one sequence, and a tracker's possible result.
  struct Sequence {
    var truth: [[TrackAnnotation]] = []
    var results: [[TrackAnnotation]] = []
  }

  /// The rules of the cases in turn.
  static let rules: [TrackingBenchmark] = [
    .mot15, .mot17, .mot20, .plain, .kitti(.car), .kitti(.pedestrian),
  ]

  let benchmark: TrackingBenchmark
  private(set) var sequences: [Sequence] = []
  private var random: SeededGenerator
  private let classes: [Int]

  private struct Object {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var speed: Double
    var kind: Int
    var identity: Int
  }

  init(number: Int) {
    benchmark = RandomTracks.rules[number % RandomTracks.rules.count]
    if case .kitti = benchmark {
      classes = [1, 1, 1, 2, 4, 4, 4, 5, 6, 9]
    } else {
      classes = [1, 1, 1, 1, 1, 2, 3, 6, 7, 8, 12, 13]
    }
    random = SeededGenerator(seed: UInt64(number))
    for _ in 0..<(1 + random.below(3)) { sequences.append(makeSequence()) }
  }

  private var isKITTI: Bool {
    if case .kitti = benchmark { true } else { false }
  }

  private mutating func makeSequence() -> Sequence {
    let frames = 1 + random.below(14)
    let count = random.below(7)
    let dropsResults = random.below(16) == 0
    var objects = (0..<count).map { makeObject($0) }
    var nextIdentity = count + 1
    var sequence = Sequence()
    for _ in 0..<frames {
      sequence.truth.append(makeTruth(&objects, &nextIdentity))
      let found = makeResults(objects)
      sequence.results.append(dropsResults ? [] : found)
    }
    return sequence
  }

  private mutating func makeObject(_ index: Int) -> Object {
    let (x, y) = (fine(200), fine(80))
    var (width, height) = (10 + fine(40), 16 + fine(60))
    if random.below(24) == 0 { width = 0 }
    let speed = fine(16) - 8
    let kind = classes[random.below(classes.count)]
    return Object(x: x, y: y, width: width, height: height, speed: speed, kind: kind, identity: index + 1)
  }

  private mutating func makeTruth(_ objects: inout [Object], _ nextIdentity: inout Int) -> [TrackAnnotation] {
    var truths: [TrackAnnotation] = []
    for index in objects.indices {
      let object = objects[index]
      objects[index].x += object.speed
      if random.below(6) == 0 { continue }
      let flag = random.below(8) == 0 ? 0.0 : 1.0
      let (occlusion, truncation) = (max(0, random.below(8) - 4), max(0, random.below(8) - 6))
      truths.append(
        TrackAnnotation(
          identity: isKITTI && object.kind == 9 ? -1 : index + 1,
          box: BoundingBox(x: object.x, y: object.y, width: object.width, height: object.height),
          score: flag, classID: object.kind, occlusion: occlusion, truncation: truncation))
      switch random.below(12) {
      case 0:
        objects[index].identity = nextIdentity
        nextIdentity += 1
      case 1:
        let other = random.below(objects.count)
        (objects[index].identity, objects[other].identity) = (
          objects[other].identity, objects[index].identity
        )
      default: break
      }
    }
    return truths
  }

  private mutating func makeResults(_ objects: [Object]) -> [TrackAnnotation] {
    var found: [TrackAnnotation] = []
    for object in objects {
      if random.below(5) == 0 { continue }
      let reach = random.below(3) > 0 ? 4 : 24
      let (dx, dy) = (fine(2 * reach) - Double(reach), fine(2 * reach) - Double(reach))
      let (dw, dh) = (fine(8), fine(8))
      let kind = random.below(6) == 0 ? [1, 4][random.below(2)] : object.kind
      let box = BoundingBox(
        x: object.x - object.speed + dx, y: object.y + dy, width: object.width + dw,
        height: object.height + dh)
      found.append(result(object.identity, box, kind))
    }
    for extra in 0..<random.below(3) {
      let kind = [1, 4][random.below(2)]
      let (x, y) = (fine(300), fine(120))
      let (width, height) = (8 + fine(50), 8 + fine(50))
      found.append(result(1000 + extra, BoundingBox(x: x, y: y, width: width, height: height), kind))
    }
    return found
  }

  /// KITTI's results are cars and pedestrians, as written by a tracker of both.
  private func result(_ identity: Int, _ box: BoundingBox, _ kind: Int) -> TrackAnnotation {
    TrackAnnotation(
      identity: identity, box: box, score: 0.5, classID: isKITTI && kind != 4 ? 1 : kind)
  }

  private mutating func fine(_ bound: Int) -> Double { Double(random.below(bound * 1024)) / 1024 }
}
