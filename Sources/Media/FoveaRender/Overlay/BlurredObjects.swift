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
  /// The overlap from which a box without an identity is a later place of another.
  private static let overlap = 0.3

  private let labels: Set<String>
  /// The least score of a detection.
  private let score: Float
  private var clock = EventClock()
  private var sights: [Int: Sight] = [:]
  /// The objects that have no identity yet.
  private var nameless: [Sight] = []
  /// True after an object with one of the labels was seen.
  package private(set) var hasSeenObject = false

  /// Creates the blurred objects of a video, before the first frame.
  /// - Parameters:
  ///   - labels: The labels; an object with any of them is blurred.
  ///   - score: The least score of a detection that is blurred without an identity; 0 by default.
  package init(labels: Set<String>, score: Double = 0) {
    self.labels = labels
    self.score = Float(score)
  }

  /// Processes the objects of a frame.
  /// - Parameters:
  ///   - objects: The followed objects, with boxes in pixels of the frame.
  ///   - found: The objects as they were detected: one may have no identity yet, or another label.
  ///   - seconds: The time of the frame; a step back counts as no time.
  /// - Returns: The parts to blur, in pixels of the frame.
  package mutating func update(
    _ objects: [DetectedObject], found: [DetectedObject] = [], seconds: Double
  ) -> [BoundingBox] {
    clock.advance(to: seconds)
    for object in objects {
      let isBlurred = object.hasLabel(among: labels)
      hasSeenObject = hasSeenObject || isBlurred
      guard let identity = object.trackingID else { continue }
      if isBlurred {
        sights[identity] = Sight(box: object.box, time: clock.now)
      } else {
        // An object whose label changes is blurred for as long as a lost one.
        sights[identity]?.box = object.box
      }
    }
    sights = sights.filter { clock.now - $0.value.time <= Self.memory }
    let named = sights.sorted { $0.key < $1.key }.map(\.value.box)
    see(objects.filter { $0.trackingID == nil } + found.filter { $0.score >= score }, beside: named)
    return (nameless.map(\.box) + named).map { $0.expanded(by: Self.margin) }
  }

  /// Processes the objects without an identity: each replaces an earlier one at nearly the same place.
  private mutating func see(_ objects: [DetectedObject], beside named: [BoundingBox]) {
    nameless.removeAll { old in
      clock.now - old.time > Self.memory || named.contains { $0.iou(with: old.box) >= Self.overlap }
    }
    for object in objects where object.hasLabel(among: labels) {
      hasSeenObject = true
      // Nearly every detection is that of a followed object.
      if named.contains(where: { $0.expanded(by: Self.margin).intersection(object.box) == object.box }) {
        continue
      }
      nameless.removeAll { $0.box.iou(with: object.box) >= Self.overlap }
      nameless.append(Sight(box: object.box, time: clock.now))
    }
  }
}

extension DetectedObject {
  /// Returns whether one of its labels is among `names`.
  package func hasLabel(among names: Set<String>) -> Bool {
    labels.contains { $0.text.map(names.contains) ?? false }
  }
}
