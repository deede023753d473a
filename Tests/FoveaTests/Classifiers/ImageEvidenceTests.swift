// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime
import FoveaTesting
import Testing

@testable import Fovea

/// Inputs [1, H, W, 1] are grey images, or sound and sensor readings: sides, numbers, convolutions, labels
/// and metadata decide.
@Suite struct ImageEvidenceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var shape: [Int32]
    /// The scale and zero point of a quantised input; nil for floats.
    var quantization: (scale: Float, zeroPoint: Int64)?
    /// The number of a quantised input's element type in the schema: int8, or uint8 (3).
    var type: UInt8 = 9
    /// Height and width of the convolution's window.
    var window: [Int32] = [3, 3]
    /// The strides of the window, down and to the right.
    var steps: [Int32] = [1, 1]
    var name = "x"
    /// The reason why it is not an image; nil for one.
    var doubt: String?
  }

  static let rows = [
    Row(testDescription: "digits", shape: [1, 28, 28, 1]),
    Row(testDescription: "digits without channels", shape: [1, 28, 28]),
    Row(testDescription: "4 to 3", shape: [1, 48, 64, 1]),
    Row(testDescription: "grey in planes", shape: [1, 1, 96, 96]),
    Row(testDescription: "pixels 0…1", shape: [1, 96, 96, 1], quantization: (1 / 255, -128)),
    Row(testDescription: "pixels −1…1", shape: [1, 96, 96, 1], quantization: (1 / 127.5, 0)),
    Row(testDescription: "pixels 0…255", shape: [1, 96, 96, 1], quantization: (1, -128)),
    Row(testDescription: "pixels −128…127", shape: [1, 96, 96, 1], quantization: (1, 0)),
    Row(testDescription: "ImageNet's statistics", shape: [1, 96, 96, 1], quantization: (0.0186, -14)),
    Row(testDescription: "a window of one pixel", shape: [1, 32, 32, 1], window: [1, 1]),
    Row(testDescription: "3 to 4", shape: [1, 160, 120, 1]),
    Row(testDescription: "odd sides of an image by name", shape: [1, 112, 92, 1], name: "image_in"),
    Row(testDescription: "odd sides of bytes", shape: [1, 112, 92, 1], quantization: (1, -128)),
    Row(testDescription: "odd sides of bytes as 0…1", shape: [1, 112, 92, 1], quantization: (1 / 255, -128)),
    Row(
      testDescription: "odd sides of unsigned bytes as 0…1", shape: [1, 120, 96, 1],
      quantization: (1 / 255, 0),
      type: 3),
    Row(
      testDescription: "odd sides of bytes as −1…1", shape: [1, 112, 92, 1], quantization: (1 / 127.5, -1)),
    Row(testDescription: "odd sides in steps of 1/128", shape: [1, 50, 40, 1], quantization: (1 / 128, 0)),
    Row(
      testDescription: "odd sides of unsigned bytes as −1…1", shape: [1, 112, 92, 1],
      quantization: (1 / 127.5, 127), type: 3),
    Row(testDescription: "even steps", shape: [1, 64, 64, 1], window: [5, 5], steps: [2, 2]),
    Row(testDescription: "colours", shape: [1, 10, 49, 3]),
    Row(
      testDescription: "keywords", shape: [1, 49, 10, 1],
      doubt: "a side of 10 is shorter than a grey image's 24"),
    Row(
      testDescription: "readings without channels", shape: [1, 128, 9],
      doubt: "a side of 9 is shorter than a grey image's 24"),
    Row(
      testDescription: "a spectrogram", shape: [1, 96, 64, 1],
      doubt: "its sides are 96 and 64; a grey image's ratio is at most 4 to 3"),
    Row(
      testDescription: "a spectrogram in planes", shape: [1, 1, 43, 232],
      doubt: "its sides are 232 and 43; a grey image's ratio is at most 4 to 3"),
    Row(
      testDescription: "coefficients of sound", shape: [1, 49, 40, 1], quantization: (0.5, 83),
      doubt: "its numbers range from -105.5 to 22.0, unlike pixels"),
    Row(
      testDescription: "windows in time", shape: [1, 40, 40, 1], window: [5, 1],
      doubt: "its convolutions run along one side only"),
    Row(
      testDescription: "49 windows of 40 bands", shape: [1, 49, 40, 1],
      doubt: "its sides are 49 and 40; a grey image's ratio is 1 to 1 or 4 to 3"),
    Row(
      testDescription: "124 windows of 129 bands", shape: [1, 124, 129, 1],
      doubt: "its sides are 129 and 124; a grey image's ratio is 1 to 1 or 4 to 3"),
    Row(
      testDescription: "50 windows of 40 bands", shape: [1, 50, 40, 1],
      doubt: "its sides are 50 and 40; a grey image's ratio is 1 to 1 or 4 to 3"),
    Row(
      testDescription: "98 windows of 96 bands in planes", shape: [1, 1, 98, 96],
      doubt: "its sides are 98 and 96; a grey image's ratio is 1 to 1 or 4 to 3"),
    Row(
      testDescription: "bands normalised to −4…4", shape: [1, 49, 40, 1], quantization: (0.03, 0),
      doubt: "its sides are 49 and 40; a grey image's ratio is 1 to 1 or 4 to 3"),
    Row(
      testDescription: "bands from 0 to a little more than 1", shape: [1, 49, 40, 1],
      quantization: (1.01 / 255, -128),
      doubt: "its sides are 49 and 40; a grey image's ratio is 1 to 1 or 4 to 3"),
    Row(
      testDescription: "bands from −0.5 to 0.5", shape: [1, 49, 40, 1], quantization: (1 / 255, 0),
      doubt: "its sides are 49 and 40; a grey image's ratio is 1 to 1 or 4 to 3"),
    Row(
      testDescription: "long bands from 0 to 1", shape: [1, 98, 40, 1], quantization: (1 / 255, -128),
      doubt: "its sides are 98 and 40; a grey image's ratio is at most 4 to 3"),
    Row(
      testDescription: "a window that is longer in time", shape: [1, 64, 64, 1], window: [20, 8],
      doubt: "the window of its first convolution is 20 × 8; an image's is square"),
    Row(
      testDescription: "longer steps in time", shape: [1, 64, 64, 1], steps: [2, 1],
      doubt: "its first convolution moves in steps of 2 and 1; an image's steps are equal"),
    Row(
      testDescription: "a sensor of three axes", shape: [1, 1, 128, 3], doubt: "it has one row of 128 pixels"),
  ]

  /// A classifier of three classes: a convolution, the mean, a sigmoid.
  static func model(_ row: Row) -> ModelSource {
    .memory(ModelBytes(bytes(row), name: "m"))
  }

  static func bytes(_ row: Row) -> [UInt8] {
    let isPlanar = row.shape.count == 4 && row.shape[1] == 1 && row.shape[3] > 3
    let channels = row.shape.count == 4 && !isPlanar ? row.shape[3] : 1
    let sides = row.shape.count == 3 ? row.shape[1...2] : isPlanar ? row.shape[2...3] : row.shape[1...2]
    let (height, width) = (sides[sides.startIndex], sides[sides.startIndex + 1])
    var model = TestModel(
      tensors: [
        row.quantization.map { .quantized(row.shape, row.type, $0.scale, $0.zeroPoint) }
          ?? .init(shape: row.shape)
      ], inputs: [0])
    model.graphs[0].tensors[0].name = row.name
    var pixels: Int32 = 0
    if row.quantization != nil { pixels = model.append(6, [0], makes: .init(shape: row.shape)) }
    let image = [1, height, width, channels]
    if image != row.shape {
      pixels = model.append(22, [pixels, model.constant(image)], makes: .init(shape: image))
    }
    let weights = model.floats([3, row.window[0], row.window[1], channels])
    let bias = model.floats([3])
    let rows = (height + row.steps[0] - 1) / row.steps[0]
    let columns = (width + row.steps[1] - 1) / row.steps[1]
    let seen = model.append(
      3, [pixels, weights, bias], makes: .init(shape: [1, rows, columns, 3]),
      options: [0: 0, 1: row.steps[1], 2: row.steps[0], 4: 1, 5: 1])
    let mean = model.append(
      1, [seen], makes: [1, 1, 1, 3], options: [0: 1, 1: 1, 2: 1, 3: columns, 4: rows])
    let scores = model.append(14, [mean], makes: [1, 1, 1, 3])
    model.graphs[0].tensors[Int(scores)].name = "scores"
    model.graphs[0].outputs = [scores]
    return model.bytes()
  }

  static let sound: Advice =
    "If it is an image, set the normalisation it was trained with (Options.normalization), or write into the model that it is one: MetadataAddition"

  @Test(arguments: rows) func `sides, numbers and convolutions show whether an input is an image`(_ row: Row)
    async throws
  {
    let model = Self.model(row)
    let inspection = try ModelInspection(of: model)
    guard let doubt = row.doubt else {
      #expect(inspection.family == "classifier", "\(inspection.reason)")
      #expect(inspection.isGrey == (row.shape.last != 3))
      #expect(try await ImageLabeler(model: model).labels(in: ExporterTests.plain()).count == 3)
      return
    }
    let type = row.quantization == nil ? "float32" : "int8"
    let what =
      "it takes '\(row.name)' \(type) \(row.shape), which does not appear to be an image: \(doubt). Models for sound and sensors have such inputs"
    #expect(inspection.family == nil && inspection.reason == what, "\(inspection.reason)")
    #expect(inspection.needs == [Self.sound])
    let labeling = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    let detection = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: model) }
    for error in [labeling, detection] {
      #expect(error?.code.rawValue == "model-unsupported")
      #expect(error?.message == "Fovea cannot use 'm': \(what)")
      #expect(error?.remedy == Self.sound)
    }
  }

  static let declaration: Advice =
    "If it is an image, write into the model that it is one: MetadataAddition"

  static let normalized = {
    var options = ImageLabeler.Options()
    options.normalization = Normalization(mean: [0], standardDeviation: [255])
    return options
  }()

  /// A model whose metadata have this content and description.
  static func described(
    _ row: Row, _ content: TensorContent, description: String? = nil
  ) throws -> ModelSource {
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "x", content: content)]
    graph.outputs = [TensorMetadata(name: "scores", content: .features)]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    metadata.description = description
    return .memory(ModelBytes(try MetadataWriter.write(metadata, to: bytes(row)), name: "m"))
  }

  static let named: [Row] = [
    ("mel_spectrogram", [1, 64, 64, 1]), ("mel_spectrogram", [1, 64, 64, 3]), ("audio", [1, 64, 64, 1]),
    ("serving_default_log_mel:0", [1, 64, 64, 3]), ("accel", [1, 1, 64, 64]),
  ].map { Row(testDescription: $0.0, shape: $0.1, name: $0.0) }

  @Test(arguments: named)
  func `an input with a sound's name is an image only by metadata`(_ row: Row) async throws {
    let error = await #expect(throws: FoveaError.self) {
      try await ImageLabeler(model: Self.model(row), options: Self.normalized)
    }
    #expect(
      error?.message
        == "Fovea cannot use 'm': it takes sound or another series of numbers, '\(row.name)' float32"
        + " \(row.shape), not an image")
    #expect(error?.remedy == Self.declaration)
    let space: ColorSpace = row.shape.last == 3 ? .rgb : .grayscale
    let declared = try Self.described(row, .image(colorSpace: space, defaultSize: nil))
    let labeler = try await ImageLabeler(model: declared, options: Self.normalized)
    #expect(try await labeler.labels(in: ExporterTests.plain()).count == 3)
  }

  @Test func `words about sound hold in spite of a normalisation`() async throws {
    let row = Row(testDescription: "", shape: [1, 64, 64, 1])
    let folder = try TemporaryFolder()
    var labelled = Self.normalized
    labelled.labelFile = try folder.write("labels.txt", "_silence_\n_unknown_\nyes\n")
    let told = try Self.described(row, .features, description: "Log mel features of one second")
    for (model, options, doubt) in [
      (Self.model(row), labelled, "its labels are those of sounds"),
      (told, Self.normalized, "its metadata describes sound or a sensor"),
    ] {
      let error = await #expect(throws: FoveaError.self) {
        try await ImageLabeler(model: model, options: options)
      }
      #expect(error?.message.contains("does not appear to be an image: \(doubt).") == true, "\(doubt)")
      #expect(error?.remedy == Self.declaration)
    }
  }

  @Test(arguments: rows.filter { $0.doubt != nil })
  func `a given normalisation means that the input has pixels`(_ row: Row) async throws {
    let labeler = try await ImageLabeler(model: Self.model(row), options: Self.normalized)
    #expect(try await labeler.labels(in: ExporterTests.plain()).count == 3)
  }

  @Test(arguments: rows)
  func `unreadable labels do not hide an input that is not an image`(_ row: Row) async throws {
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "x", content: .features)]
    graph.outputs = [TensorMetadata(name: "scores", content: .features)]
    graph.outputs[0].files = [AssociatedFile(name: "labels.txt", kind: .axisLabels)]
    var metadata = ModelMetadata()
    metadata.subgraphs = [graph]
    let bytes = try MetadataWriter.write(
      metadata, files: [AssociatedFileContents(name: "labels.txt", contents: [0x61, 0xFF])],
      to: Self.bytes(row))
    let model = ModelSource.memory(ModelBytes(bytes, name: "m"))
    let labeling = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    #expect(labeling?.message.contains(row.doubt ?? "Line 1 of labels.txt is not UTF-8") == true, "\(row)")
  }

  @Test func `metadata declares that an input is an image, or sound`() throws {
    func family(_ content: TensorContent, _ shape: [Int32]) throws -> String? {
      try ModelInspection(of: Self.described(Row(testDescription: "", shape: shape), content)).family
    }
    let grey = TensorContent.image(colorSpace: .grayscale, defaultSize: nil)
    #expect(try family(grey, [1, 49, 10, 1]) == "classifier")
    #expect(try family(.features, [1, 49, 10, 1]) == nil)
    #expect(try family(.features, [1, 28, 28, 1]) == "classifier")
    let signature = ModelSignature(
      key: nil, inputs: [TensorDescription(name: "x", elementType: .float32, shape: [1, 28, 28, 1])],
      outputs: [])
    #expect(UnsupportedModel.ofInputs(operators: [], signature, content: .other(4)) != nil)
  }

  @Test func `labels of sounds indicate sound`() throws {
    let folder = try TemporaryFolder()
    let model = Self.model(Row(testDescription: "", shape: [1, 40, 40, 1]))
    let file = try folder.write("labels.txt", "_silence_\n_unknown_\nyes\n")
    #expect(
      try ModelInspection(of: model, labelFile: file).reason
        == "it takes 'x' float32 [1, 40, 40, 1], which does not appear to be an image: its labels are those of sounds."
        + " Models for sound and sensors have such inputs")
    let other = try folder.write("other.txt", "one\ntwo\nthree\n")
    #expect(try ModelInspection(of: model, labelFile: other).family == "classifier")
    for (names, isSound) in [
      (["yes", "no", "up"], true), (["No", "Yes", "stop"], true), (["unknown", "yes", "no"], false),
      (["up", "down", "stop"], false), (["yes", "no", "maybe"], false),
      (["sheila", "a", "b"], false), (["noise", "stop", "yield", "speed30"], false), (["noise"], false),
      (["sheila", "marvin", "a"], true), (["noise", "unknown", "hello world"], true),
      (["gun_shot", "a"], true), ([], false),
    ] {
      #expect(NumberSeries.isNamed(by: LabelMap(names: names, source: "x")) == isSound, "\(names)")
    }
  }

  @Test func `metadata about sound indicate sound`() throws {
    for (text, isSound) in [
      ("Log mel features of one second", true), ("Keyword spotting", true), ("Classifies digits", false),
      ("Images of spectrograms", false), ("Whose fingerprint it is", false), ("Of caramel", false),
    ] {
      var metadata = ModelMetadata()
      metadata.description = text
      #expect(NumberSeries.isDescribed(by: metadata) == isSound, "\(text)")
    }
    #expect(!NumberSeries.isDescribed(by: nil))
  }
}

extension TestModel {
  /// Adds a constant of float zeros and returns its number.
  fileprivate mutating func floats(_ shape: [Int32]) -> Int32 {
    buffers.append([UInt8](repeating: 0, count: 4 * Int(shape.reduce(1, *))))
    graphs[0].tensors.append(Tensor(shape: shape, buffer: UInt32(buffers.count - 1)))
    return Int32(graphs[0].tensors.count - 1)
  }
}
