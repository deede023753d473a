// SPDX-License-Identifier: Apache-2.0

/// What belongs to an image, by paths that two programs or two machines have written.
struct PathIndex: Sendable {
  private let values: [String: Int]
  private let ends: PathEnds

  init(_ values: [String: Int]) {
    self.values = values
    ends = PathEnds(Array(values.keys)) { PathIndex.isRooted($0) }
  }

  /// What stands for a path as given, for its file name, or for the one path of that name that it can mean.
  ///
  /// A path can mean another if one is the end of the other, or the listed one begins at the root, as that of another machine.
  /// - Returns: The value, and whether the file names alone are equal, in folders of other names.
  func find(_ path: String) -> (value: Int, isByName: Bool)? {
    if let value = values[path] { return (value, false) }
    let parts = PathEnds.parts(path)
    guard let name = parts.last else { return nil }
    if let value = values[String(name)] { return (value, false) }
    guard case .one(let place) = ends.match(path), let value = values[ends.paths[place]] else { return nil }
    let other = PathEnds.parts(ends.paths[place])
    return (value, parts.count > 1 && other.count > 1 && parts[parts.count - 2] != other[other.count - 2])
  }

  /// Whether a path begins at the root of a file system, or at a drive of Windows.
  private static func isRooted(_ path: String) -> Bool {
    path.hasPrefix("/") || path.hasPrefix("\\") || path.dropFirst().hasPrefix(":")
  }
}
