// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The stored facts about a photo.
struct PhotoEmbedding: Sendable, Equatable {
  /// The embedding that the backbone computed.
  var values: [Float]
  /// The difference hash of the upright photo.
  var hash: DifferenceHash
}

extension PhotoEmbedding {
  /// Creates the stored facts from the embedder's result.
  /// - Throws: `unexpected` if the grey pixels are not those of a difference hash.
  init(_ found: ImageEmbedding) throws(FoveaError) {
    guard let hash = DifferenceHash(found.grey) else {
      throw FoveaError(
        .unexpected,
        "An image was reduced to \(found.grey.count) grey pixels, not to "
          + "\(DifferenceHash.width * DifferenceHash.height)",
        remedy: "Report it with this text")
    }
    self.init(values: found.values, hash: hash)
  }
}

/// The embeddings of photos, and the photos that have none.
struct EmbeddedPhotos: Sendable {
  /// A photo that cannot be used for training.
  struct Failed: Sendable {
    var photo: TrainingSet.Photo
    var error: FoveaError
  }

  /// The photos that could be opened, in the order of the set.
  var photos: [TrainingSet.Photo]
  /// The embeddings of the photos, row by row.
  var values: [Float]
  var dimension: Int
  var hashes: [DifferenceHash]
  /// The digests of the files, also for crops.
  var digests: [PhotoDigest]
  var failed: [Failed]
  /// The number of embeddings that were computed rather than read from the cache.
  var computedCount: Int

  /// Whether the photos are crops; no crop is evaluated by a head trained on another crop of its photo.
  var areCrops: Bool { photos.contains { $0.crop != nil } }
}
