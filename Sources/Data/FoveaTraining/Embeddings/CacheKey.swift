// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// What makes embeddings differ although the photo is the same.
struct CacheKey: Sendable, Equatable {
  /// The SHA-256 of the backbone's graph, cut at its embedding.
  var graph: String
  /// How pixels are prepared for it.
  var preparation: String
  /// How many numbers an embedding has.
  var dimension: Int

  /// Raised when the same photo gives other numbers, as after a change of the decoder.
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

  /// Of the bytes of a file.
  init(of bytes: [UInt8]) { self.init(stored: SHA256.digest(of: bytes.span)[...]) }

  /// As it is stored: 32 bytes.
  init(stored bytes: ArraySlice<UInt8>) {
    words = (0..<4).map { word in
      (0..<8).reduce(0) { $0 | UInt64(bytes[bytes.startIndex + word * 8 + $1]) << (8 * UInt64($1)) }
    }
  }

  /// Of a part of the photo.
  func of(_ crop: BoundingBox) -> PhotoDigest {
    let edges = [crop.minX, crop.minY, crop.maxX, crop.maxY].flatMap { edge in
      (0..<8).map { UInt8(truncatingIfNeeded: edge.bitPattern >> (8 * UInt64($0))) }
    }
    return PhotoDigest(of: bytes + edges)
  }

  /// 32 bytes.
  var bytes: [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
  }
}
