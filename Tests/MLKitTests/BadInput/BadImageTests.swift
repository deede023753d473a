// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaCompatibility
import FoveaTesting
import MLKit
import Testing

/// Images that cannot be read: each an error of the call, never a trap.
@Suite(.onOwnThread) struct BadImageTests {
  /// An image, and the expected error of its use.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () throws -> any MLKitCompatibleImage
    let text: String
    var code = MLKitError.Code.invalidArgument
  }

  /// A type from another module.
  final class StrangeImage: NSObject, MLKitCompatibleImage {}

  /// Sixteen pixels in ten bits, as stored by some cameras.
  private static func tenBitBuffer() throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    let status = unsafe CVPixelBufferCreateWithBytes(
      nil, 4, 4, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, bytes, 16,
      { _, address in unsafe address?.deallocate() }, nil, nil, &buffer)
    #expect(status == kCVReturnSuccess)
    return try #require(buffer)
  }

  static let cases = [
    Case(
      testDescription: "no sample", make: { VisionImage(buffer: CMSampleBuffer(imageBuffer: nil)) },
      text: "The sample buffer has no image buffer"),
    Case(
      testDescription: "no bytes", make: { VisionImage(data: Data()) }, text: "image data: "),
    Case(
      testDescription: "no image", make: { VisionImage(data: Data("no image at all".utf8)) },
      text: "image data: "),
    Case(
      testDescription: "a truncated image",
      make: { VisionImage(data: try Data(contentsOf: Photo.url("cat")).prefix(3000)) }, text: "image data: "),
    Case(
      testDescription: "no such file",
      make: { VisionImage(contentsOf: URL(fileURLWithPath: "/nowhere/at/all.jpg")) },
      text: "/nowhere/at/all.jpg: ", code: .notFound),
    Case(
      testDescription: "an address of the network",
      make: { VisionImage(contentsOf: try #require(URL(string: "https://example.com/cat.jpg"))) },
      text: "https://example.com/cat.jpg: the address is not a file URL"),
    Case(
      testDescription: "too few bytes for the size",
      make: { VisionImage(rgb: Data(count: 47), width: 4, height: 4) },
      text: "pixel buffer: the buffer has 47 bytes, 48 expected"),
    Case(
      testDescription: "a size of zero", make: { VisionImage(rgb: Data(), width: 0, height: 0) },
      text: "pixel buffer: the buffer is 0"),
    Case(
      testDescription: "a size below zero", make: { VisionImage(rgb: Data(), width: -1, height: .max) },
      text: "pixel buffer: the buffer is -1"),
    Case(
      testDescription: "ten bits a pixel", make: { VisionImage(pixelBuffer: try tenBitBuffer()) },
      text: "pixel buffer: the pixel format 'x420' is not one of BGRA"),
    Case(
      testDescription: "an invalidated sample",
      make: {
        let sample = CMSampleBuffer(imageBuffer: try CVPixelBuffer(Photo.bundled("cat")))
        CMSampleBufferInvalidate(sample)
        return VisionImage(buffer: sample)
      }, text: "The sample buffer has no image buffer"),
    Case(
      testDescription: "an unknown image type", make: { StrangeImage() },
      text: "An image of the type StrangeImage"),
  ]

  @Test("An unreadable image is an error of the call, in both modes and for labels", arguments: cases)
  func image(_ row: Case) throws {
    let image = try row.make()
    for mode in [ObjectDetectorMode.singleImage, .stream] {
      let detector = ObjectDetector.makeIsolated(options: Options.coarse(mode))
      let error = #expect(throws: MLKitError.self) { try detector.results(in: image) }
      Self.check(error, row)
    }
    let labeler = ImageLabeler.imageLabeler(options: ImageLabelerOptions())
    Self.check(#expect(throws: MLKitError.self) { try labeler.results(in: image) }, row)
  }

  private static func check(_ error: MLKitError?, _ row: Case) {
    #expect(error?.code == row.code)
    #expect(error?.message.hasPrefix(row.text) == true, "\(error?.message ?? "")")
    #expect(error?.remedy.description.isEmpty == false)
  }
}
