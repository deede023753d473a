// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// The check that bytes are a usable model, after a download and before a host publishes them.
package enum ModelContent {
  /// Verifies that bytes are a TFLite model with inputs and outputs and a graph that is safe to run.
  ///
  /// - Parameter bytes: The bytes of a whole file.
  /// - Returns: The fault in words; nil for a usable model.
  package static func fault(in bytes: Span<UInt8>) -> String? {
    if let files = files(inArchive: bytes) {
      return "it is a ZIP archive with \(files), not one TFLite model"
    }
    do throws(MetadataError) {
      let graph = try ModelGraphSummary.read(bytes)
      guard graph.inputCount > 0, graph.outputCount > 0 else {
        return "it has \(graph.inputCount) inputs and \(graph.outputCount) outputs"
      }
      try ModelGraphCheck.check(bytes)
      return nil
    } catch {
      // A graph for a device breaks rules that apply to LiteRT's CPU runtime.
      guard let operators = try? ModelGraphSummary.customNames(bytes),
        let device = DeviceOperator(among: operators)
      else { return error.message }
      return "\(device.what). \(device.remedy)"
    }
  }

  /// The maximum number of files of an archive that are listed.
  private static let mostFiles = 8

  /// Returns the names of the files in a ZIP archive, such as a bundle of MediaPipe; nil for other bytes.
  private static func files(inArchive bytes: Span<UInt8>) -> String? {
    guard bytes.count > 4, bytes[0] == 0x50, bytes[1] == 0x4b, bytes[2] == 3, bytes[3] == 4,
      let entries = try? ModelArchive.read(bytes)?.entries, !entries.isEmpty
    else { return nil }
    let names = entries.prefix(mostFiles).map { "'\($0.name.printable)'" }.joined(separator: ", ")
    return names + (entries.count > mostFiles ? ", …" : "")
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
