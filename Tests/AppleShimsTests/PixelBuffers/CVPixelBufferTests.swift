// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import AppleShims

@Suite struct CVPixelBufferTests {
  static let bgra = kCVPixelFormatType_32BGRA
  static let videoRange = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
  static let fullRange = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  static let tenBit = kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange

  static func create(_ width: Int, _ height: Int, _ code: OSType) -> (CVReturn, CVPixelBuffer?) {
    var buffer: CVPixelBuffer?
    let attributes =
      [
        kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue as Any,
        kCVPixelBufferIOSurfacePropertiesKey: [:] as CFDictionary,
      ] as CFDictionary
    let status = unsafe CVPixelBufferCreate(kCFAllocatorDefault, width, height, code, attributes, &buffer)
    return (status, buffer)
  }

  struct ShapeCase: CustomTestStringConvertible {
    var code: OSType
    var planes: [(width: Int, height: Int, bytesPerRow: Int)]
    var testDescription: String { "\(code)" }
  }

  @Test(arguments: [
    ShapeCase(code: bgra, planes: [(5, 3, 64)]),
    ShapeCase(code: kCVPixelFormatType_32RGBA, planes: [(5, 3, 64)]),
    ShapeCase(code: kCVPixelFormatType_24RGB, planes: [(5, 3, 64)]),
    ShapeCase(code: kCVPixelFormatType_OneComponent8, planes: [(5, 3, 64)]),
    ShapeCase(code: videoRange, planes: [(5, 3, 64), (3, 2, 64)]),
    ShapeCase(code: fullRange, planes: [(5, 3, 64), (3, 2, 64)]),
    ShapeCase(code: kCVPixelFormatType_420YpCbCr8Planar, planes: [(5, 3, 64), (3, 2, 64), (3, 2, 64)]),
  ])
  func `a new buffer has the planes of its format, all zeros`(_ test: ShapeCase) throws {
    let (status, created) = Self.create(5, 3, test.code)
    #expect(status == kCVReturnSuccess)
    let buffer = try #require(created)
    let isPlanar = test.planes.count > 1
    #expect(CVPixelBufferGetWidth(buffer) == 5)
    #expect(CVPixelBufferGetHeight(buffer) == 3)
    #expect(CVPixelBufferGetPixelFormatType(buffer) == test.code)
    #expect(CVPixelBufferIsPlanar(buffer) == isPlanar)
    #expect(CVPixelBufferGetPlaneCount(buffer) == (isPlanar ? test.planes.count : 0))
    #expect(CVPixelBufferGetBytesPerRow(buffer) == test.planes[0].bytesPerRow)
    #expect(
      CVPixelBufferGetDataSize(buffer) == test.planes.reduce(0) { $0 + $1.bytesPerRow * $1.height })
    for index in -1...3 {
      let plane = isPlanar && test.planes.indices.contains(index) ? test.planes[index] : nil
      #expect(CVPixelBufferGetWidthOfPlane(buffer, index) == plane?.width ?? 0)
      #expect(CVPixelBufferGetHeightOfPlane(buffer, index) == plane?.height ?? 0)
      #expect(CVPixelBufferGetBytesPerRowOfPlane(buffer, index) == plane?.bytesPerRow ?? 0)
      let address = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, index) == nil
      #expect(address, "not locked")
    }
    let isZero = try unsafe buffer.pixels().withUnsafePlanes { planes in
      unsafe planes.allSatisfy { unsafe $0.allSatisfy { $0 == 0 } }
    }
    #expect(isZero)
  }

  @Test(
    arguments: [
      (0, 1, bgra, kCVReturnInvalidSize), (1, 0, bgra, kCVReturnInvalidSize),
      (-4, 1, bgra, kCVReturnInvalidSize), (.max, 1, bgra, kCVReturnInvalidSize),
      (1, .max, bgra, kCVReturnInvalidSize), (65_536, 1, bgra, kCVReturnInvalidSize),
      (1, 1, tenBit, kCVReturnInvalidPixelFormat), (1, 1, 0, kCVReturnInvalidPixelFormat),
      (1, 1, kCVPixelFormatType_32ARGB, kCVReturnInvalidPixelFormat),
    ] as [(Int, Int, OSType, CVReturn)])
  func `an impossible buffer is rejected`(
    _ width: Int, _ height: Int, _ code: OSType, _ expected: CVReturn
  ) {
    let (status, buffer) = Self.create(width, height, code)
    #expect(status == expected)
    #expect(buffer == nil)
  }

  @Test func `addresses are available while the buffer is locked, and locks nest`() throws {
    let buffer = try #require(Self.create(2, 2, Self.bgra).1)
    func isThere() -> Bool { unsafe CVPixelBufferGetBaseAddress(buffer) != nil }
    #expect(!isThere())
    #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnInvalidArgument)
    #expect(CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0)) == kCVReturnSuccess)
    #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
    #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
    #expect(isThere())
    CVPixelBufferUnlockBaseAddress(buffer, [])
    #expect(!isThere())
  }

  @Test func `detectors see the bytes the program writes`() throws {
    let buffer = try #require(Self.create(2, 2, Self.bgra).1)
    CVPixelBufferLockBaseAddress(buffer, [])
    let base = unsafe CVPixelBufferGetBaseAddress(buffer)
    unsafe base?.storeBytes(of: 200, toByteOffset: CVPixelBufferGetBytesPerRow(buffer) + 2, as: UInt8.self)
    CVPixelBufferUnlockBaseAddress(buffer, [])
    #expect(try colors(buffer.pixels()) == [0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 0, 0])
  }

  @Test(arguments: FrameFormat.all)
  func `pixels keep format and colours, and are copied only when the program locks them`(
    _ format: FrameFormat
  ) throws {
    let frame = TestFrame.gradient(PixelSize(width: 33, height: 21))
    let pixels = try frame.buffer(format, padding: 4)
    let buffer = try CVPixelBuffer(pixels: pixels)
    #expect(try buffer.pixels().layout == pixels.layout)
    #expect(buffer.yCbCrMatrix == format.format.encoding?.matrix ?? .bt601)
    let before = CVPixelBufferGetBytesPerRow(buffer)
    let expected = try colors(pixels)
    #expect(try colors(buffer.pixels()) == expected)
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    #expect(CVPixelBufferGetBytesPerRow(buffer) == before)
    #expect(try colors(buffer.pixels()) == expected)
    unsafe CVPixelBufferGetBaseAddress(buffer)?.storeBytes(of: 3, as: UInt8.self)
    #expect(try colors(pixels) == expected, "the pixels of others are not written")
  }

  @Test func `an oriented image is rotated upright`() throws {
    let frame = TestFrame.gradient(PixelSize(width: 12, height: 6))
    let bitmap = try #require(image(12, 6, frame.rgb))
    let stored = try CVPixelBuffer(bitmap)
    #expect(CVPixelBufferGetWidth(stored) == 12)
    #expect(CVPixelBufferGetPixelFormatType(stored) == kCVPixelFormatType_24RGB)
    let turned = try CVPixelBuffer(UIImage(cgImage: bitmap, scale: 1, orientation: .right))
    #expect(CVPixelBufferGetWidth(turned) == 6)
    var pixels = try bitmap.pixels()
    pixels.orientation = .right
    #expect(try colors(turned.pixels()) == colors(pixels))
    let video = VideoFrame(pixels: pixels, number: 1, seconds: 0)
    #expect(try colors(CVPixelBuffer(video).pixels()) == colors(pixels))
  }

  @Test func `another matrix changes the colours, for shared pixels and for the program's`() throws {
    let frame = TestFrame.gradient(PixelSize(width: 16, height: 16))
    let pixels = try frame.buffer(FrameFormat.all[4])
    let buffer = try CVPixelBuffer(pixels: pixels)
    let first = try colors(buffer.pixels())
    buffer.yCbCrMatrix = .bt709
    let shared = try colors(buffer.pixels())
    #expect(shared != first)
    CVPixelBufferLockBaseAddress(buffer, [])
    #expect(try colors(buffer.pixels()) == shared)
    buffer.yCbCrMatrix = .bt601
    #expect(try colors(buffer.pixels()) == first)
  }

  @Test func `bytes that do not fit their size are rejected with both numbers`() {
    let error = imageError { () throws(ImageError) in
      try CVPixelBuffer(
        bytes: [UInt8](repeating: 0, count: 15), width: 2, height: 2, pixelFormatType: Self.bgra)
    }
    #expect(error?.code == .invalidBuffer)
    #expect(error?.message.contains("15 bytes, 16 expected") == true)
    let tenBit = imageError { () throws(ImageError) in
      try CVPixelBuffer(bytes: [0], width: 1, height: 1, pixelFormatType: Self.tenBit)
    }
    #expect(tenBit?.code == .unsupportedPixelFormat)
    #expect(tenBit?.message.contains("'x420'") == true)
    let hostile = imageError { () throws(ImageError) in
      try CVPixelBuffer(bytes: [0], width: .max, height: .max, pixelFormatType: Self.bgra)
    }
    #expect(hostile?.code == .invalidBuffer)
  }
}
