// SPDX-License-Identifier: Apache-2.0
//
// Converts boxes between fractions, stored pixels and the upright image, and keeps the best of overlapping
// boxes.
//
//     swift run BoxesAndOrientation 6
//
// The number is an EXIF orientation, 1 to 8.

import FoveaGeometry

let number = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 6
let orientation = Orientation(rawValue: number) ?? .up
let stored = PixelSize(width: 4000, height: 3000)
let upright = orientation.uprightSize(ofStored: stored)
print("\(stored) stored, \(upright) when rotated '\(orientation.name)'")

// A model outputs fractions of the upright image; a crop needs pixels of the stored one.
let answer = NormalizedBox(minX: 0.1, minY: 0.2, maxX: 0.5, maxY: 0.6)
let box: BoundingBox = answer.pixels(in: upright)
let inFile = orientation.storedBox(fromUpright: box, stored: stored)
print("\(box) upright is \(inFile) in the file")

// Keypoints, such as the eyes of a face, are converted the same way.
let eye = NormalizedPoint(x: 0.2, y: 0.3).pixels(in: BoundingBox(x: 0, y: 0, width: 3000, height: 4000))
print(
  "the eye at \(eye) upright is at \(orientation.storedPoint(fromUpright: eye, stored: stored)) in the file")

// A crop with a margin around the object, within the image.
let crop = inFile.expanded(by: 0.1).clamped(to: stored)
print("cropped with a margin: \(crop.width) × \(crop.height)")

let boxes = [
  BoundingBox(x: 100, y: 100, width: 400, height: 400),
  BoundingBox(x: 120, y: 110, width: 400, height: 400),
  BoundingBox(x: 2000, y: 900, width: 300, height: 500),
]
let kept = nonMaximumSuppression(boxes: boxes, scores: [0.7, 0.9, 0.6], threshold: 0.5)
print("of \(boxes.count) boxes \(kept.map { "number \($0)" }.joined(separator: " and ")) are kept,")
print("as the first two share \(boxes[0].iou(with: boxes[1])) of their area")
