// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// The files of a custom model and their state: a changed file is a different model.
struct ModelStamp: Sendable, Hashable {
  private struct File: Sendable, Hashable {
    var path: String
    var device: UInt64
    var number: UInt64
    var byteCount: Int64
    var seconds: Int
    var nanoseconds: Int
  }
  private var files: [File]

  /// Reads the state of a model's files; a missing file has none.
  init(path: String) {
    var paths = [path]
    let isFile = path.lowercased().hasSuffix(".tflite")
    // A folder or a manifest names other files. Their problems are reported when they are loaded.
    if !isFile, let bundle = try? ModelBundle.open(path) {
      paths += [bundle.modelPath]
      if let labels = bundle.labelsPath { paths.append(labels) }
    }
    files = paths.map(Self.file)
  }

  private static func file(_ path: String) -> File {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else {
      return File(path: path, device: 0, number: 0, byteCount: -1, seconds: 0, nanoseconds: 0)
    }
    #if canImport(Darwin)
    let time = info.st_mtimespec
    #else
    let time = info.st_mtim
    #endif
    return File(
      path: path, device: UInt64(truncatingIfNeeded: info.st_dev), number: UInt64(info.st_ino),
      byteCount: Int64(info.st_size), seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }
}
