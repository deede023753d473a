// SPDX-License-Identifier: Apache-2.0

public import Fovea
import FoveaCore
public import FoveaDecoding
public import FoveaGeometry

/// The outcome for one image, as every format writes and reads it: what was found, or why nothing could be.
public struct DetectionRecord: Sendable {
  /// What was found in one image.
  public struct Findings: Sendable, Hashable {
    /// Boxes or labels.
    public enum Content: Sendable, Hashable {
      /// The objects of `ObjectDetector`, best score first.
      case objects([DetectedObject])
      /// The labels of `ImageLabeler` for the whole image, most confident first.
      case labels([Label])
    }

    /// The pixels that boxes refer to.
    public enum Space: String, Sendable {
      /// Those of the image as it is stored.
      case stored
      /// Those of the image as it is shown, rotated by EXIF or by a display matrix.
      case upright
    }

    /// The size of the image in `space`, in pixels.
    public var size: PixelSize
    /// How the stored image must be rotated to be upright.
    public var orientation: Orientation
    /// The pixels that boxes refer to; stored ones by default.
    public var space: Space
    /// What was found.
    public var content: Content
    /// How long each stage took; zero where a format does not have it.
    public var timings: StageTimings
    /// What the user should know of the image's file, a sentence each without the final stop; no format has it.
    public var notes: [String] = []

    /// Makes findings.
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

    /// How many objects (or labels) there are.
    public var count: Int {
      switch content {
      case .objects(let objects): objects.count
      case .labels(let labels): labels.count
      }
    }

    /// The objects; none where the content is labels.
    public var objects: [DetectedObject] { if case .objects(let objects) = content { objects } else { [] } }
  }

  /// What results call the image.
  public var name: ImageName
  /// What was found, or why the image failed.
  public var result: Result<Findings, FoveaError>
  /// The image that `name` is a link to, in a folder that has other names for some images; nil elsewhere.
  package var original: String?

  /// Makes a record.
  public init(name: ImageName, result: Result<Findings, FoveaError>) {
    self.name = name
    self.result = result
  }

  /// Makes a record of the image at `path`.
  public init(image path: String, result: Result<Findings, FoveaError>) {
    self.init(name: ImageName(path), result: result)
  }

  /// The answer of a detector for the image at `path`.
  public init(image path: String, _ result: DetectionResult) {
    self.init(name: ImageName(path), result: .success(Findings(result)))
  }

  /// The answer of a labeler for the image at `path`.
  public init(image path: String, _ result: LabelingResult) {
    self.init(name: ImageName(path), result: .success(Findings(result)))
  }

  /// The name of the image among others: what the name links to, unless they have one of the link's own name.
  /// - Parameter isKnown: Whether there is an image of that name.
  /// - Returns: The name.
  func imageName(among isKnown: (String) -> Bool) -> String {
    guard let original else { return image }
    return ResultFile.isNumbered(image, from: original) && isKnown(image) ? image : original
  }

  /// The name as text.
  public var image: String { name.text }
  /// What was found; nil where the image failed.
  public var findings: Findings? { try? result.get() }
}

extension DetectionRecord.Findings {
  /// What a detector found.
  public init(_ result: DetectionResult) {
    self.init(
      size: result.size, orientation: result.orientation, content: .objects(result.objects),
      timings: result.timings)
    notes = result.notes
  }

  /// What a labeler found.
  public init(_ result: LabelingResult) {
    self.init(
      size: result.size, orientation: result.orientation, content: .labels(result.labels),
      timings: result.timings)
    notes = result.notes
  }

  /// The same with boxes and size in pixels of the upright image.
  public func upright() -> Self {
    guard space == .stored else { return self }
    var turned = self
    turned.space = .upright
    turned.size = orientation.uprightSize(ofStored: size)
    if case .objects(let objects) = content {
      turned.content = .objects(objects.map { $0.upright(orientation, stored: size) })
    }
    return turned
  }

  /// Refuses numbers that no output format can carry.
  /// - Throws: `result-not-finite`.
  package func checkNumbers() throws(FoveaError) {
    let isFinite =
      switch content {
      case .objects(let objects): objects.allSatisfy(Self.isFinite)
      case .labels(let labels): labels.allSatisfy { $0.confidence.isFinite }
      }
    guard isFinite else {
      throw FoveaError(
        .resultNotFinite,
        "the model answered a box or score that is not a finite number",
        remedy: "Check the model's normalisation (\(option: "normalize")) or use another model")
    }
  }

  private static func isFinite(_ object: DetectedObject) -> Bool {
    object.box.minX.isFinite && object.box.minY.isFinite && object.box.maxX.isFinite
      && object.box.maxY.isFinite && object.score.isFinite
      && object.labels.allSatisfy { $0.confidence.isFinite } && object.keypoints.allSatisfy(\.isFinite)
  }
}

extension DetectedObject {
  /// What formats call the object that have one name for each: its class, or what stands in for one.
  package var className: String {
    labels.first.map { $0.text ?? "class \($0.index)" } ?? "object"
  }
}
