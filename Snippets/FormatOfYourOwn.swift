// SPDX-License-Identifier: Apache-2.0
//
// Writes detections in a format of your own: tab-separated values.
//
//     swift run FormatOfYourOwn

import Fovea
import FoveaFormats

struct TabWriter: DetectionWriter {
  mutating func header() -> String { "image\tlabel\tscore\n" }

  mutating func text(for record: DetectionRecord) -> String {
    (record.findings?.objects ?? []).map { object in
      "\(record.image)\t\(object.labels.first?.text ?? "")\t\(object.score)\n"
    }.joined()
  }
}

let records = ["a.jpg", "b.jpg"].map { image in
  DetectionRecord(
    image: image,
    result: .success(
      DetectionRecord.Findings(
        size: PixelSize(width: 64, height: 48), orientation: .up,
        content: .objects([DetectedObject(box: BoundingBox(x: 1, y: 2, width: 3, height: 4), score: 0.5)]))))
}
var tabs = TabWriter()
var people = TextWriter()
print(tabs.text(of: records) + people.text(of: records))
