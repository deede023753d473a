// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension TrainingPage {
  /// The page: one HTML file in UTF-8 that fetches nothing and has no script.
  package var bytes: [UInt8] { Array(html.utf8) }

  /// Writes the page, whole or not at all; an older file is replaced.
  /// - Parameter path: The page's file, in a folder that exists.
  /// - Throws: `report-unwritable` where nothing can be written there, or the disk is full; an older page stays.
  package func write(to path: String) throws(RenderError) {
    do throws(SystemError) { try ReplacedFile.write(bytes, to: path) } catch {
      throw .reportUnwritable(path, error.isInUse ? "another process is writing it" : error.message)
    }
  }

  var html: String {
    let (columns, sections) = parts
    let all = columns.flatMap(\.self) + sections
    let links =
      all.count < 3 ? "" : "<nav aria-label=\"Parts\">\n<ul>\n\(all.map(\.link).joined())</ul>\n</nav>\n"
    let head = TrainingHead(page: self)
    return ReportFrame(title: title, facts: facts, style: TrainingStyle.sheet).start(
      tiles: head.tiles, more: head.summary) + """
        <main>
        \(head.advice)\(links)\
        \(columns.isEmpty ? "" : "<div class=\"plots\">\n\(columns.map(column).joined())</div>\n")\
        \(sections.map(\.html).joined())\
        \(all.isEmpty ? "<p class=\"note\">There are no figures.</p>\n" : "")</main>
        <footer>
        <p>Made by Fovea; this page holds everything that it shows.</p>
        </footer>
        </body>
        </html>

        """
  }

  private func column(_ parts: [ReportSection]) -> String {
    let panels = parts.map(\.html).joined()
    return parts.count == 1 ? panels : "<div class=\"column\">\n\(panels)</div>\n"
  }

  /// The parts: those in columns next to each other, and those as wide as the page.
  private var parts: (columns: [[ReportSection]], sections: [ReportSection]) {
    let names = ClassNames(labels: labels)
    let mistakes = MistakesSection(mistakes, names: names)
    let counts = confusion.map { ConfusionCounts($0, classes: labels.count) }
    var budget = PhotoGrid.Budget()
    let columns = [
      [FiguresSection(figures: Array(figures.prefix(3)), threshold: threshold).section],
      [curve.flatMap { ThresholdPlot(curve: $0, threshold: threshold?.value).section }],
      [
        reliability.flatMap { ReliabilityPlot(reliability: $0).section },
        learning.flatMap { LearningPlot(learning: $0).section },
      ],
    ]
    let sections = [
      BoxesSection(figures: Array(boxes.prefix(3))).section,
      ClassesSection(classes: classes, names: names).section,
      counts.flatMap { ConfusionSection(counts: $0, names: names, linked: mistakes.pairs).section },
      mistakes.section(&budget),
      SuspectsSection(suspects: suspects, expected: suspectsExpected, names: names).section(&budget),
      SamePhotosSection(groups: samePhotos, names: names).section(&budget),
      LeftOutSection(photos: leftOut).section, BackbonesSection(backbones: backbones).section,
      SettingsSection(settings: settings, command: command).section,
    ]
    return (columns.map { $0.compactMap(\.self) }.filter { !$0.isEmpty }, sections.compactMap(\.self))
  }
}
