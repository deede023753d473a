// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Firebase
import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

/// Boxes of the legacy detector are on the object, in any stored orientation.
@Suite(.onOwnThread) struct LegacyOrientationTests {
  @Test("The orientations are EXIF's, 1 to 8")
  func values() {
    #expect(VisionDetectorImageOrientation.allCases.map(\.rawValue) == Array(1...8))
    for orientation in VisionDetectorImageOrientation.allCases {
      #expect(orientation.orientation.orientation.exifValue == Int(orientation.rawValue))
    }
    #expect(VisionImageMetadata().orientation == .topLeft)
  }

  /// Device orientations, and how the guide for the legacy detector rotates its images.
  ///
  /// **Source:** the function `imageOrientation(deviceOrientation:cameraPosition:)` of Google's guide.
  static let devices:
    [(UIDeviceOrientation, back: VisionDetectorImageOrientation, front: VisionDetectorImageOrientation)] = [
      (.portrait, .rightTop, .leftTop), (.landscapeLeft, .topLeft, .bottomLeft),
      (.portraitUpsideDown, .leftBottom, .rightBottom), (.landscapeRight, .bottomRight, .topRight),
      (.faceUp, .leftTop, .leftTop), (.faceDown, .leftTop, .leftTop), (.unknown, .leftTop, .leftTop),
    ]

  @Test(
    "Seven device orientations and two cameras", arguments: devices.indices,
    [AVCaptureDevice.Position.back, .front])
  func phones(_ row: Int, _ position: AVCaptureDevice.Position) throws {
    let turned = position == .front ? Self.devices[row].front : Self.devices[row].back
    let orientation = turned.orientation.orientation
    let path = "\(PackageRoot.path)/Examples/photos/coffee.jpg"
    let upright = try EncodedImage(path: path).canvas()
    let stored = TestFrame(upright).stored(as: orientation)
    let sample = CMSampleBuffer(imageBuffer: try CVPixelBuffer(pixels: stored.buffer(FrameFormat.all[0])))
    let image = VisionImage(buffer: sample)
    let metadata = VisionImageMetadata()
    metadata.orientation = turned
    image.metadata = metadata
    let options = LegacyDetectorTests.options(.singleImage)
    let detector = Vision.vision().objectDetector(options: options)
    let object = try #require(try detector.results(in: image).first)
    // The cup, in the upright photo.
    let cup = BoundingBox(minX: 98, minY: 6, maxX: 450, maxY: 394)
    #expect(Self.box(object.uprightFrame).iou(with: cup) > 0.85, "\(object)")
    let place = orientation.storedBox(fromUpright: cup, stored: stored.size)
    #expect(Self.box(object.frame).iou(with: place) > 0.85, "\(object)")
    #expect(abs(object.normalizedFrame.midX * CGFloat(stored.size.width) - object.frame.midX) < 0.001)
  }

  private static func box(_ rect: CGRect) -> BoundingBox {
    BoundingBox(
      minX: Double(rect.minX), minY: Double(rect.minY), maxX: Double(rect.maxX), maxY: Double(rect.maxY))
  }
}
