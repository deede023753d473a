// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// Whether bytes are a model that can be used: checked when they arrive, and by a host before it publishes them.
package enum ModelContent {
  /// Finds out why bytes are no TFLite model with inputs and outputs whose graph the runtime can trust.
  ///
  /// - Parameter bytes: A whole file.
  /// - Returns: The reason in words; nil for a model that can be used.
  package static func fault(in bytes: Span<UInt8>) -> String? {
    do throws(MetadataError) {
      let graph = try ModelGraphSummary.read(bytes)
      guard graph.inputCount > 0, graph.outputCount > 0 else {
        return "it has \(graph.inputCount) inputs and \(graph.outputCount) outputs"
      }
      try ModelGraphCheck.check(bytes)
      return nil
    } catch {
      return error.message
    }
  }

  /// Finds out why a file is no model that can be used.
  ///
  /// - Parameter path: The file, which no one may shorten meanwhile.
  /// - Returns: The reason in words; nil for a model that can be used.
  /// - Throws: `storeUnreadable`.
  package static func fault(inFile path: String) throws(ModelStoreError) -> String? {
    try FileSystem.withBytes(of: path) { bytes in fault(in: bytes) }
  }
}
