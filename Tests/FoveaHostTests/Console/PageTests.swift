// SPDX-License-Identifier: Apache-2.0
#if Server
@testable import FoveaHost
import FoveaHTTP
import Hummingbird
import Testing

@Suite struct PageTests {
  @Test func `foreign texts are escaped`() throws {
    let text = try PageTemplates().render(
      "problem", ["title": "<b>", "message": "\"'&", "remedy": "</p>", "back": "\"><script>"])
    #expect(text.contains("<h1>&lt;b&gt;</h1>"))
    #expect(text.contains("&quot;&#39;&amp;"))
    #expect(!text.contains("<script>"))
  }

  @Test func `the style sheet, the script and the icon exist, and the script is small`() throws {
    let files = try PageTemplates().files
    #expect(files.map(\.name).sorted() == ["console.js", "icon.svg", "style.css"])
    let script = try #require(files.first { $0.name == "console.js" })
    #expect(script.body.readableBytes <= 10_000)
  }

  @Test(
    arguments: [
      ("/console/models/bird/rollback", "/console/models/bird"), ("/console/models/bird", "/console/models"),
      ("/console/models/a%20b/withdraw", "/console/models/a%20b"), ("/console/publish", "/console/models"),
      ("/console/experiments/e1/pause", "/console/experiments/e1"),
      ("/console/experiments/e1", "/console/experiments"),
      ("/console/experiment/ask", "/console/experiments"),
      ("/console/config/versions/1/rollback", "/console/config"), ("/console/config", "/console/models"),
      ("/console/keys/ab/revoke", "/console/keys"), ("/console/audit.csv", "/console/models"),
      ("/console", "/console/models"), ("", "/console/models"),
    ])
  func `a refusal links to the page of its object, or to its section`(_ path: String, _ back: String) {
    #expect(PageFrame.back(from: path) == back)
    #expect(PageFrame.back(from: "/console/keys", isForm: true) == "/console/keys")
  }

  @Test func `a missing template is an error`() throws {
    let templates = try PageTemplates()
    #expect(throws: HostError.self) { try templates.render("nothing", [:]) }
  }

  @Test(
    arguments: [
      (nil, nil, [], nil),
      ("{\"a\":\"1\"}", "{\"a\":\"1\"}", [], nil),
      (
        "{\"a\":\"1\",\"c\":\"3\"}", "{\"a\":\"2\",\"b\":\"4\"}", ["a:1>2", "b:->4", "c:3>-"],
        "a: 1 → 2, b: 4, c: 3 → –"
      ),
      (nil, "{\"a\":\"2\"}", ["a:->2"], "a: 2"),
      ("words", "others", [":words>others"], "words → others"),
      (nil, "[1]", [":->[1]"], "[1]"),
      (
        nil, "{\"version 1\":\"\(AppKey.digest(of: "x"))\"}",
        ["version 1:->\(AppKey.digest(of: "x"))"], "version 1: \(AppKey.digest(of: "x").prefix(12))"
      ),
    ] as [(String?, String?, [String], String?)])
  func `an audit log row has the differences, and a line of text`(
    _ before: String?, _ after: String?, _ expected: [String], _ line: String?
  ) {
    let found = EntryChange.changes(from: before, to: after)
    #expect(found.map { "\($0.name):\($0.before?.text ?? "-")>\($0.after?.text ?? "-")" } == expected)
    var entry = AuditEntry(time: Timestamp(milliseconds: 0), actor: "ci", action: "x", project: "birds")
    (entry.before, entry.after) = (before, after)
    #expect(HostAnswer.History.Entry(entry).changeText == line)
  }

  @Test func `a change in the audit log is shown as before and after`() throws {
    var entry = AuditEntry(
      time: Timestamp(milliseconds: 0), actor: "ci", action: "key.add", project: "birds")
    entry.before = #"{"expires":"2026-11-23T08:54:06.306Z","name":"<b>"}"#
    entry.after = #"{"name":"c"}"#
    let text = try PageTemplates().render("entries", ["entries": [EntryRow(entry)]])
    let time = #"<time datetime="2026-11-23T08:54:06.306Z">2026-11-23 08:54 UTC</time>"#
    #expect(text.contains(#"<p><del>\#(time)</del>  <span class="hint">expires</span></p>"#), "\(text)")
    #expect(
      text.contains(#"<p><del>&lt;b&gt;</del> <ins>c</ins> <span class="hint">name</span></p>"#), "\(text)")
  }

  @Test(
    arguments: [
      ("2026-11-23T08:54:06.306Z", "2026-11-23 08:54 UTC"), ("2026-11-23", nil), ("viewer", nil), ("", nil),
    ] as [(String, String?)])
  func `a time in the audit log is shown like every other time`(_ text: String, _ shown: String?) {
    #expect(EntryText(text).moment?.text == shown)
    #expect(EntryText(text).text == text)
  }

  @Test(arguments: [
    ("admin-1a2b@birds.iam.gserviceaccount.com", "admin-1a2b"), ("AIza…2Qce", "AIza…2Qce"), ("", ""),
    ("init", "init"),
  ])
  func `a key is named by the part before its project`(_ name: String, _ short: String) {
    #expect(KeyName.short(name) == short)
  }

  @Test(
    arguments: [
      (0, "1970-01-01 00:00 UTC"), (1_795_424_046_306, "2026-11-23 08:54 UTC"),
    ] as [(Int64, String)])
  func `a moment is shown to the minute`(_ milliseconds: Int64, _ text: String) {
    #expect(Moment(Timestamp(milliseconds: milliseconds)).text == text)
  }

  @Test func `line ends of text fields are normalised`() {
    #expect("a\r\n\r\nb\rc\n".withPlainLineEnds == "a\n\nb\rc\n")
    #expect("\r\r\n\n\ré\r".withPlainLineEnds == "\r\n\n\ré\r" && "".withPlainLineEnds == "")
  }
}
#endif
