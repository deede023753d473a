// SPDX-License-Identifier: Apache-2.0

extension LabelMap {
  /// Reads a label file in any form of ``LabelForm``.
  /// - Parameter path: The file, also what errors call it.
  /// - Throws: `MetadataError` with `missingFile`, `unreadable`, `tooLarge` or `badLabels`.
  public init(contentsOf path: String) throws(MetadataError) {
    try self.init(parsing: BundleFiles.contents(of: path, limit: TextLines.maxBytes), source: path)
  }
}
