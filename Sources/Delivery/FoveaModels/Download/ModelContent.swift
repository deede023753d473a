// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// The check that bytes are a usable model, after a download and before a host publishes them.
package enum ModelContent {
  /// Verifies that bytes are a TFLite model with inputs and outputs and a graph that is safe to run.
  ///
  /// - Parameter bytes: The bytes of a whole file.
  /// - Returns: The fault in words; nil for a usable model.
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

  /// Verifies that a file is a usable model.
  ///
  /// - Parameter path: The path of the file, which must not be truncated in the meantime.
  /// - Returns: The fault in words; nil for a usable model.
  /// - Throws: `storeUnreadable`.
  package static func fault(inFile path: String) throws(ModelStoreError) -> String? {
    try FileSystem.withBytes(of: path) { bytes in fault(in: bytes) }
  }
}
