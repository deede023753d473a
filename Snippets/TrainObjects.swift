// SPDX-License-Identifier: Apache-2.0
//
// Trains names for the objects that a detector finds, and labels the objects of a photo with them.
//
//     swift run TrainObjects instances.json photos/

import Foundation
import Fovea
import FoveaTraining

let arguments = CommandLine.arguments
let work = FileManager.default.temporaryDirectory.path + "/names-\(UUID().uuidString)"
try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: work) }

/// Writes annotations for the drawn shapes of the examples, each in a box.
func drawnInstances() throws -> String {
  var (images, annotations): ([String], [String]) = ([], [])
  for (label, shape) in ["disc", "square"].enumerated() {
    for number in 1...4 {
      let id = images.count + 1
      images.append(#"{"id":\#(id),"file_name":"\#(shape)/\#(number).jpg"}"#)
      annotations.append(#"{"id":\#(id),"image_id":\#(id),"category_id":\#(label),"bbox":[8,8,112,112]}"#)
    }
  }
  let lists =
    #""images":[\#(images.joined(separator: ","))],"annotations":[\#(annotations.joined(separator: ","))]"#
  let text = #"{\#(lists),"categories":[{"id":0,"name":"disc"},{"id":1,"name":"square"}]}"#
  try text.write(toFile: work + "/instances.json", atomically: true, encoding: .utf8)
  return work + "/instances.json"
}

let instances = arguments.count > 1 ? arguments[1] : try drawnInstances()
let photos = arguments.count > 2 ? arguments[2] : "Examples/shapes/photos"

let set: ObjectSet = try ObjectSet(instances: instances, images: photos)
print("\(set.objectCount) boxes of \(set.classes.joined(separator: ", ")) in \(set.imageCount) images")

var options = ObjectTrainer.Options()
options.detector = .embedded(.localizer)
options.maxObjects = 3
options.classifier.folds = 2
options.classifier.strength = 1e-3

let trained: TrainedObjects = try await ObjectTrainer(options).train(set)
let figures: ObjectFigures = trained.figures
print("boxes meet \(Int(100 * figures.boxRecall)) % of objects")
print("of the boxes that get a name, \(Int(100 * (figures.rightLabels ?? 0))) % get the right one")
if figures.isLimitedByBoxes { print("a better detector would help more than more photos") }
try trained.write(to: work + "/names")

var detection = ObjectDetector.Options()
detection.classifier = ObjectDetector.Classifier.relabeling(.file(work + "/names"))
detection.threshold = 0.05
let detector = try await ObjectDetector(model: options.detector, options: detection)
for object in try await detector.detect(in: .file("Examples/shapes/new/disc/1.jpg")) {
  print(object.box, object.score, object.labels.first?.text ?? "–")
}
