// SPDX-License-Identifier: Apache-2.0

import Fovea
package import FoveaCore
import FoveaGeometry

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
    json.member("objects", objects) { json, object in RecordJSON.append(object, in: size, masks, to: &json) }
    if let counts { json.member("counts", counts) }
    json.member("milliseconds") { json in
      RecordJSON.append(stagesOf: timings, to: &json)
      json.member("track", tracking.milliseconds, places: 3)
      json.member("total", (timings.total + tracking).milliseconds, places: 3)
    }
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
