// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Runs of `fovea track --blur` on given boxes.
@Suite struct BlurRunTests {
  /// A frame of 64 × 48 pixels of different colours, with a face at (10, 10) of 20 × 20 pixels.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for index in bytes.indices {
        unsafe bytes[index] = UInt8(truncatingIfNeeded: index * 37 + index / 256 * 11)
      }
    }
    try folder.write("frames/1.png", canvas.encoded(as: .png))
    let box = #"{"x": 10, "y": 10, "width": 20, "height": 20}"#
    let label = #"{"text": "face", "index": 0, "confidence": 0.9}"#
    try folder.write(
      "det.jsonl",
      #"{"image": "frames/1.png", "objects": [{"box": \#(box), "score": 0.9, "labels": [\#(label)]}]}"#)
    return folder
  }

  private static func colors(_ path: String) throws -> [[UInt8]] {
    let canvas = try EncodedImage(path: path).canvas()
    return unsafe canvas.withUnsafeMutableBytes { bytes in
      (0..<48).flatMap { y in
        (0..<64).map { x in
          let place = y * canvas.bytesPerRow + x * 4
          return unsafe [UInt8](bytes[place..<place + 3])
        }
      }
    }
  }

  @Test func `a face has 64 colours at most, and every other pixel is equal`() async throws {
    let folder = try Self.folder()
    // No time has passed in one frame, so the heat map is the mean image.
    let outcome = try await TrackOutcome.of(
      [
        folder["frames"], "--detections", folder["det.jsonl"], "--blur", "face,plate", "--heatmap",
        folder["h.png"], "-q",
      ], in: folder)
    #expect(outcome.code == 0 && outcome.errors == "")
    let (before, after) = (try Self.colors(folder["frames/1.png"]), try Self.colors(folder["h.png"]))
    var colors: Set<[UInt8]> = []
    for place in before.indices {
      // The box grows by two pixels on each side.
      if (8..<32).contains(place % 64), (8..<32).contains(place / 64) {
        colors.insert(after[place])
      } else {
        #expect(after[place] == before[place])
      }
    }
    #expect(colors.count > 1 && colors.count <= 64)
    #expect(before != after)
  }

  /// The tracker, and the number of frames with the face after four without it.
  @Test(arguments: ["fovea", "bytetrack", "ocsort", "sort"], [1, 2, 3])
  func `a face is blurred from its first detection on`(_ tracker: String, _ count: Int) async throws {
    let folder = try Self.folder()
    let face = try folder.read("det.jsonl")
    let photo = try EncodedImage(path: folder["frames/1.png"]).canvas().encoded(as: .png)
    let empty = try PixelCanvas(size: PixelSize(width: 64, height: 48)).encoded(as: .png)
    var lines: [String] = []
    for number in 1...4 + count {
      try folder.write("frames/\(number).png", number > 4 ? photo : empty)
      lines.append(
        number > 4
          ? face.replacing("1.png", with: "\(number).png")
          : #"{"image": "frames/\#(number).png", "objects": []}"#)
    }
    try folder.write("det.jsonl", lines.joined(separator: "\n"))
    let outcome = try await TrackOutcome.of(
      [
        folder["frames"], "--detections", folder["det.jsonl"], "--tracker", tracker, "--blur", "face",
        "--heatmap", folder["h.png"], "--heatmap-of", "plate", "-q",
      ], in: folder)
    #expect(outcome.code == 0 && outcome.errors == "")
    let mean = try Self.colors(folder["h.png"])
    let box = mean.indices.filter { (10..<30).contains($0 % 64) && (10..<30).contains($0 / 64) }
    #expect(Set(box.map { mean[$0] }).count <= 64 && Set(mean).count > 100)
  }

  @Test func `labels that no object has are noted`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [
        folder["frames"], "--detections", folder["det.jsonl"], "--blur", "fase", "--crops", folder["c"],
        "--format", "mot",
      ], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.notes.contains("No object had a label of --blur; nothing is blurred."))
  }

  @Test(
    arguments: [
      (["--blur", "fase"], ["face"], "'fase' of --blur is not a label of the model"),
      (["--blur", "face, plate"], ["face"], "'plate' of --blur is not a label of the model"),
      (["--blur", "face,plate"], ["plate", "face"], nil), (["--blur", "fase"], [], nil),
      (["--blur", "cat, tabby"], ["cat, tabby"], nil),
      (
        ["--blur", "face", "--heatmap-of", "cat"], ["face"],
        "'cat' of --heatmap-of is not a label of the model"
      ),
    ] as [([String], [String], String?)])
  func `labels that the model does not have are refused`(
    _ arguments: [String], _ names: [String], _ message: String?
  ) throws {
    let command = try TrackOutcome.command(["a.mp4", "--heatmap", "h.png"] + arguments)
    do throws(FoveaError) {
      try command.output.checkLabels(among: names)
      #expect(message == nil)
    } catch {
      #expect(error.message == message)
    }
  }
}
