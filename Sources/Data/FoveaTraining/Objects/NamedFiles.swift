// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats

/// The files below a folder by name, for lists with paths of another machine.
struct NamedFiles {
  /// The files that a path may mean.
  enum Match: Equatable, Sendable {
    case one(String)
    /// Files with the path's name that share equally much of the path; at most four of them.
    case several([String])
    case none
  }

  private let folder: String
  /// The paths below the folder.
  private let places: [String]
  private let ends: PathEnds

  /// Lists the files below a folder; skips hidden files and folders that cannot be read, such as
  /// `lost+found`.
  /// - Throws: `unreadable` for the folder itself.
  init(below folder: String) throws(TrainingError) {
    var files: [String] = []
    var folders = [""]
    // A link to a parent folder would cause an endless loop.
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
    // Includes the folder itself, whose name may be in a path.
    ends = PathEnds(places.map { FilePath.joined(folder, $0) }) { _ in true }
  }

  /// Returns a sentence about the files that a path may mean, without the final stop.
  static func ambiguity(of path: String, among places: [String], below folder: String) -> String {
    let list = places.prefix(3).map { "'\($0.printable)'" }.joined(separator: ", ")
    return
      "'\(path.printable)' may be any of \(list)\(places.count > 3 ? ", …" : "") in '\(folder.printable)'"
  }

  /// The folder given for the images.
  static let images: Advice = "\(flag: "images", "'images'")"

  /// Returns the remedy for paths without a file of their own below that folder.
  /// - Parameters:
  ///   - all: The number of all problems.
  ///   - missing: The number of paths without a file.
  ///   - ambiguous: The number of paths that may mean several files.
  ///   - field: The list's name for a path.
  /// - Returns: The remedy, without the final stop.
  static func remedy(all: Int, missing: Int, ambiguous: Int, field: String) -> Advice {
    if missing == all {
      return "Put the images into the folder of \(images), or name another folder that has them at any depth"
    }
    if ambiguous == all { return "Give each image a \(field) that is relative to the folder of \(images)" }
    return "Give each image its own \(field), relative to the folder of \(images)"
  }

  /// Returns the note on images that were found by name.
  static func note(movedCount: Int) -> String? {
    guard movedCount > 0 else { return nil }
    return
      "\(DecimalText.counted(movedCount, "image is", "images are")) not at the listed path, but found by name"
  }

  /// Whether a path means the file that was found below the folder.
  func isSame(_ path: String, as place: String) -> Bool {
    guard let status = FileStatus(FilePath(path)) else { return false }
    return status.identity == FileStatus(FilePath(FilePath.joined(folder, place)))?.identity
  }

  /// Returns the file with the path's name that shares the longest end with the path.
  func file(of path: String) -> Match {
    switch ends.match(path) {
    case .none: .none
    case .one(let index): .one(places[index])
    case .several(let first): .several(first.map { places[$0] })
    }
  }
}
