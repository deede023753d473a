// SPDX-License-Identifier: Apache-2.0
//
// Converts the output tensors of a detector to boxes, step by step, as ObjectDetector does internally.
//
//     swift run DecodeDetections street.jpg detector.tflite

import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

let arguments = CommandLine.arguments
let path = arguments.count > 1 ? arguments[1] : "Examples/photos/coffee.jpg"
let model = try Model(
  path: arguments.count > 2 ? arguments[2] : "Sources/C/CEmbeddedModels/models/localizer_int8.tflite")

let session = try Session(model: model)
let running = ModelSignature(key: nil, inputs: session.inputs, outputs: session.outputs)
let metadata = try model.withBytes { bytes throws(MetadataError) in try ModelMetadata.read(bytes) }

// The shapes determine the family; an unknown model is an error that lists the families and their rules.
let recognizer = DetectorRecognizer(modelName: model.name, signature: running, metadata: metadata)
let decoder: any DetectionDecoder = try recognizer.decoder()
let family: DetectorFamily = decoder.family
print("\(model.name) is of the family \(family), which has \(family.rule)")

// Masks, rotated boxes or keypoints besides the boxes.
if let detail: DetectionDetail = decoder.detail { print("It also finds \(detail.rawValue)") }

let shape = session.inputs[0].shape
let spec = ImageTensorSpec(size: PixelSize(width: shape[2], height: shape[1]))
let image = try EncodedImage(path: path).decode(scaledFor: .atLeast(spec.size))
let scratch = TensorScratch()
let region = try unsafe session.withUnsafeInputBytes(0) { bytes in
  try unsafe image.write(spec: spec, into: bytes, scratch: scratch)
}
try session.run()

var outputs = [[Float]](repeating: [], count: session.outputs.count)
for index in outputs.indices { try session.readNumbers(output: index, into: &outputs[index]) }
let found: [Detection] = try decoder.decode(outputs, threshold: 0.3, limit: 5)
for detection in found {
  print("\(detection.box.pixels(in: region)), score \(detection.score)")
}
