// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats
import FoveaGeometry

/// One image as the page shows it: the thumbnail with its boxes, and the list of what was found.
struct ImageCard {
  let picture: HTMLReport.Picture
  /// The image's place in the run, from 0.
  let number: Int
  /// The numbers of the classes that it shows.
  let classes: [Int]
  var showsThumbnail = false

  /// The most findings that are drawn and listed; no thumbnail has room for more.
  static let findingLimit = 100
  /// How many findings are listed before the rest folds away.
  private static let openLimit = 5

  /// The list item, on lines of its own; nothing for an image that failed, which the page lists elsewhere.
  var html: String {
    switch picture.answer {
    case .objects(let found): answer(found, one: "object")
    case .labels(let found): answer(found, one: "label")
    case .failure: ""
    }
  }

  private func answer(_ found: [HTMLReport.Finding], one: String) -> String {
    let total = picture.stages.first { $0.name == "total" }?.duration.milliseconds
    var meta = [ReportNumber.counted(found.count, one)]
    if let size = picture.size { meta.insert("\(size.width) × \(size.height)", at: 0) }
    if let total { meta.append(ReportNumber.duration(milliseconds: total)) }
    let best = found.map(\.score).max().map { ReportNumber.fixed($0, 4) } ?? ""
    let numbers = classes.map { " \($0)" }.joined() + (classes.isEmpty ? "" : " ")
    return """
      <li class="card" data-score="\(best)" data-found="\(found.count)" \
      data-ms="\(ReportNumber.fixed(total ?? 0, 3))" data-c="\(numbers)">
      \(shot(found))<h3><bdi>\(name)</bdi></h3>
      <p class="meta">\(meta.joined(separator: " · "))</p>
      \(list(found))</li>

      """
  }

  /// The folder, which is the same for many, less prominent than the name in it.
  private var name: String {
    guard let slash = picture.name.lastIndex(of: "/") else { return ReportText.escaped(picture.name) }
    let start = picture.name.index(after: slash)
    return "<span class=\"folder\">\(ReportText.escaped(String(picture.name[..<start])))</span>"
      + ReportText.escaped(String(picture.name[start...]))
  }

  /// What the image shows, in words, for those who do not see it.
  private func description(_ found: [HTMLReport.Finding]) -> String {
    let shown = found.prefix(Self.openLimit).map { finding in
      "\(ImageCard.label(finding)) \(ReportNumber.fixed(finding.score, 2))"
    }
    let rest = found.count - shown.count
    let words = shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return ReportText.escaped(picture.name + ": " + (found.isEmpty ? "nothing found" : words))
  }

  private func shot(_ found: [HTMLReport.Finding]) -> String {
    guard let size = picture.size, size.width > 0, size.height > 0 else { return "" }
    let thumbnail = showsThumbnail ? picture.thumbnail : nil
    let frame = CardOverlay.frame(of: size)
    let boxes = CardOverlay(frame: frame, picture: size).svg(found.prefix(Self.findingLimit))
    let view = "viewBox=\"0 0 \(frame.width) \(frame.height)\""
    guard let thumbnail else {
      return """
        <div class="shot"><svg \(view) role="img" aria-label="\(description(found))">\
        <rect class="frame" width="\(frame.width)" height="\(frame.height)"/>\(boxes)</svg></div>

        """
    }
    let overlay = boxes.isEmpty ? "" : "<svg \(view) aria-hidden=\"true\">\(boxes)</svg>"
    return """
      <div class="shot"><img alt="\(description(found))" width="\(thumbnail.size.width)" \
      height="\(thumbnail.size.height)" src="data:image/jpeg;base64,\(Base64.encode(thumbnail.jpeg))">\(overlay)</div>

      """
  }

  private func list(_ found: [HTMLReport.Finding]) -> String {
    guard !found.isEmpty else { return "" }
    let listed = found.prefix(Self.findingLimit)
    // One more is not worth folding.
    let open = listed.count <= Self.openLimit + 1 ? listed.count : Self.openLimit
    var html = "<ul class=\"found\">\n" + listed.prefix(open).map(row).joined() + "</ul>\n"
    guard listed.count > open else { return html }
    html +=
      "<details><summary>\(ReportNumber.grouped(found.count - open)) more</summary>\n<ul class=\"found\">\n"
      + listed.dropFirst(open).map(row).joined() + "</ul>\n"
    if found.count > listed.count {
      html += "<p class=\"meta\">\(ReportNumber.grouped(found.count - listed.count)) are not listed.</p>\n"
    }
    return html + "</details>\n"
  }

  private func row(_ finding: HTMLReport.Finding) -> String {
    let style = ReportStyle.className(for: finding.label)
    let share = ReportNumber.coordinate(min(max(finding.score.isNaN ? 0 : finding.score, 0), 1) * 100)
    return """
      <li data-s="\(ReportNumber.fixed(finding.score, 4))"><span class="dot \(style)"></span>\
      <bdi>\(ReportText.escaped(ImageCard.label(finding)))</bdi>\
      <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">\
      <rect class="\(style)" width="\(share)" height="1"/></svg>\
      <span class="number">\(ReportNumber.fixed(finding.score, 2))</span></li>

      """
  }

  /// The class as the page names it.
  static func label(_ finding: HTMLReport.Finding) -> String {
    finding.label.isEmpty ? "object" : finding.label
  }
}
