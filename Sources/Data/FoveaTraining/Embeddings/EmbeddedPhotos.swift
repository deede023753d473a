// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// What is kept of a photo.
struct PhotoEmbedding: Sendable, Equatable {
  /// The numbers that the backbone has found.
  var values: [Float]
  /// The difference hash of the upright photo.
  var hash: DifferenceHash
}

extension PhotoEmbedding {
  /// What is kept of what the embedder has found.
  /// - Throws: `unexpected` for grey pixels that no difference hash is made of.
  init(_ found: ImageEmbedding) throws(FoveaError) {
    guard let hash = DifferenceHash(found.grey) else {
      throw FoveaError(
        .unexpected,
        "An image was shrunk to \(found.grey.count) grey pixels, "
          + "\(DifferenceHash.width * DifferenceHash.height) expected",
        remedy: "Report it with this text")
    }
    self.init(values: found.values, hash: hash)
  }
}

/// The embeddings of photos, and which photos have none.
struct EmbeddedPhotos: Sendable {
  /// A photo that cannot be learned from.
  struct Failed: Sendable {
    var photo: TrainingSet.Photo
    var error: FoveaError
  }

  /// The photos that could be opened, in the order of the set.
  var photos: [TrainingSet.Photo]
  /// The numbers of each, row by row.
  var values: [Float]
  var dimension: Int
  var hashes: [DifferenceHash]
  /// Those of the files, for crops as well.
  var digests: [PhotoDigest]
  var failed: [Failed]
  /// How many embeddings were computed, and not read from the cache.
  var computedCount: Int

  /// Whether they are parts of photos: those of one photo are never judged by what has learned from another of them.
  var areCrops: Bool { photos.contains { $0.crop != nil } }
}
