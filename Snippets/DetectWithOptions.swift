// SPDX-License-Identifier: Apache-2.0
//
// Sets options of a detector, passes it an image from memory, and reads its timings.
//
//     swift run DetectWithOptions street.jpg

import Foundation
import Fovea

let path = CommandLine.arguments.dropFirst().first ?? "Examples/photos/photographer.jpg"

var limits = ImageLimits()
limits.maxPixels = 50_000_000

var options = ObjectDetector.Options()
options.threshold = 0.2
options.maxObjects = 20
options.classifier = .none
options.suppression = SuppressionOptions(iouThreshold: 0.5)  // one box if two overlap by more than half
options.fit = ImageFit.stretch  // as the embedded models were trained; your model may need .letterbox
options.threads = 2
options.imageLimits = limits
let embedded = EmbeddedModel.detector
print("\(embedded.description), one of \(EmbeddedModel.allCases.map(\.rawValue).joined(separator: ", "))")
let detector = try await ObjectDetector(model: .embedded(embedded), options: options)

let file = try Data(contentsOf: URL(filePath: path))
let result: DetectionResult = try await detector.analyze(.data(file, name: path))
print("\(path): \(result.size) pixels, rotated \(result.orientation.name)")

// The most prominent objects first, not the highest scores: large ones in the centre of the image.
let byProminence = result.objects.sorted {
  $0.prominence(in: result.size) > $1.prominence(in: result.size)
}
for object in byProminence { print("  \(object.box), score \(object.score)") }

let timings: StageTimings = result.timings
print("decoding \(timings.decode), detecting \(timings.detect), all together \(timings.total)")

// A call can override some options without another detector.
var selection = ObjectDetector.Selection()
selection.threshold = 0.5
selection.allowedLabels = ["person"]
let people = try await detector.analyze(.data(file, name: path), selecting: selection)
print("\(people.objects.count) people")
