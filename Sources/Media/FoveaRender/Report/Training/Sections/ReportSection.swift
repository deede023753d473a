// SPDX-License-Identifier: Apache-2.0

/// A part of a page: a panel with a heading that others may link to.
struct ReportSection {
  /// What it is called inside the page.
  let id: String
  let title: String
  /// What stands below the heading, on lines of its own.
  let body: String

  var html: String {
    """
    <section class="panel" aria-labelledby="h-\(id)">
    <h2 id="h-\(id)">\(title)</h2>
    \(body)</section>

    """
  }

  /// The link to it.
  var link: String { "<li><a href=\"#h-\(id)\">\(title)</a></li>\n" }
}
