// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata
package import FoveaRuntime

/// A model's bytes, which are equal if they are the same memory.
struct ModelInMemory: Sendable, Hashable {
  let bytes: ModelBytes

  static func == (first: Self, second: Self) -> Bool { first.bytes === second.bytes }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(bytes)) }
}

/// The source of a model.
public struct ModelSource: Sendable, Hashable {
  enum Storage: Sendable, Hashable {
    case path(String)
    case memory(ModelInMemory)
    case embedded(EmbeddedModel)
    case loaded(LoadedModel)
  }
  let storage: Storage

  /// A `.tflite` file, an AutoML folder (`manifest.json` or `tflite_metadata.json` inside), or a manifest
  /// file; for a detector, also a `.task` bundle of MediaPipe with a landmark model, and for a segmenter one
  /// with a segmentation model.
  public static func file(_ path: String) -> ModelSource { ModelSource(storage: .path(path)) }

  /// A model embedded in the library.
  public static func embedded(_ model: EmbeddedModel) -> ModelSource {
    ModelSource(storage: .embedded(model))
  }

  /// The content of a `.tflite` file, already read.
  package static func memory(_ bytes: ModelBytes) -> ModelSource {
    ModelSource(storage: .memory(ModelInMemory(bytes: bytes)))
  }

  /// A model that is already loaded, with the options that it was loaded with.
  package static func loaded(_ model: LoadedModel) -> ModelSource { ModelSource(storage: .loaded(model)) }

  /// The path of the model's file; nil for one that is embedded, or was given as bytes.
  public var path: String? {
    switch storage {
    case .path(let path): path
    case .embedded, .memory: nil
    case .loaded(let model): model.embedded == nil ? model.name : nil
    }
  }
}

extension ModelSource {
  /// Returns the unverified content of the model's file; nil for an embedded model.
  /// - Throws: `model-invalid` for a bundle; the error of the module that failed.
  package func fileBytes() throws -> ModelBytes? {
    try refuseBundle()
    switch storage {
    case .path(let path): return try ModelBytes(path: ModelBundle.open(path).modelPath)
    case .memory(let memory): return memory.bytes
    case .loaded(let model): return model.stored
    case .embedded: return nil
    }
  }
}

extension ModelSource {
  /// Refuses a bundle, for callers that use only one model.
  /// - Throws: `model-invalid` for a bundle; the errors of reading it.
  func refuseBundle() throws(FoveaError) {
    do {
      if let bundle = try TaskBundle(self) { throw try bundle.refusal() }
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the SHA-256 of the stored model or bundle, in hexadecimal digits, to identify it in stored
  /// results.
  /// - Throws: `model-unreadable`, `model-invalid`.
  package func checksum() async throws(FoveaError) -> String {
    do {
      return try await LoadingThread.call {
        let bytes = try TaskBundle(self)?.bytes ?? LoadedModel(self, exact: true).stored
        return bytes.withSpan { SHA256.hexadecimal(of: $0) }
      }
    } catch {
      throw FoveaError(error)
    }
  }
}
