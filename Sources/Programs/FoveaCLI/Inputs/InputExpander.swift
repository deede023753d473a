// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaImage

/// Turns arguments into images, one at a time: files, folders, patterns not expanded by the shell, and "-".
///
/// Only the folders on the path to the current image are held in memory. Each folder is entered once, so
/// cycles of links end.
struct InputExpander: IteratorProtocol {
  private var arguments: ArraySlice<String>
  private let recursive: Bool
  private let shard: Shard?
  private var pending: [FilePath] = []
  private var open: [OpenFolder] = []
  private var visited: Set<FileStatus.Identity> = []

  private struct OpenFolder {
    var path: FilePath
    var relative: String
    var listing: FolderListing
  }

  /// The name of the current argument's folder, to distinguish an empty folder from a finished one.
  private var rootName = ImageName("")
  private var rootCount = 0
  private var rootHasFolders = false
  /// The counts of images and of skipped files in folders.
  private(set) var search = ImageSearch()

  /// The number of occurrences of each argument that is not UTF-8.
  private var lossy: [String: Int] = [:]

  /// The relative paths so far, if they must be distinct; several arguments can lead to equal paths.
  private var used: Set<String>?
  /// The number of images whose relative path was changed because it was already taken, and the first such
  /// image.
  private var renamed: (count: Int, first: String)?
  /// The part of relative paths that is compared.
  private let distinct: Distinct
  /// The folders of results, which are not searched for images.
  private let outputs: [String]

  /// The part of relative paths that must be distinct.
  enum Distinct { case nothing, annotated, stems }

  /// Creates an expander; with `distinct`, no two images get the same relative path: "a.jpg", "a-2.jpg", ….
  ///
  /// With `stems`, no two paths differ only in their extensions; with `annotated`, no two lead to the same
  /// annotated image, as "a.bmp" and "a.bmp.jpg" would. Folders among `outputs` are skipped inside other
  /// folders. Only the images of `shard` are returned, but every shard returns the failures, as a folder may
  /// be missing on one machine.
  init(
    _ arguments: [String], recursive: Bool, shard: Shard? = nil, distinct: Distinct = .nothing,
    outputs: [String] = []
  ) {
    self.arguments = arguments[...]
    self.shard = shard
    self.recursive = recursive
    self.outputs = outputs
    self.distinct = distinct
    if distinct != .nothing { used = [] }
  }

  mutating func next() -> InputItem? {
    while let item = nextOfAll() {
      if let shard, case .image(let image) = item, !shard.contains(image.relativePath) { continue }
      return item
    }
    return nil
  }

  private mutating func nextOfAll() -> InputItem? {
    while true {
      if !open.isEmpty {
        if let item = nextFromFolder() { return item }
      } else if !pending.isEmpty {
        if let item = start(pending.removeFirst()) { return item }
      } else if let argument = arguments.popFirst() {
        if let item = begin(argument) { return item }
      } else {
        return nil
      }
    }
  }

  private mutating func begin(_ argument: String) -> InputItem? {
    if argument == "-" { return image(.standardInput, "stdin") }
    if InputExpander.isAddress(argument) {
      return failure(
        argument, .inputIsURL, "this is a URL, and URLs are not fetched",
        InputExpander.addressRemedy(argument))
    }
    let path = FilePath(argument: argument, occurrence: occurrence(of: argument))
    if GlobExpansion.isPattern(argument) && FileStatus(path) == nil {
      pending = GlobExpansion.matches(argument)
      guard pending.isEmpty else { return nil }
      return failure(
        argument, .inputNoMatch, "no file matches this pattern",
        "Check the pattern, or name files and folders")
    }
    return start(path)
  }

  /// Returns the number of earlier occurrences of an argument whose text has lost bytes, else 0.
  private mutating func occurrence(of argument: String) -> Int {
    guard argument.unicodeScalars.contains("\u{FFFD}") else { return 0 }
    defer { lossy[argument, default: 0] += 1 }
    return lossy[argument, default: 0]
  }

  private mutating func start(_ path: FilePath) -> InputItem? {
    guard let status = FileStatus(path) else {
      let number = errno
      return failure(
        ImageName(path), number == ENOENT ? .inputMissing : .inputUnreadable,
        "cannot be opened: \(systemMessage(number))",
        number == ENOENT ? "Check the path" : "Check the path and its permissions")
    }
    guard status.kind == .folder else { return image(.file(path), path.lastComponent) }
    rootName = ImageName(path)
    rootCount = 0
    rootHasFolders = false
    visited = [status.identity]
    return enter(path, relative: "")
  }

  private mutating func enter(_ path: FilePath, relative: String) -> InputItem? {
    do throws(SystemError) {
      let listing = try FolderListing(path, recursive: recursive, relative: relative, search: &search)
      if listing.hasSkippedFolders { rootHasFolders = true }
      open.append(OpenFolder(path: path, relative: relative, listing: listing))
      return nil
    } catch {
      rootCount += 1  // The folder already has an error line and is not reported as empty.
      return failure(
        ImageName(path), .folderUnreadable,
        "the folder cannot be read: \(error.message)",
        "Check the permissions of the folder")
    }
  }

  private mutating func nextFromFolder() -> InputItem? {
    guard let (name, kind) = open[open.count - 1].listing.popFirst() else {
      open.removeLast()
      return open.isEmpty ? emptyRootFailure() : nil
    }
    let folder = open[open.count - 1]
    let path = folder.path.appending(name)
    let relative = folder.relative + String(decoding: name, as: UTF8.self)
    switch kind {
    case .image:
      rootCount += 1
      return image(.file(path), relative)
    case .folder:
      guard let status = FileStatus(path) else { return enter(path, relative: relative + "/") }
      guard visited.insert(status.identity).inserted, !isOutput(status.identity) else { return nil }
      return enter(path, relative: relative + "/")
    }
  }

  private func emptyRootFailure() -> InputItem? {
    guard rootCount == 0 else { return nil }
    let remedy: Advice =
      rootHasFolders
      ? "Add \(flag: "recursive") to search the folders in it, or name another one"
      : "Name a folder with images"
    return failure(
      rootName, .folderEmpty, "no images (\(ImageFileName.extensionList)) in this folder", remedy)
  }

  private mutating func image(_ source: InputImage.Source, _ relative: String) -> InputItem {
    let image = InputImage(source: source, relativePath: distinct(relative))
    if image.relativePath != relative, shard?.contains(image.relativePath) != false {
      renamed = (
        (renamed?.count ?? 0) + 1,
        renamed?.first ?? "'\(image.name.printable)' as '\(image.relativePath.printable)'"
      )
    }
    return .image(image)
  }

  /// A sentence about results whose names differ from their images' names, without the full stop; nil if
  /// there are none.
  var renamingNote: String? {
    guard let (count, first) = renamed else { return nil }
    return count == 1
      ? "1 result has the same name as another and gets a number: \(first)"
      : "\(DecimalText.grouped(count)) results have the same names as others and get numbers, "
        + "the first \(first)"
  }

  /// Whether a folder is one of `outputs`, looked up each time because the run may create it later.
  private func isOutput(_ folder: FileStatus.Identity) -> Bool {
    outputs.contains { FileStatus(FilePath(argument: $0))?.identity == folder }
  }

  private mutating func distinct(_ relative: String) -> String {
    let name = key(relative)
    guard used?.insert(name).inserted == false else { return relative }
    var number = 2
    while true {
      let other = ResultFile.numbered(relative, number)
      let name = key(other)
      if used?.insert(name).inserted != false { return other }
      number += 1
    }
  }

  /// Returns the part of a relative path that no two images may share.
  private func key(_ relative: String) -> String {
    distinct == .stems ? ResultFile.stem(relative) : AnnotationPlan.name(for: relative)
  }

  private func failure(_ name: String, _ code: FoveaCode, _ message: String, _ remedy: Advice) -> InputItem {
    failure(ImageName(name), code, message, remedy)
  }

  private func failure(_ name: ImageName, _ code: FoveaCode, _ message: String, _ remedy: Advice) -> InputItem
  {
    .failure(name, FoveaError(code, message, remedy: remedy))
  }

  private static func addressRemedy(_ argument: String) -> Advice {
    let scheme = argument.prefix { $0 != ":" }.lowercased()
    return switch scheme {
    case "http", "https", "ftp": "Pipe the file in: curl -s '\(argument)' | fovea detect -"
    case "s3": "Pipe the file in: aws s3 cp '\(argument)' - | fovea detect -"
    case "gs": "Pipe the file in: gcloud storage cat '\(argument)' | fovea detect -"
    case "rtsp": "Save an image of it first: ffmpeg -i '\(argument)' -frames:v 1 out.jpg"
    case "file": "Give the path without '\(argument.prefix(7))'"
    default: "Download it first and give the file"
    }
  }

  /// Whether the argument starts with "scheme://".
  static func isAddress(_ argument: String) -> Bool {
    guard let colon = argument.utf8.firstIndex(of: 0x3A), colon != argument.utf8.startIndex else {
      return false
    }
    let scheme = argument.utf8[..<colon]
    return argument.utf8[colon...].starts(with: "://".utf8)
      && scheme.allSatisfy { $0.isASCIILetterOrDigit || $0 == 0x2B || $0 == 0x2D }
  }
}

extension InputExpander {
  /// Whether the arguments may mean more than one image.
  static func isBatch(_ arguments: [String]) -> Bool {
    guard arguments.count == 1, let only = arguments.first else { return true }
    if only == "-" { return false }
    guard let status = FileStatus(FilePath(argument: only)) else { return GlobExpansion.isPattern(only) }
    return status.kind == .folder
  }
}
