// SPDX-License-Identifier: Apache-2.0

/// Where a model comes from.
public struct ModelSource: Sendable, Hashable {
  enum Storage: Sendable, Hashable {
    case path(String)
  }
  let storage: Storage

  /// A `.tflite` file, an AutoML folder (`manifest.json` or `tflite_metadata.json` inside), or a manifest file.
  public static func file(_ path: String) -> ModelSource { ModelSource(storage: .path(path)) }
}
