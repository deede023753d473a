// SPDX-License-Identifier: Apache-2.0

import Fovea
package import FoveaCore
import FoveaGeometry
package import FoveaTracking

/// One line with a JSON object for each frame, with or without objects.
public struct FrameJSONWriter: FrameWriter {
  /// The form of masks; run lengths by default.
  public var masks = MaskForm.rle

  /// Creates a writer.
  public init() {}

  /// Returns the line of a frame.
  public func text(for record: FrameRecord) -> String {
    JSONText.line(capacity: 384 + 208 * record.objects.count) { record.appendMembers(to: &$0, masks: masks) }
  }
}

extension FrameRecord {
  /// Appends the members of the frame's JSON object, in their order.
  package func appendMembers(to json: inout JSONText, masks: MaskForm = .rle) {
    json.member("image", source)
    json.member("frame", number)
    json.member("seconds", seconds, places: 6)
    json.member("width", size?.width)
    json.member("height", size?.height)
    json.member("orientation", orientation.name)
    if space != .stored { json.member("space", space.rawValue) }
    json.member("detected", isDetected)
    json.member("objects", objects) { json, object in
      RecordJSON.append(object, in: size, masks, to: &json) { json in
        guard let ground else { return }
        json.member("ground", object.trackingID.flatMap { ground[$0] })
      }
    }
    if let counts { json.member("counts", counts) }
    json.member("milliseconds") { json in
      RecordJSON.append(stagesOf: timings, to: &json)
      json.member("track", tracking.milliseconds, places: 3)
      json.member("total", (timings.total + tracking).milliseconds, places: 3)
    }
  }
}

extension GroundMotion.Sight: JSONObject {
  /// Appends `x`, `y` and `accuracy` in metres, `speed` in metres per second, and `heading` in degrees.
  package func appendMembers(to json: inout JSONText) {
    json.member("x", place.x, places: 3)
    json.member("y", place.y, places: 3)
    json.member("speed", speed, places: 3)
    // Rounding must not make 360 of a direction that is almost 0.
    let tenths = heading.map { ($0 * 10).rounded().truncatingRemainder(dividingBy: 3_600) }
    json.member("heading", tenths.map { $0 / 10 }, places: 1)
    json.member("accuracy", place.accuracy, places: 4)
  }
}

extension FrameFormat {
  /// ``FrameJSONWriter``.
  package static let jsonl = FrameFormat(
    "jsonl", endings: ["jsonl", "ndjson"], shapes: ObjectShape.allCases
  ) { settings in
    var writer = FrameJSONWriter()
    writer.masks = settings.masks
    return writer
  }
}
