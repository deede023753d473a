// SPDX-License-Identifier: Apache-2.0
//
// Decodes an image once and labels several parts of it.
//
//     swift run LabelRegion kitchen.jpg

import Fovea

let path = CommandLine.arguments.dropFirst().first ?? "Examples/photos/coffee.jpg"

let labeler = try await ImageLabeler()
let prepared: PreparedImage = try await labeler.prepare(.file(path))
let image = ImageInput.prepared(prepared)
print("\(path): \(prepared.size) pixels, held in memory as \(prepared.decodedSize)")

let parts = [
  ("all", NormalizedBox.unit),
  ("left half", NormalizedBox(minX: 0, minY: 0, maxX: 0.5, maxY: 1)),
  ("right half", NormalizedBox(minX: 0.5, minY: 0, maxX: 1, maxY: 1)),
]
for (name, part) in parts {
  let region: BoundingBox = part.pixels(in: prepared.size)
  let labels: [Label] = try await labeler.labels(in: image, region: region)
  if let best = labels.first {
    print("  \(name): \(best.text ?? "class \(best.index)"), confidence \(best.confidence)")
  } else {
    print("  \(name): none of the classes")
  }
}
