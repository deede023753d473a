// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

@testable import FoveaCLI

/// Whole runs, from arguments to bytes in files, on given boxes: no model is needed.
@Suite struct TrackRunTests {
  /// Twelve frames of 64 × 48 pixels, with one moving box.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let boxes = (1...12).map { "\($0),-1,\(5 + 2 * $0),10,12,20,0.9\n" }
    try folder.write("det.txt", boxes.joined())
    return folder
  }

  private static func frames(of path: String) throws -> [VideoFrame] {
    let reader = try VideoReader(path: path)
    var frames: [VideoFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  @Test func `boxes without images become tracks`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--frame-rate", "25", "--format", "mot", "--line", "20,0,20,48"], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.notes.isEmpty)
    #expect(outcome.output.split(separator: "\n").count == 12)
    #expect(outcome.output.hasPrefix("1,1,7,10,12,20,0.9,-1,-1,-1\n"))
    #expect(outcome.errors.hasPrefix("12 frames, 1 identity, "))
    #expect(outcome.errors.hasSuffix(" frames/s\nline 1: 0 in, 1 out\n"))
  }

  @Test(arguments: ["text", "jsonl", "csv", "mot"])
  func `quiet prints nothing, and the first frames are enough`(_ format: String) async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--format", format, "--frames", "3", "-q"], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.split(separator: "\n").count == ["text": 6, "csv": 4][format] ?? 3)
  }

  @Test func `only the counts are one line`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--counts", "--line", "20,0,20,48", "--zone", "0,0,30,0,30,48,0,48", "-q"],
      in: folder)
    #expect(
      outcome.output == """
        line 1: 0 in, 1 out
        zone 1: 0 inside, 1 entered, 1 left, 0 vanished, 1 different

        """)
  }

  @Test(arguments: ["fovea", "bytetrack", "ocsort", "sort"], [10, 30, 60])
  func `an object that vanished in a zone is gone once the tracker forgets it`(_ tracker: String, rate: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    let walk = (1...30).map { "\($0),-1,180,\(20 + 6 * $0),40,60,0.95\n" }.joined()
    // Trackers keep lost objects for a second, or for 30 frames; counters would keep them for 150 frames.
    let end = 30 + max(rate, 30) + 5
    try folder.write("det.txt", walk + "\(end),-1,600,400,30,60,0.95\n")
    let outcome = try await TrackOutcome.of(
      [
        folder["det.txt"], "--tracker", tracker, "--frame-rate", "\(rate)", "--counts", "-q", "--zone",
        "100,150,300,150,300,300,100,300",
      ], in: folder)
    #expect(outcome.output == "zone 1: 0 inside, 1 entered, 0 left, 1 vanished, 1 different\n")
    // Until then it may return.
    try folder.write("det.txt", walk)
    let short = try await TrackOutcome.of(
      [
        folder["det.txt"], "--tracker", tracker, "--frame-rate", "\(rate)", "--counts", "-q", "--zone",
        "100,150,300,150,300,300,100,300",
      ], in: folder)
    #expect(short.output == "zone 1: 1 inside, 1 entered, 0 left, 0 vanished, 1 different\n")
  }

  @Test(arguments: [10, 60, 120])
  func `with timestamps a vanished object is gone after a second, at any rate`(_ rate: Int) async throws {
    let folder = try TemporaryFolder()
    let walk = (1...30).map { "\($0),-1,180,\(20 + 6 * $0),40,60,0.95\n" }.joined()
    try folder.write("c.json", #"{"usesTimestamps": true}"#)
    let counts = [
      "--config", folder["c.json"], "--frame-rate", "\(rate)", "--counts", "-q", "--zone",
      "100,150,300,150,300,300,100,300",
    ]
    for (later, inside, vanished) in [(rate - 4, 1, 0), (rate + 6, 0, 1)] {
      try folder.write("det.txt", walk + "\(30 + later),-1,600,400,30,60,0.95\n")
      let outcome = try await TrackOutcome.of([folder["det.txt"]] + counts, in: folder)
      #expect(
        outcome.output
          == "zone 1: \(inside) inside, 1 entered, 0 left, \(vanished) vanished, 1 different\n")
    }
  }

  @Test func `a video trimmed by an edit list is complete`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [VideoFixture.path("trimmed.mp4"), "--detections", folder["det.txt"], "-o", folder["o.jsonl"]],
      in: folder)
    #expect(outcome.code == 0)
    #expect(try folder.read("o.jsonl").split(separator: "\n").count == 9)
    #expect(
      outcome.notes == ["the source ends with frame 9; the boxes of later frames, up to 12, are left out."])
  }

  @Test(arguments: [
    ("o.mp4", 1, []), ("o.webm", 0, ["the sound (aac) does not go into webm and is left out."]),
  ])
  func `an annotated video keeps sound, rotation and pixel shape, or a note names what is missing`(
    _ name: String, sounds: Int, notes: [String]
  ) async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [
        VideoFixture.path("wide.mp4"), "--detections", folder["det.txt"], "--annotate", folder[name], "-o",
        folder["o.jsonl"],
      ], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.notes == notes)
    let info = try VideoReader(path: folder[name]).info
    #expect(info.soundTracks == sounds)
    #expect(info.pixelAspect == PixelAspect(width: 3, height: 4))
    #expect(info.size == PixelSize(width: 48, height: 64) && info.orientation == .up)
  }

  @Test func `a wrong line of boxes ends the run and is named`() async throws {
    let folder = try Self.folder()
    try folder.write("bad.txt", "1,-1,1,1,5,5,1\n2,-1,x,1,5,5,1\n")
    let error = await #expect(throws: FoveaError.self) {
      try await TrackOutcome.of([folder["bad.txt"]], in: folder)
    }
    #expect(error?.message == "'\(folder["bad.txt"])' line 2: x is 'x', not a number")
  }

  @Test func `an annotated video has every frame and can be played`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [
        VideoFixture.path("h264.mp4"), "--detections", folder["det.txt"], "--annotate", folder["o.mp4"],
        "-o", folder["o.jsonl"],
      ], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.notes.isEmpty, "\(outcome.errors)")
    let (before, after) = (
      try Self.frames(of: VideoFixture.path("h264.mp4")), try Self.frames(of: folder["o.mp4"])
    )
    #expect(after.count == 12)
    for (first, second) in zip(before, after) {
      #expect(first.pixels.size == second.pixels.size)
      #expect(abs(first.seconds - second.seconds) < 0.002)
    }
    #expect(try folder.read("o.jsonl").split(separator: "\n").count == 12)
    #expect(!folder.exists("o.mp4.partial"))
  }

  @Test(arguments: ["frames", "frames/sub/.."])
  func `boxes of records are matched to the images of a folder by name`(_ place: String) async throws {
    let folder = try Self.folder()
    let image = try PixelCanvas(size: PixelSize(width: 64, height: 48)).encoded(as: .png)
    for number in 1...4 { try folder.write("frames/\(number).png", image) }
    try folder.write("frames/sub/notes", "")
    // The second image failed, the third one was tried again, and two are of another folder.
    let lines = [("frames", 1), ("other", 2), ("other", 3), ("frames", 4), ("frames", 3)].map {
      parent, number in
      let box = #"{"x": \#(5 + 2 * number), "y": 10, "width": 12, "height": 20}"#
      let object = #"{"box": \#(box), "score": 0.9, "labels": []}"#
      return #"{"image": "\#(parent)/\#(number).png", "objects": [\#(object)]}"#
    }
    try folder.write("x.jsonl", lines.joined(separator: "\n"))
    let outcome = try await TrackOutcome.of(
      [folder[place], "--detections", folder["x.jsonl"], "--format", "mot"], in: folder)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output.split(separator: "\n").compactMap { $0.split(separator: ",").first } == ["1", "3", "4"])
    #expect(
      outcome.notes.contains {
        $0.contains("2 images are not in the source, the first 'other/2.png'; left out")
      })
  }

  @Test func `records that match no image of the folder are exit code 1`() async throws {
    let folder = try Self.folder()
    try folder.write("frames/1.png", PixelCanvas(size: PixelSize(width: 64, height: 48)).encoded(as: .png))
    try folder.write("x.jsonl", #"{"image": "other/9.png", "objects": []}"#)
    let outcome = try await TrackOutcome.of(
      [folder["frames"], "--detections", folder["x.jsonl"]], in: folder)
    #expect(outcome.code == 1)
    let reason = "no record belongs to an image of the source; the first belongs to 'other/9.png'"
    #expect(outcome.notes.last?.contains(reason) == true, "\(outcome.errors)")
  }

  @Test func `boxes beyond the last image are named`() async throws {
    let folder = try Self.folder()
    try folder.write("det.txt", WalkingBox.text(1...20))
    let outcome = try await TrackOutcome.of(
      [VideoFixture.path("h264.mp4"), "--detections", folder["det.txt"], "-o", folder["o.txt"]], in: folder)
    #expect(outcome.code == 0)
    #expect(
      outcome.notes == ["the source ends with frame 12; the boxes of later frames, up to 20, are left out."])
  }

  @Test func `a request to stop ends the run with whole lines and a video`() async throws {
    let folder = try Self.folder()
    let stop = StopSignal()
    stop.request()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "-o", folder["o.csv"]], in: folder, stop: stop)
    #expect(outcome.code == 130)
    #expect(try folder.read("o.csv").hasSuffix("label_confidence\n"))
    #expect(outcome.errors.contains("0 frames, 0 identities\n"))
  }

  struct FailureCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var source: String
    var text: String?
    var message: String
  }

  @Test(arguments: [
    FailureCase(
      testDescription: "missing", source: "none.mp4",
      message: "none.mp4: there is no such file. Check the path."),
    FailureCase(
      testDescription: "empty", source: "e.mp4", text: "",
      message: "e.mp4: the file is empty (0 bytes). Copy or download the video again."),
    FailureCase(
      testDescription: "a text file named like a video", source: "t.mp4", text: "hello\n",
      message: "t.mp4: this is not a video that Fovea reads: Invalid data found when processing input. "
        + "Give a video file (MP4, MOV, MKV, WebM, AVI, MPEG-TS, …)."),
    FailureCase(
      testDescription: "a list of other files", source: "l.m3u8", text: "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n",
      message:
        "l.m3u8: this is an M3U playlist, which names other files; Fovea does not open such files. "
        + "Give the video itself, or the playlist's HTTP URL."),
    FailureCase(
      testDescription: "a folder without images", source: "f", text: nil,
      message: "f: the folder has no images. Give a folder with files such as 000001.jpg."),
    FailureCase(
      testDescription: "a folder of invalid images", source: "p", text: nil,
      message: "no frame of the source could be decoded. Check the source with another player."),
  ])
  func `a source that cannot be followed is exit code 1 with the reason`(_ test: FailureCase) async throws {
    let folder = try Self.folder()
    try folder.write("f/readme.md", "")
    try folder.write("p/1.jpg", "no image")
    if let text = test.text { try folder.write(test.source, text) }
    let outcome = try await TrackOutcome.of(
      [folder[test.source], "--detections", folder["det.txt"], "-o", folder["o.txt"]], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.notes.last == test.message)
  }

  @Test func `a sound file is not a video`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [VideoFixture.path("sound.m4a"), "--detections", folder["det.txt"]], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.notes.first?.contains("it has no video track, only sound") == true)
  }

  @Test func `a truncated video returns its frames, with one warning`() async throws {
    let folder = try Self.folder()
    for (name, rest) in [("h264.ts", 2_500), ("h264.mp4", 300)] {
      let whole = try Clips.bytes(name)
      try folder.write("cut", Array(whole.dropLast(rest)))
      let outcome = try await TrackOutcome.of(
        [folder["cut"], "--detections", folder["det.txt"], "--format", "jsonl"], in: folder)
      #expect(outcome.code == 0, "\(name)")
      #expect((1...12).contains(outcome.output.split(separator: "\n").count), "\(name) \(outcome.errors)")
      let early = outcome.notes.filter { $0.hasPrefix("the video ends") }
      // A transport stream does not state its duration.
      #expect(early.count == (name == "h264.mp4" ? 1 : 0), "\(outcome.notes)")
    }
  }

  @Test func `a change of resolution starts new identities and is reported`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [VideoFixture.path("sizes.h264"), "--detections", folder["det.txt"], "--annotate", folder["o.mkv"]],
      in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.notes.first == "frame 7 is 96 × 64 pixels, those before it 64 × 48.")
    #expect(outcome.errors.contains("12 frames, 1 identity, "))
    #expect(Set(try Self.frames(of: folder["o.mkv"]).map(\.pixels.size.width)) == [64])
  }

  @Test(arguments: [(5, false), (4, true), (1, true)])
  func `boxes beyond the length of the sequence are followed, and reported`(
    _ length: Int, _ isSaid: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", WalkingBox.text(1...5))
    try folder.write("seqinfo.ini", "[Sequence]\nseqLength=\(length)\nframeRate=10\n")
    let outcome = try await TrackOutcome.of([folder["det.txt"], "--format", "mot"], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("\n5,"))
    let frames = length == 1 ? "1 frame" : "\(length) frames"
    #expect(
      outcome.notes
        == (isSaid
          ? [
            "there are boxes up to frame 5, but seqinfo.ini declares \(frames); "
              + "all boxes are followed."
          ] : []))
  }

  @Test func `a video into a missing or read-only folder is exit code 1`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [
        VideoFixture.path("h264.mp4"), "--detections", folder["det.txt"], "--annotate", folder["none/o.mp4"],
        "-o", folder["o.csv"],
      ], in: folder)
    #expect(outcome.code == 1)
    #expect(
      outcome.notes == [
        "none/o.mp4: the file 'none/o.mp4.partial' cannot be created: No such file or directory. "
          + "Create the folder first."
      ])
    let missing = try await TrackOutcome.of([folder["det.txt"], "-o", folder["none/o.csv"]], in: folder)
    #expect(missing.code == 1)
    #expect(
      missing.notes.last == "'none/o.csv' cannot be written: No such file or directory. "
        + "Name a file in a folder that exists and may be written to.")
  }

  @Test func `gaps of a recording are filled`() async throws {
    let folder = try Self.folder()
    try folder.write("det.txt", WalkingBox.text([1, 2, 3, 4, 5, 9, 10]))
    let arguments = [folder["det.txt"], "--format", "mot", "-q"]
    let plain = try await TrackOutcome.of(arguments, in: folder)
    #expect(plain.output.split(separator: "\n").count == 7)
    let filled = try await TrackOutcome.of(arguments + ["--interpolate"], in: folder)
    #expect(
      filled.output.split(separator: "\n").map { $0.split(separator: ",")[0] } == (1...10).map { "\($0)" })
  }

  @Test(arguments: ["fovea", "bytetrack", "ocsort", "sort"])
  func `every tracker follows`(_ tracker: String) async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--tracker", tracker, "--format", "mot"], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains(", 1 identity, "), "\(outcome.errors)")
  }

  @Test func `many boxes in one frame, and impossible numbers, are handled`() async throws {
    let folder = try Self.folder()
    let crowd = (0..<20_000).map { "1,-1,\($0 % 200 * 7),\($0 / 200 * 7),5,5,0.9\n" }.joined()
    try folder.write(
      "many.txt", crowd + "2,-1,nan,1,5,5,0.9\n2,-1,1,1,-5,5,0.9\n2,-1,1,1,5,0,0.9\n2,-1,1,1,5,5,1.5\n")
    let outcome = try await TrackOutcome.of([folder["many.txt"], "--format", "mot"], in: folder)
    #expect(outcome.code == 0)
    // The tracker uses the thousand highest scores of a frame.
    #expect(outcome.output.split(separator: "\n").filter { $0.hasPrefix("1,") }.count == 1_000)
    #expect(!outcome.output.contains("nan") && !outcome.output.contains("null"))
    for line in ["line 20001: x is nan", "line 20002: width is -5.0 (and 1 more", "line 20004: score is 1.5"]
    {
      #expect(outcome.notes.contains { $0.contains(line) }, "\(outcome.notes)")
    }
  }
}

/// Bytes of the clips, to be damaged.
private enum Clips {
  static func bytes(_ name: String) throws -> [UInt8] {
    try SmallFile.bytes(of: VideoFixture.path(name), limit: 1 << 24)
  }
}
