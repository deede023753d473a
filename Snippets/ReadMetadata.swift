// SPDX-License-Identifier: Apache-2.0
//
// Reads the metadata of a model: description, tensors, label files.
//
//     swift run ReadMetadata model.tflite

import Foundation
import FoveaMetadata
import FoveaModelFile

let path =
  CommandLine.arguments.dropFirst().first ?? "Sources/C/CEmbeddedModels/models/coarse_int8.tflite"

let model = [UInt8](try Data(contentsOf: URL(filePath: path)))
// The graph of an untrusted model is checked before a runtime loads it.
try ModelGraphCheck.check(model.span)

if let metadata = try ModelMetadata.read(model) {
  print(
    "\(metadata.name ?? "no name"), version \(metadata.version ?? "unknown"), by \(metadata.author ?? "?")")
  for tensor in metadata.inputs { print("in  \(describe(tensor))") }
  for tensor in metadata.outputs {
    print("out \(describe(tensor))")
    if let labels = try LabelMap.read(for: tensor, model: model) {
      print(
        "    \(labels.count) labels from \(labels.source): \(labels.names.prefix(5).joined(separator: ", "))")
    }
    if let curves = try ScoreCalibration.read(for: tensor, classCount: 1, model: model.span) {
      print("    calibrated by \(curves.sigmoids.count) curves")
    }
  }
}

func describe(_ tensor: TensorMetadata) -> String {
  let content =
    switch tensor.content {
    case .image(ColorSpace.rgb, _): "an image in colour"
    case .image: "an image"
    case .boundingBoxes(let layout): "boxes in \(layout.coordinates == .pixel ? "pixels" : "fractions")"
    case .features, .other, nil: "numbers"
    }
  let files = tensor.files.map { "\($0.name) (\($0.kind))" }
  return "\(tensor.name ?? "?"): \(content) \(files.joined(separator: ", "))"
}
