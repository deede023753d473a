// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaSystem

/// One JSON object a line for each frame, whether it shows anything or not.
public struct FrameJSONWriter: FrameWriter {
  /// Makes a writer.
  public init() {}

  /// The lines of a frame.
  public func text(for record: FrameRecord) -> String {
    var json = JSONText(capacity: 384 + 208 * record.objects.count)
    json.object { json in
      json.member("image", record.source)
      json.member("frame", record.number)
      json.member("seconds", record.seconds, places: 6)
      json.member("width", record.size?.width)
      json.member("height", record.size?.height)
      json.member("orientation", record.orientation.name)
      if record.space != .stored { json.member("space", record.space.rawValue) }
      json.member("detected", record.isDetected)
      json.member("objects", record.objects) { json, object in RecordJSON.append(object, to: &json) }
      if let counts = record.counts {
        json.member("counts", counts)
      }
      json.member("milliseconds") { json in
        RecordJSON.append(stagesOf: record.timings, to: &json)
        json.member("track", record.tracking.milliseconds, places: 3)
        json.member("total", (record.timings.total + record.tracking).milliseconds, places: 3)
      }
    }
    json.endLine()
    return json.text
  }
}

extension FrameFormat {
  /// ``FrameJSONWriter``.
  public static let jsonl = FrameFormat("jsonl", endings: ["jsonl", "ndjson"]) { _ in FrameJSONWriter() }
}
