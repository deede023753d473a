// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
public import FoveaDecoding
public import FoveaGeometry

/// The outcome for one image, as every format writes and reads it: the findings, or the error.
public struct DetectionRecord: Sendable {
  /// The findings in one image.
  public struct Findings: Sendable, Hashable {
    /// The boxes, labels or classes.
    public enum Content: Sendable, Hashable {
      /// The objects of `ObjectDetector`, best score first.
      case objects([DetectedObject])
      /// The labels of `ImageLabeler` for the whole image, most confident first.
      case labels([Label])
      /// The map of `ImageSegmenter`.
      case map(SegmentationMap)
    }

    /// The pixels that boxes refer to.
    public enum Space: String, Sendable {
      /// The pixels of the stored image.
      case stored
      /// The pixels of the image as shown, rotated by EXIF or by a display matrix.
      case upright
    }

    /// The size of the image in `space`, in pixels.
    public var size: PixelSize
    /// The rotation that makes the stored image upright.
    public var orientation: Orientation
    /// The pixels that boxes refer to; stored ones by default.
    public var space: Space
    /// The boxes, labels or classes.
    public var content: Content
    /// The time of each stage; zero if a format does not store it.
    public var timings: StageTimings
    /// Notes about the image's file, one sentence each without the final stop; no format stores them.
    public var notes: [String] = []

    /// Creates findings.
    public init(
      size: PixelSize, orientation: Orientation, space: Space = .stored, content: Content,
      timings: StageTimings = StageTimings()
    ) {
      self.size = size
      self.orientation = orientation
      self.space = space
      self.content = content
      self.timings = timings
    }

    /// The number of objects or labels, or of classes in the image.
    public var count: Int {
      switch content {
      case .objects(let objects): objects.count
      case .labels(let labels): labels.count
      case .map(let map): map.shares.count
      }
    }

    /// The objects; empty if the content is labels or a map.
    public var objects: [DetectedObject] { if case .objects(let objects) = content { objects } else { [] } }
  }

  /// The image's name in results.
  public var name: ImageName
  /// The findings, or the error of the image.
  public var result: Result<Findings, FoveaError>
  /// The image that `name` links to, in a folder that has other names for some images; nil elsewhere.
  package var original: String?
  /// The number of objects whose score is 1 because the file has none; 0 for formats that need one.
  package var unscoredCount = 0

  /// Creates a record.
  public init(name: ImageName, result: Result<Findings, FoveaError>) {
    self.name = name
    self.result = result
  }

  /// Creates a record of the image at `path`.
  public init(image path: String, result: Result<Findings, FoveaError>) {
    self.init(name: ImageName(path), result: result)
  }

  /// Creates a record of a detector's result for the image at `path`.
  public init(image path: String, _ result: DetectionResult) {
    self.init(name: ImageName(path), result: .success(Findings(result)))
  }

  /// Creates a record of a labeler's result for the image at `path`.
  public init(image path: String, _ result: LabelingResult) {
    self.init(name: ImageName(path), result: .success(Findings(result)))
  }

  /// Creates a record of a segmenter's result for the image at `path`.
  public init(image path: String, _ result: SegmentationResult) {
    self.init(name: ImageName(path), result: .success(Findings(result)))
  }

  /// Returns the target of the link as the image's name, unless another image already has that name.
  /// - Parameter isKnown: Returns whether there is an image with that name.
  /// - Returns: The name.
  func imageName(among isKnown: (String) -> Bool) -> String {
    guard let original else { return image }
    return ResultFile.isNumbered(image, from: original) && isKnown(image) ? image : original
  }

  /// The name as text.
  public var image: String { name.text }
  /// The findings; nil if the image failed.
  public var findings: Findings? { try? result.get() }
}

extension DetectionRecord.Findings {
  /// Creates findings from a detector's result.
  public init(_ result: DetectionResult) {
    self.init(
      size: result.size, orientation: result.orientation, content: .objects(result.objects),
      timings: result.timings)
    notes = result.notes
  }

  /// Creates findings from a labeler's result.
  public init(_ result: LabelingResult) {
    self.init(
      size: result.size, orientation: result.orientation, content: .labels(result.labels),
      timings: result.timings)
    notes = result.notes
  }

  /// Creates findings from a segmenter's result.
  public init(_ result: SegmentationResult) {
    self.init(
      size: result.size, orientation: result.orientation, content: .map(result.map), timings: result.timings)
    notes = result.notes
  }

  /// Returns the same findings with boxes, map and size in pixels of the upright image.
  public func upright() -> Self {
    guard space == .stored else { return self }
    var upright = self
    upright.space = .upright
    upright.size = orientation.uprightSize(ofStored: size)
    switch content {
    case .objects(let objects):
      upright.content = .objects(objects.map { $0.upright(orientation, stored: size) })
    case .map(let map): upright.content = .map(map.upright(orientation, stored: size))
    case .labels: break
    }
    return upright
  }

  /// Throws if a number cannot be written in any format.
  /// - Throws: `result-not-finite`.
  package func checkNumbers() throws(FoveaError) {
    let isFinite =
      switch content {
      case .objects(let objects): objects.allSatisfy(Self.isFinite)
      case .labels(let labels): labels.allSatisfy { $0.confidence.isFinite }
      case .map: true
      }
    guard isFinite else {
      throw FoveaError(
        .resultNotFinite,
        "the model returned a box or score that is not a finite number",
        remedy: "Check the model's normalisation (\(option: "normalize")) or use another model")
    }
  }

  private static func isFinite(_ object: DetectedObject) -> Bool {
    object.box.minX.isFinite && object.box.minY.isFinite && object.box.maxX.isFinite
      && object.box.maxY.isFinite && object.score.isFinite
      && object.labels.allSatisfy { $0.confidence.isFinite } && object.keypoints.allSatisfy(\.isFinite)
      && (object.orientedBox.map(isFinite) ?? true)
  }

  private static func isFinite(_ box: OrientedBox) -> Bool {
    box.center.isFinite && box.width.isFinite && box.height.isFinite && box.angle.isFinite
  }
}

extension DetectedObject {
  /// The object's name in formats with one name per object: its class, or a substitute.
  package var className: String {
    labels.first.map { $0.text ?? "class \($0.index)" } ?? "object"
  }
}
