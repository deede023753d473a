// SPDX-License-Identifier: Apache-2.0
//
// Fits an image into a tensor of another shape, as for a YOLO model, and maps its boxes back to the photo.
//
//     swift run FitIntoTensor street.jpg

import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata

let path = CommandLine.arguments.dropFirst().first ?? "Examples/photos/cat.jpg"
let image = try EncodedImage(path: path).decode()

// The defaults of the family, used if neither the caller nor the model sets them.
let usual: DetectorInput = DetectorFamily.yolov8.input
var spec = ImageTensorSpec(size: PixelSize(width: 640, height: 640), elementType: .float32)
spec.letterbox = usual.letterbox ?? Letterbox(Letterbox.Placement.center, padding: 114)
spec.layout = ImageTensorSpec.Layout.planar  // as PyTorch's converters expect: [1, 3, height, width]
spec.normalization = usual.normalization

let whole = BoundingBox(
  x: 0, y: 0, width: Double(image.fullSize.width), height: Double(image.fullSize.height))
let place: ImagePlace = spec.place(of: whole, upright: image.orientation)
print("\(path), \(image.fullSize), is at \(place.x), \(place.y) with \(place.image) of \(place.tensor)")

var tensor = [Float](repeating: 0, count: spec.byteCount / 4)
let shown = try unsafe tensor.withUnsafeMutableBytes { bytes in
  try unsafe image.write(spec: spec, into: bytes, scratch: TensorScratch())
}
print("with its bars, the tensor shows \(shown)")

// A box in the centre of the tensor is in the centre of the photo.
let answer = NormalizedBox(minX: 0.4, minY: 0.4, maxX: 0.6, maxY: 0.6)
print("a box in the middle is \(answer.pixels(in: shown))")
