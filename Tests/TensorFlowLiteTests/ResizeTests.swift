// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import TensorFlowLite
import Testing

@Suite struct ResizeTests {
  @Test(arguments: [[1, 1, 1, 3], [1, 8, 2, 3], [3, 5, 7, 3], [1, 32, 32, 3]])
  func `a model with open sizes accepts any, and its output follows`(_ shape: [Int]) throws {
    let interpreter = try Interpreter(modelPath: TestModels.openSize)
    try interpreter.resizeInput(at: 0, to: Tensor.Shape(shape))
    try interpreter.allocateTensors()
    #expect(try interpreter.input(at: 0).shape.dimensions == shape)
    // Only red.
    let pixels = (0..<shape.reduce(1, *)).map { Float($0 % 3 == 0 ? 1 : 0) }
    try interpreter.copy(Data(floats: pixels), toInputAt: 0)
    try interpreter.invoke()
    let output = try interpreter.output(at: 0)
    #expect(output.shape.dimensions == [shape[0], 3])
    let shares = output.data.floats
    #expect(shares.count == shape[0] * 3)
    for row in 0..<shape[0] { #expect(shares[row * 3] > shares[row * 3 + 1]) }
  }

  @Test func `the required number of bytes follows the shape before it is allocated`() throws {
    let interpreter = try Interpreter(modelPath: TestModels.openSize)
    try interpreter.resizeInput(at: 0, to: [1, 2, 2, 3])
    #expect(throws: InterpreterError.invalidTensorDataCount(provided: 1, required: 48)) {
      try interpreter.copy(Data(count: 1), toInputAt: 0)
    }
    #expect(throws: InterpreterError.allocateTensorsRequired) {
      try interpreter.copy(Data(count: 48), toInputAt: 0)
    }
  }

  @Test func `inputs that must match are resized one by one and allocated together`() throws {
    let interpreter = try TestModels.ready(TestModels.arithmetic)
    try interpreter.resizeInput(at: 0, to: [1, 3])
    #expect(throws: InterpreterError.failedToAllocateTensors) { try interpreter.allocateTensors() }
    #expect(interpreter.failureReason?.contains("cannot take the shape [1, 3]") == true)
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
    try interpreter.resizeInput(at: 1, to: [1, 3])
    try interpreter.allocateTensors()
    try interpreter.copy(Data(floats: [1, 2, 3]), toInputAt: 0)
    try interpreter.copy(Data(floats: [1, 1, 1]), toInputAt: 1)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data.floats == [2, 3, 4])
    #expect(try interpreter.output(at: 1).data.floats == [0, 1, 2])
  }

  @Test(arguments: [[1, 40_000, 40_000, 3], [200_000_000, 1, 1, 3]])
  func `shapes beyond memory fail to allocate with the number of bytes`(_ shape: [Int]) throws {
    let interpreter = try TestModels.ready(TestModels.openSize)
    try interpreter.resizeInput(at: 0, to: Tensor.Shape(shape))
    #expect(throws: InterpreterError.failedToAllocateTensors) { try interpreter.allocateTensors() }
    let bytes = shape.reduce(4, *)
    #expect(
      interpreter.failureReason?.contains("its \(bytes) bytes are more than 536870912") == true,
      "\(interpreter.failureReason ?? "")")
  }

  @Test(arguments: [[1, 8, 8, 4], [1, 1 << 30, 1 << 30, 3]])
  func `shapes that the graph rejects fail to allocate, and a valid one restores it`(_ shape: [Int]) throws {
    let interpreter = try TestModels.ready(TestModels.openSize)
    try interpreter.resizeInput(at: 0, to: Tensor.Shape(shape))
    for _ in 0..<2 {
      #expect(throws: InterpreterError.failedToAllocateTensors) { try interpreter.allocateTensors() }
    }
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
    try interpreter.resizeInput(at: 0, to: [1, 32, 32, 3])
    try interpreter.allocateTensors()
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).shape == [1, 3])
  }

  @Test func `copied data is zero after new shapes, and stays otherwise`() throws {
    let interpreter = try TestModels.ready(TestModels.arithmetic)
    try interpreter.copy(Data(floats: [5, 7]), toInputAt: 0)
    try interpreter.allocateTensors()
    #expect(try interpreter.input(at: 0).data.floats == [5, 7])
    for index in 0..<2 { try interpreter.resizeInput(at: index, to: [1, 3]) }
    try interpreter.allocateTensors()
    #expect(try interpreter.input(at: 0).data.floats == [0, 0, 0])
  }

  @Test func `a failure while the model runs is Google's error, with LiteRT's reason next to it`() throws {
    let interpreter = try TestModels.ready(TestModels.table)
    // There is no such row.
    try interpreter.copy(Data([99, 0, 0, 0]), toInputAt: 0)
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
    #expect(interpreter.failureReason?.contains("failed while it ran") == true)
    #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
  }

  @Test(.enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.missing)))
  func `an output sized only when the model runs has its size afterwards`() throws {
    let interpreter = try Interpreter(modelPath: SharedData.path("models/invalid/tfls_dilated_conv.tflite"))
    for (height, width) in [(32, 48), (7, 5), (64, 64)] {
      try interpreter.resizeInput(at: 0, to: [1, height, width, 3])
      try interpreter.allocateTensors()
      try interpreter.invoke()
      #expect(try interpreter.output(at: 0).shape == [1, height, width, 16])
      #expect(try interpreter.output(at: 0).data.count == height * width * 64)
    }
  }
}
