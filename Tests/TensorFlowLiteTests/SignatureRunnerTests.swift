// SPDX-License-Identifier: Apache-2.0

import Foundation
import TensorFlowLite
import Testing

@Suite struct SignatureRunnerTests {
  private func runner(_ key: String = "calculate") throws -> SignatureRunner {
    try Interpreter(modelPath: TestModels.arithmetic).signatureRunner(with: key)
  }

  @Test func `a model lists its signatures in its order, and one without has none`() throws {
    let interpreter = try Interpreter(modelPath: TestModels.arithmetic)
    #expect(interpreter.signatureKeys == ["multiply", "calculate"])
    #expect(try Interpreter(modelPath: TestModels.classifier).signatureKeys.isEmpty)
  }

  @Test(arguments: ["", "calculate ", "Calculate", "<placeholder signature>", "serving_default"])
  func `an unknown signature is an error that lists the known ones`(_ key: String) throws {
    for (path, keys) in [
      (TestModels.arithmetic, "[\"multiply\", \"calculate\"]"), (TestModels.classifier, "[]"),
    ] {
      let interpreter = try Interpreter(modelPath: path)
      #expect(throws: SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key)) {
        try interpreter.signatureRunner(with: key)
      }
      #expect(interpreter.failureReason?.contains(keys) == true)
    }
  }

  @Test func `a signature runs by its names, without allocateTensors`() throws {
    let runner = try runner()
    #expect(runner.signatureKey == "calculate")
    #expect(Set(runner.inputs) == ["from", "by"])
    #expect(Set(runner.outputs) == ["total", "difference"])
    try runner.invoke(with: ["from": Data(floats: [5, 7]), "by": Data(floats: [1, 2])])
    #expect(try runner.output(named: "total").data.floats == [6, 9])
    #expect(try runner.output(named: "difference").data.floats == [4, 5])
    #expect(try runner.input(named: "by").data.floats == [1, 2])
    #expect(try runner.input(named: "by").name == "subtrahend")
  }

  @Test func `another signature runs another graph`() throws {
    let runner = try runner("multiply")
    try runner.invoke(with: ["x": Data(floats: [5, 7]), "y": Data(floats: [3, 2])])
    #expect(runner.outputs == ["product"])
    #expect(try runner.output(named: "product").data.floats == [15, 14])
  }

  @Test func `unnamed inputs keep their contents`() throws {
    let runner = try runner()
    try runner.copy(Data(floats: [1, 1]), toInputNamed: "by")
    try runner.invoke(with: ["from": Data(floats: [5, 7])])
    #expect(try runner.output(named: "difference").data.floats == [4, 6])
    try runner.invoke(with: [:])
    #expect(try runner.output(named: "difference").data.floats == [4, 6])
  }

  struct CallCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var error: SignatureRunnerError
    var call: @Sendable (SignatureRunner) throws -> Void

    init(
      _ name: String, _ error: SignatureRunnerError,
      _ call: @escaping @Sendable (SignatureRunner) throws -> Void
    ) {
      testDescription = name
      self.error = error
      self.call = call
    }
  }

  static let wrongCalls = [
    CallCase("input of another name", .failedToGetTensor(tensorType: "input", nameInSignature: "total")) {
      _ = try $0.input(named: "total")
    },
    CallCase(
      "input by its name in the graph", .failedToGetTensor(tensorType: "input", nameInSignature: "minuend")
    ) {
      _ = try $0.input(named: "minuend")
    },
    CallCase("output of another name", .failedToGetTensor(tensorType: "output", nameInSignature: "from")) {
      _ = try $0.output(named: "from")
    },
    CallCase("copy to nothing", .failedToGetTensor(tensorType: "input", nameInSignature: "")) {
      try $0.copy(Data(count: 8), toInputNamed: "")
    },
    CallCase("copy too little", .invalidTensorDataCount(provided: 7, required: 8)) {
      try $0.copy(Data(count: 7), toInputNamed: "from")
    },
    CallCase("invoke with another name", .failedToGetTensor(tensorType: "input", nameInSignature: "z")) {
      try $0.invoke(with: ["from": Data(count: 8), "z": Data(count: 8)])
    },
    CallCase("invoke with too much", .invalidTensorDataCount(provided: 9, required: 8)) {
      try $0.invoke(with: ["by": Data(count: 9), "z": Data(count: 8)])
    },
    CallCase("resize a missing tensor", .failedToResizeInputTensor(inputName: "z")) {
      try $0.resizeInput(named: "z", toShape: [1, 3])
    },
    CallCase("resize to another rank", .failedToResizeInputTensor(inputName: "by")) {
      try $0.resizeInput(named: "by", toShape: [3])
    },
    CallCase("resize to 0", .failedToResizeInputTensor(inputName: "by")) {
      try $0.resizeInput(named: "by", toShape: [1, 0])
    },
    CallCase("output before a run", .allocateTensorsRequired) { _ = try $0.output(named: "total") },
  ]

  @Test(arguments: wrongCalls)
  func `a wrong call is Google's error and leaves the runner usable`(_ wrong: CallCase) throws {
    let runner = try runner()
    #expect(throws: wrong.error) { try wrong.call(runner) }
    try runner.invoke(with: ["from": Data(floats: [5, 7]), "by": Data(floats: [1, 2])])
    #expect(try runner.output(named: "total").data.floats == [6, 9])
  }

  @Test func `after resizing tensors are requested again, and invoke allocates them`() throws {
    let runner = try runner()
    try runner.invoke(with: [:])
    for name in runner.inputs { try runner.resizeInput(named: name, toShape: [1, 1]) }
    #expect(throws: SignatureRunnerError.allocateTensorsRequired) { try runner.input(named: "by") }
    #expect(throws: SignatureRunnerError.allocateTensorsRequired) { try runner.output(named: "total") }
    #expect(throws: SignatureRunnerError.allocateTensorsRequired) {
      try runner.copy(Data(floats: [1]), toInputNamed: "by")
    }
    try runner.invoke(with: ["from": Data(floats: [5]), "by": Data(floats: [2])])
    #expect(try runner.output(named: "difference").data.floats == [3])
  }

  @Test func `shapes that do not match fail to allocate, with LiteRT's reason`() throws {
    let runner = try runner()
    try runner.resizeInput(named: "from", toShape: [1, 3])
    #expect(throws: SignatureRunnerError.failedToAllocateTensors) { try runner.allocateTensors() }
    #expect(throws: SignatureRunnerError.failedToAllocateTensors) { try runner.invoke(with: [:]) }
    #expect(runner.failureReason?.contains("cannot take the shape [1, 3]") == true)
  }

  @Test func `a runner has its own tensors and outlives its interpreter`() throws {
    var interpreter: Interpreter? = try TestModels.ready(TestModels.arithmetic)
    let runner = try #require(try interpreter?.signatureRunner(with: "calculate"))
    try interpreter?.copy(Data(floats: [5, 7]), toInputAt: 0)
    try runner.invoke(with: [:])
    #expect(try runner.output(named: "total").data.floats == [0, 0])
    interpreter = nil
    try runner.invoke(with: ["from": Data(floats: [1, 1])])
    #expect(try runner.output(named: "total").data.floats == [1, 1])
  }
}
