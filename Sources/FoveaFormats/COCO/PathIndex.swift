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
  func value(of path: String) -> Int? {
    if let value = values[path] { return value }
    guard let name = PathEnds.parts(path).last else { return nil }
    if let value = values[String(name)] { return value }
    guard case .one(let place) = ends.match(path) else { return nil }
    return values[ends.paths[place]]
  }

  /// Whether a path begins at the root of a file system, or at a drive of Windows.
  private static func isRooted(_ path: String) -> Bool {
    path.hasPrefix("/") || path.hasPrefix("\\") || path.dropFirst().hasPrefix(":")
  }
}
