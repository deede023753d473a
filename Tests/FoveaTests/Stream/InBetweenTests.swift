// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Synchronization
import Testing

@testable import Fovea

/// Boxes that move with the image between two runs of the detector.
@Suite struct InBetweenTests {
  private let scene = Self.texture
  private static let texture = MovingTexture()

  private func detector() -> FrameDetector {
    FrameDetector { [scene] frame throws(FoveaError) in
      Scripted.result([Scripted.object(scene.box(frame.number), label: 2)], in: frame)
    }
  }

  private func distance(_ first: BoundingBox, _ second: BoundingBox) -> Double {
    max(
      abs(first.minX - second.minX), abs(first.minY - second.minY), abs(first.maxX - second.maxX),
      abs(first.maxY - second.maxY))
  }

  @Test(arguments: [Orientation.up, .right])
  func `with a detector on every tenth frame the box stays on the object`(_ orientation: Orientation)
    async throws
  {
    var options = ObjectTracker.Options.stream()
    options.detectEvery = 10
    var tracker = try ObjectTracker(detector(), options: options)
    for number in 1...21 {
      let frame = try scene.frame(number, orientation: orientation)
      let tracked = try await tracker.track(frame)
      #expect(tracked.isDetected == (number % 10 == 1))
      let object = try #require(tracked.objects.first, "frame \(number)")
      #expect(tracked.objects.map(\.trackingID) == [0])
      #expect(object.labels.map(\.index) == [2])
      // Pixels: half of one from the smoothing filter, the rest from the flow.
      #expect(distance(object.box, scene.box(number)) <= 2, "frame \(number)")
    }
  }

  @Test func `the camera's motion can be measured in the image at the same time`() async throws {
    var options = ObjectTracker.Options.stream()
    options.detectEvery = 5
    options.measuresCameraMotion = true
    var tracker = try ObjectTracker(detector(), options: options)
    for number in 1...6 {
      let tracked = try await tracker.track(scene.frame(number))
      #expect(tracked.objects.map(\.trackingID) == [0])
      #expect(try distance(#require(tracked.objects.first).box, scene.box(number)) <= 2)
    }
  }

  @Test func `boxes can be followed after frames whose images were not needed`() throws {
    var tracker = try ObjectTracker(options: .stream())
    for number in 1...3 {
      _ = try tracker.track(scene.frame(number), objects: [Scripted.object(scene.box(number))])
    }
    for number in 4...8 {
      let tracked = try tracker.follow(scene.frame(number))
      #expect(!tracked.isDetected)
      #expect(tracked.objects.map(\.trackingID) == [0])
      #expect(try distance(#require(tracked.objects.first).box, scene.box(number)) <= 2)
    }
  }

  @Test func `an unreadable frame is an error, and the next one continues`() async throws {
    var options = ObjectTracker.Options.stream()
    options.detectEvery = 10
    var tracker = try ObjectTracker(detector(), options: options)
    for number in 1...3 { _ = try await tracker.track(scene.frame(number)) }
    let expired = try Scripted.expiredFrame(4, size: scene.size)
    let error = await #expect(throws: FoveaError.self) { try await tracker.track(expired) }
    #expect(error?.code.rawValue == "image-buffer-expired")
    let tracked = try await tracker.track(scene.frame(5))
    #expect(tracked.objects.map(\.trackingID) == [0])
    #expect(try distance(#require(tracked.objects.first).box, scene.box(5)) <= 2)
  }

  @Test func `a frame of another size makes the detector run at once`() async throws {
    var options = ObjectTracker.Options.stream()
    options.detectEvery = 10
    var tracker = try ObjectTracker(detector(), options: options)
    #expect(try await tracker.track(scene.frame(1)).isDetected)
    #expect(try await !tracker.track(scene.frame(2)).isDetected)
    #expect(try tracker.follow(Scripted.frame(3)).objects.isEmpty)
    #expect(try await tracker.track(Scripted.frame(4)).isDetected)
    #expect(try await !tracker.track(Scripted.frame(5)).isDetected)
    #expect(try await tracker.track(scene.frame(6)).isDetected)
  }

  @Test func `detections in the background are carried to the newest frame`() async throws {
    let gate = Gate()
    let detector = detector()
    var options = FrameSession.Options()
    options.detectsInBackground = true
    let session = try FrameSession(
      FrameDetector { frame throws(FoveaError) in
        await gate.arrive(frame.number)
        return try await detector.analyze(frame, memory: StreamMemory()).result
      }, options: options)
    var results = session.results.makeAsyncIterator()
    var number = 0
    func next() async throws -> TrackedFrame {
      number += 1
      session.submit(try scene.frame(number))
      return try #require(await results.next()).get()
    }
    for _ in 1...8 {
      let tracked = try await next()
      #expect(!tracked.isDetected)
      #expect(tracked.objects.isEmpty)
    }
    #expect(await gate.arrival() == 1)
    await gate.open()
    // The detector's result arrives with one of the next frames, carried over all frames in between.
    var tracked = try await next()
    while !tracked.isDetected { tracked = try await next() }
    #expect(tracked.objects.map(\.trackingID) == [0])
    #expect(try distance(#require(tracked.objects.first).box, scene.box(number)) <= 2)
    // It processes that frame now, and meanwhile the box moves with the image.
    #expect(await gate.arrival() == number)
    for _ in 1...5 {
      let moved = try await next()
      #expect(!moved.isDetected)
      #expect(moved.objects.map(\.trackingID) == [0])
      #expect(try distance(#require(moved.objects.first).box, scene.box(number)) <= 2)
    }
    #expect(session.counts.dropped == 0)
    // The end interrupts the detector.
    session.finish()
    #expect(await results.next() == nil)
  }

  @Test func `a failing background detector affects one result, and runs again`() async throws {
    let gate = Gate()
    let failures = Mutex(1)
    let detector = detector()
    var options = FrameSession.Options()
    options.detectsInBackground = true
    let session = try FrameSession(
      FrameDetector { frame throws(FoveaError) in
        await gate.arrive(frame.number)
        let fails = failures.withLock { count in
          count -= 1
          return count >= 0
        }
        if fails { throw FoveaError(.unexpected, "No", remedy: "Wait") }
        return try await detector.analyze(frame, memory: StreamMemory()).result
      }, options: options)
    var results = session.results.makeAsyncIterator()
    var number = 0
    var outcomes: [String] = []
    func advance(until isWanted: (Result<TrackedFrame, FoveaError>) -> Bool) async throws {
      while true {
        number += 1
        session.submit(try scene.frame(number))
        let result = try #require(await results.next())
        if case .failure(let error) = result { outcomes.append("\(error)") }
        if isWanted(result) { return }
      }
    }
    try await advance { _ in true }
    #expect(await gate.arrival() == 1)
    await gate.open()
    try await advance { if case .failure = $0 { true } else { false } }
    #expect(outcomes == ["frame 1: No. Wait."])
    #expect(await gate.arrival() == number)
    await gate.open()
    try await advance { ((try? $0.get())?.isDetected ?? false) }
    #expect(outcomes.count == 1)
    session.finish()
    _ = await gate.arrival()
  }

  @Test func `detections in a frame of another size are not carried over`() throws {
    var tracker = try ObjectTracker(options: .stream())
    let first = try scene.frame(1)
    _ = try tracker.follow(first)
    tracker.remember()
    _ = try tracker.follow(Scripted.frame(2))
    let found = Scripted.result([Scripted.object(scene.box(1))], in: first)
    let tracked = try tracker.catchUp(found, with: Scripted.frame(3))
    #expect(!tracked.isDetected)
    #expect(tracked.objects.isEmpty)
    // Nor when the earlier size returns.
    let late = try tracker.catchUp(found, with: scene.frame(4))
    #expect(!late.isDetected)
  }
}
