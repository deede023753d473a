// SPDX-License-Identifier: Apache-2.0
//
// Writes the labels of an image in the format of YOLO's training tools, and reads them back.
//
//     swift run FormatYOLO [folder]

import Fovea
import FoveaFormats

let classes = ["person", "cat"]
let size = PixelSize(width: 640, height: 480)
let cat = DetectedObject(
  box: BoundingBox(x: 10, y: 20, width: 30, height: 40), score: 0.9,
  labels: [Label(text: "cat", index: 1, confidence: 0.9)])

let line = YOLOLines.line(class: 1, box: cat.box, size: size)
print(line)
for object in try YOLOLines.read(text: Array(line.utf8), name: "cat.txt", size: size, classes: classes) {
  print(object.labels.first?.text ?? "", object.box)
}

// The outlines of a data set for segmentation, and the corners of one for rotated boxes.
let shape: YOLOLines.Shape = .outline
let outline = "1 0.1 0.1 0.5 0.1 0.5 0.6 0.1 0.6"
for object in try YOLOLines.read(
  text: Array(outline.utf8), name: "cat.txt", as: shape, size: size, classes: classes)
{
  print(object.mask?.area ?? 0, "pixels")
}

// The keypoints of one for poses, whose data.yaml has 'kpt_shape: [2, 3]'.
if let keypoints = YOLOLines.KeypointShape(count: 2) {
  let pose = YOLOLines.line(
    class: 1, box: cat.box, keypoints: [PixelPoint(x: 20, y: 30), PixelPoint(x: 30, y: 30)], size: size)
  for object in try YOLOLines.read(
    text: Array(pose.utf8), name: "cat.txt", keypoints: keypoints, size: size, classes: classes)
  {
    print(object.keypoints, object.keypointScores)
  }
}

// A data set: labels, links to the images, and the names of the classes.
if let path = CommandLine.arguments.dropFirst().first {
  let folder = YOLOFolder(path: path)
  try folder.begin(classNames: classes)
  let findings = DetectionRecord.Findings(size: size, orientation: .up, content: .objects([cat]))
  try folder.write(findings, of: ImageFile(path: "photos/cat.jpg"))
  print(try YOLOLines.classes(path: path + "/classes.txt"))
}
