// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

@testable import FoveaRender

extension TrainingPage {
  static let thumbnail = Thumbnail(jpeg: [1, 2, 3], size: PixelSize(width: 160, height: 120))

  /// A page of two classes that has every part.
  static var small: TrainingPage {
    var page = TrainingPage(title: "pets", labels: ["cat", "dog"])
    page.facts = [.init(name: "Model", value: "pets/model.tflite")]
    page.summary = ["20 photos of 2 classes, 1 probably mislabelled."]
    page.advice = [adviceWithoutOther]
    page.figures = [.init(name: "out of fold", photos: 20, accuracy: 0.85, standardError: 0.08)]
    page.figures[0].logLoss = 0.4471
    page.figures[0].calibrationError = 0.029
    page.figures[0].macro = .init(precision: 0.8535, recall: 0.85, f1: 0.8496, averagePrecision: 0.91)
    page.threshold = .init(value: 0.38, reason: "largest F1", rightAnswers: 0.858, unanswered: 0.05)
    page.classes = [.init(photos: 10), .init(photos: 10)]
    page.classes[0].recall = 0.9
    page.classes[1].recall = 0.8
    page.classes[1].takenFor = .init(label: 0, photos: 1)
    page.classes[1].gain = 0.04
    page.confusion = .init(counts: [[9, 1], [1, 8]], unanswered: [0, 1])
    page.addCurves()
    page.addPhotos()
    page.backbones = [
      .init(
        name: "embedded", accuracy: 0.8, standardError: 0.02, numbers: 1_280, byteCount: 1_340_000,
        isChosen: true)
    ]
    page.settings = [.init(name: "seed", value: "0")]
    page.command = "fovea train labels pets --output pets-model"
    return page
  }

  private mutating func addCurves() {
    curve = .init(
      points: [
        .init(threshold: 0, precision: 0.5, recall: 1), .init(threshold: 0.5, precision: 0.9, recall: 0.8),
        .init(threshold: 0.99, precision: .nan, recall: 0),
      ], area: 0.93)
    reliability = .init(bins: [
      .init(from: 0.2, to: 0.4, photos: 0, score: .nan, right: .nan),
      .init(from: 0.8, to: 1, photos: 12, score: 0.9, right: 0.85),
    ])
    learning = .init(
      points: [.init(photos: 8, accuracy: 0.7, uncertainty: 0.02), .init(photos: 16, accuracy: 0.85)],
      forecast: .init(photos: 32, accuracy: 0.9, uncertainty: 0.03))
  }

  private mutating func addPhotos() {
    let photo = Photo(name: "cat/1.jpg", thumbnail: Self.thumbnail)
    mistakes = [
      .init(photo: .init(name: "dog/2.jpg"), given: 1, answered: nil, score: 0.31),
      .init(photo: .init(name: "dog/3.jpg"), given: 1, answered: 0, score: 0.5),
      .init(photo: photo, given: 0, answered: 1, score: 0.97),
    ]
    suspects = [.init(photo: photo, given: 0, likelier: 1, ratio: 32.3)]
    suspectsExpected = 1
    samePhotos = [
      .init(
        photos: [.init(photo: photo, given: 0), .init(photo: photo, given: 1, isTest: true)], isSameFile: true
      )
    ]
    leftOut = [.init(name: "dog/4.jpg", reason: "the file ends early")]
  }

  /// The page's text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension TrainingPage.Confusion {
  /// A confusion from a row for each class, and from the photos without an answer.
  init(counts: [[Int]], unanswered: [Int] = []) {
    var photos: [Cell: Int] = [:]
    for (given, row) in counts.enumerated() {
      for (answered, count) in row.enumerated() { photos[Cell(given: given, answered: answered)] = count }
    }
    for (given, count) in unanswered.enumerated() { photos[Cell(given: given, answered: nil)] = count }
    self.init(photos)
  }
}
