// SPDX-License-Identifier: Apache-2.0

public import FoveaImage
public import FoveaMetadata

extension ImageLabeler {
  /// Options for what to report and how.
  ///
  /// If an option is nil, the model's metadata decides, else the default given here.
  public struct Options: Sendable, Hashable {
    /// The lowest confidence of a label, 0…1; nil uses the model's own threshold, else 0, which keeps all
    /// labels.
    ///
    /// A label with exactly this confidence is kept. A higher threshold gives fewer, more certain labels.
    public var threshold: Float?
    /// The maximum number of labels, 1 or more; 10 by default.
    public var maxResults = 10
    /// The labels to report, by the model's own names; empty allows all.
    ///
    /// An entry that is not a label is split at its commas.
    public var allowedLabels: [String] = []
    /// The labels never to report; only one of the two lists may be set.
    public var deniedLabels: [String] = []
    /// The path of a label file (lines, pbtxt, CSV, JSON or YAML) that replaces the model's own labels.
    public var labelFile: String?
    /// The locale of label names, for example "en", if the model has several; nil uses the plain class names.
    public var locale: String?
    /// The normalisation of the input instead of the model's own: value = (pixel − mean) / deviation.
    public var normalization: Normalization?
    /// The function that turns the model's outputs into confidences; nil uses the model's own.
    ///
    /// A model whose graph ends without sigmoid or softmax, such as Keras' `Dense` without an activation,
    /// outputs logits: a softmax is then used, and reported in `assumptions`. Use `.sigmoid` if several
    /// classes can be true at once.
    public var scoreActivation: ScoreActivation?
    /// The number of threads per session, 1…256; nil uses up to 4 cores with one session, and 1 with several.
    public var threads: Int?
    /// The number of images that can be processed at the same time, 1 or more; 1 by default.
    public var sessions = 1
    /// Whether a JPEG may be decoded at 1/2, 1/4 or 1/8 of its size if the model needs no more; true by
    /// default.
    public var reducedSizeDecoding = true
    /// Whether a model runs exactly as stored; false by default.
    ///
    /// By default a uint8 model with one scale per tensor (AutoML, ML Kit's samples, TensorFlow's
    /// quantisation-aware training) computes in int8 on x86-64. This is 1.5 to 2.4 times as fast, and changes
    /// scores about as much as using other kernels does. Set it to compare bit for bit with another tool. See
    /// `Int8Rewrite`.
    public var exactArithmetic = false
    /// The limits for the size of an image.
    public var imageLimits = ImageLimits()

    /// Creates the default options.
    public init() {}

    /// Copies the options that a labeler shares with a detector.
    package init(_ shared: ObjectDetector.Options) {
      self.init(sharing: shared)
      threshold = shared.threshold
      allowedLabels = shared.allowedLabels
      deniedLabels = shared.deniedLabels
      labelFile = shared.labelFile
      locale = shared.locale
      scoreActivation = shared.scoreActivation
    }

    /// Throws for values out of range.
    package func check() throws(FoveaError) {
      var selection = Selection()
      selection.threshold = threshold
      selection.maxResults = maxResults
      try selection.check()
      try checkShared()
    }
  }
}
