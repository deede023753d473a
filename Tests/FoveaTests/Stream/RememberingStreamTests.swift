// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

/// A detector with a memory in streams: `lstm_ssd` scores the red block (1 + frames seen before) / 4.
@Suite struct RememberingStreamTests {
  private static let size = PixelSize(width: 320, height: 256)

  private static func frame(
    _ number: Int, size: PixelSize = size, orientation: Orientation = .up
  ) throws -> VideoFrame {
    var bytes = [UInt8](repeating: 0, count: size.area * 4)
    for y in 30..<70 {
      for x in 20..<80 { bytes[(y * size.width + x) * 4 + 2] = 255 }
    }
    return VideoFrame(
      pixels: try PixelBuffer(PixelLayout(.bgra, size: size), bytes: bytes, orientation: orientation),
      number: number, seconds: Double(number - 1) / 30)
  }

  private static func detector(tile: Int? = nil) async throws -> ObjectDetector {
    var options = ObjectDetector.Options()
    options.sessions = 2
    options.threshold = 0.01
    if let tile {
      var slicing = Slicing()
      slicing.tileSize = tile
      options.slicing = slicing
    }
    return try await ObjectDetector(
      model: .file(PackageRoot.path + "/Tests/Fixtures/models/lstm_ssd.tflite"), options: options)
  }

  /// The scores in quarters: 1 for a model without earlier frames.
  private static func quarters(_ objects: [DetectedObject]) -> [Int] {
    objects.map { Int(($0.score * 4).rounded()) }
  }

  private static let options = ObjectTracker.Options.stream(threshold: 0.01)

  @Test func `streams of one detector remember their own frames, and photos none`() async throws {
    let detector = try await Self.detector()
    var left = try ObjectTracker(detector: detector, options: Self.options)
    var right = try ObjectTracker(detector: detector, options: Self.options)
    for (number, seen) in [(1, 1), (2, 2), (3, 3)] {
      #expect(try await Self.quarters(left.track(Self.frame(number)).objects) == [seen])
      #expect(try await Self.quarters(detector.detect(in: .pixels(Self.frame(1).pixels))) == [1])
      if number > 1 {
        #expect(try await Self.quarters(right.track(Self.frame(number)).objects) == [seen - 1])
      }
    }
    // A copy is independent.
    var copy = left
    #expect(try await Self.quarters(copy.track(Self.frame(4)).objects) == [4])
    #expect(try await Self.quarters(left.track(Self.frame(4)).objects) == [4])
  }

  @Test func `a reset, another size and another orientation start again`() async throws {
    var tracker = try ObjectTracker(detector: try await Self.detector(), options: Self.options)
    let wide = PixelSize(width: 400, height: 256)
    let steps: [(size: PixelSize, orientation: Orientation, isReset: Bool, seen: Int)] = [
      (Self.size, .up, false, 1), (Self.size, .up, false, 2), (Self.size, .up, true, 1),
      (wide, .up, false, 1), (wide, .up, false, 2), (wide, .down, false, 1), (Self.size, .up, false, 1),
    ]
    for (number, step) in steps.enumerated() {
      if step.isReset { tracker.reset() }
      let frame = try Self.frame(number + 1, size: step.size, orientation: step.orientation)
      #expect(try await Self.quarters(tracker.track(frame).objects) == [step.seen], "\(number)")
    }
  }

  @Test func `frames between detector runs are not remembered`() async throws {
    var options = Self.options
    options.detectEvery = 2
    var tracker = try ObjectTracker(detector: try await Self.detector(), options: options)
    var seen: [Int] = []
    for number in 1...5 {
      let tracked = try await tracker.track(Self.frame(number))
      if tracked.isDetected { seen += Self.quarters(tracked.objects) }
    }
    #expect(seen == [1, 2, 3])
  }

  @Test func `each pass through a source starts with an empty memory`() async throws {
    let detector = try await Self.detector()
    let frames = detector.track(FrameArray(try (1...4).map { try Self.frame($0) }), options: Self.options)
    for _ in 1...2 {
      var seen: [Int] = []
      for try await frame in frames { seen += Self.quarters(frame.objects) }
      #expect(seen == [1, 2, 3, 4])
    }
  }

  @Test func `a detector in the background remembers the frames it has processed`() async throws {
    var options = FrameSession.Options()
    options.tracking = Self.options
    options.detectsInBackground = true
    var stepper = try FrameStepper(detector: try await Self.detector(), options: options)
    for _ in 1...2 {
      var seen: [Int] = []
      var number = 0
      while seen.count < 3 {
        number += 1
        let tracked = try await stepper.take(Self.frame(number))
        if tracked.isDetected { seen += Self.quarters(tracked.objects) } else { await Task.yield() }
      }
      #expect(seen == [1, 2, 3])
      stepper.reset()
    }
  }

  @Test func `each tile of a frame has its own memory`() async throws {
    var tracker = try ObjectTracker(detector: try await Self.detector(tile: 128), options: Self.options)
    let first = try await tracker.track(Self.frame(1)).objects.map(\.score).max()
    let second = try await tracker.track(Self.frame(2)).objects.map(\.score).max()
    let ratio = try #require(second) / #require(first)
    #expect(abs(ratio - 2) < 0.05, "\(ratio)")
  }
}
