// SPDX-License-Identifier: Apache-2.0

public import Fovea
package import FoveaCore

/// A format with one file per image, in a folder that mirrors the folders of the images.
public protocol DetectionFolder: Sendable {
  /// Prepares the folder after the model is loaded and before the first image.
  /// - Parameter classNames: The model's classes by index; empty if unknown.
  /// - Throws: The reason why the folder cannot be written.
  func begin(classNames: [String]) throws(FoveaError)
  /// Whether an earlier run has written the file of this image.
  func isDone(_ image: ImageFile) -> Bool
  /// Writes the image's file atomically; called from several tasks for different images.
  func write(_ findings: DetectionRecord.Findings, of image: ImageFile) throws(FoveaError)
}

extension DetectionFolder {
  /// Does nothing by default.
  public func begin(classNames: [String]) throws(FoveaError) {}
}

/// An image whose result has its own file.
public struct ImageFile: Sendable, Hashable {
  /// The image's name in results.
  package let name: ImageName
  /// The path below the searched folder, or the file's own name; the result is written to the same place.
  package let relativePath: String
  /// The path of the image; nil if it came through a pipe.
  let path: FilePath?

  /// Creates the image at `path`; its result has the path of `relativePath`, by default the file's own name.
  public init(path: String, relativePath: String? = nil) {
    let file = FilePath(path)
    self.init(name: ImageName(path), relativePath: relativePath ?? file.lastComponent, path: file)
  }

  package init(name: ImageName, relativePath: String, path: FilePath?) {
    self.name = name
    self.relativePath = relativePath
    self.path = path
  }
}

/// Functions shared by folders of results.
package enum ResultFile {
  /// Returns the name of an image's result: the image's name with another extension.
  static func name(of image: ImageFile, ending: String) -> String { stem(image.relativePath) + ending }

  /// Returns a path without its extension; a dot at the start of the last component belongs to the name.
  package static func stem(_ path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[name...].lastIndex(of: "."), dot != name else { return path }
    return String(path[..<dot])
  }

  /// Returns another path if the path of an image is taken: with a number after its stem.
  package static func numbered(_ path: String, _ number: Int) -> String {
    let stem = stem(path)
    return "\(stem)-\(number)\(path.dropFirst(stem.count))"
  }

  /// Whether a file name is the name of `original` with a number after its stem.
  static func isNumbered(_ path: String, from original: String) -> Bool {
    let (name, other) = (FilePath(path).lastComponent, FilePath(original).lastComponent)
    let stem = stem(other)
    let ending = String(other.dropFirst(stem.count))
    guard name.hasPrefix(stem + "-"), name.hasSuffix(ending) else { return false }
    let number = name.dropFirst(stem.count + 1).dropLast(ending.count)
    return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Writes a result file and creates folders as needed.
  static func write(_ text: String, to path: String) throws(FoveaError) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes the bytes of a result file and creates folders as needed.
  static func write(_ bytes: [UInt8], to path: String) throws(FoveaError) {
    do throws(SystemError) {
      try Folder.make(leadingTo: path)
      try ReplacedFile.write(bytes, to: path)
    } catch {
      throw unwritable(path, error)
    }
  }

  package static func unwritable(_ path: String, _ error: SystemError) -> FoveaError {
    if error.isInUse { return .outputInUse(path, option: "output") }
    let remedy: Advice
    if let first = error.spaceRemedy {
      remedy = "\(first), then continue with \(flag: "resume", "the rest")"
    } else {
      remedy = "Name another folder with \(flag: "output", "its path")"
    }
    return FoveaError(
      error.isFull ? .diskFull : .resultUnwritable,
      "the result '\(path.printable)' cannot be written: \(error.message)", remedy: remedy)
  }
}
