// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Fovea

/// Options by name, as set by C, calls of a server and configuration files.
@Suite struct NamedOptionTests {
  private static func set(_ values: KeyValuePairs<String, OptionValue>) throws -> NamedOptions {
    var options = NamedOptions()
    for (name, value) in values { try options.set(try #require(NamedOption.named(name)), to: value) }
    return options
  }

  @Test func `names are unique, and those of a call are options of a detector`() {
    let names = NamedOption.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(NamedOption.perCall.allSatisfy { $0.users.contains(.detector) })
    #expect(NamedOption.named("threshhold") == nil && NamedOption.named("") == nil)
  }

  @Test func `values reach a detector and a labeler, and a later one replaces an earlier one`() throws {
    let options = try Self.set([
      "threshold": .number(0.25), "threshold": .text("0.5"), "max-objects": .number(7), "single": .flag(true),
      "labels": .text("l.txt"), "normalize": .list([.number(0), .text("255")]), "threads": .text("2"),
      "activation": .text("softmax"), "max-labels": .number(3), "allow": .list([.text("a, b"), .number(7)]),
      "family": .text("yolo11"), "background": .text("first"), "decode": .text("full"),
      "landmarks": .text("p.tflite"), "landmark-threshold": .number(0.25), "landmark-iou": .text("0.75"),
      "smooth-landmarks": .text("true"),
    ])
    var expected = ObjectDetector.Options()
    expected.threshold = 0.5
    expected.maxObjects = 7
    expected.singleObject = true
    expected.labelFile = "l.txt"
    expected.normalization = Normalization(mean: [0], standardDeviation: [255])
    expected.threads = 2
    expected.scoreActivation = .softmax
    expected.maxLabels = 3
    expected.needsMaxLabels = true
    expected.allowedLabels = ["a, b", "7"]
    expected.family = DetectorFamily(name: "yolov8")
    expected.hasBackgroundClass = true
    expected.landmarks = .file("p.tflite")
    expected.landmarkThreshold = 0.25
    expected.landmarkIoU = 0.75
    expected.smoothLandmarks = true
    expected.reducedSizeDecoding = false
    #expect(options.detector == expected)
    #expect(options.selection.threshold == 0.5 && options.selection.maxObjects == 7)
    #expect(options.labeler.threshold == 0.5 && options.labeler.threads == 2)
    #expect(options.labeler.maxResults == 3 && options.labelSelection.maxResults == 3)
    #expect(options.labelSelection.allowedLabels == ["a, b", "7"] && options.labeler.labelFile == "l.txt")
    #expect(NamedOptions().detector == ObjectDetector.Options())
    #expect(NamedOptions().selection == ObjectDetector.Selection())
  }

  @Test func `a size or an overlap enables tiles, with or without the flag`() throws {
    var tiles = Slicing()
    tiles.tileSize = 320
    #expect(try Self.set(["slice": .flag(true)]).detector.slicing == Slicing())
    #expect(try Self.set(["slice-size": .number(320)]).detector.slicing == tiles)
    #expect(try Self.set(["slice-size": .number(320), "slice": .flag(false)]).detector.slicing == tiles)
    #expect(try Self.set(["slice": .flag(true), "slice": .flag(false)]).detector.slicing == nil)
  }

  /// Tiles of a size; the default for nil.
  private static func tiles(_ size: Int?) -> Slicing {
    var tiles = Slicing()
    tiles.tileSize = size
    return tiles
  }

  /// A call's options for tiles, and the tiles of a detector created with some, and with none.
  static let calls: [(call: [(String, OptionValue)], sliced: Slicing?, plain: Slicing?)] = [
    ([], tiles(320), nil),
    ([("single", .flag(true))], tiles(320), nil),
    ([("slice", .flag(false))], nil, nil),
    ([("slice", .text("false"))], nil, nil),
    ([("slice", .flag(true))], tiles(nil), tiles(nil)),
    ([("slice", .flag(true)), ("slice", .flag(false))], nil, nil),
    ([("slice", .flag(false)), ("slice", .flag(true))], tiles(nil), tiles(nil)),
    ([("slice", .flag(false)), ("slice-size", .number(640))], tiles(640), tiles(640)),
    ([("slice-size", .number(640)), ("slice", .flag(false))], tiles(640), tiles(640)),
  ]

  @Test(arguments: calls)
  func `a call uses the detector's tiles, others or none`(
    _ row: (call: [(String, OptionValue)], sliced: Slicing?, plain: Slicing?)
  ) throws {
    var call = NamedOptions()
    for (name, value) in row.call { try call.set(try #require(NamedOption.named(name)), to: value) }
    var sliced = try Self.set(["slice": .flag(true), "slice-size": .number(320)]).detector
    sliced.apply(call.selection)
    #expect(sliced.slicing == row.sliced)
    var plain = ObjectDetector.Options()
    plain.apply(call.selection)
    #expect(plain.slicing == row.plain && call.detector.slicing == row.plain)
  }

  @Test func `values reach a segmenter and an embedder`() throws {
    let options = try Self.set([
      "family": .text("yolov8"), "family": .text("selfie"), "labels": .text("l.txt"),
      "normalize": .text("0,255"), "threads": .text("2"), "sessions": .number(3), "exact": .flag(true),
      "decode": .text("full"), "max-pixels": .number(9), "locale": .text("de"),
    ])
    var segmenter = ImageSegmenter.Options()
    segmenter.family = .mask
    segmenter.labelFile = "l.txt"
    segmenter.locale = "de"
    segmenter.normalization = Normalization(mean: [0], standardDeviation: [255])
    (segmenter.threads, segmenter.sessions) = (2, 3)
    (segmenter.exactArithmetic, segmenter.reducedSizeDecoding) = (true, false)
    segmenter.imageLimits.maxPixels = 9
    #expect(options.segmenter == segmenter)
    var embedder = ImageEmbedder.Options()
    embedder.normalization = segmenter.normalization
    (embedder.threads, embedder.sessions) = (2, 3)
    (embedder.exactArithmetic, embedder.reducedSizeDecoding) = (true, false)
    embedder.imageLimits.maxPixels = 9
    #expect(options.embedder == embedder)
    #expect(options.unused(by: .segmenter) == [])
    #expect(options.unused(by: .embedder) == ["family", "labels", "locale"])
    #expect(options.detector.family == nil)
  }

  static let families: [(family: String, user: NamedOption.User, message: String?)] = [
    ("mask", .detector, "The family 'mask' is not one of a detector"),
    ("yolox", .segmenter, "The family 'yolox' is not one of a segmenter"), ("mask", .segmenter, nil),
    ("yolox", .detector, nil), ("yolox", .quantizer, nil),
    ("mask", .comparison, "The family 'mask' is not one of a comparison"),
  ]

  @Test(arguments: families)
  func `a family of other models is refused`(
    _ row: (family: String, user: NamedOption.User, message: String?)
  ) throws {
    let options = try Self.set(["family": .text(row.family)])
    let error: FoveaError?
    do throws(FoveaError) {
      try options.checkFamily(for: row.user)
      error = nil
    } catch let failure {
      error = failure
    }
    #expect(error?.message == row.message)
  }

  @Test func `an option that does not apply to its user is named`() throws {
    let options = try Self.set(["slice": .flag(true), "max-objects": .number(1), "every": .number(2)])
    #expect(options.unused(by: .detector) == ["every"])
    #expect(options.unused(by: .labeler) == ["every", "max-objects", "slice"])
    #expect(options.unused(by: .tracker) == ["slice"])
  }

  static let wrong: [(name: String, value: OptionValue, text: String, expected: String)] = [
    ("threshold", .text(""), "", "a number"), ("threshold", .text("nan"), "nan", "0…1"),
    ("threshold", .number(2), "2", "0…1"), ("threshold", .number(.infinity), "inf", "0…1"),
    ("threshold", .flag(true), "true", "a number"), ("label-threshold", .number(-0.1), "-0.1", "0…1"),
    ("max-objects", .number(0), "0", "1 or more"), ("max-objects", .number(1.5), "1.5", "a whole number"),
    ("max-objects", .text("1.0"), "1.0", "a whole number"),
    ("max-labels", .number(1e20), "1e+20", "a whole number"), ("max-results", .text("-1"), "-1", "1 or more"),
    ("slice-size", .number(15), "15", "16…1048576"), ("slice-overlap", .number(0.8), "0.8", "0…0.75"),
    ("iou", .text("1.1"), "1.1", "0…1"), ("landmark-iou", .number(-0.1), "-0.1", "0…1"),
    ("smooth-landmarks", .number(1), "1", "true or false"), ("sessions", .number(1025), "1025", "1…1024"),
    ("threads", .number(257), "257", "1…256"), ("max-pixels", .number(0), "0", "1 or more"),
    ("every", .number(0), "0", "1…1000"), ("every", .number(1_001), "1001", "1…1000"),
    ("every", .text("-1"), "-1", "1…1000"), ("frame-rate", .text("inf"), "inf", "0.1…1000"),
    ("single", .text("maybe"), "maybe", "true or false"), ("labels", .text(""), "", "a string"),
    ("allow", .text(" "), " ", "labels"), ("allow", .list([]), "[]", "labels"),
    ("deny", .list([.text("a"), .text(" ")]), "[a,  ]", "labels"),
    ("family", .text("yolov99"), "yolov99", "a family"),
    ("activation", .text("relu"), "relu", "none, sigmoid, softmax"),
    ("normalize", .text("0,0"), "0,0", "a mean and a deviation above 0, or three of each"),
    (
      "normalize", .list([.number(0), .text("x")]), "[0, x]",
      "a mean and a deviation above 0, or three of each"
    ),
  ]

  @Test(arguments: wrong)
  func `an impossible value is named as given, and changes nothing`(
    _ row: (name: String, value: OptionValue, text: String, expected: String)
  ) throws {
    var options = try Self.set(["threshold": .number(0.5)])
    let before = options
    let option = try #require(NamedOption.named(row.name))
    let error = #expect(throws: FoveaError.self) { try options.set(option, to: row.value) }
    #expect(error?.code == .optionInvalid && error?.remedy.description.isEmpty == false)
    #expect(error?.option?.name == row.name && error?.option?.value == row.text)
    #expect(error?.option?.expected == row.expected)
    #expect(options == before)
  }

  @Test func `an error of the library names the property, and the option by its name`() {
    var options = ObjectDetector.Options()
    options.maxObjects = 0
    let error = #expect(throws: FoveaError.self) { try options.check() }
    #expect(
      error?.message == "'maxObjects' is 0; it must be 1 or more" && error?.option?.name == "max-objects")
    options = ObjectDetector.Options()
    options.suppression.iouThreshold = 1.5
    let overlap = #expect(throws: FoveaError.self) { try options.check() }
    #expect(overlap?.message == "'suppression.iouThreshold' is 1.5; it must be 0…1")
    #expect(overlap?.option?.name == "iou")
  }
}
