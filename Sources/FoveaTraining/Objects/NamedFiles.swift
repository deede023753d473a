// SPDX-License-Identifier: Apache-2.0

internal import FoveaSystem

/// The files below a folder by their names, for lists with the paths of another machine.
struct NamedFiles {
  /// What a path means.
  enum Match: Equatable {
    case one(String)
    /// Files of its name, none of which has more of the path than the others.
    case several([String])
    case none
  }

  /// The paths below the folder, by their last part.
  private var places: [String: [String]] = [:]

  /// Lists the files below a folder, hidden ones left out.
  /// - Throws: `unreadable`.
  init(below folder: String) throws(TrainingError) {
    var folders = [""]
    // A link to a folder above would lead round and round.
    var seen: Set<FileStatus.Identity> = []
    while let place = folders.popLast() {
      let path = place.isEmpty ? folder : FilePath.joined(folder, place)
      guard let status = FileStatus(FilePath(path)), seen.insert(status.identity).inserted else { continue }
      let names: [String]
      do throws(SystemError) { names = try Folder.names(in: path) } catch { throw .unreadable(path, error) }
      for name in names {
        let found = place.isEmpty ? name : FilePath.joined(place, name)
        switch FileStatus(FilePath(FilePath.joined(folder, found)))?.kind {
        case .folder: folders.append(found)
        case .file: places[name, default: []].append(found)
        case .other, nil: break
        }
      }
    }
  }

  /// A sentence that names the files that a path may mean, without the final stop.
  static func ambiguity(of path: String, among places: [String], below folder: String) -> String {
    let list = places.prefix(3).map { "'\($0.printable)'" }.joined(separator: ", ")
    return
      "'\(path.printable)' may be each of \(list)\(places.count > 3 ? ", …" : "") in '\(folder.printable)'"
  }

  /// The note on images that were found by their names.
  static func note(movedCount: Int) -> String? {
    guard movedCount > 0 else { return nil }
    return
      "\(DecimalText.counted(movedCount, "image is", "images are")) not where the file says, and found by name"
  }

  /// The file of a path's name that has the most of the path's end.
  func file(of path: String) -> Match {
    let parts = path.split { $0 == "/" || $0 == "\\" }
    guard let name = parts.last, let places = places[String(name)] else { return .none }
    var best: [String] = []
    var bestCount = 0
    for place in places.sorted(by: ClassNames.precedes) {
      let count = zip(place.split(separator: "/").reversed(), parts.reversed()).prefix { $0 == $1 }.count
      if count > bestCount { (best, bestCount) = ([], count) }
      if count == bestCount { best.append(place) }
    }
    return best.count == 1 ? .one(best[0]) : .several(best)
  }
}
