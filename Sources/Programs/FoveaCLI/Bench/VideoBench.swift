// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaVideo

/// Measures the processing of a video file up to lines of JSON: decoding, detection, tracking, formatting.
///
/// Processes one frame after the other, so that each stage is measured separately; the lines are discarded.
struct VideoBench {
  let plan: BenchPlan
  var clocks = BenchRunner.Clocks.process

  func run(
    liteRT: String?, makeDetector: () async throws(FoveaError) -> ObjectDetector
  ) async throws(FoveaError) -> BenchReport {
    try await BenchRunner(plan: plan, clocks: clocks).report(liteRT: liteRT, making: makeDetector) {
      detector throws(FoveaError) in
      .video(try await measure(plan.files.first ?? "", detector))
    }
  }

  private func measure(
    _ path: String, _ detector: ObjectDetector
  ) async throws(FoveaError) -> BenchReport.Video {
    let reader = try VideoFile(path).open()
    var options = ObjectTracker.Options()
    options.tracker = .fovea(.detector(threshold: Double(plan.threshold)))
    var tracker = try ObjectTracker(detector: detector, frameRate: reader.state.frameRate, options: options)
    let writer = FrameJSONWriter()
    var video = BenchReport.Video(file: FilePath(path).lastComponent)
    var (decode, detect, track) = (Duration.zero, Duration.zero, Duration.zero)
    var times: [Duration] = []
    var identities: Set<Int> = []
    var bytes = 0
    let (cpu, wall) = (clocks.cpu(), clocks.wall())
    while plan.frames == 0 || times.count < plan.frames {
      let begin = clocks.wall()
      guard let frame = try reader.next() else { break }
      let decoded = clocks.wall()
      let tracked = try await tracker.track(frame)
      bytes += writer.text(for: FrameRecord(tracked, source: path)).utf8.count
      let end = clocks.wall()
      decode += decoded - begin
      detect += tracked.timings.total
      track += tracked.tracking
      times.append(end - decoded)
      video.size = frame.pixels.size
      video.detections += tracked.objects.count
      for object in tracked.objects { if let id = object.trackingID { identities.insert(id) } }
    }
    video.wall = (clocks.wall() - wall).seconds
    video.cpu = (clocks.cpu() - cpu).seconds
    guard let summary = TimeSummary(times), bytes > 0 else {
      throw FoveaError(
        FoveaCode(VideoCode.empty), "no frame of the video could be decoded",
        remedy: "Check the file with another player", subject: path)
    }
    let count = Double(times.count)
    video.frames = times.count
    video.frame = summary
    video.decode = decode.milliseconds / count
    video.detect = detect.milliseconds / count
    video.track = track.milliseconds / count
    video.tracks = identities.count
    return video
  }
}
