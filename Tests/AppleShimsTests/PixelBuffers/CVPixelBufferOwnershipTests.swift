// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import Synchronization
import Testing

@testable import AppleShims

/// The arguments of release callbacks.
private final class Releases: Sendable {
  let count = Mutex(0)
  let planes = Mutex(0)

  /// The reference passed to a callback; the object lives as long as its test.
  var reference: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ reference: UnsafeMutableRawPointer?) -> Releases? {
    unsafe reference.map { unsafe Unmanaged<Releases>.fromOpaque($0).takeUnretainedValue() }
  }
}

@Suite struct CVPixelBufferOwnershipTests {
  @Test func `the program's bytes are used in place, and released once, when no one reads them`()
    throws
  {
    let releases = Releases()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
    defer { unsafe memory.deallocate() }
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 50)
    guard let base = memory.baseAddress else { throw CancellationError() }
    var buffer: CVPixelBuffer?
    let status = unsafe CVPixelBufferCreateWithBytes(
      nil, 2, 2, kCVPixelFormatType_32BGRA, base, 8,
      { reference, _ in unsafe Releases.of(reference)?.count.withLock { $0 += 1 } }, releases.reference, nil,
      &buffer)
    #expect(status == kCVReturnSuccess)
    unsafe memory[0] = 99
    var pixels: PixelBuffer? = try buffer?.pixels()
    #expect(try pixels.map(colors)?.prefix(3) == [50, 50, 99])
    buffer = nil
    #expect(releases.count.withLock { $0 } == 0)
    pixels = nil
    #expect(releases.count.withLock { $0 } == 1)
    _ = (buffer, pixels)
  }

  @Test func `rejected memory is not released`() throws {
    let releases = Releases()
    var bytes = [UInt8](repeating: 0, count: 16)
    let cases: [(width: Int, height: Int, code: OSType, bytesPerRow: Int, expected: CVReturn)] = [
      (2, 2, kCVPixelFormatType_32BGRA, 7, kCVReturnInvalidArgument),
      (2, 2, kCVPixelFormatType_32BGRA, -8, kCVReturnInvalidArgument),
      (2, 2, kCVPixelFormatType_32BGRA, .max, kCVReturnInvalidArgument),
      (2, 2, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 8, kCVReturnInvalidArgument),
      (0, 2, kCVPixelFormatType_32BGRA, 8, kCVReturnInvalidSize),
      (.max, .max, kCVPixelFormatType_32BGRA, 8, kCVReturnInvalidSize),
    ]
    for test in cases {
      var buffer: CVPixelBuffer?
      let status = unsafe bytes.withUnsafeMutableBytes { memory -> CVReturn in
        guard let base = memory.baseAddress else { return kCVReturnError }
        return unsafe CVPixelBufferCreateWithBytes(
          nil, test.width, test.height, test.code, base, test.bytesPerRow,
          { reference, _ in unsafe Releases.of(reference)?.count.withLock { $0 += 1 } }, releases.reference,
          nil, &buffer)
      }
      #expect(status == test.expected)
      #expect(buffer == nil)
    }
    #expect(releases.count.withLock { $0 } == 0)
  }

  @Test func `an unsupported format can be held, and is rejected when its pixels are used`() throws {
    var bytes = [UInt8](repeating: 0, count: 16)
    var buffer: CVPixelBuffer?
    let status = unsafe bytes.withUnsafeMutableBytes { memory -> CVReturn in
      guard let base = memory.baseAddress else { return kCVReturnError }
      return unsafe CVPixelBufferCreateWithBytes(
        nil, 2, 2, kCVPixelFormatType_32ARGB, base, 8, nil, nil, nil, &buffer)
    }
    #expect(status == kCVReturnSuccess)
    let held = try #require(buffer)
    let error = imageError { () throws(ImageError) in try held.pixels() }
    #expect(error?.code == .unsupportedPixelFormat)
  }

  /// Creates a planar buffer of a block in which each plane has its place.
  private func planar(
    _ bytes: inout [UInt8], offsets: [Int], rows: [Int], heights: [Int], dataSize: Int? = nil,
    _ releases: Releases, width: Int = 4, height: Int = 4, hasBlock: Bool = true
  ) -> (CVReturn, CVPixelBuffer?) {
    var buffer: CVPixelBuffer?
    let count = bytes.count
    let status = unsafe bytes.withUnsafeMutableBytes { memory -> CVReturn in
      guard let base = memory.baseAddress else { return kCVReturnError }
      var bases = unsafe offsets.map { offset -> UnsafeMutableRawPointer? in unsafe base + offset }
      var (widths, heights, rows) = (rows, heights, rows)
      return unsafe CVPixelBufferCreateWithPlanarBytes(
        nil, width, height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, hasBlock ? base : nil,
        dataSize ?? count, offsets.count, &bases, &widths, &heights, &rows,
        { reference, _, _, count, planes in
          let releases = unsafe Releases.of(reference)
          releases?.count.withLock { $0 += 1 }
          releases?.planes.withLock { unsafe $0 = planes == nil ? 0 : count }
        }, releases.reference, nil, &buffer)
    }
    return (status, buffer)
  }

  @Test func `the program's planes are used in place, and released once`() throws {
    let releases = Releases()
    let frame = TestFrame.gradient(PixelSize(width: 4, height: 4))
    let format = try PixelFormat(coreVideo: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    let kind = try #require(FrameFormat.all.first { $0.format == format })
    var bytes = frame.planes(kind).flatMap { $0 }
    do {
      let (status, buffer) = planar(&bytes, offsets: [0, 16], rows: [4, 4], heights: [4, 2], releases)
      #expect(status == kCVReturnSuccess)
      let pixels = try #require(buffer).pixels()
      #expect(try colors(pixels) == colors(frame.buffer(kind)))
      #expect(releases.count.withLock { $0 } == 0)
    }
    #expect(releases.count.withLock { $0 } == 1)
    #expect(releases.planes.withLock { $0 } == 2)
    withExtendedLifetime(bytes) {}
  }

  @Test func `planes that do not fit the size are rejected when their pixels are used`() throws {
    let releases = Releases()
    var bytes = [UInt8](repeating: 0, count: 24)
    let cases: [(offsets: [Int], rows: [Int], heights: [Int], dataSize: Int?)] = [
      ([0], [4], [4], nil),  // a plane is missing
      ([0, 16, 20], [4, 4, 4], [4, 2, 1], nil),  // one is too many
      ([0, 16], [4, 4], [4, 1], nil),  // too few rows
      ([0, 16], [4, 3], [4, 2], nil),  // rows too short
      ([0, 16], [4, 4], [4, 2], 23),  // the block ends before
    ]
    for test in cases {
      let (status, buffer) = planar(
        &bytes, offsets: test.offsets, rows: test.rows, heights: test.heights, dataSize: test.dataSize,
        releases)
      #expect(status == kCVReturnSuccess)
      let held = try #require(buffer)
      #expect(imageError { () throws(ImageError) in try held.pixels() }?.code == .invalidBuffer)
    }
    for (offsets, rows, heights, size) in [
      ([24], [4], [1], 24), ([0], [0], [1], 24), ([0], [-1], [1], 24), ([0], [4], [0], 24),
      ([0], [4], [.max], 24), ([0], [.max], [1], 24), ([], [], [], 24), ([0], [4], [1], -1),
    ] as [([Int], [Int], [Int], Int)] {
      let (status, buffer) = planar(
        &bytes, offsets: offsets, rows: rows, heights: heights, dataSize: size, releases)
      #expect(status == kCVReturnInvalidArgument, "\(offsets) \(rows) \(heights) \(size)")
      #expect(buffer == nil)
    }
    #expect(
      planar(&bytes, offsets: [0], rows: [4], heights: [1], releases, width: 0).0 == kCVReturnInvalidSize)
    #expect(releases.count.withLock { $0 } == 5)
  }
}
