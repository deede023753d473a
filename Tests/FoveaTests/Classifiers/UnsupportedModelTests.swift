// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaMetadata
import FoveaRuntime
import FoveaTesting
import Testing

@testable import Fovea

/// Models that neither detect nor classify are rejected by their kind.
@Suite struct UnsupportedModelTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var model: String
    var what: String
    var remedy = UnsupportedModel.otherModel
    var prefix = "Fovea cannot use '"
    var testDescription: String { model }
  }

  static let rows = [
    Row(
      model: "edge_tpu", what: "it is compiled for Google's Edge TPU (its operator is 'edgetpu-custom-op')",
      remedy: "Use the file that it was compiled from: its name is usually the same without '_edgetpu'"),
    Row(
      model: "landmarks",
      what:
        "it outputs the landmarks of an eye, 'eye_contours' float32 [1, 213], for a crop that another model has found",
      remedy: "Use the model that finds the face, the hand or the person: a detector"
    ),
    Row(
      model: "sound",
      what: "it takes sound or another series of numbers, 'image' float32 [1, 16000], not an image"),
    Row(
      model: "mask",
      what: "it outputs one number for each pixel, 'map' float32 [1, 32, 32, 1]: a mask or a depth",
      remedy: "If it is a mask, use ImageSegmenter with the family 'mask'"),
    Row(
      model: "map_linear",
      what: "it outputs one number for each pixel, 'map' float32 [1, 24, 32, 1], without a sigmoid: a depth,"
        + " which Fovea does not read",
      remedy: "If it is a mask, use ImageSegmenter with the family 'mask'"),
    Row(
      model: "picture",
      what: "it outputs an image, 'map' float32 [1, 32, 32, 3], as style transfer and super-resolution do",
      remedy: "If it is classes of pixels, use ImageSegmenter with the family 'map'"),
    Row(
      model: "logits",
      what:
        "it outputs 3 numbers from a layer without softmax or sigmoid, 'scores' float32 [1, 3], and nothing shows that they are scores of classes",
      remedy:
        """
        If these are classes, give their 3 labels (Options.labelFile) or set the activation \
        (Options.scoreActivation: softmax for logits, sigmoid if several classes may be true at once); a model \
        that measures something is not a classifier
        """),
    Row(
      model: "embedding", what: "it outputs a vector of 128 features (an embedding), not scores",
      remedy:
        "Use ImageEmbedder for features, or a classifier; if these are classes, supply their 128 labels (Options.labelFile)",
      prefix: "'"),
  ]

  @Test(arguments: rows) func `detector, labeler and inspection report the kind of model`(_ row: Row)
    async throws
  {
    let model = KnownAnswerTests.model(row.model)
    let labeling = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    let detection = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: model) }
    for error in [labeling, detection] {
      #expect(error?.code.rawValue == "model-unsupported")
      #expect(error?.message.hasPrefix(row.prefix) == true)
      let end = row.prefix == "'" ? " is neither a detector nor a classifier" : ""
      #expect(
        error?.message.hasSuffix("\(row.model).tflite'\(end): \(row.what)") == true, "\(error?.message ?? "")"
      )
      #expect(error?.remedy == row.remedy)
    }
    let inspection = try ModelInspection(of: model)
    #expect(inspection.family == nil)
    #expect(inspection.reason == row.what)
    #expect(inspection.needs == [row.remedy])
  }

  @Test func `an input of one pixel is an open size exported that way`() async throws {
    let model = KnownAnswerTests.model("one_pixel")
    let error = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(
      error?.message.hasSuffix(
        "one_pixel.tflite' is 'image' float32 [1, 1, 1, 3], one pixel: an open size was exported as 1,"
          + " and Fovea needs a fixed one") == true)
    #expect(
      error?.remedy.description
        == "Export the model with a fixed size, in Keras: keras.Input((224, 224, 3))")
  }

  struct Told: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var inputs: [TensorDescription] = [Told.tensor("image", 1, 224, 224, 3)]
    var outputs: [TensorDescription]
    var end: OutputActivation?
    var labels: Int?
    var what: String?

    static func tensor(_ name: String, type: ElementType = .float32, _ shape: Int...) -> TensorDescription {
      TensorDescription(name: name, elementType: type, shape: shape)
    }
  }

  static let told = [
    Told(testDescription: "a classifier", outputs: [Told.tensor("scores", 1, 1000)], end: .linear),
    Told(
      testDescription: "1,280 labelled classes", outputs: [Told.tensor("scores", 1, 1280)], end: .linear,
      labels: 1280),
    Told(
      testDescription: "features", outputs: [Told.tensor("pool", 1, 1280)], end: .pooled,
      what: "it outputs a vector of 1280 features (an embedding), not scores"),
    Told(testDescription: "128 probabilities", outputs: [Told.tensor("scores", 1, 128)], end: .softmax),
    Told(
      testDescription: "a face mesh",
      outputs: [Told.tensor("a", 1, 1, 1, 1404), Told.tensor("b", 1, 1, 1, 1)],
      end: .linear,
      what:
        "it outputs the landmarks of a face, 'a' float32 [1, 1, 1, 1404], for a crop that another model has found"
    ),
    Told(
      testDescription: "68 named landmarks", outputs: [Told.tensor("landmarks", 1, 136)], end: .linear,
      what: "it outputs landmarks, 'landmarks' float32 [1, 136], for a crop that another model has found"),
    Told(testDescription: "63 classes", outputs: [Told.tensor("scores", 1, 63)], end: .linear),
    Told(
      testDescription: "MoveNet, which its family reads", outputs: [Told.tensor("points", 1, 1, 17, 3)]),
    Told(
      testDescription: "MoveNet for several, which its family reads",
      outputs: [Told.tensor("points", 1, 6, 56)]),
    Told(
      testDescription: "a style", inputs: [Told.tensor("style_image", 1, 256, 256, 3)],
      outputs: [Told.tensor("BiasAdd", 1, 1, 1, 100)], end: .linear,
      what: "it outputs the style of an image, 'BiasAdd' float32 [1, 1, 1, 100], for style transfer"),
    Told(
      testDescription: "class numbers without channels, which a segmenter reads",
      outputs: [Told.tensor("mask", type: .int64, 1, 224, 224)]),
    Told(
      testDescription: "planes of classes, which a segmenter reads",
      outputs: [Told.tensor("map", 1, 21, 224, 224)]),
    Told(
      testDescription: "a mask, which a segmenter reads", outputs: [Told.tensor("mask", 1, 224, 224, 1)],
      end: .sigmoid),
    Told(
      testDescription: "a depth", outputs: [Told.tensor("depth", 1, 224, 224, 1)], end: .linear,
      what:
        "it outputs one number for each pixel, 'depth' float32 [1, 224, 224, 1], without a sigmoid: a depth, which Fovea does not read"
    ),
    Told(
      testDescription: "a mask or a depth", outputs: [Told.tensor("x", 1, 224, 224)], end: .other,
      what: "it outputs one number for each pixel, 'x' float32 [1, 224, 224]: a mask or a depth"),
    Told(
      testDescription: "an image", outputs: [Told.tensor("x", 1, 224, 224, 3)], end: .other,
      what: "it outputs an image, 'x' float32 [1, 224, 224, 3], as style transfer and super-resolution do"),
    Told(
      testDescription: "three labelled classes, which a segmenter reads",
      outputs: [Told.tensor("x", 1, 224, 224, 3)], end: .other, labels: 3),
    Told(
      testDescription: "too many classes", outputs: [Told.tensor("x", 1, 224, 224, 1000)], end: .linear,
      what:
        "it outputs a map, 'x' float32 [1, 224, 224, 1000], which is too large: Fovea reads maps of at most 4,096 × 4,096 cells and 255 classes"
    ),
    Told(
      testDescription: "too many cells", inputs: [Told.tensor("image", 1, 5000, 5000, 3)],
      outputs: [Told.tensor("x", 1, 5000, 5000, 2)], end: .linear,
      what:
        "it outputs a map, 'x' float32 [1, 5000, 5000, 2], which is too large: Fovea reads maps of at most 4,096 × 4,096 cells and 255 classes"
    ),
    Told(testDescription: "a detector's feature map", outputs: [Told.tensor("map", 1, 28, 28, 255)]),
    Told(testDescription: "rows of boxes", outputs: [Told.tensor("rows", 1, 8400, 84)]),
    Told(
      testDescription: "heat maps of a body", outputs: [Told.tensor("conv", 1, 56, 56, 14)], end: .linear,
      what:
        "it outputs a map for each of 14 points, 'conv' float32 [1, 56, 56, 14]: the key points of a body, a hand or a face"
    ),
    Told(
      testDescription: "PoseNet",
      outputs: [Told.tensor("heatmap", 1, 14, 14, 17), Told.tensor("offset", 1, 14, 14, 34)], end: .linear,
      what:
        "it outputs a map for each of 17 points, 'heatmap' float32 [1, 14, 14, 17]: the key points of a body, a hand or a face"
    ),
    Told(
      testDescription: "PASCAL's classes, smaller", outputs: [Told.tensor("map", 1, 56, 56, 21)],
      end: .linear,
      what:
        "it outputs 21 maps, 'map' float32 [1, 56, 56, 21]: a class for each pixel (segmentation), or the points of a hand"
    ),
    Told(
      testDescription: "PASCAL's labelled classes, smaller, which a segmenter reads",
      outputs: [Told.tensor("map", 1, 56, 56, 21)], end: .linear, labels: 21),
    Told(
      testDescription: "PASCAL's classes, which a segmenter reads",
      outputs: [Told.tensor("map", 1, 224, 224, 21)], end: .linear),
    Told(
      testDescription: "Cityscapes' classes, smaller, which a segmenter reads",
      outputs: [Told.tensor("map", 1, 56, 56, 19)], end: .linear),
    Told(
      testDescription: "heat maps of a hand", outputs: [Told.tensor("hand_heat", 1, 56, 56, 21)],
      end: .linear,
      what:
        "it outputs a map for each of 21 points, 'hand_heat' float32 [1, 56, 56, 21]: the key points of a body, a hand or a face"
    ),
    Told(
      testDescription: "maps of landmarks", outputs: [Told.tensor("landmarks", 1, 28, 28, 5)], end: .linear,
      what:
        "it outputs a map for each of 5 points, 'landmarks' float32 [1, 28, 28, 5]: the key points of a body, a hand or a face"
    ),
    Told(
      testDescription: "heat maps of a face in planes", outputs: [Told.tensor("conv", 1, 68, 56, 56)],
      end: .linear,
      what:
        "it outputs a map for each of 68 points, 'conv' float32 [1, 68, 56, 56]: the key points of a body, a hand or a face"
    ),
    Told(
      testDescription: "CenterNet, which its family reads or is the nearest to",
      outputs: [("heatmap", 80), ("wh", 2), ("reg", 2)].map { Told.tensor($0.0, 1, 28, 28, $0.1) },
      end: .sigmoid),
    Told(
      testDescription: "CenterNet in 3D", inputs: [Told.tensor("image", 1, 384, 1280, 3)],
      outputs: [3, 1, 8, 3, 2, 2].map { Told.tensor("heatmap", 1, 96, 320, $0) },
      what: "it is CenterNet for boxes in 3D, whose maps Fovea does not read"),
    Told(
      testDescription: "CenterNet's points", inputs: [Told.tensor("image", 1, 3, 512, 512)],
      outputs: [1, 2, 34, 2, 17, 2].map { Told.tensor("hm", 1, $0, 128, 128) },
      what: "it is CenterNet for key points, whose maps Fovea does not read"),
    Told(
      testDescription: "CornerNet", inputs: [Told.tensor("image", 1, 511, 511, 3)],
      outputs: [80, 80, 1, 1, 2, 2].map { Told.tensor("o", 1, 128, 128, $0) },
      what: "it is CornerNet or CenterNet for corners, whose maps Fovea does not read"),
    Told(
      testDescription: "CenterNet's corners", inputs: [Told.tensor("image", 1, 511, 511, 3)],
      outputs: [80, 80, 80, 1, 1, 2, 2, 2].map { Told.tensor("heatmap", 1, 128, 128, $0) },
      what: "it is CornerNet or CenterNet for corners, whose maps Fovea does not read"),
    Told(
      testDescription: "frames of sound again", inputs: [Told.tensor("x", 1, 5, 128)],
      outputs: [Told.tensor("y", 1, 640)], end: .linear,
      what: "it outputs as many numbers as it takes, 'y' float32 [1, 640]: its input again (an autoencoder)"),
    Told(
      testDescription: "grey pixels again", inputs: [Told.tensor("x", 1, 32, 64, 1)],
      outputs: [Told.tensor("y", 1, 32, 64, 1)],
      what:
        "it outputs one number for each pixel, 'y' float32 [1, 32, 64, 1]: its input again (an autoencoder), a mask or a depth"
    ),
    Told(
      testDescription: "MTCNN's first stage", inputs: [Told.tensor("image", 1, 12, 12, 3)],
      outputs: [Told.tensor("a", 1, 1, 1, 4), Told.tensor("b", 1, 1, 1, 2)],
      what: "it is MTCNN's first stage (P-Net), which needs the image in many sizes"),
    Told(
      testDescription: "MTCNN's first stage, large", inputs: [Told.tensor("image", 1, 240, 320, 3)],
      outputs: [Told.tensor("a", 1, 115, 155, 2), Told.tensor("b", 1, 115, 155, 4)],
      what: "it is MTCNN's first stage (P-Net), which needs the image in many sizes"),
    Told(
      testDescription: "MTCNN's second stage", inputs: [Told.tensor("image", 1, 24, 24, 3)],
      outputs: [Told.tensor("a", 1, 2), Told.tensor("b", 1, 4)], end: .softmax,
      what: "it is MTCNN's second stage (R-Net), which takes crops from the first"),
    Told(
      testDescription: "MTCNN's third stage", inputs: [Told.tensor("image", 1, 3, 48, 48)],
      outputs: [Told.tensor("a", 1, 10), Told.tensor("b", 1, 4), Told.tensor("c", 1, 2)],
      what: "it is MTCNN's third stage (O-Net), which takes crops from the second"),
    Told(
      testDescription: "CenterFace", inputs: [Told.tensor("image", 1, 480, 640, 3)],
      outputs: [2, 10, 1, 2].map { Told.tensor("o\($0)", 1, 120, 160, $0) },
      what: "it is CenterFace, whose maps Fovea does not read"),
    Told(
      testDescription: "DBFace in planes", inputs: [Told.tensor("image", 1, 3, 480, 640)],
      outputs: [1, 4, 10].map { Told.tensor("o\($0)", 1, $0, 120, 160) },
      what: "it is DBFace, whose maps Fovea does not read"),
    Told(
      testDescription: "BlazeFace of four outputs", inputs: [Told.tensor("image", 1, 128, 128, 3)],
      outputs: [(384, 16), (512, 1), (384, 1), (512, 16)].map { Told.tensor("o", 1, $0, $1) },
      what: "it is an older BlazeFace, whose two levels are four outputs that Fovea does not read"),
    Told(
      testDescription: "palms of 2019", inputs: [Told.tensor("image", 1, 256, 256, 3)],
      outputs: [Told.tensor("a", 1, 2944, 18), Told.tensor("b", 1, 2944, 1)],
      what: "it is an older palm detector of MediaPipe, which Fovea does not read"),
    Told(
      testDescription: "two classes and four features of a larger image",
      outputs: [Told.tensor("a", 1, 2), Told.tensor("b", 1, 4)]),
    Told(
      testDescription: "a crop", outputs: [Told.tensor("output_crop", 1, 1, 1, 4)],
      what: "it outputs the place of one box, 'output_crop' float32 [1, 1, 1, 4], not scores of classes"),
    Told(
      testDescription: "a feeling", outputs: [Told.tensor("valence", 1, 1)],
      what: "it outputs the strength of a feeling, 'valence' float32 [1, 1], not scores of classes"),
    Told(testDescription: "four labels", outputs: [Told.tensor("box", 1, 4)], labels: 4),
    Told(testDescription: "probabilities", outputs: [Told.tensor("box", 1, 4)], end: .softmax),
    Told(testDescription: "cropped", outputs: [Told.tensor("cropped", 1, 4)]),
    Told(testDescription: "nothing", outputs: []),
  ]

  @Test(arguments: told) func `tensors show the kind of output`(_ row: Told) {
    let signature = ModelSignature(key: nil, inputs: row.inputs, outputs: row.outputs)
    let ends = row.end.flatMap { end in row.outputs.first.map { [$0.name: end] } } ?? [:]
    let kind = UnsupportedModel.ofOutputs(signature, ends: ends, labelCount: row.labels)
    #expect(kind?.what == row.what)
  }

  static let inputs = [
    Told(testDescription: "an image", outputs: []),
    Told(
      testDescription: "text", inputs: [Told.tensor("ids", type: .int32, 1, 256)], outputs: [],
      what: "it takes text, 'ids', not an image"),
    Told(
      testDescription: "a waveform", inputs: [Told.tensor("waveform", 15_600)], outputs: [],
      what: "it takes sound or another series of numbers, 'waveform' float32 [15600], not an image"),
    Told(
      testDescription: "a spectrogram", inputs: [Told.tensor("spectrogram", 1, 43, 232, 1)], outputs: [],
      what:
        "it takes sound or another series of numbers, 'spectrogram' float32 [1, 43, 232, 1], not an image"),
    Told(
      testDescription: "a sound's autoencoder", inputs: [Told.tensor("x", 1, 640)],
      outputs: [Told.tensor("y", 1, 640)],
      what:
        "it takes sound or another series of numbers, 'x' float32 [1, 640], not an image; its output has the same shape (an autoencoder)"
    ),
    Told(
      testDescription: "a sound's autoencoder of four sides", inputs: [Told.tensor("x", 1, 1, 1, 640)],
      outputs: [Told.tensor("y", 1, 1, 1, 640)],
      what:
        "it takes sound or another series of numbers, 'x' float32 [1, 1, 1, 640], not an image; its output has the same shape (an autoencoder)"
    ),
    Told(testDescription: "one row of grey pixels", inputs: [Told.tensor("x", 1, 1, 640, 1)], outputs: []),
    Told(
      testDescription: "a sensor's numbers", inputs: [Told.tensor("x", type: .int8, 1, 33)], outputs: [],
      what: "it takes sound or another series of numbers, 'x' int8 [1, 33], not an image"),
    Told(
      testDescription: "a named sensor", inputs: [Told.tensor("accel:0", 1, 32, 32, 1)], outputs: [],
      what: "it takes sound or another series of numbers, 'accel:0' float32 [1, 32, 32, 1], not an image"),
    Told(
      testDescription: "a name with a sound's letters", inputs: [Told.tensor("caramel", 1, 32, 32, 1)],
      outputs: []),
    Told(
      testDescription: "a spectrogram in three channels",
      inputs: [Told.tensor("mel_spectrogram", 1, 96, 64, 3)], outputs: [],
      what:
        "it takes sound or another series of numbers, 'mel_spectrogram' float32 [1, 96, 64, 3], not an image"),
    Told(
      testDescription: "sound in three planes", inputs: [Told.tensor("audio", 1, 3, 96, 96)], outputs: [],
      what: "it takes sound or another series of numbers, 'audio' float32 [1, 3, 96, 96], not an image"),
    Told(
      testDescription: "a named sensor of three axes", inputs: [Told.tensor("accelerometer", 1, 128, 3)],
      outputs: [],
      what: "it takes sound or another series of numbers, 'accelerometer' float32 [1, 128, 3], not an image"),
    Told(
      testDescription: "images of spectrograms", inputs: [Told.tensor("spectrogram_image", 1, 96, 96, 3)],
      outputs: []),
    Told(
      testDescription: "grey images of spectrograms", inputs: [Told.tensor("img_mel", 1, 96, 96, 1)],
      outputs: []),
    Told(
      testDescription: "a finger in colours", inputs: [Told.tensor("fingerprint", 1, 96, 96, 3)], outputs: []),
    Told(
      testDescription: "a keyword's fingerprint", inputs: [Told.tensor("fingerprint", 1, 49, 40, 1)],
      outputs: [],
      what:
        "it takes sound or another series of numbers, 'fingerprint' float32 [1, 49, 40, 1], not an image"),
    Told(testDescription: "grey digits", inputs: [Told.tensor("image", 1, 28, 28)], outputs: []),
    Told(testDescription: "no input", inputs: [], outputs: []),
  ]

  @Test(arguments: inputs) func `tensors show the kind of input`(_ row: Told) {
    let signature = ModelSignature(key: nil, inputs: row.inputs, outputs: row.outputs)
    #expect(UnsupportedModel.ofInputs(operators: [], signature)?.what == row.what)
  }

  @Test func `TensorFlow's own operators are named`() {
    let signature = ModelSignature(key: nil, inputs: [], outputs: [])
    let kind = UnsupportedModel.ofInputs(operators: ["TFLite_Detection_PostProcess", "FlexErf"], signature)
    #expect(kind?.what == "it needs TensorFlow's own operators ('FlexErf'), which LiteRT does not have")
    #expect(
      kind?.remedy
        == "Convert it again with target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS] only")
  }

  @Test(arguments: [
    ("edgetpu-custom-op", "it is compiled for Google's Edge TPU (its operator is 'edgetpu-custom-op')"),
    ("ethos-u", "it is compiled for Arm's Ethos-U by Vela (its operator is 'ethos-u')"),
    ("NeutronGraph", "it is compiled for NXP's Neutron NPU (its operator is 'NeutronGraph')"),
    ("PosenetDecoderOp", "it needs Coral's operator 'PosenetDecoderOp', which LiteRT does not have"),
  ])
  func `operators of devices and of other programs are named`(_ name: String, _ what: String) {
    let signature = ModelSignature(key: nil, inputs: [], outputs: [])
    #expect(UnsupportedModel.ofInputs(operators: ["x", name], signature)?.what == what)
  }

  @Test(
    arguments: [
      ("MyOwnOp", nil), ("TFLite_Detection_PostProcess2", nil), ("NonMaxSuppressionV4Custom", nil),
      ("QNN", nil), ("RKNN", nil), ("two\nlines: ok", nil), ("\nsecond", nil), ("red\u{1b}[31m'q'", nil),
      (String(repeating: "x", count: 80), nil),
      (String(repeating: "x", count: 1024), String(repeating: "x", count: 79) + "…"),
      (String(repeating: "ö", count: 512), String(repeating: "ö", count: 79) + "…"),
    ] as [(String, String?)])
  func `an operator that LiteRT lacks is named, from any vendor`(_ name: String, _ shown: String?)
    async throws
  {
    var model = TestModel(tensors: [.init(shape: [1, 32, 64, 3], name: "image")], inputs: [0])
    model.customName = name
    model.graphs[0].outputs = [model.append(32, [0], makes: .init(shape: [1, 10], name: "scores"))]
    let source = ModelSource.memory(ModelBytes(model.bytes(), name: "m"))
    let reason = "it needs the operator '\(shown ?? name)', which LiteRT does not have"
    let inspection = try ModelInspection(of: source)
    #expect(inspection.family == nil && inspection.reason == reason)
    let labeling = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: source) }
    let detection = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: source) }
    let running = #expect(throws: FoveaError.self) { _ = try inspection.session() }
    for error in [labeling, detection, running] {
      #expect(error?.code.rawValue == "model-unsupported")
      #expect(error?.message == "Fovea cannot use 'm': \(reason)")
    }
  }

  @Test(arguments: ["edgetpu-custom-op", "FlexErf", "PosenetDecoderOp"])
  func `a run of a model for a device fails with the reason of its inspection`(_ name: String) throws {
    var model = TestModel(tensors: [.init(shape: [1, 32, 64, 3], name: "image")], inputs: [0])
    model.customName = name
    model.graphs[0].outputs = [model.append(32, [0], makes: .init(shape: [1, 10], name: "scores"))]
    let inspection = try ModelInspection(of: .memory(ModelBytes(model.bytes(), name: "m")))
    #expect(inspection.family == nil)
    let error = #expect(throws: FoveaError.self) { _ = try inspection.session() }
    #expect(error?.message == "Fovea cannot use 'm': \(inspection.reason)")
    #expect(error?.remedy == inspection.needs.first)
  }

  @Test func `operators that LiteRT has are not named in its errors`() {
    let error = "Encountered unresolved custom op: MyOwnOp2.; See instructions"
    #expect(ForeignOperator.missing(["TFLite_Detection_PostProcess", "MyOwnOp"], error: error) == nil)
    #expect(ForeignOperator.missing(["MyOwnOp2"], error: error)?.what.contains("'MyOwnOp2'") == true)
    #expect(ForeignOperator.missing(["MyOwnOp"], error: "Node number 0 (MyOwnOp) failed") == nil)
    let long = String(repeating: "x", count: 1000)
    let cut = "Encountered unresolved custom op: \(long.prefix(989)); Node number 0"
    #expect(ForeignOperator.missing(["MyOwnOp", "x", String(long.prefix(500))], error: cut) == nil)
    #expect(ForeignOperator.missing([long], error: cut)?.what.contains("'\(long.prefix(79))…'") == true)
  }

  @Test func `a graph for a device is named before it is called damaged`() throws {
    // Vela's operator reads memory that nothing writes.
    var model = TestModel.sound()
    model.customName = "ethos-u"
    model.graphs[0].tensors.append(.init(shape: [64], type: 3, name: "scratch"))
    model.graphs[0].operators = [.init(code: 32, inputs: [6, 0], outputs: [5])]
    let source = ModelSource.memory(ModelBytes(model.bytes(), name: "m"))
    let error = #expect(throws: FoveaError.self) { try ModelInspection(of: source) }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(
      error?.message
        == "Fovea cannot use 'm': it is compiled for Arm's Ethos-U by Vela (its operator is 'ethos-u')")
    #expect(
      error?.remedy.description
        == "Use the file that it was compiled from: its name is usually the same without '_vela'")
  }

  @Test(arguments: [[], [0x61, 0xFF]] as [[UInt8]])
  func `unreadable labels do not hide the kind of output`(_ contents: [UInt8]) async throws {
    // Models of landmarks that Google published name an empty label file.
    let bytes = try [UInt8](
      Data(contentsOf: URL(filePath: PackageRoot.path + "/Tests/Fixtures/models/landmarks.tflite")))
    var metadata = ModelMetadata()
    var graph = ModelMetadata.Subgraph()
    graph.inputs = [TensorMetadata(name: "image", content: .image(colorSpace: .rgb, defaultSize: nil))]
    graph.outputs = [
      TensorMetadata(name: "points", content: .features),
      TensorMetadata(name: "presence", content: .features),
    ]
    graph.outputs[0].files = [AssociatedFile(name: "labels.txt", kind: .axisLabels)]
    metadata.subgraphs = [graph]
    let described = try MetadataWriter.write(
      metadata, files: [AssociatedFileContents(name: "labels.txt", contents: contents)], to: bytes)
    let model = ModelSource.memory(ModelBytes(described, name: "m"))
    let what =
      "it outputs the landmarks of an eye, 'eye_contours' float32 [1, 213], for a crop that another model has found"
    let inspection = try ModelInspection(of: model)
    #expect(inspection.family == nil && inspection.reason == what && inspection.labels == nil)
    let labeling = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    let detection = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: model) }
    #expect(labeling?.message == "Fovea cannot use 'm': \(what)" && detection?.message == labeling?.message)
  }
}
