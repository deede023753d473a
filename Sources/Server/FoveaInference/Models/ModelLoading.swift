// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaImage
import FoveaModels

/// The settings and callbacks for loading models.
struct ModelLoading: Sendable {
  let slots: Int
  let limits: ImageLimits
  /// The least score of a keypoint that is drawn.
  let keypointThreshold: Float
  /// Returns the process's memory in bytes; nil if unknown.
  let heldMemory: @Sendable () -> Int?
  /// Called with a model's name before its file is read.
  let willLoad: @Sendable (String) async -> Void
  /// Called with a loaded model's name and a note for the operator, such as an assumption.
  let note: @Sendable (_ model: String, _ note: Advice) -> Void

  func load(_ entry: ModelEntry, _ source: ModelSource, version: Int) async throws(FoveaError)
    -> ServedModel
  {
    await willLoad(entry.name)
    let model = try await ServedModel.load(entry, source, version: version, with: self)
    for advice in model.notes { note(entry.name, advice) }
    return model
  }

  /// Returns a host's models; nil for the host of the environment variable.
  func hosted(on host: HostAddress?) throws(ModelStoreError) -> HostedModels { try HostedModels(host: host) }
}
#endif
