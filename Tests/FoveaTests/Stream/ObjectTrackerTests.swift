// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

/// Identities of scripted objects, in stream mode at 30 frames per second.
@Suite struct ObjectTrackerTests {
  private func tracker(_ options: ObjectTracker.Options = .stream()) throws -> ObjectTracker {
    try ObjectTracker(options: options)
  }

  @Test(arguments: [(hidden: 27, isSame: true), (29, true), (36, false)])
  func `an object hidden for up to a second keeps its identity`(
    _ row: (hidden: Int, isSame: Bool)
  ) throws {
    var tracker = try tracker()
    var number = 0
    func object() -> [DetectedObject] { [Scripted.object(Scripted.box(50 + 3 * Double(number), 100))] }
    var before: [Int?] = []
    for _ in 0..<30 {
      number += 1
      before += try tracker.track(Scripted.frame(number), objects: object()).objects.map(\.trackingID)
    }
    #expect(before == [Int?](repeating: 0, count: 30))
    for _ in 0..<row.hidden {
      number += 1
      #expect(try tracker.track(Scripted.frame(number), objects: []).objects.isEmpty)
    }
    number += 1
    let after = try tracker.track(Scripted.frame(number), objects: object()).objects.map(\.trackingID)
    #expect(after == [row.isSame ? 0 : 1])
  }

  @Test func `two crossing objects keep their identities`() throws {
    var tracker = try tracker()
    for number in 1...100 {
      let step = Double(number - 1) * 5
      let objects = [
        Scripted.object(Scripted.box(50 + step, 100)), Scripted.object(Scripted.box(550 - step, 130)),
      ]
      let tracked = try tracker.track(Scripted.frame(number), objects: objects)
      #expect(tracked.objects.map(\.trackingID) == [0, 1], "frame \(number)")
    }
  }

  @Test(arguments: [1, 5])
  func `no more objects than the limit have an identity, the most confident first`(_ limit: Int) throws {
    var tracker = try tracker(.stream(objectLimit: limit))
    for number in 1...20 {
      let objects = (0..<8).map {
        Scripted.object(Scripted.box(70 * Double($0), 100), score: 0.6 + 0.04 * Float($0))
      }
      let tracked = try tracker.track(Scripted.frame(number), objects: objects)
      #expect(tracked.objects.count == limit)
      #expect(Set(tracked.objects.compactMap(\.trackingID)) == Set(0..<limit))
      #expect(tracked.objects.allSatisfy { $0.score > 0.6 + 0.04 * Float(7 - limit) })
    }
  }

  @Test func `weak objects start nothing, and keep confident ones alive`() throws {
    var tracker = try tracker()
    let weak = [Scripted.object(Scripted.box(100, 100), score: 0.2)]
    #expect(try tracker.track(Scripted.frame(1), objects: weak).objects.isEmpty)
    let sure = [Scripted.object(Scripted.box(100, 100), score: 0.9)]
    for number in 2...5 {
      #expect(try tracker.track(Scripted.frame(number), objects: sure).objects.map(\.trackingID) == [0])
    }
    for number in 6...60 {
      #expect(try tracker.track(Scripted.frame(number), objects: weak).objects.map(\.trackingID) == [0])
    }
  }

  @Test func `a second box on an object starts no other one`() throws {
    var tracker = try tracker()
    for number in 1...10 {
      let objects = [
        Scripted.object(Scripted.box(100, 100, 40, 80)),
        Scripted.object(Scripted.box(110, 100, 60, 80), score: 0.6),
      ]
      #expect(objects[0].box.iou(with: objects[1].box) > 0.4)
      let tracked = try tracker.track(Scripted.frame(number), objects: objects)
      #expect(tracked.objects.map(\.trackingID) == [0], "frame \(number)")
    }
  }

  @Test func `a detector that changes its class does not change the label`() throws {
    var tracker = try tracker()
    for number in 1...40 {
      let label = number % 4 == 0 ? 9 : 3
      let object = Scripted.object(Scripted.box(100, 100), label: label)
      let tracked = try tracker.track(Scripted.frame(number), objects: [object])
      #expect(tracked.objects.first?.labels.map(\.index) == [3], "frame \(number)")
    }
    // A lasting change: after most of eight detections the label follows.
    var last: [Int]?
    for number in 41...48 {
      let object = Scripted.object(Scripted.box(100, 100), label: 9)
      last = try tracker.track(Scripted.frame(number), objects: [object]).objects.first?.labels.map(\.index)
    }
    #expect(last == [9])
  }

  @Test(arguments: Orientation.allCases)
  func `a rotated camera gives the same identities, and boxes in stored pixels`(
    _ orientation: Orientation
  ) throws {
    let upright = orientation.uprightSize(ofStored: Scripted.size)
    var turned = try tracker()
    var plain = try tracker()
    var sized = try tracker()
    for number in 1...40 where number % 7 != 0 {
      let boxes = (0..<3).map { index in
        Scripted.box(
          30 + 120 * Double(index) + 2 * Double(number), 60 + 3 * Double(number) * Double(index % 2))
      }
      let stored = boxes.map {
        Scripted.object(orientation.storedBox(fromUpright: $0, stored: Scripted.size))
      }
      let frame = try Scripted.frame(number, orientation: orientation)
      let first = try turned.track(frame, objects: stored)
      let second = try plain.track(
        Scripted.frame(number, size: upright), objects: boxes.map { Scripted.object($0) })
      #expect(first.objects.map(\.trackingID) == [0, 1, 2])
      #expect(second.objects.map(\.trackingID) == [0, 1, 2])
      let third = try sized.track(
        stored, size: Scripted.size, orientation: orientation, number: frame.number, seconds: frame.seconds)
      #expect(third == first.objects, "only the size matters")
      for (a, b) in zip(first.objects, second.objects) {
        let expected = orientation.storedBox(fromUpright: b.box, stored: Scripted.size)
        // Pixels; the two ways only differ by rounding.
        #expect(abs(a.box.minX - expected.minX) < 1e-6)
        #expect(abs(a.box.minY - expected.minY) < 1e-6)
        #expect(abs(a.box.maxX - expected.maxX) < 1e-6)
        #expect(abs(a.box.maxY - expected.maxY) < 1e-6)
      }
    }
  }

  @Test func `another size or orientation starts again, and so does reset`() throws {
    var tracker = try tracker()
    let here = [Scripted.object(Scripted.box(100, 100)), Scripted.object(Scripted.box(300, 100))]
    let other = [here[1]]
    #expect(try tracker.track(Scripted.frame(1), objects: here).objects.map(\.trackingID) == [0, 1])
    #expect(try tracker.track(Scripted.frame(2), objects: other).objects.map(\.trackingID) == [1])
    let turned = try Scripted.frame(3, orientation: .down)
    #expect(try tracker.track(turned, objects: other).objects.map(\.trackingID) == [0])
    let larger = try Scripted.frame(4, size: PixelSize(width: 800, height: 600))
    #expect(try tracker.track(larger, objects: here.reversed()).objects.map(\.trackingID).count == 2)
    tracker.reset()
    #expect(try tracker.track(larger, objects: other).objects.map(\.trackingID) == [0])
  }

  @Test func `impossible boxes are left out, and trackers are independent`() throws {
    var first = try tracker()
    var second = try tracker()
    let odd: [DetectedObject] = [
      Scripted.object(BoundingBox(minX: .nan, minY: 0, maxX: 10, maxY: 10)),
      Scripted.object(BoundingBox(minX: 10, minY: 10, maxX: 10, maxY: 10)),
      Scripted.object(BoundingBox(minX: 1e12, minY: 10, maxX: 2e12, maxY: 10)),
      Scripted.object(Scripted.box(10, 10), score: .nan),
      Scripted.object(Scripted.box(200, 10)),
      Scripted.object(Scripted.box(-500, -500), score: 0.8),
    ]
    for number in 1...5 {
      let seen = try first.track(Scripted.frame(number), objects: odd).objects
      #expect(seen.map(\.trackingID) == [0])
      #expect(seen.first?.box.minX == 200)
    }
    #expect(
      try second.track(Scripted.frame(1), objects: [odd[4]]).objects.map(\.trackingID) == [0])
  }

  @Test func `options out of their range are rejected by name`() throws {
    var options = ObjectTracker.Options.stream()
    for every in [0, -1, 1_001, Int.max] {
      options.detectEvery = every
      let error = #expect(throws: FoveaError.self) { try ObjectTracker(options: options) }
      #expect(error?.message == "'detectEvery' is \(every); it must be 1…1000")
    }
    options.detectEvery = 1_000
    #expect(throws: Never.self) { try ObjectTracker(options: options) }
    options.detectEvery = 2
    options.tracker = .sort(.init())
    let error = #expect(throws: FoveaError.self) { try ObjectTracker(options: options) }
    #expect(
      error?.description
        == "'detectEvery' is 2, and the tracker 'sort' needs detections on every frame. "
        + "Use the tracker 'fovea', or detect on every frame.")
    for rate in [0, -1, .nan, .infinity, 1e9] {
      let error = #expect(throws: FoveaError.self) { try ObjectTracker(frameRate: rate) }
      #expect(error?.code.rawValue == "invalid-parameter")
    }
    #expect(throws: FoveaError.self) { try ObjectTracker(options: .stream(threshold: .nan)) }
    #expect(throws: FoveaError.self) { try ObjectTracker(options: .stream(objectLimit: 0)) }
  }

  @Test func `an endless stream needs no more memory`() throws {
    var tracker = try tracker()
    var random = SeededGenerator(seed: 5)
    var frame = try Scripted.smallFrame(1)
    var identities: Set<Int> = []
    var object = Scripted.object(Scripted.box(0, 0, 2, 2))
    for number in 1...20_000 {
      // An object that changes its identity every ten frames.
      if number % 10 == 1 {
        object = Scripted.object(
          Scripted.box(random.number(0...12), random.number(0...12), 2, 2), label: random.below(5))
      }
      frame.number = number
      frame.seconds = Double(number) / 30
      for object in try tracker.track(frame, objects: [object]).objects {
        if let identity = object.trackingID { identities.insert(identity) }
      }
    }
    // Thousands of identities, of which only those of the last second are remembered.
    #expect(identities.count > 200)
    #expect(tracker.rememberedCount <= 256)
  }
}
