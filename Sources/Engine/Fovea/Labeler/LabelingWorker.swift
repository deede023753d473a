// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// One session of a labeler with all memory that is reused from image to image.
final class LabelingWorker {
  private let stage: ClassificationStage
  private let preparation: ImagePreparation

  init(_ plan: ClassificationPlan, _ options: ImageLabeler.Options) throws {
    stage = try ClassificationStage(plan)
    preparation = ImagePreparation(
      limits: options.imageLimits, reducedSizeDecoding: options.reducedSizeDecoding)
  }

  /// The repairs made to the model, and notes if it does not run as usual.
  var notes: [String] { stage.notes }

  /// The class names, and the lowest confidence of a label.
  var facts: (classNames: [String], threshold: Float) {
    (stage.plan.classNames, stage.plan.ranking.threshold)
  }

  /// Verifies that a selection can be applied.
  func check(_ selection: ImageLabeler.Selection) throws { _ = try stage.plan.ranking(selection) }

  /// Opens and decodes an image like `label`.
  func prepare(_ image: ImageInput) throws -> PreparedImage {
    let opened = try preparation.open(image)
    let region = try RegionOfInterest.resolve(nil, in: opened)
    let decoded = try preparation.decode(image, opened, region: region, atLeast: stage.plan.input.decodeSize)
    return PreparedImage(opened: opened, decoded: decoded)
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
