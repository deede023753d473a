// SPDX-License-Identifier: Apache-2.0

/// Photos that are probably the same, those that spoil the training or the test first.
struct SamePhotosSection {
  let groups: [TrainingPage.SamePhotos]
  let names: ClassNames

  /// The most groups that are listed, and photos of each.
  private static let limit = 500
  private static let photoLimit = 12

  /// How much harm a group does, the most first.
  private enum Harm: Int, CaseIterable {
    case inTwoClasses
    case inTest
    case twice

    var words: String {
      switch self {
      case .inTwoClasses: "in two classes"
      case .inTest: "in training and test"
      case .twice: "in one class"
      }
    }
  }

  /// The panel; nil without a group.
  func section(_ budget: inout PhotoGrid.Budget) -> ReportSection? {
    guard !groups.isEmpty else { return nil }
    budget.begin(PhotoGrid.Budget.page)
    let ranked = groups.indices.sorted { (harm(groups[$0]).rawValue, $0) < (harm(groups[$1]).rawValue, $1) }
    var blocks = ""
    for place in ranked.prefix(Self.limit) { blocks += block(groups[place], &budget) }
    let rest = groups.count - min(groups.count, Self.limit)
    let more = rest == 0 ? "" : "<p class=\"note\">\(ReportNumber.grouped(rest)) more are not listed.</p>\n"
    return ReportSection(
      id: "same", title: "Probably the same photo",
      body: "<p class=\"note\">\(counts)</p>\n<div class=\"groups\">\n\(blocks)</div>\n\(more)")
  }

  private var counts: String {
    let parts = Harm.allCases.compactMap { harm -> String? in
      let count = groups.count { self.harm($0) == harm }
      return count == 0 ? nil : "\(ReportNumber.grouped(count)) \(harm.words)"
    }
    return parts.joined(separator: ", ")
      + ". A photo that is in two classes is wrong in one of them. Photos that look alike when they are small may stand here as well."
  }

  private func harm(_ group: TrainingPage.SamePhotos) -> Harm {
    if Set(group.photos.map(\.given)).count > 1 { return .inTwoClasses }
    return Set(group.photos.map(\.isTest)).count > 1 ? .inTest : .twice
  }

  private func block(_ group: TrainingPage.SamePhotos, _ budget: inout PhotoGrid.Budget) -> String {
    let harm = harm(group)
    let grid = PhotoGrid(
      group.photos.prefix(Self.photoLimit).map { item($0, hasTest: harm != .twice) }, &budget)
    let rest = group.photos.count - min(group.photos.count, Self.photoLimit)
    let more = rest == 0 ? "" : "<p class=\"note\">\(ReportNumber.grouped(rest)) more</p>\n"
    return "<div class=\"group\">\n<h3>\(harm.words) <span class=\"count\">"
      + "\(group.isSameFile ? "the same file" : "alike")</span></h3>\n\(grid.html)\(more)</div>\n"
  }

  private func item(_ copy: TrainingPage.SamePhotos.Copy, hasTest: Bool) -> PhotoGrid.Item {
    let test = copy.isTest ? "test" : "training"
    return PhotoGrid.Item(
      photo: copy.photo, words: "\(names.plain(copy.given)), \(test)",
      lines: [names.short(copy.given)] + (hasTest && copy.isTest ? [test] : []))
  }
}
