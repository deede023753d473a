// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaTesting
import Testing

/// The progress calls of a call, and their reaction.
private final class Progress {
  var calls: [(done: Int, count: Int)] = []
  /// Cancelled once this many images are done.
  var cancel: OpaquePointer?
  var after = Int.max

  /// Calls `body` with a struct that uses this progress function.
  func with<R>(threads: Int32, _ body: (UnsafePointer<fovea_call>) throws -> R) rethrows -> R {
    var call = fovea_call()
    call.size = UInt32(MemoryLayout<fovea_call>.size)
    call.threads = threads
    call.cancel = cancel
    call.context = Unmanaged.passUnretained(self).toOpaque()
    call.progress = { context, done, count in
      guard let context else { return }
      let progress = Unmanaged<Progress>.fromOpaque(context).takeUnretainedValue()
      progress.calls.append((done, count))
      if done >= progress.after { fovea_cancel_set(progress.cancel) }
    }
    return try body(&call)
  }
}

@Suite struct CallTests {
  static let photos = ResultTests.photos.map(CImage.file)

  @Test(arguments: [(Int32(0), "1"), (1, "1"), (2, "2"), (4, "2"), (64, "3")])
  func `any number of threads finds the same, and reports all`(_ threads: Int32, _ sessions: String) throws {
    let expected = try CAnalyzer(nil, ["threads": "1"]).find(Self.photos)
    let analyzer = try CAnalyzer(nil, ["threads": "1", "sessions": sessions])
    let progress = Progress()
    let found = try progress.with(threads: threads) { try analyzer.find(Self.photos, $0) }
    #expect(found.map(\.objects) == expected.map(\.objects))
    #expect(found.map(\.failure) == expected.map(\.failure))
    #expect(progress.calls.last.map { $0 == (Self.photos.count, Self.photos.count) } == true)
    let done = progress.calls.map(\.done)
    #expect(done == done.sorted())
    if threads < 2 { #expect(done == Array(1...Self.photos.count)) }
  }

  @Test func `a failed image fails alone`() throws {
    var images = Self.photos
    images.insert(.encoded([0xff, 0xd8, 0xff]), at: 1)
    images.append(.file("/nowhere/b.jpg"))
    let found = try CAnalyzer(nil, ["sessions": "2"]).find(images)
    let failures = found.map { $0.failure?.code }
    #expect(failures[1]?.hasPrefix("image-") == true && failures.last == "image-not-found")
    #expect(failures.compactMap { $0 }.count == 2)
    #expect(found[0].objects.isEmpty == false)
  }

  @Test func `cancelled before, nothing is processed; afterwards, nothing changes`() throws {
    let progress = Progress()
    progress.cancel = fovea_cancel_new()
    defer { fovea_cancel_free(progress.cancel) }
    let analyzer = try CAnalyzer()
    let before = try progress.with(threads: 1) { try analyzer.find([Self.photos[0]], $0) }
    #expect(before[0].failure == nil)
    fovea_cancel_set(progress.cancel)
    fovea_cancel_set(progress.cancel)
    #expect(before[0].objects.isEmpty == false)
    let after = try progress.with(threads: 1) { try analyzer.find(Self.photos, $0) }
    #expect(after.map { $0.failure?.code } == Self.photos.map { _ in "cancelled" })
    #expect(try analyzer.find([Self.photos[0]])[0].failure == nil)
  }

  @Test(arguments: [Int32(1), 2]) func `cancelled midway, finished results stay`(_ threads: Int32) throws {
    let progress = Progress()
    progress.cancel = fovea_cancel_new()
    defer { fovea_cancel_free(progress.cancel) }
    progress.after = 3
    let analyzer = try CAnalyzer(nil, ["sessions": "2", "threads": "1"])
    let images = Self.photos + Self.photos
    let found = try progress.with(threads: threads) { try analyzer.find(images, $0) }
    let codes = found.map { $0.failure?.code }
    #expect(codes.count { $0 == nil } >= 3)
    #expect(codes.last == "cancelled")
    #expect(codes.allSatisfy { $0 == "cancelled" || $0 == nil })
    if threads == 1 { #expect(codes.firstIndex { $0 != nil } == 3 && codes.count { $0 == nil } == 3) }
  }

  @Test func `cancelling from another thread while the token is freed is safe`() throws {
    let progress = Progress()
    progress.cancel = fovea_cancel_new()
    let analyzer = try CAnalyzer()
    let found = try progress.with(threads: 1) { call in
      // Only the call refers to it now.
      fovea_cancel_set(progress.cancel)
      return try analyzer.find([Self.photos[0]], call)
    }
    fovea_cancel_free(progress.cancel)
    #expect(found[0].failure?.code == "cancelled")
  }

  /// A red block at x on grey, which the tiny models find.
  private static func red(at x: Int?) -> CImage {
    let frame = TestFrame(size: PixelSize(width: 240, height: 160)) { column, row in
      let isRed = x.map { ($0..<($0 + 60)).contains(column) && (50..<100).contains(row) } ?? false
      return isRed ? (255, 0, 0) : (90, 90, 90)
    }
    return CImage(kind: 3, bytes: frame.rgb, width: 240, height: 160)
  }

  @Test func `in a stream an object is followed without the detector, until it is lost`() throws {
    let folder = PackageRoot.path + "/Tests/Fixtures/models/"
    let analyzer = try CAnalyzer(
      .file(folder + "mediapipe_palm.tflite"),
      ["landmarks": folder + "hand_landmarks.tflite", "max-objects": "1", "threads": "1"])
    let stream = fovea_stream_new()
    defer { fovea_stream_free(stream) }
    var call = fovea_call()
    call.size = UInt32(MemoryLayout<fovea_call>.size)
    call.stream = stream
    func next(_ x: Int?, _ seconds: Double) throws -> [DetectedObject] {
      call.seconds = seconds
      return try analyzer.find([Self.red(at: x)], &call)[0].objects
    }
    let plain = try analyzer.find([Self.red(at: 80), Self.red(at: 90)]).map(\.objects)
    let first = try next(80, 1)
    #expect(first == plain[0] && first.first?.keypoints.count == 21)
    // The crop is that of the points in the frame before, and the score that of the last detection.
    let second = try next(90, 1.1)
    #expect(second.map(\.score) == first.map(\.score) && second.first?.keypoints.count == 21)
    #expect(second.first?.keypoints != plain[1].first?.keypoints)
    #expect(try next(nil, 1.2).isEmpty)
    #expect(try next(90, .nan) == plain[1])
  }

  @Test func `a stream is for one image of a detector`() throws {
    let stream = fovea_stream_new()
    defer { fovea_stream_free(stream) }
    var call = fovea_call()
    call.size = UInt32(MemoryLayout<fovea_call>.size)
    call.stream = stream
    let (detector, labeler) = (try CAnalyzer(), try CAnalyzer(kind: .labeler))
    func failure(_ analyzer: CAnalyzer, _ count: Int) -> String? {
      #expect(throws: CFailure.self) {
        try analyzer.find(Array(repeating: Self.red(at: 80), count: count), &call)
      }?.message
    }
    for (analyzer, count, name) in [
      (detector, 2, "detector"), (detector, 0, "detector"), (labeler, 1, "labeler"),
    ] {
      #expect(
        failure(analyzer, count)?.hasPrefix("'stream' is set for \(count) images of a \(name)") == true)
    }
    call.stream = detector.pointer
    #expect(failure(detector, 1) == "'stream' is a handle of another kind")
  }

  @Test func `many threads share a detector with two sessions`() throws {
    let analyzer = try CAnalyzer(nil, ["sessions": "2", "threads": "1"])
    let photos = Array(Self.photos.prefix(4))
    let expected = try analyzer.find(photos).map(\.objects)
    let found = OnThreads.run(8) { _ in
      Result { try analyzer.find(photos).map(\.objects) }
    }
    for result in found { #expect(try result.get() == expected) }
  }
}
