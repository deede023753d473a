// SPDX-License-Identifier: Apache-2.0

package import Fovea
package import FoveaGeometry
import FoveaTracking

/// The parts of a video's frames that are blurred: objects with some labels, also shortly after they are
/// lost.
package struct BlurredObjects: Sendable {
  private struct Sight: Sendable {
    var box: BoundingBox
    /// The time at which the object last had one of the labels.
    var time: Double
  }

  /// The seconds that an object stays blurred after it is lost.
  private static let memory = 1.0
  /// The part of a box's size by which it grows on each side.
  private static let margin = 0.1

  private let labels: Set<String>
  private var clock = EventClock()
  private var sights: [Int: Sight] = [:]
  /// True after an object with one of the labels was seen.
  package private(set) var hasSeenObject = false

  /// Creates the blurred objects of a video, before the first frame.
  /// - Parameter labels: The labels; an object with any of them is blurred.
  package init(labels: Set<String>) { self.labels = labels }

  /// Processes the objects of a frame.
  /// - Parameters:
  ///   - objects: The objects, with boxes in pixels of the frame.
  ///   - seconds: The time of the frame; a step back counts as no time.
  /// - Returns: The parts to blur, in pixels of the frame.
  package mutating func update(_ objects: [DetectedObject], seconds: Double) -> [BoundingBox] {
    clock.advance(to: seconds)
    var nameless: [BoundingBox] = []
    for object in objects {
      let isBlurred = object.hasLabel(among: labels)
      hasSeenObject = hasSeenObject || isBlurred
      guard let identity = object.trackingID else {
        if isBlurred { nameless.append(object.box) }
        continue
      }
      if isBlurred {
        sights[identity] = Sight(box: object.box, time: clock.now)
      } else {
        // An object whose label changes is blurred for as long as a lost one.
        sights[identity]?.box = object.box
      }
    }
    sights = sights.filter { clock.now - $0.value.time <= Self.memory }
    return (nameless + sights.sorted { $0.key < $1.key }.map(\.value.box)).map {
      $0.expanded(by: Self.margin)
    }
  }
}

extension DetectedObject {
  /// Returns whether one of its labels is among `names`.
  package func hasLabel(among names: Set<String>) -> Bool {
    labels.contains { $0.text.map(names.contains) ?? false }
  }
}
