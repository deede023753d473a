// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTracking

/// Short ways to write scenes.
enum Scene {
  /// A box of 40 × 100 pixels, or another size, by its centre.
  static func box(_ x: Double, _ y: Double = 200, width: Double = 40, height: Double = 100) -> BoundingBox {
    BoundingBox(x: x - width / 2, y: y - height / 2, width: width, height: height)
  }

  static func seen(
    _ x: Double, _ y: Double = 200, score: Double = 0.9, classIndex: Int? = nil
  ) -> TrackingDetection {
    TrackingDetection(box: box(x, y), score: score, classIndex: classIndex)
  }

  /// A tracker that assigns identities from the first frame on, as in a live stream.
  static func stream(objectLimit: Int = 5) throws -> FoveaTracker {
    try FoveaTracker(configuration: .stream(objectLimit: objectLimit))
  }

  /// The positions in a frame of eight objects that move apart, some of them hidden.
  static func walk(_ frame: Int) -> [TrackingDetection] {
    (0..<8).compactMap { index in
      if (frame / 5 + index) % 7 == 0 { return nil }
      return seen(
        100 + Double(index) * 150 + Double(frame) * 2, 200 + Double(index % 3) * 90,
        score: 0.5 + Double((frame * 7 + index * 13) % 50) / 100)
    }
  }
}

extension MultiObjectTracker {
  /// Processes a frame at 30 per second.
  mutating func frame(_ number: Int, _ detections: [TrackingDetection]) -> [TrackedDetection] {
    update(detections, at: FrameTime(number: number, seconds: Double(number) / 30))
  }
}
