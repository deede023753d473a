// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaRender

extension TrainedObjects {
  /// All figures as one line of JSON.
  package var jsonLine: String {
    JSONText.line(capacity: 4096) { json in
      json.member("images", figures.imageCount)
      json.member("objects", figures.objectCount)
      json.member("detector", record.detector)
      json.member("maxObjects", record.maxObjects)
      json.member("isLimitedByBoxes", (testFigures ?? figures).isLimitedByBoxes)
      json.member("outOfFold") { figures.append(to: &$0) }
      json.key("test")
      if let testFigures { json.object { testFigures.append(to: &$0) } } else { json.null() }
      json.member("failed", failed.count)
      json.member("classifier") { classifier.append(to: &$0) }
    }
  }

  /// What the model was made with.
  package var settings: [(name: String, value: String)] {
    [("Detector", record.detector), ("Boxes an image", "at most \(record.maxObjects)")] + classifier.settings
  }

  /// The report: one HTML page that holds everything it shows; its photos are crops.
  /// - Parameters: As for ``TrainedLabels``.
  /// - Returns: The page.
  package func page(
    title: String, settings: [HTMLReport.Fact], command: String?,
    thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) -> TrainingPage {
    var page = classifier.page(title: title, settings: settings, command: command, thumbnails: thumbnails)
    let summary = ObjectSummary(self)
    page.summary = summary.sentences.map(\.asSentence) + ["A photo on this page is the crop of one box."]
    if let limit = summary.limit {
      page.advice.insert(limit.asSentence, at: 0)
    }
    page.boxes = [boxFigures("Out of fold", figures)]
    if let testFigures { page.boxes.append(boxFigures("Test images", testFigures)) }
    page.leftOut = failed.map { .init(name: $0.name, reason: $0.error.message) }
    return page
  }

  private func boxFigures(_ name: String, _ figures: ObjectFigures) -> TrainingPage.BoxFigures {
    TrainingPage.BoxFigures(
      name: name, images: figures.imageCount, objects: figures.objectCount, boxes: figures.boxCount,
      recall: figures.boxRecall, named: figures.namedShare, rightLabels: figures.rightLabels,
      averagePrecision: figures.averagePrecision50,
      averagePrecisionWithRightLabels: figures.averagePrecision50WithRightLabels)
  }
}
