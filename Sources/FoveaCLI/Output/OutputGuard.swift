// SPDX-License-Identifier: Apache-2.0

import Fovea

/// Keeps results from being written over what they come from.
enum OutputGuard {
  /// Refuses an output file that is one of the command's own inputs, under whatever name, or a picture at all.
  ///
  /// A photo, or the model that is mapped into memory, would be lost before anything is known of it.
  /// - Parameters:
  ///   - path: The file that results are to be written to.
  ///   - inputs: The paths that the command reads: photos, models, label files.
  /// - Throws: `output-overwrites`.
  static func check(_ path: String, against inputs: [String]) throws(FoveaError) {
    guard let status = FileStatus(FilePath(path)), status.kind == .file, status.size > 0 else { return }
    let isInput = inputs.contains { FileStatus(FilePath(argument: $0))?.identity == status.identity }
    // Photos in folders are not compared one by one; they have a picture's ending.
    guard isInput || PictureName.pictureExtension(Array(path.utf8)) != nil else { return }
    throw FoveaError(
      code: .init(rawValue: "output-overwrites"),
      message: isInput
        ? "the results would replace this file, which the command reads"
        : "the results would replace this file, which is a picture by its name",
      remedy: "Name another file with --output", subject: path)
  }
}
