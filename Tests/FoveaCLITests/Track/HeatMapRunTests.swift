// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Runs of `fovea track --heatmap` on given boxes, in frames of 64 × 48 pixels.
@Suite struct HeatMapRunTests {
  /// A box in frames 1 to 12 whose foot is at x = 16 + 2 × frame and y = 30, so in cells of row 3.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", (1...12).map { "\($0),-1,\(10 + 2 * $0),10,12,20,0.9\n" }.joined())
    try folder.write("seqinfo.ini", "[Sequence]\nframeRate=10\nimWidth=64\nimHeight=48\n")
    return folder
  }

  @Test func `cells have the seconds of feet, row by row`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--heatmap", folder["h.json"], "-q"], in: folder)
    #expect(outcome.code == 0 && outcome.errors == "")
    let text = try folder.read("h.json")
    #expect(text.hasPrefix(#"{"cell": 8, "width": 8, "height": 6, "seconds": ["#) && text.hasSuffix("]}\n"))
    let list = text.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
    let seconds = list.split(separator: ", ").compactMap { Double($0) }
    #expect(seconds.count == 48)
    // Eleven steps of a tenth of a second.
    #expect(abs(seconds.reduce(0, +) - 1.1) < 1e-9)
    #expect(seconds.enumerated().allSatisfy { $0.element == 0 || $0.offset / 8 == 3 })
  }

  @Test func `an image is the mean frame with the heat`() async throws {
    let folder = try Self.folder()
    for _ in 0..<2 {
      // The second run replaces the first one's file.
      let outcome = try await TrackOutcome.of(
        [
          VideoFixture.path("h264.mp4"), "--detections", folder["det.txt"], "--heatmap", folder["h.png"],
          "-q",
        ], in: folder)
      #expect(outcome.code == 0 && outcome.errors == "")
    }
    let image = try EncodedImage(path: folder["h.png"])
    #expect(image.format == .png && image.size == PixelSize(width: 64, height: 48))
  }

  @Test func `a size that no frame has is refused`() async throws {
    let folder = try Self.folder()
    try folder.write("seqinfo.ini", "[Sequence]\nframeRate=10\nimWidth=2147483647\nimHeight=2147483647\n")
    let outcome = try await TrackOutcome.of([folder["det.txt"], "--heatmap", folder["h.json"]], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("at most 250 megapixels, not 2147483647 × 2147483647"))
    #expect(!folder.exists("h.json"))
  }

  @Test func `labels that no object has are noted`() async throws {
    let folder = try Self.folder()
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--heatmap", folder["h.json"], "--heatmap-of", "person, car"], in: folder)
    #expect(outcome.code == 0)
    #expect(outcome.notes == ["No object had a label of --heatmap-of."])
    #expect(try !folder.read("h.json").contains("0.1"))
  }

  @Test func `without a frame the map is empty`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", "")
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--heatmap", folder["h.json"], "-q"], in: folder)
    #expect(outcome.code == 0)
    #expect(try folder.read("h.json") == "{\"cell\": 8, \"width\": 0, \"height\": 0, \"seconds\": []}\n")
  }

  @Test(
    arguments: [
      (
        "[Sequence]\nimWidth=64\nimHeight=48\n",
        "--heatmap needs the times of frames, and the boxes have no frame rate", "--frame-rate"
      ),
      (
        "[Sequence]\nframeRate=10\n", "--heatmap needs the size of the frames, and only boxes are given",
        "--detections"
      ),
    ])
  func `times and the size of frames are needed`(
    _ info: String, _ message: String, _ remedy: String
  ) async throws {
    let folder = try Self.folder()
    try folder.write("seqinfo.ini", info)
    let outcome = try await TrackOutcome.of(
      [folder["det.txt"], "--heatmap", folder["h.json"], "-q"], in: folder)
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains(message) && outcome.errors.contains(remedy))
    #expect(!folder.exists("h.json") && !folder.exists("h.json.partial"))
  }

  @Test(
    arguments: [
      (["det.txt", "--heatmap", "h.png"], "--heatmap needs the images, and only boxes are given"),
      (["frames", "--heatmap", "frames/h.png"], "the folder is inside 'frames', which the command reads"),
    ])
  func `an image without images, or among the frames, is refused`(
    _ arguments: [String], _ message: String
  ) throws {
    let folder = try Self.folder()
    try folder.write("frames/1.jpg", "")
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(try TrackOutcome.command(arguments.map { $0.hasPrefix("--") ? $0 : folder[$0] }))
    }
    #expect(error?.message.replacing(folder.path + "/", with: "") == message)
  }
}
