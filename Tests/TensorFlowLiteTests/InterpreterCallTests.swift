// SPDX-License-Identifier: Apache-2.0

import Foundation
import TensorFlowLite
import Testing

/// Each call of an interpreter, in the right order and in each wrong one.
@Suite struct InterpreterCallTests {
  /// A call, and its error in each state.
  struct CallCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var call: @Sendable (Interpreter) throws -> Void
    var error: InterpreterError?

    init(_ name: String, _ error: InterpreterError?, _ call: @escaping @Sendable (Interpreter) throws -> Void)
    {
      testDescription = name
      self.call = call
      self.error = error
    }

    func check(_ interpreter: Interpreter) throws {
      if let error {
        #expect(throws: error) { try call(interpreter) }
      } else {
        try call(interpreter)
      }
    }
  }

  /// The arithmetic model has two inputs of 8 bytes and two outputs.
  static let always = [
    CallCase("input −1", .invalidTensorIndex(index: -1, maxIndex: 1)) { _ = try $0.input(at: -1) },
    CallCase("input 2", .invalidTensorIndex(index: 2, maxIndex: 1)) { _ = try $0.input(at: 2) },
    CallCase("output −1", .invalidTensorIndex(index: -1, maxIndex: 1)) { _ = try $0.output(at: -1) },
    CallCase("output 2", .invalidTensorIndex(index: 2, maxIndex: 1)) { _ = try $0.output(at: 2) },
    CallCase("output largest", .invalidTensorIndex(index: .max, maxIndex: 1)) { _ = try $0.output(at: .max) },
    CallCase("copy nothing to 2", .invalidTensorIndex(index: 2, maxIndex: 1)) {
      try $0.copy(Data(), toInputAt: 2)
    },
    CallCase("copy to 2", .invalidTensorIndex(index: 2, maxIndex: 1)) {
      try $0.copy(Data(count: 8), toInputAt: 2)
    },
    CallCase("resize 2", .invalidTensorIndex(index: 2, maxIndex: 1)) {
      try $0.resizeInput(at: 2, to: [1, 2])
    },
    CallCase("resize −1", .invalidTensorIndex(index: -1, maxIndex: 1)) { try $0.resizeInput(at: -1, to: []) },
    CallCase("copy nothing", .invalidTensorDataCount(provided: 0, required: 8)) {
      try $0.copy(Data(), toInputAt: 0)
    },
    CallCase("copy too little", .invalidTensorDataCount(provided: 7, required: 8)) {
      try $0.copy(Data(count: 7), toInputAt: 1)
    },
    CallCase("copy too much", .invalidTensorDataCount(provided: 9, required: 8)) {
      try $0.copy(Data(count: 9), toInputAt: 1)
    },
    CallCase("resize to another rank", .failedToResizeInputTensor(index: 0)) {
      try $0.resizeInput(at: 0, to: [2])
    },
    CallCase("resize to no rank", .failedToResizeInputTensor(index: 1)) { try $0.resizeInput(at: 1, to: []) },
    CallCase("resize to 0", .failedToResizeInputTensor(index: 1)) { try $0.resizeInput(at: 1, to: [1, 0]) },
    CallCase("resize to −1", .failedToResizeInputTensor(index: 1)) {
      try $0.resizeInput(at: 1, to: [1, -1])
    },
    CallCase("resize to the largest", .failedToResizeInputTensor(index: 1)) {
      try $0.resizeInput(at: 1, to: [1, .max])
    },
  ]

  @Test(arguments: always)
  func `a wrong argument is the same error after any call`(_ wrong: CallCase) throws {
    let interpreter = try Interpreter(modelPath: TestModels.arithmetic)
    try wrong.check(interpreter)
    try interpreter.allocateTensors()
    try wrong.check(interpreter)
    try interpreter.invoke()
    try wrong.check(interpreter)
    // A rejected call changes nothing.
    _ = try interpreter.output(at: 0)
  }

  static let beforeAllocation = [
    CallCase("invoke", .allocateTensorsRequired) { try $0.invoke() },
    CallCase("input", .allocateTensorsRequired) { _ = try $0.input(at: 0) },
    CallCase("copy", .allocateTensorsRequired) { try $0.copy(Data(count: 8), toInputAt: 0) },
    CallCase("output", .invokeInterpreterRequired) { _ = try $0.output(at: 0) },
    CallCase("resize to the same shape", nil) { try $0.resizeInput(at: 0, to: [1, 2]) },
  ]

  @Test(arguments: beforeAllocation)
  func `before allocateTensors inputs and runs ask for it`(_ call: CallCase) throws {
    try call.check(try Interpreter(modelPath: TestModels.arithmetic))
  }

  @Test(arguments: beforeAllocation)
  func `resizing restores the state before allocateTensors`(_ call: CallCase) throws {
    let interpreter = try TestModels.ready(TestModels.arithmetic)
    try interpreter.invoke()
    try interpreter.resizeInput(at: 1, to: [1, 3])
    try call.check(interpreter)
  }

  @Test func `outputs ask for invoke until it succeeded, and again after new shapes`() throws {
    let interpreter = try TestModels.ready(TestModels.openSize)
    #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
    #expect(interpreter.failureReason?.contains("Call invoke first") == true)
    try interpreter.invoke()
    _ = try interpreter.output(at: 0)
    try interpreter.allocateTensors()
    _ = try interpreter.output(at: 0)
    try interpreter.resizeInput(at: 0, to: [2, 4, 4, 3])
    try interpreter.allocateTensors()
    #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
  }

  @Test func `copied data reads back, and the outputs have the graph's order`() throws {
    let interpreter = try TestModels.ready(TestModels.arithmetic)
    #expect(interpreter.inputTensorCount == 2)
    #expect(interpreter.outputTensorCount == 2)
    #expect(try interpreter.input(at: 1).data == Data(count: 8))
    let given = try interpreter.copy(Data(floats: [5, 7]), toInputAt: 0)
    #expect(given == (try interpreter.input(at: 0)))
    #expect(given.name == "minuend")
    try interpreter.copy(Data(floats: [1, -2]), toInputAt: 1)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).name == "total")
    #expect(try interpreter.output(at: 0).data.floats == [6, 5])
    #expect(try interpreter.output(at: 1).data.floats == [4, 9])
    // An output read earlier stays unchanged.
    let before = try interpreter.output(at: 0)
    try interpreter.copy(Data(floats: [0, 0]), toInputAt: 0)
    try interpreter.invoke()
    #expect(before.data.floats == [6, 5])
    #expect(try interpreter.output(at: 0).data.floats == [1, -2])
  }

  @Test func `a slice of data is copied, and the tensor's indices start at 0`() throws {
    let interpreter = try TestModels.ready(TestModels.arithmetic)
    let slice = Data(floats: [9, 5, 7]).dropFirst(4)
    let tensor = try interpreter.copy(slice, toInputAt: 0)
    #expect(tensor.data.startIndex == 0)
    #expect(tensor.data.floats == [5, 7])
    #expect(tensor == (try interpreter.input(at: 0)))
  }

  @Test func `numbers that are not finite are passed through`() throws {
    let interpreter = try TestModels.ready(TestModels.arithmetic)
    try interpreter.copy(Data(floats: [.infinity, .nan]), toInputAt: 0)
    try interpreter.invoke()
    let total = try interpreter.output(at: 0).data.floats
    #expect(total[0] == .infinity)
    #expect(total[1].isNaN)
  }

  @Test func `a model with a memory shows it as input and output`() throws {
    let interpreter = try TestModels.ready(TestModels.recurrent)
    #expect(interpreter.inputTensorCount == 2)
    #expect(interpreter.outputTensorCount == 5)
    for step in 1...3 {
      try interpreter.invoke()
      let memory = try interpreter.output(at: 4)
      #expect(memory.data.floats == [Float(step)])
      try interpreter.copy(memory.data, toInputAt: 1)
    }
  }

  @Test func `two interpreters of one model are independent`() throws {
    let first = try TestModels.ready(TestModels.arithmetic)
    let second = try TestModels.ready(TestModels.arithmetic)
    try first.copy(Data(floats: [1, 1]), toInputAt: 0)
    try second.copy(Data(floats: [2, 2]), toInputAt: 0)
    try first.invoke()
    try second.invoke()
    #expect(try first.output(at: 0).data.floats == [1, 1])
    #expect(try second.output(at: 0).data.floats == [2, 2])
  }
}
