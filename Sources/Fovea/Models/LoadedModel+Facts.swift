// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

extension LoadedModel {
  /// The calibration that the metadata name for the scores of an output; nil where they name none.
  func calibration(output index: Int, classCount: Int) throws(FoveaError) -> ScoreCalibration? {
    guard let output = outputMetadata(index), output.scoreCalibration != nil else { return nil }
    return try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in
      try ScoreCalibration.read(for: output, classCount: classCount, model: bytes)
    }
  }

  /// What the graph does last with each output.
  func activations() throws(FoveaError) -> [String: OutputActivation] {
    try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in try OutputActivation.read(bytes) }
  }

  /// What the operator that ends a post-processed detector is set to.
  func postProcess() throws(FoveaError) -> PostProcessOptions? {
    try LoadedModel.parts(of: stored) { bytes throws(MetadataError) in try PostProcessOptions.read(bytes) }
  }
}
