// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaTracking

/// Keeps the frames of a run until its end, then fills the gaps of its tracks.
package final class GapFilling {
  private var records: [FrameRecord] = []

  package init() {}

  /// Keeps a frame.
  package func keep(_ record: FrameRecord) { records.append(record) }

  /// Returns all frames; the boxes of an object that was not seen for a while are interpolated.
  package func filled() -> [FrameRecord] {
    var boxes: [RecordedBox] = []
    for record in records {
      for object in record.objects {
        guard let identity = object.trackingID else { continue }
        boxes.append(
          RecordedBox(
            frame: record.number, identity: identity, box: object.box, score: Double(object.score)))
      }
    }
    var bridged: [Int: [RecordedBox]] = [:]
    for box in GapInterpolation().fill(boxes) where box.isInterpolated {
      bridged[box.frame, default: []].append(box)
    }
    var labels = IdentityMemory()
    return records.map { record in
      labels.take(record.objects)
      var record = record
      for box in bridged[record.number] ?? [] {
        record.objects.append(
          DetectedObject(
            box: box.box, score: Float(box.score), labels: labels.last[box.identity] ?? [],
            trackingID: box.identity))
      }
      return record
    }
  }

  /// The labels of each identity when it was last seen.
  private struct IdentityMemory {
    private(set) var last: [Int: [Label]] = [:]

    mutating func take(_ objects: [DetectedObject]) {
      for object in objects {
        if let identity = object.trackingID { last[identity] = object.labels }
      }
    }
  }
}
