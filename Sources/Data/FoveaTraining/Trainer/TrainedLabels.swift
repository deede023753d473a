// SPDX-License-Identifier: Apache-2.0

import Fovea
public import FoveaCore
package import FoveaMetadata

/// A trained classifier: its model with its figures.
public struct TrainedLabels: Sendable {
  /// A photo that could not be opened, with the error.
  public struct Failed: Sendable {
    /// The photo's name in reports.
    public let name: String
    /// The error.
    public let error: FoveaError
  }

  /// The labels, in the order of the model's scores.
  public let labels: [String]
  /// The bytes of `model.tflite`, including labels, normalisation, threshold and `training.json`.
  public let model: [UInt8]
  /// The figures on held-out photos: each was evaluated by a fold's head that was not trained on it.
  public let figures: TrainingFigures
  /// The figures on test photos; nil if there are none.
  public let testFigures: TrainingFigures?
  /// The name of the chosen backbone.
  public let backbone: String
  /// Photos that were left out.
  public let failed: [Failed]

  /// Notes on the backbone and on the cache, as sentences without the final stop.
  package let notes: [Advice]
  package let findings: TrainingFindings
  package let record: TrainingRecord
  let trials: [BackboneChoice.Trial]

  init(
    _ findings: TrainingFindings, _ failed: [EmbeddedPhotos.Failed], _ choice: BackboneChoice,
    _ options: LabelTrainer.Options, objects: ObjectRecord? = nil
  ) throws(FoveaError) {
    let chosen = choice.chosen
    self.findings = findings
    self.failed = failed.map { Failed(name: $0.photo.name, error: $0.error) }
    labels = findings.set.classes
    figures = findings.figures
    testFigures = findings.testFigures
    backbone = chosen.backbone.name
    trials = choice.trials
    notes =
      chosen.embedder.assumptions + (chosen.cache.note.map { [Advice($0)] } ?? [])
      + findings.notes + chosen.notes.map { Advice($0) }
    record = TrainingRecord(findings, chosen, options, objects)
    let head = LinearHead(
      weights: findings.head.weights, bias: findings.head.biases,
      activation: findings.isMultiLabel ? .logistic : .softmax,
      form: try options.head.form(on: chosen), logitRange: findings.head.scoreRange, mean: findings.head.mean)
    do throws(MetadataError) {
      model = try chosen.embedder.graph.classifier(
        head, TrainedLabels.description(findings, chosen, options, record))
    } catch {
      throw FoveaError(error)
    }
  }

  /// Writes a folder like AutoML Vision Edge's: `model.tflite`, `dict.txt` and `manifest.json`, and
  /// `training.json`.
  ///
  /// The folder is written under a temporary name next to its place and renamed when complete.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - replaces: Whether to replace an existing trained model, false by default; other files are never
  ///     replaced.
  /// - Throws: `metadata-cannot-write` if something else has that name, and for system errors; existing files
  ///   stay.
  public func write(to folder: String, replacing replaces: Bool = false) throws(FoveaError) {
    try write(to: folder, replacing: replaces, files: [])
  }

  /// Checks that a folder can be written, before training.
  /// - Throws: As `write(to:replacing:)`, as far as known in advance.
  package static func checkPlace(_ folder: String, replacing replaces: Bool) throws(FoveaError) {
    do throws(MetadataError) { try AutoMLBundleWriter(replaces: replaces).check(folder) } catch {
      throw FoveaError(error)
    }
  }

  /// Writes the folder with additional files.
  package func write(
    to folder: String, replacing replaces: Bool, files: [AssociatedFileContents]
  ) throws(FoveaError) {
    do throws(MetadataError) {
      try AutoMLBundleWriter(replaces: replaces).write(
        model: model, labels: labels, training: record.bytes, files: files, to: folder)
    } catch {
      throw FoveaError(error)
    }
  }

  private static func description(
    _ findings: TrainingFindings, _ chosen: EmbeddedBackbone, _ options: LabelTrainer.Options,
    _ record: TrainingRecord
  ) -> ClassifierDescription {
    var description = ClassifierDescription(labels: findings.set.classes)
    description.name = options.name
    description.description = "Classifier of \(findings.set.classes.count) classes on \(chosen.title)"
    description.author = options.author
    description.license = chosen.licence(with: options.licence)
    description.scoreThreshold = Float(findings.threshold)
    description.normalization = chosen.embedder.normalization
    description.training = record.bytes
    return description
  }
}

extension LabelTrainer.Options.Head {
  /// Returns the arithmetic to write; int8 on a uint8 backbone is written in AutoML's form.
  /// - Throws: `option-invalid` for a quantised head on a float backbone.
  fileprivate func form(on chosen: EmbeddedBackbone) throws(FoveaError) -> LinearHead.Form {
    switch self {
    case .auto: return .auto
    case .float: return .float
    case .int8:
      guard chosen.embedder.graph.quantization != nil else {
        throw .optionInvalid(
          "The backbone '\(chosen.backbone.name)' computes in float, so its head cannot be int8",
          remedy: "Leave out the form of the head to use the backbone's")
      }
      return .auto
    }
  }
}
