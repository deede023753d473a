// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

extension FoveaError {
  /// The error of the second process that would write a file or into a folder.
  /// - Parameters:
  ///   - path: The file or folder as the user named it.
  ///   - option: The option that named it.
  /// - Returns: `output-in-use`.
  package static func outputInUse(_ path: String, option: String) -> FoveaError {
    let isFolder = FileStatus(FilePath(path))?.kind == .folder
    return FoveaError(
      .outputInUse,
      "another process is writing \(isFolder ? "to this folder" : "this file")",
      remedy: "Wait until it has ended, or name another \(isFolder ? "folder" : "file") with \(option)",
      subject: path)
  }
}
