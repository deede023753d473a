// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

/// Videos and folders as the frames of streams.
@Suite(
  .enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries"))
struct VideoSourceTests {
  private static let clip = PackageRoot.path + "/Tests/Fixtures/video/h264.mp4"

  /// All frames of a source.
  private func frames(_ source: some FrameSource) throws -> (frames: [VideoFrame], state: SourceState) {
    let reader = try source.open()
    var frames: [VideoFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    #expect(try reader.next() == nil)
    return (frames, reader.state)
  }

  @Test func `a file gives its frames in order, with rising numbers and times`() throws {
    let source = VideoFile(Self.clip)
    #expect(source.name == Self.clip)
    let (frames, state) = try frames(source)
    #expect(!frames.isEmpty)
    #expect(frames.map(\.number) == Array(1...frames.count))
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
    try #require(!frames.isEmpty)
    #expect(frames[0].seconds == 0)
    #expect(state.expectedFrames == frames.count)
    #expect((state.frameRate ?? 0) > 0)
    #expect(state.skippedFrames == 0)
    #expect(state.warnings.isEmpty)
  }

  @Test func `a stream of a file gives the same frames as the file`() throws {
    let stream = VideoStream(VideoSource(Self.clip))
    #expect(stream.name == Self.clip)
    #expect(try frames(stream).frames.map(\.seconds) == frames(VideoFile(Self.clip)).frames.map(\.seconds))
  }

  @Test func `reaching the frame limit is expected`() throws {
    var options = VideoReader.Options()
    options.frameLimit = 2
    let (frames, state) = try frames(VideoFile(Self.clip, options: options))
    #expect(frames.count == 2)
    #expect(state.expectedFrames == 2)
  }

  @Test func `after cancel there are no more frames`() throws {
    let reader = try VideoFile(Self.clip).open()
    #expect(try reader.next()?.number == 1)
    reader.cancel()
    #expect(try reader.next() == nil)
    #expect(try reader.next() == nil)
  }

  @Test(arguments: ["no-such-file.mp4", "Package.swift"])
  func `a file that is not a video is an error that names it`(_ name: String) throws {
    let path = PackageRoot.path + "/" + name
    let error = #expect(throws: FoveaError.self) { try VideoFile(path).open() }
    #expect(error?.code.rawValue.hasPrefix("video-") == true)
    #expect(error?.description.contains(name) == true)
  }

  @Test func `the images of a folder are frames at the given rate`() throws {
    let folder = ImageFolder(PackageRoot.path + "/Examples/photos", frameRate: 5)
    let (frames, state) = try frames(folder)
    #expect(frames.count == state.expectedFrames)
    #expect(frames.map(\.number) == Array(1...frames.count))
    #expect(frames.allSatisfy { abs($0.seconds - Double($0.number - 1) / 5) < 1e-9 })
    #expect(state.frameRate == 5)
  }

  @Test(arguments: [0, -1, Double.nan, .infinity, 10_001])
  func `a folder rejects an impossible rate`(_ rate: Double) throws {
    let error = #expect(throws: FoveaError.self) {
      try ImageFolder(PackageRoot.path + "/Examples/photos", frameRate: rate).open()
    }
    #expect(error?.code.rawValue == "video-option-invalid")
  }

  @Test func `a missing folder is an error that names it`() throws {
    let error = #expect(throws: FoveaError.self) { try ImageFolder("/no-such-folder").open() }
    #expect(error?.code.rawValue.hasPrefix("video-") == true)
    #expect(error?.description.contains("/no-such-folder") == true)
  }
}
