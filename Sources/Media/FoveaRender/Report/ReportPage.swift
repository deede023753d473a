// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats

/// The page around the cards: written when all totals are known.
struct ReportPage {
  let options: HTMLReport.Options
  let summary: ReportSummary
  /// How many cards show their image.
  let thumbnails: Int

  /// Everything before the first card.
  var start: String {
    ReportFrame(
      title: options.title, facts: options.facts, style: ReportStyle.sheet, script: ReportScript.source
    )
    .start(tiles: tiles) + """
      <main>
      <div class="overview">
      \(ReportHistogram(bins: summary.bins).html)\(classes)\(times)</div>
      \(failures)<section aria-labelledby="h-images">
      <h2 id="h-images">Images</h2>
      \(tools)<ol id="images" class="grid">

      """
  }

  /// Everything after the last card.
  var end: String {
    var notes: [String] = []
    if summary.pictures > options.pictureLimit {
      notes.append(
        "The first \(ReportNumber.grouped(options.pictureLimit)) images have a card; totals count all.")
    }
    if thumbnails > 0, summary.pictures - summary.failed > thumbnails {
      notes.append("The first \(ReportNumber.grouped(thumbnails)) are shown with their image.")
    }
    let note = notes.isEmpty ? "" : "<p class=\"note\">\(notes.joined(separator: " "))</p>\n"
    return """
      </ol>
      \(summary.pictures == 0 ? "<p class=\"note\">No image was processed.</p>\n" : "")</section>
      </main>
      <footer>
      \(note)<p>Boxes are those of the upright image. Made by Fovea; this page holds everything that it shows.</p>
      </footer>
      <script>\(ReportScript.source)</script>
      </body>
      </html>

      """
  }

  private var tiles: String {
    var tiles = [
      (ReportNumber.grouped(summary.pictures), summary.pictures == 1 ? "image" : "images", false),
      (
        ReportNumber.grouped(summary.findings),
        (summary.areLabels ? "label" : "object") + (summary.findings == 1 ? "" : "s"), false
      ),
      (ReportNumber.grouped(summary.failed), "failed", summary.failed > 0),
    ]
    if let total = summary.stages.first(where: { $0.name == "total" })?.times, total.count > 0 {
      tiles.append(
        (ReportNumber.duration(milliseconds: total.milliseconds(atShare: 0.5)), "median per image", false))
    }
    return ReportFrame.tiles(tiles)
  }

  private var classes: String { ReportClasses(summary: summary).html }

  private var times: String {
    let ran = summary.stages.filter { $0.times.count > 0 }
    guard !ran.isEmpty else { return "" }
    let rows = ran.map { stage in
      "<tr><th scope=\"row\">\(ReportText.escaped(stage.name))</th>"
        + [0.5, 0.95].map {
          "<td class=\"n\">\(ReportNumber.duration(milliseconds: stage.times.milliseconds(atShare: $0)))</td>"
        }.joined() + "</tr>\n"
    }
    return """
      <section class="panel" aria-labelledby="h-times">
      <h2 id="h-times">Time of each image</h2>
      <table>
      <thead><tr><th scope="col">stage</th><th scope="col" class="n">median</th>\
      <th scope="col" class="n">95 % within</th></tr></thead>
      <tbody>
      \(rows.joined())</tbody>
      </table>
      </section>

      """
  }

  private var failures: String {
    guard !summary.failures.isEmpty else { return "" }
    let rows = summary.failures.map { failure in
      "<li><strong><bdi>\(ReportText.escaped(failure.name))</bdi></strong>: "
        + "\(ReportText.escaped(failure.message)). \(ReportText.escaped(failure.remedy).sentence) "
        + "<code>\(ReportText.escaped(failure.code))</code></li>\n"
    }
    // Many failures must not push the images out of sight.
    let isFolded = rows.count > 20
    let rest = summary.failed - rows.count
    return """
      <section class="panel failures" aria-labelledby="h-failures">
      <h2 id="h-failures">\(ReportNumber.grouped(summary.failed)) failed</h2>
      \(isFolded ? "<details><summary>Show them</summary>\n" : "")<ul>
      \(rows.joined())</ul>
      \(rest > 0 ? "<p class=\"note\">\(ReportNumber.grouped(rest)) more are not listed.</p>\n" : "")\
      \(isFolded ? "</details>\n" : "")</section>

      """
  }

  private var tools: String {
    guard summary.pictures > 1 else { return "" }
    let choices = ReportClasses(summary: summary).ranked.prefix(200).map { number, total in
      "<option value=\"\(number)\">\(ReportText.escaped(ReportClasses.name(total)))</option>\n"
    }
    return """
      <div id="tools" role="search" aria-label="Images" hidden>
      <div class="tools">
      <label>Name<input id="by-name" type="search" autocomplete="off" placeholder="part of a file name"></label>
      <label>Shows<select id="by-class">
      <option value="">anything</option>
      \(choices.joined())<option value="none">nothing</option>
      </select></label>
      <label>Score at least <output id="least" for="by-score">0.00</output>\
      <input id="by-score" type="range" min="0" max="1" step="0.05" value="0"></label>
      <label>Order<select id="by-order">
      <option value="run">as in the run</option>
      <option value="name">name</option>
      <option value="sure">surest first</option>
      <option value="unsure">least sure first</option>
      <option value="many">most found first</option>
      <option value="slow">slowest first</option>
      </select></label>
      </div>
      <p id="shown" class="shown" role="status"></p>
      </div>

      """
  }
}
