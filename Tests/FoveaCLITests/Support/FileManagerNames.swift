// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The file manager's calls that runs are checked with.
enum FileManagerNames {
  static func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  static func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }
}
