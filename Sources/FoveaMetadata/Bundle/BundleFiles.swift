// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The file system, as far as finding a model needs it, with errors that say what to do.
enum BundleFiles {
  /// The largest manifest, 1 MiB.
  static let maxManifestBytes = 1 << 20

  /// Whether a path is a folder; a path that does not exist is an error.
  static func isFolder(_ path: String) throws(MetadataError) -> Bool {
    var isFolder: Bool = false
    guard !path.isEmpty, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw MetadataError(
        .missingFile, "There is no file or folder '\(path)'", remedy: "Check the path")
    }
    return isFolder
  }

  /// Whether a file (not a folder) of this path exists.
  static func isFile(_ path: String) -> Bool {
    var isFolder: Bool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder
  }

  /// The names in a folder, sorted, without hidden ones.
  static func names(in folder: String) throws(MetadataError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
        .sorted()
    } catch {
      throw MetadataError(
        .unreadable, "The folder '\(folder)' cannot be read",
        remedy: "Check its permissions, for example with 'ls -ld'")
    }
  }

  /// The content of a small file, of a manifest unless `limit` says otherwise.
  static func contents(of path: String, limit: Int = maxManifestBytes) throws(MetadataError) -> [UInt8] {
    guard isFile(path) else {
      guard try isFolder(path) else {
        throw MetadataError(.missingFile, "There is no file '\(path)'", remedy: "Check the path")
      }
      throw MetadataError(.missingFile, "'\(path)' is a folder, not a file", remedy: "Name a file in it")
    }
    do {
      // Attributes are those of a link itself.
      let type = try FileManager.default.attributesOfItem(atPath: resolved(path))[.type]
      guard type as? FileAttributeType == .typeRegular else {
        throw MetadataError(
          .unreadable, "'\(path)' is not a regular file, but a device, a pipe or a socket",
          remedy: "Name a file that can be read as a whole")
      }
      // An unsigned number without the rest of Foundation, any number with it.
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
      if (size as? UInt).map(Int.init(clamping:)) ?? size as? Int ?? .max <= limit {
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      }
    } catch let error as MetadataError {
      throw error
    } catch {
      throw MetadataError(
        .unreadable, "The file '\(path)' cannot be read",
        remedy: "Check its permissions, for example with 'ls -l'")
    }
    throw MetadataError(
      .tooLarge, "The file '\(path)' has more than \(limit) bytes",
      remedy: limit == maxManifestBytes
        ? "Give the .tflite file or its folder" : "Check that it is the right file")
  }

  /// The path with every symbolic link followed; nil where that fails.
  static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// A path's folder and last name.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }
}
