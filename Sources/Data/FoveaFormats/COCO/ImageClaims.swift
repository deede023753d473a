// SPDX-License-Identifier: Apache-2.0

/// The paths that mean each image of a list.
///
/// Those that share the most of an image's path count: others are of another folder.
struct ImageClaims: Sendable {
  private struct Claim {
    var path: String
    /// How many parts of the path are the end of the listed one.
    var shared: Int
    var isByName: Bool
    /// Another path that shares as many.
    var rival: String?
  }

  private var claims: [Int: Claim] = [:]

  /// Adds a path, and what it means in a list.
  mutating func add(_ path: String, _ found: PathIndex.Found) {
    guard let claim = claims[found.value], claim.shared >= found.shared else {
      claims[found.value] = Claim(path: path, shared: found.shared, isByName: found.isByName)
      return
    }
    guard claim.rival == nil, claim.shared == found.shared else { return }
    if PathEnds.parts(claim.path) != PathEnds.parts(path) { claims[found.value]?.rival = path }
  }

  /// Whether no other path shares more of the path of the same image.
  func counts(_ found: PathIndex.Found) -> Bool {
    claims[found.value].map { $0.shared <= found.shared } ?? true
  }

  /// The first image that two different paths may be.
  var conflict: (image: Int, path: String, rival: String)? {
    let image = claims.lazy.filter { $0.value.rival != nil }.map(\.key).min()
    guard let image, let claim = claims[image], let rival = claim.rival else { return nil }
    return (image: image, path: claim.path, rival: rival)
  }

  /// The images that were found by their file names alone, in folders of other names.
  var imagesByName: [Int] { claims.filter { $0.value.isByName }.map(\.key) }
}
