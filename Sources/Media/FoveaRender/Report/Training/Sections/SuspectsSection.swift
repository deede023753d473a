// SPDX-License-Identifier: Apache-2.0

/// Photos that are probably mislabelled.
struct SuspectsSection {
  let suspects: [TrainingPage.Suspect]
  /// How many are expected to be mislabelled.
  let expected: Int?
  let names: ClassNames

  /// The most photos that have a thumbnail, and that are listed at all.
  private static let thumbnailLimit = 120
  private static let limit = 1_000

  /// The panel; nil without a suspect.
  func section(_ budget: inout PhotoGrid.Budget) -> ReportSection? {
    guard !suspects.isEmpty else { return nil }
    budget.begin(Self.thumbnailLimit)
    let grid = PhotoGrid(suspects.prefix(Self.limit).map(item), &budget)
    let hope =
      expected.map {
        " Expected to be mislabelled: about \(ReportNumber.grouped($0)) of \(ReportNumber.grouped(suspects.count))."
      } ?? ""
    let note =
      "<p class=\"note\">Another class is far likelier than the one that was given. Check whether these photos are in "
      + "the wrong folder.\(hope)</p>\n"
    let rest = suspects.count - min(suspects.count, Self.limit)
    let more = rest == 0 ? "" : "<p class=\"note\">\(ReportNumber.grouped(rest)) more are not listed.</p>\n"
    return ReportSection(id: "suspects", title: "Probably mislabelled", body: note + grid.html + more)
  }

  private func item(_ suspect: TrainingPage.Suspect) -> PhotoGrid.Item {
    let times = suspect.ratio >= 1_000 ? "over 1,000 times" : ReportNumber.times(suspect.ratio)
    let likely = suspect.ratio.isNaN ? "likelier" : "\(times) as likely"
    return PhotoGrid.Item(
      photo: suspect.photo,
      words: "given \(names.plain(suspect.given)), \(names.plain(suspect.likelier)) is \(likely)",
      lines: ["\(names.short(suspect.given)) → \(names.short(suspect.likelier))", likely])
  }
}
