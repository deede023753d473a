// SPDX-License-Identifier: Apache-2.0
//
// Writes the annotation of an image in Pascal VOC's format, and reads it back.
//
//     swift run FormatVOC [folder]

import Fovea
import FoveaFormats

let cat = DetectedObject(
  box: BoundingBox(x: 10, y: 20, width: 30, height: 40), score: 0.9,
  labels: [Label(text: "cat", index: 16, confidence: 0.9)])
let findings = DetectionRecord.Findings(
  size: PixelSize(width: 640, height: 480), orientation: .up, content: .objects([cat]))
let image = ImageFile(path: "photos/cat.jpg")

let document = VOCDocument(findings, of: image)
print(document.text)
let record = try VOCReader().read(text: Array(document.text.utf8), name: "cat.xml")
print(record.image, record.findings?.objects.map(\.box) ?? [])

// One file per image, in a folder.
if let path = CommandLine.arguments.dropFirst().first {
  let folder: any DetectionFolder = VOCFolder(path: path)
  if !folder.isDone(image) { try folder.write(findings, of: image) }
}
