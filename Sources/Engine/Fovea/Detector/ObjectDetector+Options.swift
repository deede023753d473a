// SPDX-License-Identifier: Apache-2.0

public import FoveaDecoding
public import FoveaImage
public import FoveaMetadata

extension ObjectDetector {
  /// Options for what to find and how.
  ///
  /// If an option is nil, the model's metadata decides, else the family's default.
  public struct Options: Sendable, Hashable {
    /// The lowest score of an object, 0…1; nil uses the model's own threshold, else 0.3.
    ///
    /// An object with exactly this score is kept. A higher threshold gives fewer, more certain objects.
    public var threshold: Float?
    /// The maximum number of objects, 1 or more; nil uses 5 with the embedded localizer, else the model's own
    /// maximum, and at most 20 with `Classifier.relabeling(_:)`.
    ///
    /// For an image processed in tiles, nil uses 100, or the model's own maximum if that is more.
    public var maxObjects: Int?
    /// The options for processing an image also in overlapping tiles, to find small objects; nil, the
    /// default, runs the model once on the whole image.
    public var slicing: Slicing?
    /// Whether to report only the most prominent object, see `DetectedObject.prominence(in:)`.
    public var singleObject = false
    /// The classifier that labels the objects' crops.
    public var classifier = Classifier.automatic
    /// The landmark model that finds the points of each object, as a second stage; nil, the default, keeps
    /// the detector's own points.
    ///
    /// It reads a rotated crop of the image around each object, which the detector's keypoints place:
    /// MediaPipe's `pose_landmark` follows `pose_detection`, `face_landmark` a face detector, `hand_landmark`
    /// a palm detector. An object without a body, face or hand in the crop (see `landmarkThreshold`) has no
    /// points; the box of any other encloses its points, of a body those with a score of 0.5 or more if there
    /// are any.
    ///
    /// RTMPose follows any detector with a class of people, and reads their boxes, which stay.
    public var landmarks: ModelSource?
    /// The lowest probability that a body, face or hand is in the crop of the landmark model, 0…1; nil uses
    /// 0.5.
    ///
    /// For RTMPose it is the lowest mean of the points' scores; nil uses 0. An error without `landmarks`; for
    /// a landmark model that is used without a detector, set `threshold`.
    public var landmarkThreshold: Float?
    /// The IoU above which two crops of the landmark model show the same object in a stream, 0…1; nil uses
    /// 0.5.
    ///
    /// Of objects whose crops overlap more, only the first is followed, and a detection on a followed object
    /// only renews its score. With a lower value, two people who hug become one; with a higher one, a person
    /// may be reported twice. It has no effect on single images. An error without `landmarks`, and with
    /// RTMPose.
    public var landmarkIoU: Double?
    /// Smooths the points of bodies and faces over the frames of a stream; false by default.
    ///
    /// The filters are those of MediaPipe's landmarkers: they remove the jitter of points that are still or
    /// slow, and hardly delay fast ones; scores of points follow over about ten frames. By default the points
    /// are only what the model saw in a frame, so that measurements and labels do not depend on the frames
    /// before; set it to draw points, or to control something with them. Frames need their times. It has no
    /// effect on single images. An error without `landmarks`, with a model for hands, with RTMPose, and with
    /// `singleObject`, which follows no object.
    public var smoothLandmarks = false
    /// The lowest confidence of a classifier's label, 0…1; nil uses the classifier's own threshold, else 0.
    public var labelThreshold: Float?
    /// The maximum number of classifier labels per object, 1 or more; 10 by default.
    public var maxLabels = 10
    /// Whether `maxLabels` was set explicitly, which is an error without a classifier; false by default.
    package var needsMaxLabels = false
    /// The labels to report; empty allows all.
    ///
    /// With a detector that has classes, objects of other classes are dropped before `maxObjects` is applied.
    /// With the localizer, other labels of the classifier are dropped and the objects stay; with a classifier
    /// that replaces the detector's names, objects with other labels are dropped. Use the model's own names;
    /// an entry that is not one of them is split at its commas.
    public var allowedLabels: [String] = []
    /// The labels never to report, like `allowedLabels`; only one of the two lists may be set.
    public var deniedLabels: [String] = []
    /// The path of a label file (lines, pbtxt, CSV, JSON or YAML) that replaces the detector's own labels.
    public var labelFile: String?
    /// The locale of label names, for example "en", if the model has several; nil uses the plain class names.
    public var locale: String?
    /// The detector's family; nil recognises it from the model.
    public var family: DetectorFamily?
    /// The function that turns raw scores into probabilities; nil uses the models' own.
    ///
    /// It applies to a detector without post-processing, and with any other detector to the classifier of the
    /// crops. Required if a detector's outputs are logits and the model does not declare their function;
    /// softmax is the default for a classifier's logits.
    public var scoreActivation: ScoreActivation?
    /// Whether the first score of each anchor is the background's; nil follows the labels and the model.
    ///
    /// The background is never reported. Required for a detector without post-processing that has no labels.
    public var hasBackgroundClass: Bool?
    /// The non-maximum suppression; nil values keep the family's defaults, see the table of families.
    ///
    /// Boxes of different classes with an IoU above 0.8 also count as duplicates, see
    /// `SuppressionOptions.crossClassIoU`.
    public var suppression = SuppressionOptions()
    /// The way an image with a different aspect ratio is fitted into the detector's input; nil uses the
    /// family's, see the table of families.
    ///
    /// Set it if the model was not trained in the usual way of its family; a wrong value reduces accuracy
    /// without an error.
    public var fit: ImageFit?
    /// The normalisation of the detector's input instead of the model's own: value = (pixel − mean) /
    /// deviation.
    public var normalization: Normalization?
    /// The number of threads per session, 1…256; nil uses up to 4 cores with one session, and 1 with several.
    public var threads: Int?
    /// The number of images that can be processed at the same time, 1 or more; 1 by default.
    ///
    /// Each one needs the memory of a session. Further callers wait in order of arrival.
    public var sessions = 1
    /// Whether a JPEG may be decoded at 1/2, 1/4 or 1/8 of its size if the models need no more; true by
    /// default.
    ///
    /// If false, results change slightly and large images take several times as long.
    public var reducedSizeDecoding = true
    /// Whether a model runs exactly as stored; false by default.
    ///
    /// By default a uint8 model with one scale per tensor (AutoML, ML Kit's samples, TensorFlow's
    /// quantisation-aware training) computes in int8 on x86-64. This is 1.5 to 2.4 times as fast, and changes
    /// scores about as much as using other kernels does. Set it to compare results bit for bit with another
    /// tool. See `Int8Rewrite`.
    public var exactArithmetic = false
    /// The limits for the size of an image.
    public var imageLimits = ImageLimits()

    /// Creates the default options.
    public init() {}

    /// Throws for values out of range.
    package func check() throws(FoveaError) {
      try OptionChecks.range("threshold", threshold, 0...1)
      try OptionChecks.range("label-threshold", labelThreshold, 0...1)
      try OptionChecks.range("landmark-threshold", landmarkThreshold, 0...1)
      try OptionChecks.range("landmark-iou", landmarkIoU, 0...1, property: "landmarkIoU")
      try OptionChecks.atLeastOne("max-objects", maxObjects)
      try OptionChecks.atLeastOne("max-labels", maxLabels)
      try slicing?.check()
      try OptionChecks.range("iou", suppression.iouThreshold, 0...1, property: "suppression.iouThreshold")
      try OptionChecks.range(
        "cross-class-iou", suppression.crossClassIoU, 0...1, property: "suppression.crossClassIoU")
      try checkShared()
    }

    /// Throws if points are to be smoothed, but no object is followed.
    func checkSmoothing() throws(FoveaError) {
      guard smoothLandmarks, singleObject else { return }
      throw .optionInvalid(
        "Landmarks cannot be smoothed if only the most prominent object is reported, because it may be"
          + " another one in each frame",
        remedy: "Report all objects, or remove \(option: "smooth-landmarks")")
    }
  }

  /// A choice of the classifier that labels an object's crop.
  public struct Classifier: Sendable, Hashable {
    enum Storage: Sendable, Hashable { case automatic, none, model(ModelSource), relabeling(ModelSource) }
    let storage: Storage
    /// Whether the caller supplied the model.
    var isCustom: Bool { if case .model = storage { true } else { isRelabeling } }
    /// Whether its labels replace the detector's.
    var isRelabeling: Bool { if case .relabeling = storage { true } else { false } }
    /// The embedded coarse classifier with the embedded localizer, no classifier with any other detector; the
    /// default.
    public static let automatic = Classifier(storage: .automatic)
    /// No classifier: objects have the detector's own class, or no label.
    public static let none = Classifier(storage: .none)
    /// A custom classifier, which labels a crop of each object.
    ///
    /// An object whose most likely class is `None_of_the_above` gets no label from it.
    /// - Parameter source: A classifier: a `.tflite` file, an AutoML folder, or its `manifest.json`.
    /// - Returns: The choice, for `Options.classifier`.
    public static func model(_ source: ModelSource) -> Classifier { Classifier(storage: .model(source)) }
    /// A classifier whose classes replace the detector's: it names the objects that the detector finds, and
    /// its probability contributes to their score.
    ///
    /// `ObjectTrainer` in `FoveaTraining` makes such classifiers.
    ///
    /// The detector supplies only boxes. Of overlapping boxes only the best is kept, regardless of their
    /// classes, and at most 20 in total unless `Options.maxObjects` is set. Each box is cropped as in
    /// `ObjectTrainer`, with a margin of 8 % of its sides and at least 16 pixels, and gets one label, the
    /// most likely. An object's score is the score of the box times the probability of the label; objects are
    /// ordered by descending score, and those below `Options.threshold` are dropped. Objects classified as
    /// `None_of_the_above`, with a label that is not allowed, or with a probability below
    /// `Options.labelThreshold` (0 if nil, since the score counts) are dropped too. `Options.maxLabels` has
    /// no effect, and the lists of allowed and denied labels apply to the classifier's labels. Without a
    /// model, the embedded localizer finds the boxes.
    /// - Parameter source: A classifier: a `.tflite` file, an AutoML folder, or its `manifest.json`.
    /// - Returns: The choice, for `Options.classifier`.
    public static func relabeling(_ source: ModelSource) -> Classifier {
      Classifier(storage: .relabeling(source))
    }
  }
}
