// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import TensorFlowLite
import Testing

@Suite struct TensorTests {
  @Test func `shapes are equal by their sizes, in any notation`() {
    let literal: Tensor.Shape = [1, 224, 224, 3]
    #expect(literal == Tensor.Shape(1, 224, 224, 3))
    #expect(literal == Tensor.Shape([1, 224, 224, 3]))
    #expect(literal.rank == 4)
    #expect(literal.dimensions == [1, 224, 224, 3])
    #expect(literal != [1, 224, 224])
    #expect(Set([literal, [1], [1], []]).count == 3)
  }

  @Test func `a shape without dimensions has rank 0`() {
    #expect(Tensor.Shape() == [])
    #expect(Tensor.Shape([]).rank == 0)
  }

  @Test func `tensors are equal when name, type, shape, content and quantisation are`() throws {
    let interpreter = try TestModels.ready(TestModels.arithmetic)
    let one = try interpreter.copy(Data(floats: [1, 2]), toInputAt: 0)
    let same = try interpreter.input(at: 0)
    let other = try interpreter.copy(Data(floats: [1, 3]), toInputAt: 0)
    #expect(one == same)
    #expect(one.hashValue == same.hashValue)
    #expect(one != other)
    #expect(one != (try interpreter.copy(Data(floats: [1, 2]), toInputAt: 1)))
    #expect(one.quantizationParameters == nil)
  }

  @Test func `a uint8 model keeps its bytes and reports its scale`() throws {
    let interpreter = try TestModels.ready(TestModels.classifier)
    // All red.
    let image = Data((0..<32 * 32 * 3).map { $0 % 3 == 0 ? 255 : 0 })
    let input = try interpreter.copy(image, toInputAt: 0)
    #expect(input.dataType == .uInt8)
    #expect(input.quantizationParameters?.scale == Float(1) / 255)
    #expect(input.quantizationParameters?.zeroPoint == 0)
    try interpreter.invoke()
    let output = try interpreter.output(at: 0)
    #expect(output.dataType == .uInt8)
    #expect(output.shape == [1, 3])
    #expect(output.data[0] > 200)
    #expect(output.quantizationParameters?.scale == Float(1) / 256)
  }

  @Test func `an int8 model, which Google's class refuses, is read and written`() throws {
    let interpreter = try TestModels.ready(TestModels.int8)
    let input = try interpreter.copy(.pattern(64 * 64 * 3), toInputAt: 0)
    #expect(input.dataType == .int8)
    #expect(input.quantizationParameters?.zeroPoint == -128)
    try interpreter.invoke()
    let output = try interpreter.output(at: 0)
    #expect(output.dataType == .int8)
    #expect(output.shape == [1, 7, 84])
    #expect(output.data.count == 7 * 84)
  }

  @Test func `a float model has no quantisation`() throws {
    let interpreter = try TestModels.ready(TestModels.openSize)
    #expect(try interpreter.input(at: 0).dataType == .float32)
    #expect(try interpreter.input(at: 0).quantizationParameters == nil)
  }
}
