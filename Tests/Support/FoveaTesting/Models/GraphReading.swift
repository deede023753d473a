// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile

/// The parts of a rewritten graph that tests compare.
package struct GraphReading {
  package struct Tensor: Equatable {
    package var type: UInt8
    package var scales: [Float]
    package var zeroPoints: [Int]
    package var data: [UInt8]

    package init(type: UInt8, scales: [Float], zeroPoints: [Int], data: [UInt8]) {
      self.type = type
      self.scales = scales
      self.zeroPoints = zeroPoints
      self.data = data
    }
  }

  package var tensors: [Tensor] = []
  /// The names of the signatures.
  package var signatures: [String] = []
  package var operators: [(code: UInt32, version: UInt32, inputs: [UInt32], outputs: [UInt32])] = []

  package init(_ model: [UInt8]) throws {
    let bytes = model.span
    var budget = FlatBudget()
    let root = try ModelFile(bytes).root
    let buffers = try root.tables(ModelFile.Field.buffers, in: bytes, &budget)
    let codes = try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget)
    for signature in try root.tables(ModelFile.Field.signatureDefs, in: bytes, &budget) {
      signatures.append(try signature.string(GraphSchema.Signature.key, in: bytes, &budget) ?? "")
    }
    let subgraph = try root.tables(ModelFile.Field.subgraphs, in: bytes, &budget)[0]
    for table in try subgraph.tables(GraphSchema.Subgraph.tensors, in: bytes, &budget) {
      let quantization = try table.table(GraphSchema.Tensor.quantization, in: bytes, &budget)
      var zeroPoints: [Int] = []
      if let vector = try quantization?.vector(GraphSchema.Quantization.zeroPoint, stride: 8, in: bytes) {
        for index in 0..<vector.count {
          zeroPoints.append(
            Int(Int64(bitPattern: try bytes.uint64(at: vector.start + 8 * index, "a zero point"))))
        }
      }
      let buffer = buffers[Int(try table.uint32(GraphSchema.Tensor.buffer, in: bytes))]
      tensors.append(
        Tensor(
          type: try table.uint8(GraphSchema.Tensor.type, in: bytes),
          scales: try quantization?.floats(GraphSchema.Quantization.scale, in: bytes, &budget) ?? [],
          zeroPoints: zeroPoints,
          data: try buffer.bytes(ModelFile.Field.bufferData, in: bytes, &budget) ?? []))
    }
    for table in try subgraph.tables(GraphSchema.Subgraph.operators, in: bytes, &budget) {
      let code = codes[Int(try table.uint32(GraphSchema.Operator.code, in: bytes))]
      operators.append(
        (
          max(
            UInt32(try code.uint8(GraphSchema.Code.deprecated, in: bytes)),
            try code.uint32(GraphSchema.Code.builtin, in: bytes)),
          try code.uint32(GraphSchema.Code.version, in: bytes),
          try table.uint32s(GraphSchema.Operator.inputs, in: bytes, &budget),
          try table.uint32s(GraphSchema.Operator.outputs, in: bytes, &budget)
        ))
    }
  }
}
