// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaMetadata
package import FoveaRuntime

/// A first run of a model: its input and its outputs as detector, labeler and segmenter fill and decode them.
package struct ModelTrial: Sendable {
  private enum Head: Sendable {
    case detector(any DetectionDecoder, threshold: Float, labels: LabelMap?, unsettled: UnsettledLabels?)
    case classifier(ClassifierHead, ConfidenceReading, ScoreCalibration?)
    case segmenter(MapHead, labels: [String])
  }

  private let modelName: String
  private let input: ImageInputTensor
  private let state: StateTensors
  /// The task's decoder, or why the task refuses the model's labels or calibration.
  private let head: Result<Head, FoveaError>

  /// Creates the trial of an examined model; nil for a model that none of the three tasks uses.
  init?(_ profile: ModelProfile) {
    guard let image = profile.image, let facts = profile.known else { return nil }
    modelName = profile.loaded.name
    input = image
    state = facts.state
    do {
      guard let head = try Self.head(profile, facts) else { return nil }
      self.head = .success(head)
    } catch {
      head = .failure(FoveaError(error))
    }
  }

  private static func head(_ profile: ModelProfile, _ facts: DetectorFacts) throws -> Head? {
    let (loaded, locale) = (profile.loaded, profile.options.locale)
    switch profile.kind {
    case .detector(let decoder):
      return .detector(
        decoder,
        threshold: loaded.scoreThreshold ?? decoder.defaultThreshold ?? DetectionPlan.defaultThreshold,
        labels: decoder.hasClasses ? try facts.labels(for: decoder) : nil,
        unsettled: decoder.hasClasses ? facts.unsettledLabels(for: decoder) : nil)
    case .classifier(let head, let reading):
      _ = try ClassificationPlan.fitted(
        loaded.labels(output: head.outputIndex, locale: locale), reading, head, modelName: loaded.name,
        CropAdvice())
      return .classifier(
        head, reading, try loaded.calibration(output: head.outputIndex, classCount: head.classCount))
    case .segmenter(let head):
      let labels = try loaded.labels(output: loaded.labelOutputIndex ?? 0, locale: locale)
      return .segmenter(head, labels: try SegmentationPlan.names(labels, head, modelName: loaded.name))
    case .embedding, .unsupported, .unknown, .broken: return nil
    }
  }

  /// Fills the input with a grey image, as the task fills it.
  /// - Parameter session: A session of the model with its inputs zeroed.
  /// - Throws: `image-…` for an input that an image cannot fill.
  package func fill(_ session: Session) throws(FoveaError) {
    do {
      try ImagePreparation(ObjectDetector.Options()).fill(
        state.inputs[0], of: session, with: try .grey(), input.spec, scratch: TensorScratch())
    } catch {
      throw FoveaError(error)
    }
  }

  /// Decodes the outputs of a run, as the task decodes them.
  /// - Parameter session: The session after its run.
  /// - Throws: `invalid-output` for values that contradict the model's kind, such as a score of 1.9 or NaN;
  ///   `labels-do-not-fit` and `metadata-…` if the labels or the calibration do not fit the model.
  package func check(_ session: Session) throws(FoveaError) {
    do {
      switch try head.get() {
      case .detector(let decoder, let threshold, let labels, let unsettled):
        var outputs: [[Float]] = []
        for index in state.outputs { outputs.append(try Self.numbers(index, of: session)) }
        let found = try decoder.decode(outputs, threshold: threshold, limit: decoder.maximumDetections)
        for index in found.compactMap(\.classIndex) {
          if let error = unsettled?.error(ofClass: index) { throw error }
          try labels?.check(class: index, of: modelName)
        }
      case .classifier(let head, let reading, let calibration):
        var scores = try Self.numbers(head.outputIndex, of: session)
        try reading.apply(to: &scores, modelName: modelName, calibration: calibration)
      case .segmenter(let head, let labels):
        let cells = try head.cells(try Self.numbers(0, of: session), modelName: modelName)
        try SegmentationPlan.check(cells, head, labels: labels, modelName: modelName)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private static func numbers(_ index: Int, of session: Session) throws(RuntimeError) -> [Float] {
    var numbers: [Float] = []
    try session.readNumbers(output: index, into: &numbers)
    return numbers
  }
}
