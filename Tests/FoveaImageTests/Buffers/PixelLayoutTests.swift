// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Testing

@Suite struct PixelLayoutTests {
  struct Bad: CustomTestStringConvertible {
    let testDescription: String
    let format: PixelFormat
    let width: Int
    let height: Int
    var bytesPerRow: [Int]?
    let message: String
  }

  @Test(arguments: [
    Bad(
      testDescription: "no width", format: .rgb, width: 0, height: 5,
      message: "the buffer is 0 × 5 pixels; each side must be 1…65535"),
    Bad(
      testDescription: "negative height", format: .nv12(), width: 4, height: -2,
      message: "the buffer is 4 × -2 pixels; each side must be 1…65535"),
    Bad(
      testDescription: "one too many", format: .grey, width: 65_536, height: 1,
      message: "the buffer is 65536 × 1 pixels; each side must be 1…65535"),
    Bad(
      testDescription: "the largest numbers", format: .bgra, width: .max, height: .max,
      message: "the buffer is \(Int.max) × \(Int.max) pixels; each side must be 1…65535"),
    Bad(
      testDescription: "row distance 0", format: .grey, width: 4, height: 4, bytesPerRow: [0],
      message:
        "the rows of plane 0 (pixels) are 0 bytes apart, 4…2147483647 expected for 4 × 4 pixels of grey"),
    Bad(
      testDescription: "negative row distance, too short", format: .bgra, width: 4, height: 4,
      bytesPerRow: [-15],
      message:
        "the rows of plane 0 (pixels) are 15 bytes apart, 16…2147483647 expected for 4 × 4 pixels of BGRA"),
    Bad(
      testDescription: "chroma rows of an odd width", format: .nv12(), width: 5, height: 5,
      bytesPerRow: [5, 5],
      message: "the rows of plane 1 (CbCr) are 5 bytes apart, 6…2147483647 expected"
        + " for 5 × 5 pixels of NV12 (BT.601, video range)"),
    Bad(
      testDescription: "a huge row distance", format: .i420(.jpeg), width: 5, height: 5,
      bytesPerRow: [5, 3, .max],
      message: "the rows of plane 2 (Cr) are \(Int.max) bytes apart, 3…2147483647 expected"
        + " for 5 × 5 pixels of I420 (BT.601, full range)"),
    Bad(
      testDescription: "the most negative row distance", format: .rgb, width: 4, height: 4,
      bytesPerRow: [.min],
      message:
        "the rows of plane 0 (pixels) are \(Int.min) bytes apart, 12…2147483647 expected for 4 × 4 pixels of RGB"
    ),
    Bad(
      testDescription: "rows in both orders", format: .nv12(), width: 4, height: 4, bytesPerRow: [-4, 4],
      message: "the rows of plane 1 (CbCr) are -4 bytes apart, 4…2147483647 expected"
        + " for 4 × 4 pixels of NV12 (BT.601, video range)"),
    Bad(
      testDescription: "one distance for two planes", format: .nv12(), width: 4, height: 4, bytesPerRow: [4],
      message: "1 row distances were given, NV12 (BT.601, video range) has 2 planes"),
    Bad(
      testDescription: "no distances", format: .rgba, width: 4, height: 4, bytesPerRow: [],
      message: "0 row distances were given, RGBA has 1 planes"),
  ])
  func `an impossible layout is an error that explains why`(_ row: Bad) {
    let error = imageError { () throws(ImageError) in
      try PixelLayout(
        row.format, size: PixelSize(width: row.width, height: row.height), bytesPerRow: row.bytesPerRow)
    }
    #expect(error?.code == .invalidBuffer)
    #expect(error?.message == row.message)
  }

  @Test func `planes have whole chroma samples and end with their last pixel`() throws {
    let odd = PixelSize(width: 5, height: 3)
    let nv12 = try PixelLayout(.nv12(), size: odd, bytesPerRow: [8, 10])
    #expect(nv12.planeByteCounts == [8 * 2 + 5, 10 + 6])
    #expect(nv12.planeOffsets == [0, 24])
    #expect(nv12.byteCount == 24 + 16)
    let i420 = try PixelLayout(.i420(), size: odd)
    #expect(i420.bytesPerRow == [5, 3, 3])
    #expect(i420.planeOffsets == [0, 15, 21])
    #expect(i420.byteCount == 27)
    #expect(try PixelLayout(.bgra, size: odd).byteCount == 60)
  }

  @Test func `the largest layout does not overflow`() throws {
    let side = PixelLayout.maximumSide
    let layout = try PixelLayout(
      .i420(), size: PixelSize(width: side, height: side),
      bytesPerRow: [Int(Int32.max), Int(Int32.max), Int(Int32.max)])
    #expect(layout.byteCount > 2 * side * Int(Int32.max) - side * side)
    let error = imageError { () throws(ImageError) in try PixelBuffer(layout, bytes: [1, 2, 3]) }
    #expect(error?.message.hasPrefix("the buffer has 3 bytes, \(layout.byteCount)…") == true)
  }

  static let coreVideo: [(String, PixelFormat)] = [
    ("BGRA", .bgra), ("RGBA", .rgba), ("L008", .grey), ("420v", .nv12()), ("420f", .nv12(.jpeg)),
    ("y420", .i420()), ("f420", .i420(.jpeg)),
  ]
  static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  @Test func `Core Video's types name the formats`() throws {
    for (text, format) in Self.coreVideo { #expect(try PixelFormat(coreVideo: Self.code(text)) == format) }
    #expect(try PixelFormat(coreVideo: 24) == .rgb)
    let hd = try PixelFormat(coreVideo: Self.code("420v"), matrix: .bt709)
    #expect(hd == .nv12(YUVEncoding(matrix: .bt709, range: .video)))
  }

  @Test(arguments: [
    ("x420", "'x420'"), ("xf20", "'xf20'"), ("2vuy", "'2vuy'"), ("\0\0\0\u{20}", "32"), ("\0\0\0\0", "0"),
  ])
  func `other types are rejected by name`(_ text: String, _ shown: String) {
    let error = imageError { () throws(ImageError) in try PixelFormat(coreVideo: Self.code(text)) }
    #expect(error?.code == .unsupportedPixelFormat)
    #expect(
      error?.message
        == "the pixel format \(shown) is not one of BGRA, RGBA, 24, L008, 420v, 420f, y420, f420")
  }
}
