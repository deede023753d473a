// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import MLKit
import Testing

/// Boxes are on the object in buffer space, upright space and normalised space, in any stored orientation.
@Suite(.onOwnThread) struct OrientationTests {
  /// The formats of Core Video, in BT.601.
  static let formats = FrameFormat.all.filter { $0.format.encoding.map { $0.matrix == .bt601 } ?? true }

  @Test("Each of the eight orientations in each pixel format", arguments: Orientation.allCases, formats)
  func matrix(_ orientation: Orientation, _ format: FrameFormat) throws {
    let image = VisionImage(pixelBuffer: try TurnedScene.buffer(orientation, format))
    image.orientation = UIImage.Orientation(orientation)
    try Self.check(image, orientation, .singleImage)
  }

  @Test("Each of the eight orientations in stream mode", arguments: Orientation.allCases)
  func stream(_ orientation: Orientation) throws {
    let image = VisionImage(pixelBuffer: try TurnedScene.buffer(orientation))
    image.orientation = UIImage.Orientation(orientation)
    try Self.check(image, orientation, .stream)
  }

  @Test(
    "Each of the eight orientations of a UIImage, for VisionImage and MLImage",
    arguments: Orientation.allCases)
  func images(_ orientation: Orientation) throws {
    let stored = try CGImage(pixels: TurnedScene.buffer(orientation).pixels())
    let photo = UIImage(cgImage: stored, scale: 1, orientation: UIImage.Orientation(orientation))
    // Without an explicit one: the orientation of the UIImage.
    try Self.check(VisionImage(image: photo), orientation, .singleImage)
    try Self.check(try #require(MLImage(image: photo)), orientation, .singleImage)
  }

  /// Device orientations, and how the guides for the custom detector and for labels rotate their images.
  ///
  /// **Source:** the function `imageOrientation(deviceOrientation:cameraPosition:)` of Google's guides.
  static let devices: [(UIDeviceOrientation, back: UIImage.Orientation, front: UIImage.Orientation)] = [
    (.portrait, .right, .leftMirrored), (.landscapeLeft, .up, .downMirrored),
    (.portraitUpsideDown, .left, .rightMirrored), (.landscapeRight, .down, .upMirrored),
    (.faceUp, .up, .up), (.faceDown, .up, .up), (.unknown, .up, .up),
  ]

  @Test(
    "Seven device orientations and two cameras", arguments: devices.indices,
    [AVCaptureDevice.Position.back, .front])
  func phones(_ row: Int, _ position: AVCaptureDevice.Position) throws {
    let turned = position == .front ? Self.devices[row].front : Self.devices[row].back
    let sample = CMSampleBuffer(imageBuffer: try TurnedScene.buffer(turned.orientation))
    let image = VisionImage(buffer: sample)
    image.orientation = turned
    try Self.check(image, turned.orientation, .singleImage)
  }

  private static func check(
    _ image: any MLKitCompatibleImage, _ orientation: Orientation, _ mode: ObjectDetectorMode,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let detector = ObjectDetector.makeIsolated(options: Options.coarse(mode))
    let object = try #require(try detector.results(in: image).first)
    try TurnedScene.check(
      frame: object.frame, upright: object.uprightFrame, normalized: object.normalizedFrame, orientation,
      sourceLocation: sourceLocation)
  }
}
