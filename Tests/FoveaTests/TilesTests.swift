// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import FoveaTesting
import Testing

@testable import Fovea

@Suite struct TilesTests {
  static let photo = PackageRoot.path + "/Examples/photos/astronaut.jpg"

  private func options(tile: Int?, overlap: Double = 0.25) -> ObjectDetector.Options {
    var options = ObjectDetector.Options()
    options.classifier = .none
    var slicing = Slicing()
    slicing.tileSize = tile
    slicing.overlap = overlap
    options.slicing = slicing
    return options
  }

  @Test func `an image no larger than a tile gives the untiled result exactly`() async throws {
    var options = options(tile: 512)
    options.threshold = 0
    let tiled = try await ObjectDetector(model: .embedded(.localizer), options: options).analyze(
      .file(Self.photo))
    #expect(max(tiled.size.width, tiled.size.height) == 512)
    options.slicing = nil
    let untiled = try await ObjectDetector(model: .embedded(.localizer), options: options).analyze(
      .file(Self.photo))
    #expect(tiled.objects == untiled.objects && untiled.objects.count == 5)
  }

  @Test func `tiles find more, best first, each inside the image`() async throws {
    var options = options(tile: nil)
    options.threshold = 0.2
    let tiled = try await ObjectDetector(model: .embedded(.localizer), options: options).analyze(
      .file(Self.photo))
    options.slicing = nil
    let untiled = try await ObjectDetector(model: .embedded(.localizer), options: options).analyze(
      .file(Self.photo))
    #expect(tiled.objects.count > untiled.objects.count)
    #expect(tiled.objects.map(\.score) == tiled.objects.map(\.score).sorted(by: >))
    #expect(tiled.objects.allSatisfy { $0.box == $0.box.clamped(to: tiled.size) && !$0.box.isEmpty })
    #expect(
      tiled.timings.total
        >= tiled.timings.decode + tiled.timings.prepare + tiled.timings.detect + tiled.timings.classify)
    options = self.options(tile: nil)
    options.maxObjects = 2
    options.threshold = 0
    #expect(
      try await ObjectDetector(model: .embedded(.localizer), options: options).detect(in: .file(Self.photo))
        .count == 2)
  }

  @Test func `tiles stay inside a region, and a decoded image serves them`() async throws {
    let detector = try await ObjectDetector(model: .embedded(.localizer), options: options(tile: 100))
    let region = BoundingBox(x: 100, y: 50, width: 250, height: 200)
    let objects = try await detector.detect(in: .file(Self.photo), region: region)
    #expect(!objects.isEmpty)
    for object in objects {
      #expect(object.box.midX > 90 && object.box.midX < 360 && object.box.midY > 40 && object.box.midY < 260)
    }
    let prepared = try await detector.prepare(.file(Self.photo))
    let tiled = try await detector.detect(in: .file(Self.photo))
    #expect(try await detector.detect(in: .prepared(prepared)) == tiled)
  }

  struct RefusalCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var tile: Int?
    var overlap = 0.25
    var message: String
  }

  @Test(arguments: [
    RefusalCase(
      testDescription: "too small", tile: 15, message: "'slicing.tileSize' is 15; it must be 16…1048576"),
    RefusalCase(
      testDescription: "too large", tile: .max,
      message: "'slicing.tileSize' is 9223372036854775807; it must be 16…1048576"),
    RefusalCase(
      testDescription: "overlap below 0", overlap: -0.1,
      message: "'slicing.overlap' is -0.1; it must be 0…0.75"),
    RefusalCase(
      testDescription: "overlap above", overlap: 0.8, message: "'slicing.overlap' is 0.8; it must be 0…0.75"),
    RefusalCase(
      testDescription: "overlap no number", overlap: .nan,
      message: "'slicing.overlap' is nan; it must be 0…0.75"),
  ])
  func `values out of range are rejected`(_ value: RefusalCase) async throws {
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(
        model: .embedded(.localizer), options: options(tile: value.tile, overlap: value.overlap))
    }
    #expect(error?.message == value.message)
    #expect(error?.code.rawValue == "option-invalid")
  }

  @Test func `too many tiles are rejected with their number`() async throws {
    let detector = try await ObjectDetector(model: .embedded(.localizer), options: options(tile: 16))
    let error = await #expect(throws: FoveaError.self) {
      _ = try await detector.detect(in: .file(Self.photo))
    }
    #expect(error?.code.rawValue == "option-invalid")
    #expect(error?.subject == Self.photo)
    #expect(
      error?.message
        == "the image would have 2446 tiles of 16 pixels that overlap by 0.25; at most 1000 are processed"
    )
  }

  @Test func `a cancelled task stops at the next tile`() throws {
    let worker = try DetectionWorker(DetectionPlan(model: nil, options: options(tile: 100)))
    let token = CancellationToken()
    token.cancel()
    let error = #expect(throws: (any Error).self) {
      _ = try worker.detect(
        in: .file(Self.photo), region: nil, memory: StreamMemory(), token: token)
    }
    #expect(error.map { FoveaError($0).code.rawValue } == "cancelled")
  }

  struct LayoutCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var width = 640.0
    var height = 480.0
    var input = PixelSize(width: 300, height: 300)
    var orientation = Orientation.up
    var tile: Int?
    /// The number of tiles, and the size of the finest.
    var count: Int
    var finest: (Double, Double)
  }

  static let layouts = [
    LayoutCase(testDescription: "the model's size", count: 7, finest: (300, 300)),
    LayoutCase(
      testDescription: "the model's proportion", input: PixelSize(width: 320, height: 200), count: 10,
      finest: (320, 200)),
    LayoutCase(
      testDescription: "rotated with the image", input: PixelSize(width: 320, height: 200),
      orientation: .right, count: 11, finest: (200, 320)),
    LayoutCase(
      testDescription: "asked for", input: PixelSize(width: 320, height: 200), tile: 160, count: 45,
      finest: (160, 100)),
    LayoutCase(
      testDescription: "larger to avoid too many", width: 4000, height: 3000, count: 97,
      finest: (565.69, 565.69)),
    LayoutCase(testDescription: "one pixel", width: 1, height: 1, count: 1, finest: (1, 1)),
  ]

  @Test(arguments: layouts)
  func `tiles have the model's size and proportions, and are not too many`(_ value: LayoutCase) throws {
    var slicing = Slicing()
    slicing.tileSize = value.tile
    let layout = try slicing.layout(
      of: BoundingBox(x: 0, y: 0, width: value.width, height: value.height), input: value.input,
      orientation: value.orientation, imageName: "image")
    #expect(layout.tiles.count == value.count)
    #expect(abs((layout.tiles.last?.width ?? 0) - value.finest.0) < 0.01)
    #expect(abs((layout.tiles.last?.height ?? 0) - value.finest.1) < 0.01)
  }

  @Test(
    .enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"),
    arguments: ["Landscape", "Portrait"])
  func `eight orientations give the same tiles`(_ name: String) async throws {
    let detector = try await ObjectDetector(model: .embedded(.localizer), options: options(tile: 700))
    func upright(_ number: Int) async throws -> (objects: [DetectedObject], size: PixelSize) {
      let result = try await detector.analyze(.file(SharedData.path("exif/recurser/\(name)_\(number).jpg")))
      let objects = result.objects.map { object in
        var object = object
        object.box = result.orientation.uprightBox(fromStored: object.box, stored: result.size)
        return object
      }
      return (objects, result.orientation.uprightSize(ofStored: result.size))
    }
    let reference = try await upright(1)
    // Doubtful results depend on the encoding of the eight files.
    let sure = reference.objects.filter { $0.score >= 0.45 }
    #expect(!sure.isEmpty)
    for number in 2...8 {
      let turned = try await upright(number)
      #expect(turned.size == reference.size)
      for object in sure {
        #expect(
          turned.objects.contains { $0.box.iou(with: object.box) > 0.9 },
          "orientation \(number): \(object.box)")
      }
    }
  }
}
