// SPDX-License-Identifier: Apache-2.0

public import FoveaDecoding
public import FoveaImage
public import FoveaMetadata
import FoveaRuntime

extension ObjectDetector {
  /// What to find and how.
  ///
  /// Where an option is nil, the model's metadata decides, and where that is silent the family's default.
  public struct Options: Sendable, Hashable {
    /// The lowest score of an object, 0…1; nil takes the model's own threshold, else 0.3.
    ///
    /// An object whose score equals it is kept. Raising it gives fewer, surer objects.
    public var threshold: Float?
    /// The most objects, 1 or more; nil takes 5 with the embedded localizer, else the model's own maximum, and at most 20
    /// with `Classifier.relabeling(_:)`.
    ///
    /// Where an image is processed in tiles, nil takes 100, or the model's own maximum if that is more.
    public var maxObjects: Int?
    /// Whether and how to process an image in overlapping tiles as well, for small objects; nil, the default, runs the
    /// model on the whole image once.
    public var slicing: Slicing?
    /// Whether to report only the most prominent object, see `DetectedObject.prominence(in:)`.
    public var singleObject = false
    /// What labels the objects' crops.
    public var classifier = Classifier.automatic
    /// The lowest confidence of a classifier's label, 0…1; nil takes the classifier's own threshold, else 0.
    public var labelThreshold: Float?
    /// The most labels that the classifier gives an object, 1 or more, 10 by default.
    public var maxLabels = 10
    /// Whether `maxLabels` was asked for, and is an error where no classifier gives labels; false by default.
    package var needsMaxLabels = false
    /// The labels to report; empty allows all.
    ///
    /// With a detector that has classes, objects of other classes are dropped before `maxObjects` is applied. With the
    /// localizer, other labels of the classifier are dropped and the objects stay; with a classifier that names objects in
    /// place of the detector, objects with other labels are dropped. Names are the model's own; an entry that is none of
    /// them is taken apart at its commas.
    public var allowedLabels: [String] = []
    /// The labels never to report, as `allowedLabels`; only one of the two lists may be given.
    public var deniedLabels: [String] = []
    /// A file of labels (lines, pbtxt, CSV, JSON or YAML), in place of the detector's own.
    public var labelFile: String?
    /// The locale of label names, for example "en", where the model has several; nil takes the plain class names.
    public var locale: String?
    /// The detector's family; nil recognises it from the model.
    public var family: DetectorFamily?
    /// What makes probabilities out of raw scores; nil takes what the models say.
    ///
    /// It is about a detector without post-processing, and with any other detector about the classifier of the crops.
    /// Needed where a detector's graph ends in logits and nothing shows which function they need; a classifier's logits
    /// get a softmax by default.
    public var scoreActivation: ScoreActivation?
    /// Whether the first score of each anchor is the background's; nil takes what labels and model say.
    ///
    /// The background is never reported. Needed for a detector without post-processing that has no labels.
    public var hasBackgroundClass: Bool?
    /// Non-maximum suppression; nil values keep the family's defaults, see the table of families.
    ///
    /// Boxes of different classes whose IoU is above 0.8 are duplicates as well, see `SuppressionOptions.crossClassIoU`.
    public var suppression = SuppressionOptions()
    /// How an image of other proportions is fitted into the detector's input; nil takes the family's way, see the table of
    /// families.
    ///
    /// Needed where a model was trained in another way than its family usually is; the wrong one costs accuracy, and
    /// no error is possible.
    public var fit: PictureFit?
    /// The normalisation of the detector's input in place of the model's own: value = (pixel − mean) / deviation.
    public var normalization: Normalization?
    /// The threads of one session, 1…256; nil takes up to 4 cores with one session, and 1 with several.
    public var threads: Int?
    /// How many images may be worked on at the same time, 1 or more, 1 by default.
    ///
    /// Each takes the memory of one more session. Further callers wait in the order in which they came.
    public var sessions = 1
    /// Whether a JPEG may be decoded at 1/2, 1/4 or 1/8 of its size where the models need no more; true by default.
    ///
    /// When false, results change slightly and large images take several times as long.
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

    /// How models are compiled.
    var session: SessionOptions {
      SessionOptions(threads: SessionThreads.count(asked: threads, sessions: sessions))
    }

    /// Throws for values out of range.
    package func check() throws(FoveaError) {
      try OptionChecks.range("threshold", threshold, 0...1)
      try OptionChecks.range("label-threshold", labelThreshold, 0...1)
      try OptionChecks.atLeastOne("max-objects", maxObjects)
      try OptionChecks.atLeastOne("max-labels", maxLabels)
      try slicing?.check()
      try OptionChecks.range("iou", suppression.iouThreshold, 0...1, property: "suppression.iouThreshold")
      try OptionChecks.range(
        "cross-class-iou", suppression.crossClassIoU, 0...1, property: "suppression.crossClassIoU")
      try OptionChecks.sessions(sessions, threads: threads)
      try OptionChecks.atLeastOne("max-pixels", imageLimits.maxPixels, property: "imageLimits.maxPixels")
    }
  }

  /// What gives the labels of an object's crop.
  public struct Classifier: Sendable, Hashable {
    enum Storage: Sendable, Hashable { case automatic, none, model(ModelSource), relabeling(ModelSource) }
    let storage: Storage
    /// Whether it is a model of the caller's.
    var isCustom: Bool { if case .model = storage { true } else { isRelabeling } }
    /// Whether it names objects in place of the detector.
    var isRelabeling: Bool { if case .relabeling = storage { true } else { false } }
    /// The embedded coarse classifier with the embedded localizer, none with any other detector; the default.
    public static let automatic = Classifier(storage: .automatic)
    /// No classifier: objects have the detector's own class, or no label.
    public static let none = Classifier(storage: .none)
    /// A custom classifier, which labels a crop of each object.
    ///
    /// An object whose likeliest class is `None_of_the_above` gets no label of it.
    /// - Parameter source: A classifier: a `.tflite` file, an AutoML folder, or its `manifest.json`.
    /// - Returns: The choice, for `Options.classifier`.
    public static func model(_ source: ModelSource) -> Classifier { Classifier(storage: .model(source)) }
    /// A classifier whose classes take the place of the detector's: it names what the detector finds, and decides with it
    /// how sure that is.
    ///
    /// `ObjectTrainer` in `FoveaTraining` makes such classifiers.
    ///
    /// The detector gives boxes alone: of two that overlap one is left, whatever its classes say, at most 20 unless
    /// `Options.maxObjects` has another number. Each box is cut out as `ObjectTrainer` does it, with a margin of 8 % of its
    /// sides and 16 pixels at least, and gets one label, the likeliest. The score of the object is the score of the box times
    /// the probability of the label; objects by falling score, those below `Options.threshold` dropped. Dropped as well is
    /// what the classifier takes for `None_of_the_above`, whose label is not allowed, or whose probability is below
    /// `Options.labelThreshold`; nil takes 0 here, since the score counts. `Options.maxLabels` has no effect, and lists of
    /// labels are about the classifier's. Without a model the embedded localizer finds the boxes.
    /// - Parameter source: A classifier: a `.tflite` file, an AutoML folder, or its `manifest.json`.
    /// - Returns: The choice, for `Options.classifier`.
    public static func relabeling(_ source: ModelSource) -> Classifier {
      Classifier(storage: .relabeling(source))
    }
  }
}
