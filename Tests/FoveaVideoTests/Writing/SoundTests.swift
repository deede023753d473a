// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

/// The parts of a source besides the pixels that a copy of a video keeps.
@Suite(
  .enabled(
    if: VideoLibrary.isPresent && VideoLibrary.canWrite(.h264) && VideoLibrary.canWrite(.vp9),
    "needs FFmpeg with encoders"))
struct SoundTests {
  /// Writes the frames of a clip, with its sound, into a new file.
  private static func copy(
    _ clip: String, to name: String, in folder: TemporaryFolder, frames limit: Int = .max,
    hasAllSound: Bool = true
  ) throws -> (path: String, notes: [String]) {
    let reader = try VideoReader(path: Clip.path(clip))
    var output: VideoWriter?
    var count = 0
    while count < limit, let frame = try reader.next() {
      if output == nil {
        var options = VideoWriter.Options()
        options.frameRate = reader.info.frameRate
        options.pixelAspect = reader.info.pixelAspect.upright(reader.info.orientation)
        options.sound = reader.sound
        output = try VideoWriter(path: folder[name], options: options)
      }
      try output?.write(frame.pixels, seconds: frame.seconds)
      count += 1
    }
    try output?.finish(hasAllSound: hasAllSound)
    return (folder[name], output?.notes ?? [])
  }

  @Test(arguments: ["wide.mp4", "wide.ts"], ["o.mp4", "o.mov", "o.mkv", "o.avi"])
  func `sound, pixel shape and rotation match the source`(_ clip: String, _ name: String)
    throws
  {
    let folder = try TemporaryFolder()
    let source = try VideoReader(path: Clip.path(clip))
    let (path, notes) = try Self.copy(clip, to: name, in: folder)
    #expect(notes == [])
    let (copy, frames) = try Clip.read(path)
    #expect(copy.info.soundTracks == 1)
    #expect(copy.info.pixelAspect == source.info.pixelAspect.upright(source.info.orientation))
    #expect(
      copy.info.pixelAspect
        == (clip == "wide.mp4" ? PixelAspect(width: 3, height: 4) : PixelAspect(width: 4, height: 3)))
    #expect(frames.count == 12 && copy.progress.end == .complete)
    #expect(copy.info.size == source.info.uprightSize && copy.info.orientation == .up)
  }

  @Test func `sound that the container cannot hold is named, and the video is written`() throws {
    let folder = try TemporaryFolder()
    let (path, notes) = try Self.copy("wide.mp4", to: "o.webm", in: folder)
    #expect(notes == ["the sound (aac) does not go into webm and is left out"])
    let (copy, frames) = try Clip.read(path)
    #expect(copy.info.soundTracks == 0 && frames.count == 12)
  }

  /// The parts that a copy keeps of a clip with two tracks of sound, subtitles, chapters and a cover image.
  struct Kept: Sendable, CustomTestStringConvertible {
    var name: String
    var sounds: Int
    var hasSubtitles: Bool
    var note: String
    var testDescription: String { name }
  }

  static let kept = [
    Kept(name: "o.mkv", sounds: 2, hasSubtitles: true, note: "the copy has no chapters, no cover image"),
    Kept(
      name: "o.mp4", sounds: 2, hasSubtitles: false,
      note: "the subtitles (subrip) do not go into mp4 and are left out; "
        + "the copy has no chapters, no cover image"),
    Kept(
      name: "o.webm", sounds: 0, hasSubtitles: false,
      note: "the sound (aac) does not go into webm and is left out; "
        + "the subtitles (subrip) do not go into webm and are left out; "
        + "the copy has no chapters, no cover image"),
  ]

  @Test(arguments: kept)
  func `all sound and subtitles are copied, and a note names the rest`(_ test: Kept) throws {
    let folder = try TemporaryFolder()
    let (path, notes) = try Self.copy("tracks.mkv", to: test.name, in: folder)
    #expect(notes == [test.note])
    let (copy, frames) = try Clip.read(path)
    #expect(copy.info.soundTracks == test.sounds && copy.info.hasMore == test.hasSubtitles)
    #expect(frames.count == 12 && copy.progress.end == .complete)
  }

  @Test func `sound after many subtitles is copied`() throws {
    let folder = try TemporaryFolder()
    let (path, notes) = try Self.copy("subtitles.mkv", to: "o.mkv", in: folder)
    #expect(notes == [])
    let (copy, frames) = try Clip.read(path)
    #expect(copy.info.soundTracks == 2 && copy.info.hasMore && frames.count == 12)
  }

  @Test(arguments: [true, false])
  func `sound that continues is copied if all frames were`(_ hasAllSound: Bool) throws {
    let folder = try TemporaryFolder()
    let (path, notes) = try Self.copy("long-sound.webm", to: "o.mkv", in: folder, hasAllSound: hasAllSound)
    #expect(notes == [])
    let duration = try #require(try VideoReader(path: path).info.duration)
    #expect(hasAllSound ? duration > 3.9 : duration < 1.4)
  }

  @Test func `a few frames have as much sound`() throws {
    let folder = try TemporaryFolder()
    let (path, _) = try Self.copy("wide.mp4", to: "o.mkv", in: folder, frames: 4, hasAllSound: false)
    let info = try VideoReader(path: path).info
    #expect(info.soundTracks == 1)
    #expect(try #require(info.duration) < 0.6)
  }

  @Test func `missing sound is named`() throws {
    let folder = try TemporaryFolder()
    let frame = try #require(try Clip.read(Clip.path("h264.mp4")).1.first)
    var options = VideoWriter.Options()
    options.sound = SoundTrack(path: folder["gone.mp4"])
    let output = try VideoWriter(path: folder["o.mp4"], options: options)
    try output.write(frame.pixels, seconds: 0)
    try output.finish()
    #expect(output.notes == ["the sound cannot be read and is left out"])
    #expect(try Clip.read(folder["o.mp4"]).1.count == 1)
  }

  @Test func `a clip without sound has none`() throws {
    let reader = try VideoReader(path: Clip.path("h264.mp4"))
    _ = try reader.next()
    #expect(reader.sound == nil && reader.info.soundTracks == 0 && reader.info.pixelAspect == .square)
  }
}
