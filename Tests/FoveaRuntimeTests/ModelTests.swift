// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaRuntime
import FoveaTesting
import Testing

@Suite struct ModelTests {
  @Test func `a model lists its inputs and outputs`() throws {
    let model = try TestModels.classifier()
    #expect(model.signatures.count == 1)
    try #require(!model.signatures.isEmpty)
    let signature = model.signatures[0]
    #expect(signature.inputs.map(\.shape) == [[1, 160, 160, 3]])
    try #require(!signature.inputs.isEmpty && !signature.outputs.isEmpty)
    #expect(signature.inputs[0].elementType == .uint8)
    #expect(signature.outputs.map(\.shape) == [[1, 5]])
    #expect(signature.outputs[0].elementType == .float32)
    guard case .perTensor(let scale, let zeroPoint) = signature.inputs[0].quantization else {
      Issue.record("the input is \(signature.inputs[0].quantization)")
      return
    }
    #expect(abs(scale - 1 / 127.5) < 1e-4)
    #expect((127...128).contains(zeroPoint))
  }

  struct BadModelCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var name = "m"
    var message: String
    var remedy: String?
  }

  /// The start of an archive with a file of this name.
  private static func zip(_ name: String) -> [UInt8] {
    [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 22) + [UInt8(name.utf8.count), 0, 0, 0]
      + Array(name.utf8)
  }

  static let badModels = [
    BadModelCase(
      testDescription: "empty", bytes: [], message: "'m' is not a TFLite model: it has no bytes"),
    BadModelCase(
      testDescription: "one byte", bytes: [0],
      message: "'m' is not a TFLite model: the mark 'TFL3' is missing at byte 4"),
    BadModelCase(
      testDescription: "text", bytes: Array("hello, I am text".utf8),
      message: "'m' is not a TFLite model: it is text that begins with 'hello, I'"),
    BadModelCase(
      testDescription: "text that starts with a line break", bytes: Array("\n\r\t\"a text".utf8),
      message: #"'m' is not a TFLite model: it is text that begins with '\n\r\t"a te'"#),
    BadModelCase(
      testDescription: "ZIP", bytes: [0x50, 0x4B, 3, 4, 0, 0, 0, 0, 0],
      message: "'m' is not a TFLite model: it is a ZIP archive"),
    BadModelCase(
      testDescription: "HDF5", bytes: [0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10],
      message: "'m' is not a TFLite model: it is an HDF5 file (Keras)"),
    BadModelCase(
      testDescription: "Git LFS pointer",
      bytes: Array("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n".utf8),
      message:
        "'m' is not a TFLite model: it is a Git LFS pointer, not the model itself",
      remedy: "Run 'git lfs pull' in its repository, or download the file from the repository's page"),
    BadModelCase(
      testDescription: "web page", bytes: Array("<!DOCTYPE html>\n<html>".utf8),
      message: "'m' is not a TFLite model: it is a web page",
      remedy:
        "Download the file itself: on GitHub with the button for the raw file, from the address with /raw/ for /blob/"
    ),
    BadModelCase(
      testDescription: "Keras", bytes: zip("metadata.json"),
      message: "'m' is not a TFLite model: it is a ZIP archive with a Keras model",
      remedy:
        "Convert it: tf.lite.TFLiteConverter.from_keras_model(keras.models.load_model(FILE)).convert()"),
    BadModelCase(
      testDescription: "PyTorch", bytes: zip("archive/data.pkl"),
      message: "'m' is not a TFLite model: it is a ZIP archive with a PyTorch model",
      remedy: "Convert it with litert-torch, or export it again: yolo export format=litert for a YOLO"),
    BadModelCase(
      testDescription: "ZIP whose first name is cut off", bytes: Array(zip("metadata.json").prefix(34)),
      message: "'m' is not a TFLite model: it is a ZIP archive",
      remedy: "Unpack it first, and use the .tflite file in it"),
    BadModelCase(
      testDescription: "bundle of MediaPipe", bytes: zip("pose_detector.tflite"), name: "pose.TASK",
      message: "'pose.TASK' is not a TFLite model: it is a ZIP archive",
      remedy:
        "Unpack it first, and use one of its .tflite files; a landmark model follows its detector as "
        + "Options.landmarks"
    ),
    BadModelCase(
      testDescription: "no bundle of MediaPipe", bytes: [1, 2, 3], name: "pose.TASK",
      message: "'pose.TASK' is not a TFLite model: it is neither a model nor a bundle of models",
      remedy: "Download the file again"),
    BadModelCase(
      testDescription: "gzip", bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0],
      message: "'m' is not a TFLite model: it is a gzip file",
      remedy: "Unpack it first, with gunzip or tar xzf, and use the .tflite file in it"),
    BadModelCase(
      testDescription: "SavedModel", bytes: [0x08, 0x01, 0x12, 0xF0, 0x01, 0, 0, 0, 0],
      message: "'m' is not a TFLite model: it is a TensorFlow SavedModel",
      remedy: "Convert its folder: tf.lite.TFLiteConverter.from_saved_model(FOLDER).convert()"),
    BadModelCase(
      testDescription: "ONNX", bytes: [0x08, 0x08, 0x12, 0x07] + Array("pytorch".utf8),
      message: "'m' is not a TFLite model: it is an ONNX model",
      remedy: "Convert it with onnx2tf, which writes a .tflite file: onnx2tf -i FILE"),
    BadModelCase(
      testDescription: "pickle", bytes: [0x80, 2, 0x8A, 0x0A, 0x6C, 0xFC, 0x9C, 0x46],
      message: "'m' is not a TFLite model: it is a Python pickle, as PyTorch writes it",
      remedy: "Convert it with litert-torch, or export it again: yolo export format=litert for a YOLO"),
    BadModelCase(
      testDescription: "frozen graph", bytes: [0x0A, 0x20, 0x0A, 5, 0x69, 0x6E, 0x70, 0x75, 0x74],
      name: "m.pb",
      message: "'m.pb' is not a TFLite model: it is a frozen TensorFlow graph",
      remedy:
        "Convert it: tf.compat.v1.lite.TFLiteConverter.from_frozen_graph(FILE, inputs, outputs).convert()"),
    BadModelCase(
      testDescription: "mark alone", bytes: [0, 0, 0, 0, 0x54, 0x46, 0x4C, 0x33],
      message: "The model 'm' is damaged: the root offset of the model is 0, which points at itself"),
  ]

  @Test(arguments: badModels)
  func `bytes that are not a model are rejected with the reason`(_ bad: BadModelCase) {
    let error = #expect(throws: RuntimeError.self) { try Model(bytes: bad.bytes, name: bad.name) }
    #expect(error?.code == .modelInvalid)
    #expect(error?.message == bad.message)
    #expect(error?.remedy.description.isEmpty == false)
    if let remedy = bad.remedy { #expect(error?.remedy.description == remedy) }
  }

  @Test(arguments: [1, 8, 100, 1_000, 100_000, 1_000_000])
  func `a truncated model is rejected`(_ length: Int) {
    #expect(throws: RuntimeError.self) {
      try Model(bytes: Array(TestModels.classifierBytes().prefix(length)), name: "cut.tflite")
    }
  }

  @Test func `a model with one wrong byte is rejected or sound, never a crash`() throws {
    let sound = TestModels.classifierBytes()
    var state: UInt64 = 42
    for _ in 0..<40 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var bytes = sound
      // The first kilobytes hold the tables; weights can be anything.
      bytes[Int(state >> 33) % 4096] ^= UInt8(truncatingIfNeeded: state >> 20) | 1
      _ = try? Model(bytes: bytes, name: "damaged.tflite")
    }
  }

  @Test func `a missing file is an error with path and reason`() {
    let error = #expect(throws: RuntimeError.self) { try Model(path: "no/such.tflite") }
    #expect(error?.code == .modelUnreadable)
    #expect(error?.message == "Cannot read the model 'no/such.tflite': No such file or directory")
  }

  @Test func `a folder and an empty file are errors`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fovea-model-tests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let empty = folder.appendingPathComponent("empty.tflite")
    try Data().write(to: empty)
    let folderError = #expect(throws: RuntimeError.self) { try Model(path: folder.path) }
    #expect(folderError?.message == "Cannot read the model '\(folder.path)': it is a folder")
    let emptyError = #expect(throws: RuntimeError.self) { try Model(path: empty.path) }
    #expect(emptyError?.message == "Cannot read the model '\(empty.path)': it is empty")
  }

  @Test func `a model returns its bytes`() throws {
    let bytes = TestModels.classifierBytes()
    let model = try Model(bytes: bytes, name: "m")
    #expect(model.byteCount == bytes.count)
    let ends = model.withBytes { ($0[4], $0[$0.count - 1]) }
    #expect(ends == (UInt8(ascii: "T"), bytes[bytes.count - 1]))
  }
}
