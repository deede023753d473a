// SPDX-License-Identifier: Apache-2.0

/// An index of listed paths by their last components, to find those with the longest common suffix with a
/// path.
///
/// The cost of a search depends on the length of the path, not on the number of listed paths. Both "/" and
/// "\" separate components.
package struct PathEnds: Sendable {
  /// The listed paths that a path may mean, as indices into the list.
  package enum Match: Sendable, Equatable {
    case none
    case one(Int)
    /// The first of several, at most four.
    case several([Int])
  }

  /// A path component in front of an end.
  private struct Step: Hashable {
    var node: Int
    var part: Substring
  }

  /// An end that listed paths have.
  private enum Node {
    /// The only path with this suffix.
    case leaf(Int)
    /// The paths that may match any path with this end, and all paths with it.
    case fork(free: Match, all: Match)
  }

  /// The empty end, which all paths have.
  private static let root = -1

  /// The list.
  package let paths: [String]
  private let isLoose: [Bool]
  private var nodes: [Node] = []
  private var steps: [Step: Int] = [:]

  /// - Parameters:
  ///   - paths: The list.
  ///   - isLoose: Whether a listed path matches every path with a common suffix; otherwise one of the two
  ///     must be a suffix of the other.
  package init(_ paths: [String], isLoose: (String) -> Bool) {
    self.paths = paths
    let loose = paths.map(isLoose)
    self.isLoose = loose
    let parts = paths.map { PathEnds.parts($0) }
    var work = [(node: PathEnds.root, depth: 0, places: Array(paths.indices))]
    while let (node, depth, places) = work.popLast() {
      let longer = places.filter { parts[$0].count > depth }
      let groups = Dictionary(grouping: longer) { parts[$0][parts[$0].count - 1 - depth] }
      for (part, group) in groups {
        let next = nodes.count
        steps[Step(node: node, part: part)] = next
        guard group.count > 1 else {
          nodes.append(.leaf(group[0]))
          continue
        }
        let free = group.filter { loose[$0] || parts[$0].count == depth + 1 }
        nodes.append(.fork(free: PathEnds.match(free), all: PathEnds.match(group)))
        work.append((node: next, depth: depth + 1, places: group))
      }
    }
  }

  /// Returns the listed paths that share the longest end with a path.
  package func match(_ path: String) -> Match {
    let parts = PathEnds.parts(path)
    var found = Match.none
    var node = PathEnds.root
    for (depth, part) in parts.reversed().enumerated() {
      guard let next = steps[Step(node: node, part: part)] else { break }
      node = next
      switch nodes[node] {
      case .leaf(let place): return fits(place, parts) ? .one(place) : found
      case .fork(let free, let all):
        let here = depth + 1 == parts.count ? all : free
        if here != .none { found = here }
      }
    }
    return found
  }

  /// Returns the components of a path.
  package static func parts(_ path: String) -> [Substring] {
    path.split { $0 == "/" || $0 == "\\" }.filter { $0 != "." }
  }

  /// Returns the number of components that two paths share, counted from the end.
  static func shared(_ first: [Substring], _ second: [Substring]) -> Int {
    zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
  }

  private static func match(_ places: [Int]) -> Match {
    switch places.count {
    case 0: .none
    case 1: .one(places[0])
    default: .several(Array(places.prefix(4)))
    }
  }

  /// Whether a listed path with the same file name may match a path.
  private func fits(_ place: Int, _ parts: [Substring]) -> Bool {
    if isLoose[place] { return true }
    let other = PathEnds.parts(paths[place])
    return zip(parts.reversed(), other.reversed()).allSatisfy { $0 == $1 }
  }
}
