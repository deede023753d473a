// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaFormats
import FoveaTesting
import Testing

@Suite struct ReportPageTests {
  static let values: [String: ReportPage.Value] = [
    "title": .text("a <b> {{style}}"), "command": .text("fovea"), "summary": .list([]),
    "advice": .list([["lines": .list([["line": .text("first")], ["line": .text("second")]])]]),
    "tiles": .list([
      ["name": .text("photos"), "value": .text("3"), "isBad": .list([])],
      ["name": .text("bad"), "value": .text("1"), "isBad": .list([[:]])],
    ]),
    "settings": .list([["name": .text("n"), "value": .text("v")]]),
  ]

  @Test func `lists are repeated, texts are escaped and never expanded again`() throws {
    let page = ReportPage(.training, Self.values).start
    #expect(try ReportParts.part(page, "<h1>", "</h1>") == "a &lt;b&gt; {{style}}")
    #expect(try ReportParts.part(page, "<ol>\n", "</ol>") == "<li>first</li>\n<li>second</li>\n")
    #expect(
      try ReportParts.part(page, "<dl class=\"tiles\">\n", "</dl>") == """
        <div><dt>photos</dt><dd>3</dd></div>
        <div class="bad"><dt>bad</dt><dd>1</dd></div>

        """)
    #expect(!page.contains("class=\"summary\"") && !page.contains("id=\"h-left-out\""))
  }

  @Test func `a name without a value stays, so that a test finds it`() {
    #expect(ReportPage(.training, [:]).start.contains("<h1>{{title}}</h1>"))
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("</script><!--", "\\u003c/script>\\u003c!--"), ("<\u{338}/", "\\u003c\u{338}/"),
  ])
  func `JSON in a page closes no element`(_ text: String, _ expected: String) {
    #expect(ReportPage.embedded(text) == Array(expected.utf8))
  }

  @Test func `the page is its head, its data and its tail`() {
    let page = ReportPage(.training, Self.values)
    let bytes = page.bytes { $0.member("name", "<\u{2028}>") }
    #expect(bytes == Array((page.start + #"{"name": "\u003c\u2028>"}"# + page.end).utf8))
  }

  @Test func `the page fetches nothing, and only its own style and script run`() throws {
    let page = ReportPage(.training, Self.values)
    func checksum(_ text: String) -> String {
      "'sha256-\(Base64.encode(SHA256.digest(of: Array(text.utf8).span)))'"
    }
    let style = try ReportParts.part(page.start, "<style>", "</style>")
    let script = try ReportParts.part(page.end, "<script>", "</script>")
    #expect(
      try ReportParts.part(page.start, "Content-Security-Policy\" content=\"", "\"")
        == "default-src 'none'; img-src data:; style-src \(checksum(style)); script-src \(checksum(script)); "
        + "base-uri 'none'; form-action 'none'")
    let text = (page.start + page.end).replacing("'http://www.w3.org/2000/svg'", with: "")
    for address in [
      "http:", "https:", "url(", "@import", "fetch(", "XMLHttp", "eval(", "innerHTML", "import ",
    ] {
      #expect(!text.contains(address), "\(address)")
    }
  }
}
