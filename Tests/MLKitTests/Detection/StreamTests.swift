// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Dispatch
import Foundation
import FoveaGeometry
import FoveaImage
import FoveaTesting
import MLKit
import Testing

/// Identities from frame to frame.
///
/// Suites share the stream of equal options, so each test has its own options, or an isolated detector.
@Suite(.onOwnThread, .serialized) struct StreamTests {
  private static let cat = Result {
    TestFrame(try EncodedImage(path: PackageRoot.path + "/Examples/photos/cat.jpg").canvas())
  }

  /// The cat, moved to the right by `offset` pixels on grey, like a camera's frame.
  static func frame(_ offset: Int, seconds: Double? = nil) throws -> CMSampleBuffer {
    let cat = try Self.cat.get()
    let size = PixelSize(width: cat.size.width + 60, height: cat.size.height)
    let moved = TestFrame(size: size) { x, y in
      guard x >= offset, x < offset + cat.size.width else { return (110, 110, 110) }
      let source = (y * cat.size.width + x - offset) * 3
      return (cat.rgb[source], cat.rgb[source + 1], cat.rgb[source + 2])
    }
    let buffer = try CVPixelBuffer(pixels: moved.buffer(FrameFormat.all[0]))
    let time = seconds.map { CMTime(seconds: $0, preferredTimescale: 600) } ?? .invalid
    return CMSampleBuffer(imageBuffer: buffer, presentationTimeStamp: time)
  }

  static func ids(_ objects: [Object]) -> [Int] { objects.compactMap { $0.trackingID?.intValue } }

  @Test("An object keeps its tracking id, which starts at 0, while it moves")
  func identity() throws {
    let detector = ObjectDetector.makeIsolated(options: Options.coarse(.stream))
    for step in 0..<4 {
      let objects = try detector.results(in: VisionImage(buffer: Self.frame(step * 8)))
      #expect(Self.ids(objects) == [0])
      #expect(objects.first?.trackingID?.stringValue == "0")
    }
  }

  @Test("Detectors with equal options share the stream, also if one is created for each frame")
  func sharedStream() throws {
    let options = Options.coarse(.stream)
    options.maxObjectCount = 4
    let kept = ObjectDetector.objectDetector(options: options)
    kept.reset()
    // The second one follows a gap: its object is another one.
    for (seconds, id) in [(0.0, 0), (10, 1), (10.1, 1), (10.2, 1)] {
      let made = ObjectDetector.objectDetector(options: options)
      #expect(Self.ids(try made.results(in: VisionImage(buffer: Self.frame(0, seconds: seconds)))) == [id])
      let image = VisionImage(buffer: try Self.frame(0, seconds: seconds + 0.05))
      #expect(Self.ids(try kept.results(in: image)) == [id])
    }
  }

  @Test("An object unseen for more than a second of buffer time is another one")
  func lostObject() throws {
    let detector = ObjectDetector.makeIsolated(options: Options.coarse(.stream))
    for (seconds, id) in [(20, 0), (20.5, 0), (30, 1), (30.1, 1)] {
      let objects = try detector.results(in: VisionImage(buffer: Self.frame(0, seconds: seconds)))
      #expect(Self.ids(objects) == [id], "\(seconds) s")
    }
  }

  @Test("An isolated detector is independent of others with the same options, and of their resets")
  func isolated() throws {
    let options = Options.coarse(.stream)
    let first = ObjectDetector.makeIsolated(options: options)
    let second = ObjectDetector.makeIsolated(options: options)
    for seconds in [0.0, 10] {
      _ = try first.results(in: VisionImage(buffer: Self.frame(0, seconds: seconds)))
    }
    let image = VisionImage(buffer: try Self.frame(0, seconds: 10.1))
    #expect(Self.ids(try second.results(in: image)) == [0])
    second.reset()
    #expect(Self.ids(try first.results(in: image)) == [1])
  }

  @Test("After a reset identities start at 0 again")
  func reset() throws {
    let detector = ObjectDetector.makeIsolated(options: Options.coarse(.stream))
    for seconds in [0.0, 10] {
      _ = try detector.results(in: VisionImage(buffer: Self.frame(0, seconds: seconds)))
    }
    let image = VisionImage(buffer: try Self.frame(0, seconds: 10.1))
    #expect(Self.ids(try detector.results(in: image)) == [1])
    detector.reset()
    #expect(Self.ids(try detector.results(in: image)) == [0])
  }

  @Test("A frame of another size or orientation starts again, and results continue")
  func changedSize() throws {
    let detector = ObjectDetector.makeIsolated(options: Options.coarse(.stream))
    #expect(Self.ids(try detector.results(in: VisionImage(buffer: Self.frame(0)))) == [0])
    #expect(Self.ids(try detector.results(in: Photo.image("cat"))) == [0])
    let turned = try Photo.image("cat")
    turned.orientation = .upMirrored
    #expect(Self.ids(try detector.results(in: turned)) == [0])
  }

  @Test(
    "With any times of the buffers, results are returned and identities stay",
    arguments: [[0, 0, 0], [3, 2, 1], [.nan, .infinity, -1e300], [1e300, 1, 2]] as [[Double]])
  func times(_ seconds: [Double]) throws {
    let detector = ObjectDetector.makeIsolated(options: Options.coarse(.stream))
    for (step, second) in seconds.enumerated() {
      let buffer = try Self.frame(step * 4, seconds: second)
      #expect(Self.ids(try detector.results(in: VisionImage(buffer: buffer))) == [0])
    }
  }

  @Test("An unreadable frame is an error, and the stream continues after it")
  func errorBetween() throws {
    let detector = ObjectDetector.makeIsolated(options: Options.coarse(.stream))
    #expect(Self.ids(try detector.results(in: VisionImage(buffer: Self.frame(0)))) == [0])
    let nothing = VisionImage(buffer: CMSampleBuffer(imageBuffer: nil))
    #expect(throws: MLKitError.self) { try detector.results(in: nothing) }
    #expect(Self.ids(try detector.results(in: VisionImage(buffer: Self.frame(4)))) == [0])
  }

  @Test("Frames of concurrent calls are processed one by one, in the order of the calls")
  func order() async throws {
    let detector = ObjectDetector.makeIsolated(options: Options.coarse(.stream))
    detector.callbackQueue = DispatchQueue(label: "test")
    let frames = try (0..<12).map { VisionImage(buffer: try Self.frame($0 * 5)) }
    let calls: [(number: Int, left: Double)] = await withCheckedContinuation { continuation in
      nonisolated(unsafe) var calls: [(number: Int, left: Double)] = []
      for (number, frame) in frames.enumerated() {
        detector.process(frame) { objects, _ in
          // SAFETY: called on one serial queue.
          unsafe calls.append((number, objects?.first.map { Double($0.frame.minX) } ?? -1))
          if unsafe calls.count == frames.count { continuation.resume(returning: unsafe calls) }
        }
      }
    }
    #expect(calls.map(\.number) == Array(0..<12))
    // The cat moves by 55 pixels, and the detector's boxes vary by a few.
    let lefts = calls.map(\.left)
    #expect(lefts[8..<12].reduce(0, +) > lefts[4..<8].reduce(0, +))
    #expect(lefts[4..<8].reduce(0, +) > lefts[0..<4].reduce(0, +))
  }

  @Test(
    "The maximum Int of objects can be requested",
    arguments: [ObjectDetectorMode.stream, .singleImage])
  func anyNumber(mode: ObjectDetectorMode) throws {
    let options = Options.coarse(mode, multiple: true)
    options.maxObjectCount = .max
    let image = try Photo.image("cat")
    #expect(try !ObjectDetector.objectDetector(options: options).results(in: image).isEmpty)
  }
}
