// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// Base graphs, and additions to them.
extension TestModel {
  /// A sound graph of floats: image → convolution → ReLU → reshape.
  package static func sound() -> TestModel {
    TestModel(
      tensors: [
        [1, 8, 6, 3], Tensor(shape: [2, 3, 3, 3], buffer: 1), Tensor(shape: [2], buffer: 2),
        [1, 4, 3, 2], [1, 4, 3, 2], [1, 24],
      ],
      operators: [
        Operator(code: 3, inputs: [0, 1, 2], outputs: [3], options: [0: 0, 1: 2, 2: 2, 4: 1, 5: 1]),
        Operator(code: 19, inputs: [3], outputs: [4]), Operator(code: 22, inputs: [4], outputs: [5]),
      ],
      inputs: [0], outputs: [5],
      buffers: [[], [UInt8](repeating: 0, count: 4 * 2 * 3 * 3 * 3), [UInt8](repeating: 0, count: 8)])
  }

  /// The sound graph for LiteRT to run: its last operator knows its output's shape.
  package static func runnable() -> TestModel {
    var model = sound()
    model.graphs[0].operators[2].inputs.append(model.constant([1, 24]))
    return model
  }

  /// A graph of uint8: image → convolution → (reshape, itself) → concatenation → custom operator → float.
  package static func quantized() -> TestModel {
    let uint8 = GraphSchema.ElementType.uint8
    var model = TestModel(
      tensors: [
        .quantized([1, 1, 1, 4], uint8, 0.5, 128),
        // Two output channels of four weights each.
        .quantized([2, 1, 1, 4], uint8, 0.25, 130, buffer: 1),
        .quantized([2], GraphSchema.ElementType.int32, 0.125, buffer: 2),
        .quantized([1, 1, 1, 2], uint8, 1, 10), .quantized([1, 1, 1, 2], uint8, 2, 20),
        .quantized([1, 1, 1, 4], uint8, 2, 20), .quantized([1, 4], uint8, 1, buffer: 3), [1],
      ],
      operators: [
        Operator(code: 3, inputs: [0, 1, 2], outputs: [3]), Operator(code: 22, inputs: [3], outputs: [4]),
        Operator(code: 2, inputs: [3, 4], outputs: [5]), Operator(code: 32, inputs: [5, 6], outputs: [7]),
      ],
      inputs: [0], outputs: [7],
      buffers: [[], [3, 130, 131, 255, 2, 130, 200, 255], content([1000, -1000]), [1, 2, 3, 4]])
    let names = ["image", "weights", "bias", "features", "flat", "joined", "anchors", "answer"]
    for (index, name) in names.enumerated() { model.graphs[0].tensors[index].name = name }
    model.codes = .bytes
    model.customName = "Own"
    return model
  }

  /// The contents of a buffer of these numbers.
  package static func content(_ numbers: [Int32]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers { bytes.append(littleEndian: number) }
    return bytes
  }

  /// Adds an operator with its own output at the end, and returns the number of the output; its inputs exist
  /// already, or are added as constants.
  @discardableResult
  package mutating func append(
    _ code: UInt32, _ inputs: [Int32], makes tensor: Tensor, options: [Int: Int32]? = nil
  ) -> Int32 {
    let output = Int32(graphs[0].tensors.count)
    graphs[0].tensors.append(tensor)
    graphs[0].operators.append(Operator(code: code, inputs: inputs, outputs: [output], options: options))
    return output
  }

  /// Adds a constant of int32 and returns its number.
  package mutating func constant(_ numbers: [Int32]) -> Int32 {
    buffers.append(Self.content(numbers))
    graphs[0].tensors.append(
      Tensor(shape: [Int32(numbers.count)], type: 2, buffer: UInt32(buffers.count - 1)))
    return Int32(graphs[0].tensors.count - 1)
  }

  /// Adds the operator that ends detectors: 10 boxes of 3 classes and the background.
  package mutating func appendPostProcess(
    _ options: [String: Int] = [:], anchors: [Int32] = [10, 4], scores: [Int32] = [1, 10, 4]
  ) {
    var all = [
      "max_detections": 5, "max_classes_per_detection": 1, "num_classes": 3, "detections_per_class": 100,
    ]
    all.merge(options) { $1 }
    let first = Int32(graphs[0].tensors.count)
    graphs[0].tensors += [
      [1, 10, 4], Tensor(shape: scores), Tensor(shape: anchors, buffer: UInt32(buffers.count)),
      [], [], [], [],
    ]
    graphs[0].inputs += [first, first + 1]
    buffers.append([UInt8](repeating: 0, count: Int(anchors.reduce(4, *))))
    graphs[0].operators.append(
      Operator(
        code: 32, inputs: [first, first + 1, first + 2], outputs: (3...6).map { first + $0 },
        custom: FlexMapBytes.map(all)))
  }
}
