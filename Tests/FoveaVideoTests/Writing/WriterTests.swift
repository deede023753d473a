// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

struct WriterCase: CustomTestStringConvertible, Sendable {
  let ending: String
  var codec: VideoCodec?
  let expected: String
  var testDescription: String { ".\(ending) with \(codec?.rawValue ?? "the usual codec")" }

  static let all: [WriterCase] = [
    WriterCase(ending: "mp4", expected: "h264"), WriterCase(ending: "MP4", expected: "h264"),
    WriterCase(ending: "mov", expected: "h264"), WriterCase(ending: "mkv", expected: "h264"),
    WriterCase(ending: "m4v", expected: "h264"), WriterCase(ending: "webm", expected: "vp9"),
    WriterCase(ending: "avi", expected: "mjpeg"), WriterCase(ending: "mkv", codec: .vp9, expected: "vp9"),
    WriterCase(ending: "mkv", codec: .mjpeg, expected: "mjpeg"),
    WriterCase(ending: "mov", codec: .mjpeg, expected: "mjpeg"),
    WriterCase(ending: "mp4", codec: .vp9, expected: "vp9"),
    WriterCase(ending: "avi", codec: .h264, expected: "h264"),
  ]
}

@Suite(.enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries")) struct WriterTests {
  private let times = (0..<12).map { Double($0) / 10 }

  private func options(_ codec: VideoCodec? = nil) -> VideoWriter.Options {
    var options = VideoWriter.Options()
    options.codec = codec
    options.frameRate = 10
    options.quality = 95
    return options
  }

  private func code(_ path: String, _ options: VideoWriter.Options = .init()) -> VideoCode? {
    do throws(VideoError) {
      try VideoWriter(path: path, options: options).discard()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("Written videos read back: frames, times, colours", arguments: WriterCase.all)
  func roundTrip(_ writer: WriterCase) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out." + writer.ending
    let output = try VideoWriter(path: path, options: options(writer.codec))
    for frame in try Clip.read(Clip.path("h264.mp4")).1 {
      try output.write(frame.pixels, seconds: frame.seconds)
    }
    let summary = try output.finish()
    #expect(summary.frames == 12 && summary.scaledFrames == 0)
    #expect(try folder.names() == ["out." + writer.ending])
    let (reader, frames) = try Clip.read(path)
    #expect(reader.info.codec == writer.expected)
    #expect(frames.count == 12)
    for (frame, time) in zip(frames, times) {
      #expect(abs(frame.seconds - time) < 0.000_6)
      #expect(try Clip.difference(frame.pixels) <= 10)
    }
    #expect(reader.progress.end == .complete)
  }

  @Test("Varying times are kept, except in AVI", arguments: ["mp4", "mkv", "webm"])
  func varied(_ ending: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out." + ending
    let output = try VideoWriter(path: path, options: options())
    let frame = try #require(try Clip.read(Clip.path("h264.mp4")).1.first)
    let times = [0, 0.033, 0.5, 0.51, 7.25]
    for time in times { try output.write(frame.pixels, seconds: time) }
    try output.finish()
    let found = try Clip.read(path).1.map(\.seconds)
    #expect(found.count == times.count)
    for (time, expected) in zip(found, times) { #expect(abs(time - expected) < 0.000_6) }
  }

  @Test("Times that do not rise are moved, and none is lost")
  func strangeTimes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out.mp4"
    let output = try VideoWriter(path: path, options: options())
    let frame = try #require(try Clip.read(Clip.path("h264.mp4")).1.first)
    for time in [0, 0.1, 0.1, 0.05, -3, .nan, .infinity, 0.5] {
      try output.write(frame.pixels, seconds: time)
    }
    try output.finish()
    #expect(try Clip.read(path).1.count == 8)
  }

  @Test(
    "Each pixel format is accepted",
    arguments: [
      "h264.mp4", "h264-709.mp4", "h264-full.mp4", "animated.gif", "mjpeg.mov",
    ])
  func formats(_ name: String) throws {
    let folder = try TemporaryFolder()
    for ending in ["mp4", "avi"] {
      let path = folder.path + "/out." + ending
      let output = try VideoWriter(path: path, options: options())
      for frame in try Clip.read(Clip.path(name)).1 { try output.write(frame.pixels, seconds: frame.seconds) }
      try output.finish()
      for frame in try Clip.read(path).1 {
        #expect(try Clip.difference(frame.pixels) <= 10, "\(name) as \(ending)")
      }
    }
  }

  @Test("Buffers of every layout, and a canvas, give the same image")
  func layouts() throws {
    let folder = try TemporaryFolder()
    let canvas = try #require(try Clip.read(Clip.path("h264.mp4")).1.first).pixels.canvas()
    let bytes = unsafe canvas.withUnsafeMutableBytes { unsafe [UInt8]($0) }
    let size = canvas.size
    var rgb: [UInt8] = []
    var rgba: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let color = [bytes[start + 2], bytes[start + 1], bytes[start]]
      rgb += color
      rgba += color + [0]
    }
    let buffers = [
      try PixelBuffer(PixelLayout(.bgra, size: size, bytesPerRow: [canvas.bytesPerRow]), bytes: bytes),
      try PixelBuffer(PixelLayout(.rgba, size: size), bytes: rgba),
      try PixelBuffer(PixelLayout(.rgb, size: size), bytes: rgb),
    ]
    for (index, buffer) in buffers.enumerated() {
      let path = "\(folder.path)/out\(index).mp4"
      let output = try VideoWriter(path: path, options: options())
      try output.write(buffer, seconds: 0)
      try output.write(canvas, seconds: 0.1)
      try output.finish()
      let frames = try Clip.read(path).1
      #expect(frames.count == 2)
      for frame in frames {
        let difference = try Clip.difference(frame.pixels)
        #expect(difference <= 10, "\(buffer.layout.format)")
      }
    }
    let grey = try PixelBuffer(
      PixelLayout(.grey, size: size), bytes: [UInt8](repeating: 200, count: size.area))
    let output = try VideoWriter(path: folder.path + "/grey.mp4", options: options())
    try output.write(grey, seconds: 0)
    try output.finish()
    let frame = try #require(try Clip.read(folder.path + "/grey.mp4").1.first)
    for value in try Clip.color(frame.pixels, x: 30, y: 20) { #expect(abs(value - 200) <= 3) }
  }

  @Test(
    "Odd sizes grow to even ones, except in Motion JPEG",
    arguments: [(65, 47), (3, 3), (64, 47), (65, 48)])
  func oddSizes(_ width: Int, _ height: Int) throws {
    let folder = try TemporaryFolder()
    let size = PixelSize(width: width, height: height)
    let pixels = try PixelBuffer(
      PixelLayout(.rgb, size: size), bytes: [UInt8](repeating: 90, count: size.area * 3))
    for (ending, found) in [
      ("mp4", PixelSize(width: width + width % 2, height: height + height % 2)), ("avi", size),
    ] {
      let path = folder.path + "/out." + ending
      let output = try VideoWriter(path: path, options: options())
      try output.write(pixels, seconds: 0)
      try output.finish()
      let frame = try #require(try Clip.read(path).1.first)
      #expect(frame.pixels.size == found)
      let corner = try Clip.color(frame.pixels, x: found.width - 1, y: found.height - 1)
      for value in corner { #expect(abs(value - 90) <= 3) }
    }
  }

  @Test("A later size is scaled to the first, and counted")
  func laterSize() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out.mp4"
    let output = try VideoWriter(path: path, options: options())
    for frame in try Clip.read(Clip.path("sizes.h264")).1 {
      try output.write(frame.pixels, seconds: frame.seconds)
    }
    #expect(try output.finish().scaledFrames == 6)
    let frames = try Clip.read(path).1
    #expect(frames.allSatisfy { $0.pixels.size == PixelSize(width: 64, height: 48) })
    for frame in frames { #expect(try Clip.difference(frame.pixels) <= 10) }
  }

  @Test("A rotated image is written upright")
  func turned() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out.mp4"
    var pixels = try #require(try Clip.read(Clip.path("h264.mp4")).1.first).pixels
    pixels.orientation = .right
    let output = try VideoWriter(path: path, options: options())
    try output.write(pixels, seconds: 0)
    try output.finish()
    let frame = try #require(try Clip.read(path).1.first)
    #expect(frame.pixels.size == PixelSize(width: 48, height: 64))
    // The left half is the upper one now.
    #expect(try Clip.color(frame.pixels, x: 24, y: 10)[0] > 150)
    #expect(try Clip.color(frame.pixels, x: 24, y: 54)[2] > 120)
  }

  @Test(
    "Names that look like addresses or patterns are files",
    arguments: [
      "http:.mp4", "a:b.mp4", "%d.mp4", "%03d.mkv", "pipe:1.mp4", "-.mp4", "ä ö.webm", "tcp.127.0.0.1.avi",
    ])
  func hostileNames(_ name: String) throws {
    let folder = try TemporaryFolder()
    let output = try VideoWriter(path: folder.path + "/" + name, options: options())
    try output.write(try #require(try Clip.read(Clip.path("h264.mp4")).1.first).pixels, seconds: 0)
    try output.finish()
    #expect(try folder.names() == [name])
    #expect(try Clip.read(folder.path + "/" + name).1.count == 1)
  }

  @Test("An impossible name, codec or option is rejected before a file is created")
  func refused() throws {
    let folder = try TemporaryFolder()
    #expect(code("-") == .optionInvalid)
    #expect(code(folder.path + "/out") == .optionInvalid)
    #expect(code(folder.path + "/out.jpg") == .optionInvalid)
    #expect(code(folder.path + "/out.webm", options(.h264)) == .optionInvalid)
    #expect(code(folder.path + "/missing/out.mp4") == .writeFailed)
    #expect(code("/proc/out.mp4") == .writeFailed)
    #expect(code(folder.path + "/" + String(repeating: "x", count: 252) + ".mp4") == .writeFailed)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/dir.mp4", withIntermediateDirectories: false)
    #expect(code(folder.path + "/dir.mp4") == .isDirectory)
    let changes: [(inout VideoWriter.Options) -> Void] = [
      { $0.quality = 0 }, { $0.quality = 101 }, { $0.threads = 0 }, { $0.frameRate = 0 },
      { $0.frameRate = .nan },
    ]
    for change in changes {
      var options = VideoWriter.Options()
      change(&options)
      #expect(code(folder.path + "/out.mp4", options) == .optionInvalid)
    }
    #expect(try folder.names() == ["dir.mp4"])
  }

  @Test("An existing file stays unchanged until the new one is complete, and no frames create none")
  func atomic() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("out.mp4", [1, 2, 3])
    let empty = try VideoWriter(path: path)
    do throws(VideoError) {
      try empty.finish()
      Issue.record("a video of no frames was written")
    } catch {
      #expect(error.code == .empty)
    }
    #expect(try folder.names() == ["out.mp4"])
    let output = try VideoWriter(path: path)
    let frame = try #require(try Clip.read(Clip.path("h264.mp4")).1.first)
    try output.write(frame.pixels, seconds: 0)
    #expect(try Clip.bytesOfFile(path) == [1, 2, 3])
    try output.finish()
    #expect(try output.finish().frames == 1)
    #expect(throws: VideoError.self) { try output.write(frame.pixels, seconds: 1) }
    #expect(try Clip.read(path).1.count == 1)
    #expect(try folder.names() == ["out.mp4"])
  }

  @Test func `the target of a symbolic link is replaced, and the longest name is short enough`() throws {
    let folder = try TemporaryFolder()
    let real = try folder.write("real.mp4", [1, 2, 3])
    try #require(unsafe chmod(real, 0o600) == 0)
    try folder.link("link.mp4", to: real)
    let frame = try #require(try Clip.read(Clip.path("h264.mp4")).1.first)
    for name in ["link.mp4", String(repeating: "n", count: 251) + ".mp4"] {
      let output = try VideoWriter(path: folder[name])
      try output.write(frame.pixels, seconds: 0)
      try output.finish()
      #expect(try Clip.read(folder[name]).1.count == 1)
    }
    #expect(SymbolicLink.isLink(folder["link.mp4"]) == true)
    #expect(FileStatus(FilePath(real))?.permissions == 0o600)
  }

  @Test("An unfinished file can be played")
  func abandoned() throws {
    let folder = try TemporaryFolder()
    do {
      let output = try VideoWriter(path: folder.path + "/out.mp4")
      for frame in try Clip.read(Clip.path("h264.mp4")).1 {
        try output.write(frame.pixels, seconds: frame.seconds)
      }
    }
    #expect(try folder.names() == ["out.mp4.partial"])
    #expect(try Clip.read(folder.path + "/out.mp4.partial").1.count == 12)
  }

  @Test(
    "A fragmented MP4, an MKV and a WebM are playable after the program was killed",
    arguments: ["mp4", "mkv", "webm"])
  func killed(_ ending: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out." + ending
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var options = VideoWriter.Options()
      options.isFragmented = true
      options.frameRate = 1
      let frames = try Clip.read(Clip.path("h264.mp4")).1
      let output = try VideoWriter(path: path, options: options)
      // Key frames every ten seconds; noise, so that the buffers of libavformat are written out.
      var random = SeededGenerator(seed: 1)
      let size = PixelSize(width: 320, height: 240)
      // Each image starts at another byte of one noise.
      let noise = (0..<size.area * 3 + 60 * 997).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      for second in 0..<60 {
        let bytes = Array(noise[second * 997..<second * 997 + size.area * 3])
        try output.write(PixelBuffer(PixelLayout(.rgb, size: size), bytes: bytes), seconds: Double(second))
      }
      _ = frames
      kill(getpid(), SIGKILL)
    }
    #expect(try Clip.read(path + ".partial").1.count >= 10)
  }

  @Test("A full disk is an error that names it, and the previous file stays")
  func fullDisk() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("out.mkv", [1, 2, 3])
    await #expect(processExitsWith: .success) { [path = path as String] in
      // A limit of the file's size fails like a full disk.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      unsafe setrlimit(__rlimit_resource_t(1), &limit)
      let output = try VideoWriter(path: path)
      var random = SeededGenerator(seed: 1)
      let size = PixelSize(width: 320, height: 240)
      var failure: VideoError?
      do {
        for frame in 0..<100 {
          let noise = (0..<size.area * 3).map { _ in UInt8(truncatingIfNeeded: random.next()) }
          try output.write(PixelBuffer(PixelLayout(.rgb, size: size), bytes: noise), seconds: Double(frame))
        }
      } catch {
        failure = error as? VideoError
      }
      guard failure?.code == .writeFailed, failure?.message.contains("File too large") == true else {
        exit(2)
      }
      do throws(VideoError) {
        try output.finish()
        exit(3)
      } catch {
        guard error.message.contains("out.mkv.partial") else { exit(4) }
      }
    }
    #expect(try Clip.bytesOfFile(path) == [1, 2, 3])
  }
}
