// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats

/// The page about a trained or evaluated classifier: the part that is readable without a script.
///
/// The rest is JSON, which the page draws: the members of `--json`, and those of `JSONText+Page.swift`.
struct TrainingPage {
  let title: String
  /// Every option with its value, so that the page is enough to train the model again.
  let settings: [(name: String, value: String)]
  /// The command that creates the model again.
  let command: String
  /// The result in a few sentences.
  var summary: [String] = []
  /// Next steps, the most useful first.
  var advice: [String] = []
  /// The kinds of evaluation, with the share of right answers and its standard error.
  var shares: [(name: String, right: Double, error: Double)] = []
  /// The number of evaluated photos, and the word for one.
  var photos = (count: 0, kind: "photo")
  var classCount = 0
  var suspectCount = 0
  /// Photos that could not be used.
  var leftOut: [TrainedLabels.Failed] = []

  private static let leftOutLimit = 1_000

  /// The advice for training without photos of other things, which is listed first.
  static let adviceWithoutOther =
    "This model assigns every photo to one of its classes. Train again with "
    + "\(program: .flag("other")) FOLDER, 100 to 200 photos of other things that the camera sees: "
    + "no other measure helps as much."

  /// Returns the page: one HTML file in UTF-8 that fetches nothing.
  /// - Parameter data: Appends the members of the page's data.
  /// - Returns: The file.
  func bytes(_ data: (inout JSONText) -> Void) -> [UInt8] {
    ReportPage(
      .training,
      [
        "title": .text(title), "command": .text(command), "tiles": .list(tiles),
        "settings": .list(settings.map { ["name": .text($0.name), "value": .text($0.value)] }),
        "summary": TrainingPage.lines(summary), "advice": TrainingPage.lines(advice),
        "leftOut": .list(leftOut.isEmpty ? [] : [leftOutPhotos]),
      ]
    ).bytes(data)
  }

  private static func lines(_ lines: [String]) -> ReportPage.Value {
    .list(lines.isEmpty ? [] : [["lines": .list(lines.map { ["line": .text($0)] })]])
  }

  /// The most important numbers.
  private var tiles: [[String: ReportPage.Value]] {
    var tiles = shares.map { share in
      (
        ReportNumber.percent(share.right),
        "right, \(share.name), ±\u{A0}\(ReportNumber.percent(share.error))", false
      )
    }
    if photos.count > 0 {
      tiles.append(
        (ReportNumber.grouped(photos.count), photos.count == 1 ? photos.kind : photos.kind + "s", false))
    }
    if classCount > 0 {
      tiles.append((ReportNumber.grouped(classCount), classCount == 1 ? "class" : "classes", false))
    }
    if suspectCount > 0 { tiles.append((ReportNumber.grouped(suspectCount), "probably mislabelled", true)) }
    return tiles.map { value, name, isBad in
      ["value": .text(value), "name": .text(name), "isBad": .list(isBad ? [[:]] : [])]
    }
  }

  private var leftOutPhotos: [String: ReportPage.Value] {
    let shown = leftOut.prefix(TrainingPage.leftOutLimit)
    let rest = leftOut.count - shown.count
    return [
      "title": .text("\(ReportNumber.counted(leftOut.count, "photo")) left out"),
      // A long list is folded so that the settings stay in view.
      "folded": .list(shown.count > 20 ? [[:]] : []),
      "photos": .list(shown.map { ["name": .text($0.name), "reason": .text($0.error.message)] }),
      "more": .list(rest > 0 ? [["count": .text(ReportNumber.grouped(rest))]] : []),
    ]
  }
}
