// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Fovea

/// Frames of a fixed camera without motion: 64 × 64 pixels, ten times a second, from number 1.
@Suite struct SkippedFramesTests {
  private static let object = Scripted.object(Scripted.box(8, 8, 20, 30))

  private static func frame(_ number: Int, boxAt left: Int? = nil, side: Int = 64) throws -> VideoFrame {
    var bytes = [UInt8](repeating: 90, count: side * side)
    if let left {
      for row in 20..<44 { for column in left..<left + 16 { bytes[row * side + column] = 150 } }
    }
    let layout = try PixelLayout(.grey, size: PixelSize(width: side, height: side))
    return VideoFrame(
      pixels: try PixelBuffer(layout, bytes: bytes), number: number, seconds: Double(number - 1) / 10)
  }

  /// A frame in which something walks through the image, in frames 20 to 23.
  private static func walk(_ number: Int) throws -> VideoFrame {
    try frame(number, boxAt: (20...23).contains(number) ? 16 * (number - 20) : nil)
  }

  private static func options(
    every: Int = 1, masks: [[PixelPoint]] = []
  ) -> ObjectTracker.Options {
    var options = ObjectTracker.Options.stream()
    options.motion = .auto
    options.detectEvery = every
    options.motionMasks = masks
    return options
  }

  /// Tracks the frames 1 to `count`; `find` returns the objects of a frame.
  private static func track(
    _ count: Int, _ options: ObjectTracker.Options = options(),
    find: @escaping @Sendable (Int) throws(FoveaError) -> [DetectedObject] = { _ in [] },
    frame: (Int) throws -> VideoFrame = { try frame($0) }
  ) async throws -> [TrackedFrame] {
    let detector = FrameDetector { frame throws(FoveaError) in
      Scripted.result(try find(frame.number), in: frame)
    }
    var tracker = try ObjectTracker(detector, options: options)
    var tracked: [TrackedFrame] = []
    for number in 1...count { tracked.append(try await tracker.track(frame(number))) }
    return tracked
  }

  private static func watched(_ frames: [TrackedFrame]) -> [Int] {
    frames.filter(\.isWatched).map(\.number)
  }

  private static func detected(_ frames: [TrackedFrame]) -> [Int] {
    frames.filter(\.isDetected).map(\.number)
  }

  @Test func `without the option every frame is processed`() async throws {
    let frames = try await Self.track(20, .stream())
    #expect(Self.detected(frames) == Array(1...20))
    #expect(Self.watched(frames) == Array(1...20))
  }

  @Test func `a still object stays where it is, with its identity`() async throws {
    let frames = try await Self.track(60, find: { _ in [Self.object] })
    #expect(Self.detected(frames) == Array(1...10) + [30, 50])
    #expect(Self.watched(frames) == Self.detected(frames))
    for frame in frames {
      #expect(frame.objects.map(\.trackingID) == [0] && frame.knownIdentities == [0])
      // Pixels: rounding of the filter.
      #expect(abs(try #require(frame.objects.first).box.minX - Self.object.box.minX) < 1e-6)
    }
  }

  @Test func `an object that one run misses after two seconds keeps its identity`() async throws {
    let frames = try await Self.track(56, find: { $0 == 30 ? [] : [Self.object] })
    #expect(Self.detected(frames) == Array(1...10) + Array(30...36) + [56])
    #expect(frames.filter { $0.number != 30 }.allSatisfy { $0.objects.map(\.trackingID) == [0] })
    #expect(frames[29].objects.isEmpty)
  }

  @Test func `an object that has gone is given up after a second of processed frames`() async throws {
    let frames = try await Self.track(100, find: { $0 < 12 ? [Self.object] : [] })
    let watched = Self.watched(frames)
    #expect(watched.prefix(11) == ArraySlice(Array(1...10) + [30]))
    let end = try #require(watched.firstIndex { $0 > 60 })
    #expect((38...42).contains(watched[end - 1]))
    #expect(frames[28].objects.count == 1 && frames[29].objects.isEmpty)
    #expect(frames[99].knownIdentities == [])
  }

  @Test func `motion makes the detector run at once, and then as often as it is due`() async throws {
    let frames = try await Self.track(40, Self.options(every: 2), frame: Self.walk)
    #expect(Self.watched(frames) == Array(1...10) + Array(20...28))
    #expect(Self.detected(frames) == [1, 3, 5, 7, 9, 20, 22, 24, 26, 28])
  }

  @Test func `a new object is looked for in each frame until it is certain`() async throws {
    let frames = try await Self.track(
      28, Self.options(every: 4), find: { $0 < 21 ? [] : [Self.object] }, frame: Self.walk)
    #expect(Self.watched(frames) == Array(1...10) + Array(20...28))
    #expect(Self.detected(frames) == [1, 5, 9, 20, 24, 25, 26])
    let missed = try await Self.track(
      28, Self.options(every: 4), find: { $0 == 24 ? [Self.object] : [] }, frame: Self.walk)
    #expect(Self.detected(missed).prefix(6) == [1, 5, 9, 20, 24, 25])
  }

  @Test func `motion in a mask does not count`() async throws {
    let mask = [(0, 10), (64, 10), (64, 60), (0, 60)].map { PixelPoint(x: $0.0, y: $0.1) }
    let frames = try await Self.track(40, Self.options(masks: [mask]), frame: Self.walk)
    #expect(Self.watched(frames) == Array(1...10))
  }

  @Test func `another size starts again, and frames without times are all processed`() async throws {
    let frames = try await Self.track(40, frame: { try Self.frame($0, side: $0 < 21 ? 64 : 80) })
    #expect(Self.watched(frames) == Array(1...10) + Array(21...30))
    let timeless = try await Self.track(
      20,
      frame: { number in
        var frame = try Self.frame(number)
        frame.seconds = .nan
        return frame
      })
    #expect(Self.watched(timeless) == Array(1...20))
  }

  @Test func `a run that fails is repeated in the next frame`() async throws {
    let detector = FrameDetector { frame throws(FoveaError) in
      guard frame.number != 60 else { throw FoveaError(.unexpected, "No", remedy: "Wait") }
      return Scripted.result([], in: frame)
    }
    var tracker = try ObjectTracker(detector, options: Self.options())
    var detected: [Int] = []
    for number in 1...70 {
      let frame = try Self.frame(number)
      if let tracked = try? await tracker.track(frame), tracked.isDetected { detected.append(number) }
    }
    #expect(detected == Array(1...10) + [61])
  }

  @Test func `motion needs Fovea's tracker and masks with an area`() {
    var options = Self.options()
    options.tracker = .sort(.init())
    let error = #expect(throws: FoveaError.self) { try ObjectTracker(options: options) }
    #expect(
      error?.description
        == "'motion' is auto, and the tracker 'sort' does not report its objects. "
        + "Use the tracker 'fovea', or process all frames.")
    let point = PixelPoint(x: 1, y: 1)
    let mask = #expect(throws: FoveaError.self) {
      try ObjectTracker(options: Self.options(masks: [[point]]))
    }
    #expect(mask?.code.rawValue == "invalid-zone")
  }
}
