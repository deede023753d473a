// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaRender

/// Draws findings on a photo and gives the bytes of the new file.
protocol ImageAnnotator: Sendable {
  /// - Parameters:
  ///   - photo: The photo; it is decoded at full size.
  ///   - findings: What to draw.
  ///   - format: The new file's format.
  ///   - hasThumbnail: Whether a report wants a thumbnail, which the decoded pixels give before they are drawn on.
  /// - Returns: The file, and the thumbnail where one was asked for.
  /// - Throws: Errors of the photo's file, and of drawing.
  func annotated(
    _ photo: Photo, with findings: DetectionRecord.Findings, as format: AnnotationFormat, hasThumbnail: Bool
  ) throws(FoveaError) -> AnnotatedPhoto
}

/// A photo with what was found drawn on it.
struct AnnotatedPhoto: Sendable {
  var file: [UInt8]
  var thumbnail: Thumbnail?
}

/// The file formats of annotated images.
enum AnnotationFormat: Sendable {
  case jpeg, png, webp
}

/// Where annotated images go, and who draws them.
struct AnnotationPlan: Sendable {
  enum Target: Sendable, Equatable {
    case file(String)
    case folder(String)
  }

  let target: Target
  let annotator: any ImageAnnotator

  /// Whether `argument` names a file: it ends as an image that can be written, and is no folder.
  static func target(of argument: String) -> Target {
    guard writable(argument) != nil, FileStatus(FilePath(argument))?.kind != .folder
    else { return .folder(argument) }
    return .file(argument)
  }

  /// The ending of an argument that means an image of a kind that cannot be written; nil where there is no doubt.
  ///
  /// "out.gif" is no folder that anybody wants; one that is there already, or ends in a slash, is.
  static func unwritableEnding(of argument: String) -> String? {
    guard !argument.hasSuffix("/"), FileStatus(FilePath(argument))?.kind != .folder,
      let ending = FilePath(argument).ending, otherEndings.contains(ending)
    else { return nil }
    return ending
  }

  private static let otherEndings: Set<String> = [
    "gif", "bmp", "tif", "tiff", "heic", "heif", "avif", "jxl", "jp2", "svg", "pdf", "mp4", "html",
  ]

  /// The ending, where annotated images can be written in its format.
  private static func writable(_ name: String) -> String? {
    FilePath(name).ending.flatMap { ["jpg", "jpeg", "png", "webp"].contains($0) ? $0 : nil }
  }

  /// Writes the annotated photo.
  /// - Returns: The thumbnail, where one is wanted.
  func annotate(
    _ photo: Photo, of picture: InputImage, with findings: DetectionRecord.Findings, hasThumbnail: Bool
  ) throws(FoveaError) -> Thumbnail? {
    let path = path(for: picture)
    try refuseOverwriting(picture, at: path)
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

  /// Finds out before the first image that nothing can be written, as far as that can be known then.
  func checkTarget() throws(FoveaError) {
    let (path, file) =
      switch target {
      case .file(let path): (path, path)
      case .folder(let path): (path, FilePath.joined(path, "file"))
      }
    if let error = Folder.obstacle(to: file) { throw AnnotationPlan.unwritable(path, error) }
  }

  /// The file for an image: below the folder, the way that leads to it below the folder that was named.
  func path(for picture: InputImage) -> String {
    switch target {
    case .file(let path): return path
    case .folder(let folder):
      return FilePath.joined(folder, AnnotationPlan.name(for: picture.relativePath))
    }
  }

  /// The name of the annotated image: the photo's, with ".jpg" at its end where that is of no format to write.
  static func name(for photo: String) -> String { writable(photo) != nil ? photo : photo + ".jpg" }

  private static func format(of path: String) -> AnnotationFormat {
    switch writable(path) {
    case "png": .png
    case "webp": .webp
    default: .jpeg
    }
  }

  private func refuseOverwriting(_ picture: InputImage, at path: String) throws(FoveaError) {
    guard case .file(let original) = picture.source,
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
