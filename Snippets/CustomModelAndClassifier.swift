// SPDX-License-Identifier: Apache-2.0
//
// Detects with your own model and labels the objects with your own classifier.
//
//     swift run CustomModelAndClassifier street.jpg detector.tflite classifier.tflite

import Fovea

let arguments = CommandLine.arguments
let path = arguments.count > 1 ? arguments[1] : "Examples/photos/coffee.jpg"
let models = "Sources/C/CEmbeddedModels/models"
let detectorModel: ModelSource = .file(arguments.count > 2 ? arguments[2] : "\(models)/localizer_int8.tflite")
let classifierModel: ModelSource = .file(arguments.count > 3 ? arguments[3] : "\(models)/coarse_int8.tflite")

var options = ObjectDetector.Options()
// A detector with its own classes needs no classifier: `.none` then keeps its labels.
options.classifier = ObjectDetector.Classifier.model(classifierModel)
options.maxObjects = 3
options.maxLabels = 2
options.labelThreshold = 0.1

let detector = try await ObjectDetector(model: detectorModel, options: options)
for object in try await detector.detect(in: .file(path)) {
  let labels = object.labels.map { "\($0.text ?? "class \($0.index)") \($0.confidence)" }
  print("\(object.box): \(labels.isEmpty ? "no label" : labels.joined(separator: ", "))")
}
