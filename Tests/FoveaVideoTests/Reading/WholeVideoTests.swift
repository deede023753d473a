// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import FoveaVideo
import Testing

/// Videos that are complete although they have fewer frames, or a shorter duration, than one of their numbers
/// states.
@Suite(.enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries")) struct WholeVideoTests {
  struct Whole: CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let frames: Int
    /// The container's declared number of frames.
    let announced: Int?
    static let all = [
      Whole(testDescription: "an edit list leaves frames out", file: "trimmed.mp4", frames: 9, announced: 9),
      Whole(testDescription: "the sound continues", file: "long-sound.webm", frames: 12, announced: nil),
      Whole(testDescription: "no length", file: "live.webm", frames: 12, announced: nil),
      Whole(testDescription: "sound, and a start above 0", file: "wide.ts", frames: 12, announced: nil),
    ]
  }

  @Test(arguments: Whole.all)
  func `a video present to its end is complete`(_ video: Whole) throws {
    let (reader, frames) = try Clip.read(Clip.path(video.file))
    #expect(frames.count == video.frames)
    #expect(reader.info.frameCount == video.announced)
    #expect(reader.progress.end == .complete)
    #expect(reader.progress.warnings == [])
  }

  @Test func `a Matroska file whose last frame is shown for long is complete`() throws {
    var bytes = try Clip.bytes("varied.mkv")
    // Its duration in milliseconds, a number of eight bytes.
    let place = try #require(bytes.firstRange(of: [0x44, 0x89, 0x88])).upperBound
    for (index, byte) in (0..<8).map({ UInt8(truncatingIfNeeded: (21_000.0).bitPattern >> (56 - 8 * $0)) })
      .enumerated()
    {
      bytes[place + index] = byte
    }
    let folder = try TemporaryFolder()
    let (reader, frames) = try Clip.read(folder.write("hold.mkv", bytes))
    #expect(frames.count == 5 && reader.info.duration == 21)
    #expect(reader.progress.end == .complete && reader.progress.warnings == [])
    // Without its last bytes it is not.
    let (cut, _) = try Clip.read(folder.write("cut.mkv", Array(bytes.dropLast(200))))
    #expect(cut.progress.end == .truncated)
  }

  @Test(arguments: ["trimmed.mp4", "long-sound.webm"])
  func `the same file, truncated, reports it`(_ file: String) throws {
    let bytes = try Clip.bytes(file)
    let folder = try TemporaryFolder()
    for part in [5, 6, 7, 8] {
      let path = try folder.write("\(part)-\(file)", Array(bytes.prefix(bytes.count * part / 10)))
      do throws(VideoError) {
        let reader = try VideoReader(path: path)
        while try reader.next() != nil {}
        #expect(reader.progress.end == .truncated, "\(part)0 %")
      } catch {
        // The index of this MP4 follows its frames.
        #expect(file.hasSuffix("mp4"), "\(error)")
      }
    }
  }
}
