// SPDX-License-Identifier: Apache-2.0

/// Where a model comes from.
public struct ModelSource: Sendable, Hashable {
  enum Storage: Sendable, Hashable {
    case path(String)
    case embedded(EmbeddedModel)
    case loaded(LoadedModel)
  }
  let storage: Storage

  /// A `.tflite` file, an AutoML folder (`manifest.json` or `tflite_metadata.json` inside), or a manifest file.
  public static func file(_ path: String) -> ModelSource { ModelSource(storage: .path(path)) }

  /// A model that the library carries in itself.
  public static func embedded(_ model: EmbeddedModel) -> ModelSource {
    ModelSource(storage: .embedded(model))
  }

  /// A model that is loaded already, with the options that it was loaded with.
  package static func loaded(_ model: LoadedModel) -> ModelSource { ModelSource(storage: .loaded(model)) }

  /// The path of a model that is a file; nil for an embedded one.
  public var path: String? {
    switch storage {
    case .path(let path): path
    case .embedded: nil
    case .loaded(let model): model.embedded == nil ? model.name : nil
    }
  }
}
