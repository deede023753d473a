// SPDX-License-Identifier: Apache-2.0
//
// Sorts photos by their similarity to the first.
//
//     swift run FindAlike cat.jpg a.jpg b.jpg

import Fovea

let given = Array(CommandLine.arguments.dropFirst())
let paths =
  given.count > 1 ? given : ["cat", "dog", "parrot", "car", "coffee"].map { "Examples/photos/\($0).jpg" }

var options = ImageEmbedder.Options()
options.layer = ImageEmbedder.Options.Layer.pool
let embedder = try await ImageEmbedder(options: options)
let wanted = try await embedder.embedding(of: .file(paths[0]))
print("\(embedder.dimension) numbers per image")

var found: [(path: String, distance: Double)] = []
for path in paths.dropFirst() {
  let embedding = try await embedder.embedding(of: .file(path))
  found.append((path, ImageEmbedder.distance(wanted, embedding)))
}
for (path, distance) in found.sorted(by: { $0.distance < $1.distance }) { print(path, distance) }
