// SPDX-License-Identifier: Apache-2.0
//
// Prints the share and the outlines of each class of a photo.
//
//     swift run SegmentPhoto portrait.jpg selfie_segmentation.tflite

import Fovea
import FoveaDecoding
import FoveaGeometry

let arguments = CommandLine.arguments
let path = arguments.count > 1 ? arguments[1] : "Examples/photos/cat.jpg"
// There is no embedded segmentation model; without one of yours a tiny model finds what is red.
let model = arguments.count > 2 ? arguments[2] : "Tests/Fixtures/models/map_probability.tflite"

var options = ImageSegmenter.Options()
// The family, for a model whose graph does not show it.
if arguments.count > 3 { options.family = MapFamily(name: arguments[3]) }
let segmenter = try await ImageSegmenter(model: .file(model), options: options)
for assumption in segmenter.assumptions { print("note: \(assumption)") }

let result: SegmentationResult = try await segmenter.analyze(.file(path))
let map: SegmentationMap = result.map.upright(result.orientation, stored: result.size)
print("\(result.size): \(map.width) × \(map.height) cells in \(result.timings.total)")

func describe(_ part: SegmentationMap.ClassShare) -> String {
  let outlines = map.mask(ofClass: part.classIndex)?.outlines ?? []
  return "\(part.label ?? "class \(part.classIndex)"): \(part.share * 100) %, \(outlines.count) outlines"
}
for part in map.shares { print(describe(part)) }
