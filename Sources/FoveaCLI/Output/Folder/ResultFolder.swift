// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaSystem

/// A format with one file for each image, in a folder that mirrors the folders of the images.
protocol ResultFolder: Sendable {
  /// Prepares the folder, when the model is loaded and before the first image.
  ///
  /// The names are those of the model's classes by index, none where they are not known.
  func begin(classNames: [String]) throws(FoveaError)
  /// Whether an earlier run has written this very image's file.
  func isDone(_ picture: InputPicture) -> Bool
  /// Writes the image's file, whole or not at all; called from several tasks, for different images.
  func write(_ findings: Findings, of picture: InputPicture) throws(FoveaError)
}

extension ResultFolder {
  func begin(classNames: [String]) throws(FoveaError) {}
}

/// What folders of results have in common.
enum ResultFile {
  /// A name below `folder`.
  static func path(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The name of an image's result: the image's, with another ending.
  static func name(of picture: InputPicture, ending: String) -> String {
    stem(picture.relativePath) + ending
  }

  /// A path without what follows the last dot of its last part; a dot at its start is part of the name.
  static func stem(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[name...].lastIndex(of: "."), dot != name else { return path }
    return String(path[..<dot])
  }

  /// Writes a result file, making folders as needed.
  static func write(_ text: String, to path: String) throws(FoveaError) {
    do throws(SystemError) {
      try Folder.make(leadingTo: path)
      try ReplacedFile.write(text.utf8, to: path)
    } catch {
      throw unwritable(path, error)
    }
  }

  static func unwritable(_ path: String, _ error: SystemError) -> FoveaError {
    if error.isInUse { return .outputInUse(path, option: "--output") }
    return FoveaError(
      error.isFull ? .diskFull : .resultUnwritable,
      "the result '\(path.printable)' cannot be written: \(error.message)",
      remedy: error.isFull ? "Free some space, then go on with --resume" : "Name another folder with --output"
    )
  }
}
