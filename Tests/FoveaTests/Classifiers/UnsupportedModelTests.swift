// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import Fovea

/// Models that neither find nor name what an image shows are refused by what they are.
@Suite struct UnsupportedModelTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var model: String
    var what: String
    var remedy = UnsupportedModel.otherModel
    var testDescription: String { model }
  }

  static let rows = [
    Row(
      model: "edge_tpu", what: "it is compiled for Google's Edge TPU (its operator is 'edgetpu-custom-op')",
      remedy: "Use the file that it was compiled from: its name is usually the same without '_edgetpu'"),
    Row(
      model: "landmarks",
      what:
        "it answers the landmarks of a hand, 'ld_21_3d' float32 [1, 63], for a crop that another model has found",
      remedy: "Give the model that finds the face, the hand or the person: a detector"),
    Row(
      model: "sound",
      what: "it takes sound or another series of numbers, 'image' float32 [1, 16000], not an image"),
    Row(
      model: "segmentation",
      what: "it answers a class for each pixel, 'map' float32 [1, 32, 32, 5]: segmentation"),
    Row(
      model: "mask",
      what: "it answers one number for each pixel, 'map' float32 [1, 32, 32, 1]: a mask or a depth"),
    Row(
      model: "picture",
      what: "it answers an image, 'map' float32 [1, 32, 32, 3], as style transfer and super-resolution do"),
    Row(
      model: "embedding", what: "it answers a vector of 128 features (an embedding), and no scores",
      remedy:
        "Use a model with a classifier's last layer; if these are classes, give their 128 labels (Options.labelFile)"
    ),
  ]

  @Test(arguments: rows) func `detector, labeler and inspection say what it is`(_ row: Row) async throws {
    let model = KnownAnswerTests.model(row.model)
    let labeling = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    let detection = await #expect(throws: FoveaError.self) { try await ObjectDetector(model: model) }
    for error in [labeling, detection] {
      #expect(error?.code.rawValue == "model-unsupported")
      #expect(error?.message.hasPrefix("Fovea cannot use '") == true)
      #expect(
        error?.message.hasSuffix("\(row.model).tflite': \(row.what)") == true, "\(error?.message ?? "")")
      #expect(error?.remedy == row.remedy)
    }
    let inspection = try ModelInspection(of: model)
    #expect(inspection.family == nil)
    #expect(inspection.reason == row.what)
    #expect(inspection.needs == [row.remedy])
  }

  @Test func `an input of one pixel is an open size that was exported so`() async throws {
    let model = KnownAnswerTests.model("one_pixel")
    let error = await #expect(throws: FoveaError.self) { try await ImageLabeler(model: model) }
    #expect(error?.code.rawValue == "model-unsupported")
    #expect(
      error?.message.hasSuffix(
        "one_pixel.tflite' is 'image' float32 [1, 1, 1, 3], one pixel: an open size was exported as 1,"
          + " and Fovea needs a fixed one") == true)
    #expect(
      error?.remedy.description
        == "Export the model with a fixed size, in Keras with keras.Input((224, 224, 3))")
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
      what: "it answers a vector of 1280 features (an embedding), and no scores"),
    Told(testDescription: "128 probabilities", outputs: [Told.tensor("scores", 1, 128)], end: .softmax),
    Told(
      testDescription: "a face mesh",
      outputs: [Told.tensor("a", 1, 1, 1, 1404), Told.tensor("b", 1, 1, 1, 1)],
      end: .linear,
      what:
        "it answers the landmarks of a face, 'a' float32 [1, 1, 1, 1404], for a crop that another model has found"
    ),
    Told(
      testDescription: "68 named landmarks", outputs: [Told.tensor("landmarks", 1, 136)], end: .linear,
      what: "it answers landmarks, 'landmarks' float32 [1, 136], for a crop that another model has found"),
    Told(testDescription: "63 classes", outputs: [Told.tensor("scores", 1, 63)], end: .linear),
    Told(
      testDescription: "MoveNet", outputs: [Told.tensor("points", 1, 1, 17, 3)],
      what:
        "it answers the key points of a body, 'points' float32 [1, 1, 17, 3], for a crop that another model has found"
    ),
    Told(
      testDescription: "a style", inputs: [Told.tensor("style_image", 1, 256, 256, 3)],
      outputs: [Told.tensor("BiasAdd", 1, 1, 1, 100)], end: .linear,
      what: "it answers the style of an image, 'BiasAdd' float32 [1, 1, 1, 100], as style transfer needs it"),
    Told(
      testDescription: "a mask without channels", outputs: [Told.tensor("mask", type: .int64, 1, 224, 224)],
      what: "it answers one number for each pixel, 'mask' int64 [1, 224, 224]: a mask or a depth"),
    Told(
      testDescription: "planes of classes", outputs: [Told.tensor("map", 1, 21, 224, 224)],
      what: "it answers a class for each pixel, 'map' float32 [1, 21, 224, 224]: segmentation"),
    Told(testDescription: "a detector's feature map", outputs: [Told.tensor("map", 1, 28, 28, 255)]),
    Told(testDescription: "rows of boxes", outputs: [Told.tensor("rows", 1, 8400, 84)]),
    Told(testDescription: "nothing", outputs: []),
  ]

  @Test(arguments: told) func `tensors show what a model answers`(_ row: Told) {
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
    Told(testDescription: "grey digits", inputs: [Told.tensor("image", 1, 28, 28)], outputs: []),
    Told(testDescription: "no input", inputs: [], outputs: []),
  ]

  @Test(arguments: inputs) func `tensors show what a model takes`(_ row: Told) {
    let signature = ModelSignature(key: nil, inputs: row.inputs, outputs: row.outputs)
    #expect(UnsupportedModel.ofInputs(operators: [], signature)?.what == row.what)
  }

  @Test func `TensorFlow's own operators are named`() {
    let signature = ModelSignature(key: nil, inputs: [], outputs: [])
    let kind = UnsupportedModel.ofInputs(operators: ["TFLite_Detection_PostProcess", "FlexErf"], signature)
    #expect(kind?.what == "it needs TensorFlow's own operators ('FlexErf'), which LiteRT does not have")
    #expect(
      kind?.remedy
        == "Convert it again with target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS] alone")
  }
}
