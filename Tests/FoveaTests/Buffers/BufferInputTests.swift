// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// Pixels in memory as the input of detectors and labelers, compared with the same image as a file.
@Suite struct BufferInputTests {
  /// The bundled photo, 600 × 400, as pixels.
  static let coffee = Result {
    TestFrame(try EncodedImage(path: PackageRoot.path + "/Examples/photos/coffee.jpg").canvas())
  }
  static let nv12 = FrameFormat.all[4]
  static let bgra = FrameFormat.all[0]

  /// The file that holds the same pixels, rotated the same way.
  static func file(_ frame: TestFrame) throws -> ImageInput {
    let canvas = try frame.buffer(FrameFormat.all[2]).canvas()
    return .data(try canvas.encoded(as: .png), name: "frame")
  }

  @Test func `a buffer gives the objects and labels of the same image in a file`() async throws {
    let frame = try Self.coffee.get()
    let detector = try await ObjectDetector()
    let expected = try await detector.detect(in: Self.file(frame))
    #expect(expected.first?.labels.first?.text == "cup")
    for format in FrameFormat.all where !format.hasChroma && !format.isGrey {
      let result = try await detector.analyze(.pixels(frame.buffer(format, padding: 8)))
      #expect(result.objects == expected, "\(format)")
      #expect(result.size == frame.size)
      #expect(result.orientation == .up)
    }
    let found = try await detector.detect(in: .pixels(frame.buffer(Self.nv12, padding: 8)))
    let cup = try #require(found.first)
    try #require(!expected.isEmpty)
    #expect(cup.box.iou(with: expected[0].box) > 0.95)
    #expect(cup.labels.first?.text == "cup")
    #expect(abs(cup.score - expected[0].score) < 0.05)
  }

  @Test func `a labeler reads a buffer, and a region of it`() async throws {
    let frame = try Self.coffee.get()
    let labeler = try await ImageLabeler()
    let region = BoundingBox(x: 80, y: 10, width: 400, height: 380)
    for region in [nil, region] {
      let expected = try await labeler.labels(in: Self.file(frame), region: region)
      #expect(try await labeler.labels(in: .pixels(frame.buffer(Self.bgra)), region: region) == expected)
      let found = try await labeler.labels(in: .pixels(frame.buffer(Self.nv12)), region: region)
      #expect(found.first?.text == expected.first?.text)
      let difference = (found.first?.confidence ?? 0) - (expected.first?.confidence ?? 0)
      #expect(abs(difference) < 0.05)
    }
  }

  @Test func `a region of a rotated buffer is in stored pixels, and so are the boxes`() async throws {
    let frame = try Self.coffee.get()
    let detector = try await ObjectDetector()
    let region = BoundingBox(x: 40, y: 0, width: 500, height: 400)
    let expected = try await detector.detect(in: .pixels(frame.buffer(Self.bgra)), region: region)
    #expect(!expected.isEmpty)
    let stored = try frame.stored(as: .right).buffer(Self.bgra, orientation: .right)
    let turned = Orientation.right.storedBox(fromUpright: region, stored: stored.size)
    let found = try await detector.detect(in: .pixels(stored), region: turned)
    #expect(found.count == expected.count)
    for (object, other) in zip(found, expected) {
      let box = Orientation.right.uprightBox(fromStored: object.box, stored: stored.size)
      #expect(box.iou(with: other.box) > 0.95)
      #expect(object.labels.first?.text == other.labels.first?.text)
    }
  }

  @Test func `a borrowed frame is analysed in place, and rejected afterwards`() async throws {
    let frame = try Self.coffee.get()
    let detector = try await ObjectDetector()
    let expected = try await detector.detect(in: .pixels(frame.buffer(Self.nv12)))
    let planes = frame.planes(Self.nv12)
    let memory = unsafe planes.map { plane in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: plane.count, alignment: 64)
      unsafe memory.copyBytes(from: plane)
      return UnsafeRawBufferPointer(memory)
    }
    let (objects, prepared) = try await unsafe PixelBuffer.withUnsafeBorrowed(
      frame.layout(Self.nv12), planes: memory, name: "frame 1"
    ) { buffer in
      (try await detector.detect(in: .pixels(buffer)), try await detector.prepare(.pixels(buffer)))
    }
    unsafe memory.forEach { unsafe $0.deallocate() }
    #expect(objects == expected)
    let error = await #expect(throws: FoveaError.self) { try await detector.detect(in: .prepared(prepared)) }
    #expect(error?.code.rawValue == "image-buffer-expired")
    #expect(error?.subject == "frame 1")
  }

  @Test func `limits hold for buffers too`() async throws {
    var options = ObjectDetector.Options()
    options.imageLimits.maxPixels = 100
    let detector = try await ObjectDetector(options: options)
    let frame = TestFrame.gradient(PixelSize(width: 20, height: 10))
    let error = await #expect(throws: FoveaError.self) {
      try await detector.detect(in: .pixels(frame.buffer(Self.bgra)))
    }
    #expect(error?.code.rawValue == "image-too-large")
    #expect(error?.message == "the image has 200 pixels (20 × 10), 100 are allowed")
  }

  @Test func `a prepared buffer gives the same result, and the smallest one gives a result at all`()
    async throws
  {
    let detector = try await ObjectDetector()
    let buffer = try Self.coffee.get().buffer(Self.nv12)
    let prepared = try await detector.prepare(.pixels(buffer))
    #expect(prepared.size == buffer.size)
    #expect(prepared.decodedSize == buffer.size)
    #expect(try await detector.detect(in: .prepared(prepared)) == detector.detect(in: .pixels(buffer)))
    let pixel = TestFrame.gradient(PixelSize(width: 1, height: 1))
    for format in FrameFormat.all { _ = try await detector.detect(in: .pixels(pixel.buffer(format))) }
  }
}
