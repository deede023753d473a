// SPDX-License-Identifier: Apache-2.0

extension ModelArchive {
  /// Adds the files at the end of one model to another.
  /// - Parameters:
  ///   - model: The model, without files.
  ///   - other: The whole file of the model with files.
  /// - Returns: The model with the files.
  /// - Throws: `damagedArchive`, `compressedArchive` or `tooLarge` for files that cannot be read.
  package static func copy(to model: [UInt8], from other: [UInt8]) throws(MetadataError) -> [UInt8] {
    guard let archive = try read(other) else { return model }
    var result = model
    var writer = ArchiveWriter()
    for entry in archive.entries {
      let contents = try archive.contents(of: entry.name, in: other)
      writer.append(AssociatedFileContents(name: entry.name, contents: contents), to: &result)
    }
    writer.finish(&result)
    return result
  }
}
