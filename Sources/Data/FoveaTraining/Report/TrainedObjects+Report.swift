// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaImage

extension TrainedObjects {
  /// All figures as one line of JSON.
  package var jsonLine: String {
    JSONText.line(capacity: 4096) { json in
      append(to: &json)
      json.member("classifier") { classifier.append(to: &$0, classifier.labels) }
    }
  }

  /// Appends the members of a JSON object, without the classifier.
  private func append(to json: inout JSONText) {
    json.member("images", figures.imageCount)
    json.member("objects", figures.objectCount)
    json.member("detector", record.detector)
    json.member("maxObjects", record.maxObjects)
    json.member("isLimitedByBoxes", (testFigures ?? figures).isLimitedByBoxes)
    json.member("outOfFold") { figures.append(to: &$0) }
    json.key("test")
    if let testFigures { json.object { testFigures.append(to: &$0) } } else { json.null() }
    json.member("failed", failed.count)
  }

  /// The settings that the model was trained with.
  package var settings: [(name: String, value: String)] {
    [("Detector", record.detector), ("Boxes per image", "at most \(record.maxObjects)")] + classifier.settings
  }

  /// Returns the report as one self-contained HTML page, whose photos are crops.
  /// - Parameters: As for ``TrainedLabels``.
  /// - Returns: The page.
  package func page(
    title: String, command: String, thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) -> [UInt8] {
    var page = classifier.page(title: title, settings: settings, command: command)
    let summary = ObjectSummary(self)
    page.summary = summary.sentences.map(\.asSentence) + ["A photo on this page is the crop of one box."]
    if let limit = summary.limit { page.advice.insert(limit.asSentence, at: 0) }
    page.photos.kind = "crop"
    page.leftOut = failed
    return page.bytes { json in
      append(to: &json)
      json.member("classifier") { classifier.appendAll(to: &$0, thumbnails) }
    }
  }
}
