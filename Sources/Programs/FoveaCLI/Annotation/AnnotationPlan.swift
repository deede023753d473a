// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats
import FoveaRender

/// Draws findings on a photo and encodes the new file.
protocol ImageAnnotator: Sendable {
  /// - Parameters:
  ///   - photo: The photo; it is decoded at full size.
  ///   - findings: The objects or labels to draw.
  ///   - format: The new file's format.
  ///   - hasThumbnail: Whether to also make a thumbnail, before drawing on the decoded pixels.
  /// - Returns: The file, and the thumbnail if requested.
  /// - Throws: Errors of the photo's file, and of drawing.
  func annotated(
    _ photo: Photo, with findings: DetectionRecord.Findings, as format: AnnotationFormat, hasThumbnail: Bool
  ) throws(FoveaError) -> AnnotatedPhoto
}

/// A photo with the findings drawn on it.
struct AnnotatedPhoto: Sendable {
  var file: [UInt8]
  var thumbnail: Thumbnail?
}

/// The file formats of annotated images.
enum AnnotationFormat: Sendable {
  case jpeg, png, webp
}

/// The destination of annotated images, and the annotator that draws them.
struct AnnotationPlan: Sendable {
  enum Target: Sendable, Equatable {
    case file(String)
    case folder(String)
  }

  let target: Target
  let annotator: any ImageAnnotator

  /// Returns a file target if `argument` has the extension of a writable format and is not a folder,
  /// else a folder.
  static func target(of argument: String) -> Target {
    guard writable(argument) != nil, FileStatus(FilePath(argument))?.kind != .folder
    else { return .folder(argument) }
    return .file(argument)
  }

  /// Returns the extension of an argument that seems to name a file in an unsupported format, else nil.
  ///
  /// "out.gif" is not meant as a folder, unless that folder exists or the argument ends with a slash.
  static func unwritableEnding(of argument: String) -> String? {
    guard !argument.hasSuffix("/"), FileStatus(FilePath(argument))?.kind != .folder,
      let ending = FilePath(argument).ending, otherEndings.contains(ending)
    else { return nil }
    return ending
  }

  /// Throws `ValidationError` for the value of `--annotate` that names no file and no folder.
  static func check(_ argument: String?) throws {
    guard let argument else { return }
    if let ending = unwritableEnding(of: argument) {
      throw ValidationError(
        "--annotate writes .jpg, .png and .webp, not .\(ending); for a folder of this name, end it with '/'.")
    }
    if argument.isEmpty { throw ValidationError("--annotate needs the name of a folder or file.") }
  }

  private static let otherEndings: Set<String> = [
    "gif", "bmp", "tif", "tiff", "heic", "heif", "avif", "jxl", "jp2", "svg", "pdf", "mp4", "html",
  ]

  /// Returns the extension if annotated images can be written in its format.
  private static func writable(_ name: String) -> String? {
    FilePath(name).ending.flatMap { ["jpg", "jpeg", "png", "webp"].contains($0) ? $0 : nil }
  }

  /// Writes the annotated photo.
  /// - Returns: The thumbnail, if requested.
  func annotate(
    _ photo: Photo, of image: InputImage, with findings: DetectionRecord.Findings, hasThumbnail: Bool
  ) throws(FoveaError) -> Thumbnail? {
    let path = path(for: image)
    try refuseOverwriting(image, at: path)
    let annotated = try annotator.annotated(
      photo, with: findings, as: AnnotationPlan.format(of: path), hasThumbnail: hasThumbnail)
    do throws(SystemError) {
      try Folder.make(leadingTo: path)
      try ReplacedFile.write(annotated.file, to: path)
    } catch {
      throw AnnotationPlan.unwritable(path, error)
    }
    return annotated.thumbnail
  }

  /// Checks before the first image that the target can be written, as far as possible.
  func checkTarget() throws(FoveaError) {
    let (path, file) =
      switch target {
      case .file(let path): (path, path)
      case .folder(let path): (path, FilePath.joined(path, "file"))
      }
    if let error = Folder.obstacle(to: file) { throw AnnotationPlan.unwritable(path, error) }
  }

  /// Returns the file for an image: its relative path inside the target folder.
  func path(for image: InputImage) -> String {
    switch target {
    case .file(let path): return path
    case .folder(let folder):
      return FilePath.joined(folder, AnnotationPlan.name(for: image.relativePath))
    }
  }

  /// Returns the name of the annotated image: the photo's, plus ".jpg" if its format cannot be written.
  static func name(for photo: String) -> String { writable(photo) != nil ? photo : photo + ".jpg" }

  private static func format(of path: String) -> AnnotationFormat {
    switch writable(path) {
    case "png": .png
    case "webp": .webp
    default: .jpeg
    }
  }

  private func refuseOverwriting(_ image: InputImage, at path: String) throws(FoveaError) {
    guard case .file(let original) = image.source,
      let first = FileStatus(original)?.identity, first == FileStatus(FilePath(path))?.identity
    else { return }
    throw FoveaError(
      .annotateOverwrites,
      "the annotated image would replace the photo itself",
      remedy: "Name another folder or file with --annotate")
  }

  private static func unwritable(_ path: String, _ error: SystemError) -> FoveaError {
    if error.isInUse { return .outputInUse(path, option: "annotate") }
    return FoveaError(
      error.isFull ? .diskFull : .annotateUnwritable,
      "the annotated image '\(path.printable)' cannot be written: \(error.message)",
      remedy: error.spaceRemedy.map { Advice("\($0) or name another folder") }
        ?? "Name another folder with --annotate")
  }
}
