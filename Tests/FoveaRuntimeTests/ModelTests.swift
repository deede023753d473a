// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaRuntime
import FoveaTesting
import Testing

@Suite struct ModelTests {
  @Test func `a model tells its inputs and outputs`() throws {
    let model = try TestModels.classifier()
    #expect(model.signatures.count == 1)
    let signature = model.signatures[0]
    #expect(signature.inputs.map(\.shape) == [[1, 160, 160, 3]])
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
    var message: String
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
      testDescription: "text that begins with a new line", bytes: Array("\n\r\t\"a text".utf8),
      message: #"'m' is not a TFLite model: it is text that begins with '\n\r\t"a te'"#),
    BadModelCase(
      testDescription: "ZIP", bytes: [0x50, 0x4B, 3, 4, 0, 0, 0, 0, 0],
      message: "'m' is not a TFLite model: it is a ZIP archive"),
    BadModelCase(
      testDescription: "HDF5", bytes: [0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10],
      message: "'m' is not a TFLite model: it is an HDF5 file (Keras)"),
    BadModelCase(
      testDescription: "mark alone", bytes: [0, 0, 0, 0, 0x54, 0x46, 0x4C, 0x33],
      message: "The model 'm' is damaged: the root offset of the model is 0, which points at itself"),
  ]

  @Test(arguments: badModels)
  func `bytes that are no model are refused with the reason`(_ bad: BadModelCase) {
    let error = #expect(throws: RuntimeError.self) { try Model(bytes: bad.bytes, name: "m") }
    #expect(error?.code == .modelInvalid)
    #expect(error?.message == bad.message)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test(arguments: [1, 8, 100, 1_000, 100_000, 1_000_000])
  func `a model that is cut off is refused`(_ length: Int) {
    #expect(throws: RuntimeError.self) {
      try Model(bytes: Array(TestModels.classifierBytes().prefix(length)), name: "cut.tflite")
    }
  }

  @Test func `a model with one wrong byte is refused or sound, never a crash`() throws {
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

  @Test func `a file that is not there is an error with path and reason`() {
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

  @Test func `a model gives back its bytes`() throws {
    let bytes = TestModels.classifierBytes()
    let model = try Model(bytes: bytes, name: "m")
    #expect(model.byteCount == bytes.count)
    let ends = model.withBytes { ($0[4], $0[$0.count - 1]) }
    #expect(ends == (UInt8(ascii: "T"), bytes[bytes.count - 1]))
  }
}
