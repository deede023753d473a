// SPDX-License-Identifier: Apache-2.0

/// Where a model comes from.
public struct ModelSource: Sendable, Hashable {
  enum Storage: Sendable, Hashable {
    case path(String)
    case embedded(EmbeddedModel)
  }
  let storage: Storage

  /// A `.tflite` file, an AutoML folder (`manifest.json` or `tflite_metadata.json` inside), or a manifest file.
  public static func file(_ path: String) -> ModelSource { ModelSource(storage: .path(path)) }

  /// A model that the library carries in itself.
  public static func embedded(_ model: EmbeddedModel) -> ModelSource {
    ModelSource(storage: .embedded(model))
  }

  /// The path of a model that is a file; nil for an embedded one.
  public var path: String? {
    if case .path(let path) = storage { path } else { nil }
  }
}
