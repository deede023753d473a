// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import MLKit
import Testing

/// Initialisers of images, and their properties.
@Suite(.onOwnThread) struct VisionImageTests {
  @Test("An image starts with the orientation of its UIImage, or upright")
  func orientation() throws {
    let photo = try Photo.bundled("cat")
    let bitmap = try #require(photo.cgImage)
    let turned = UIImage(cgImage: bitmap, scale: 1, orientation: .leftMirrored)
    #expect(VisionImage(image: photo).orientation == .up)
    #expect(VisionImage(image: turned).orientation == .leftMirrored)
    #expect(VisionImage(image: turned).imageOrientation == .leftMirrored)
    #expect(VisionImage(cgImage: bitmap).orientation == .up)
    #expect(VisionImage(pixelBuffer: try CVPixelBuffer(turned)).orientation == .up)
    let image = VisionImage(image: photo)
    image.orientation = .down
    #expect(image.imageOrientation == .down)
  }

  @Test("All initialisers for the same pixels give the same box")
  func ways() throws {
    let photo = try Photo.bundled("cat")
    let bitmap = try #require(photo.cgImage)
    let canvas = TestFrame(try EncodedImage(path: Photo.url("cat").path).canvas())
    let buffer = try CVPixelBuffer(photo)
    let images: [any MLKitCompatibleImage] = [
      VisionImage(image: photo), VisionImage(cgImage: bitmap), VisionImage(contentsOf: Photo.url("cat")),
      VisionImage(data: try Data(contentsOf: Photo.url("cat"))), VisionImage(pixelBuffer: buffer),
      VisionImage(buffer: CMSampleBuffer(imageBuffer: buffer)),
      VisionImage(rgb: Data(canvas.rgb), width: canvas.size.width, height: canvas.size.height),
      try #require(MLImage(image: photo)), try #require(MLImage(pixelBuffer: buffer)),
      try #require(MLImage(sampleBuffer: CMSampleBuffer(imageBuffer: buffer))),
    ]
    let detector = ObjectDetector.objectDetector(options: Options.coarse(.singleImage))
    let frames = try images.map { try #require(try detector.results(in: $0).first).frame }
    // A file is decoded only as finely as the model needs, which moves an edge by a few pixels.
    for frame in frames {
      try #require(!frames.isEmpty)
      #expect(abs(frame.minX - frames[0].minX) < 10 && abs(frame.maxX - frames[0].maxX) < 10)
      #expect(abs(frame.minY - frames[0].minY) < 10 && abs(frame.maxY - frames[0].maxY) < 10)
    }
  }

  @Test("An MLImage has its source and its size")
  func mlImage() throws {
    let photo = try Photo.bundled("cat")
    let image = try #require(MLImage(image: photo))
    #expect(image.imageSourceType == .image)
    #expect(image.image === photo)
    #expect(image.pixelBuffer == nil && image.sampleBuffer == nil)
    #expect(image.width == 451 && image.height == 300)
    let buffer = try CVPixelBuffer(photo)
    let frame = try #require(MLImage(pixelBuffer: buffer))
    #expect(frame.imageSourceType == .pixelBuffer && frame.pixelBuffer === buffer && frame.image == nil)
    #expect(frame.width == 451 && frame.height == 300 && frame.orientation == .up)
    let sample = CMSampleBuffer(imageBuffer: buffer)
    #expect(MLImage(sampleBuffer: sample)?.imageSourceType == .sampleBuffer)
    #expect(MLImage(sampleBuffer: sample)?.sampleBuffer === sample)
    #expect(MLImage(sampleBuffer: CMSampleBuffer(imageBuffer: nil)) == nil)
    CMSampleBufferInvalidate(sample)
    #expect(MLImage(sampleBuffer: sample) == nil)
  }

  @Test("The size of an MLImage of a rotated image is that of the upright one")
  func turnedMLImage() throws {
    let bitmap = try #require(try Photo.bundled("cat").cgImage)
    let image = try #require(MLImage(image: UIImage(cgImage: bitmap, scale: 2, orientation: .right)))
    #expect(image.width == 300 && image.height == 451)
    #expect(image.orientation == .right)
  }
}
