// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// The settings that change the embeddings of a photo.
struct CacheKey: Sendable, Equatable {
  /// The SHA-256 of the backbone's graph, cut at its embedding.
  var graph: String
  /// The preparation of pixels for the backbone.
  var preparation: String
  /// The length of an embedding.
  var dimension: Int

  /// Increased when the same photo gets other embeddings, for example after a change of the decoder.
  private static let version = 1

  /// The name of the cache's file.
  var fileName: String {
    let text = "\(CacheKey.version)|\(graph)|\(preparation)|\(dimension)"
    return String(SHA256.hexadecimal(of: Array(text.utf8).span).prefix(32)) + ".embeddings"
  }
}

/// The SHA-256 of a photo's bytes.
struct PhotoDigest: Sendable, Hashable {
  let words: [UInt64]

  /// Computes the digest of a file's bytes.
  init(of bytes: [UInt8]) { self.init(stored: SHA256.digest(of: bytes.span)[...]) }

  /// Reads a stored digest of 32 bytes.
  init(stored bytes: ArraySlice<UInt8>) {
    words = (0..<4).map { word in
      (0..<8).reduce(0) { $0 | UInt64(bytes[bytes.startIndex + word * 8 + $1]) << (8 * UInt64($1)) }
    }
  }

  /// Returns the digest of a crop of the photo.
  func of(_ crop: BoundingBox) -> PhotoDigest {
    let edges = [crop.minX, crop.minY, crop.maxX, crop.maxY].flatMap { edge in
      (0..<8).map { UInt8(truncatingIfNeeded: edge.bitPattern >> (8 * UInt64($0))) }
    }
    return PhotoDigest(of: bytes + edges)
  }

  /// The digest as 32 bytes.
  var bytes: [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
  }
}
