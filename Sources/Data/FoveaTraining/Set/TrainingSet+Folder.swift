// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaImage

extension TrainingSet {
  /// Reads a folder with one folder of photos per class.
  ///
  /// A photo belongs to the class whose folder contains it, at any depth. Folders named "other", "background"
  /// or "None_of_the_above", in any case, contain photos that show none of the classes. Hidden files and
  /// files that are not images, by name or, if the name does not show it, by their first bytes, are skipped;
  /// the latter are noted.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isNested: Whether each folder with photos is its own class, named by its path, as "birds/owl"; false
  ///     by default.
  ///   - other: Another folder with photos that show none of the classes.
  /// - Throws: `TrainingError` `unreadable`, `invalidSet` for photos next to the class folders and for
  ///   invalid label names.
  public init(folder: String, isNested: Bool = false, other: String? = nil) throws(TrainingError) {
    var walk = PhotoWalk(folder)
    try walk.run()
    var items: [(photo: Photo, labels: [String])] = []
    var others: [Photo] = []
    for found in walk.photos {
      guard let slash = isNested ? found.lastIndex(of: "/") : found.firstIndex(of: "/") else {
        throw .invalidSet(
          walk.hasFolders
            ? "photos such as '\(found.printable)' are next to the folders of the classes"
            : "it has photos such as '\(found.printable)', but no folder per class", source: folder,
          remedy: "Move each photo into a folder named after its class")
      }
      let photo = Photo(path: FilePath.joined(folder, found), name: found, labels: [])
      let label = String(found[..<slash])
      if ClassNames.meansOther(label) { others.append(photo) } else { items.append((photo, [label])) }
    }
    var search = walk.search
    if let other { others += try TrainingSet.others(in: other, besides: others, search: &search) }
    guard !items.isEmpty else {
      throw .invalidSet(
        "no folder in it has photos (\(ImageFileName.extensionList))"
          + (search.unreadImages.map { ", but it has \($0)" } ?? ""), source: folder)
    }
    try self.init(items, others: others, source: folder)
    readingNotes = walk.emptyFolders(isNested: isNested).map {
      "the folder '\($0.printable)' has no photos and is not a class"
    }
    passedOver = search.note
  }

  /// Returns the photos that show none of the classes, at any depth, except photos that the set already has
  /// under another path.
  static func others(
    in folder: String, besides known: [Photo], search: inout ImageSearch
  ) throws(TrainingError) -> [Photo] {
    var walk = PhotoWalk(folder)
    try walk.run()
    search.add(walk.search)
    guard !walk.photos.isEmpty else {
      throw .invalidSet(
        "it has no photos (\(ImageFileName.extensionList))"
          + (walk.search.unreadImages.map { ", but \($0)" } ?? ""), source: folder,
        remedy: "Name a folder with 100 to 200 photos of other things that the camera sees")
    }
    let files = Set(known.compactMap { FileStatus(FilePath($0.path))?.identity })
    return walk.photos.compactMap { name in
      let path = FilePath.joined(folder, name)
      if let file = FileStatus(FilePath(path))?.identity, files.contains(file) { return nil }
      return Photo(path: path, name: path, labels: [])
    }
  }
}

/// Finds the photos below a folder; lists videos too, so that each is reported as an unreadable file.
private struct PhotoWalk {
  private let root: String
  /// Paths below the folder.
  private(set) var photos: [String] = []
  /// The counts of images and of skipped files.
  private(set) var search = ImageSearch()
  private var folders: [String] = []
  private var seen: Set<FileStatus.Identity> = []

  /// Deeper folders mean a loop that the file system hides.
  private static let maximumDepth = 64

  init(_ root: String) { self.root = root }

  mutating func run() throws(TrainingError) { try visit("", depth: 0) }

  /// Whether there are folders below the folder.
  var hasFolders: Bool { !folders.isEmpty }

  /// Returns the folders without photos: top-level folders, or with `isNested` those without subfolders.
  func emptyFolders(isNested: Bool) -> [String] {
    var used: Set<Substring> = []
    for path in photos + (isNested ? folders : []) {
      var rest = path[...]
      while let slash = rest.lastIndex(of: "/") {
        rest = rest[..<slash]
        guard used.insert(rest).inserted else { break }
      }
    }
    return folders.filter { (isNested || !$0.contains("/")) && !used.contains($0[...]) }
  }

  private mutating func visit(_ below: String, depth: Int) throws(TrainingError) {
    let path = below.isEmpty ? root : FilePath.joined(root, below)
    guard let status = FileStatus(FilePath(path)) else { throw .unreadable(path, SystemError(errno)) }
    guard status.kind == .folder else { throw .invalidSet("it is not a folder", source: path) }
    // A link to a parent folder would cause an endless loop.
    guard depth < PhotoWalk.maximumDepth, seen.insert(status.identity).inserted else { return }
    var folders: [String] = []
    for name in try PhotoWalk.names(in: path) {
      let found = below.isEmpty ? name : FilePath.joined(below, name)
      switch FileStatus(FilePath(FilePath.joined(root, found)))?.kind {
      case .folder: folders.append(found)
      case .other: break
      // A dangling link is listed, so that opening it reports the error to the user.
      case .file, nil: try add(found, name)
      }
    }
    self.folders += folders
    for folder in folders { try visit(folder, depth: depth + 1) }
  }

  private static let videoEndings = [".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v"]

  /// - Throws: `invalidSet` for a name whose bytes are not UTF-8, since a path cannot name it.
  private mutating func add(_ path: String, _ name: String) throws(TrainingError) {
    guard !name.unicodeScalars.contains("\u{FFFD}") else {
      throw .invalidSet(
        "the name '\(path.printable)' has bytes that are not UTF-8", source: root, remedy: "Rename it")
    }
    let lowered = name.lowercased()
    if PhotoWalk.videoEndings.contains(where: lowered.hasSuffix)
      || search.takes(Array(name.utf8), at: FilePath(FilePath.joined(root, path)), shownName: path)
    {
      photos.append(path)
    }
  }

  private static func names(in path: String) throws(TrainingError) -> [String] {
    do throws(SystemError) { return try Folder.names(in: path).sorted(by: ClassNames.precedes) } catch {
      throw .unreadable(path, error)
    }
  }
}
