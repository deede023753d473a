// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// The parts that all sessions of one landmark model share: which crop fills its input, and how to read its
/// outputs.
struct LandmarkPlan: Sendable {
  let loaded: LoadedModel
  let input: ImageInputTensor
  let head: LandmarkHead
  private let crop: LandmarkCrop
  /// The detector's classes whose objects have the points; nil for all.
  private let classes: Set<Int>?
  /// The probability from which an object is there; nil for the usual one.
  let threshold: Float?
  /// The IoU above which two crops show one object.
  let overlap: Double
  /// Whether points are smoothed over the frames of a stream.
  let isSmooth: Bool
  let session: SessionOptions
  /// The repairs made to the model, as sentences without the full stop.
  let repairs: [String]

  /// The IoU above which two crops show one object, as in MediaPipe.
  private static let usualOverlap = 0.5

  /// The advice about this model: the caller's description is that of the detector.
  private static let advice = CropAdvice(withheld: ["labels", "normalize", "activation"])

  /// Creates the plan of the model in the options; nil if they have none.
  /// - Parameters:
  ///   - options: The options of the detector.
  ///   - detector: The detector that the model follows.
  ///   - decoder: The decoder of the detector.
  ///   - labels: The names of the detector's classes; nil if they have none, or a classifier's replace them.
  ///   - size: The size of the detector's input.
  ///   - isBundle: True if both models come from one bundle.
  /// - Throws: The errors of loading; `model-unsupported` for a model of another kind, and if the detector
  ///   does not find the crop; `option-invalid` for settings without a model, and for those that another
  ///   model needs.
  init?(
    _ options: ObjectDetector.Options, after detector: LoadedModel, _ decoder: any DetectionDecoder,
    _ labels: LabelMap?, _ size: PixelSize, ofBundle isBundle: Bool
  ) throws {
    guard let source = options.landmarks else {
      if let unused = Self.settings(options).first { throw Self.unused(unused, detector) }
      return nil
    }
    session = options.session
    threshold = options.landmarkThreshold
    overlap = options.landmarkIoU ?? Self.usualOverlap
    isSmooth = options.smoothLandmarks
    var loaded = try LoadedModel(
      TaskBundle(source)?.landmarks() ?? source, exact: options.exactArithmetic)
    repairs = loaded.repairs
    // A mask, for example, takes a quarter of the time of BlazePose.
    if let head = LandmarkHead(of: loaded.signature) {
      loaded = try loaded.keeping(outputs: head.outputs, exact: options.exactArithmetic)
    }
    self.loaded = loaded
    let profile = ModelProfile(loaded, ObjectDetector.Options(), session: options.session)
    head = try Self.advice.run { try profile.landmarkHead() }
    try Self.check(options, loaded, head.family)
    do {
      (crop, classes) = try Self.place(head, decoder, labels, detector.name, size)
    } catch {
      let first = head.family.firstStage.description
      throw FoveaError(
        FoveaCode(RuntimeCode.modelUnsupported),
        "'\(loaded.name)' finds the points of \(head.family.subject) in \(error.reason)",
        remedy: isBundle
          ? "Use \(first) as the detector, and the bundle as \(option: "landmarks")"
          : "Use \(first) as the detector, or remove \(option: "landmarks")")
    }
    let usual = head.usualInput
    input = try Self.advice.run {
      try ImageInputTensor(
        modelName: loaded.name, signature: loaded.signature, metadata: loaded.metadata, normalization: nil,
        family: usual, scale: try loaded.pixelScale(), takesRawPixels: loaded.isRewritten)
    }
  }

  /// Returns the crop of a detection; nil if it shows another kind of object.
  func crop(ofClass index: Int?, box: BoundingBox, points: [PixelPoint]) -> OrientedBox? {
    guard let classes else { return crop.square(box: box, points: points) }
    guard let index, classes.contains(index) else { return nil }
    return crop.square(box: box, points: points)
  }

  /// The crop that a landmark model needs, and the reason why a detector does not give it.
  private struct Misfit: Error { let reason: String }

  /// Returns the crop of a landmark model, and the detector's classes that have one; nil for all.
  private static func place(
    _ head: LandmarkHead, _ decoder: any DetectionDecoder, _ labels: LabelMap?, _ detector: String,
    _ size: PixelSize
  ) throws(Misfit) -> (LandmarkCrop, Set<Int>?) {
    switch head.family.firstStage {
    case .mediaPipe(let family, _):
      guard decoder.family == family, let crop = LandmarkCrop(of: family, side: size.width) else {
        throw Misfit(
          reason: "a crop that the detector's keypoints place, but '\(detector)' is of the family"
            + " '\(decoder.family)'")
      }
      return (crop, nil)
    case .people:
      return (head.cropOfPerson, try people(decoder, labels, detector))
    }
  }

  /// Returns the indices of the detector's classes of people.
  private static func people(
    _ decoder: any DetectionDecoder, _ labels: LabelMap?, _ detector: String
  ) throws(Misfit) -> Set<Int> {
    let reason: String
    // Its boxes enclose the face.
    if decoder.family == .mediaPipePose {
      reason = "'\(detector)' is of the family '\(decoder.family)', whose boxes are those of faces"
    } else if let labels {
      let found = labels.names.indices.filter { index in
        KeypointSet.people.contains { labels.names[index].lowercased().contains(part: $0) }
      }
      guard found.isEmpty else { return Set(found) }
      reason = "no class of '\(detector)' is named '\(KeypointSet.people[0])' or the like"
    } else {
      reason =
        decoder.hasClasses ? "the classes of '\(detector)' have no names" : "'\(detector)' has no classes"
    }
    throw Misfit(reason: "the box of a person that a detector finds, but \(reason)")
  }

  /// The settings of landmark models that are given, as nouns.
  private static func settings(_ options: ObjectDetector.Options) -> [String] {
    let all = [
      ("A landmark threshold", options.landmarkThreshold != nil),
      ("An IoU of landmark crops", options.landmarkIoU != nil),
      ("Smoothing of landmarks", options.smoothLandmarks),
    ]
    return all.filter(\.1).map(\.0)
  }

  private static func unused(_ setting: String, _ detector: LoadedModel) -> FoveaError {
    .optionInvalid(
      "\(setting) can only be used with a landmark model, and '\(detector.name)' is used without one",
      remedy: "Remove that option, or use \(option: "landmarks")")
  }

  /// Throws for settings that have no effect with a landmark model of this family.
  private static func check(
    _ options: ObjectDetector.Options, _ loaded: LoadedModel, _ family: LandmarkFamily
  ) throws(FoveaError) {
    try options.checkSmoothing()
    if options.smoothLandmarks, family.smoothing == nil {
      throw .optionInvalid(
        "'\(loaded.name)' finds the points of \(family.subject), and only those of bodies and faces that"
          + " MediaPipe's models find can be smoothed",
        remedy: "Remove \(option: "smooth-landmarks")")
    }
    if options.landmarkIoU != nil, case .people = family.firstStage {
      throw .optionInvalid(
        "'\(loaded.name)' reads the boxes that the detector finds in each frame, so its crops have no IoU"
          + " with those of the frame before",
        remedy: "Remove \(option: "landmark-iou")")
    }
  }

  /// The assumptions made about facts that the model does not state.
  var assumptions: [Advice] { input.assumptions(modelName: loaded.name).map { Self.advice($0) } }
}
