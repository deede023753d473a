// SPDX-License-Identifier: Apache-2.0
//
// Detects small objects by slicing a photo into overlapping tiles.
//
//     swift run FindSmallObjects street.jpg

import Fovea

let path = CommandLine.arguments.dropFirst().first ?? "Examples/photos/coffee.jpg"

var slicing = Slicing()
slicing.tileSize = 250
slicing.overlap = 0.3
var options = ObjectDetector.Options()
options.slicing = slicing
options.classifier = .none
let result = try await ObjectDetector(options: options).analyze(.file(path))
for object in result.objects { print(object.box, object.score) }
