// SPDX-License-Identifier: Apache-2.0

/// A file that is to be put into a model's archive.
public struct AssociatedFileContents: Sendable, Hashable {
  /// The name in the archive, as the metadata names it.
  public var name: String
  /// The bytes.
  public var contents: [UInt8]

  /// Makes a file.
  public init(name: String, contents: [UInt8]) {
    self.name = name
    self.contents = contents
  }
}
