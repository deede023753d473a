// SPDX-License-Identifier: Apache-2.0

/// What is needed to make the model again.
struct SettingsSection {
  let settings: [HTMLReport.Fact]
  let command: String?

  /// The panel; nil where nothing is known.
  var section: ReportSection? {
    guard !settings.isEmpty || command != nil else { return nil }
    let code = command.map { "<pre><code>\(OptionText.html($0))</code></pre>\n" } ?? ""
    let rows = settings.map { setting in
      "<tr><th scope=\"row\">\(ReportText.escaped(setting.name))</th>"
        + "<td><bdi>\(ReportText.escaped(setting.value))</bdi></td></tr>\n"
    }
    let table =
      rows.isEmpty ? "" : "<table class=\"settings\">\n<tbody>\n\(rows.joined())</tbody>\n</table>\n"
    return ReportSection(id: "settings", title: "How to make it again", body: code + table)
  }
}
