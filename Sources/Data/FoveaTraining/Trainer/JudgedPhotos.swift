// SPDX-License-Identifier: Apache-2.0

/// Photos with the answers of heads that were not trained on them.
package struct JudgedPhotos: Sendable {
  package let photos: [TrainingSet.Photo]
  package let targets: Targets
  /// The probability of each class for each photo.
  package let probabilities: [[Double]]

  /// The most likely class of each photo, the first if several are equally likely.
  package var answers: [Int] {
    probabilities.map { row in
      var best = 0
      for index in row.indices where row[index] > row[best] { best = index }
      return best
    }
  }

  /// Whether the most likely class of each photo is right.
  var areRight: [Bool] {
    zip(photos, answers).map { photo, answer in photo.labels.contains(answer) }
  }

  /// Returns the figures at a threshold.
  func figures(threshold: Double) -> TrainingFigures {
    let right = areRight
    let count = Double(max(1, photos.count))
    let accuracy = Double(right.count { $0 }) / count
    let best = probabilities.map { $0.max() ?? 0 }
    let answered = best.indices.filter { best[$0] >= threshold }
    let labels = zip(photos, answers).map { photo, answer in
      photo.labels.contains(answer) ? answer : photo.labels.first ?? 0
    }
    return TrainingFigures(
      photoCount: photos.count, accuracy: accuracy,
      standardError: (accuracy * (1 - accuracy) / count).squareRoot(), logLoss: logLoss,
      calibrationError: Calibration.expectedError(probabilities, labels), threshold: threshold,
      precision: answered.isEmpty ? nil : Double(answered.count { right[$0] }) / Double(answered.count),
      unanswered: Double(photos.count - answered.count) / count)
  }

  private var logLoss: Double { Calibration.logLoss(ofProbabilities: probabilities, targets) }
}
