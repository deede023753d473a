// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaTesting
import FoveaTracking
import FoveaVideo
import Testing

@testable import FoveaCLI

@Suite struct TrackPlanTests {
  private static func kind(_ input: TrackPlan.Input) -> String {
    func kind(_ source: any FrameSource) -> String {
      guard let stream = source as? VideoStream else { return "folder" }
      return switch stream.source {
      case .file: "file"
      case .standardInput: "standard input"
      case .stream: "stream"
      case .camera: "camera"
      }
    }
    return switch input {
    case .frames(let source): kind(source)
    case .boxes(_, let source): "boxes on " + kind(source)
    case .boxesAlone: "boxes"
    }
  }

  @Test(arguments: [
    (["frames"], "folder"), (["frames/"], "folder"), (["walk.mp4"], "file"), (["missing.mp4"], "file"),
    (["rtsp://camera/1"], "stream"), (["HTTP://host/x.txt?y=1"], "stream"), (["/dev/video9"], "camera"),
    (["-"], "standard input"), (["det.txt"], "boxes"), (["--detections", "det.txt"], "boxes"),
    (["frames", "--detections", "det.txt"], "boxes on folder"),
    (["walk.mp4", "--detections", "det.txt"], "boxes on file"), (["boxes.jsonl"], "boxes"),
    (["boxes.JSON"], "boxes"), (["--detections", "boxes.jsonl"], "boxes"),
  ])
  func `the source is recognised by its content, then by its name`(
    _ arguments: [String], _ kind: String
  ) throws {
    let folder = try TemporaryFolder()
    for name in ["frames/1.jpg", "walk.mp4"] { try folder.write(name, "") }
    try folder.write("det.txt", WalkingBox.text(1...3))
    for name in ["boxes.jsonl", "boxes.JSON"] {
      try folder.write(name, #"{"image": "a", "frame": 1, "objects": []}"#)
    }
    let names = [
      "frames", "frames/", "walk.mp4", "missing.mp4", "det.txt", "boxes.jsonl", "boxes.JSON",
    ]
    let plan = try TrackPlan(
      try TrackOutcome.command(arguments.map { names.contains($0) ? folder[$0] : $0 }))
    #expect(Self.kind(plan.input) == kind)
  }

  @Test func `two files of boxes are rejected`() throws {
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(try TrackOutcome.command(["a.txt", "--detections", "b.txt"]))
    }
    #expect(error?.message == "Both the source and --detections are files of boxes")
  }

  @Test(
    arguments: [
      ("voc", "The folder 'voc' has boxes in the form of Pascal VOC, and no images"),
      ("yolo", "The folder 'yolo' has boxes in the form of YOLO, and no images"),
      ("boxes.dat", "'boxes.dat' is not a video: it starts like JSON"),
      ("boxes", "'boxes' is not a video: it starts like CSV"),
    ] as [(String, String)])
  func `boxes that are not a video advise --detections`(_ name: String, _ message: String) throws {
    let folder = try TemporaryFolder()
    for name in ["voc/1.xml", "yolo/labels/1.txt", "yolo/classes.txt"] { try folder.write(name, "") }
    try folder.write("boxes.dat", #"{"image": "a", "objects": []}"#)
    try folder.write("boxes", FrameCSVWriter().header())
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(try TrackOutcome.command([folder[name]]))
    }
    #expect(error?.message.replacing(folder.path + "/", with: "") == message)
    #expect(error?.remedy.description.contains("--detections") == true)
  }

  @Test(arguments: [("1.jpg", ""), ("1", "GIF89a"), ("1.dng", "")] as [(String, String)])
  func `a folder with images next to boxes is a folder of frames`(_ name: String, _ bytes: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("voc/1.xml", "")
    try folder.write("voc/" + name, bytes)
    let plan = try TrackPlan(try TrackOutcome.command([folder["voc"]]))
    #expect(Self.kind(plan.input) == "folder")
  }

  @Test(
    arguments: [
      (["a.txt", "--detections", "b.txt"], true), (["a.mp4", "--line", "5,5,5,5"], true),
      (["a.mp4", "--zone", "0,0,10,10,10,0,0,10"], true), (["a.mp4", "--annotate", "b.gif"], true),
      (["a.mp4", "--motion", "auto", "--motion-mask", "0,0,10,10,10,0,0,10"], true),
      (["a.mp4", "--config", "/nonexistent/c.json"], false), (["/nonexistent/d.txt"], false),
    ] as [([String], Bool)])
  func `an option that is wrong by itself is a usage error`(_ arguments: [String], _ isUsage: Bool) throws {
    let error = #expect(throws: FoveaError.self) { try TrackPlan(try TrackOutcome.command(arguments)) }
    #expect(error.map(CommandFailure.isUsage) == isUsage)
  }

  @Test func `the threshold starts objects, and the detector finds weaker ones`() throws {
    let plan = try TrackPlan(try TrackOutcome.command(["a.mp4", "--threshold", "0.3"]))
    #expect(plan.detectorOptions.threshold == 0.1)
    #expect(plan.trackerOptions.tracker.foveaConfiguration?.birthScore == Double(Float(0.3)))
    #expect(plan.trackerOptions.tracker.foveaConfiguration?.highScore == Double(Float(0.3)))
    let weak = try TrackPlan(try TrackOutcome.command(["a.mp4", "--threshold", "0.05"]))
    #expect(weak.detectorOptions.threshold == 0.05)
    let plain = try TrackPlan(try TrackOutcome.command(["a.mp4"]))
    #expect(plain.trackerOptions.tracker.foveaConfiguration?.birthScore == 0.5)
  }

  @Test func `frames without motion are skipped only on request`() throws {
    #expect(try TrackPlan(try TrackOutcome.command(["a.mp4"])).trackerOptions.motion == .off)
    let plan = try TrackPlan(
      try TrackOutcome.command(["a.mp4", "--motion", "auto", "--motion-mask", "0,0,9,0,9,8"]))
    #expect(plan.trackerOptions.motion == .auto)
    #expect(
      plan.trackerOptions.motionMasks
        == [[PixelPoint(x: 0, y: 0), PixelPoint(x: 9, y: 0), PixelPoint(x: 9, y: 8)]])
  }

  @Test(
    arguments: [
      (["--single"], 1, nil, false), (["--max-objects", "3"], 3, nil, false),
      (["--max-objects", "20"], 20, 20, false),
      (["--single", "--max-objects", "9"], 1, 9, false), ([], nil, nil, false),
      (["--single", "--tracker", "sort"], nil, nil, true),
      (["--max-objects", "3", "--tracker", "sort"], nil, 3, false),
    ] as [([String], Int?, Int?, Bool)])
  func `the tracker limits the objects if it can`(
    _ options: [String], _ limit: Int?, _ found: Int?, _ isSingle: Bool
  ) throws {
    let plan = try TrackPlan(try TrackOutcome.command(["a.mp4"] + options))
    #expect(plan.trackerOptions.tracker.foveaConfiguration?.objectLimit == limit)
    #expect(plan.detectorOptions.maxObjects == found)
    #expect(plan.detectorOptions.singleObject == isSingle)
  }

  struct ConfigCase: Sendable, CustomTestStringConvertible {
    var tracker: String
    var json: String
    var code: String
    var message: String
    var testDescription: String { "\(tracker) \(json)" }
  }

  @Test(arguments: [
    ConfigCase(
      tracker: "fovea", json: #"{"maxage": 2}"#, code: "unknown-parameter",
      message: "the tracker has no parameter 'maxage'"),
    ConfigCase(
      tracker: "fovea", json: #"{"maxAge": -2}"#, code: "invalid-parameter",
      message: "the tracker's 'maxAge' is -2.0; expected 0.0 to 3600.0"),
    ConfigCase(
      tracker: "fovea", json: #"{"perClass": 1}"#, code: "invalid-configuration",
      message: "the tracker's 'perClass' is 1.0; it must be true or false"),
    ConfigCase(
      tracker: "fovea", json: "minHits = 1", code: "invalid-configuration",
      message: "the tracker's configuration is not a JSON object"),
    ConfigCase(
      tracker: "fovea", json: "", code: "invalid-configuration",
      message: "the tracker's configuration is not a JSON object"),
    ConfigCase(
      tracker: "bytetrack", json: #"{"minHits": 1}"#, code: "unknown-parameter",
      message: "the tracker has no parameter 'minHits'"),
    ConfigCase(
      tracker: "ocsort", json: "[]", code: "invalid-configuration",
      message: "the tracker's configuration is not a JSON object"),
    ConfigCase(
      tracker: "sort", json: #"{"nothing": null}"#, code: "unknown-parameter",
      message: "the tracker has no parameter 'nothing'"),
  ])
  func `an impossible configuration is rejected before the first frame`(_ test: ConfigCase) throws {
    let folder = try TemporaryFolder()
    try folder.write("c.json", test.json)
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(
        try TrackOutcome.command(["a.mp4", "--tracker", test.tracker, "--config", folder["c.json"]]))
    }
    #expect(error?.code.rawValue == test.code)
    #expect(error?.message == test.message)
    #expect(error?.subject == folder["c.json"])
  }

  @Test func `a configuration replaces the options`() throws {
    let folder = try TemporaryFolder()
    try folder.write("c.json", #"{"minHits": 1, "objectLimit": 4}"#)
    let plan = try TrackPlan(
      try TrackOutcome.command(["a.mp4", "--threshold", "0.25", "--single", "--config", folder["c.json"]]))
    #expect(plan.trackerOptions.tracker.foveaConfiguration?.minHits == 1)
    #expect(plan.trackerOptions.tracker.foveaConfiguration?.objectLimit == 4)
    #expect(plan.trackerOptions.tracker.foveaConfiguration?.birthScore == 0.25)
  }

  @Test(arguments: [
    ("none.json", "No such file or directory"), ("large.json", "File too large"),
    ("folder", "Is a directory"),
  ])
  func `a configuration that cannot be read is an error with the reason`(_ name: String, _ reason: String)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("folder/a.json", "{}")
    try folder.write("large.json", [UInt8](repeating: 0x20, count: (1 << 20) + 1))
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(try TrackOutcome.command(["a.mp4", "--config", folder[name]]))
    }
    #expect(error?.code.rawValue == "config-unreadable")
    #expect(error?.message == "'\(folder[name])' cannot be read: \(reason)")
  }

  @Test func `an input is not overwritten`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.mp4", "video")
    try folder.write("det.txt", WalkingBox.text(1...3))
    try folder.link("b.mp4", to: "a.mp4")
    for arguments in [
      [folder["a.mp4"], "--annotate", folder["a.mp4"]], [folder["a.mp4"], "--annotate", folder["b.mp4"]],
      [folder["a.mp4"], "-o", folder["b.mp4"], "--format", "jsonl"],
      [folder["det.txt"], "-o", folder["det.txt"]],
      [folder["a.mp4"], "--detections", folder["det.txt"], "-o", folder["det.txt"]],
      [folder["a.mp4"], "--annotate", folder["c.mp4"], "-o", folder["./c.mp4"], "--format", "text"],
    ] {
      let error = #expect(throws: FoveaError.self) { try TrackPlan(try TrackOutcome.command(arguments)) }
      #expect(error?.code.rawValue == "output-overwrites", "\(arguments)")
    }
  }

  @Test(arguments: [
    ("out.gif", "'.gif' is not a video format that Fovea writes"),
    ("out", "the name does not have the extension of a video format"),
  ])
  func `a video that cannot be written is rejected before the first frame`(
    _ name: String, _ message: String
  ) throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(try TrackOutcome.command(["a.mp4", "--annotate", folder[name]]))
    }
    #expect(error?.message == message)
    #expect(throws: Never.self) {
      try TrackPlan(try TrackOutcome.command(["a.mp4", "--annotate", folder["out.webm"]]))
    }
    #expect(!folder.exists("out.webm"))
  }

  @Test func `boxes without images cannot be drawn on`() throws {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", WalkingBox.text(1...3))
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(try TrackOutcome.command([folder["det.txt"], "--annotate", folder["o.mp4"]]))
    }
    #expect(error?.message == "--annotate needs the images, and only boxes are given")
  }
}
