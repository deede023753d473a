// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A new folder that is removed with its owner.
package final class TemporaryFolder: Sendable {
  /// The folder, without a slash at its end.
  package let path: String

  /// Creates the folder.
  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/fovea-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of a name in the folder.
  package subscript(_ name: String) -> String { path + "/" + name }

  /// Returns all names in the folder, or in a folder inside it, in alphabetical order.
  package func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: self[folder]).sorted()
  }

  /// Writes a file, creating its parent folders.
  /// - Returns: Its path.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = URL(fileURLWithPath: self[name])
    try FileManager.default.createDirectory(
      atPath: url.deletingLastPathComponent().path, withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return self[name]
  }

  /// Writes a text file, creating its parent folders.
  /// - Returns: Its path.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  /// Returns the text of a file.
  package func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: self[name])), as: UTF8.self)
  }

  package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name]) }

  /// Creates a symbolic link.
  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: self[name], withDestinationPath: target)
  }
}
