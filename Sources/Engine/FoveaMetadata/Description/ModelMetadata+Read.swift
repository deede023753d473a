// SPDX-License-Identifier: Apache-2.0

extension ModelMetadata {
  /// Reads the metadata of the TFLite file in `bytes`.
  ///
  /// Every offset is checked, so any bytes produce a result or an error.
  /// - Parameter bytes: The whole file, such as a memory-mapped one; only the content of the result is
  ///   copied.
  /// - Returns: The metadata; nil if the model has none.
  /// - Throws: `MetadataError` with `notAModel`, `damagedModel`, or `damagedMetadata` if the model's metadata
  ///   is broken.
  public static func read(_ bytes: Span<UInt8>) throws(MetadataError) -> ModelMetadata? {
    let file = try ModelFile(bytes)
    var budget = FlatBudget()
    let modelDescription = try file.root.string(ModelFile.Field.description, in: bytes, &budget)
    guard let range = try file.metadataRange(in: bytes, &budget) else { return nil }
    do {
      var reader = MetadataReader(budget: budget)
      var metadata = try reader.model(in: bytes.extracting(range))
      metadata.modelDescription = modelDescription
      return metadata
    } catch {
      throw MetadataError(
        .damagedMetadata, "The model's metadata is broken: \(error.message)", remedy: error.remedy)
    }
  }

  /// Reads the metadata of the TFLite file in `bytes`.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The metadata; nil if the model has none.
  /// - Throws: `MetadataError`, as for a span.
  public static func read(_ bytes: [UInt8]) throws(MetadataError) -> ModelMetadata? { try read(bytes.span) }
}
