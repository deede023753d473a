// SPDX-License-Identifier: Apache-2.0
//
// Crops the centre of an image and writes it into memory as a model needs it: upright, scaled, normalised.
//
//     swift run DecodeIntoTensor street.jpg

import FoveaGeometry
import FoveaImage

let path = CommandLine.arguments.dropFirst().first ?? "Examples/photos/cat.jpg"

var limits = ImageLimits()
limits.maxDimension = 20_000
let encoded = try EncodedImage(path: path, limits: limits)
let formats = ImageFormat.allCases.map(\.description).joined(separator: ", ")
print("\(path): \(encoded.format), one of \(formats); \(encoded.size) pixels")

// A float32 tensor in the order blue, green, red with values from -1 to 1.
let scaling = ImageTensorSpec.Normalization(mean: [127.5], standardDeviation: [127.5])
let spec = ImageTensorSpec(
  size: PixelSize(width: 224, height: 224), elementType: .float32, channelOrder: .bgr, normalization: scaling)

// The decoder and its buffers are reused for each image; a JPEG is decoded no larger than needed.
let decoder = ImageDecoder()
let scratch = TensorScratch()
let image: DecodedImage = try decoder.decode(encoded, scaledFor: DecodeTarget.atLeast(spec.size))
let middle = NormalizedBox(minX: 0.25, minY: 0.25, maxX: 0.75, maxY: 0.75).pixels(in: encoded.size)

var tensor = [Float](repeating: 0, count: spec.byteCount / 4)
let used = try unsafe tensor.withUnsafeMutableBytes { bytes in
  try unsafe image.write(
    region: middle, upright: encoded.orientation, spec: spec, into: bytes, scratch: scratch)
}
print("\(used) was written from \(image.size) decoded pixels")
print("values from \(tensor.min() ?? 0) to \(tensor.max() ?? 0)")

// A quantised model needs bytes: here one step is 1/128, and 0 represents 0.
let steps = ImageTensorSpec.Quantization(scale: 1 / 128, zeroPoint: 0)
let quantized = ImageTensorSpec(
  size: spec.size, elementType: ImageTensorSpec.ElementType.int8,
  channelOrder: ImageTensorSpec.ChannelOrder.rgb, normalization: scaling, quantization: steps)
var bytes = [Int8](repeating: 0, count: quantized.byteCount)
try unsafe bytes.withUnsafeMutableBytes { memory in
  _ = try unsafe image.write(spec: quantized, into: memory, scratch: scratch)
}
print("as int8 from \(bytes.min() ?? 0) to \(bytes.max() ?? 0)")
