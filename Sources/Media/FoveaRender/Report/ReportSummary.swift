// SPDX-License-Identifier: Apache-2.0

/// The running totals of a report, whose size does not grow with the images.
struct ReportSummary {
  /// The totals of a class.
  struct ClassTotal {
    var label: String
    var findings = 0
    var imageCount = 0
    var best = -Double.infinity
    /// The sum of the scores, for the mean share of a map's class.
    var sum = 0.0
    /// The colour of the class on the page.
    var tone: HTMLReport.Finding.Tone
  }

  /// The kind of results, which sets the words and the columns of the page.
  enum Kind: String {
    case objects, labels, maps

    /// The noun for one result.
    var noun: (one: String, several: String) {
      switch self {
      case .objects: ("object", "objects")
      case .labels: ("label", "labels")
      case .maps: ("class", "classes")
      }
    }
  }

  /// An image that failed.
  struct Failure {
    var name: String
    var code: String
    var message: String
    var remedy: String
  }

  /// The number of bars in the histogram, each 0.05 wide.
  static let binCount = 20
  /// The maximum number of classes counted.
  static let classLimit = 2_000
  /// The maximum number of failures listed.
  static let failureLimit = 1_000

  /// The number of results: of objects or labels, and for maps of the classes in any image.
  var answers: Int { kind == .maps ? classes.count : findings }

  private(set) var imageCount = 0
  private(set) var failedCount = 0
  private(set) var findings = 0
  private(set) var kind = Kind.objects
  private(set) var bins = [Int](repeating: 0, count: binCount)
  private(set) var classes: [ClassTotal] = []
  /// The number of findings of classes beyond the limit.
  private(set) var otherFindings = 0
  private(set) var stages: [(name: String, times: DurationHistogram)] = []
  private(set) var failures: [Failure] = []
  private var classNumbers: [String: Int] = [:]

  /// Adds an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - found: Its findings; empty if it failed.
  /// - Returns: The numbers of the classes in the image, without duplicates.
  mutating func add(_ image: HTMLReport.Image, _ found: [HTMLReport.Finding]) -> [Int] {
    imageCount += 1
    for stage in image.stages { add(stage) }
    switch image.answer {
    case .objects: return add(found)
    case .labels:
      kind = .labels
      return add(found)
    case .map:
      kind = .maps
      return add(found)
    case .failure(let code, let message, let remedy):
      failedCount += 1
      if failures.count < Self.failureLimit {
        failures.append(Failure(name: image.name, code: code, message: message, remedy: remedy))
      }
      return []
    }
  }

  /// Returns the bar for a score; nil if the score is not a number.
  static func bin(of score: Double) -> Int? {
    guard !score.isNaN else { return nil }
    // 1e-9 is added because 0.15 · 20 is less than 3 in floating point.
    return Int(min(max(score * Double(binCount) + 1e-9, 0), Double(binCount - 1)))
  }

  private mutating func add(_ found: [HTMLReport.Finding]) -> [Int] {
    var shown: [Int] = []
    for finding in found {
      findings += 1
      if let bin = Self.bin(of: finding.score) { bins[bin] += 1 }
      guard let number = number(of: finding) else {
        otherFindings += 1
        continue
      }
      classes[number].findings += 1
      classes[number].best = max(classes[number].best, finding.score)
      classes[number].sum += finding.score
      if !shown.contains(number) {
        shown.append(number)
        classes[number].imageCount += 1
      }
    }
    return shown
  }

  private mutating func number(of finding: HTMLReport.Finding) -> Int? {
    if let number = classNumbers[finding.label] { return number }
    guard classes.count < Self.classLimit else { return nil }
    classNumbers[finding.label] = classes.count
    classes.append(ClassTotal(label: finding.label, tone: finding.tone))
    return classes.count - 1
  }

  private mutating func add(_ stage: HTMLReport.Stage) {
    if let index = stages.firstIndex(where: { $0.name == stage.name }) {
      stages[index].times.add(stage.duration)
    } else if stages.count < 100 {
      var times = DurationHistogram()
      times.add(stage.duration)
      stages.append((stage.name, times))
    }
  }
}
