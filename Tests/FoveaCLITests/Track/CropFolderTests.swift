// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaCLI

/// The best images of objects, in frames of 200 × 100 pixels, of which a tenth is 2,000.
@Suite struct CropFolderTests {
  private static let size = PixelSize(width: 200, height: 100)

  /// A frame with an object of identity 7; each frame is grey, 20 times its number.
  private static func accept(
    _ folder: CropFolder, frame: Int, box: BoundingBox?, score: Float = 0.8, label: String? = "person",
    known: [Int]? = [7]
  ) throws {
    let objects = box.map { box in
      [
        DetectedObject(
          box: box, score: score, labels: label.map { [Label(text: $0, index: 0, confidence: score)] } ?? [],
          trackingID: 7)
      ]
    }
    let record = FrameRecord(source: "a.mp4", number: frame, size: size, objects: objects ?? [])
    try folder.accept(record, in: size, known: known) { () throws(FoveaError) in
      let canvas = PixelCanvas(size: size)
      unsafe canvas.withUnsafeMutableBytes { bytes in
        for index in bytes.indices { unsafe bytes[index] = UInt8(20 * frame) }
      }
      return canvas
    }
  }

  private static let half = BoundingBox(x: 20, y: 20, width: 25, height: 20)
  private static let full = BoundingBox(x: 20, y: 20, width: 50, height: 40)

  @Test func `the better of two boxes is kept, in its own size`() throws {
    let folder = try TemporaryFolder()
    let crops = try CropFolder(path: folder["new/crops"])
    // Qualities 0.4, 0.8, 0.8 × 0.5 at the edge, and 0.85, which is not better by a tenth.
    try Self.accept(crops, frame: 1, box: Self.half)
    try Self.accept(crops, frame: 2, box: Self.full)
    try Self.accept(crops, frame: 3, box: BoundingBox(x: 0, y: 0, width: 180, height: 90))
    try Self.accept(crops, frame: 4, box: Self.full, score: 0.85)
    #expect(try folder.names(in: "new/crops").isEmpty)
    try crops.finish()
    #expect(try folder.names(in: "new/crops") == ["7-person-2.jpg"])
    let image = try EncodedImage(path: folder["new/crops/7-person-2.jpg"])
    #expect(image.size == PixelSize(width: 50, height: 40) && image.format == .jpeg)
    let grey = unsafe try image.canvas().withUnsafeMutableBytes { bytes in unsafe bytes[20] }
    #expect(abs(Int(grey) - 40) <= 2)
  }

  @Test func `an object that is forgotten has its file at once, a lost one has not`() throws {
    let folder = try TemporaryFolder()
    let crops = try CropFolder(path: folder["c"])
    try Self.accept(crops, frame: 1, box: Self.half)
    try Self.accept(crops, frame: 2, box: nil)
    #expect(try folder.names(in: "c").isEmpty)
    try Self.accept(crops, frame: 3, box: nil, known: nil)
    #expect(try folder.names(in: "c").isEmpty)
    try Self.accept(crops, frame: 4, box: nil, known: [])
    #expect(try folder.names(in: "c") == ["7-person-1.jpg"])
    try crops.finish()
    #expect(try folder.names(in: "c") == ["7-person-1.jpg"])
  }

  @Test(
    arguments: [
      ("traffic light", "traffic_light"), ("../../etc/passwd", "______etc_passwd"),
      ("Fußgänger", "Fu_g_nger"), (nil, "object"), ("", "object"),
      (String(repeating: "a", count: 500), String(repeating: "a", count: 64)),
    ] as [(String?, String)])
  func `any label is safe in a file name`(_ label: String?, _ name: String) throws {
    let folder = try TemporaryFolder()
    let crops = try CropFolder(path: folder["c"])
    try Self.accept(crops, frame: 1, box: Self.half, label: label)
    try crops.finish()
    #expect(try folder.names(in: "c") == ["7-\(name)-1.jpg"])
  }

  @Test func `an object outside the frame has no file, and an empty folder is removed`() throws {
    let folder = try TemporaryFolder()
    try {
      let crops = try CropFolder(path: folder["c"])
      try Self.accept(crops, frame: 1, box: BoundingBox(x: 300, y: 20, width: 50, height: 40))
      try crops.finish()
    }()
    #expect(!folder.exists("c"))
  }

  @Test func `a full disk is reported`() async throws {
    // In a separate process whose files are limited to 64 bytes.
    await #expect(processExitsWith: .success) {
      ProcessSignals.ignorePipes()
      let folder = try TemporaryFolder()
      let crops = try CropFolder(path: folder["c"])
      try CropFolderTests.accept(crops, frame: 1, box: CropFolderTests.half)
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = #expect(throws: FoveaError.self) { try crops.finish() }
      let message = "writing '\(folder["c"])/7-person-1.jpg' failed: File too large"
      try #require(error?.message == message)
      try #require(try folder.names(in: "c").isEmpty)
    }
  }

  @Test func `crops of a run are next to its results`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", WalkingBox.text(1...5))
    let outcome = try await TrackOutcome.of(
      [
        VideoFixture.path("h264.mp4"), "--detections", folder["det.txt"], "--crops", folder["crops"],
        "--format", "mot", "-q",
      ], in: folder)
    #expect(outcome.code == 0 && outcome.errors == "")
    #expect(outcome.output.split(separator: "\n").count >= 5)
    #expect(try folder.names(in: "crops").allSatisfy { $0.hasPrefix("1-object-") })
    #expect(try folder.names(in: "crops").count == 1)
  }

  @Test(
    arguments: [
      (["det.txt", "--crops", "c"], "--crops needs the images, and only boxes are given"),
      (["frames", "--crops", "frames/c"], "the folder is inside 'frames', which the command reads"),
    ])
  func `crops without images, or among the frames, are refused`(
    _ arguments: [String], _ message: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("det.txt", WalkingBox.text(1...3))
    try folder.write("frames/1.jpg", "")
    let error = #expect(throws: FoveaError.self) {
      try TrackPlan(try TrackOutcome.command(arguments.map { $0.hasPrefix("--") ? $0 : folder[$0] }))
    }
    #expect(error?.message.replacing(folder.path + "/", with: "") == message)
  }
}
