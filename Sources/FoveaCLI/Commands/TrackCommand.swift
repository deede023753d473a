// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTracking

/// `fovea track`: objects that keep their identity through a video.
struct TrackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Follow objects through video: fovea track walk.mp4 --annotate out.mp4",
    usage: "fovea track <source> [options]",
    discussion: "--help-hidden lists the rare options as well.")

  @Argument(
    help: ArgumentHelp("Video, folder of frames, /dev/video0, rtsp://…, det.txt.", valueName: "source"))
  var source: String?

  @OptionGroup var model: ModelOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup var tracking: TrackingOptions
  @OptionGroup var output: TrackOutputOptions

  @Option(help: ArgumentHelp("Threads of the detector.", valueName: "n"))
  var threads: Int?

  func validate() throws {
    guard source != nil || tracking.detections != nil else {
      throw ValidationError("Name a video, a folder of frames, a camera, a stream or a det.txt.")
    }
    if source?.isEmpty == true { throw ValidationError("The source is empty.") }
    try ModelOptions.checkCount(threads, name: "threads")
    if tracking.interpolate && output.annotate != nil {
      throw ValidationError(
        "--interpolate fills gaps after the last frame, when --annotate has drawn it all.")
    }
  }

  func run() async throws {
    let plan = try CommandFailure.exit { () throws(FoveaError) in try TrackPlan(self) }
    ProcessSignals.install()
    let code = await plan.run(stop: StopSignal(listensToProcess: true))
    if code != 0 { throw ExitCode(code) }
  }

  /// The library's options for what was asked.
  var detectorOptions: ObjectDetector.Options {
    var options = ObjectDetector.Options()
    model.apply(to: &options)
    detector.apply(to: &options)
    options.threads = threads
    return options
  }
}
