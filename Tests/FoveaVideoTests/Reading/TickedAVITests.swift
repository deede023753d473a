// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import FoveaVideo
import Testing

/// AVI counts ticks, not frames, and files written to a pipe have a placeholder instead of a count.
@Suite(.enabled(if: VideoLibrary.isPresent, "needs FFmpeg's libraries")) struct TickedAVITests {
  struct Whole: CustomTestStringConvertible {
    let testDescription: String
    let avi: TickedAVI
    /// The number of frames that the reader reports.
    let announced: Int?
    let duration: Double?
    static let all = [
      Whole(testDescription: "a tick per frame", avi: .init(rate: 10), announced: 12, duration: 1.2),
      Whole(testDescription: "60 ticks per frame", avi: .init(), announced: 12, duration: 1.2),
      Whole(
        testDescription: "60 ticks per frame, no index", avi: .init(hasIndex: false), announced: 12,
        duration: 1.2),
      Whole(
        testDescription: "a last frame of 5 s", avi: .init(lastTicks: 3000), announced: 12, duration: 6.1),
      Whole(
        testDescription: "FFmpeg's placeholder", avi: .init(rate: 10, length: 0x4000_0000, size: 0xFFFF_FFFF),
        announced: nil, duration: nil),
      Whole(
        testDescription: "FFmpeg's placeholder, 60 ticks per frame",
        avi: .init(length: 0x4000_0000, size: 0xFFFF_FFFF, hasIndex: false), announced: nil, duration: nil),
      Whole(
        testDescription: "2^32 - 1", avi: .init(length: 0xFFFF_FFFF, size: 0xFFFF_FFFF), announced: nil,
        duration: nil),
      Whole(
        testDescription: "0", avi: .init(length: 0, size: 0, hasIndex: false), announced: nil, duration: nil),
    ]
  }

  @Test(arguments: Whole.all)
  func `an AVI with all of its frames is complete`(_ video: Whole) throws {
    let folder = try TemporaryFolder()
    let (reader, frames) = try Clip.read(folder.write("whole.avi", video.avi.bytes()))
    #expect(frames.count == 12)
    #expect(reader.info.frameRate == 10)
    #expect(reader.info.frameCount == video.announced)
    #expect(reader.info.duration.map { ($0 * 1000).rounded() / 1000 } == video.duration)
    #expect(reader.progress.end == .complete)
    #expect(reader.progress.warnings == [])
  }

  @Test(arguments: [10, 600])
  func `an AVI that ends within its frames is cut off`(_ rate: Int) throws {
    let bytes = try TickedAVI(rate: rate).bytes()
    let movie = try #require(bytes.firstRange(of: Array("movi".utf8))).upperBound
    let index = try #require(bytes.firstRange(of: Array("idx1".utf8))).lowerBound
    let folder = try TemporaryFolder()
    for part in [3, 5, 7] {
      let end = movie + (index - movie) * part / 10
      for name in ["cut", "zeros"] {
        let zeros = [UInt8](repeating: 0, count: name == "cut" ? 0 : bytes.count - end)
        let path = try folder.write("\(name)-\(part).avi", Array(bytes[..<end]) + zeros)
        let (reader, frames) = try Clip.read(path)
        #expect(frames.count < 12 && reader.info.frameCount == 12, "\(name), \(part)0 %")
        #expect(reader.progress.end == .truncated, "\(name), \(part)0 %")
        #expect(
          reader.progress.warnings.contains { $0.hasSuffix("of 12 frames") || $0.contains("ends early") },
          "\(reader.progress.warnings)")
      }
    }
  }
}
