// SPDX-License-Identifier: Apache-2.0
//
// Adds a description, labels and a threshold to a detector's file, so that it can be used without other
// files.
//
//     swift run WriteMetadata detector.tflite with-metadata.tflite

import Foundation
import FoveaMetadata

let arguments = CommandLine.arguments
let path =
  arguments.count > 1 ? arguments[1] : "Sources/C/CEmbeddedModels/models/localizer_int8.tflite"
let model = [UInt8](try Data(contentsOf: URL(filePath: path)))

var input = TensorMetadata(name: "image", description: "The image")
input.content = TensorContent.image(
  colorSpace: ColorSpace.rgb, defaultSize: ImageSize(width: 192, height: 192))
input.processUnits = [ProcessUnit.normalization(Normalization(mean: [127.5], standardDeviation: [127.5]))]

var boxes = TensorMetadata(name: "location")
boxes.content = .boundingBoxes(
  BoundingBoxLayout(kind: BoundingBoxLayout.Kind.center, coordinates: BoundingBoxLayout.Coordinates.ratio))
var scores = TensorMetadata(name: "score", content: .features)
let calibration = ScoreCalibrationOptions(transformation: ScoreCalibrationOptions.Transformation.log)
scores.processUnits = [.scoreThreshold(0.4), .scoreCalibration(calibration)]
scores.files = [
  AssociatedFile(name: "labels.txt", kind: AssociatedFile.Kind.valueLabels),
  AssociatedFile(name: "calibration.txt", kind: .axisScoreCalibration),
]

var graph = ModelMetadata.Subgraph()
graph.inputs = [input]
graph.outputs = [boxes, scores]
graph.outputGroups = [ModelMetadata.TensorGroup(name: "objects", tensorNames: ["location", "score"])]
var metadata = ModelMetadata()
metadata.name = "Localizer"
metadata.version = "1.1"
metadata.license = "Apache-2.0"
metadata.subgraphs = [graph]

// A line of the calibration file has the scale, slope and offset of one class.
let files = [
  AssociatedFileContents(name: "labels.txt", contents: Array("object\n".utf8)),
  AssociatedFileContents(name: "calibration.txt", contents: Array("0.95,1.5,0.1\n".utf8)),
]
let described = try MetadataWriter.write(metadata, files: files, to: model)
if arguments.count > 2 { try Data(described).write(to: URL(filePath: arguments[2])) }
print("\(model.count) bytes became \(described.count)")

// A reader gets the written metadata.
let read = try ModelMetadata.read(described)
print(
  "\(read?.name ?? "no name") \(read?.version ?? ""), threshold \(read?.outputs.last?.scoreThreshold ?? 0)")
if let output = read?.outputs.last,
  let curves = try ScoreCalibration.read(for: output, classCount: 1, model: described.span),
  let curve: ScoreCalibration.Sigmoid = curves.sigmoids.first ?? nil
{
  print("a score of 0.8 becomes \(curves.apply(0.8, classIndex: 0)); the largest is \(curve.scale)")
}
