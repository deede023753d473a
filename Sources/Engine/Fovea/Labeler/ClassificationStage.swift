// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaRuntime

/// The parts that all sessions of one classifier share: how to fill its input and how to read its output.
package struct ClassificationPlan: Sendable {
  let loaded: LoadedModel
  let input: ImageInputTensor
  let head: ClassifierHead
  let labels: LabelMap?
  let ranking: LabelRanking
  let calibration: ScoreCalibration?
  let reading: ConfidenceReading
  let session: SessionOptions
  /// The advice about this classifier, if a detector takes some of the caller's options.
  let advice: CropAdvice

  /// The options of a classifier.
  struct Request {
    var threshold: Float?
    var limit: Int
    var allowed: [String] = []
    var denied: [String] = []
    var locale: String?
    var normalization: Normalization?
    var activation: ScoreActivation?
    var session = SessionOptions()
    var advice = CropAdvice()

    /// The options that describe the model.
    var description: ObjectDetector.Options {
      var options = ObjectDetector.Options()
      (options.locale, options.normalization, options.scoreActivation) = (locale, normalization, activation)
      return options
    }
  }

  /// The default confidence threshold if neither the options nor the metadata sets one: reports all labels.
  static let defaultThreshold: Float = 0

  init(_ loaded: LoadedModel, _ request: Request) throws {
    self.loaded = loaded
    session = request.session
    advice = request.advice
    let profile = ModelProfile(loaded, request.description, session: request.session)
    (head, reading) = try profile.classifier()
    // Uses the shapes in the file, which errors show.
    input = try ImageInputTensor(
      modelName: loaded.name, signature: loaded.signature, metadata: loaded.metadata,
      normalization: request.normalization, family: loaded.classifierInput,
      scale: request.normalization == nil ? try loaded.pixelScale() : nil,
      takesRawPixels: loaded.isRewritten)
    calibration = try loaded.calibration(output: head.outputIndex, classCount: head.classCount)
    labels = try Self.fitted(
      loaded.labels(output: head.outputIndex, locale: request.locale), reading, head, modelName: loaded.name,
      advice)
    let filter = try ClassFilter(
      allowed: request.allowed, denied: request.denied, labels: labels, modelName: loaded.name)
    ranking = LabelRanking(
      threshold: request.threshold ?? loaded.outputMetadata(head.outputIndex)?.scoreThreshold
        ?? Self.defaultThreshold,
      limit: request.limit, isAllowed: filter.isAllowed)
  }

  /// The class names by index, "class 0" and so on if the model has none.
  var classNames: [String] {
    labels.map { $0.displayNames ?? $0.names } ?? (0..<reading.classCount).map { "class \($0)" }
  }

  /// The class of images that show none of the others, `None_of_the_above`; nil if the classifier has none.
  var noneClass: Int? { labels?.names.firstIndex(of: ObjectCrop.noneOfTheAbove) }

  /// Returns the classes that may be reported if a call has its own lists.
  func filter(allowed: [String], denied: [String]) throws(FoveaError) -> ClassFilter {
    try ClassFilter(allowed: allowed, denied: denied, labels: labels, modelName: loaded.name)
  }

  /// The assumptions made about facts that neither the caller nor the model states.
  var assumptions: [Advice] {
    (input.assumptions(modelName: loaded.name)
      + (reading.assumption(modelName: loaded.name).map { [$0] } ?? [])).map { advice($0) }
  }

  /// The remedy for labels that do not match one score.
  package static let oneScoreRemedy: Advice =
    "Give a label file with 1 line, or with 2 if the score is the second of two classes"

  /// Returns the labels matched to the classes.
  /// - Throws: `metadata-count-mismatch` if they cannot be matched.
  static func fitted(
    _ labels: LabelMap?, _ reading: ConfidenceReading, _ head: ClassifierHead, modelName: String,
    _ advice: CropAdvice
  ) throws(FoveaError) -> LabelMap? {
    do throws(MetadataError) {
      return try labels?.fitted(
        to: reading.classCount, of: "output \(head.outputIndex) '\(head.outputName)' of '\(modelName)'")
    } catch {
      var error = FoveaError(error)
      if head.classCount == 1 { error.remedy = oneScoreRemedy }
      error.remedy = advice.withLabels(error.remedy)
      throw error
    }
  }
}

/// One session of a classifier with its memory.
final class ClassificationStage {
  let plan: ClassificationPlan
  private let session: Session
  private let names: [String]
  private let scratch = TensorScratch()
  private var scores: [Float] = []

  init(_ plan: ClassificationPlan) throws {
    self.plan = plan
    session = try plan.loaded.session(plan.session)
    names = plan.labels?.displayNames ?? plan.labels?.names ?? []
  }

  /// The assumptions, the repairs made to the model, and notes if it does not run as usual.
  var assumptions: [Advice] {
    (plan.loaded.remarks(plan.labels) + session.notes).map { Advice($0) } + plan.assumptions
  }

  /// Labels a region of an image, in stored pixels of its full size, and adds the time that it took.
  func labels(
    of image: DecodedImage, region: BoundingBox, ranking: LabelRanking? = nil, token: CancellationToken,
    timings: inout StageTimings
  ) throws -> [Label] {
    let clock = ContinuousClock()
    let start = clock.now
    let shown = plan.loaded.isUltralyticsClassifier ? middle(of: region, upright: image.orientation) : region
    unsafe try session.withUnsafeInputBytes(0) { bytes throws(ImageError) in
      unsafe _ = try image.write(
        region: shown, upright: image.orientation, spec: plan.input.spec, into: bytes, scratch: scratch)
    }
    let prepared = clock.now
    try session.run(cancelledBy: token)
    try session.readNumbers(output: plan.head.outputIndex, into: &scores)
    try plan.advice.run {
      try plan.reading.apply(to: &scores, modelName: plan.loaded.name, calibration: plan.calibration)
    }
    let labels = (ranking ?? plan.ranking).labels(scores: scores, names: names)
    timings.prepare += prepared - start
    timings.classify += clock.now - prepared
    return labels
  }

  /// Returns the largest region in the middle with the proportions of the input, for Ultralytics classifiers.
  private func middle(of region: BoundingBox, upright orientation: Orientation) -> BoundingBox {
    let size = plan.input.spec.size
    let stored = orientation.isTransposed ? size.transposed : size
    let scale = min(region.width / Double(stored.width), region.height / Double(stored.height))
    let (width, height) = (Double(stored.width) * scale, Double(stored.height) * scale)
    return BoundingBox(
      x: region.minX + (region.width - width) / 2, y: region.minY + (region.height - height) / 2,
      width: width,
      height: height)
  }
}
