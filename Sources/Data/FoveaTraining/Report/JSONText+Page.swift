// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaImage

/// Members shared by the pages of trained and of evaluated classifiers.
extension JSONText {
  /// The maximum number of points of a curve.
  private static let curvePoints = 200
  /// The maximum number of characters of a label.
  private static let labelLength = 200
  /// The maximum number of photos with a wrong answer.
  private static let listedMistakes = 60
  /// The maximum numbers of probably mislabelled photos, and of those with a thumbnail.
  private static let listedSuspects = 1_000
  private static let shownSuspects = 120
  /// The maximum numbers of groups of the same photo, and of photos with a thumbnail in a group.
  private static let listedGroups = 500
  private static let shownCopies = 12

  /// Shortens labels for a page; a number distinguishes labels with the same beginning.
  static func pageLabels(_ labels: [String]) -> [String] {
    labels.enumerated().map { index, label in
      guard !label.unicodeScalars.dropFirst(labelLength).isEmpty else { return label }
      return String(label.unicodeScalars.prefix(labelLength)) + "… \(index)"
    }
  }

  /// Appends precision and recall over thresholds: `[threshold, precision, recall]` for each point.
  mutating func member(curve points: [Thresholds.Point], area: Double?) {
    member("curve") { json in
      json.member("points", points.thinned(to: JSONText.curvePoints)) { json, point in
        json.array([point.threshold, point.precision, point.recall]) { $0.literal($1) }
      }
      json.member("area", area)
    }
  }

  /// Appends the share of right answers at each score that occurs.
  mutating func member(reliability bins: [ReliabilityBin]) {
    member("reliability", bins.filter { $0.count > 0 }) { json, bin in
      json.object { json in
        json.member("from", bin.lower)
        json.member("to", bin.upper)
        json.member("photos", bin.count)
        json.member("score", bin.probabilitySum / Double(bin.count))
        json.member("right", Double(bin.rightCount) / Double(bin.count))
      }
    }
  }

  /// Appends the pairs of given and answered classes that occur; the answer is null if there is none.
  mutating func member(confusion table: ConfusionTable, _ labels: [String]) {
    let pairs = table.counts.sorted {
      ($0.key.given, $0.key.answered ?? .max) < ($1.key.given, $1.key.answered ?? .max)
    }
    member("confusion", pairs) { json, pair in
      json.object { json in
        json.member("label", labels[pair.key.given])
        json.member("answer", pair.key.answered.map { labels[$0] })
        json.member("photos", pair.value)
      }
    }
  }

  /// Appends the first photos with a wrong answer.
  mutating func member(
    mistakes: [(photo: TrainingSet.Photo, given: Int, answered: Int?, score: Double)], _ labels: [String],
    _ thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) {
    member("mistakes", Array(mistakes.prefix(JSONText.listedMistakes))) { json, mistake in
      json.object { json in
        json.photo(mistake.photo, thumbnails(mistake.photo))
        json.member("label", labels[mistake.given])
        json.member("answer", mistake.answered.map { labels[$0] })
        json.member("score", mistake.score)
      }
    }
  }

  /// Appends the probably mislabelled photos, highest ratio first, and the number of those left out.
  mutating func member(
    suspects: [(photo: TrainingSet.Photo, issue: LabelIssue)], _ labels: [String],
    _ thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) {
    let expected = suspects.reduce(0) { $0 + $1.issue.probability }
    let listed = suspects.prefix(JSONText.listedSuspects)
    member("suspectsExpected", Int(expected.rounded()))
    member("suspectsLeftOut", suspects.count - listed.count)
    member("suspects", Array(listed.enumerated())) { json, suspect in
      let (photo, issue) = suspect.element
      json.object { json in
        json.photo(photo, suspect.offset < JSONText.shownSuspects ? thumbnails(photo) : nil)
        json.member("label", labels[issue.given])
        json.member("likelier", labels[issue.likelier])
        json.member("ratio", issue.ratio)
      }
    }
  }

  /// Appends groups of the same photo, the most harmful first, and the number left out per kind of harm.
  mutating func member(
    samePhotos groups: [[TrainingSet.Photo]], _ labels: [String],
    _ thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) {
    let harms = 0..<3
    let ranked = harms.flatMap { harm in groups.filter { $0.harm == harm } }
    let leftOut = ranked.dropFirst(JSONText.listedGroups)
    member("samePhotosLeftOut", harms.map { harm in leftOut.count { $0.harm == harm } })
    member("samePhotos", Array(ranked.prefix(JSONText.listedGroups))) { json, group in
      json.array(Array(group.enumerated())) { json, copy in
        json.object { json in
          json.photo(copy.element, copy.offset < JSONText.shownCopies ? thumbnails(copy.element) : nil)
          json.member("label", labels[copy.element.labels.first ?? 0])
          json.member("isTest", copy.element.isTest)
        }
      }
    }
  }

  /// Appends the name of a photo and its thumbnail, null if it is not shown.
  mutating func photo(_ photo: TrainingSet.Photo, _ thumbnail: Thumbnail?) {
    member("photo", photo.name)
    guard let thumbnail else { return member("image", nil as String?) }
    member("image") { json in
      json.member("width", thumbnail.size.width)
      json.member("height", thumbnail.size.height)
      json.member("jpeg", Base64.encode(thumbnail.jpeg))
    }
  }
}

extension [TrainingSet.Photo] {
  /// The harm of probable duplicates: 0 in two classes, 1 in training and test, 2 in one class.
  fileprivate var harm: Int {
    if Set(map { $0.labels.first ?? 0 }).count > 1 { return 0 }
    return Set(map(\.isTest)).count > 1 ? 1 : 2
  }
}

extension [Thresholds.Point] {
  /// Keeps the first point of each of `count` equal threshold ranges, and the last point.
  func thinned(to count: Int) -> [Thresholds.Point] {
    guard self.count > count else { return self }
    var kept: [Thresholds.Point] = []
    var part = -1
    for point in self where Int(point.threshold * Double(count)) > part {
      part = Int(point.threshold * Double(count))
      kept.append(point)
    }
    if let last, kept.last != last { kept.append(last) }
    return kept
  }
}
