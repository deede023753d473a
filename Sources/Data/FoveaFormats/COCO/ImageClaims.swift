// SPDX-License-Identifier: Apache-2.0

/// The paths that may refer to each image of a list.
///
/// Only the paths that share the longest suffix with an image's path are used; others belong to another
/// folder.
struct ImageClaims: Sendable {
  private struct Claim {
    var path: String
    /// The number of components that the path shares with the end of the listed path.
    var shared: Int
    var isByName: Bool
    /// Another path that shares the same number of components.
    var rival: String?
  }

  private var claims: [Int: Claim] = [:]

  /// Adds a path with its match in a list.
  mutating func add(_ path: String, _ found: PathIndex.Found) {
    guard let claim = claims[found.value], claim.shared >= found.shared else {
      claims[found.value] = Claim(path: path, shared: found.shared, isByName: found.isByName)
      return
    }
    guard claim.rival == nil, claim.shared == found.shared else { return }
    if PathEnds.parts(claim.path) != PathEnds.parts(path) { claims[found.value]?.rival = path }
  }

  /// Whether no other path shares more of the same image's path.
  func counts(_ found: PathIndex.Found) -> Bool {
    claims[found.value].map { $0.shared <= found.shared } ?? true
  }

  /// The first image that two different paths match equally well.
  var conflict: (image: Int, path: String, rival: String)? {
    let image = claims.lazy.filter { $0.value.rival != nil }.map(\.key).min()
    guard let image, let claim = claims[image], let rival = claim.rival else { return nil }
    return (image: image, path: claim.path, rival: rival)
  }

  /// The images that were matched by file name only, in folders with other names.
  var imagesByName: [Int] { claims.filter { $0.value.isByName }.map(\.key) }
}
