// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaRuntime

@Suite struct StateTensorsTests {
  static func tensor(_ name: String, _ shape: [Int] = [1, 2], _ quantization: Quantization = .none)
    -> TensorDescription
  {
    TensorDescription(name: name, elementType: .uint8, shape: shape, quantization: quantization)
  }

  static func state(_ inputs: [TensorDescription], _ outputs: [TensorDescription]) -> StateTensors {
    StateTensors(of: ModelSignature(key: nil, inputs: inputs, outputs: outputs))
  }

  @Test func `AutoML's two states are found, whatever their order`() {
    let state = Self.state(
      [
        Self.tensor("image", [1, 4, 4, 3]), Self.tensor("raw_inputs/init_lstm_c"),
        Self.tensor("raw_inputs/init_lstm_h"),
      ],
      [Self.tensor("raw_outputs/lstm_h"), Self.tensor("boxes"), Self.tensor("raw_outputs/lstm_c")])
    #expect(state.pairs == [.init(input: 1, output: 2), .init(input: 2, output: 0)])
    #expect(state.inputs == [0])
    #expect(state.outputs == [1])
  }

  @Test func `tensors that differ in name, shape, or number are not a state`() {
    let image = Self.tensor("image", [1, 4, 4, 3])
    #expect(Self.state([image, Self.tensor("a")], [Self.tensor("b")]).pairs.isEmpty)
    #expect(Self.state([image, Self.tensor("a")], [Self.tensor("a", [1, 3])]).pairs.isEmpty)
    #expect(
      Self.state([image, Self.tensor("a")], [Self.tensor("a", [1, 2], .perTensor(scale: 1, zeroPoint: 0))])
        .pairs.isEmpty)
    #expect(Self.state([image, Self.tensor("a")], [Self.tensor("x/a"), Self.tensor("y/a")]).pairs.isEmpty)
    #expect(Self.state([image, Self.tensor("")], [Self.tensor("")]).pairs.isEmpty)
    // An image as input and output is not a state.
    #expect(Self.state([image], [image]).pairs.isEmpty)
    #expect(Self.state([], []).pairs.isEmpty)
  }

  @Test func `a memory passes from image to image, and from session to session`() throws {
    let model = try Model(path: PackageRoot.path + "/Tests/Fixtures/models/lstm_ssd.tflite")
    let first = try Session(model: model)
    let state = StateTensors(of: ModelSignature(key: nil, inputs: first.inputs, outputs: first.outputs))
    #expect(state.pairs == [.init(input: 1, output: 4)])
    func run(_ session: Session) throws -> Float {
      try session.run()
      return try #require(try session.read(output: 4, as: Float.self).first)
    }
    first.clear(state)
    #expect(try run(first) == 1)
    let memory = first.remembered(state)
    try first.restore(memory, state)
    #expect(try run(first) == 2)
    let second = try Session(model: model)
    try second.restore(memory, state)
    #expect(try run(second) == 2)
    second.clear(state)
    #expect(try run(second) == 1)
    let error = #expect(throws: RuntimeError.self) {
      try second.restore(RecurrentState(tensors: [[1]]), state)
    }
    #expect(error?.code == .tensorMismatch)
  }
}
