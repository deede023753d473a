// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats

extension ReportSummary {
  /// The totals, as the last members of the page's data.
  var members: [UInt8] {
    var json = JSONText(capacity: 4096)
    json.object { json in
      json.member("imageCount", imageCount)
      json.member("kind", kind.rawValue)
      json.member("bins", bins)
      json.member("otherFindings", otherFindings)
      json.member("classes", classes) { json, total in
        json.object { json in
          json.member("label", ReportText.shortened(total.label))
          json.member("findings", total.findings)
          json.member("images", total.imageCount)
          json.member("best", total.best)
          if kind == .maps {
            json.member("share", total.sum / Double(imageCount - failedCount), places: 4)
          }
          json.color(of: total.label, total.tone)
        }
      }
      json.member("stages", stages.filter { $0.times.count > 0 }) { json, stage in
        json.object { json in
          json.member("name", ReportText.shortened(stage.name))
          json.member("median", stage.times.milliseconds(atShare: 0.5))
          json.member("most", stage.times.milliseconds(atShare: 0.95))
        }
      }
    }
    // The object was already opened before the images.
    return Array(ReportPage.embedded(json.text).dropFirst())
  }

  /// Returns the values that the page shows without script.
  func values(_ options: HTMLReport.Options, thumbnails: Int) -> [String: ReportPage.Value] {
    let facts = options.facts.map { ["name": ReportPage.Value.text($0.name), "value": .text($0.value)] }
    return [
      "title": .text(options.title), "about": .list(facts.isEmpty ? [] : [["facts": .list(facts)]]),
      "tiles": .list(tiles), "failed": .list(failures.isEmpty ? [] : [failed]),
      "nothing": .list(imageCount == 0 ? [[:]] : []),
      "limits": .list(limits(options, thumbnails)),
      "scored": .list(kind == .maps ? [] : [[:]]), "answers": .text(kind.noun.several),
      "drawn": .text(kind == .maps ? "Maps" : "Boxes, masks and keypoints"),
    ]
  }

  private var tiles: [[String: ReportPage.Value]] {
    var tiles = [
      (ReportNumber.grouped(imageCount), imageCount == 1 ? "image" : "images"),
      (ReportNumber.grouped(answers), answers == 1 ? kind.noun.one : kind.noun.several),
      (ReportNumber.grouped(failedCount), "failed"),
    ]
    if let total = stages.first(where: { $0.name == "total" })?.times, total.count > 0 {
      tiles.append(
        (ReportNumber.duration(milliseconds: total.milliseconds(atShare: 0.5)), "median per image"))
    }
    return tiles.map { value, name in
      let isBad = name == "failed" && failedCount > 0
      return ["value": .text(value), "name": .text(name), "isBad": .list(isBad ? [[:]] : [])]
    }
  }

  private var failed: [String: ReportPage.Value] {
    let rest = failedCount - failures.count
    return [
      "count": .text(ReportNumber.grouped(failedCount)),
      // Many failures are folded, so that the images stay in view.
      "folded": .list(failures.count > 20 ? [[:]] : []),
      "failures": .list(
        failures.map { failure in
          [
            "name": .text(failure.name), "message": .text(failure.message),
            "remedy": .text(failure.remedy.sentence), "code": .text(failure.code),
          ]
        }),
      "more": .list(rest > 0 ? [["count": .text(ReportNumber.grouped(rest))]] : []),
    ]
  }

  /// Returns a line on the limits that the page reached, if any.
  private func limits(_ options: HTMLReport.Options, _ thumbnails: Int) -> [[String: ReportPage.Value]] {
    var notes: [String] = []
    if imageCount > options.imageLimit {
      notes.append(
        "The first \(ReportNumber.grouped(options.imageLimit)) images have a card; totals count all.")
    }
    if thumbnails > 0, imageCount - failedCount > thumbnails {
      notes.append("The first \(ReportNumber.grouped(thumbnails)) are shown with their image.")
    }
    return notes.isEmpty ? [] : [["limit": .text(notes.joined(separator: " "))]]
  }
}
