// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats

/// The files below a folder by their names, for lists with the paths of another machine.
struct NamedFiles {
  /// What a path means.
  enum Match: Equatable, Sendable {
    case one(String)
    /// Files of its name, none of which has more of the path than the others; at most four of them.
    case several([String])
    case none
  }

  private let folder: String
  /// The paths below the folder.
  private let places: [String]
  private let ends: PathEnds

  /// Lists the files below a folder, without hidden ones and those in folders that cannot be read, as `lost+found`.
  /// - Throws: `unreadable` for the folder itself.
  init(below folder: String) throws(TrainingError) {
    var files: [String] = []
    var folders = [""]
    // A link to a folder above would lead round and round.
    var seen: Set<FileStatus.Identity> = []
    while let place = folders.popLast() {
      let path = place.isEmpty ? folder : FilePath.joined(folder, place)
      guard let status = FileStatus(FilePath(path)), seen.insert(status.identity).inserted else { continue }
      let names: [String]
      do throws(SystemError) { names = try Folder.names(in: path) } catch {
        if place.isEmpty { throw .unreadable(path, error) }
        continue
      }
      for name in names {
        let found = place.isEmpty ? name : FilePath.joined(place, name)
        switch FileStatus(FilePath(FilePath.joined(folder, found)))?.kind {
        case .folder: folders.append(found)
        case .file: files.append(found)
        case .other, nil: break
        }
      }
    }
    let places = files.sorted(by: ClassNames.precedes)
    (self.folder, self.places) = (folder, places)
    // With the folder itself, whose name a path may have as well.
    ends = PathEnds(places.map { FilePath.joined(folder, $0) }) { _ in true }
  }

  /// A sentence that names the files that a path may mean, without the final stop.
  static func ambiguity(of path: String, among places: [String], below folder: String) -> String {
    let list = places.prefix(3).map { "'\($0.printable)'" }.joined(separator: ", ")
    return
      "'\(path.printable)' may be each of \(list)\(places.count > 3 ? ", …" : "") in '\(folder.printable)'"
  }

  /// The folder that was named for the images.
  static let images: Advice = "\(flag: "images", "'images'")"

  /// What helps against paths that have no file of their own below that folder.
  /// - Parameters:
  ///   - all: How many problems there are, of these and other kinds.
  ///   - missing: How many paths have no file.
  ///   - ambiguous: How many paths may mean several files.
  ///   - field: What the list calls a path.
  /// - Returns: The advice, without the final stop.
  static func remedy(all: Int, missing: Int, ambiguous: Int, field: String) -> Advice {
    if missing == all {
      return "Put the images into the folder of \(images), or name another one that has them, at any depth"
    }
    if ambiguous == all { return "Give each image a \(field) that is relative to the folder of \(images)" }
    return "Give each image a \(field) of its own, relative to the folder of \(images)"
  }

  /// The note on images that were found by their names.
  static func note(movedCount: Int) -> String? {
    guard movedCount > 0 else { return nil }
    return
      "\(DecimalText.counted(movedCount, "image is", "images are")) not where the file says, and found by name"
  }

  /// Whether a path leads to the file that was found below the folder, in other words.
  func isSame(_ path: String, as place: String) -> Bool {
    guard let status = FileStatus(FilePath(path)) else { return false }
    return status.identity == FileStatus(FilePath(FilePath.joined(folder, place)))?.identity
  }

  /// The file of a path's name that has the most of the path's end.
  func file(of path: String) -> Match {
    switch ends.match(path) {
    case .none: .none
    case .one(let index): .one(places[index])
    case .several(let first): .several(first.map { places[$0] })
    }
  }
}
