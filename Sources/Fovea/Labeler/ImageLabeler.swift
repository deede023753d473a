// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// Labels whole pictures or a region of them.
public final class ImageLabeler: Sendable {
  /// What to report and how.
  public struct Options: Sendable, Hashable {
    /// The lowest confidence of a label; nil takes the model's own, then 0.
    public var threshold: Float?
    /// The most labels.
    public var maxResults = 10
    /// Labels to report, all others are dropped; empty allows all.
    public var allowedLabels: [String] = []
    /// Labels never to report.
    public var deniedLabels: [String] = []
    /// A text file with one label a line, in place of the model's own.
    public var labelFile: String?
    /// The locale of label names.
    public var locale: String?
    /// Normalisation in place of the model's own.
    public var normalization: ObjectDetector.Normalization?
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

  /// Makes a labeler with the embedded coarse classifier.
  public init(options: Options = Options()) async throws(FoveaError) {}
  /// Makes a labeler with a model.
  public init(model: ModelSource, options: Options = Options()) async throws(FoveaError) {}

  /// Labels a picture.
  public func labels(in image: ImageInput, region: BoundingBox? = nil) async throws(FoveaError) -> [Label] {
    try await analyze(image, region: region).labels
  }

  /// Labels a picture, with size, orientation and timings.
  public func analyze(_ image: ImageInput, region: BoundingBox? = nil) async throws(FoveaError)
    -> LabelingResult
  {
    throw FoveaError(code: .init(rawValue: "stub"), message: "stub", remedy: "stub")
  }
}
