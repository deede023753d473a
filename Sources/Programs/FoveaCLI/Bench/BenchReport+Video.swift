// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

extension BenchReport {
  /// The figures of a video.
  struct Video: Equatable, JSONObject {
    var file: String
    var size = PixelSize(width: 0, height: 0)
    var frames = 0
    /// Seconds from the first frame to the last.
    var wall = 0.0
    var cpu = 0.0
    /// The time from a decoded frame to its tracked results, in milliseconds.
    var frame: TimeSummary?
    /// Milliseconds per frame, like the next two.
    var decode = 0.0
    var detect = 0.0
    var track = 0.0
    /// The number of tracked objects, over all frames.
    var detections = 0
    /// The number of different identities.
    var tracks = 0

    init(file: String) { self.file = file }

    var framesPerSecond: Double { wall > 0 ? Double(frames) / wall : 0 }
    var cpuPerFrame: Double { frames > 0 ? cpu / Double(frames) : 0 }

    func appendMembers(to json: inout JSONText) {
      json.member("file", file)
      json.member("width", size.width)
      json.member("height", size.height)
      json.member("frames", frames)
      json.member("wall_s", wall, places: 4)
      json.member("cpu_s", cpu, places: 4)
      json.member("frames_per_s", framesPerSecond, places: 2)
      json.member("cpu_s_per_frame", cpuPerFrame, places: 6)
      json.member("frame_ms", frame)
      json.member("decode_ms_per_frame", decode, places: 3)
      json.member("detect_ms_per_frame", detect, places: 3)
      json.member("track_ms_per_frame", track, places: 3)
      json.member("detections", detections)
      json.member("tracks", tracks)
    }
  }
}
