// SPDX-License-Identifier: Apache-2.0
//
// Finds objects in frames from cameras and video decoders: pixels in memory, in several layouts.
//
//     swift run DetectInFrame

import Fovea

// A frame of 32 bits per pixel; here a photo replaces the camera. Rows may have padding.
let canvas = try EncodedImage(path: "Examples/photos/coffee.jpg").canvas()
let bgra = try PixelLayout(PixelFormat.bgra, size: canvas.size, bytesPerRow: [canvas.bytesPerRow])
var frame: PixelBuffer = try unsafe canvas.withUnsafeMutableBytes { bytes in
  try unsafe PixelBuffer(bgra, copying: [UnsafeRawBufferPointer(bytes)], name: "frame 1")
}

let detector = try await ObjectDetector()
for object in try await detector.detect(in: .pixels(frame)) {
  print("\(frame.name): \(object.labels.first?.text ?? "object") at \(object.box)")
}

// A camera that is mounted upside down: the boxes stay in pixels of the stored frame.
frame.orientation = .down
print("rotated upright it is \(try frame.canvas().size)")

// NV12 with one block for both planes. Core Video's code is '420f', full range; the stream defines the
// matrix.
let encoding = YUVEncoding(matrix: YUVEncoding.Matrix.bt709, range: YUVEncoding.Range.full)
let nv12 = try PixelLayout(.nv12(encoding), size: PixelSize(width: 640, height: 480))
print("\(nv12.format): planes of \(nv12.planeByteCounts) bytes")
let grey = [UInt8](repeating: 128, count: nv12.byteCount)
print(
  "\(try await detector.detect(in: .pixels(PixelBuffer(nv12, bytes: grey))).count) objects in a grey frame")

// Borrowed for one call: no copy, and a buffer that escapes the closure is refused instead of read.
let spec = ImageTensorSpec(size: PixelSize(width: 300, height: 300))
var tensor = [UInt8](repeating: 0, count: spec.byteCount)
let scratch = TensorScratch()
let kept = try PixelBuffer.withBorrowed(nv12, bytes: grey.span) { borrowed in
  _ = try unsafe tensor.withUnsafeMutableBytes { memory in
    try unsafe borrowed.write(spec: spec, into: memory, scratch: scratch)
  }
  return borrowed
}
print("the tensor starts with \(tensor[0]), \(tensor[1]), \(tensor[2])")
do {
  _ = try kept.canvas()
} catch {
  print("afterwards: \(error)")
}
