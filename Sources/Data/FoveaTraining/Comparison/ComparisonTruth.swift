// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
package import FoveaEvaluation
import FoveaFormats
import FoveaRuntime

/// The correct results of compared photos.
package enum ComparisonTruth: Sendable {
  /// Boxes, for detectors.
  case instances(COCOGroundTruth)
  /// Labelled photos, for classifiers.
  case labels(LabelEvaluation)

  /// Reads the ground truth of a task's models.
  /// - Parameters:
  ///   - path: COCO's instances for detectors; class folders or a CSV file for classifiers.
  ///   - task: The task of the models.
  /// - Throws: `evaluation-…`, `training-…` for ground truth that cannot be read.
  package init(path: String, for task: ComparedTask) throws(FoveaError) {
    guard task == .labeling else {
      do throws(EvaluationError) { self = .instances(try COCOGroundTruth(path: path)) } catch {
        throw FoveaError(error)
      }
      return
    }
    do throws(TrainingError) {
      self = .labels(LabelEvaluation(try TrainingSet(path, isNested: false, prefixes: [:], other: nil)))
    } catch {
      throw FoveaError(error)
    }
  }

  /// - Throws: `option-invalid` if the ground truth is not of the models' task.
  func check(_ task: ComparedTask) throws(FoveaError) {
    switch (self, task) {
    case (.instances, .detection), (.labels, .labeling): return
    default: break
    }
    let needed: Advice =
      switch task {
      case .detection: "Give a COCO file of instances for detectors"
      case .labeling: "Give a folder with a folder for each class, or a CSV file, for classifiers"
      case .segmentation: "Leave it out, and evaluate the maps of each model"
      case .embedding, .numbers: "Leave it out"
      }
    throw .optionInvalid("The ground truth is not for a model that \(task.verb)", remedy: needed)
  }

  /// Verifies that it has classes of a model and some of the photos: without, all runs would be in vain.
  /// - Parameters:
  ///   - model: One of the models.
  ///   - photos: The names of the photos.
  /// - Throws: `option-invalid` if the ground truth is not of the model's task, `evaluation-photos-mismatch`,
  ///   `evaluation-unknown-ids` for none of a detector's classes, `evaluation-unknown-label` for a class that
  ///   a classifier does not have.
  func check(_ model: ComparedModel, _ photos: [String]) throws(FoveaError) {
    try check(model.task)
    let answers = TruthAnswers(self)
    do throws(EvaluationError) {
      guard photos.isEmpty || photos.contains(where: answers.lists) else {
        throw EvaluationError(
          .photosMismatch,
          photos.count == 1
            ? "The ground truth does not list the photo '\(photos[0].printable)'"
            : "The ground truth lists none of the \(photos.count) photos, such as "
              + "'\(photos[0].printable)'",
          remedy: "Name the ground truth of these photos, or leave it out")
      }
      switch self {
      case .labels(let evaluation): try evaluation.check(classNames: model.classNames)
      case .instances(let truth): try check(model, truth)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private func check(_ model: ComparedModel, _ truth: COCOGroundTruth) throws(EvaluationError) {
    let unlisted = unlistedClasses(of: model)
    guard unlisted.names.count == unlisted.count else { return }
    func list(_ names: [String]) -> String {
      names.prefix(3).map { "'\($0.printable)'" }.joined(separator: ", ")
    }
    let own =
      "those of the ground truth are \(list(truth.categories.map(\.name)))"
      + (truth.categories.count > 3 ? " and \(truth.categories.count - 3) more" : "")
    let name = "'\(model.name.printable)'"
    guard model.hasClasses else {
      throw EvaluationError(
        .unknownIDs, "\(name) finds objects without classes, which the ground truth has",
        remedy:
          "Leave the ground truth out; \(command: "evaluate detection --class-agnostic") evaluates boxes "
          + "without classes")
    }
    throw EvaluationError(
      .unknownIDs,
      unlisted.count == 0
        ? "The classes of \(name) have no names; \(own)"
        : "None of the classes of \(name), such as \(list(unlisted.names)), is in the ground truth; \(own)",
      remedy:
        "Give a label file with the names of the ground truth (\(option: "labels", "FILE")), or leave the "
        + "ground truth out")
  }

  /// Returns the classes of a detector that the ground truth does not list, and the number of its classes.
  func unlistedClasses(of model: ComparedModel) -> ComparedModels.UnlistedClasses {
    guard case .instances(let truth) = self else { return ComparedModels.UnlistedClasses() }
    let known = Set(truth.categories.map(\.name))
    let named = ClassPairing.named(model.classNames)
    return ComparedModels.UnlistedClasses(names: named.subtracting(known).sorted(), count: named.count)
  }
}

/// The answers of both models for the photos that have ground truth.
struct TruthAnswers {
  private let truth: ComparisonTruth?
  private var records: (first: [DetectionRecord], second: [DetectionRecord]) = ([], [])
  private var labels: (first: [[Label]], second: [[Label]]) = ([], [])
  private var photos: [TrainingSet.Photo] = []
  /// The labelled photos by the identity of their files.
  private var labelled: [FileStatus.Identity: TrainingSet.Photo] = [:]

  /// The images of the ground truth of detectors.
  private let images: GroundTruthNames?

  init(_ truth: ComparisonTruth?) {
    self.truth = truth
    if case .instances(let truth) = truth { images = GroundTruthNames(truth) } else { images = nil }
    guard case .labels(let evaluation) = truth else { return }
    for photo in evaluation.photos {
      guard let status = FileStatus(FilePath(photo.path)) else { continue }
      labelled[status.identity] = photo
    }
  }

  /// Whether a photo has ground truth.
  func lists(_ name: String) -> Bool {
    if let images { return images.lists(name) }
    return FileStatus(FilePath(name)).map { labelled[$0.identity] != nil } ?? false
  }

  /// Adds the answers for a photo, if it has ground truth.
  mutating func add(
    _ name: String, _ photo: ImageInput, _ first: (model: ComparedModel, answer: ModelAnswer),
    _ second: (model: ComparedModel, answer: ModelAnswer), cancelledBy token: CancellationToken
  ) throws(FoveaError) {
    if let images, images.lists(name) {
      guard let ours = try first.model.evaluatedObjects(in: photo, cancelledBy: token),
        let theirs = try second.model.evaluatedObjects(in: photo, cancelledBy: token)
      else { return }
      records.first.append(DetectionRecord(image: name, ours.withoutShapes))
      records.second.append(DetectionRecord(image: name, theirs.withoutShapes))
    }
    if !labelled.isEmpty, let status = FileStatus(FilePath(name)), let known = labelled[status.identity],
      case .labels(let ours) = first.answer, case .labels(let theirs) = second.answer
    {
      photos.append(known)
      labels.first.append(ours)
      labels.second.append(theirs)
    }
  }

  /// Returns the accuracy of both models; nil without ground truth.
  /// - Throws: `evaluation-…`; `evaluation-photos-mismatch` if no photo has ground truth.
  func accuracy(
    _ first: ComparedModel, _ second: ComparedModel
  ) throws(FoveaError) -> ComparedModels.Accuracy? {
    do throws(EvaluationError) {
      switch truth {
      case nil: return nil
      case .instances(let truth):
        guard let part = truth.subset(of: records.first.map(\.image)) else { throw Self.noTruth }
        return ComparedModels.Accuracy(
          kind: .averagePrecision, first: try Self.averagePrecision(records.first, part, first.name),
          second: try Self.averagePrecision(records.second, part, second.name),
          photoCount: part.images.count)
      case .labels(let evaluation):
        guard !photos.isEmpty else { throw Self.noTruth }
        let part = evaluation.with(photos)
        return ComparedModels.Accuracy(
          kind: .firstLabels,
          first: try part.evaluate(labels: labels.first, classNames: first.classNames).metrics.accuracy,
          second: try part.evaluate(labels: labels.second, classNames: second.classNames).metrics.accuracy,
          photoCount: photos.count)
      }
    } catch {
      throw FoveaError(error)
    }
  }

  private static func averagePrecision(
    _ records: [DetectionRecord], _ truth: COCOGroundTruth, _ name: String
  ) throws(EvaluationError) -> Double? {
    var found = COCODetections(groundTruth: truth)
    try found.add(records, name: "'\(name.printable)'")
    var options = DetectionEvaluator.Options()
    // A model may have more classes than the ground truth, but not only other ones.
    options.unknownIDs = found.count == 0 && found.unknownCategories > 0 ? .refuse : .leaveOut
    return try DetectionEvaluator(groundTruth: truth, options: options).evaluate(found)
      .metrics.averagePrecision
  }

  private static var noTruth: EvaluationError {
    EvaluationError(
      .photosMismatch, "The ground truth lists none of the photos that could be read",
      remedy: "Name the ground truth of these photos, or leave it out")
  }
}

extension DetectionResult {
  /// The result without masks and points, which average precision of boxes does not need.
  fileprivate var withoutShapes: DetectionResult {
    var result = self
    for index in result.objects.indices {
      let object = result.objects[index]
      result.objects[index] = DetectedObject(box: object.box, score: object.score, labels: object.labels)
    }
    return result
  }
}
