// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
package import FoveaRuntime

extension ModelSource {
  /// The content of the model's file as it is, unchecked; nil for a model that the library carries in itself.
  /// - Throws: The error of the layer that failed.
  package func fileBytes() throws -> ModelBytes? {
    switch storage {
    case .path(let path): return try ModelBytes(path: ModelBundle.open(path).modelPath)
    case .memory(let memory): return memory.bytes
    case .loaded(let model): return model.stored
    case .embedded: return nil
    }
  }
}
