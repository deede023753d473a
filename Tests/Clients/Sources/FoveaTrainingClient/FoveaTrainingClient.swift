// SPDX-License-Identifier: Apache-2.0

import FoveaTraining

/// Trains on a folder and writes the model.
public func train(_ folder: String, into output: String) async throws -> Double {
  let set = try TrainingSet(folder: folder)
  var options = LabelTrainer.Options()
  options.backbones = [.embedded]
  options.folds = 4
  let trained = try await LabelTrainer(options).train(set)
  try trained.write(to: output)
  return trained.figures.accuracy
}
