// SPDX-License-Identifier: Apache-2.0
//
// Finds objects with a model that has masks, rotated boxes or keypoints, reads them, and draws them.
//
//     swift run DetectMasks yolo11n-seg.tflite street.jpg

import Fovea
import FoveaGeometry
import FoveaImage
import FoveaRender

let arguments = CommandLine.arguments
let path = arguments.count > 2 ? arguments[2] : "Examples/photos/cat.jpg"
let image = try EncodedImage(path: path)

// The embedded model has none of them; without a model of yours this shows made-up ones.
var objects: [DetectedObject]
if arguments.count > 1 {
  objects = try await ObjectDetector(model: .file(arguments[1])).detect(in: .file(path))
} else {
  objects = try await ObjectDetector().detect(in: .file(path))
  for index in objects.indices {
    let box = objects[index].box
    objects[index].mask = try ObjectMask(
      cells: [0, 160, 0, 160, 255, 160, 0, 160, 0], columns: 3, region: box)
    objects[index].orientedBox = OrientedBox(
      center: PixelPoint(x: box.midX, y: box.midY), width: box.width / 2, height: box.height / 2, angle: 0.3)
    objects[index].keypoints = KeypointSet.face.points.indices.map {
      PixelPoint(x: box.minX + box.width * Double($0) / 6, y: box.midY)
    }
  }
}

for object in objects {
  print(object.labels.first?.text ?? "object", object.score)
  if let mask: ObjectMask = object.mask {
    // Polygons in pixels of the stored image; holes run counter-clockwise.
    let points = mask.outlines.map(\.count)
    print("  mask: \(mask.area) of \(Int(object.box.area)) pixels, outlines of \(points) points")
  }
  if let box: OrientedBox = object.orientedBox {
    print(
      "  rotated box: \(box.width) × \(box.height) pixels at \(box.angle) radians, corners \(box.corners)")
  }
  let set = KeypointSet.known(count: object.keypoints.count, className: nil)
  for (index, point) in object.keypoints.enumerated() {
    // Models of MediaPipe have no scores.
    let score = object.keypointScores.isEmpty ? "" : ", visible \(object.keypointScores[index])"
    print("  \(set?.points[index] ?? "point \(index)"): \(point.x), \(point.y)\(score)")
  }
  for edge: KeypointSet.Edge in set?.edges ?? [] where set?.side(of: edge) == KeypointSet.Side.left {
    print("  on the left: \(object.keypoints[edge.from]) to \(object.keypoints[edge.to])")
  }
}

// Objects are in pixels of the stored image; the canvas is upright.
let canvas = try image.canvas()
let items = objects.map { object in
  let upright = object.upright(image.orientation, stored: image.size)
  let name = object.labels.first?.text ?? ""
  return OverlayItem(
    box: upright.box, caption: name, colorKey: name, mask: upright.mask, orientedBox: upright.orientedBox,
    keypoints: upright.keypoints, keypointScores: upright.keypointScores,
    keypointSet: KeypointSet.known(count: upright.keypoints.count, className: nil))
}
let count = try Overlay().draw(items, on: canvas)
print("\(count) objects drawn on \(canvas.size) pixels")
