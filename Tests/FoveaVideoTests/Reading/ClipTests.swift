// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

struct ClipCase: CustomTestStringConvertible, Sendable {
  let name: String
  let codec: String
  let format: PixelFormat
  var times = (0..<12).map { Double($0) / 10 }
  /// The decoder's output, if it differs from the format.
  var pixelFormat = "yuv420p"
  var testDescription: String { name }

  static let all: [ClipCase] = [
    ClipCase(name: "h264.mp4", codec: "h264", format: .i420()),
    ClipCase(name: "h264-tail.mp4", codec: "h264", format: .i420()),
    ClipCase(name: "h264-709.mp4", codec: "h264", format: .i420(YUVEncoding(matrix: .bt709))),
    ClipCase(name: "h264-full.mp4", codec: "h264", format: .i420(.jpeg), pixelFormat: "yuvj420p"),
    ClipCase(name: "h264-422.mp4", codec: "h264", format: .i420(), pixelFormat: "yuv422p"),
    ClipCase(name: "h264-444.mp4", codec: "h264", format: .i420(), pixelFormat: "yuv444p"),
    ClipCase(name: "h264-10bit.mp4", codec: "h264", format: .i420(), pixelFormat: "yuv420p10le"),
    ClipCase(name: "hevc-10bit.mp4", codec: "hevc", format: .i420(), pixelFormat: "yuv420p10le"),
    ClipCase(name: "h264.ts", codec: "h264", format: .i420()),
    ClipCase(
      name: "mpeg2.ts", codec: "mpeg2video", format: .i420(),
      times: [0, 0.12, 0.2, 0.32, 0.4, 0.52, 0.6, 0.72, 0.8, 0.92, 1, 1.12]),
    ClipCase(name: "vp9.webm", codec: "vp9", format: .i420()),
    ClipCase(name: "varied.mkv", codec: "h264", format: .i420(), times: [0, 0.1, 0.4, 0.5, 0.9]),
    ClipCase(name: "mpeg4.avi", codec: "mpeg4", format: .i420()),
    ClipCase(name: "mjpeg.mov", codec: "mjpeg", format: .i420(.jpeg), pixelFormat: "yuvj420p"),
    ClipCase(name: "animated.gif", codec: "gif", format: .bgra, pixelFormat: "bgra"),
    ClipCase(name: "raw.avi", codec: "rawvideo", format: .bgra, times: [0, 0.1, 0.2], pixelFormat: "bgr24"),
  ]
}

@Suite(.enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries")) struct ClipTests {
  @Test(
    "Each codec and pixel format gives all frames, exact times and the right colours",
    arguments: ClipCase.all)
  func clip(_ clip: ClipCase) throws {
    let (reader, frames) = try Clip.read(Clip.path(clip.name))
    #expect(reader.info.codec == clip.codec)
    #expect(reader.info.pixelFormat == clip.pixelFormat)
    #expect(reader.info.size == PixelSize(width: 64, height: 48))
    #expect(reader.info.isFinite)
    #expect(frames.map(\.number) == Array(1...clip.times.count))
    try #require(frames.count == clip.times.count)
    for (frame, time) in zip(frames, clip.times) {
      // Matroska and WebM count milliseconds.
      #expect(abs(frame.seconds - time) < 0.000_6)
      #expect(frame.pixels.size == PixelSize(width: 64, height: 48))
      #expect(frame.pixels.layout.format == clip.format)
      // 4 levels: rounding of YUV and the codecs' losses; a wrong matrix or range is at least 10.
      #expect(try Clip.difference(frame.pixels) <= 5)
    }
    #expect(reader.progress.end == .complete)
    #expect(reader.progress.frames == clip.times.count)
    #expect(reader.progress.warnings == [])
    #expect(try reader.next() == nil)
  }

  @Test("The container's facts are known before the first frame")
  func info() throws {
    let info = try VideoReader(path: Clip.path("h264.mp4")).info
    #expect(info.frameRate == 10)
    #expect(info.frameCount == 12)
    #expect(abs((info.duration ?? 0) - 1.2) < 1e-9)
    #expect(info.orientation == .up)
    #expect(info.container.contains("mp4"))
  }

  @Test("More threads give the same frames", arguments: [1, 2, 4])
  func threads(_ threads: Int) throws {
    var options = VideoReader.Options()
    options.threads = threads
    let (_, frames) = try Clip.read(Clip.path("h264.mp4"), options: options)
    #expect(frames.count == 12)
    for frame in frames { #expect(try Clip.difference(frame.pixels) <= 5) }
  }

  @Test("A change of size in mid-stream gives frames of both sizes, with a warning")
  func sizes() throws {
    let (reader, frames) = try Clip.read(Clip.path("sizes.h264"))
    let small = PixelSize(width: 64, height: 48)
    let large = PixelSize(width: 96, height: 64)
    #expect(
      frames.map(\.pixels.size) == Array(repeating: small, count: 6) + Array(repeating: large, count: 6))
    #expect(reader.progress.sizeChanges == 1)
    #expect(reader.progress.warnings.first == "frame 7 is 96 × 64 pixels, those before it 64 × 48")
    // A stream without times counts by its rate.
    for (index, frame) in frames.enumerated() { #expect(abs(frame.seconds - Double(index) / 10) < 1e-9) }
  }

  @Test("The frame limit ends early with a warning", arguments: [1, 5, 12, 100])
  func limit(_ limit: Int) throws {
    var options = VideoReader.Options()
    options.frameLimit = limit
    let (reader, frames) = try Clip.read(Clip.path("h264.mp4"), options: options)
    #expect(frames.count == min(limit, 12))
    #expect(reader.progress.end == (limit > 12 ? .complete : .frameLimit))
  }

  @Test("Frames outlive their reader")
  func lifetime() throws {
    let frames = try Clip.read(Clip.path("h264.mp4")).1
    for frame in frames { #expect(try Clip.difference(frame.pixels) <= 5) }
  }

  @Test("After cancel there is no frame")
  func cancel() throws {
    let reader = try VideoReader(path: Clip.path("h264.mp4"))
    #expect(try reader.next() != nil)
    reader.cancel()
    #expect(try reader.next() == nil)
    #expect(reader.progress.end == .cancelled)
  }
}

struct MatrixCase: CustomTestStringConvertible, Sendable {
  /// The four numbers a, b, c, d of the display matrix.
  let matrix: [Int32]
  let orientation: Orientation
  var testDescription: String { "\(matrix) is \(orientation.name)" }

  static let all: [MatrixCase] = [
    MatrixCase(matrix: [1, 0, 0, 1], orientation: .up),
    MatrixCase(matrix: [-1, 0, 0, 1], orientation: .upMirrored),
    MatrixCase(matrix: [-1, 0, 0, -1], orientation: .down),
    MatrixCase(matrix: [1, 0, 0, -1], orientation: .downMirrored),
    MatrixCase(matrix: [0, 1, 1, 0], orientation: .leftMirrored),
    MatrixCase(matrix: [0, 1, -1, 0], orientation: .right),
    MatrixCase(matrix: [0, -1, -1, 0], orientation: .rightMirrored),
    MatrixCase(matrix: [0, -1, 1, 0], orientation: .left),
  ]
}

extension ClipTests {
  @Test("The display matrix of an MP4 becomes the orientation of its frames", arguments: MatrixCase.all)
  func orientation(_ matrix: MatrixCase) throws {
    var bytes = try Clip.bytes("h264.mp4")
    let header = try #require(bytes.firstRange(of: Array("tkhd".utf8)))
    // The matrix starts 40 bytes after the name; a, b, u, c, d.
    for (place, value) in zip([0, 1, 3, 4], matrix.matrix) {
      let number = UInt32(bitPattern: value << 16)
      for byte in 0..<4 {
        bytes[header.upperBound + 40 + place * 4 + byte] = UInt8(
          truncatingIfNeeded: number >> (24 - 8 * byte))
      }
    }
    let folder = try TemporaryFolder()
    let (reader, frames) = try Clip.read(folder.write("turned.mp4", bytes))
    #expect(reader.info.orientation == matrix.orientation)
    #expect(frames.first?.pixels.orientation == matrix.orientation)
    #expect(reader.info.uprightSize.width == (matrix.orientation.isTransposed ? 48 : 64))
  }
}
