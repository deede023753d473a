// SPDX-License-Identifier: Apache-2.0
//
// Detects small objects by slicing a photo into overlapping tiles, and shows the layout of the tiles.
//
//     swift run FindSmallObjects street.jpg

import Fovea
import FoveaGeometry

let path = CommandLine.arguments.dropFirst().first ?? "Examples/photos/coffee.jpg"

var slicing = Slicing()
slicing.tileSize = 250
slicing.overlap = 0.3
var options = ObjectDetector.Options()
options.slicing = slicing
options.classifier = .none
let result = try await ObjectDetector(options: options).analyze(.file(path))
for object in result.objects { print(object.box, object.score) }

// The same with your own detector: compute the tiles, run it on each, merge.
let image = BoundingBox(x: 0, y: 0, width: Double(result.size.width), height: Double(result.size.height))
let layout = TileLayout(region: image, tileWidth: 250, tileHeight: 250, overlap: 0.3)
print("\(layout.tiles.count) tiles, the whole image included")
let leftHalf = TileDetection(
  box: BoundingBox(x: 100, y: 50, width: 150, height: 80), score: 0.8, classIndex: 0, tile: 1)
let rest = TileDetection(
  box: BoundingBox(x: 175, y: 50, width: 200, height: 80), score: 0.7, classIndex: 0, tile: 2)
for object in layout.merged([leftHalf, rest]) { print("halves in two tiles are one object: \(object.box)") }
