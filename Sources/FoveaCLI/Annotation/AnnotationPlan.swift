// SPDX-License-Identifier: Apache-2.0

import Fovea

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Draws findings on a picture and gives the bytes of the new file.
protocol PictureAnnotator: Sendable {
  func annotated(_ picture: Picture, with findings: Findings, as format: AnnotationFormat)
    throws(FoveaError) -> [UInt8]
}

/// The file formats of annotated pictures.
enum AnnotationFormat: Sendable {
  case jpeg, png, webp
}

/// Where annotated pictures go, and who draws them.
struct AnnotationPlan: Sendable {
  enum Target: Sendable, Equatable {
    case file(String)
    case folder(String)
  }

  let target: Target
  let annotator: any PictureAnnotator

  /// Whether `argument` names a file: it ends in the extension of a format that is written, and is no folder.
  static func target(of argument: String) -> Target {
    guard writtenFormat(of: argument) != nil,
      FileStatus(FilePath(argument))?.kind != .folder
    else { return .folder(argument) }
    return .file(argument)
  }

  func annotate(_ source: Picture, of picture: InputPicture, with findings: Findings) throws(FoveaError) {
    let path = path(for: picture)
    try refuseOverwriting(picture, at: path)
    let bytes = try annotator.annotated(
      source, with: findings, as: AnnotationPlan.writtenFormat(of: path) ?? .jpeg)
    try makeFolders(for: path)
    try AnnotationPlan.write(bytes, to: path)
  }

  /// The file for a picture: below the folder, the way that leads to it below the folder that was named.
  func path(for picture: InputPicture) -> String {
    switch target {
    case .file(let path): return path
    case .folder(let folder):
      let name = picture.relativePath
      return (folder.hasSuffix("/") ? folder : folder + "/")
        + (AnnotationPlan.writtenFormat(of: name) != nil ? name : name + ".jpg")
    }
  }

  /// The format that a name's extension asks for; nil for the formats that are only read.
  private static func writtenFormat(of path: String) -> AnnotationFormat? {
    switch PictureName.pictureExtension(Array(path.utf8)) {
    case "jpg", "jpeg": .jpeg
    case "png": .png
    case "webp": .webp
    default: nil
    }
  }

  private func refuseOverwriting(_ picture: InputPicture, at path: String) throws(FoveaError) {
    guard case .file(let original) = picture.source,
      let first = FileStatus(original)?.identity, first == FileStatus(FilePath(path))?.identity
    else { return }
    throw FoveaError(
      code: .init(rawValue: "annotate-overwrites"),
      message: "the annotated picture would replace the photo itself",
      remedy: "Name another folder or file with --annotate")
  }

  private func makeFolders(for path: String) throws(FoveaError) {
    var folder = ""
    for part in FilePath(path).parent.split(separator: "/", omittingEmptySubsequences: false) {
      folder += part + "/"
      guard part != "", part != "." else { continue }
      guard unsafe mkdir(folder, 0o777) != 0 else { continue }
      // Kept, because looking at the folder sets it anew.
      let number = errno
      if number != EEXIST && FileStatus(FilePath(folder)) == nil {
        throw AnnotationPlan.unwritable(path, number)
      }
    }
  }

  /// Writes a whole file or none: to a name beside it first.
  private static func write(_ bytes: [UInt8], to path: String) throws(FoveaError) {
    let partial = path + ".partial"
    let descriptor = unsafe open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw unwritable(path, errno) }
    var failure = Descriptor.write(bytes, to: descriptor).error ?? 0
    if close(descriptor) != 0 && failure == 0 { failure = errno }
    if failure == 0, unsafe rename(partial, path) != 0 { failure = errno }
    guard failure == 0 else {
      unsafe unlink(partial)
      throw unwritable(path, failure)
    }
  }

  private static func unwritable(_ path: String, _ number: Int32) -> FoveaError {
    FoveaError(
      code: .init(rawValue: number == ENOSPC ? "disk-full" : "annotate-unwritable"),
      message: "the annotated picture '\(path.printable)' cannot be written: \(systemMessage(number))",
      remedy: number == ENOSPC
        ? "Free some space or name another folder" : "Name another folder with --annotate")
  }
}
