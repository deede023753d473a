// SPDX-License-Identifier: Apache-2.0

/// Values of images, found by paths that two programs or two machines have written.
struct PathIndex: Sendable {
  /// The value for a path, whether only the file names are equal (the folders differ), and the number of path
  /// components that are the end of the listed path.
  typealias Found = (value: Int, isByName: Bool, shared: Int)

  private let values: [String: Int]
  private let ends: PathEnds

  init(_ values: [String: Int]) {
    self.values = values
    ends = PathEnds(Array(values.keys)) { PathIndex.isRooted($0) }
  }

  /// Returns the value for a path as given, else for its file name, else for the only listed path that it can
  /// refer to.
  ///
  /// A path can refer to a listed one if one is a suffix of the other, or if the listed one is absolute.
  func find(_ path: String) -> Found? {
    let parts = PathEnds.parts(path)
    if let value = values[path] { return (value, false, parts.count) }
    guard let name = parts.last else { return nil }
    if let value = values[String(name)] { return (value, false, 1) }
    guard case .one(let place) = ends.match(path), let value = values[ends.paths[place]] else { return nil }
    let other = PathEnds.parts(ends.paths[place])
    let shared = PathEnds.shared(parts, other)
    return (value, shared == 1 && parts.count > 1 && other.count > 1, shared)
  }

  /// Whether a path is absolute: it starts with a separator or with a Windows drive.
  private static func isRooted(_ path: String) -> Bool {
    path.hasPrefix("/") || path.hasPrefix("\\") || path.dropFirst().hasPrefix(":")
  }
}
