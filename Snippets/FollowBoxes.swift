// SPDX-License-Identifier: Apache-2.0
//
// Moves boxes with the image between two runs of a detector, and estimates the camera's motion.
//
//     swift run FollowBoxes

import FoveaFlow
import FoveaGeometry
import FoveaImage

/// Returns a moving crop of a photo, which simulates a camera that pans.
func frame(_ number: Int, of photo: PixelCanvas) throws -> PixelBuffer {
  let size = PixelSize(width: 320, height: 240)
  let (left, top) = (20 + 3 * number, 20 + 2 * number)
  let bytes = unsafe photo.withUnsafeMutableBytes { source in
    (0..<size.area).map { index in
      let (x, y) = (left + index % size.width, top + index / size.width)
      return unsafe source[y * photo.bytesPerRow + x * 4 + 1]
    }
  }
  return try PixelBuffer(PixelLayout(.grey, size: size), bytes: bytes)
}

let photo = try EncodedImage(path: "Examples/photos/coffee.jpg").canvas()
let box = BoundingBox(minX: 120, minY: 80, maxX: 200, maxY: 160)

// One box over several frames; each step is corrected with the image in which the box was found.
var follower = BoxFollower()
let first = try GreyPyramid(frame(0, of: photo))
follower.begin(first, boxes: [box])
var pyramid = GreyPyramid()
for number in 1...5 {
  try pyramid.update(from: frame(number, of: photo))
  let moved: [BoxMovement] = try follower.advance(to: &pyramid)
  print("frame \(number): \(moved[0].isLost ? "lost" : "\(moved[0].box)")")
}

// A single step between any two images.
var flow = BoxFlow()
let last = try GreyPyramid(frame(5, of: photo))
let anchored = AnchoredBox(box: box, anchor: box)
print("by \(try flow.move([anchored], from: first, to: last, anchor: first)[0].dx) pixels to the right")

// The motion of the whole image, except the moving objects.
var camera = CameraFlow()
if let motion = try camera.motion(from: first, to: last, outside: [box]) {
  print("the image moved by \(motion.dx), \(motion.dy)")
}

do {
  _ = try flow.move([box], from: first, to: GreyPyramid())
} catch {
  print(error.code == FlowCode.noImage)
  print("\(error)")
}
