// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaImage
import FoveaMetadata

/// Refuses outputs that would overwrite an input.
enum OutputGuard {
  /// Refuses an output file that is an image, or one of the command's inputs, even under another name.
  ///
  /// Otherwise a photo or the memory-mapped model would be lost before it is read.
  /// - Parameters:
  ///   - path: The output file.
  ///   - inputs: The paths that the command reads: photos, models, label files.
  ///   - option: The option that names the file.
  ///   - isImage: True for an output that is an image, which may replace another; false by default.
  /// - Throws: `output-overwrites`.
  static func check(
    _ path: String, against inputs: [String], option: String = "--output", isImage: Bool = false
  ) throws(FoveaError) {
    guard let status = FileStatus(FilePath(path)), status.kind == .file, status.size > 0 else { return }
    let isInput = inputs.flatMap(files).contains { FileStatus($0)?.identity == status.identity }
    // Photos in folders are recognized by their extension, not compared one by one.
    guard isInput || !isImage && ImageFileName.imageExtension(Array(path.utf8)) != nil else { return }
    throw FoveaError(
      .outputOverwrites,
      isInput
        ? "the results would replace this file, which the command reads"
        : "the results would replace this file, which is an image by its name",
      remedy: "Name another file with \(option)", subject: path)
  }

  /// Returns the file of an input; for a folder or the manifest in it, also the files of an AutoML export.
  private static func files(of input: String) -> [FilePath] {
    let path = FilePath(argument: input)
    let isFolder = FileStatus(path)?.kind == .folder
    guard isFolder || path.lastComponent == AutoMLBundleWriter.manifestName else { return [path] }
    let folder = isFolder ? input : path.parent
    return [path] + AutoMLBundleWriter.exportNames.map { FilePath(FilePath.joined(folder, $0)) }
  }

  /// Refuses a file that cannot be created, before the work starts.
  /// - Throws: `output-unwritable` with the system's reason.
  static func check(place path: String) throws(FoveaError) {
    guard StandardDescriptors.output(at: path) == nil else { return }
    if let status = FileStatus(FilePath(path)) {
      if status.kind == .folder { throw .outputUnwritable(path, SystemError(EISDIR)) }
      return
    }
    if errno == ENAMETOOLONG { throw .outputUnwritable(path, SystemError(ENAMETOOLONG)) }
    guard FileStatus(FilePath(FilePath(path).parent)) != nil else {
      throw .outputUnwritable(path, SystemError(errno))
    }
    if let obstacle = Folder.obstacle(to: path) { throw .outputUnwritable(path, obstacle) }
  }

  /// Refuses an output folder that is, or is inside, an input folder: the next run would read the results.
  /// - Parameters:
  ///   - folder: The output folder, which need not exist.
  ///   - input: A folder that the command reads.
  ///   - option: The option that names the output folder.
  /// - Throws: `output-overwrites`.
  static func check(
    folder: String, outside input: String, option: String = "--output"
  ) throws(FoveaError) {
    guard let read = FileStatus(FilePath(input)), read.kind == .folder else { return }
    var path = folder
    while true {
      if FileStatus(FilePath(path))?.identity == read.identity {
        throw FoveaError(
          .outputOverwrites, "the folder is inside '\(input.printable)', which the command reads",
          remedy: "Name a folder somewhere else with \(option)", subject: folder)
      }
      let parent = FilePath(path).parent
      guard parent != path, path != ".", path != "/" else { return }
      path = parent
    }
  }

  /// Refuses two options that name the same file: one would overwrite the other.
  ///
  /// The name of an unfinished file, with ".partial" at its end, also counts.
  /// - Parameter targets: The files that are written, with the options that name them.
  /// - Throws: `output-overwrites`.
  static func check(distinct targets: [(option: String, path: String)]) throws(FoveaError) {
    for (index, target) in targets.enumerated() {
      if let other = targets[..<index].first(where: { isPartial($0.path, target.path) }) {
        throw FoveaError(
          .outputOverwrites,
          "the file of \(other.option) or \(target.option) has this name until it is finished",
          remedy: "Name another file with \(target.option)",
          subject: target.path.hasSuffix(PartialPath.ending) ? target.path : other.path)
      }
      guard let other = targets[..<index].first(where: { isSame($0.path, target.path) }) else { continue }
      throw FoveaError(
        .outputOverwrites,
        "\(other.option) and \(target.option) name the same file",
        remedy: "Name another file with \(target.option)", subject: target.path)
    }
  }

  /// Refuses a folder for links to photos that is searched for photos: the next run would find the links.
  static func check(links folder: String, among inputs: [String]) throws(FoveaError) {
    guard let status = FileStatus(FilePath(folder)), status.kind == .folder,
      inputs.contains(where: { FileStatus(FilePath(argument: $0))?.identity == status.identity })
    else { return }
    throw FoveaError(
      .outputOverwrites,
      "the links to the photos would be among the photos, and found by the next run",
      remedy: "Name another folder with --output, or leave --recursive out", subject: folder)
  }

  /// Whether one of two paths is the other's temporary name while it is written.
  private static func isPartial(_ first: String, _ second: String) -> Bool {
    isSame(PartialPath.of(first), second) || isSame(first, PartialPath.of(second))
  }

  /// Whether two paths refer to the same file, which need not exist yet.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    let paths = (FilePath(first), FilePath(second))
    if let one = FileStatus(paths.0), let other = FileStatus(paths.1) {
      return one.kind == .file && one.identity == other.identity
    }
    guard paths.0.lastComponent == paths.1.lastComponent,
      let one = FileStatus(FilePath(paths.0.parent)), let other = FileStatus(FilePath(paths.1.parent))
    else { return first == second }
    return one.identity == other.identity
  }
}
