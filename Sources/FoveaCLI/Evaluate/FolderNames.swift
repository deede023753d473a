// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaSystem

/// The names in a folder.
enum FolderNames {
  /// All names but hidden ones, in natural order.
  /// - Throws: The system's reason.
  static func list(_ folder: String) throws(SystemError) -> [String] {
    try Folder.names(in: folder).sorted { NaturalOrder.precedes(Array($0.utf8)[...], Array($1.utf8)[...]) }
  }

  /// The path of a name in a folder.
  static func path(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  static func isFile(_ path: String) -> Bool {
    FileStatus(FilePath(path)).map { $0.kind != .folder } ?? false
  }
  static func isFolder(_ path: String) -> Bool { FileStatus(FilePath(path))?.kind == .folder }
}
