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

  /// The embedded localizer: finds up to five prominent objects, without saying what they are.
  public static let embeddedLocalizer = ModelSource(storage: .embedded(.localizer))

  /// The embedded coarse classifier: Fashion good, Food, Home good, Place, Plant, or none of them.
  public static let embeddedClassifier = ModelSource(storage: .embedded(.coarseClassifier))
}
