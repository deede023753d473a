// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
package import FoveaImage

extension EvaluatedLabels {
  /// Returns the report as one self-contained HTML page, with only the labels that photos or answers have.
  /// - Parameters:
  ///   - title: The heading.
  ///   - settings: The names and values of the settings.
  ///   - command: The command that creates the report again.
  ///   - thumbnails: Returns the thumbnail of a photo, or nil to show none.
  /// - Returns: The page.
  package func page(
    title: String, settings: [(name: String, value: String)], command: String,
    thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) -> [UInt8] {
    var page = TrainingPage(title: title, settings: settings, command: command)
    page.shares = [("test photos", metrics.accuracy, metrics.standardError)]
    (page.photos.count, page.classCount) = (metrics.photoCount, shownClasses.count)
    page.leftOut = failed
    let shown = JSONText.pageLabels(labels)
    return page.bytes { json in
      append(to: &json, shown)
      json.member("hasTopFive", shown.count > LabelMetrics.topCount)
      json.member("thresholdReason", isThresholdGiven ? "given" : "")
      json.member(curve: metrics.curve, area: metrics.micro.averagePrecision)
      json.member(reliability: metrics.reliability)
      json.member(mistakes: mistakes, shown, thumbnails)
    }
  }

  /// The wrong answers, the most confident first, and photos without one.
  private var mistakes: [(photo: TrainingSet.Photo, given: Int, answered: Int?, score: Double)] {
    let wrong = answers.indices.filter { index in
      guard let first = answers[index].answers.first, Double(first.score) >= threshold else { return true }
      return !answers[index].given.contains(Int(first.classIndex))
    }
    let score = { (index: Int) in answers[index].answers.first.map { Double($0.score) } ?? 0 }
    let sorted = wrong.sorted { (-score($0), $0) < (-score($1), $1) }
    return sorted.map { index in
      let answer = score(index) >= threshold ? answers[index].answers.first : nil
      return (
        photos[index], answers[index].given.first ?? 0, answer.map { Int($0.classIndex) }, score(index)
      )
    }
  }
}
