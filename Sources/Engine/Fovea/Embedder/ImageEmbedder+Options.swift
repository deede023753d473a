// SPDX-License-Identifier: Apache-2.0

public import FoveaImage
import FoveaMetadata

extension ImageEmbedder {
  /// Options for reading images, and for cutting the graph.
  public struct Options: Sendable, Hashable {
    /// The layer of the graph that the embedding comes from.
    public enum Layer: Sendable, Hashable {
      /// The spatial mean after the last convolutions, the default: heads learn best from it.
      ///
      /// For a model that ends in features, its unchanged output.
      case pool
      /// The input of the last dense layer; differs from `pool` if there are hidden layers between them.
      case last
      /// A tensor by its name in the file, whose numbers form one row.
      case tensor(String)
    }

    /// The layer that the embedding comes from, `pool` by default.
    public var layer = Layer.pool
    /// The normalisation of the input instead of the model's own: value = (pixel − mean) / deviation.
    public var normalization: Normalization?
    /// The number of threads per session, 1…256; nil uses up to 4 cores with one session, and 1 with several.
    public var threads: Int?
    /// The number of images that can be processed at the same time, 1 or more; 1 by default.
    public var sessions = 1
    /// Whether a JPEG may be decoded at 1/2, 1/4 or 1/8 of its size if the model needs no more; true by
    /// default.
    public var reducedSizeDecoding = true
    /// Whether a model runs exactly as stored; false by default, see `ImageLabeler.Options.exactArithmetic`.
    public var exactArithmetic = false
    /// The limits for the size of an image.
    public var imageLimits = ImageLimits()
    /// Whether an embedded model samples images like a model from a file, because the model that a head is
    /// appended to is a file.
    package var samplesAsFile = false
    /// A flag for a few grey pixels with each embedding, to find copies of an image; false by default.
    package var includesGrey = false

    /// Creates the default options.
    public init() {}

    /// Copies the options that an embedder shares with a detector.
    package init(_ shared: ObjectDetector.Options) { self.init(sharing: shared) }
  }
}

extension ImageEmbedder.Options.Layer {
  /// The layer to search for in the graph.
  var embeddingLayer: EmbeddingLayer {
    switch self {
    case .pool: .pool
    case .last: .last
    case .tensor(let name): .tensor(name)
    }
  }
}
