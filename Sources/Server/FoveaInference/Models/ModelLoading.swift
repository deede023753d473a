// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaImage
import FoveaModels

/// How a server loads models.
struct ModelLoading: Sendable {
  let slots: Int
  let limits: ImageLimits
  /// What the process holds, in bytes; nil where that is not known.
  let heldMemory: @Sendable () -> Int?
  /// Called with the name of a model before its file is read.
  let willLoad: @Sendable (String) async -> Void
  /// Called with the name of a model that is loaded and what the operator should know of it, such as an assumption.
  let note: @Sendable (_ model: String, _ note: Advice) -> Void

  func load(_ entry: ModelEntry, _ source: ModelSource, version: Int) async throws(FoveaError)
    -> ServedModel
  {
    await willLoad(entry.name)
    let model = try await ServedModel.load(entry, source, version: version, with: self)
    for advice in model.notes { note(entry.name, advice) }
    return model
  }

  /// The models of a host; nil for that of the variable.
  func hosted(on host: HostAddress?) throws(ModelStoreError) -> HostedModels { try HostedModels(host: host) }
}
#endif
