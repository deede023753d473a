// SPDX-License-Identifier: Apache-2.0

import FoveaFormats
import Testing

@Suite struct ReportTextTests {
  struct TextCase: CustomTestStringConvertible {
    var text: String
    var expected: String
    var testDescription: String { expected.isEmpty ? "empty" : String(expected.prefix(40)) }
  }

  @Test(arguments: [
    TextCase(text: "", expected: ""),
    TextCase(text: "Straße 🐈.jpg", expected: "Straße 🐈.jpg"),
    TextCase(
      text: "<script>alert('1')</script>", expected: "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"),
    TextCase(text: "\" onerror=\"x", expected: "&quot; onerror=&quot;x"),
    TextCase(text: "&amp;", expected: "&amp;amp;"),
    TextCase(text: "a\n\r\t\u{0}\u{1B}[2J\u{7F}\u{9B}", expected: "a\\n\\r\\t\\u{0}\\u{1b}[2J\\u{7f}\\u{9b}"),
    TextCase(
      text: "\u{202E}gpj.exe\u{2066}\u{200F}\u{61C}\u{200B}\u{FEFF}",
      expected: "\\u{202e}gpj.exe\\u{2066}\\u{200f}\\u{61c}\\u{200b}\\u{feff}"),
    TextCase(text: "\u{2028}\u{2029}\u{FFFF}", expected: "\\u{2028}\\u{2029}\\u{ffff}"),
    TextCase(
      text: String(repeating: "é", count: 1_001), expected: String(repeating: "é", count: 1_000) + "…"),
    TextCase(text: String(repeating: "<", count: 1_000), expected: String(repeating: "&lt;", count: 1_000)),
  ])
  func `text of any origin is harmless and visible`(_ test: TextCase) {
    #expect(ReportText.escaped(test.text) == test.expected)
  }

  @Test func `numbers are formatted for people`() {
    #expect(ReportNumber.fixed(0.955, 2) == "0.96")
    #expect(ReportNumber.fixed(-0.004, 2) == "0.00")
    #expect(ReportNumber.fixed(12, 0) == "12")
    #expect(ReportNumber.fixed(.nan, 2) == "–")
    #expect(ReportNumber.fixed(.infinity, 2) == "–")
    #expect(ReportNumber.fixed(1e300, 2) == "1e+300")
    #expect(ReportNumber.grouped(-1_234_567) == "-1,234,567")
    #expect(ReportNumber.duration(milliseconds: 0.44) == "0.4 ms")
    #expect(ReportNumber.duration(milliseconds: 99.95) == "100 ms")
    #expect(ReportNumber.duration(milliseconds: 12_345) == "12.3 s")
    #expect(ReportNumber.counted(1, "object") == "1 object")
    #expect(ReportNumber.counted(0, "object") == "0 objects")
  }

  @Test(
    arguments: [
      (0.852, "85.2\u{A0}%"), (1, "100.0\u{A0}%"), (.nan, "–"), (.infinity, "–"),
      (.greatestFiniteMagnitude, "–"), (nil, "–"),
    ] as [(Double?, String)])
  func `a fraction is printed as a percentage`(_ value: Double?, _ expected: String) {
    #expect(ReportNumber.percent(value) == expected)
  }
}
