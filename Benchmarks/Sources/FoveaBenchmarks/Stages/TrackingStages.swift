// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTracking

/// Assigning identities to boxes.
enum TrackingStages {
  /// The frames of a scene, played forwards and backwards.
  private static let frameCount = 200

  static func all() throws -> [Benchmark] {
    var list: [Benchmark] = []
    for count in [5, 50, 500] { list.append(try benchmark("tracking", .fovea, objects: count)) }
    for kind in [TrackerKind.bytetrack, .ocsort, .sort] {
      list.append(try benchmark("tracking \(kind.rawValue)", kind, objects: 50))
    }
    return list
  }

  private static func benchmark(_ name: String, _ kind: TrackerKind, objects: Int) throws -> Benchmark {
    let frames = scene(of: objects)
    var tracker = try kind.makeTracker()
    var number = 0
    // Memory stops growing after every object was seen.
    for _ in 0..<2 * frames.count { step() }
    func step() {
      _ = tracker.update(frames[number % frames.count], at: FrameTime(number: number))
      number += 1
    }
    return Benchmark(name, boxes: objects) { step() }
  }

  /// Boxes that move straight and bounce off the image's edges, with noise in position and score.
  private static func scene(of count: Int) -> [[TrackingDetection]] {
    var random = SplitMix(state: 7)
    var objects = (0..<count).map { _ in
      (
        x: random.number(0...1920), y: random.number(0...1080), dx: random.number(-3...3),
        dy: random.number(-2...2), width: random.number(25...60)
      )
    }
    var frames: [[TrackingDetection]] = (0..<frameCount / 2).map { _ in
      objects.indices.map { index in
        objects[index].x += objects[index].dx
        objects[index].y += objects[index].dy
        if !(0...1920).contains(objects[index].x) { objects[index].dx.negate() }
        if !(0...1080).contains(objects[index].y) { objects[index].dy.negate() }
        let object = objects[index]
        let box = BoundingBox(
          x: object.x + random.number(-2...2), y: object.y + random.number(-2...2), width: object.width,
          height: 2.4 * object.width)
        return TrackingDetection(box: box, score: random.number(0.45...1))
      }
    }
    // Backwards, so that the scene can be repeated without a jump.
    frames += frames.reversed()
    return frames
  }

  /// **Source:** Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
  struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }
  }
}
