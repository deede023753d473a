// SPDX-License-Identifier: Apache-2.0

import Fovea
package import FoveaCore
import FoveaEvaluation

/// The settings and figures of a model: `training.json`, next to the model and inside it.
///
/// It has no paths, photo names or times, so the same photos and options result in the same bytes.
package struct TrainingRecord: Sendable {
  /// The text, ending with a line break.
  package let bytes: [UInt8]

  /// The origin of the model's threshold.
  enum ThresholdOrigin: Sendable {
    case given
    case precision(Double)
    case largestF1
  }

  let thresholdOrigin: ThresholdOrigin
  /// The length of an embedding.
  let dimension: Int
  /// The SHA-256 of the backbone's graph, cut at the embedding.
  let backboneChecksum: String
  /// The name of the embedding's tensor.
  let tensor: String
  let head: LabelTrainer.Options.Head
  let prior: LabelTrainer.Options.Prior
  let learnsMirrored: Bool
  let seed: UInt64

  init(
    _ findings: TrainingFindings, _ chosen: EmbeddedBackbone, _ options: LabelTrainer.Options,
    _ objects: ObjectRecord?
  ) {
    thresholdOrigin =
      options.threshold != nil ? .given : options.precision.map { .precision($0) } ?? .largestF1
    dimension = chosen.embedder.dimension
    backboneChecksum = chosen.checksum
    tensor = chosen.embedder.tensorName
    (head, prior) = (options.head, options.prior)
    (learnsMirrored, seed) = (options.learnsMirrored, options.seed)
    let line = JSONText.line(capacity: 4096) { json in
      json.member("fovea", FoveaVersion.current)
      json.member("backbone") { json in
        json.member("name", chosen.backbone.name)
        json.member("version", chosen.embedder.version)
        json.member("licence", chosen.licence)
        json.member("graphSHA256", chosen.checksum)
        json.member("tensor", chosen.embedder.tensorName)
        json.member("numbers", chosen.embedder.dimension)
      }
      json.member("head", options.head.rawValue)
      json.member("multiLabel", findings.isMultiLabel)
      json.member("mirrored", options.learnsMirrored)
      json.member("strength", findings.head.strength)
      json.member("temperature", findings.head.temperature)
      json.member("prior", options.prior.rawValue)
      json.member("folds", findings.head.folds.count)
      json.member("seed", String(options.seed))
      json.member("threshold", findings.threshold)
      json.member("outOfFold") { findings.figures.append(to: &$0) }
      if let test = findings.testFigures { json.member("test") { test.append(to: &$0) } }
      if let objects { json.member("objects") { objects.append(to: &$0) } }
      TrainingRecord.append(findings, to: &json)
    }
    bytes = Array(line.utf8)
  }

  private static func append(_ findings: TrainingFindings, to json: inout JSONText) {
    let best = findings.thresholds.classes.map { Thresholds.best(of: $0) }
    let rows = zip(zip(findings.set.classes, findings.set.counts), best).map { ($0.0, $0.1, $1) }
    json.key("classes")
    json.array(rows) { json, row in
      json.object { json in
        json.member("label", row.0)
        json.member("photos", row.1)
        json.member("threshold", row.2?.threshold)
      }
    }
  }
}

extension TrainingFigures {
  /// Appends the members of a JSON object.
  package func append(to json: inout JSONText) {
    json.member("photos", photoCount)
    json.member("accuracy", accuracy)
    json.member("standardError", standardError)
    json.member("logLoss", logLoss)
    json.member("calibrationError", calibrationError)
    json.member("precision", precision)
    json.member("unanswered", unanswered)
  }
}
