// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaImage
@testable import FoveaRender

@Suite struct ReportPartsTests {
  @Test func `percentiles are right within one percent`() {
    var histogram = DurationHistogram()
    #expect(histogram.milliseconds(atShare: 0.5) == 0)
    histogram.add(.zero)
    histogram.add(.nanoseconds(900))
    #expect(histogram.count == 0)
    // 1, 2, …, 1000 ms in no order.
    for value in 0..<1_000 { histogram.add(.milliseconds((value * 617) % 1_000 + 1)) }
    for (share, exact) in [(0.0, 1.0), (0.5, 500), (0.95, 950), (1, 1_000)] {
      let measured = histogram.milliseconds(atShare: share)
      #expect(abs(measured - exact) <= exact * 0.0101, "\(share): \(measured)")
    }
    // Larger values count as the last step.
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
