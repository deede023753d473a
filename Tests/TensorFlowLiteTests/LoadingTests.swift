// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import TensorFlowLite
import Testing

@Suite struct LoadingTests {
  struct LoadCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var reason: String
  }

  static let badModels = [
    LoadCase(testDescription: "empty", bytes: [], reason: "it has no bytes"),
    LoadCase(testDescription: "one byte", bytes: [7], reason: "the mark 'TFL3' is missing at byte 4"),
    LoadCase(
      testDescription: "text", bytes: Array("hello, I am".utf8),
      reason: "it is text that begins with 'hello, I'"),
    LoadCase(
      testDescription: "mark alone", bytes: [0, 0, 0, 0] + Array("TFL3".utf8),
      reason: "is damaged: the root offset of the model is 0, which points at itself"),
  ]

  @Test(arguments: badModels)
  func `bytes that are not a model fail to load, and the reason is available`(_ bad: LoadCase) throws {
    #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelData: Data(bad.bytes)) }
    let reason = try #require(Interpreter.failureReason(modelData: Data(bad.bytes)))
    #expect(reason.contains(bad.reason))
    #expect(reason.contains("'model data'"))
  }

  static let badPaths: [(path: String, reason: String)] = [
    ("", "No such file or directory"),
    ("/no/such/model.tflite", "No such file or directory"),
    (PackageRoot.path, "it is a folder"),
    (PackageRoot.path + "/Tests/Fixtures/models/blocks.txt", "it is text that begins with"),
  ]

  @Test(arguments: badPaths)
  func `a path without a model fails to load, and the reason is available`(_ path: String, _ reason: String)
    throws
  {
    #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
    #expect(try #require(Interpreter.failureReason(modelPath: path)).contains(reason))
  }

  @Test func `a path that is nil fails to load`() throws {
    let path: String? = nil
    #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
    #expect(Interpreter.failureReason(modelPath: nil)?.hasPrefix("The path is nil.") == true)
  }

  @Test func `an optional path that is set loads`() throws {
    let path: String? = TestModels.classifier
    #expect(try Interpreter(modelPath: path).inputTensorCount == 1)
    #expect(Interpreter.failureReason(modelPath: path) == nil)
  }

  @Test func `a model in memory computes the same as its file, also from a slice`() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: TestModels.classifier))
    let slice = (Data([1, 2, 3]) + bytes).dropFirst(3)
    let input = Data.pattern(32 * 32 * 3)
    let answers = try [
      Interpreter(modelPath: TestModels.classifier), Interpreter(modelData: bytes),
      Interpreter(modelData: slice),
    ].map { interpreter in
      try interpreter.allocateTensors()
      try interpreter.copy(input, toInputAt: 0)
      try interpreter.invoke()
      return try interpreter.output(at: 0)
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0] == answers[2])
  }

  @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func `an operator that the runtime lacks fails to allocate, as in Google's class, and the reason names it`()
    throws
  {
    let interpreter = try Interpreter(
      modelPath: SharedData.path("models/invalid/coral_model_invoking_error.tflite"))
    #expect(throws: InterpreterError.failedToAllocateTensors) { try interpreter.allocateTensors() }
    #expect(try #require(interpreter.failureReason).contains("fake-op-double"))
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
  }

  @safe
  final class OtherDelegate: Delegate {
    // SAFETY: an address that is never dereferenced.
    let cDelegate: CDelegate

    init?() {
      guard let address = unsafe CDelegate(bitPattern: 8) else { return nil }
      unsafe cDelegate = address
    }
  }

  @Test func `a delegate fails to create the interpreter, and an empty list of them is none`() throws {
    let delegate = try #require(OtherDelegate())
    #expect(throws: InterpreterError.failedToCreateInterpreter) {
      try Interpreter(modelPath: TestModels.classifier, delegates: [delegate])
    }
    let reason = Interpreter.failureReason(modelPath: TestModels.classifier, delegates: [delegate])
    #expect(reason?.contains("does not support delegates") == true)
    let interpreter = try Interpreter(modelPath: TestModels.classifier, delegates: [])
    #expect(interpreter.delegates?.isEmpty == true)
    #expect(interpreter.options == nil)
  }

  @Test(arguments: [nil, Int.min, -1, 0, 1, 2, 3, 257, Int.max] as [Int?])
  func `any number of threads computes the same`(_ threads: Int?) throws {
    var options = Interpreter.Options()
    options.threadCount = threads
    options.isXNNPackEnabled = true
    let interpreter = try Interpreter(modelPath: TestModels.classifier, options: options)
    #expect(interpreter.options == options)
    let plain = try TestModels.ready(TestModels.classifier)
    try interpreter.allocateTensors()
    for each in [interpreter, plain] {
      try each.copy(.pattern(32 * 32 * 3), toInputAt: 0)
      try each.invoke()
    }
    #expect(try interpreter.output(at: 0) == plain.output(at: 0))
  }

  @Test func `the defaults are Google's`() {
    let options = Interpreter.Options()
    #expect(options.threadCount == nil)
    #expect(options.isXNNPackEnabled == false)
    #expect(options.hashValue == Interpreter.Options().hashValue)
  }

  @Test func `the runtime's version has three numbers`() {
    #expect(Runtime.version.split(separator: ".").compactMap { Int($0) }.count == 3)
  }
}

extension LoadingTests {
  @Test func `a damaged graph is rejected, and a repaired one reports it`() throws {
    var damaged = TestModel.runnable()
    damaged.graphs[0].tensors[1].scales = [0.5]
    let data = Data(damaged.bytes())
    #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelData: data) }
    #expect(
      Interpreter.failureReason(modelData: data)
        == "The model 'model data' is damaged: tensor 1 has 1 scales and 0 zero points. "
        + "Download or export the model file again.")
    var misnamed = TestModel.runnable()
    misnamed.signatures = [.init(inputs: [3])]
    let interpreter = try Interpreter(modelData: Data(misnamed.bytes()))
    try interpreter.allocateTensors()
    try interpreter.invoke()
    #expect(interpreter.signatureKeys.isEmpty)
    #expect(
      interpreter.notes == [
        "In 'model data' the signature 'serving_default' is ignored: it names tensor 3 as input, but the graph's inputs are [0]"
      ])
  }
}
