// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata

/// What arrived, checked before it replaces a model that works.
enum ModelContent {
  /// Checks that a file is a TFLite model with inputs and outputs, and that the runtime can trust its graph.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - source: Where it came from, for the error.
  /// - Throws: `invalidModel`; `storeUnreadable`.
  static func check(_ path: String, source: String) throws(ModelStoreError) {
    let failure = try FileSystem.withBytes(of: path) { (bytes) -> String? in
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
    guard let failure else { return }
    throw ModelStoreError(
      .invalidModel, "What \(source) gave is not a model that can be used: \(failure)",
      remedy: "Publish the .tflite file again and download it again; what was there before is kept")
  }
}
