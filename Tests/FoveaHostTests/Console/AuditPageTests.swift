// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
@testable import FoveaHost
import Testing

@Suite struct AuditPageTests {
  @Test(arguments: [
    ("", "", AuditQuery(project: "p")),
    ("text=a%26b&actor=&model=%C3%A9", "?text=a%26b&model=%C3%A9", AuditQuery(text: "a&b", model: "é")),
    (
      "from=2026-11-23&until=2026-11-23", "?from=2026-11-23&until=2026-11-23",
      AuditQuery(from: 1_795_392_000_000, until: 1_795_478_400_000)
    ),
    ("action=rollback&below=7&page=3", "?action=rollback", AuditQuery(action: "rollback", below: 7)),
  ])
  func `the audit log's URL has its filter`(_ text: String, _ again: String, _ query: AuditQuery)
    throws
  {
    let filter = AuditFilter(try RequestQuery(text))
    #expect(try filter.query("p") == query)
    #expect(filter.text(where: nil) == again)
  }

  @Test(arguments: ["from=tomorrow", "until=2026-13-01", "below=x", "from=2026-11-23T00:00:00Z"])
  func `an invalid day or number is rejected`(_ text: String) throws {
    let filter = AuditFilter(try RequestQuery(text))
    #expect(throws: HostError.self) { try filter.query("p") }
  }

  @Test func `a row of the export is one line of cells, and runs nothing in a spreadsheet`() {
    var entry = AuditEntry(
      time: Timestamp(milliseconds: 0), actor: "=cmd()", action: "note", project: "p", model: "a,b")
    entry.number = 7
    entry.before = "say \"no\""
    entry.after = "two\r\nlines"
    #expect(
      AuditCSV.line(entry)
        == "7,1970-01-01T00:00:00.000Z,'=cmd(),note,\"a,b\",\"say \"\"no\"\"\",\"two\r\nlines\"\n")
    // An accent makes another character of the sign, but not for a spreadsheet.
    (entry.actor, entry.model, entry.before, entry.after) = ("=\u{301}x", nil, "é", "")
    #expect(AuditCSV.line(entry) == "7,1970-01-01T00:00:00.000Z,'=\u{301}x,note,,é,\n")
  }

  @Test(
    arguments: [
      ("", 1, 50, nil, "page=2"), ("page=2", 51, 100, "", "page=3"), ("page=3", 101, 120, "page=2", nil),
      ("page=99", 101, 120, "page=2", nil), ("page=-1", 1, 50, nil, "page=2"),
      ("page=x", 1, 50, nil, "page=2"),
      ("page=-9223372036854775808", 1, 50, nil, "page=2"),
      ("page=9223372036854775807", 101, 120, "page=2", nil),
    ] as [(String, Int, Int, String?, String?)])
  func `a long list has pages`(
    _ text: String, _ first: Int, _ last: Int, _ newer: String?, _ older: String?
  ) throws {
    let part = ListPart(Array(1...120), try RequestQuery(text), path: "/l") { [String($0)] }
    #expect(part.elements.first == first && part.elements.last == last)
    #expect(part.values["newer"] as? String == newer.map { $0.isEmpty ? "/l" : "/l?\($0)" })
    #expect(part.values["older"] as? String == older.map { "/l?\($0)" })
  }

  @Test func `a list is searched by its texts, and its pages keep the query`() throws {
    let names = (1...200).map { "Bird \($0)" } + ["fish"]
    let part = ListPart(names, try RequestQuery("q=bIRD+1"), path: "/l") { [$0] }
    #expect(part.elements.count == 50 && part.values["place"] as? String == "1 to 50 of 111")
    #expect(part.values["older"] as? String == "/l?page=2&q=bIRD%201")
    let none = ListPart(names, try RequestQuery("q=crab"), path: "/l") { [$0] }
    #expect(none.elements.isEmpty && none.values["place"] as? String == "none of 0")
    #expect(ListPart(["a"], try RequestQuery(""), path: "/l") { [$0] }.values["search"] == nil)
  }
}

extension AuditQuery {
  fileprivate init(
    text: String = "", action: String = "", model: String = "", from: Int64? = nil, until: Int64? = nil,
    below: Int64? = nil
  ) {
    self.init(project: "p")
    self.text = text
    self.action = action
    self.model = model
    self.from = from.map(Timestamp.init(milliseconds:))
    self.until = until.map(Timestamp.init(milliseconds:))
    self.below = below
  }
}
#endif
