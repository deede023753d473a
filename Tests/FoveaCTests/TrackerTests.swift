// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

@testable import FoveaC

/// A tracker of C.
private final class CTracker {
  let pointer: OpaquePointer

  init(_ options: [String: String] = [:]) throws {
    var pointer: OpaquePointer?
    let options = try COptions(options)
    try withExtendedLifetime(options) { try CFailure.check(fovea_tracker_open(options.pointer, &pointer)) }
    self.pointer = try #require(pointer)
  }

  deinit { fovea_tracker_close(pointer) }

  /// Processes a frame; with `objects` nil the existing ones move.
  func update(
    _ frame: CImage?, _ objects: [DetectedObject]?, size: PixelSize, seconds: Double
  ) throws -> [DetectedObject] {
    var result: OpaquePointer?
    var columns = ResultColumns(.objects)
    columns.add(objects ?? [], size: size, orientation: .up, timings: StageTimings())
    columns.finish()
    let detections = ResultObject(columns)
    var read = fovea_columns()
    read.size = UInt32(MemoryLayout<fovea_columns>.size)
    detections.write(into: &read)
    try withUnsafePointer(to: &read) { read in
      let read = objects == nil ? nil : read
      if let frame {
        try CFailure.check(
          CImage.with([frame]) { image, _ in fovea_tracker_update(pointer, image, read, seconds, &result) })
      } else {
        try CFailure.check(fovea_tracker_update(pointer, nil, read, seconds, &result))
      }
    }
    withExtendedLifetime(detections) {}
    let found = CFindings.taking(result)
    #expect(found.count == 1 && found[0].failure == nil && found[0].size == size)
    return found[0].objects
  }
}

@Suite struct TrackerTests {
  static let size = PixelSize(width: 96, height: 64)

  /// A textured square that moves to the right, and a detector's boxes of it.
  static func frame(_ number: Int) -> (image: CImage, pixels: [UInt8], objects: [DetectedObject]) {
    let left = 8 + 2 * number
    let pixels = (0..<size.height).flatMap { y in
      (0..<size.width).map { x -> UInt8 in
        guard (left..<left + 24).contains(x), (16..<40).contains(y) else {
          return UInt8((x * 7 + y * 3) % 32)
        }
        return UInt8(120 + ((x - left) * 37 + (y - 16) * 53) % 120)
      }
    }
    let image = CImage(kind: 7, bytes: pixels, width: Int32(size.width), height: Int32(size.height))
    let box = BoundingBox(x: Double(left), y: 16, width: 24, height: 24)
    let object = DetectedObject(
      box: box, score: 0.9, labels: [Label(text: "square", index: 3, confidence: 0.9)],
      keypoints: [PixelPoint(x: Double(left), y: 16)],
      mask: try? ObjectMask(cells: [255, 0, 255, 255], columns: 2, region: box), orientedBox: OrientedBox(box)
    )
    return (image, pixels, [object])
  }

  private func swift(_ options: ObjectTracker.Options, isDetected: (Int) -> Bool) throws -> [[DetectedObject]]
  {
    var tracker = try ObjectTracker(frameRate: 25, options: options)
    return try (0..<12).map { number in
      let frame = Self.frame(number)
      let buffer = try PixelBuffer(PixelLayout(.grey, size: Self.size), bytes: frame.pixels)
      let video = VideoFrame(pixels: buffer, number: number + 1, seconds: Double(number) / 25)
      return isDetected(number)
        ? try tracker.track(video, objects: frame.objects).objects : try tracker.follow(video).objects
    }
  }

  @Test(arguments: [true, false]) func `identities equal the Swift tracker's`(_ hasFrames: Bool) throws {
    let expected = try swift(ObjectTracker.Options()) { _ in true }
    let tracker = try CTracker(["frame-rate": "25"])
    for number in 0..<12 {
      let frame = Self.frame(number)
      let found = try tracker.update(
        hasFrames ? frame.image : nil, frame.objects, size: Self.size, seconds: Double(number) / 25)
      #expect(found == expected[number], "frame \(number)")
    }
    #expect(expected.last?.first?.trackingID == 1)
    #expect(expected.last?.first?.mask != nil && expected.last?.first?.orientedBox != nil)
  }

  @Test func `boxes move with the image between two detections`() throws {
    var options = ObjectTracker.Options()
    options.detectEvery = 3
    let expected = try swift(options) { $0 % 3 == 0 }
    let tracker = try CTracker(["frame-rate": "25", "every": "3"])
    for number in 0..<12 {
      let frame = Self.frame(number)
      let found = try tracker.update(
        frame.image, number % 3 == 0 ? frame.objects : nil, size: Self.size, seconds: Double(number) / 25)
      #expect(found == expected[number], "frame \(number)")
    }
    #expect(expected[11].first?.box.minX ?? 0 > 26)
  }

  @Test func `a tracker resets on request, and has other kinds`() throws {
    let tracker = try CTracker(["tracker": "bytetrack"])
    var last: [DetectedObject] = []
    for number in 0..<6 {
      last = try tracker.update(nil, Self.frame(number).objects, size: Self.size, seconds: .nan)
    }
    #expect(last.first?.trackingID == 1)
    fovea_tracker_reset(tracker.pointer)
    for number in 0..<6 {
      last = try tracker.update(nil, Self.frame(number).objects, size: Self.size, seconds: .infinity)
    }
    #expect(last.first?.trackingID == 1)
  }

  @Test func `a second caller gets busy`() throws {
    let tracker = try CTracker()
    let handle = try #require(Handle.find(TrackerHandle.self, tracker.pointer))
    let failure = try handle.use.alone { () throws(FoveaError) in
      #expect(throws: CFailure.self) {
        try tracker.update(nil, Self.frame(0).objects, size: Self.size, seconds: 0)
      }
    }
    #expect(failure?.code == "busy")
    #expect(throws: Never.self) { try tracker.update(nil, [], size: Self.size, seconds: 0) }
  }

  @Test func `impossible detections are rejected with the field's name`() throws {
    let tracker = try CTracker()
    let numbers: [Double] = [1, 2, 3, .nan]
    let scores: [Float] = [0.5, 2]
    let offsets: [Int64] = [0, 9]
    let side: [Int32] = [0, 64]
    func failure(_ change: (inout fovea_columns) -> Void) -> CFailure? {
      numbers.withUnsafeBufferPointer { boxes in
        scores.withUnsafeBufferPointer { scores in
          offsets.withUnsafeBufferPointer { offsets in
            side.withUnsafeBufferPointer { side in
              var columns = fovea_columns()
              columns.size = UInt32(MemoryLayout<fovea_columns>.size)
              columns.images = 1
              columns.widths = side.baseAddress.map { $0 + 1 }
              columns.heights = columns.widths
              columns.boxes = boxes.baseAddress
              columns.scores = scores.baseAddress
              columns.label_offsets = offsets.baseAddress
              change(&columns)
              if columns.objects == 7 { (columns.objects, columns.label_offsets) = (1, nil) }
              var out: OpaquePointer?
              return CFailure.of(fovea_tracker_update(tracker.pointer, nil, &columns, 0, &out))
            }
          }
        }
      }
    }
    let rows: [(String, (inout fovea_columns) -> Void)] = [
      ("'size' of detections is 12", { $0.size = 12 }), ("'images' of detections is 2", { $0.images = 2 }),
      ("'objects' of detections is 1844674407370955161", { $0.objects = -1 }),
      ("'boxes' of detections is NULL", { ($0.objects, $0.boxes) = (1, nil) }),
      ("'scores' of detections is NULL", { ($0.objects, $0.scores) = (1, nil) }),
      ("'label_offsets' of detections does not ascend", { $0.objects = 1 }),
      ("object 0 of detections has the box", { $0.objects = 7 }),
      ("'widths' or 'heights' of detections is NULL", { $0.widths = nil }),
      (
        "the buffer is 0 × 0 pixels",
        {
          $0.widths = $0.widths.map { $0 - 1 }; $0.heights = $0.widths
        }
      ),
    ]
    for (says, change) in rows {
      let failure = failure(change)
      #expect(failure?.message.hasPrefix(says) == true, "\(failure?.message ?? "no error"), not \(says)")
    }
    #expect(failure { _ in } == nil)
    var out: OpaquePointer?
    let nothing = CFailure.of(fovea_tracker_update(tracker.pointer, nil, nil, 0, &out))
    #expect(nothing?.message.contains("'detections' is NULL") == true)
    let following = try CTracker(["every": "2"])
    let frameless = #expect(throws: CFailure.self) {
      try following.update(nil, [], size: Self.size, seconds: 0)
    }
    #expect(frameless?.message.contains("'frame' is NULL") == true)
    var other = Self.frame(0).image
    (other.width, other.height) = (64, 96)
    let different = #expect(throws: CFailure.self) {
      try following.update(other, [], size: Self.size, seconds: 0)
    }
    #expect(
      different?.message
        == "the frame is 64 × 96 pixels, but the detections are for an image of 96 × 64"
    )
    let file = #expect(throws: CFailure.self) {
      try following.update(.file("/tmp/a.jpg"), [], size: Self.size, seconds: 0)
    }
    #expect(file?.message == "'kind' is 1, pixels (3…7) expected")
  }
}
