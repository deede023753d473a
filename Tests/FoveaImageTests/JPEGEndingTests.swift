// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import Testing

@testable import FoveaImage

/// JPEGs whose pixels are complete, and whose end is not.
@Suite struct JPEGEndingTests {
  static let sound: [Fixture] =
    Fixture.all.filter { $0.testDescription.contains("JPEG") }

  /// The replacement of the end marker.
  static func endings(_ whole: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    [
      ("nothing", []), ("half of it", [0xff]), ("another marker", [0xff, 0xd8]), ("zeros", [0, 0]),
      ("fill bytes", [0xff, 0xff, 0xff]), ("a stuffed byte", [0xff, 0x00]), ("a restart", [0xff, 0xd3]),
      ("text", Array("\r\n--boundary\r\n".utf8)), ("another image", whole),
      ("a film of 501 images", Array([[UInt8]](repeating: whole, count: 501).joined())),
      ("a segment that does not end", [0xff, 0xe1, 0xff, 0xff, 1]),
      ("a reserved marker", [0xff, 0x02, 0, 0]),
      ("the start of another scan", [0xff, 0xda, 0, 8]),
    ]
  }

  private static func colors(_ bytes: [UInt8], _ target: DecodeTarget = .full) throws -> ([RGB], String?) {
    let image = try EncodedImage(bytes: bytes, name: "x")
    let decoded = try image.decode(scaledFor: target)
    let tensor = try decoded.pixels(PixelSize(width: 16, height: 12))
    return ((0..<12).flatMap { y in (0..<16).map { tensor[$0, y] } }, decoded.note)
  }

  @Test(arguments: sound)
  func `a complete scan is an image, whatever follows it`(_ fixture: Fixture) throws {
    let whole = fixture.bytes
    let (expected, none) = try Self.colors(whole)
    #expect(none == nil)
    for (name, ending) in Self.endings(whole) {
      let bytes = whole.dropLast(2) + ending
      let (found, note) = try Self.colors(Array(bytes))
      #expect(found == expected, "\(name)")
      #expect(note == "the JPEG does not end as it should; its image is complete", "\(name)")
      let canvas = try EncodedImage(bytes: Array(bytes), name: "x").canvas()
      #expect(
        TestImage.pixel(canvas, 2, 2)
          == TestImage.pixel(try EncodedImage(bytes: whole, name: "x").canvas(), 2, 2))
      // Data after the end marker is never read.
      #expect(try Self.colors(whole + ending).1 == nil, "\(name)")
    }
  }

  @Test func `a scan that stops early stays an error, whatever follows it`() throws {
    let canvas = TestImage.canvas(PixelSize(width: 200, height: 150)) { x, y in
      RGB((x * 7 + y * 3) % 256, (x * y) % 256, (x ^ y) % 256)
    }
    let whole = try canvas.encoded(as: .jpeg)
    let small = try #require(Self.sound.first).bytes
    for part in [2, 3, 5, 9, 15] {
      let cut = whole.prefix(whole.count - whole.count / part)
      for (name, ending) in Self.endings(small) {
        let error = imageError { () throws(ImageError) in
          try EncodedImage(bytes: Array(cut + ending), name: "cut").decode()
        }
        #expect([.truncated, .corrupt].contains(error?.code), "1/\(part) missing, then \(name)")
      }
    }
  }

  /// 48 × 32 pixels with a restart marker after each of their six units except the last.
  ///
  /// Made with Pillow 12: `save(file, 'JPEG', quality=30, subsampling=2, restart_marker_blocks=1)`.
  static let withRestarts = [UInt8](
    Data(
      base64Encoded: """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j\
        q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk\
        pKSkpKSkpKT/wAARCAAgADADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
        BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
        V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
        4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC\
        AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm\
        Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq\
        8vP09fb3+Pn6/90ABAAB/9oADAMBAAIRAxEAPwDAWKpFi9qsJFU6RU6a5iI1T//QyVh9qkWD2q1sC8YyacsbH2+laNU4u27N4VWf\
        /9GiIAOtSCFasCEDrUix+i024rovzPShUP/SgjiqfZtHHU1LFFUojy/6VnCo409N2eXGpqf/03JDUgQnhelT+Xk7R0qQR9h1rJzS\
        Vlt+ZzQqH//UsrEF7c1IIz9BU6xbeAOakEWDzya5nO2m39fiXCof/9k=
        """) ?? Data())

  private static func cut(_ whole: [UInt8], to count: Int, _ ending: [UInt8]) -> ImageError? {
    imageError { () throws(ImageError) in
      try EncodedImage(bytes: Array(whole[..<count]) + ending, name: "cut").decode()
    }
  }

  private static func startOfScan(_ whole: [UInt8]) throws -> Int {
    try #require(whole.indices.dropLast().first { whole[$0] == 0xff && whole[$0 + 1] == 0xda })
  }

  @Test func `a JPEG with restarts is complete if all of them are present`() throws {
    let whole = Self.withRestarts
    let (expected, none) = try Self.colors(whole)
    #expect(none == nil)
    let start = try Self.startOfScan(whole)
    let restarts = whole.indices.dropLast().filter {
      $0 > start && whole[$0] == 0xff && (0xd0...0xd7).contains(whole[$0 + 1])
    }
    #expect(restarts.count == 5)
    for (name, ending) in Self.endings(whole) {
      let (found, note) = try Self.colors(Array(whole.dropLast(2)) + ending)
      #expect(found == expected && note != nil, "\(name)")
      for (number, restart) in restarts.enumerated() {
        #expect(Self.cut(whole, to: restart, ending) != nil, "before \(number), then \(name)")
        // After the last one anything may be codes.
        guard number < 4 else { continue }
        #expect(Self.cut(whole, to: restart + 2, ending) != nil, "behind \(number), then \(name)")
      }
    }
  }

  /// Space reserved for an interrupted copy; if zeros are codes, a scan's codes never end.
  @Test(arguments: [3, 100, 100_000])
  func `zeros in place of the rest are not an image, and zeros after a complete one are ignored`(
    _ count: Int
  ) throws {
    let canvas = TestImage.canvas(PixelSize(width: 200, height: 150)) { x, y in
      RGB((x * 7 + y * 3) % 256, (x * y) % 256, (x ^ y) % 256)
    }
    let zeros = [UInt8](repeating: 0, count: count)
    for whole in [try canvas.encoded(as: .jpeg), Self.withRestarts] {
      let (expected, _) = try Self.colors(whole)
      let (found, note) = try Self.colors(Array(whole.dropLast(2)) + zeros)
      #expect(found == expected && note != nil)
      let start = try Self.startOfScan(whole)
      #expect(Self.cut(whole, to: start + (whole.count - start) * 3 / 5, zeros) != nil)
    }
  }

  @Test func `a progressive JPEG that lacks a scan stays an error`() throws {
    let whole = try #require(Self.sound.first { $0.testDescription.contains("progressive") }).bytes
    let scans = Self.scans(whole)
    #expect(scans.count > 3)
    for scan in scans {
      for ending in [[], [0xff], [0, 0]] as [[UInt8]] {
        let error = imageError { () throws(ImageError) in
          try EncodedImage(bytes: Array(whole[..<scan] + ending), name: "cut").decode()
        }
        #expect(error != nil)
        #expect(JPEGEnding(completing: Array(whole[..<scan] + ending)) == nil)
      }
    }
  }

  private static func scans(_ whole: [UInt8]) -> [Int] {
    whole.indices.dropLast().filter { whole[$0] == 0xff && whole[$0 + 1] == 0xda }
  }

  private static let cutNote = "the progressive JPEG lacks scans with its details; it may have been cut off"

  /// The scans of libjpeg's script: first bits of all means, then of bands, then the other bits.
  @Test func `a progressive JPEG with an end marker before its last scans is read with a note`() throws {
    let whole = try #require(Self.sound.first { $0.testDescription.contains("progressive") }).bytes
    let scans = Self.scans(whole)
    #expect(try Self.colors(whole).1 == nil)
    let error = Self.cut(whole, to: scans[0], [0xff, 0xd9])
    #expect(error != nil)
    for scan in scans.dropFirst() {
      // The tables before the scan are harmless.
      let bytes = Array(whole[..<scan]) + [0xff, 0xd9]
      #expect(try Self.colors(bytes).1 == Self.cutNote, "\(scan)")
      #expect(try Self.colors(bytes, .atLeast(PixelSize(width: 2, height: 2))).1 == Self.cutNote)
      // A thumbnail behind the end has no part in it.
      #expect(try Self.colors(bytes + whole).1 == Self.cutNote)
    }
  }

  /// A file of three components, by the headers of its scans.
  struct ScansCase: CustomTestStringConvertible {
    let testDescription: String
    var frame: UInt8 = 0xc2
    /// The components, the first and the last coefficient, and the positions of the bits of each scan.
    let scans: [(components: [UInt8], first: UInt8, last: UInt8, bits: UInt8)]
    var isComplete = false
    var lacksMeans = false
    var lacksDetails = false
  }

  static let scansCases: [ScansCase] = [
    ScansCase(
      testDescription: "one scan of a baseline file", frame: 0xc0, scans: [([1, 2, 3], 0, 63, 0)],
      isComplete: true),
    ScansCase(
      testDescription: "a baseline file without its last component", frame: 0xc0,
      scans: [([1], 0, 63, 0), ([2], 0, 63, 0)], lacksMeans: true, lacksDetails: true),
    ScansCase(testDescription: "only means", scans: [([1, 2, 3], 0, 0, 0)], lacksDetails: true),
    ScansCase(
      testDescription: "means of two components", scans: [([1, 2], 0, 0, 0)], lacksMeans: true,
      lacksDetails: true),
    ScansCase(
      testDescription: "means, and bands at once",
      scans: [([1, 2, 3], 0, 0, 0), ([1], 1, 63, 0), ([2], 1, 63, 0), ([3], 1, 63, 0)], isComplete: true),
    ScansCase(
      testDescription: "a band that no scan mentions",
      scans: [([1, 2, 3], 0, 0, 0), ([1], 1, 5, 0), ([2], 1, 63, 0), ([3], 1, 63, 0)]),
    ScansCase(
      testDescription: "a band without its last bit",
      scans: [([1, 2, 3], 0, 0, 0), ([1], 1, 63, 0x01), ([2], 1, 63, 0), ([3], 1, 63, 0)],
      lacksDetails: true),
    ScansCase(
      testDescription: "a band with its last bit",
      scans: [
        ([1, 2, 3], 0, 0, 0), ([1], 1, 63, 0x01), ([2], 1, 63, 0), ([3], 1, 63, 0), ([1], 1, 63, 0x10),
      ], isComplete: true),
    ScansCase(
      testDescription: "a part of a band with its last bit",
      scans: [
        ([1, 2, 3], 0, 0, 0), ([1], 1, 63, 0x01), ([2], 1, 63, 0), ([3], 1, 63, 0), ([1], 1, 5, 0x10),
      ], lacksDetails: true),
    ScansCase(
      testDescription: "means without their last bit",
      scans: [([1, 2, 3], 0, 0, 0x01), ([1], 1, 63, 0), ([2], 1, 63, 0), ([3], 1, 63, 0)],
      lacksDetails: true),
    ScansCase(
      testDescription: "a component without details",
      scans: [([1, 2, 3], 0, 0, 0), ([1], 1, 63, 0), ([2], 1, 63, 0)], lacksDetails: true),
    ScansCase(testDescription: "no scan", scans: [], lacksMeans: true, lacksDetails: true),
  ]

  @Test(arguments: scansCases)
  func `headers of scans show which bits are missing`(_ row: ScansCase) {
    var progress = ScanProgress()
    let header = ByteReader([8, 0, 16, 0, 16, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
    let isTaken = progress.take(frame: header, marker: row.frame)
    let isTakenTwice = progress.take(frame: header, marker: row.frame)
    #expect(isTaken && !isTakenTwice)
    for (components, first, last, bits) in row.scans {
      var scan: [UInt8] = [UInt8(components.count)]
      for component in components { scan += [component, 0] }
      let isTaken = progress.take(scan: ByteReader(scan + [first, last, bits]))
      #expect(isTaken)
    }
    #expect(progress.isComplete == row.isComplete)
    #expect(progress.lacksMeans == row.lacksMeans)
    #expect(progress.lacksDetails == row.lacksDetails)
  }

  @Test(
    arguments: [[], [1, 1, 0], [1, 9, 0, 0, 63, 0], [1, 1, 0, 0, 64, 0], [1, 1, 0, 5, 1, 0]] as [[UInt8]])
  func `a damaged header of a scan is refused`(_ scan: [UInt8]) {
    var progress = ScanProgress()
    let isEarly = progress.take(scan: ByteReader(scan))
    let hasFrame = progress.take(frame: ByteReader([8, 0, 16, 0, 16, 1, 1, 0x11, 0]), marker: 0xc2)
    let isTaken = progress.take(scan: ByteReader(scan))
    #expect(!isEarly && hasFrame && !isTaken)
  }

  @Test func `the photo is also decoded at a fraction of its size`() throws {
    let canvas = TestImage.quarters(PixelSize(width: 320, height: 240))
    let whole = try canvas.encoded(as: .jpeg)
    let target = DecodeTarget.atLeast(PixelSize(width: 40, height: 30))
    let (found, note) = try Self.colors(whole.dropLast(2), target)
    #expect(found == (try Self.colors(whole, target)).0 && note != nil)
  }

  /// One scan, then bytes that may look like more.
  @Test(
    arguments: [
      ("the end", [0xff, 0xd9], 1), ("another scan", [0xff, 0xda, 0, 2, 9, 0xff, 0xd9], 2),
      ("a video behind the end", [0xff, 0xd9] + [0xff, 0xda, 0, 2, 9], 1),
      ("another image behind the end", [0xff, 0xd9, 0xff, 0xd8, 0xff, 0xda, 0, 2], 1),
      ("another image in place of the end", [0xff, 0xd8, 0xff, 0xda, 0, 2, 9], 1),
      ("a thumbnail in a segment", [0xff, 0xe1, 0, 6, 0xff, 0xda, 0, 2, 0xff, 0xd9], 1),
      ("restarts, stuffed and fill bytes", [0xff, 0xd0, 7, 0xff, 0, 0xda, 0xff, 0xff, 0xda, 0, 2], 2),
      ("a segment beyond the file", [0xff, 0xe1, 0xff, 0xff, 0xff, 0xda, 0, 2], 1),
      ("half a marker", [0xff], 1),
      ("a marker without its length", [0xff, 0xda, 0], 2), ("nothing", [], 1),
    ] as [(String, [UInt8], Int)])
  func `the scan count is the decoder's`(_ name: String, _ rest: [UInt8], _ count: Int)
    throws
  {
    let fixture = try #require(Fixture.all.first { $0.testDescription == "JPEG 4:2:2" })
    let start = try #require(
      fixture.bytes.indices.dropLast().last { fixture.bytes[$0] == 0xff && fixture.bytes[$0 + 1] == 0xda })
    let image = try EncodedImage(bytes: fixture.bytes[..<start] + [0xff, 0xda, 0, 2, 9] + rest, name: name)
    #expect(image.scanCount == count)
  }
}
