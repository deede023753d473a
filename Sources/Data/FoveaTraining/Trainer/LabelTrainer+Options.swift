// SPDX-License-Identifier: Apache-2.0

public import Fovea
public import FoveaImage

extension LabelTrainer {
  /// What is learned, and how.
  public struct Options: Sendable {
    /// The backbones to choose from, the embedded classifier by default.
    ///
    /// With several, each is tried on 20 photos of each class; of those within a standard error of the best the smallest wins.
    public var backbones: [Backbone] = [.embedded]
    /// Where the embedding is taken from the backbone's graph, the spatial mean by default.
    public var layer = ImageEmbedder.Options.Layer.pool
    /// Into how many parts photos are dealt, 2…50, 5 by default; each part is judged by a head that has not learned from it.
    ///
    /// At most as many as the smallest class has photos.
    public var folds = 5
    /// How much large weights cost, above 0: l in the mean cross-entropy + l/2 |W|².
    ///
    /// Nil takes the one with the least log loss on
    /// photos that were not learned from; the best falls with the number of photos.
    public var strength: Double?
    /// How the head computes.
    public enum Head: String, Sendable, CaseIterable {
      /// As its backbone: int8 or uint8 on a quantised one, float on a float one.
      case auto
      /// In float32.
      case float
      /// In int8.
      case int8
    }
    /// How the head computes, as the backbone by default.
    public var head = Head.auto
    /// Whether photos are learned from mirrored as well, left and right swapped; false by default.
    ///
    /// It takes twice the time for a little more accuracy, and is wrong where left and right matter: text, signs, hands.
    public var learnsMirrored = false
    /// The threshold that the model states, 0…1; nil takes the one with the largest F1.
    public var threshold: Double?
    /// The precision that answers are to have, above 0 and at most 1: the least threshold that reaches it on photos that were not
    /// learned from.
    ///
    /// Nil takes the threshold with the largest F1.
    public var precision: Double?
    /// How frequent the classes are where the model will be used.
    public enum Prior: String, Sendable, CaseIterable {
      /// All alike: folders have as many photos as were easy to get.
      case uniform
      /// As among the photos.
      case data
    }
    /// How frequent the classes will be, all alike by default.
    public var prior = Prior.uniform
    /// Whether a photo may have several labels; nil where a photo has several.
    public var isMultiLabel: Bool?
    /// The name in the model's metadata.
    public var name = "classifier"
    /// The author in the model's metadata; nil for none.
    public var author: String?
    /// The licence in the model's metadata, in front of the backbone's; nil takes the backbone's alone.
    public var licence: String?
    /// What the folds depend on, 0 by default.
    public var seed: UInt64 = 0
    /// How many photos are worked on at a time, 1 or more; nil takes the number of cores.
    public var jobs: Int?
    /// The folder where embeddings are kept from run to run; nil keeps none.
    public var cacheFolder: String?
    /// What a photo may cost.
    public var imageLimits = ImageLimits()
    /// Whether a photo that cannot be opened is an error in place of being left out, and so is one in two classes.
    public var isStrict = false

    /// The defaults.
    public init() {}
  }
}
