// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Synchronization
import Testing

@Suite struct PixelOwnershipTests {
  static let size = PixelSize(width: 33, height: 21)
  static let tensor = PixelSize(width: 16, height: 12)
  static let nv12 = FrameFormat.all[4]

  /// Calls `body` with one pointer for each plane.
  private static func withPlanes<R>(
    _ planes: [[UInt8]], _ done: [UnsafeRawBufferPointer] = unsafe [],
    _ body: ([UnsafeRawBufferPointer]) throws -> R
  ) rethrows -> R {
    guard unsafe done.count < planes.count else { return unsafe try body(done) }
    return try unsafe planes[done.count].withUnsafeBytes { bytes in
      unsafe try withPlanes(planes, done + [bytes], body)
    }
  }

  @Test(arguments: FrameFormat.all)
  func `copied, adopted and borrowed planes give what an owned array gives`(_ format: FrameFormat) throws {
    let frame = TestFrame.gradient(Self.size)
    let layout = try frame.layout(format, padding: 4)
    let expected = try frame.buffer(format, padding: 4).pixels(Self.tensor).bytes
    try unsafe Self.withPlanes(frame.planes(format, padding: 4)) { planes in
      #expect(try unsafe PixelBuffer(layout, copying: planes).pixels(Self.tensor).bytes == expected)
      let borrowed = unsafe try PixelBuffer.withUnsafeBorrowed(layout, planes: planes) { buffer in
        try buffer.pixels(Self.tensor).bytes
      }
      #expect(borrowed == expected)
    }
  }

  @Test func `a span is borrowed without unsafe code`() throws {
    let frame = TestFrame.gradient(Self.size)
    let layout = try frame.layout(Self.nv12)
    let bytes = Array(frame.planes(Self.nv12).joined())
    let found = try PixelBuffer.withBorrowed(layout, bytes: bytes.span, orientation: .down) { buffer in
      #expect(buffer.orientation == .down)
      return try buffer.pixels(Self.tensor).bytes
    }
    #expect(try found == frame.buffer(Self.nv12, orientation: .down).pixels(Self.tensor).bytes)
  }

  @Test func `adopted memory is released once, when the last copy is gone`() throws {
    let counter = ReleaseCounter()
    let layout = try PixelLayout(.grey, size: PixelSize(width: 4, height: 4))
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
    defer { unsafe memory.deallocate() }
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 77)
    var buffer: PixelBuffer? = try unsafe PixelBuffer(layout, adopting: [UnsafeRawBufferPointer(memory)]) {
      counter.add()
    }
    var copy = buffer
    copy?.orientation = .left
    buffer = nil
    #expect(counter.count == 0)
    #expect(try copy?.pixels(PixelSize(width: 2, height: 2)).bytes.allSatisfy { $0 == 77 } == true)
    copy = nil
    #expect(counter.count == 1)
    _ = buffer
  }

  @Test func `rejected memory is not released`() throws {
    let counter = ReleaseCounter()
    let layout = try PixelLayout(.grey, size: PixelSize(width: 4, height: 4))
    let error = imageError { () throws(ImageError) in
      try unsafe PixelBuffer(layout, adopting: [UnsafeRawBufferPointer(start: nil, count: 0)]) {
        counter.add()
      }
    }
    #expect(error?.code == .invalidBuffer)
    #expect(counter.count == 0)
  }

  @Test func `a lent buffer that escapes is rejected, and its memory not touched`() async throws {
    let frame = TestFrame.gradient(Self.size)
    let layout = try frame.layout(Self.nv12)
    let bytes = Array(frame.planes(Self.nv12).joined())
    let escaped = try PixelBuffer.withBorrowed(layout, bytes: bytes.span, name: "frame 9") { $0 }
    for error in [
      imageError { () throws(ImageError) in try escaped.pixels(Self.tensor) },
      imageError { () throws(ImageError) in try escaped.canvas() },
    ] {
      #expect(error?.code == .bufferExpired)
      #expect(
        error?.description == "frame 9: the pixels were lent for one call, which has ended."
          + " Use the buffer inside the closure that receives it, or create one that owns its bytes.")
    }
    // The waiting closure returns it too, also if it throws.
    let late = Mutex<PixelBuffer?>(nil)
    await #expect(throws: CancellationError.self) {
      try await unsafe PixelBuffer.withUnsafeBorrowed(layout, planes: Self.leaked(frame)) { buffer in
        await Task.yield()
        _ = try buffer.pixels(Self.tensor)
        late.withLock { $0 = buffer }
        throw CancellationError()
      }
    }
    let kept = try #require(late.withLock { $0 })
    #expect(imageError { () throws(ImageError) in try kept.pixels(Self.tensor) }?.code == .bufferExpired)
  }

  /// Planes that live as long as the tests.
  private static func leaked(_ frame: TestFrame) -> [UnsafeRawBufferPointer] {
    unsafe frame.planes(nv12).map { plane in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: plane.count, alignment: 16)
      unsafe memory.copyBytes(from: plane)
      return UnsafeRawBufferPointer(memory)
    }
  }

  struct Short: CustomTestStringConvertible {
    let testDescription: String
    let counts: [Int]
    let message: String
  }

  @Test(arguments: [
    Short(
      testDescription: "one byte of luma missing", counts: [14, 8],
      message: "plane 0 (Y) has 14 bytes, 15 expected for 5 × 3 pixels of NV12 (BT.601, video range)"
        + " with 5 bytes a row"),
    Short(
      testDescription: "half of the chroma", counts: [15, 6],
      message: "plane 1 (CbCr) has 6 bytes, 12 expected for 5 × 3 pixels of NV12 (BT.601, video range)"
        + " with 6 bytes a row"),
    Short(
      testDescription: "no chroma", counts: [15],
      message: "1 planes were given, NV12 (BT.601, video range) has 2"),
    Short(
      testDescription: "the chroma in two", counts: [15, 6, 6],
      message: "3 planes were given, NV12 (BT.601, video range) has 2"),
    Short(
      testDescription: "nothing", counts: [], message: "0 planes were given, NV12 (BT.601, video range) has 2"
    ),
  ])
  func `planes that are too short are errors that name the sizes`(_ row: Short) throws {
    let layout = try PixelLayout(.nv12(), size: PixelSize(width: 5, height: 3))
    let planes = row.counts.map { [UInt8](repeating: 0, count: $0) }
    unsafe Self.withPlanes(planes) { planes in
      let errors = [
        imageError { () throws(ImageError) in try unsafe PixelBuffer(layout, copying: planes) },
        imageError { () throws(ImageError) in try unsafe PixelBuffer(layout, adopting: planes) {} },
      ]
      for error in errors {
        #expect(error?.code == .invalidBuffer)
        #expect(error?.message == row.message)
      }
      let error = #expect(throws: ImageError.self) {
        try unsafe PixelBuffer.withUnsafeBorrowed(layout, planes: planes) { _ in }
      }
      #expect(error?.message == row.message)
    }
  }

  @Test(arguments: [0, 26, 29, 200])
  func `a block of another length is rejected, longer ones too`(_ count: Int) throws {
    // 3 rows of 6 bytes and 2 of 6, of which the last may end after its 6: 30 bytes.
    let layout = try PixelLayout(.nv12(), size: PixelSize(width: 5, height: 3), bytesPerRow: [6, 6])
    let error = imageError { () throws(ImageError) in
      try PixelBuffer(layout, bytes: [UInt8](repeating: 0, count: count))
    }
    #expect(
      error?.message == "the buffer has \(count) bytes, 30 expected for 5 × 3 pixels of"
        + " NV12 (BT.601, video range) with 6, 6 bytes a row")
    let grey = try PixelLayout(.grey, size: PixelSize(width: 5, height: 3), bytesPerRow: [8])
    for accepted in 21...24 { _ = try PixelBuffer(grey, bytes: [UInt8](repeating: 0, count: accepted)) }
    let wrong = imageError { () throws(ImageError) in
      try PixelBuffer(grey, bytes: [UInt8](repeating: 0, count: 25))
    }
    #expect(wrong?.message.hasPrefix("the buffer has 25 bytes, 21…24 expected") == true)
  }

  @Test(arguments: FrameFormat.all)
  func `no byte after a plane is read`(_ format: FrameFormat) throws {
    let page = Int(getpagesize())
    for size in [PixelSize(width: 1, height: 1), PixelSize(width: 17, height: 9), Self.size] {
      let frame = TestFrame.gradient(size)
      let layout = try frame.layout(format, padding: 3)
      var maps: [UnsafeMutableRawPointer] = unsafe []
      var planes: [UnsafeRawBufferPointer] = unsafe []
      defer { for index in unsafe maps.indices { unsafe _ = munmap(maps[index], 3 * page) } }
      for bytes in frame.planes(format, padding: 3) {
        // The plane ends where an unreadable page starts.
        let map = unsafe mmap(nil, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let base = unsafe map, unsafe base != MAP_FAILED else { throw CancellationError() }
        unsafe maps.append(base)
        #expect(unsafe mprotect(base + 2 * page, page, PROT_NONE) == 0)
        let start = unsafe base + 2 * page - bytes.count
        unsafe start.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe planes.append(UnsafeRawBufferPointer(start: start, count: bytes.count))
      }
      let found = unsafe try PixelBuffer.withUnsafeBorrowed(layout, planes: planes) { buffer in
        _ = try buffer.canvas()
        return try Orientation.allCases.map { orientation in
          var turned = buffer
          turned.orientation = orientation
          return try turned.pixels(Self.tensor).bytes
        }
      }
      #expect(try found[0] == frame.buffer(format).pixels(Self.tensor).bytes)
    }
  }
}

/// Counts calls from any thread.
private final class ReleaseCounter: Sendable {
  private let calls = Atomic(0)
  func add() { calls.add(1, ordering: .relaxed) }
  var count: Int { calls.load(ordering: .relaxed) }
}
