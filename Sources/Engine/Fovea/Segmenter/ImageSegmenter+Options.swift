// SPDX-License-Identifier: Apache-2.0

public import FoveaDecoding
public import FoveaImage
import FoveaMetadata

extension ImageSegmenter {
  /// Options for what to read and how.
  ///
  /// If an option is nil, the model's metadata decides, else the default given here.
  public struct Options: Sendable, Hashable {
    /// The family of the model, if its tensors do not show it; nil by default.
    public var family: MapFamily?
    /// The path of a label file (lines, pbtxt, CSV, JSON or YAML) that replaces the model's own labels.
    public var labelFile: String?
    /// The locale of label names, for example "en", if the model has several; nil uses the plain class names.
    public var locale: String?
    /// The normalisation of the input instead of the model's own: value = (pixel − mean) / deviation.
    public var normalization: Normalization?
    /// The number of threads per session, 1…256; nil uses up to 4 cores with one session, and 1 with several.
    public var threads: Int?
    /// The number of images that can be processed at the same time, 1 or more; 1 by default.
    public var sessions = 1
    /// Decoding of a JPEG at 1/2, 1/4 or 1/8 of its size if the model needs no more; true by default.
    public var reducedSizeDecoding = true
    /// Arithmetic exactly as stored; false by default, see `ImageLabeler.Options.exactArithmetic`.
    public var exactArithmetic = false
    /// The limits for the size of an image.
    public var imageLimits = ImageLimits()

    /// Creates the default options.
    public init() {}

    /// Copies the options that a segmenter shares with a detector.
    package init(_ shared: ObjectDetector.Options) {
      self.init(sharing: shared)
      labelFile = shared.labelFile
      locale = shared.locale
    }

    /// Throws for values out of range.
    package func check() throws(FoveaError) {
      try checkShared()
    }

    /// The options that describe the model.
    var description: ObjectDetector.Options {
      var options = ObjectDetector.Options()
      (options.labelFile, options.locale, options.normalization) = (labelFile, locale, normalization)
      return options
    }
  }
}
