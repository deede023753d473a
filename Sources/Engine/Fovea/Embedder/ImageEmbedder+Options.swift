// SPDX-License-Identifier: Apache-2.0

public import FoveaImage
import FoveaMetadata

extension ImageEmbedder {
  /// How images are read, and where the graph is cut.
  public struct Options: Sendable, Hashable {
    /// Where the embedding is taken from the graph.
    public enum Layer: Sendable, Hashable {
      /// The spatial mean behind the last convolutions, the default: what heads learn best from.
      case pool
      /// The input of the last dense layer; differs from `pool` where there are hidden ones between.
      case last
      /// A tensor by its name in the file, whose numbers are one row.
      case tensor(String)
    }

    /// Where the embedding is taken, `pool` by default.
    public var layer = Layer.pool
    /// The normalisation of the input in place of the model's own: value = (pixel − mean) / deviation.
    public var normalization: Normalization?
    /// The threads of one session, 1…256; nil takes up to 4 cores with one session, and 1 with several.
    public var threads: Int?
    /// How many images may be worked on at the same time, 1 or more, 1 by default.
    public var sessions = 1
    /// Whether a JPEG may be decoded at 1/2, 1/4 or 1/8 of its size where the model needs no more; true by default.
    public var reducedSizeDecoding = true
    /// Whether a model computes as it is stored; false by default, see `ImageLabeler.Options.exactArithmetic`.
    public var exactArithmetic = false
    /// What an image may cost.
    public var imageLimits = ImageLimits()
    /// Whether images are shown to the model as to one from a file, although it is an embedded one: as to the model that a
    /// head is appended to, which is a file.
    package var samplesAsFile = false

    /// The defaults.
    public init() {}
  }
}

extension ImageEmbedder.Options.Layer {
  /// The layer as the graph is searched for it.
  var embeddingLayer: EmbeddingLayer {
    switch self {
    case .pool: .pool
    case .last: .last
    case .tensor(let name): .tensor(name)
    }
  }
}
