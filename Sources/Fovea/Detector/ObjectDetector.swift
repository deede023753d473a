// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// Finds objects in pictures.
public final class ObjectDetector: Sendable {
  /// What to find and how.
  public struct Options: Sendable, Hashable {
    /// The lowest score of an object; nil takes the model's own, then the family's default.
    public var threshold: Float?
    /// The most objects to report; nil: 5 with the embedded localizer, else the model's own maximum.
    public var maxObjects: Int?
    /// Whether to report only the most prominent object.
    public var singleObject = false
    /// What labels the objects' crops.
    public var classifier: Classifier = .automatic
    /// The lowest confidence of a classifier's label; nil takes the model's own, then 0.
    public var labelThreshold: Float?
    /// The most labels of one object.
    public var maxLabels = 10
    /// Labels to report, all others are dropped; empty allows all.
    public var allowedLabels: [String] = []
    /// Labels never to report.
    public var deniedLabels: [String] = []
    /// A text file with one label a line, in place of the model's own.
    public var labelFile: String?
    /// The locale of label names, for example "en"; nil takes the plain class names.
    public var locale: String?
    /// The detector family, for models that do not tell; nil recognises it from the model.
    public var family: String?
    /// Mean and standard deviation of the input's normalisation, in place of the model's own.
    public var normalization: Normalization?
    /// Threads of one session; nil: all cores with one session, one with several.
    public var threads: Int?
    /// How many pictures may be worked on at the same time.
    public var sessions = 1
    /// Whether a JPEG may be decoded at reduced size.
    public var reducedSizeDecoding = true
    /// What a picture may cost.
    public var imageLimits = ImageLimits()

    /// The defaults.
    public init() {}
  }

  /// What gives the labels of an object's crop.
  public struct Classifier: Sendable, Hashable {
    enum Storage: Sendable, Hashable { case automatic, none, model(ModelSource) }
    let storage: Storage
    /// The embedded coarse classifier with the embedded localizer; none with a detector that has classes.
    public static let automatic = Classifier(storage: .automatic)
    /// No classifier.
    public static let none = Classifier(storage: .none)
    /// A custom classifier.
    public static func model(_ source: ModelSource) -> Classifier { Classifier(storage: .model(source)) }
  }

  /// value = (pixel − mean) / standardDeviation, per channel or one for all.
  public struct Normalization: Sendable, Hashable {
    /// One or three means.
    public var mean: [Float]
    /// One or three deviations.
    public var standardDeviation: [Float]
    /// Makes a normalisation.
    public init(mean: [Float], standardDeviation: [Float]) {
      self.mean = mean
      self.standardDeviation = standardDeviation
    }
  }

  /// Makes a detector with the embedded models.
  public init(options: Options = Options()) async throws(FoveaError) {}

  /// Makes a detector with a model.
  public init(model: ModelSource, options: Options = Options()) async throws(FoveaError) {}

  /// Finds the objects of a picture.
  public func detect(in image: ImageInput, region: BoundingBox? = nil) async throws(FoveaError)
    -> [DetectedObject]
  {
    try await analyze(image, region: region).objects
  }

  /// Finds the objects, with size, orientation and timings.
  public func analyze(_ image: ImageInput, region: BoundingBox? = nil) async throws(FoveaError)
    -> DetectionResult
  {
    throw FoveaError(code: .init(rawValue: "stub"), message: "stub", remedy: "stub")
  }
}
