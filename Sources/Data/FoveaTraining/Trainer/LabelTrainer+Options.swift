// SPDX-License-Identifier: Apache-2.0

public import Fovea
public import FoveaImage

extension LabelTrainer {
  /// The options of training.
  public struct Options: Sendable {
    /// The backbones to choose from, the embedded classifier by default.
    ///
    /// Several are each tried on 20 photos per class; the smallest within a standard error of the best is
    /// chosen.
    public var backbones: [Backbone] = [.embedded]
    /// The layer of the backbone's graph that provides the embedding, the spatial mean by default.
    public var layer = ImageEmbedder.Options.Layer.pool
    /// The number of folds, 2…50, 5 by default; each fold is evaluated by a head that was not trained on it.
    ///
    /// The smallest class must have at least this number of photos.
    public var folds = 5
    /// The penalty l on large weights, above 0, in the mean cross-entropy + l/2 |W|².
    ///
    /// Nil uses the strength with the least log loss on held-out photos; the more photos, the smaller it is.
    public var strength: Double?
    /// The arithmetic of the head.
    public enum Head: String, Sendable, CaseIterable {
      /// The backbone's: int8 or uint8 on a quantised backbone, float on a float one.
      case auto
      /// Float32.
      case float
      /// Int8.
      case int8
    }
    /// The arithmetic of the head, the backbone's by default.
    public var head = Head.auto
    /// Whether training also uses the photos with left and right swapped; false by default.
    ///
    /// It takes twice the time for slightly more accuracy, and does harm if left and right matter, as in
    /// text.
    public var learnsMirrored = false
    /// The threshold in the model's metadata, 0…1; nil uses the one with the largest F1.
    public var threshold: Double?
    /// The required precision of answers, above 0 and at most 1; sets the lowest threshold that reaches it on
    /// held-out photos.
    ///
    /// Nil uses the threshold with the largest F1.
    public var precision: Double?
    /// The class frequencies to expect when the model is used.
    public enum Prior: String, Sendable, CaseIterable {
      /// All equal, because folders hold as many photos as were easy to collect.
      case uniform
      /// The same shares as in the photos.
      case data
    }
    /// The class frequencies to expect when the model is used, all equal by default.
    public var prior = Prior.uniform
    /// Whether a photo may have several labels; nil means yes if any photo has.
    public var isMultiLabel: Bool?
    /// The name in the model's metadata.
    public var name = "classifier"
    /// The author in the model's metadata; nil for none.
    public var author: String?
    /// The licence in the model's metadata, placed before the backbone's; nil uses only the backbone's.
    public var licence: String?
    /// The seed of the folds, 0 by default.
    public var seed: UInt64 = 0
    /// The number of photos processed at a time, at least 1; nil uses the number of cores.
    public var jobs: Int?
    /// The folder where embeddings are cached between runs; nil caches none.
    public var cacheFolder: String?
    /// The size limits of a photo.
    public var imageLimits = ImageLimits()
    /// Whether photos that cannot be opened, or that occur in two classes, are errors; false by default.
    public var isStrict = false

    /// Creates the default options.
    public init() {}
  }
}
