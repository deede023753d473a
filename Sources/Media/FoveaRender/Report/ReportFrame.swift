// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats

/// What every report begins with: the head, with a policy that forbids everything else, and the heading.
struct ReportFrame {
  let title: String
  var facts: [HTMLReport.Fact] = []
  /// The style sheet.
  let style: String
  /// The script; nil for a page without one.
  var script: String?

  /// Everything before `<main>`.
  func start(tiles: String, more: String = "") -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>\(ReportText.escaped(title))</title>
    <style>\(style)</style>
    </head>
    <body>
    <header>
    <h1>\(ReportText.escaped(title))</h1>
    \(Self.list(facts))\(more)\(tiles)</header>

    """
  }

  /// Nothing may be fetched, and only this style and this script may act.
  ///
  /// **Source:** W3C, Content Security Policy Level 3, sections 6.1 and 6.7.3.
  private var policy: String {
    let scripts = script.map { "script-src '\(Self.checksum($0))'; " } ?? ""
    return "default-src 'none'; img-src data:; style-src '\(Self.checksum(style))'; \(scripts)"
      + "base-uri 'none'; form-action 'none'"
  }

  private static func checksum(_ text: String) -> String {
    "sha256-" + Base64.encode(SHA256.digest(of: Array(text.utf8).span))
  }

  /// Names with their values; nothing where there is none.
  static func list(_ facts: [HTMLReport.Fact]) -> String {
    guard !facts.isEmpty else { return "" }
    return "<dl class=\"facts\">\n"
      + facts.map {
        "<div><dt>\(ReportText.escaped($0.name))</dt><dd><bdi>\(ReportText.escaped($0.value))</bdi></dd></div>\n"
      }.joined() + "</dl>\n"
  }

  /// The large numbers at the top: the number, what it counts, and whether it is bad.
  static func tiles(_ tiles: [(String, String, Bool)]) -> String {
    "<dl class=\"tiles\">\n"
      + tiles.map { "<div\($0.2 ? " class=\"bad\"" : "")><dt>\($0.1)</dt><dd>\($0.0)</dd></div>\n" }.joined()
      + "</dl>\n"
  }
}
