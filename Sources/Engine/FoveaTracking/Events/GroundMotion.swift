// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The places and speeds of tracked objects on the ground.
package struct GroundMotion: Sendable {
  /// The place and the speed of an object.
  package struct Sight: Sendable, Hashable {
    /// The place of the foot.
    package var place: GroundPlane.Place
    /// The metres per second; nil until the object was seen for half a second.
    package var speed: Double?
    /// The direction in degrees, 0…360: 0 from the first corner to the fourth, 90 from the first to the
    /// second; nil without a speed, and for one of 0.
    package var heading: Double?
  }

  private struct Sample: Sendable {
    let time: Double
    let x: Double
    let y: Double
  }

  /// The time over which the speed is the slope of least squares, in seconds.
  private static let window = 1.0
  /// The least time over which a slope is a speed, in seconds.
  private static let leastTime = 0.5

  /// The plane.
  package private(set) var plane: GroundPlane
  private var clock = EventClock()
  private var samples: [Int: [Sample]] = [:]

  /// Creates the motion of objects on a plane, before the first frame.
  package init(on plane: GroundPlane) { self.plane = plane }

  /// Processes the objects of a frame.
  /// - Parameters:
  ///   - objects: The boxes in pixels of the frame, by identity; each is at its foot.
  ///   - seconds: The time of the frame in seconds; a step back counts as no time.
  /// - Returns: The objects whose place is known.
  package mutating func update(_ objects: [Int: BoundingBox], seconds: Double) -> [Int: Sight] {
    clock.advance(to: seconds)
    let start = clock.now - Self.window - ObjectEvents.rounding
    samples = samples.compactMapValues { samples in
      let recent = samples.filter { $0.time >= start }
      return recent.isEmpty ? nil : recent
    }
    var sights: [Int: Sight] = [:]
    for (identity, box) in objects {
      guard let place = plane.place(of: BoxAnchor.bottomCenter.point(of: box)) else { continue }
      // Frames of one time must not add samples without end.
      if samples[identity]?.last?.time == clock.now { samples[identity]?.removeLast() }
      samples[identity, default: []].append(Sample(time: clock.now, x: place.x, y: place.y))
      sights[identity] = Self.sight(at: place, samples[identity] ?? [])
    }
    return sights
  }

  private static func sight(at place: GroundPlane.Place, _ samples: [Sample]) -> Sight {
    var sight = Sight(place: place)
    guard let first = samples.first, let last = samples.last,
      last.time - first.time >= leastTime - ObjectEvents.rounding
    else { return sight }
    let middle = samples.reduce(0) { $0 + $1.time } / Double(samples.count)
    var (across, along, squares) = (0.0, 0.0, 0.0)
    for sample in samples {
      let time = sample.time - middle
      across += time * (sample.x - place.x)
      along += time * (sample.y - place.y)
      squares += time * time
    }
    let (x, y) = (across / squares, along / squares)
    sight.speed = (x * x + y * y).squareRoot()
    if sight.speed != 0 {
      let degrees = atan2(x, y) * 180 / .pi
      sight.heading = degrees < 0 ? degrees + 360 : degrees
    }
    return sight
  }
}
