// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

/// Tiny models of each family of maps on an image with a known result, and models that are refused.
@Suite struct ImageSegmenterTests {
  /// A red and a blue block on black, of the size of the models' input.
  static let frame = TestFrame(size: PixelSize(width: 32, height: 24)) { x, y in
    switch classNumber(x, y) {
    case 1: (255, 0, 0)
    case 3: (0, 0, 255)
    default: (0, 0, 0)
    }
  }

  static func classNumber(_ x: Int, _ y: Int) -> UInt8 {
    if (4..<12).contains(x), (4..<10).contains(y) { return 1 }
    return (16..<24).contains(x) && (8..<20).contains(y) ? 3 : 0
  }

  static let classes = (0..<24).flatMap { y in (0..<32).map { classNumber($0, y) } }

  static var options: ImageSegmenter.Options {
    var options = ImageSegmenter.Options()
    options.normalization = Normalization(mean: [0], standardDeviation: [255])
    return options
  }

  static func segmenter(
    _ model: String, _ options: ImageSegmenter.Options = options
  ) async throws -> ImageSegmenter {
    try await ImageSegmenter(model: KnownAnswerTests.model(model), options: options)
  }

  static func input(_ frame: TestFrame = frame, _ orientation: Orientation = .up) throws -> ImageInput {
    .pixels(try frame.buffer(FrameFormat.all[0], orientation: orientation))
  }

  struct Form: Sendable, CustomTestStringConvertible {
    var model: String
    /// The confidences of red, blue and black; nil for class numbers.
    var confidences: [UInt8]?
    var labels: [String] = []
    var testDescription: String { model }
  }

  @Test(arguments: [
    Form(model: "map_scores", confidences: [254, 254, 181]),
    Form(model: "map_planes", confidences: [254, 254, 181]),
    Form(model: "map_argmax"),
    Form(model: "map_two", confidences: [254, 225, 225]),
    Form(model: "map_probability", confidences: [250, 250, 250], labels: ["background", "foreground"]),
  ])
  func `each form of map gives the class and confidence of each cell`(_ form: Form) async throws {
    let segmenter = try await Self.segmenter(form.model)
    #expect(segmenter.labels == form.labels)
    let result = try await segmenter.analyze(try Self.input())
    let isBinary = ["map_two", "map_probability"].contains(form.model)
    let expected = Self.classes.map { isBinary ? ($0 == 1 ? 1 : 0) : $0 }
    #expect(result.size == Self.frame.size && result.map.width == 32 && result.map.height == 24)
    #expect(result.map.classes == expected)
    #expect(
      result.map.confidences
        == form.confidences.map { all in
          Self.classes.map { $0 == 1 ? all[0] : $0 == 3 ? all[1] : all[2] }
        } ?? [])
    #expect(result.map.classes(in: Self.frame.size) == expected)
    #expect(result.map.mask(ofClass: 1)?.area == 48)
    let shares = result.map.shares
    #expect(shares.map(\.classIndex) == (isBinary ? [0, 1] : [0, 3, 1]))
    #expect(shares.last?.share == 48.0 / 768 && shares.last?.label == form.labels.last)
    #expect(result.timings.total > .zero)
  }

  @Test(arguments: Orientation.allCases)
  func `maps are in stored pixels, in each orientation`(_ orientation: Orientation) async throws {
    let segmenter = try await Self.segmenter("map_scores")
    let stored = Self.frame.stored(as: orientation)
    let result = try await segmenter.analyze(try Self.input(stored, orientation))
    #expect(result.size == stored.size && result.orientation == orientation)
    #expect(PixelSize(width: result.map.width, height: result.map.height) == stored.size)
    let upright = result.map.upright(orientation, stored: result.size)
    #expect(upright.classes == Self.classes && upright.bounds == Self.whole)
    let mask = try #require(result.map.mask(ofClass: 1))
    #expect(orientation.uprightMask(fromStored: mask, stored: result.size).bitmap().contains(x: 4, y: 4))
  }

  static let whole = BoundingBox(x: 0, y: 0, width: 32, height: 24)

  @Test func `cells that show the bars of a letterbox are left out`() async throws {
    var options = ImageSegmenter.Options()
    options.family = .yoloSemantic
    let segmenter = try await Self.segmenter("map_scores", options)
    let wide = TestFrame(size: PixelSize(width: 32, height: 12)) { x, y in
      Self.classNumber(x, y) == 1 ? (255, 0, 0) : (0, 0, 0)
    }
    let map = try await segmenter.segment(try Self.input(wide))
    #expect(map.width == 32 && map.height == 12)
    #expect(map.region == BoundingBox(x: 0, y: 0, width: 32, height: 12) && map.region == map.bounds)
    #expect(map.classes == (0..<12).flatMap { y in (0..<32).map { Self.classNumber($0, y) == 1 ? 1 : 0 } })
  }

  @Test func `only a region has classes`() async throws {
    let segmenter = try await Self.segmenter("map_scores")
    let region = BoundingBox(x: 16, y: 0, width: 16, height: 24)
    let map = try await segmenter.segment(try Self.input(), region: region)
    #expect(map.bounds == region && map.shares.map(\.classIndex) == [0, 3])
    let pixels = map.classes(in: Self.frame.size)
    #expect(pixels[10 * 32 + 18] == 3 && pixels[0] == 255 && pixels[5 * 32 + 5] == 255)
    #expect(map.mask(ofClass: 3)?.bounds == region)
    let outside = BoundingBox(x: 40, y: 0, width: 5, height: 5)
    let error = await #expect(throws: FoveaError.self) {
      try await segmenter.segment(try Self.input(), region: outside)
    }
    #expect(error?.code.rawValue == "option-invalid")
  }

  @Test func `masks are by name, and none for an unknown one`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("labels.txt", "background\nred\ngreen\nblue\n")
    var options = Self.options
    options.labelFile = folder["labels.txt"]
    for model in ["map_scores", "map_argmax"] {
      let map = try await Self.segmenter(model, options).segment(try Self.input())
      #expect(map.shares.map(\.label) == ["background", "blue", "red"])
      #expect(map.mask(of: "blue") == map.mask(ofClass: 3) && map.mask(of: "blue")?.area == 96)
      #expect(map.mask(of: "green")?.area == 0)
      #expect(map.mask(of: "sky") == nil && map.mask(ofClass: 4) == nil && map.mask(ofClass: -1) == nil)
    }
    try folder.write("labels.txt", "person\n")
    let map = try await Self.segmenter("map_probability", options).segment(try Self.input())
    #expect(map.labels == ["background", "person"] && map.mask(of: "person")?.area == 48)
  }

  struct BadLabels: Sendable, CustomTestStringConvertible {
    var model: String
    var code: String
    var message: String
    var remedy: String
    var testDescription: String { model }
  }

  @Test(arguments: [
    BadLabels(
      model: "map_scores", code: "metadata-count-mismatch",
      message:
        "LABELS has 3 labels, but output 0 'map' float32 [1, 24, 32, 4] of 'MODEL' has 4 classes;"
        + " the last is line 3 'blue'",
      remedy: "Give a label file with 4 lines, one per class"),
    BadLabels(
      model: "map_probability", code: "metadata-count-mismatch",
      message:
        "LABELS has 3 labels, but output 0 'map' float32 [1, 24, 32, 1] of 'MODEL' has 2 classes;"
        + " the extra one is line 3 'blue'",
      remedy: "Give a label file with 1 line for the foreground, or with 2, the background first"),
    BadLabels(
      model: "map_argmax", code: "labels-do-not-fit",
      message: "'MODEL' returned the class 3, but there are only 3 labels",
      remedy: "Give the label file that belongs to the model, one line for each class"),
  ])
  func `labels that do not fit are an error`(_ row: BadLabels) async throws {
    var options = Self.options
    let labels = PackageRoot.path + "/Tests/Fixtures/models/blocks.txt"
    options.labelFile = labels
    let given = options
    let error = await #expect(throws: FoveaError.self) {
      try await Self.segmenter(row.model, given).segment(try Self.input())
    }
    let model = PackageRoot.path + "/Tests/Fixtures/models/\(row.model).tflite"
    #expect(error?.code.rawValue == row.code)
    #expect(
      error?.message == row.message.replacing("LABELS", with: labels).replacing("MODEL", with: model),
      "\(error?.message ?? "")")
    #expect(error?.remedy.description == row.remedy)
  }

  @Test func `numbers that are not finite are an error`() async throws {
    let segmenter = try await Self.segmenter("map_nan")
    let error = await #expect(throws: FoveaError.self) { try await segmenter.segment(try Self.input()) }
    #expect(error?.code.rawValue == "invalid-output")
    #expect(error?.message.contains("returned") == true && error?.message.contains("nan") == true)
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    var model: String
    var family: MapFamily?
    var code = "model-unsupported"
    var message: String
    var remedy: String
    var testDescription: String { "\(model) as \(family?.name ?? "itself")" }
  }

  static let mask = "If it is a mask, use ImageSegmenter with the family 'mask'"

  @Test(arguments: [
    Refused(
      model: "map_linear",
      message:
        "Fovea cannot use 'MODEL': it outputs one number for each pixel, 'map' float32 [1, 24, 32, 1],"
        + " without a sigmoid: a depth, which Fovea does not read", remedy: mask),
    Refused(
      model: "map_many",
      message:
        "Fovea cannot use 'MODEL': it outputs a map, 'map' float32 [1, 32, 32, 300], which is too large:"
        + " Fovea reads maps of at most 4,096 × 4,096 cells and 255 classes",
      remedy: "Export the model with a smaller map or fewer classes"),
    Refused(
      model: "map_many", family: .map, code: "family-mismatch",
      message: "'MODEL' outputs a map, 'map' float32 [1, 32, 32, 300], which is too large:"
        + " Fovea reads maps of at most 4,096 × 4,096 cells and 255 classes",
      remedy: "Export the model with a smaller map or fewer classes"),
    Refused(
      model: "colors_unit", message: "'MODEL' is not a segmentation model: it is a classifier",
      remedy: "Use ImageLabeler"),
    Refused(
      model: "yolov10",
      message: "'MODEL' is not a segmentation model: it is a detector of the family 'yolov10'",
      remedy: "Use ObjectDetector"),
    Refused(
      model: "arithmetic",
      message:
        "'MODEL' has 2 inputs ('left' float32 [1, 2], 'right' float32 [1, 2]); an image model must have"
        + " exactly one",
      remedy: "Use a model with one image input; ModelInspection shows what this one has"),
    Refused(
      model: "map_scores", family: .mask, code: "family-mismatch",
      message: "'MODEL' is not of the family 'mask', which has \(MapFamily.mask.rule); its outputs are"
        + " 'map' float32 [1, 24, 32, 4]",
      remedy: "Leave out Options.family, or give another one"),
    Refused(
      model: "map_argmax", family: .map, code: "family-mismatch",
      message: "'MODEL' is not of the family 'map', which has \(MapFamily.map.rule); its outputs are"
        + " 'map' int32 [1, 24, 32]",
      remedy: "Leave out Options.family, or give another one"),
  ])
  func `other models are refused by name`(_ row: Refused) async throws {
    var options = Self.options
    options.family = row.family
    let given = options
    let error = await #expect(throws: FoveaError.self) { try await Self.segmenter(row.model, given) }
    let model = PackageRoot.path + "/Tests/Fixtures/models/\(row.model).tflite"
    #expect(error?.code.rawValue == row.code)
    #expect(error?.message == row.message.replacing("MODEL", with: model), "\(error?.message ?? "")")
    #expect(error?.remedy.description == row.remedy)
  }

  @Test func `a family decides what the graph does not show`() async throws {
    var options = Self.options
    options.family = .mask
    let linear = try await Self.segmenter("map_linear", options).segment(try Self.input())
    #expect(linear.shares.map(\.label) == ["foreground"] && linear.shares.first?.share == 1)
    options.family = .map
    let picture = try await Self.segmenter("picture", options).segment(try Self.input())
    #expect(picture.width == 32 && picture.height == 32)
  }

  @Test(arguments: ["segmentation", "map_scores", "map_argmax", "map_probability"])
  func `detector and labeler name the segmenter`(_ name: String) async throws {
    let model = KnownAnswerTests.model(name)
    let labeling = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    let detection = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: model) }
    for (error, what) in [(labeling, "an image classifier"), (detection, "a detector")] {
      #expect(error?.code.rawValue == "model-unsupported")
      #expect(
        error?.message.contains("' is not \(what): it is a segmentation model, whose output is 'map' ")
          == true,
        "\(error?.message ?? "")")
      #expect(error?.remedy.description == "Use ImageSegmenter")
    }
    let inspection = try ModelInspection(of: model)
    #expect(inspection.family == "segmentation" && inspection.finds == ["map"])
    #expect(inspection.reason.hasPrefix("a map of classes by its output ("))
  }

  @Test func `options out of range are refused`() async throws {
    var options = Self.options
    options.sessions = 0
    let given = options
    let error = await #expect(throws: FoveaError.self) { try await Self.segmenter("map_scores", given) }
    #expect(error?.code.rawValue == "option-invalid")
  }
}
