// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaMetadata

/// A loaded backbone that converts photos to embeddings.
struct EmbeddedBackbone: Sendable {
  let backbone: Backbone
  let embedder: ImageEmbedder
  /// The SHA-256 of the backbone's graph, cut at its embedding.
  let checksum: String
  /// The size of the cut graph: a measure of the cost per photo that, unlike a time, is always the same.
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
    embedding.includesGrey = true
    embedder = try await ImageEmbedder(model: backbone.source, options: embedding)
    let graph = embedder.graph.bytes()
    byteCount = graph.count
    checksum = SHA256.hexadecimal(of: graph.span)
    cache = EmbeddedBackbone.cache(embedder, checksum, options, isMirrored: false)
    photoEmbedder = PhotoEmbedder(embedder: embedder, cache: cache, jobs: jobs, limits: options.imageLimits)
  }

  /// Returns the highest score of a head on this backbone: quantised scores are 256ths, from 0 to 255.
  func highestScore(_ head: LabelTrainer.Options.Head) -> Double {
    head == .float || embedder.graph.quantization == nil ? 1 : 255.0 / 256
  }

  /// The licence of the backbone, from which the trained model is made; nil if it declares none.
  var licence: String? { backbone.licence ?? embedder.licence }

  /// The backbone's name, with its version if it declares one.
  var title: String { [backbone.name, embedder.version].compactMap(\.self).joined(separator: " ") }

  /// Returns the licence of a trained model, including the backbone's, which also applies to it.
  func licence(with own: String?) -> String? {
    guard let own else { return licence }
    return licence.map { $0 == own ? own : "\(own). Made from \(title): \($0)" } ?? own
  }

  /// Notes for users of the trained model, as sentences without the final stop.
  var notes: [String] {
    guard embedder.takesInt8 else { return [] }
    return [
      "'\(backbone.name)' has int8 input, and so does the trained model: Fovea reads it, but ML Kit and "
        + "MediaPipe refuse it"
    ]
  }

  /// Returns the embeddings of photos.
  func embed(
    _ photos: [TrainingSet.Photo], progress: (Int) -> Void
  ) async throws(FoveaError) -> EmbeddedPhotos {
    try await photoEmbedder.run(photos, progress: progress)
  }

  /// Returns the embeddings of photos with left and right swapped, which have their own cache.
  func embedMirrored(
    _ photos: [TrainingSet.Photo], _ options: LabelTrainer.Options, progress: (Int) -> Void
  ) async throws(FoveaError) -> EmbeddedPhotos {
    let cache = EmbeddedBackbone.cache(embedder, checksum, options, isMirrored: true)
    let photoEmbedder = PhotoEmbedder(
      embedder: embedder, cache: cache, jobs: photoEmbedder.jobs, limits: options.imageLimits,
      isMirrored: true)
    return try await photoEmbedder.run(photos, progress: progress)
  }

  private static func cache(
    _ embedder: ImageEmbedder, _ checksum: String, _ options: LabelTrainer.Options, isMirrored: Bool
  ) -> EmbeddingCache {
    guard let folder = options.cacheFolder else { return EmbeddingCache(dimension: embedder.dimension) }
    let normalization = embedder.normalization.map { "\($0.mean)/\($0.standardDeviation)" } ?? "none"
    let key = CacheKey(
      graph: checksum, preparation: normalization + (isMirrored ? "/mirrored" : ""),
      dimension: embedder.dimension)
    return EmbeddingCache.opened(key, in: folder)
  }
}

/// A classifier that provides the embeddings for a head.
public struct Backbone: Sendable, Hashable {
  /// The name in reports and in the trained model.
  public var name: String
  /// The source of the model.
  public var source: ModelSource
  /// Its licence, which also applies to the trained model; nil uses the licence in its metadata.
  public var licence: String?

  /// Creates a backbone.
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - source: A classifier that ends in a dense layer.
  ///   - licence: Its licence.
  public init(name: String, source: ModelSource, licence: String? = nil) {
    self.name = name
    self.source = source
    self.licence = licence
  }

  /// The embedded coarse classifier: small, fast, and available without a download.
  public static let embedded = Backbone(
    name: "embedded-classifier", source: .embedded(.classifier), licence: "Apache-2.0")
}
