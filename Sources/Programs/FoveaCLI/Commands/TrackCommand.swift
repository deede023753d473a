// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats
import FoveaTracking

/// `fovea track`: follows objects through a video.
struct TrackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Follow objects through a video.",
    usage: "fovea track <source> [options]",
    discussion: """
      Example: fovea track walk.mp4 --annotate out.mp4
      A track starts at a score of --threshold or more (0.5; with --detections 0.7).
      --help-hidden lists all options.
      """)

  @Argument(
    help: ArgumentHelp("Video, folder, /dev/video0, rtsp://…, det.txt.", valueName: "source"))
  var source: String?

  @OptionGroup var model: ModelOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup var tracking: TrackingOptions
  @OptionGroup(visibility: .hidden) var masks: MaskOptions
  @OptionGroup(visibility: .hidden) var keypoints: KeypointOptions
  @OptionGroup var output: TrackOutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Threads of the detector.", valueName: "n", visibility: .hidden))
  var threads: Int?

  func validate() throws {
    guard source != nil || tracking.detections != nil else {
      throw ValidationError("Name a video, a folder of frames, a camera, a stream or a det.txt.")
    }
    if source?.isEmpty == true { throw ValidationError("The source is empty.") }
    try ModelOptions.check(detectorOptions.check)
    if hasBoxes { try refuseDetectorOptions() }
    if !tracking.dwell.isEmpty, output.events == nil {
      throw ValidationError("--dwell needs --events.")
    }
    if tracking.countsEvery != nil, ![.text, .csv].contains(output.chosenFormat) || output.format == .text {
      throw ValidationError("--counts-every writes CSV: leave out --format, and name a .csv file.")
    }
    if tracking.ground != nil,
      output.chosenFormat != .jsonl || tracking.counts || tracking.countsEvery != nil
    {
      throw ValidationError("--ground needs JSON lines of objects: give --format jsonl, or a .jsonl file.")
    }
    if tracking.interpolate && output.annotate != nil {
      throw ValidationError(
        "--interpolate fills gaps after the last frame, when --annotate has already drawn every frame.")
    }
  }

  func run() async throws {
    let plan = try CommandFailure.exitForOptions { () throws(FoveaError) in try TrackPlan(self) }
    ProcessSignals.install()
    let code = await plan.runUntilStopped(StopSignal(listensToProcess: true))
    if code != 0 { throw ExitCode(code) }
  }

  /// Whether the input already contains boxes, so that no detector runs.
  var hasBoxes: Bool { tracking.detections != nil || source.map(TrackPlan.isDetectionFile) == true }

  /// Refuses options that only a detector or Fovea's tracker supports, instead of ignoring them silently.
  private func refuseDetectorOptions() throws {
    let boxes = tracking.detections ?? source ?? ""
    let unused = [
      ("every", tracking.every != nil), ("motion", tracking.motion != nil),
      ("smooth-landmarks", tracking.smoothLandmarks), ("landmark-iou", tracking.landmarkIou != nil),
    ]
    for (name, isGiven) in unused where isGiven {
      throw ValidationError("--\(name) is for a detector, but '\(boxes.printable)' already has boxes.")
    }
    let given =
      try MemberNames.different(model, ModelOptions.parse([]))
      + MemberNames.different(detector, DetectorOptions.parse([]))
    let kept = NamedOption.perCall.filter { $0.users.contains(.tracker) }.map(\.name)
    guard threads == nil, given.allSatisfy(kept.contains) else {
      throw ValidationError(
        "'\(boxes.printable)' already has boxes and no model runs: leave out the model's options.")
    }
    guard tracking.tracker.kind != .fovea, let name = kept.first(where: given.contains) else { return }
    throw ValidationError(
      "--\(name) needs --tracker fovea; \(tracking.tracker.kind.rawValue) uses every box of a file.")
  }

  /// The library's options for these arguments.
  var detectorOptions: ObjectDetector.Options {
    var options = ObjectDetector.Options()
    model.apply(to: &options)
    detector.apply(to: &options)
    options.smoothLandmarks = tracking.smoothLandmarks
    options.landmarkIoU = tracking.landmarkIou
    options.threads = threads
    return options
  }
}
