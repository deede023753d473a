// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaImage

/// Turns arguments into images, one at a time: files, folders, patterns that the shell left alone, and "-".
///
/// Only the folders on the way to the current image are held in memory. Each folder is entered once, so links
/// that lead back to where they came from end.
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

  /// The name of the folder that was named, to distinguish an empty one from a finished one.
  private var rootName = ImageName("")
  private var rootCount = 0
  private var rootHasFolders = false
  /// Which files of folders were images, and which were passed over.
  private(set) var search = ImageSearch()

  /// The arguments that are not UTF-8, with how often they came.
  private var lossy: [String: Int] = [:]

  /// The relative paths given so far, where they must differ; several arguments can lead to equal ones.
  private var used: Set<String>?
  /// How many images have another relative path because they share their own, and the first of them.
  private var renamed: (count: Int, first: String)?
  /// What of relative paths is compared.
  private let distinct: Distinct
  /// Folders that results go to: what an earlier run has written there is no input.
  private let outputs: [String]

  /// What relative paths must differ in.
  enum Distinct { case nothing, annotated, stems }

  /// With `distinct`, no two images get the same relative path: "a.jpg", "a-2.jpg", ….
  ///
  /// With `stems` they do not differ in the ending alone either, with `annotated` not in the ending that their annotated
  /// images have: "a.bmp" next to "a.bmp.jpg". Folders among `outputs` are left out where they are met in another folder. Of
  /// the images those of `shard` alone are given; what cannot be opened is given in each, as the folder may be missing on one
  /// machine only.
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
      if let shard, case .picture(let image) = item, !shard.contains(image.relativePath) { continue }
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
    if argument == "-" { return picture(.standardInput, "stdin") }
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

  /// How often an argument was there before, which counts where its text has lost bytes.
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
    guard status.kind == .folder else { return picture(.file(path), path.lastComponent) }
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
      rootCount += 1  // The folder has its error line; it is not called empty as well.
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
    case .picture:
      rootCount += 1
      return picture(.file(path), relative)
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
      ? "Add --recursive to search the folders in it, or name another one" : "Name a folder with images"
    return failure(
      rootName, .folderEmpty, "no images (\(ImageFileName.extensionList)) in this folder", remedy)
  }

  private mutating func picture(_ source: InputImage.Source, _ relative: String) -> InputItem {
    let image = InputImage(source: source, relativePath: distinct(relative))
    if image.relativePath != relative, shard?.contains(image.relativePath) != false {
      renamed = (
        (renamed?.count ?? 0) + 1,
        renamed?.first ?? "'\(image.name.printable)' as '\(image.relativePath.printable)'"
      )
    }
    return .picture(image)
  }

  /// How many results have other names than their images, and the first of them, as a sentence without the final stop; nil
  /// where there is none.
  var renamingNote: String? {
    guard let (count, first) = renamed else { return nil }
    return count == 1
      ? "1 result has the place of another and gets a number: \(first)"
      : "\(DecimalText.grouped(count)) results have the places of others and get numbers, the first \(first)"
  }

  /// Looked up each time: the folder may be made while the run continues.
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

  /// What no two images may have in common.
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
    case "file": "Give the path alone, without '\(argument.prefix(7))'"
    default: "Download it first and give the file"
    }
  }

  /// Whether the argument begins as "scheme://" does.
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
  /// Whether the arguments may stand for more than one image.
  static func isBatch(_ arguments: [String]) -> Bool {
    guard arguments.count == 1, let only = arguments.first else { return true }
    if only == "-" { return false }
    guard let status = FileStatus(FilePath(argument: only)) else { return GlobExpansion.isPattern(only) }
    return status.kind == .folder
  }
}
