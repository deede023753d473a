// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The file operations for finding a model, with errors that name a remedy.
enum BundleFiles {
  /// The maximum size of a manifest, 1 MiB.
  static let maxManifestBytes = 1 << 20

  /// Returns whether a path is a folder; throws if it does not exist.
  static func isFolder(_ path: String) throws(MetadataError) -> Bool {
    guard !path.isEmpty, let status = FileStatus(FilePath(path)) else {
      throw MetadataError(.missingFile, "There is no file or folder '\(path)'", remedy: "Check the path")
    }
    return status.kind == .folder
  }

  /// Returns whether a file (not a folder) exists at this path.
  static func isFile(_ path: String) -> Bool {
    FileStatus(FilePath(path)).map { $0.kind != .folder } ?? false
  }

  /// Returns the names in a folder, sorted, without hidden ones.
  static func names(in folder: String) throws(MetadataError) -> [String] {
    do throws(SystemError) { return try Folder.names(in: folder).sorted() } catch {
      throw MetadataError(
        .unreadable, "The folder '\(folder)' cannot be read",
        remedy: "Check its permissions, for example with 'ls -ld'")
    }
  }

  /// Returns the content of a small file; the default limit is the one for manifests.
  static func contents(of path: String, limit: Int = maxManifestBytes) throws(MetadataError) -> [UInt8] {
    guard isFile(path) else {
      guard try isFolder(path) else {
        throw MetadataError(.missingFile, "There is no file '\(path)'", remedy: "Check the path")
      }
      throw MetadataError(.missingFile, "'\(path)' is a folder, not a file", remedy: "Name a file in it")
    }
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: limit) } catch {
      throw unreadable(path, error, limit: limit)
    }
  }

  private static func unreadable(_ path: String, _ error: SystemError, limit: Int) -> MetadataError {
    switch error.number {
    case EFBIG:
      MetadataError(
        .tooLarge, "The file '\(path)' has more than \(limit) bytes",
        remedy: limit == maxManifestBytes
          ? "Use the .tflite file or its folder" : "Check that it is the right file")
    case EINVAL:
      MetadataError(
        .unreadable, "'\(path)' is not a regular file, but a device, a pipe or a socket",
        remedy: "Use a regular file")
    default:
      MetadataError(
        .unreadable, "The file '\(path)' cannot be read",
        remedy: "Check its permissions, for example with 'ls -l'")
    }
  }

  /// Returns the path with all symbolic links resolved; the path itself if it does not exist.
  static func resolved(_ path: String) -> String {
    do throws(SystemError) { return try FilePath.resolved(path) } catch { return path }
  }

  /// Splits a path into its folder and last component.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }
}
