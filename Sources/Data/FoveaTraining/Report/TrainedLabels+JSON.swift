// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension TrainedLabels {
  /// All figures as one line of JSON.
  package var jsonLine: String { JSONText.line(capacity: 4096) { append(to: &$0, labels) } }

  /// Appends the members of a JSON object, with `labels` as text for JSON or for a page.
  func append(to json: inout JSONText, _ labels: [String]) {
    json.member("photos", findings.judged.photos.count)
    json.member("labels", labels)
    json.member("backbone", backbone)
    json.member("strength", findings.head.strength)
    json.member("temperature", findings.head.temperature)
    json.member("threshold", findings.threshold)
    json.member("outOfFold") { figures.append(to: &$0) }
    json.key("test")
    if let testFigures { json.object { testFigures.append(to: &$0) } } else { json.null() }
    json.member("twiceAsManyPhotos", accuracyOfTwiceAsMany)
    json.member("mislabelled", findings.issues.count)
    json.member("copies", findings.repeated.reduce(0) { $0 + $1.count - 1 })
    json.member("failed", failed.count)
    json.member("bytes", model.count)
  }

  /// A line for each probably mislabelled photo: its name, a tab, its given class and the likelier one.
  package var suspectLines: [String] {
    findings.issues.map { issue in
      let name = findings.judged.photos[issue.row].name
      return "\(name)\t\(labels[issue.given]) -> \(labels[issue.likelier])\n"
    }
  }

  /// The settings that the model was trained with.
  package var settings: [(name: String, value: String)] {
    [
      ("Backbone", backbone), ("Backbone's graph, SHA-256", record.backboneChecksum),
      ("Layer", record.tensor), ("Numbers per photo", DecimalText.grouped(record.dimension)),
      ("Head", record.head.rawValue), ("Strength (L2)", TrainingSummary.short(findings.head.strength)),
      ("Temperature of the scores", DecimalText.fixed(findings.head.temperature, places: 3)),
      ("Prior", record.prior.rawValue), ("Mirrored photos", record.learnsMirrored ? "learned as well" : "no"),
      ("Folds", String(findings.head.folds.count)), ("Seed", String(record.seed)),
    ]
  }
}
