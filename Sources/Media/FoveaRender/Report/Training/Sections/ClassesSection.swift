// SPDX-License-Identifier: Apache-2.0

/// The table of classes, those first for which more photos would bring most.
struct ClassesSection {
  let classes: [TrainingPage.ClassFigures]
  let names: ClassNames

  /// How many classes are shown before the rest folds away, and how many at most.
  private static let openLimit = 20
  private static let limit = 2_000

  /// A column: its head, and its text for a class; nothing where no class has it.
  private typealias Column = (head: String, text: (TrainingPage.ClassFigures) -> String)

  /// The panel; nil without a class.
  var section: ReportSection? {
    guard !classes.isEmpty else { return nil }
    let order = ranked.prefix(Self.limit)
    let open = order.count <= Self.openLimit + 5 ? order.count : Self.openLimit
    var body = table(order.prefix(open))
    if order.count > open {
      body +=
        "<details><summary>\(ReportNumber.grouped(order.count - open)) more classes</summary>\n"
        + table(order.dropFirst(open)) + "</details>\n"
    }
    if classes.count > order.count {
      body +=
        "<p class=\"note\">\(ReportNumber.grouped(classes.count - order.count)) more are not listed.</p>\n"
    }
    if classes.contains(where: { $0.gain != nil }) {
      body +=
        "<p class=\"note\">“Gain” is about what twice as many photos of a class would add to its recall; the "
        + "largest comes first.</p>\n"
    }
    return ReportSection(id: "classes", title: "Classes, weak ones first", body: body)
  }

  /// The places of the classes: by falling gain, then by rising recall, then as they are.
  private var ranked: [Int] {
    func key(_ index: Int) -> (Double, Double, Int) {
      let gain = classes[index].gain ?? -.infinity
      let recall = classes[index].recall ?? .infinity
      return (gain.isNaN ? .infinity : -gain, recall.isNaN ? .infinity : recall, index)
    }
    return classes.indices.map(key).sorted(by: <).map(\.2)
  }

  private var columns: [Column] {
    let all: [Column] = [
      ("photos", { ReportNumber.grouped($0.photos) }),
      ("precision", { ReportNumber.share($0.precision) }),
      ("recall", { ReportNumber.share($0.recall) }),
      ("F1", { ReportNumber.share($0.f1) }),
      ("average precision", { ReportNumber.share($0.averagePrecision) }),
      ("threshold", { $0.threshold.map { ReportNumber.fixed($0, 2) } ?? "–" }),
      ("gain", { $0.gain.map { $0 > 0 ? "+" + ReportNumber.percent($0) : ReportNumber.percent($0) } ?? "–" }),
    ]
    return all.filter { column in classes.contains { column.text($0) != "–" } }
  }

  private func table(_ order: ArraySlice<Int>) -> String {
    let columns = columns
    let heads = columns.map { "<th scope=\"col\" class=\"n\">\($0.head)</th>" }.joined()
    let taken = hasTakenFor ? "<th scope=\"col\" class=\"taken\">taken for</th>" : ""
    return """
      <table class="stack">
      <thead><tr><th scope="col">class</th>\(heads)\(taken)</tr></thead>
      <tbody>
      \(order.map { row($0, columns) }.joined())</tbody>
      </table>

      """
  }

  private var hasTakenFor: Bool { classes.contains { $0.takenFor != nil } }

  private func row(_ index: Int, _ columns: [Column]) -> String {
    let figures = columns.map { "<td class=\"n\" data-l=\"\($0.head)\">\($0.text(classes[index]))</td>" }
    var taken = ""
    if hasTakenFor {
      let text = classes[index].takenFor.map {
        "\(names.html($0.label)) (\(ReportNumber.grouped($0.photos)))"
      }
      taken = "<td class=\"taken\" data-l=\"taken for\">\(text ?? "–")</td>"
    }
    return "<tr><th scope=\"row\">\(names.html(index))</th>\(figures.joined())\(taken)</tr>\n"
  }
}
