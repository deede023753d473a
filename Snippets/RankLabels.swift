// SPDX-License-Identifier: Apache-2.0
//
// Converts the scores of a classifier to named labels, step by step, as ImageLabeler does internally.
//
//     swift run RankLabels classifier.tflite

import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

let path =
  CommandLine.arguments.dropFirst().first ?? "Sources/C/CEmbeddedModels/models/coarse_int8.tflite"
let model = try Model(path: path)
let session = try Session(model: model)
let head = try ClassifierHead(modelName: model.name, signature: model.signatures[0])
print("\(head.classCount) classes in the output '\(head.outputName)'")

// The model's metadata may have the names.
let names: LabelMap? = try model.withBytes { bytes throws(MetadataError) in
  guard let outputs = try ModelMetadata.read(bytes)?.outputs, head.outputIndex < outputs.count else {
    return nil
  }
  return try LabelMap.read(for: outputs[head.outputIndex], model: bytes)
}
try names?.check(classCount: head.classCount, of: "the output '\(head.outputName)'")

// An empty image, to have scores to rank.
try session.run()
var scores: [Float] = []
try session.readNumbers(output: head.outputIndex, into: &scores)

// Confidences, 0 to 1, from any model output: determined by the end of its graph, or by the numbers
// themselves.
let ends = try model.withBytes { bytes throws(MetadataError) in try OutputActivation.read(bytes) }
let reading = try ConfidenceReading(
  head, modelName: model.name, asked: nil, end: ends[head.outputName], labelCount: names?.count,
  isCalibrated: false)
try reading.apply(to: &scores, modelName: model.name)
switch reading.source {
case ConfidenceReading.Source.option, .model: print("activation: \(reading.activation)")
case .assumed, .values: print("assumed: \(reading.assumption(modelName: model.name) ?? "nothing")")
}

var ranking = LabelRanking(threshold: 0, limit: 3)
let best: [Label] = ranking.labels(scores: scores, names: names?.names ?? [])
for label in best { print("\(label.text ?? "class \(label.index)"): \(label.confidence)") }

// The ranking without the winner, as with a list of denied labels.
ranking.isAllowed = scores.indices.map { $0 != best.first?.index }
let others = ranking.labels(scores: scores, names: names?.names ?? [])
print("without it: \(others.compactMap(\.text).joined(separator: ", "))")
