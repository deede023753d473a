// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// The files of a custom model and their state: a changed file is a different model.
struct ModelStamp: Sendable, Hashable {
  private struct File: Sendable, Hashable {
    var path: String
    var identity: FileStatus.Identity?
    var size: Int?
    var modified: Int?
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
    let status = FileStatus(FilePath(path))
    return File(path: path, identity: status?.identity, size: status?.size, modified: status?.modified)
  }
}
