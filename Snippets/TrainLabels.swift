// SPDX-License-Identifier: Apache-2.0
//
// Trains a classifier on folders of photos, and labels a new one with it.
//
//     swift run TrainLabels photos/

import Foundation
import Fovea
import FoveaTraining

let folder = CommandLine.arguments.dropFirst().first ?? "Examples/shapes/photos"
let output = FileManager.default.temporaryDirectory.path + "/own-classifier-\(UUID().uuidString)"
defer { try? FileManager.default.removeItem(atPath: output) }

do {
  let set = try TrainingSet(folder: folder)
  let first: TrainingSet.Photo? = set.photos.first
  print(
    "\(set.photos.count) photos of \(set.classes.joined(separator: ", ")), the first \(first?.name ?? "none")"
  )

  var options = LabelTrainer.Options()
  options.backbones = [.embedded]
  options.layer = ImageEmbedder.Options.Layer.pool
  options.head = LabelTrainer.Options.Head.auto
  options.prior = LabelTrainer.Options.Prior.uniform
  options.folds = 2
  options.strength = 1e-4
  let backbone: Backbone = options.backbones[0]
  print("learning on \(backbone.name)")

  let trained: TrainedLabels = try await LabelTrainer(options).train(set) { (progress: TrainingProgress) in
    switch progress.stage {
    case TrainingProgress.Stage.learning: print("learning")
    default: break
    }
  }
  for photo: TrainedLabels.Failed in trained.failed { print("left out: \(photo.name): \(photo.error)") }
  let figures: TrainingFigures = trained.figures
  print("right: \(Int(100 * figures.accuracy)) %, unanswered: \(Int(100 * figures.unanswered)) %")

  try trained.write(to: output)
  let labeler = try await ImageLabeler(model: .file(output))
  let path = "Examples/shapes/new/star/1.jpg"
  for label in try await labeler.labels(in: .file(path)).prefix(1) {
    print(path, label.text ?? "–", label.confidence)
  }
} catch let error as TrainingError where error.code == TrainingCode.invalidSet {
  print("no photos to train on: \(error.message)")
}
