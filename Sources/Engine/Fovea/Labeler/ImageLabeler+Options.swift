// SPDX-License-Identifier: Apache-2.0

public import FoveaImage
public import FoveaMetadata

extension ImageLabeler {
  /// What to report and how.
  ///
  /// Where an option is nil, the model's metadata decides, and where that is silent the default given here.
  public struct Options: Sendable, Hashable {
    /// The lowest confidence of a label, 0…1; nil takes the model's own threshold, else 0, which drops none.
    ///
    /// A label whose confidence equals it is kept. Raising it gives fewer, surer labels.
    public var threshold: Float?
    /// The most labels, 1 or more, 10 by default.
    public var maxResults = 10
    /// The labels to report, by the model's own names; empty allows all.
    ///
    /// An entry that is no label is taken apart at its commas.
    public var allowedLabels: [String] = []
    /// The labels never to report; only one of the two lists may be given.
    public var deniedLabels: [String] = []
    /// A file of labels (lines, pbtxt, CSV, JSON or YAML), in place of the model's own.
    public var labelFile: String?
    /// The locale of label names, for example "en", where the model has several; nil takes the plain class names.
    public var locale: String?
    /// The normalisation of the input in place of the model's own: value = (pixel − mean) / deviation.
    public var normalization: Normalization?
    /// What makes confidences out of the model's numbers; nil takes what the model says.
    ///
    /// A model whose graph ends without sigmoid or softmax, as Keras' `Dense` without an activation, answers logits: a
    /// softmax is taken then, and said in `assumptions`. Give `.sigmoid` where several classes may be true at once.
    public var scoreActivation: ScoreActivation?
    /// The threads of one session, 1…256; nil takes up to 4 cores with one session, and 1 with several.
    public var threads: Int?
    /// How many images may be worked on at the same time, 1 or more, 1 by default.
    public var sessions = 1
    /// Whether a JPEG may be decoded at 1/2, 1/4 or 1/8 of its size where the model needs no more; true by default.
    public var reducedSizeDecoding = true
    /// Whether a model computes as it is stored; false by default.
    ///
    /// By default a uint8 model with one scale for each tensor (AutoML, ML Kit's samples, TensorFlow's quantisation-aware
    /// training) computes in int8 on x86-64: 1.5 to 2.4 times as fast, with scores that differ from the stored model's
    /// about as much as its own do between kernels. True is for comparing bit for bit with another tool. See `Int8Rewrite`.
    public var exactArithmetic = false
    /// What an image may cost.
    public var imageLimits = ImageLimits()

    /// The defaults.
    public init() {}

    /// The options that a labeler shares with a detector.
    package init(_ shared: ObjectDetector.Options) {
      threshold = shared.threshold
      allowedLabels = shared.allowedLabels
      deniedLabels = shared.deniedLabels
      labelFile = shared.labelFile
      locale = shared.locale
      normalization = shared.normalization
      scoreActivation = shared.scoreActivation
      threads = shared.threads
      sessions = shared.sessions
      reducedSizeDecoding = shared.reducedSizeDecoding
      exactArithmetic = shared.exactArithmetic
      imageLimits = shared.imageLimits
    }

    /// Throws for values out of range.
    package func check() throws(FoveaError) {
      var selection = Selection()
      selection.threshold = threshold
      selection.maxResults = maxResults
      try selection.check()
      try OptionChecks.sessions(sessions, threads: threads)
      try OptionChecks.atLeastOne("max-pixels", imageLimits.maxPixels, property: "imageLimits.maxPixels")
    }
  }
}
