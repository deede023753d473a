// SPDX-License-Identifier: Apache-2.0

extension MetadataWriter {
  /// Verifies that the metadata matches the model and the files match the metadata.
  static func check(
    _ metadata: ModelMetadata, files: [AssociatedFileContents], model: Span<UInt8>
  ) throws(MetadataError) {
    let summary = try ModelGraphSummary.read(model)
    guard metadata.subgraphs.count <= summary.subgraphCount else {
      throw mismatch(
        "The metadata describes \(metadata.subgraphs.count) subgraphs", summary.subgraphCount, "subgraphs")
    }
    guard metadata.inputs.isEmpty || metadata.inputs.count == summary.inputCount else {
      throw mismatch("The metadata describes \(metadata.inputs.count) inputs", summary.inputCount, "inputs")
    }
    guard metadata.outputs.isEmpty || metadata.outputs.count == summary.outputCount else {
      throw mismatch(
        "The metadata describes \(metadata.outputs.count) outputs", summary.outputCount, "outputs")
    }
    let named = Set(metadata.allFiles.map(\.name))
    var given: Set<String> = []
    for file in files {
      guard !file.name.isEmpty, file.name.utf8.count <= 0xFFFF, given.insert(file.name).inserted else {
        throw MetadataEncoder.cannotWrite("The file name '\(file.name)' is empty, too long, or given twice")
      }
      guard named.contains(file.name) else {
        throw MetadataEncoder.cannotWrite(
          "The file '\(file.name)' is given, but the metadata does not name it")
      }
    }
    guard files.count <= ModelArchive.maxEntries else {
      throw MetadataEncoder.cannotWrite(
        "There are \(files.count) files; at most \(ModelArchive.maxEntries) are allowed")
    }
    if let missing = named.subtracting(given).min() {
      throw MetadataError(
        .missingFile, "The metadata names the file '\(missing)', but its content is not given",
        remedy: "Provide the content of every file that the metadata names")
    }
  }

  private static func mismatch(_ what: String, _ count: Int, _ noun: String) -> MetadataError {
    MetadataError(
      .countMismatch, "\(what), but the model has \(count) \(noun)",
      remedy: "Describe all in the model's order, or none")
  }
}
