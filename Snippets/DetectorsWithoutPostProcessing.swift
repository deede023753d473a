// SPDX-License-Identifier: Apache-2.0
//
// Determines how to read the raw scores of a detector.
//
//     swift run DetectorsWithoutPostProcessing detector.tflite

import Foundation
import Fovea
import FoveaDecoding
import FoveaImage
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime

let path = CommandLine.arguments.dropFirst().first ?? "Tests/Fixtures/models/ssd_sigmoid.tflite"
let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))

// The last operation of the graph for each output: does it output probabilities or logits?
let activations: [String: OutputActivation] = try OutputActivation.read(bytes.span)
for (name, activation) in activations.sorted(by: { $0.key < $1.key }) { print("\(name): \(activation)") }

// Hints for the recognizer that the tensors do not contain.
var hints = DetectorHints()
hints.activations = activations
hints.labels = LabelMap(names: ["red", "green", "blue"], source: "labels.txt")
hints.scores = ScoreActivation.none
let model = try Model(bytes: bytes, name: path)
let recognizer = DetectorRecognizer(
  modelName: path, signature: model.signatures[0], metadata: nil, hints: hints)
let decoder = try recognizer.decoder()
print("\(decoder.family), \(decoder.classCount ?? 0) classes")

// Models of such families sample the image with two taps.
var spec = ImageTensorSpec(size: PixelSize(width: 64, height: 64))
spec.sampling = decoder.input.usesTwoTaps ? ImageTensorSpec.Sampling.twoTaps : .antialiased
print("\(spec.sampling) at \(spec.size.width) × \(spec.size.height)")
