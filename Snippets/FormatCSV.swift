// SPDX-License-Identifier: Apache-2.0
//
// Writes results as comma-separated values, and reads them back.
//
//     swift run FormatCSV

import Fovea
import FoveaFormats

let cat = DetectedObject(
  box: BoundingBox(x: 10, y: 20, width: 30.5, height: 40), score: 0.9,
  labels: [Label(text: "cat", index: 16, confidence: 0.9)])
let record = DetectionRecord(
  image: "cat.jpg",
  result: .success(
    DetectionRecord.Findings(
      size: PixelSize(width: 640, height: 480), orientation: .up, content: .objects([cat]))))

let kind = AnswerKind.objects
var writer = CSVWriter(kind: kind)
let text = writer.text(of: [record])
print(text)
for record in try CSVReader().read(text: Array(text.utf8), name: "results.csv") {
  print(record.image, record.findings?.count ?? 0)
}
