// SPDX-License-Identifier: Apache-2.0

/// Photos with a wrong answer, the surest first, those of a pair of classes together.
struct MistakesSection {
  private typealias Group = (pair: ConfusionCounts.Pair, mistakes: [TrainingPage.Mistake])

  /// The most photos that have a thumbnail, and that are listed at all.
  private static let thumbnailLimit = 60
  private static let limit = 2_000

  let names: ClassNames
  private let count: Int
  private let groups: [Group]

  init(_ mistakes: [TrainingPage.Mistake], names: ClassNames) {
    self.names = names
    count = mistakes.count
    var groups: [Group] = []
    var places: [ConfusionCounts.Pair: Int] = [:]
    for mistake in Self.surest(mistakes) {
      let pair = ConfusionCounts.Pair(given: mistake.given, answered: mistake.answered)
      if let place = places[pair] {
        groups[place].mistakes.append(mistake)
      } else {
        places[pair] = groups.count
        groups.append((pair, [mistake]))
      }
    }
    self.groups = groups
  }

  /// By falling score; the first have their thumbnail.
  private static func surest(_ mistakes: [TrainingPage.Mistake]) -> [TrainingPage.Mistake] {
    func key(_ mistake: TrainingPage.Mistake) -> (Double, String, Int) {
      (mistake.score.isNaN ? .infinity : -mistake.score, mistake.photo.name, mistake.given)
    }
    var sorted = Array(mistakes.sorted { key($0) < key($1) }.prefix(limit))
    for place in sorted.indices.dropFirst(thumbnailLimit) { sorted[place].photo.thumbnail = nil }
    return sorted
  }

  /// The pairs of classes that have photos here.
  var pairs: Set<ConfusionCounts.Pair> { Set(groups.map(\.pair)) }

  /// The panel; nil without a mistake.
  func section(_ budget: inout PhotoGrid.Budget) -> ReportSection? {
    guard count > 0 else { return nil }
    budget.begin(Self.thumbnailLimit)
    var shown: [String] = []
    var named: [String] = []
    for group in groups {
      let grid = PhotoGrid(group.mistakes.map(item), &budget)
      if grid.shown.isEmpty {
        named.append(block(group, grid))
      } else {
        shown.append(block(group, grid))
      }
    }
    return ReportSection(id: "mistakes", title: "Surest mistakes", body: body(shown, named))
  }

  private func body(_ shown: [String], _ named: [String]) -> String {
    var body = shown.isEmpty ? "" : "<div class=\"groups\">\n\(shown.joined())</div>\n"
    let list = "<div class=\"lists\">\n\(named.joined())</div>\n"
    if !named.isEmpty, !shown.isEmpty || named.count > 20 {
      let what =
        (shown.isEmpty ? "Show " : "")
        + ReportNumber.counted(named.count, shown.isEmpty ? "pair" : "other pair")
        + " of classes"
      body += "<details><summary>\(what)</summary>\n\(list)</details>\n"
    } else if !named.isEmpty {
      body += list
    }
    let rest = count - min(count, Self.limit)
    return rest == 0
      ? body : body + "<p class=\"note\">\(ReportNumber.grouped(rest)) more are not listed.</p>\n"
  }

  private func block(_ group: Group, _ grid: PhotoGrid) -> String {
    let photos = ReportNumber.counted(group.mistakes.count, "photo")
    return "<div class=\"group\" id=\"\(group.pair.id)\">\n<h3>\(names.short(group.pair.given)) → "
      + "\(answer(group.pair)) <span class=\"count\">\(photos)</span></h3>\n\(grid.html)</div>\n"
  }

  private func answer(_ pair: ConfusionCounts.Pair) -> String {
    pair.answered.map(names.short) ?? "no answer"
  }

  private func item(_ mistake: TrainingPage.Mistake) -> PhotoGrid.Item {
    let score = ReportNumber.fixed(mistake.score, 2)
    let answered = mistake.answered.map { "answered \(names.plain($0))" } ?? "no answer"
    return PhotoGrid.Item(
      photo: mistake.photo, words: "given \(names.plain(mistake.given)), \(answered) with \(score)",
      lines: ["score \(score)"])
  }
}
