// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
import FoveaMetadata

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
    cache = EmbeddedBackbone.cache(embedder, checksum, options, isMirrored: false)
    photoEmbedder = PhotoEmbedder(embedder: embedder, cache: cache, jobs: jobs, limits: options.imageLimits)
  }

  /// The highest score that a head of a form gives on this backbone: a quantised one counts in 256ths, from 0 to 255.
  func highestScore(_ head: LabelTrainer.Options.Head) -> Double {
    head == .float || embedder.graph.quantization == nil ? 1 : 255.0 / 256
  }

  /// The licence of the backbone, which the trained model is made from; nil where nothing states one.
  var licence: String? { backbone.licence ?? embedder.licence }

  /// The backbone's name, with its version where it states one.
  var title: String { [backbone.name, embedder.version].compactMap(\.self).joined(separator: " ") }

  /// The licence of a trained model, with the backbone's, which holds for it as well.
  func licence(with own: String?) -> String? {
    guard let own else { return licence }
    return licence.map { $0 == own ? own : "\(own). Made from \(title): \($0)" } ?? own
  }

  /// What readers of the trained model should know, as sentences without the final stop.
  var notes: [String] {
    guard embedder.takesInt8 else { return [] }
    return [
      "'\(backbone.name)' takes images as int8, and so does the trained model: Fovea reads it, ML Kit and MediaPipe refuse it"
    ]
  }

  /// The embeddings of photos.
  func embed(
    _ photos: [TrainingSet.Photo], progress: (Int) -> Void
  ) async throws(FoveaError) -> EmbeddedPhotos {
    try await photoEmbedder.run(photos, progress: progress)
  }

  /// The embeddings of photos with left and right swapped, which have a cache of their own.
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

/// A classifier whose embeddings a head learns from.
public struct Backbone: Sendable, Hashable {
  /// What reports and the trained model call it.
  public var name: String
  /// Where the model is.
  public var source: ModelSource
  /// Its licence, which the trained model has as well; nil takes what its metadata say.
  public var licence: String?

  /// Makes a backbone.
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - source: A classifier with a dense end.
  ///   - licence: Its licence.
  public init(name: String, source: ModelSource, licence: String? = nil) {
    self.name = name
    self.source = source
    self.licence = licence
  }

  /// The embedded coarse classifier: small and fast, and there without a download.
  public static let embedded = Backbone(
    name: "embedded-classifier", source: .embedded(.classifier), licence: "Apache-2.0")
}
