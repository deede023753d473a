// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaFormats
import Testing

@testable import FoveaCLI

@Suite struct TrackArgumentTests {
  struct RefusedCase: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var message: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let lineForm =
    "Give x1,y1,x2,y2 in pixels of the frame, such as door=0,200,640,200; the name is optional."
  private static let zoneForm =
    "Give x1,y1,x2,y2,x3,y3 in pixels of the frame, such as drive=100,200,500,200,500,350; "
    + "the name is optional."
  private static let groundForm =
    "Give x1,y1,x2,y2,x3,y3,x4,y4=widthxlength, such as 40,340,600,340,420,120,220,120=6x20."

  @Test(arguments: [
    RefusedCase(
      arguments: [], message: "Name a video, a folder of frames, a camera, a stream or a det.txt."),
    RefusedCase(arguments: [""], message: "The source is empty."),
    RefusedCase(arguments: ["--detections", ""], message: "--detections needs the name of a file."),
    RefusedCase(
      arguments: ["--detections", "-"],
      message: "--detections reads files, not standard input; use /dev/stdin."),
    RefusedCase(arguments: ["a.mp4", "--config", ""], message: "--config needs the name of a file."),
    RefusedCase(arguments: ["a.mp4", "-o", ""], message: "--output needs the name of a file."),
    RefusedCase(arguments: ["a.mp4", "--annotate", ""], message: "--annotate needs the name of a file."),
    RefusedCase(
      arguments: ["a.mp4", "--every", "0"], message: "--every must be between 1 and 1000, got 0."),
    RefusedCase(
      arguments: ["a.mp4", "--every", "1001"], message: "--every must be between 1 and 1000, got 1001."),
    RefusedCase(arguments: ["a.mp4", "--frames", "0"], message: "--frames must be 1 or more, got 0."),
    RefusedCase(
      arguments: ["a.mp4", "--threads", "0"], message: "--threads must be between 1 and 256, got 0."),
    RefusedCase(
      arguments: ["a.mp4", "--max-objects", "0"], message: "--max-objects must be 1 or more, got 0."),
    RefusedCase(
      arguments: ["a.mp4", "--frame-rate", "0"],
      message: "--frame-rate must be between 0.1 and 1000, got 0.0."),
    RefusedCase(
      arguments: ["a.mp4", "--frame-rate", "nan"],
      message: "--frame-rate must be between 0.1 and 1000, got nan."),
    RefusedCase(
      arguments: ["a.mp4", "--threshold", "1.5"], message: "--threshold must be between 0 and 1, got 1.5."),
    RefusedCase(
      arguments: ["a.mp4", "--every", "3", "--tracker", "sort"],
      message: "--every needs --tracker fovea; sort needs a detector on every frame."),
    RefusedCase(
      arguments: ["--detections", "d.txt", "--every", "3"],
      message: "--every is for a detector, but 'd.txt' already has boxes."),
    RefusedCase(
      arguments: ["d.txt", "--smooth-landmarks"],
      message: "--smooth-landmarks is for a detector, but 'd.txt' already has boxes."),
    RefusedCase(
      arguments: ["d.txt", "--landmark-iou", "0.5"],
      message: "--landmark-iou is for a detector, but 'd.txt' already has boxes."),
    RefusedCase(
      arguments: ["a.mp4", "--landmark-iou", "-1"],
      message: "--landmark-iou must be between 0 and 1, got -1.0."),
    RefusedCase(
      arguments: ["a.mp4", "--motion", "auto", "--tracker", "sort"],
      message: "--motion auto needs --tracker fovea; sort does not report its objects."),
    RefusedCase(
      arguments: ["d.txt", "--motion", "off"],
      message: "--motion is for a detector, but 'd.txt' already has boxes."),
    RefusedCase(
      arguments: ["a.mp4", "--motion-mask", "0,0,9,0,9,9"], message: "--motion-mask needs --motion auto."),
    RefusedCase(
      arguments: ["a.mp4", "--motion", "auto", "--motion-mask", "a=0,0,9,0,9,9"],
      message: "A --motion-mask has no name; give only X1,Y1,X2,Y2,X3,Y3,…."),
    RefusedCase(
      arguments: ["d.txt", "--model", "m.tflite"],
      message: "'d.txt' already has boxes and no model runs: leave out the model's options."),
    RefusedCase(
      arguments: ["d.txt", "--threads", "2"],
      message: "'d.txt' already has boxes and no model runs: leave out the model's options."),
    RefusedCase(
      arguments: ["d.txt", "--tracker", "sort", "--single", "--max-labels", "10"],
      message: "'d.txt' already has boxes and no model runs: leave out the model's options."),
    RefusedCase(
      arguments: ["a.mp4", "--detections", "d.txt", "--slice"],
      message: "'d.txt' already has boxes and no model runs: leave out the model's options."),
    RefusedCase(
      arguments: ["a.mp4", "--counts"], message: "--counts needs --line or --zone."),
    RefusedCase(
      arguments: ["a.mp4", "--counts-every", "60s"], message: "--counts-every needs --line or --zone."),
    RefusedCase(
      arguments: ["a.mp4", "--line", "0,0,1,1", "--counts-every", "60s", "--counts"],
      message: "--counts and --counts-every exclude each other."),
    RefusedCase(
      arguments: ["a.mp4", "--line", "0,0,1,1", "--counts-every", "60s", "-o", "c.jsonl"],
      message: "--counts-every writes CSV: leave out --format, and name a .csv file."),
    RefusedCase(
      arguments: ["a.mp4", "--line", "0,0,1,1", "--counts-every", "60s", "--format", "text"],
      message: "--counts-every writes CSV: leave out --format, and name a .csv file."),
    RefusedCase(
      arguments: ["a.mp4", "--line", "0,0,1,1", "--counts-every", "0s"],
      message:
        "The value '0s' is invalid for '--counts-every': Give a time from 1s to 24h, such as 60s, 15m or 1h."),
    RefusedCase(
      arguments: ["a.mp4", "--line", "0,0,1,1", "--counts-every", "2d"],
      message:
        "The value '2d' is invalid for '--counts-every': Give a time from 1s to 24h, such as 60s, 15m or 1h."),
    RefusedCase(
      arguments: ["a.mp4", "--format", "jsonl", "--ground", "0,0,9,0,9,9,0,9"],
      message: "The value '0,0,9,0,9,9,0,9' is invalid for '--ground': " + Self.groundForm),
    RefusedCase(
      arguments: ["a.mp4", "--format", "jsonl", "--ground", "0,0,9,0,9,9=6x20"],
      message: "The value '0,0,9,0,9,9=6x20' is invalid for '--ground': " + Self.groundForm),
    RefusedCase(
      arguments: ["a.mp4", "--format", "jsonl", "--ground", "0,0,9,0,9,9,0,9=6,20"],
      message: "The value '0,0,9,0,9,9,0,9=6,20' is invalid for '--ground': " + Self.groundForm),
    RefusedCase(
      arguments: ["a.mp4", "--ground", "0,0,9,0,9,9,0,9=6x20"],
      message: "--ground needs JSON lines of objects: give --format jsonl, or a .jsonl file."),
    RefusedCase(
      arguments: ["d.txt", "--tracker", "sort", "--max-objects", "3"],
      message: "--max-objects needs --tracker fovea; sort uses every box of a file."),
    RefusedCase(
      arguments: ["a.mp4", "--detections", "d.txt", "--tracker", "ocsort", "--single"],
      message: "--single needs --tracker fovea; ocsort uses every box of a file."),
    RefusedCase(
      arguments: ["d.txt", "--tracker", "bytetrack", "--threshold", "0.5"],
      message: "--threshold needs --tracker fovea; bytetrack uses every box of a file."),
    RefusedCase(
      arguments: ["a.mp4", "-o", "r.csv.gz"],
      message:
        "--output does not write compressed files such as .gz; write 'r.csv' and compress it afterwards."
    ),
    RefusedCase(
      arguments: ["a.mp4", "-o", "r.mot"],
      message: "--output writes .jsonl, .csv or .txt (MOT), not .mot; or choose a format with --format."),
    RefusedCase(
      arguments: ["a.mp4", "-o", "r.COCO"],
      message: "--output writes .jsonl, .csv or .txt (MOT), not .coco; or choose a format with --format."),
    RefusedCase(
      arguments: ["a.mp4", "--annotate", "b.mp4", "--interpolate"],
      message: "--interpolate fills gaps after the last frame, when --annotate has already drawn every frame."
    ),
    RefusedCase(
      arguments: ["a.mp4", "--annotate", "b.mp4", "--output", "b.mp4"],
      message: "--annotate and --output name the same file."),
    RefusedCase(
      arguments: ["a.mp4", "--line", "1,2,3"],
      message: "The value '1,2,3' is invalid for '--line <x1,y1,x2,y2>': " + Self.lineForm),
    RefusedCase(
      arguments: ["a.mp4", "--line", "1,2,3,inf"],
      message: "The value '1,2,3,inf' is invalid for '--line <x1,y1,x2,y2>': " + Self.lineForm),
    RefusedCase(
      arguments: ["a.mp4", "--zone", "1,2,3,4,5"],
      message: "The value '1,2,3,4,5' is invalid for '--zone <x1,y1,…>': " + Self.zoneForm),
    RefusedCase(
      arguments: ["a.mp4", "--zone", "drive=1,2,x,4"],
      message: "The value 'drive=1,2,x,4' is invalid for '--zone <x1,y1,…>': " + Self.zoneForm),
    RefusedCase(
      arguments: ["a.mp4", "--zone", "drive=0,0,9,0,9,9", "--dwell", "drive=5"],
      message: "--dwell needs --events."),
    RefusedCase(
      arguments: ["a.mp4", "--events", "e.jsonl", "--dwell", "5"],
      message: "The value '5' is invalid for '--dwell': Give zone=seconds, such as drive=15."),
    RefusedCase(arguments: ["a.mp4", "--crops", ""], message: "--crops needs the name of a folder."),
    RefusedCase(arguments: ["a.mp4", "--heatmap", ""], message: "--heatmap needs the name of a file."),
    RefusedCase(
      arguments: ["a.mp4", "--heatmap", "h.jpg"], message: "--heatmap writes .png and .json, not 'h.jpg'."),
    RefusedCase(
      arguments: ["a.mp4", "--blur", "face", "--heatmap", "h.json"],
      message: "--blur needs --annotate, --crops or a --heatmap of .png."),
    RefusedCase(arguments: ["a.mp4", "--heatmap-of", "car"], message: "--heatmap-of needs --heatmap."),
    RefusedCase(arguments: ["a.mp4", "--events", ""], message: "--events needs the name of a file."),
    RefusedCase(
      arguments: ["a.mp4", "--start-time", "2026-11-26T11:53:52Z"], message: "--start-time needs --events."),
    RefusedCase(
      arguments: ["a.mp4", "--events", "e.jsonl", "--start-time", "yesterday"],
      message:
        "The value 'yesterday' is invalid for '--start-time': Give a moment in UTC, such as 2026-11-26T11:53:52Z."
    ),
    RefusedCase(
      arguments: ["a.mp4", "--tracker", "best"],
      message:
        "The value 'best' is invalid for '--tracker <name>'. Please provide one of 'fovea', 'bytetrack', "
        + "'ocsort' or 'sort'."),
    RefusedCase(
      arguments: ["a.mp4", "--format", "json"],
      message:
        "The value 'json' is invalid for '--format <format>'. Please provide one of 'text', 'jsonl', 'mot' "
        + "or 'csv'."),
  ])
  func `an impossible value is a usage error that explains why`(_ test: RefusedCase) {
    let error = #expect(throws: (any Error).self) { try FoveaCommand.parseAsRoot(["track"] + test.arguments) }
    #expect(error.map { FoveaCommand.message(for: $0) } == test.message)
  }

  @Test(arguments: [
    ([], TrackFormat.text), (["-o", "r.jsonl"], .jsonl), (["-o", "r.NDJSON"], .jsonl),
    (["-o", "r.csv"], .csv),
    (["-o", "r.txt"], .mot), (["-o", "r"], .text), (["-o", "r.txt", "--format", "csv"], .csv),
    (["--format", "mot"], .mot),
  ])
  func `the extension selects the format unless one is named`(
    _ options: [String], _ format: TrackFormat
  ) throws {
    #expect(try TrackOutcome.command(["a.mp4"] + options).output.chosenFormat == format)
  }

  @Test func `options for objects apply to boxes as well`() throws {
    let command = try TrackOutcome.command([
      "--detections", "d.txt", "--threshold", "0.4", "--single", "--max-objects", "3",
    ])
    #expect(command.hasBoxes)
    #expect(try TrackOutcome.command(["walk/det.TXT"]).hasBoxes)
    #expect(try TrackOutcome.command(["walk.mp4"]).hasBoxes == false)
  }
}
