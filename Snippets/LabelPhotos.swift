// SPDX-License-Identifier: Apache-2.0
//
// Labels all images of a folder, two at a time, and continues after images that cannot be read.
//
//     swift run LabelPhotos Images

import Foundation
import Fovea

let folder = CommandLine.arguments.dropFirst().first ?? "Examples/photos"
let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()

var options = ImageLabeler.Options()
options.maxResults = 3
options.sessions = 2
let labeler = try await ImageLabeler(options: options)
// The options that a call may override.
var selection = ImageLabeler.Selection()
selection.threshold = 0.1
let asked = selection

await withTaskGroup(of: (name: String, answer: Result<LabelingResult, FoveaError>).self) { group in
  for name in names where name.hasSuffix(".jpg") {
    group.addTask {
      // Tasks beyond the two sessions wait inside the labeler.
      do throws(FoveaError) {
        return (name, .success(try await labeler.analyze(.file("\(folder)/\(name)"), selecting: asked)))
      } catch {
        return (name, .failure(error))
      }
    }
  }
  for await (name, answer) in group {
    switch answer {
    case .success(let result):
      let labels = result.labels.map { "\($0.text ?? "class \($0.index)") \($0.confidence)" }
      let text = labels.isEmpty ? "none of the classes" : labels.joined(separator: ", ")
      print("\(name): \(text) (\(result.timings.total))")
    case .failure(let error):
      print("\(name): \(error)")
    }
  }
}
