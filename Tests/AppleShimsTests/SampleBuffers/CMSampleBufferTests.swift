// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import AppleShims

@Suite struct CMSampleBufferTests {
  static let frame = TestFrame.gradient(PixelSize(width: 12, height: 6))

  @Test func `a video frame keeps pixels and time`() throws {
    let pixels = try Self.frame.buffer(FrameFormat.all[4])
    let sample: CMSampleBufferRef = try CMSampleBuffer(VideoFrame(pixels: pixels, number: 3, seconds: 1.25))
    #expect(CMSampleBufferGetPresentationTimeStamp(sample).seconds == 1.25)
    #expect(CMSampleBufferIsValid(sample))
    let buffer = try #require(CMSampleBufferGetImageBuffer(sample))
    #expect(try colors(buffer.pixels()) == colors(pixels))
    #expect(!CMSampleBufferGetDuration(sample).isValid)
  }

  @Test func `an image is upright, and has no time`() throws {
    let photo = UIImage(cgImage: try #require(image(12, 6, Self.frame.rgb)), scale: 1, orientation: .left)
    let sample = try CMSampleBuffer(photo)
    #expect(sample.imageBuffer.map(CVPixelBufferGetWidth) == 6)
    #expect(!sample.presentationTimeStamp.isValid)
  }

  @Test func `a sample may have no image, and can be invalidated`() {
    let sample = CMSampleBuffer(imageBuffer: nil, presentationTimeStamp: .zero)
    #expect(CMSampleBufferGetImageBuffer(sample) == nil)
    #expect(sample.isValid)
    #expect(CMSampleBufferInvalidate(sample) == 0)
    #expect(!sample.isValid)
  }
}
