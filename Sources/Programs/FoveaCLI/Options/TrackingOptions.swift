// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats
import FoveaTracking

/// The name of a tracker.
struct TrackerArgument: Sendable, Equatable, ExpressibleByArgument {
  let kind: TrackerKind

  init?(argument: String) {
    guard let kind = TrackerKind(rawValue: argument) else { return nil }
    self.kind = kind
  }

  init(_ kind: TrackerKind) { self.kind = kind }

  var defaultValueDescription: String { kind.rawValue }

  static var allValueStrings: [String] { TrackerKind.allCases.map(\.rawValue) }
}

extension ObjectTracker.Options.Motion: ExpressibleByArgument {}

/// The tracker, and the lines and zones to count at.
struct TrackingOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("Follow the boxes of this file; run no detector.", valueName: "det.txt"))
  var detections: String?

  @Option(help: ArgumentHelp("Tracking algorithm.", valueName: "name"))
  var tracker = TrackerArgument(.fovea)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Run the detector on every n-th frame, 1 to 1000.", valueName: "n"))
  var every: Int?

  @Option(
    help: ArgumentHelp(
      "Skip frames without motion of a fixed camera. (default: off)", valueName: "mode", visibility: .hidden))
  var motion: ObjectTracker.Options.Motion?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A polygon in which motion does not count; for --motion auto.", valueName: "x1,y1,…",
      visibility: .hidden), transform: ZoneArgument.read)
  var motionMask: [ZoneArgument] = []

  @Flag(help: ArgumentHelp("Smooth the points of bodies and faces over the frames.", visibility: .hidden))
  var smoothLandmarks = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "IoU above which two crops of --landmarks show the same object. (default: 0.5)", valueName: "iou",
      visibility: .hidden))
  var landmarkIou: Double?

  @Flag(help: "Fill gaps of up to 20 frames; prints at the end.")
  var interpolate = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Frames per second, if the source does not declare it.", valueName: "r"))
  var frameRate: Double?

  @Option(help: ArgumentHelp("The tracker's parameters, as JSON.", valueName: "file", visibility: .hidden))
  var config: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Count objects that cross this line.", valueName: "x1,y1,x2,y2"),
    transform: LineArgument.read)
  var line: [LineArgument] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Count objects in this polygon.", valueName: "x1,y1,…"), transform: ZoneArgument.read)
  var zone: [ZoneArgument] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Seconds in a named zone that are an event; for --events.", valueName: "zone=s", visibility: .hidden),
    transform: DwellArgument.read)
  var dwell: [DwellArgument] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A rectangle on the ground in pixels, and its sides in metres: adds places and speeds to JSON lines.",
      valueName: "x1,y1,…,x4,y4=widthxlength", visibility: .hidden), transform: GroundArgument.read)
  var ground: GroundArgument?

  @Flag(help: "Print only the counts, no boxes.")
  var counts = false

  @Option(
    help: ArgumentHelp(
      "Print only counts, a CSV row for each line and zone every 60s, 15m or 1h.", valueName: "time",
      visibility: .hidden), transform: IntervalArgument.read)
  var countsEvery: IntervalArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Process only the first n frames.", valueName: "n", visibility: .hidden))
  var frames: Int?

  func validate() throws {
    for (name, value) in [("detections", detections), ("config", config)] where value?.isEmpty == true {
      throw ValidationError("--\(name) needs the name of a file.")
    }
    if detections == "-" {
      throw ValidationError("--detections reads files, not standard input; use /dev/stdin.")
    }
    try ModelOptions.check { () throws(FoveaError) in
      try ObjectTracker.Options.check(every: every, frameRate: frameRate)
    }
    try ModelOptions.checkCount(frames, name: "frames")
    if let every, every > 1, tracker.kind != .fovea {
      throw ValidationError(
        "--every needs --tracker fovea; \(tracker.kind.rawValue) needs a detector on every frame.")
    }
    if motion == .auto, tracker.kind != .fovea {
      throw ValidationError(
        "--motion auto needs --tracker fovea; \(tracker.kind.rawValue) does not report its objects.")
    }
    if !motionMask.isEmpty, motion != .auto { throw ValidationError("--motion-mask needs --motion auto.") }
    if motionMask.contains(where: { $0.shape.name != nil }) {
      throw ValidationError("A --motion-mask has no name; give only X1,Y1,X2,Y2,X3,Y3,….")
    }
    for (name, isGiven) in [("counts", counts), ("counts-every", countsEvery != nil)]
    where isGiven && line.isEmpty && zone.isEmpty {
      throw ValidationError("--\(name) needs --line or --zone.")
    }
    if counts && countsEvery != nil {
      throw ValidationError("--counts and --counts-every exclude each other.")
    }
  }
}
