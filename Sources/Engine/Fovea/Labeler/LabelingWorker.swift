// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// The parts that all sessions of one labeler share.
struct LabelingPlan: Sendable {
  let classification: ClassificationPlan
  let options: ImageLabeler.Options

  init(_ model: ModelSource, _ options: ImageLabeler.Options) throws {
    try options.check()
    self.options = options
    classification = try ClassificationPlan(
      LoadedModel(model, labelFile: options.labelFile, exact: options.exactArithmetic),
      ClassificationPlan.Request(
        threshold: options.threshold, limit: options.maxResults, allowed: options.allowedLabels,
        denied: options.deniedLabels, locale: options.locale, normalization: options.normalization,
        activation: options.scoreActivation, session: options.session))
  }
}

/// One session of a labeler with all memory that is reused from image to image.
final class LabelingWorker: ImageWorker {
  private let stage: ClassificationStage
  private let preparation: ImagePreparation

  init(_ plan: LabelingPlan) throws {
    stage = try ClassificationStage(plan.classification)
    preparation = ImagePreparation(plan.options)
  }

  var assumptions: [Advice] { stage.assumptions }
  var classNames: [String] { stage.plan.classNames }
  /// The lowest confidence of a label.
  var threshold: Float { stage.plan.ranking.threshold }

  /// Verifies that a selection can be applied.
  func check(_ selection: ImageLabeler.Selection) throws { _ = try stage.plan.ranking(selection) }

  /// Opens and decodes an image like `label`.
  func prepare(_ image: ImageInput) throws -> PreparedImage {
    let opened = try preparation.open(image)
    let region = try RegionOfInterest.resolve(nil, in: opened)
    let decoded = try preparation.decode(image, opened, region: region, atLeast: stage.plan.input.decodeSize)
    return PreparedImage(opened: opened, decoded: decoded)
  }

  func analyze(
    _ image: ImageInput, region: BoundingBox?, token: CancellationToken
  ) throws -> LabelingResult {
    try label(image, region: region, token: token)
  }

  /// Labels an image or a region of it.
  func label(
    _ image: ImageInput, region: BoundingBox?, selecting selection: ImageLabeler.Selection? = nil,
    token: CancellationToken
  ) throws -> LabelingResult {
    let clock = ContinuousClock()
    let start = clock.now
    let ranking = try selection.map { selection throws(FoveaError) in try stage.plan.ranking(selection) }
    var timings = StageTimings()
    let opened = try preparation.open(image)
    let wanted = try RegionOfInterest.resolve(region, in: opened)
    let decoded = try preparation.decode(image, opened, region: wanted, atLeast: stage.plan.input.decodeSize)
    timings.decode = clock.now - start
    let labels = try stage.labels(
      of: decoded, region: wanted, ranking: ranking, token: token, timings: &timings)
    timings.total = clock.now - start
    return LabelingResult(
      size: opened.size, orientation: opened.orientation, labels: labels, timings: timings,
      notes: [decoded.note].compactMap(\.self))
  }
}
