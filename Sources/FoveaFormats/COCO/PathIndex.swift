// SPDX-License-Identifier: Apache-2.0

/// What belongs to an image, by paths that two programs or two machines have written.
struct PathIndex: Sendable {
  private let values: [String: Int]
  /// The paths that end with a name, under that name.
  private let paths: [Substring: [String]]

  init(_ values: [String: Int]) {
    self.values = values
    paths = Dictionary(grouping: values.keys) { PathIndex.parts($0).last ?? "" }
  }

  /// What stands for a path as given, for its file name, or for the one path of that name that it can mean.
  ///
  /// A path can mean another if one is the end of the other, or the listed one begins at the root, as that of another machine.
  func value(of path: String) -> Int? {
    if let value = values[path] { return value }
    let parts = PathIndex.parts(path)
    guard let name = parts.last else { return nil }
    if let value = values[String(name)] { return value }
    var best: (value: Int, count: Int)?
    var isOnly = true
    for candidate in paths[name] ?? [] {
      let other = PathIndex.parts(candidate)
      let count = zip(parts.reversed(), other.reversed()).prefix { $0 == $1 }.count
      guard let value = values[candidate],
        count == min(parts.count, other.count) || PathIndex.isRooted(candidate)
      else { continue }
      let bestCount = best?.count ?? 0
      if count == bestCount { isOnly = false }
      if count > bestCount {
        best = (value: value, count: count)
        isOnly = true
      }
    }
    return isOnly ? best?.value : nil
  }

  private static func parts(_ path: String) -> [Substring] { path.split { $0 == "/" || $0 == "\\" } }

  /// Whether a path begins at the root of a file system, or at a drive of Windows.
  private static func isRooted(_ path: String) -> Bool {
    path.hasPrefix("/") || path.hasPrefix("\\") || path.dropFirst().hasPrefix(":")
  }
}
