// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo

/// Reads damaged clips, in a separate process.
enum VideoFuzz {
  enum Kind: String, Sendable, Codable, CaseIterable {
    case mp4, ts, matroska, avi, mov, gif
    case raw = "raw H.264"

    var files: [String] {
      switch self {
      case .mp4:
        [
          "h264.mp4", "h264-tail.mp4", "hevc-10bit.mp4", "h264-444.mp4", "sound.m4a", "trimmed.mp4",
          "wide.mp4",
        ]
      case .ts: ["h264.ts", "mpeg2.ts", "wide.ts"]
      case .matroska: ["varied.mkv", "vp9.webm", "long-sound.webm"]
      case .avi: ["mpeg4.avi", "raw.avi"]
      case .mov: ["mjpeg.mov"]
      case .gif: ["animated.gif"]
      case .raw: ["sizes.h264"]
      }
    }
  }

  static func run(_ kind: Kind, _ batch: FuzzBatch) async {
    await batch.run(kind.rawValue) { seed in
      let files = try kind.files.map { try Clip.bytes($0) }
      var mutator = ByteMutator(seed: seed)
      let bytes = mutator.mutated(files)
      let folder = try TemporaryFolder()
      let path = try folder.write("damaged", bytes)
      if let keep = FuzzBatch.keep {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(keep)/\(kind.rawValue)-\(seed)"))
      }
      var options = VideoReader.Options()
      options.maximumPixels = 1 << 22
      options.threads = 1 + mutator.below(2)
      do throws(VideoError) {
        let reader = try VideoReader(path: path, options: options)
        var last = -1.0
        var count = 0
        while let frame = try reader.next() {
          count += 1
          guard frame.seconds > last, frame.pixels.size.area <= 1 << 22 else { return "wrong" }
          last = frame.seconds
          if frame.pixels.size.area < 100_000 { _ = try? frame.pixels.canvas() }
          if count > 2000 { return "endless" }
        }
        return reader.progress.end.map { "\($0)" } ?? "no end"
      } catch {
        guard error.subject == path, !error.message.isEmpty, !error.remedy.description.isEmpty else {
          return "no reason"
        }
        return error.code.rawValue
      }
    }
  }
}
