// SPDX-License-Identifier: Apache-2.0

internal import Fovea
internal import FoveaErrors
internal import FoveaMetadata
internal import FoveaSystem

/// A backbone that is ready to turn photos into embeddings.
struct EmbeddedBackbone: Sendable {
  let backbone: Backbone
  let embedder: ImageEmbedder
  /// The SHA-256 of the backbone's graph, cut at its embedding.
  let checksum: String
  /// The size of the cut graph, which stands for what a photo costs: it is the same in every run, as a time is not.
  let byteCount: Int
  private let photoEmbedder: PhotoEmbedder
  let cache: EmbeddingCache

  init(_ backbone: Backbone, _ options: LabelTrainer.Options) async throws(FoveaError) {
    self.backbone = backbone
    let jobs = options.jobs ?? Cores.available
    var embedding = ImageEmbedder.Options()
    embedding.layer = options.layer
    embedding.sessions = jobs
    embedding.threads = 1
    embedding.imageLimits = options.imageLimits
    embedding.samplesAsFile = true
    embedder = try await ImageEmbedder(model: backbone.source, options: embedding)
    let graph = embedder.graph.bytes()
    byteCount = graph.count
    checksum = SHA256.hexadecimal(of: graph.span)
    let normalization = embedder.normalization.map { "\($0.mean)/\($0.standardDeviation)" } ?? "none"
    let key = CacheKey(graph: checksum, preparation: normalization, dimension: embedder.dimension)
    cache =
      options.cacheFolder.map { EmbeddingCache.opened(key, in: $0) }
      ?? EmbeddingCache(dimension: embedder.dimension)
    photoEmbedder = PhotoEmbedder(
      embedder: embedder, cache: cache, jobs: jobs, limits: options.imageLimits)
  }

  /// The embeddings of photos.
  func embed(
    _ photos: [TrainingSet.Photo], progress: (Int) -> Void
  ) async throws(FoveaError) -> EmbeddedPhotos {
    try await photoEmbedder.run(photos, progress: progress)
  }
}
