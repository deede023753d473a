// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaImage
import FoveaMetadata
import FoveaModelFile
import FoveaRuntime
import FoveaTesting
import Synchronization
import Testing

@testable import FoveaTraining

extension Quantizer.Options {
  /// The rules with the shortest measurement of time.
  static var quick: Self {
    var options = Self()
    (options.timer.rounds, options.timer.warmUps, options.timer.leastRound) = (1, 0, .nanoseconds(1))
    return options
  }
}

@Suite struct QuantizerTests {
  static func source(
    widths: [Int] = [96, 4], _ change: (inout TestModel) -> Void = { _ in }
  ) -> ModelSource {
    var model = TestModel.floatClassifier(side: 32, widths: widths)
    change(&model)
    return .memory(ModelBytes(model.bytes(), name: "small.tflite"))
  }

  /// Photos of coloured noise.
  static func photos(_ count: Int) -> [ComparedPhoto] {
    (0..<count).map { index in
      photo(index) {
        var generator = SeededGenerator(seed: UInt64(index))
        let level = 40 + 20 * (index % 10)
        return (0..<32 * 32 * 3).map { place in
          UInt8(clamping: level * (place % 3 + 1) / 2 + Int.random(in: 0...60, using: &generator))
        }
      }
    }
  }

  /// Photos of one grey each.
  static func photos(ofGreys greys: [UInt8]) -> [ComparedPhoto] {
    greys.enumerated().map { index, grey in photo(index) { [UInt8](repeating: grey, count: 32 * 32 * 3) } }
  }

  /// Copies of the first photo of noise, with names of their own.
  static func copies(_ count: Int) -> [ComparedPhoto] {
    let load = photos(1)[0].load
    return (0..<count).map { ComparedPhoto(name: "copy \($0)", load: load) }
  }

  /// The first photo of noise, as a compression changes it each time: the brightness by up to 2, the colours by
  /// more.
  static func compressed(_ count: Int) -> [ComparedPhoto] {
    (0..<count).map { index in
      photo(index) {
        var generator = SeededGenerator(seed: 0)
        let noise = (0..<32 * 32 * 3).map { place in
          20 * (place % 3 + 1) + Int.random(in: 0...60, using: &generator)
        }
        return noise.enumerated().map { place, value in
          UInt8(clamping: value + (index % 3) + [-7, 0, 7][place % 3] * (index % 2))
        }
      }
    }
  }

  /// Photos of noise that a camera takes in the dark.
  static func dark(_ count: Int) -> [ComparedPhoto] {
    (0..<count).map { index in
      photo(index) {
        var generator = SeededGenerator(seed: UInt64(index))
        return (0..<32 * 32 * 3).map { _ in UInt8.random(in: 0...20, using: &generator) }
      }
    }
  }

  private static func photo(_ index: Int, _ bytes: @escaping @Sendable () -> [UInt8]) -> ComparedPhoto {
    ComparedPhoto(name: "photo \(index)") { () throws(FoveaError) in
      do throws(ImageError) {
        return .pixels(
          try PixelBuffer(PixelLayout(.rgb, size: PixelSize(width: 32, height: 32)), bytes: bytes()))
      } catch {
        throw FoveaError(error)
      }
    }
  }

  static func failure(
    _ source: ModelSource, _ photos: [ComparedPhoto], _ options: Quantizer.Options = .quick
  ) async -> FoveaError? {
    do throws(FoveaError) {
      _ = try await Quantizer(source, photos: photos, options: options).run(outputName: "new")
      return nil
    } catch {
      return error
    }
  }

  @Test func `a classifier becomes an int8 model that agrees, the same one each time`() async throws {
    let source = Self.source()
    let quantizer = try Quantizer(source, photos: Self.photos(25), options: .quick)
    let first = try await quantizer.run(outputName: "new.tflite")
    let second = try await quantizer.run(outputName: "new.tflite")
    #expect(first.bytes == second.bytes)
    #expect(first.photoCounts.calibration == 20 && first.photoCounts.compared == 5)
    #expect(try #require(first.agreement) >= 0.9)
    #expect(first.layers.map(\.name).sorted() == ["first", "second"])
    #expect(first.tailCount == 2)
    #expect(first.notes.count == 1 && first.notes[0].hasPrefix("the agreement is that of 5 photos"))
    let original = try await ComparedModel(source)
    #expect(first.assumptions.count == original.assumptions.count)
    #expect(try ModelGraphSummary.read(first.bytes).description?.contains("with 20 photos") == true)
    let outline = try GraphOutline.read(first.bytes.span)
    #expect(outline.inputs.map(\.type) == ["int8"])
  }

  @Test func `layers that are named stay float`() async throws {
    var options = Quantizer.Options.quick
    options.keptLayers = ["first"]
    options.leastAgreement = 0
    let made = try await Quantizer(Self.source(widths: [96, 96]), photos: Self.photos(4), options: options)
      .run(outputName: "new.tflite")
    #expect(made.layers.filter(\.isFloat).map(\.name) == ["first"])
    #expect(made.chosenLayers.map(\.name) == ["first"])
    #expect(made.photoCounts.calibration == 4 && made.photoCounts.compared == 4)
  }

  @Test(arguments: [1, 3], [false, true])
  func `one photo is enough if nothing is demanded`(_ count: Int, _ isDead: Bool) async throws {
    let source = Self.source { model in
      // With this bias of the first layer, its activations are 0 for any photo.
      if isDead { model.buffers[2] = TensorBytes.of([Float](repeating: -1_000, count: 96)) }
    }
    var options = Quantizer.Options.quick
    options.leastAgreement = 0
    let made = try await Quantizer(source, photos: Self.photos(count), options: options)
      .run(outputName: "new.tflite")
    #expect(made.photoCounts.calibration == count && made.photoCounts.compared == count)
  }

  /// Photos that show too little, and the beginning of the error.
  struct Alike: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var photos: [ComparedPhoto]
    var least = 0.9
    var message: String
  }

  @Test(arguments: [
    Alike(
      testDescription: "a photo of one colour", photos: photos(ofGreys: [40]), least: 0,
      message: "1 photo of one colour shows no ranges of the numbers of 'small.tflite', and "),
    Alike(
      testDescription: "photos of one colour", photos: photos(ofGreys: [UInt8](repeating: 40, count: 60)),
      message: "60 photos of one colour show no ranges of the numbers of 'small.tflite', and "),
    Alike(
      testDescription: "photos of one colour each", photos: photos(ofGreys: Array(0...150)), least: 0,
      message: "151 photos of one colour show no ranges"),
    Alike(
      testDescription: "one photo", photos: photos(1),
      message: "Only 'photo 0' shows the ranges of numbers, and one photo cannot show how far int8 and float "
        + "agree"),
    Alike(
      testDescription: "copies of a photo", photos: copies(30),
      message: "Only 'copy 0' shows the ranges of numbers, and one photo cannot show how far int8 and float "
        + "agree; of 30 photos, 29 are copies of this photo"),
    Alike(
      testDescription: "a photo, its copy and one colour", photos: photos(ofGreys: [9, 9]) + copies(2),
      message: "Only 'copy 0' shows the ranges of numbers, and one photo cannot show how far int8 and float "
        + "agree; of 4 photos, 2 have one colour and 1 is a copy of this photo"),
    Alike(
      testDescription: "a photo that was compressed again", photos: compressed(30),
      message: "Only 'photo 0' shows the ranges of numbers, and one photo cannot show how far int8 and float "
        + "agree; of 30 photos, 29 are copies of this photo"),
    Alike(
      testDescription: "photos of the dark", photos: dark(30), least: 0,
      message: "30 photos of one colour show no ranges of the numbers of 'small.tflite', and "),
  ])
  func `photos of one colour and copies of one photo are refused`(_ row: Alike) async {
    var options = Quantizer.Options.quick
    options.leastAgreement = row.least
    let error = await Self.failure(Self.source(), row.photos, options)
    #expect(error?.code == .calibrationEmpty)
    #expect(error?.message.hasPrefix(row.message) == true, "\(error?.message ?? "no error")")
  }

  @Test func `photos that show nothing new are left out, with a note`() async throws {
    let photos = Self.photos(ofGreys: [UInt8](repeating: 90, count: 58)) + Self.copies(3) + Self.photos(4)
    var options = Quantizer.Options.quick
    options.leastAgreement = 0
    let made = try await Quantizer(Self.source(), photos: photos, options: options).run(outputName: "new")
    // The copies are those of the first photo.
    #expect(made.photoCounts.calibration == 4 && made.photoCounts.compared == 4)
    #expect(made.comparison.photoCount == 4)
    #expect(
      made.notes.contains {
        $0.hasPrefix("the agreement is that of 4 photos, which also chose the ranges, and may be lower")
      })
    #expect(made.notes.contains("58 photos of one colour and 3 copies of other photos are left out"))
  }

  @Test func `images are photos, errors name the unreadable ones, and the progress grows`() async throws {
    let images = try Self.photos(10).map { photo in try photo.load() } + [.file("/nowhere/photo.jpg")]
    let parts = Mutex<[Double]>([])
    let made = try await Quantizer(Self.source(), photos: images, options: .quick).run { part in
      parts.withLock { $0.append(part) }
    }
    #expect(made.errors.map(\.subject) == ["/nowhere/photo.jpg"])
    #expect(try #require(made.comparison.agreement) >= 0.9)
    let found = parts.withLock { $0 }
    #expect(found == found.sorted() && found.first == 0 && found.last == 0.9)
  }

  static let outOfRange: [(property: String, change: @Sendable (inout Quantizer.Options) -> Void)] = [
    ("leastAgreement", { $0.leastAgreement = -0.1 }), ("leastAgreement", { $0.leastAgreement = 1.1 }),
    ("leastAgreement", { $0.leastAgreement = .nan }), ("mostFloatLayers", { $0.mostFloatLayers = -1 }),
    ("mostFloatLayers", { $0.mostFloatLayers = .max }),
  ]

  @Test(arguments: outOfRange)
  func `a rule out of range is an error that names the property`(
    _ row: (property: String, change: @Sendable (inout Quantizer.Options) -> Void)
  ) async {
    var options = Quantizer.Options.quick
    row.change(&options)
    let error = await Self.failure(Self.source(), Self.photos(4), options)
    #expect(error?.code == .optionInvalid)
    #expect(error?.message.hasPrefix("'\(row.property)' is ") == true, "\(error?.message ?? "no error")")
  }

  @Test func `layers are named one by one or with commas`() async throws {
    var options = Quantizer.Options.quick
    options.leastAgreement = 0
    options.keptLayers = ["second,first"]
    let source = Self.source(widths: [96, 96, 96])
    let made = try await Quantizer(source, photos: Self.photos(4), options: options)
      .run(outputName: "new.tflite")
    #expect(made.chosenLayers.map(\.name).sorted() == ["first", "second"])
    #expect(made.layers.filter(\.isFloat).count == 2)
  }

  /// A model, what stays float, and why it is refused.
  struct Refused: Sendable, CustomTestStringConvertible {
    var widths = [96, 4]
    var kept: [String] = []
    var limit = 20
    let code: FoveaCode
    let message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Refused(
      widths: [96], code: FoveaCode(MetadataCode.notQuantizable),
      message: "'small.tflite' has no layer that int8 makes faster: its 1 layer is too small"),
    Refused(
      kept: ["first", "second"], code: .optionInvalid,
      message: "No layer of 'small.tflite' would be int8: of its 2 layers, 2 are kept float"),
    Refused(
      kept: ["first"], code: .optionInvalid,
      message:
        "No layer of 'small.tflite' would be int8: of its 2 layers, 1 is kept float, and int8 does not "
        + "make the rest faster"),
    Refused(
      widths: [96, 96, 96], kept: ["second"], limit: 0, code: .optionInvalid,
      message: "1 layer stays float, as int8 does not make it faster, and at most 0 may"),
  ])
  func `a model without a layer in int8, or with too many in float, is refused before the first step`(
    _ row: Refused
  ) {
    var options = Quantizer.Options.quick
    (options.keptLayers, options.mostFloatLayers, options.leastAgreement) = (row.kept, row.limit, 0)
    let error = #expect(throws: FoveaError.self) {
      try Quantizer(Self.source(widths: row.widths), photos: Self.photos(4), options: options)
    }
    #expect(error?.code == row.code)
    #expect(error?.message.hasPrefix(row.message) == true, "\(error?.message ?? "no error")")
  }

  @Test(
    arguments: [
      // Of three layers at most two may be float: one more than allowed, so the option is named.
      ([96, 96, 96], 0, true), ([96, 96, 96], 1, true), ([96, 96, 96], 2, false), ([96, 96, 96], 20, false),
      ([96, 4], 20, false), ([96, 4], 0, true),
    ] as [([Int], Int, Bool)])
  func `a refusal counts at most the float layers that are allowed, and names the option if more could be`(
    _ widths: [Int], _ limit: Int, _ isNamed: Bool
  ) throws {
    var options = Quantizer.Options.quick
    options.mostFloatLayers = limit
    let quantizer = try Quantizer(Self.source(widths: widths), photos: Self.photos(4), options: options)
    let error = quantizer.refusal(0.5, [], .labeling)
    #expect(error.remedy.options.contains("float-layers") == isNamed)
    #expect(error.remedy.options.contains("at-least"))
  }

  @Test(arguments: [0, 1, 20])
  func `no file has more float layers than allowed, and each has a layer in int8`(_ limit: Int) async throws {
    var options = Quantizer.Options.quick
    options.mostFloatLayers = limit
    // Nothing agrees so well, so the search goes on to its end.
    options.leastAgreement = 1
    // The last layer becomes float with the second.
    let source = Self.source(widths: [96, 96, 4])
    do throws(FoveaError) {
      let made = try await Quantizer(source, photos: Self.photos(25), options: options)
        .run(outputName: "new.tflite")
      #expect(made.layers.count(where: \.isFloat) <= min(limit, 2))
    } catch {
      #expect(error.code == .agreementTooLow, "\(error)")
    }
  }

  @Test func `no photos, unknown layers and unreadable photos are errors`() async {
    #expect(await Self.failure(Self.source(), [])?.code == .calibrationEmpty)
    var options = Quantizer.Options.quick
    options.keptLayers = ["third"]
    let unknown = await Self.failure(Self.source(), Self.photos(4), options)
    #expect(unknown?.code == .optionInvalid)
    #expect(unknown?.message.contains("'third'") == true)
    let missing = ComparedPhoto(path: "/nowhere/photo.jpg")
    #expect(await Self.failure(Self.source(), [missing])?.code == .calibrationEmpty)
    let all = await Self.failure(
      Self.source(), (0..<12).map { ComparedPhoto(path: "/nowhere/photo\($0).jpg") })
    #expect(all?.message.contains("None of the 12 photos can be read, first '/nowhere/photo") == true)
    #expect(all?.message.hasSuffix("and 9 more") == true)
  }

  @Test(
    arguments: [(0, 2, nil), (3, 0, 3), (3, 2, 3), (7, 3, 7), (8, 0, 4), (9, 1, 5), (14, 0, 10)]
      as [(Int, Int, Int?)])
  func `the number of photos that choose the ranges is a step, unless none can be read`(
    _ readable: Int, _ broken: Int, _ expected: Int?
  ) async throws {
    let photos =
      Self.photos(readable) + (0..<broken).map { ComparedPhoto(path: "/nowhere/photo\($0).jpg") }
    var options = Quantizer.Options.quick
    options.leastAgreement = 0
    let steps = Mutex<[Quantizer.Step]>([])
    do {
      let made = try await Quantizer(Self.source(), photos: photos, options: options)
        .run(outputName: "new") { step in steps.withLock { $0.append(step) } }
      #expect(made.photoCounts.calibration == expected)
    } catch {
      #expect(readable == 0 && error.code == .calibrationEmpty, "\(error)")
    }
    let found = steps.withLock { $0 }
    let counts = found.compactMap { step in if case .photos(let count) = step { count } else { nil } }
    #expect(counts == [expected].compactMap(\.self), "\(found)")
  }

  @Test func `ground truth of other photos is an error before the first step`() async throws {
    let folder = try TemporaryFolder()
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    for name in ["cat/a.png", "dog/b.png"] { try folder.write(name, try canvas.encoded(as: .png)) }
    var options = Quantizer.Options.quick
    options.groundTruth = folder.path
    let quantizer = try Quantizer(Self.source(), photos: Self.photos(10), options: options)
    let steps = Mutex(0)
    let error = await #expect(throws: FoveaError.self) {
      _ = try await quantizer.run { _ in steps.withLock { $0 += 1 } }
    }
    #expect(error?.code.rawValue == "evaluation-photos-mismatch")
    #expect(steps.withLock { $0 } == 0)
  }

  @Test func `ground truth for a classifier without labels is an error with a remedy of the command`()
    async throws
  {
    let folder = try TemporaryFolder()
    let canvas = PixelCanvas(size: PixelSize(width: 64, height: 48))
    let names = ["cat/a.png", "dog/b.png"]
    for name in names { try folder.write(name, try canvas.encoded(as: .png)) }
    var options = Quantizer.Options.quick
    options.groundTruth = folder.path
    let error = await Self.failure(
      Self.source(), names.map { ComparedPhoto(path: folder[$0]) }, options)
    #expect(error?.code.rawValue == "evaluation-unknown-label")
    #expect(
      error?.message
        == "the labels 'cat', 'dog' of the photos are unknown, as the classifier has no labels")
    #expect(error?.remedy.description.hasPrefix("The classifier has no class names; set ") == true)
  }

  @Test(arguments: SmallerWeights.Form.allCases, SmallerWeights.Form.allCases)
  func `weights are stored once, but float16 may become int8`(
    _ first: SmallerWeights.Form, _ second: SmallerWeights.Form
  ) throws {
    let smaller = try SmallerWeights(Self.source(widths: [96, 96]), as: first)
    #expect(smaller.bytes.count < smaller.originalByteCount)
    let stored = ModelSource.memory(ModelBytes(smaller.bytes, name: "smaller.tflite"))
    if first == .float16, second == .int8 {
      let again = try SmallerWeights(stored, as: second)
      #expect(again.bytes.count < smaller.bytes.count)
    } else {
      let error = #expect(throws: FoveaError.self) { try SmallerWeights(stored, as: second) }
      #expect(error?.code == FoveaCode(MetadataCode.alreadyQuantized))
      #expect(error?.message == "'smaller.tflite' stores its weights as \(first) already")
    }
  }

  /// Weights of a layer, and the forms that cannot hold them.
  struct Weights: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The first number, and the others.
    var first: Float
    var others: Float
    var beyond: [SmallerWeights.Form] = []

    var numbers: [Float] { [first] + [Float](repeating: others, count: 287) }
  }

  @Test(
    arguments: [
      Weights(testDescription: "all 0", first: 0, others: 0),
      Weights(testDescription: "one number of a trained layer", first: 0.5, others: 1e-30),
      Weights(testDescription: "a large number", first: 4_000, others: -1),
      Weights(testDescription: "a number that hides others", first: 4_200, others: 1, beyond: [.int8]),
      Weights(testDescription: "the largest float16", first: -65_504, others: 1, beyond: [.int8]),
      Weights(testDescription: "beyond float16", first: 65_505, others: 100, beyond: [.float16]),
      Weights(testDescription: "far beyond float16", first: -1e6, others: 1_000, beyond: [.float16]),
      Weights(testDescription: "beyond both", first: 3e38, others: 1, beyond: [.float16, .int8]),
      Weights(
        testDescription: "numbers hidden by one", first: 1e9, others: -0.35, beyond: [.float16, .int8]),
      Weights(
        testDescription: "numbers that a sum still has", first: 0x1p24, others: 1, beyond: [.float16, .int8]),
      Weights(testDescription: "tiny numbers next to one", first: 1e9, others: 6e-5, beyond: [.float16]),
      Weights(testDescription: "normal float16", first: 0x1p-14, others: 0x1p-15),
      Weights(
        testDescription: "subnormal float16", first: 0x1.fffp-15, others: 0x1p-15, beyond: [.float16]),
      Weights(testDescription: "all below float16", first: 1e-9, others: -1e-9, beyond: [.float16]),
      Weights(
        testDescription: "all below both", first: 1e-38, others: .leastNormalMagnitude / 100,
        beyond: [.float16, .int8]),
    ], SmallerWeights.Form.allCases)
  func `weights that a form cannot hold stay float32`(row: Weights, form: SmallerWeights.Form) throws {
    let smaller = try SmallerWeights(
      Self.source(widths: [96, 96]) { $0.buffers[1] = TensorBytes.of(row.numbers) }, as: form)
    let isBeyond = row.beyond.contains(form)
    #expect(smaller.floatWeights == (isBeyond ? ["first/weights"] : []))
    #expect(smaller.bytes.count < smaller.originalByteCount)
    let tensors = try FloatGraph(smaller.bytes).tensors
    let kept = tensors.first { $0.name == "first/weights" }?.floats
    #expect(kept == row.numbers || !isBeyond)
    // A second run has no more to store.
    let stored = ModelSource.memory(ModelBytes(smaller.bytes, name: "smaller.tflite"))
    #expect(throws: FoveaError.self) { try SmallerWeights(stored, as: form) }
  }

  @Test(arguments: zip(SmallerWeights.Form.allCases, ["3e+38", "1000000.0"]))
  func `a model without weights that a form can hold is refused`(
    form: SmallerWeights.Form, largest: String
  ) throws {
    let number = try #require(Float(largest))
    let error = #expect(throws: FoveaError.self) {
      try SmallerWeights(
        Self.source(widths: [96]) {
          $0.buffers[1] = TensorBytes.of([Float](repeating: number, count: 288))
        }, as: form)
    }
    #expect(error?.code == FoveaCode(MetadataCode.notQuantizable))
    #expect(
      error?.message.hasPrefix(
        "'small.tflite' has no weights that \(form) can hold: the largest of 'first/weights' is "
          + "\(largest), expected ") == true, "\(error?.message ?? "no error")")
  }

  @Test func `a model whose numbers int8 would hide is refused with the largest`() {
    let numbers: [Float] = (0..<288).map { $0 % 3 == 0 ? 1e9 : 0.35 }
    let error = #expect(throws: FoveaError.self) {
      try SmallerWeights(Self.source(widths: [96]) { $0.buffers[1] = TensorBytes.of(numbers) }, as: .int8)
    }
    #expect(error?.code == FoveaCode(MetadataCode.notQuantizable))
    #expect(
      error?.message
        == "'small.tflite' has no weights that int8 can hold: the largest of 'first/weights' is 1e+09, and "
        + "others would become 0")
  }

  @Test(
    arguments: [(.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf")] as [(Float, String)],
    // The second layer has too few weights for int8.
    [(1, "first/weights", 288), (2, "first/bias", 96), (3, "second/weights", 192), (4, "second/bias", 2)]
      as [(Int, String, Int)])
  func `weights that are not finite are refused with their tensor`(
    _ value: (number: Float, text: String), _ tensor: (buffer: Int, name: String, count: Int)
  ) {
    let source = Self.source(widths: [96, 2]) { model in
      model.buffers[tensor.buffer] = TensorBytes.of(
        [Float](repeating: 1, count: tensor.count - 1) + [value.number])
    }
    let uses: [() throws -> Void] =
      SmallerWeights.Form.allCases.map { form in { _ = try SmallerWeights(source, as: form) } }
      + [{ _ = try Quantizer(source, photos: Self.photos(4)) }]
    for use in uses {
      let error = #expect(throws: FoveaError.self) { try use() }
      #expect(error?.code == FoveaCode(MetadataCode.notQuantizable))
      #expect(
        error?.message
          == "'small.tflite' has weights that are not finite in '\(tensor.name)': \(value.text)")
    }
  }

  @Test(
    arguments: [(0, .nan, "nan"), (0, .infinity, "inf"), (55, .nan, "nan"), (55, .infinity, nil)]
      as [(UInt32, Float, String?)])
  func `a constant of another operator is refused if it is not finite and no bound`(
    _ row: (code: UInt32, number: Float, text: String?)
  ) {
    // ADD, and MAXIMUM, in which an infinite number is a bound.
    let source = Self.source { model in
      let last = model.graphs[0].outputs[0]
      let constant = model.floats([0, row.number, 0, 0], [1, 4], name: "constant")
      model.graphs[0].outputs = [
        model.append(
          row.code, [last, constant], makes: .init(shape: [1, 4], name: "changed"),
          options: row.code == 0 ? [0: 0] : nil)
      ]
    }
    for form in SmallerWeights.Form.allCases {
      do throws(FoveaError) {
        _ = try SmallerWeights(source, as: form)
        #expect(row.text == nil)
      } catch {
        #expect(error.code == FoveaCode(MetadataCode.notQuantizable))
        let text = row.text.map { "'small.tflite' has constants that are not finite in 'constant': \($0)" }
        #expect(error.message == text)
      }
    }
  }

  @Test func `a model that does not become smaller is refused with both sizes`() {
    // 258 weights, with a scale for each of 86 channels.
    let error = #expect(throws: FoveaError.self) {
      try SmallerWeights(Self.source(widths: [86]), as: .int8)
    }
    #expect(error?.code == FoveaCode(MetadataCode.notQuantizable))
    #expect(error?.message.hasPrefix("'small.tflite' does not become smaller with weights as int8: ") == true)
  }

  @Test(
    arguments: [
      (0.9, 0.9, "90 %", "90 %"), (0.99898, 0.9999, "99.8 %", "99.9 %"),
      (0.99991, 0.99999, "99.991 %", "99.999 %"), (0, 0.9, "0 %", "90 %"), (0.5, 1, "50 %", "100 %"),
    ] as [(Double, Double, String, String)])
  func `different shares look different`(
    _ row: (first: Double, second: Double, firstText: String, secondText: String)
  ) {
    let texts = ComparedModels.percents(row.first, row.second)
    #expect(texts.0 == row.firstText && texts.1 == row.secondText, "\(texts)")
  }

  @Test func `an activation that is not finite ends the run with its name`() async {
    let source = Self.source { model in
      // Sums of three weights of the first layer are larger than a float can be.
      model.buffers[1] = TensorBytes.of([Float](repeating: -3e38, count: 288))
    }
    let error = await Self.failure(source, Self.photos(4))
    #expect(error?.code == FoveaCode(MetadataCode.notQuantizable))
    #expect(error?.message == "The activation 'active' has a number that is not finite")
  }

  @Test(arguments: ["quotient", "logarithm"])
  func `an activation after the layers that is not finite is named if the outputs have no number`(
    _ name: String
  ) async throws {
    let source = Self.source { model in
      let shape: [Int32] = [1, 4]
      // The mean of each channel, which the softmax reads.
      var last = model.graphs[0].outputs[0] - 1
      if name == "quotient" {
        let zeros = model.floats([0, 0, 0, 0], shape)
        last = model.append(42, [last, zeros], makes: .init(shape: shape, name: name), options: [0: 0])
      } else {
        let large = model.floats([1e9, 1e9, 1e9, 1e9], shape)
        let below = model.append(
          41, [last, large], makes: .init(shape: shape, name: "below"), options: [0: 0])
        last = model.append(73, [below], makes: .init(shape: shape, name: name))
      }
      let scores = model.append(
        25, [last], makes: .init(shape: shape, name: "new scores"),
        options: [0: Int32(bitPattern: 0x3F80_0000)])
      model.graphs[0].outputs = [scores]
    }
    let error = await Self.failure(source, Self.photos(4))
    #expect(error?.code == FoveaCode(MetadataCode.notQuantizable))
    #expect(error?.message == "The activation '\(name)' has a number that is not finite")
  }

  @Test(
    arguments: [
      (weight: -4.02e36, bias: 0, least: 0), (weight: 1, bias: 2e37, least: 0.9),
    ] as [(weight: Float, bias: Float, least: Double)])
  func `a model with numbers that int8 cannot hold is refused or keeps the layer float`(
    row: (weight: Float, bias: Float, least: Double)
  ) async throws {
    let source = Self.source { model in
      var weights = [Float](repeating: 0.5, count: model.buffers[1].count / 4)
      weights[0] = row.weight
      model.buffers[1] = TensorBytes.of(weights)
      model.buffers[2] = TensorBytes.of([row.bias] + [Float](repeating: 0, count: 95))
    }
    var options = Quantizer.Options.quick
    options.leastAgreement = row.least
    do throws(FoveaError) {
      let made = try await Quantizer(source, photos: Self.photos(4), options: options)
        .run(outputName: "new.tflite")
      #expect(made.chosenLayers.map(\.name).contains("first"))
    } catch {
      // The float model may return no number either.
      let known: [FoveaCode] = [
        FoveaCode(MetadataCode.notQuantizable), .agreementTooLow, FoveaCode(LabelingCode.invalidOutput),
      ]
      #expect(known.contains(error.code), "\(error)")
    }
  }

  @Test(arguments: ["ranges", "noise", "comparison"])
  func `a cancelled run ends at each step`(_ step: String) async {
    let own = Mutex<Task<FoveaError?, Never>?>(nil)
    let (start, starting) = AsyncStream<Void>.makeStream()
    let task = Task { () -> FoveaError? in
      for await _ in start {}
      do throws(FoveaError) {
        let quantizer = try Quantizer(Self.source(), photos: Self.photos(10), options: .quick)
        _ = try await quantizer.run(outputName: "new") { reached in
          if "\(reached)".hasPrefix(step) { own.withLock { $0?.cancel() } }
        }
        return nil
      } catch {
        return error
      }
    }
    own.withLock { $0 = task }
    starting.finish()
    #expect(await task.value?.code == .cancelled)
  }

  @Test func `a quantised model is refused`() async {
    let source = Self.source { $0.graphs[0].tensors[0].type = GraphSchema.ElementType.uint8 }
    #expect(await Self.failure(source, Self.photos(4))?.code == FoveaCode(MetadataCode.alreadyQuantized))
  }
}
