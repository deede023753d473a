// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Testing

@testable import FoveaRender

@Suite struct ReportPartsTests {
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

  @Test func `numbers are printed for people`() {
    #expect(ReportNumber.fixed(0.955, 2) == "0.96")
    #expect(ReportNumber.fixed(-0.004, 2) == "0.00")
    #expect(ReportNumber.fixed(12, 0) == "12")
    #expect(ReportNumber.fixed(.nan, 2) == "–")
    #expect(ReportNumber.fixed(.infinity, 2) == "–")
    #expect(ReportNumber.fixed(1e300, 2) == "1e+300")
    #expect(ReportNumber.coordinate(3.04) == "3")
    #expect(ReportNumber.coordinate(3.05) == "3.1")
    #expect(ReportNumber.grouped(-1_234_567) == "-1,234,567")
    #expect(ReportNumber.duration(milliseconds: 0.44) == "0.4 ms")
    #expect(ReportNumber.duration(milliseconds: 99.95) == "100 ms")
    #expect(ReportNumber.duration(milliseconds: 12_345) == "12.3 s")
    #expect(ReportNumber.counted(1, "object") == "1 object")
    #expect(ReportNumber.counted(0, "object") == "0 objects")
  }

  @Test func `percentiles are right within one percent`() {
    var histogram = DurationHistogram()
    #expect(histogram.milliseconds(atShare: 0.5) == 0)
    histogram.add(.zero)
    histogram.add(.nanoseconds(900))
    #expect(histogram.count == 0)
    // 1, 2, …, 1000 ms in an order that is none.
    for value in 0..<1_000 { histogram.add(.milliseconds((value * 617) % 1_000 + 1)) }
    for (share, exact) in [(0.0, 1.0), (0.5, 500), (0.95, 950), (1, 1_000)] {
      let measured = histogram.milliseconds(atShare: share)
      #expect(abs(measured - exact) <= exact * 0.0101, "\(share): \(measured)")
    }
    // Beyond the last step everything counts as the last.
    histogram.add(.seconds(1_000_000_000))
    #expect(histogram.count == 1_001)
    #expect(histogram.milliseconds(atShare: 1) > 1e7)
  }

  static let bins: [(Double, Int?)] = [
    (0.0, 0), (0.049, 0), (0.05, 1), (0.15, 3), (0.3, 6), (0.95, 19), (1, 19), (7, 19), (-1, 0),
    (.infinity, 19),
    (-.infinity, 0), (.nan, nil),
  ]

  @Test(arguments: bins)
  func `a score falls into its bar`(_ score: Double, _ bin: Int?) {
    #expect(ReportSummary.bin(of: score) == bin)
  }

  @Test(arguments: [
    (PixelSize(width: 640, height: 480), PixelSize(width: 320, height: 240)),
    (PixelSize(width: 480, height: 640), PixelSize(width: 240, height: 320)),
    (PixelSize(width: 20, height: 10), PixelSize(width: 20, height: 10)),
    (PixelSize(width: 65_535, height: 1), PixelSize(width: 320, height: 1)),
    (PixelSize(width: 0, height: 0), PixelSize(width: 1, height: 1)),
  ])
  func `a thumbnail keeps proportions and is never empty`(_ size: PixelSize, _ expected: PixelSize) {
    #expect(Thumbnail.size(of: size, longestSide: 320) == expected)
  }

  @Test func `a thumbnail is a small image with the same content`() throws {
    let canvas = PixelCanvas(size: PixelSize(width: 640, height: 320), filled: RGBColor(hex: 0x2060C0))
    let image = try EncodedImage(bytes: canvas.encoded(as: .png), name: "blue.png")
    for thumbnail in [
      try Thumbnail(of: image, longestSide: 64), try Thumbnail(of: canvas, longestSide: 64),
    ] {
      #expect(thumbnail.size == PixelSize(width: 64, height: 32))
      let back = try EncodedImage(bytes: thumbnail.jpeg, name: "t.jpg")
      #expect(back.format == .jpeg && back.size == thumbnail.size)
      let color = try back.canvas().color(32, 16)
      #expect(
        abs(Int(color.red) - 0x20) < 8 && abs(Int(color.green) - 0x60) < 8 && abs(Int(color.blue) - 0xC0) < 8)
    }
  }

  @Test func `a damaged image has no thumbnail but an error`() throws {
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 64), filled: .white)
    let bytes = try canvas.encoded(as: .jpeg)
    let image = try EncodedImage(bytes: Array(bytes.prefix(bytes.count - 40)), name: "torn.jpg")
    #expect(throws: ImageError.self) { try Thumbnail(of: image) }
  }
}
