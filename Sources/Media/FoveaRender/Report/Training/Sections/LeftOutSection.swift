// SPDX-License-Identifier: Apache-2.0

/// Photos that could not be used, and why.
struct LeftOutSection {
  let photos: [TrainingPage.LeftOut]

  private static let limit = 1_000

  /// The panel; nil where every photo was used.
  var section: ReportSection? {
    guard !photos.isEmpty else { return nil }
    let rows = photos.prefix(Self.limit).map { photo in
      "<li><strong><bdi>\(ReportText.escaped(photo.name, limit: 200))</bdi></strong>: "
        + "\(ReportText.escaped(photo.reason))</li>\n"
    }
    let list = "<ul class=\"failures\">\n\(rows.joined())</ul>\n"
    let rest = photos.count - rows.count
    let more = rest == 0 ? "" : "<p class=\"note\">\(ReportNumber.grouped(rest)) more are not listed.</p>\n"
    let body = rows.count > 20 ? "<details><summary>Show them</summary>\n\(list)\(more)</details>\n" : list
    return ReportSection(
      id: "left-out", title: "\(ReportNumber.counted(photos.count, "photo")) left out", body: body)
  }
}
