// SPDX-License-Identifier: Apache-2.0
//
// Writes results as JSON and as JSON lines, and reads them back.
//
//     swift run FormatJSON

import Fovea
import FoveaFormats

let cat = DetectedObject(
  box: BoundingBox(x: 10, y: 20, width: 30.5, height: 40), score: 0.9,
  labels: [Label(text: "cat", index: 16, confidence: 0.9)])
let content: DetectionRecord.Findings.Content = .objects([cat])
let space: DetectionRecord.Findings.Space = .stored
let findings = DetectionRecord.Findings(
  size: PixelSize(width: 640, height: 480), orientation: .up, space: space, content: content)
// A detector's result converts to a record: DetectionRecord(image: path, try await
// detector.analyze(.file(path))).
let name: ImageName = "cat.jpg"
let record = DetectionRecord(name: name, result: .success(findings))

var lines = JSONLinesWriter()
let text = lines.text(of: [record])
print(text)
var array = JSONWriter()
// Masks as polygons; run lengths are the default.
array.masks = MaskForm.polygon
print(array.text(of: [record]))

// One record at a time, for files of any size; here from memory.
try JSONRecordReader().read(json: Array(text.utf8)) { record in
  print(record.image, record.findings?.objects.count ?? 0)
}
