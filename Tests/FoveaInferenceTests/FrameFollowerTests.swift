// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaRender
import FoveaTesting
import Logging
import Testing

@testable import FoveaInference

@Suite struct FrameFollowerTests {
  /// A change after the first frame, and whether the tracker continues.
  private struct Change: Sendable {
    let name: String
    let goesOn: Bool
    var hasCounts = false
    var change: @Sendable (inout LiveSettings) -> Void = { _ in }
  }

  private static let changes = [
    Change(name: "nothing", goesOn: true), Change(name: "the threshold", goesOn: true) { $0.threshold = 0.3 },
    Change(name: "the labels", goesOn: true) { $0.allow = ["cup"] },
    Change(name: "lines", goesOn: true, hasCounts: true) {
      $0.lines = [CountedShape(points: [0, 200, 600, 200])]
    },
    Change(name: "zones", goesOn: true, hasCounts: true) {
      $0.zones = [CountedShape(points: [0, 0, 600, 0, 600, 400])]
    },
    Change(name: "how often the detector runs", goesOn: false) { $0.every = 3 },
    Change(name: "frames without motion", goesOn: false) { $0.motion = .auto },
    Change(name: "the task, there and back", goesOn: false) { $0.task = .detect },
  ]

  /// Returns the embedded model, its detector, and the pixels of a photo.
  private static func model() async throws -> (ServedModel, ObjectDetector, PixelBuffer) {
    let service = try await InferenceService(
      [.embedded], options: InferenceOptions(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let model = try await service.registry.model(nil, within: .seconds(60))
    let photo = try EncodedImage(bytes: RunningInference.bytes(), name: "photo")
    guard case .detector(let detector) = model.engine else { throw TestFailure("There is no detector") }
    return (model, detector, try PixelBuffer(copying: photo.canvas(), name: "photo"))
  }

  @Test func `frames without motion are skipped on request, with the objects where they were`() async throws {
    let (model, detector, pixels) = try await Self.model()
    for (motion, watched) in [(nil, 12), (.auto, 10)] as [(ObjectTracker.Options.Motion?, Int)] {
      var settings = LiveSettings()
      settings.motion = motion
      var follower = FrameFollower()
      try follower.adopt(settings, .track, of: model)
      var records: [FrameRecord] = []
      for number in 1...12 {
        records.append(
          try await follower.track(
            VideoFrame(pixels: pixels, number: number, seconds: Double(number) / 10), of: "-",
            with: detector))
      }
      #expect(records.count { $0.isWatched } == watched, "\(String(describing: motion))")
      #expect(records.allSatisfy { $0.objects.map(\.trackingID) == records[11].objects.map(\.trackingID) })
      #expect(records[11].objects.isEmpty == false)
    }
  }

  @Test func `a video that starts again has new objects, has ended its events and goes on counting`()
    async throws
  {
    let (model, detector, pixels) = try await Self.model()
    var settings = LiveSettings()
    settings.zones = [CountedShape(points: [0, 0, 600, 0, 600, 400, 0, 400])]
    var follower = FrameFollower(events: FrameEvents())
    try follower.adopt(settings, .track, of: model)
    // Nothing was seen yet.
    follower.forgetObjects()
    #expect(follower.events?.take().isEmpty == true)
    var entered: [Int] = []
    for round in 0..<3 {
      var last: FrameRecord?
      for number in (3 * round + 1)...(3 * round + 3) {
        last = try await follower.track(
          VideoFrame(pixels: pixels, number: number, seconds: Double(number) / 10), of: "-", with: detector)
      }
      let zone = try #require(last?.counts?.zones.first)
      entered.append(zone.entered)
      #expect(zone.inside == entered[0])
      try follower.adopt(settings, .track, of: model)
      follower.forgetObjects()
      let messages = follower.events?.take().map(\.event) ?? []
      let ends = messages.filter { $0.kind == .end }
      #expect(!ends.isEmpty && ends.count == messages.count { $0.kind == .start })
      #expect(ends.allSatisfy { $0.reason == .sourceEnded })
    }
    #expect(entered[0] > 0 && entered == [entered[0], 2 * entered[0], 3 * entered[0]])
  }

  @Test func `objects with a label to blur are found in each frame`() async throws {
    let (model, detector, pixels) = try await Self.model()
    var settings = LiveSettings()
    for (labels, isBlurred) in [(try await detector.classNames(), true), (["Cup of tea"], false)] {
      settings.blur = labels
      var follower = FrameFollower()
      try follower.adopt(settings, .track, of: model)
      for number in 1...3 {
        let frame = VideoFrame(pixels: pixels, number: number, seconds: Double(number) / 10)
        let objects = try await follower.track(frame, of: "-", with: detector).objects
        #expect(!objects.isEmpty && follower.blurred.isEmpty != isBlurred, "\(number)")
        for object in objects where isBlurred {
          #expect(follower.blurred.contains { $0.intersection(object.box) == object.box }, "\(number)")
        }
      }
    }
  }

  @Test(arguments: ["blur", "labels"])
  func `a label to blur, or of a zone, that the model does not have is refused`(_ member: String) async throws
  {
    let (model, detector, _) = try await Self.model()
    let names = Array(try await detector.classNames().prefix(2))
    func settings(_ labels: [String]) -> LiveSettings {
      var settings = LiveSettings()
      if member == "blur" {
        settings.blur = labels
      } else {
        settings.zones = [CountedShape(points: [0, 0, 9, 0, 9, 9], labels: labels)]
      }
      return settings
    }
    try await settings(names).check(with: model)
    let error = await #expect(throws: FoveaError.self) {
      try await settings(names + ["Cup of tea"]).check(with: model)
    }
    #expect(error?.message == "'Cup of tea' of '\(member)' is not a label of the model")
  }

  @Test func `every image of a source is blurred`() throws {
    let folder = try TemporaryFolder()
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for index in bytes.indices { unsafe bytes[index] = UInt8(truncatingIfNeeded: index * 37) }
    }
    let pixels = try PixelBuffer(copying: canvas, name: "frame")
    let box = BoundingBox(x: 10, y: 10, width: 20, height: 20)
    canvas.pixelate(box)
    let journal = try EventScene.journal(EventOptions(folder: folder["events"]))
    journal.snapshots.keep(pixels, blurring: [box], of: ["gate"])
    #expect(try journal.snapshots.jpeg(of: "gate") == canvas.encoded(as: .jpeg, quality: 80))
    let record = FrameRecord(source: "gate", number: 1, seconds: 0, size: pixels.size, objects: [])
    let images = try StreamPainter().images(
      of: pixels, record, blurring: [box], [.messages, .annotated], keypointThreshold: 0.5)
    let image = try canvas.encoded(as: .jpeg, quality: 75)
    #expect(images.plain == image && images.annotated == image)
  }

  @Test func `a change of settings keeps whatever can continue`() async throws {
    let (model, detector, pixels) = try await Self.model()
    for row in Self.changes {
      var follower = FrameFollower()
      var settings = LiveSettings()
      settings.every = 2
      try follower.adopt(settings, .track, of: model)
      let first = try await follower.track(
        VideoFrame(pixels: pixels, number: 1, seconds: 0), of: "-", with: detector)
      #expect(first.isDetected && !first.objects.isEmpty && first.counts == nil, "\(row.name)")
      #expect(first.source == "-" && first.number == 1 && first.size == PixelSize(width: 600, height: 400))
      row.change(&settings)
      if let task = settings.task { try follower.adopt(settings, task, of: model) }
      try follower.adopt(settings, .track, of: model)
      let second = try await follower.track(
        VideoFrame(pixels: pixels, number: 2, seconds: 0.1), of: "-", with: detector)
      // A tracker that restarts does so with the detector.
      #expect(second.isDetected != row.goesOn, "\(row.name)")
      #expect((second.counts != nil) == row.hasCounts, "\(row.name)")
      let known = Set(first.objects.compactMap(\.trackingID))
      #expect(Set(second.objects.compactMap(\.trackingID)).isSubset(of: known), "\(row.name)")
    }
  }
}
#endif
