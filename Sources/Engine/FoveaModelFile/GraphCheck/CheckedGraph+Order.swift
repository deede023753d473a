// SPDX-License-Identifier: Apache-2.0

extension CheckedGraph {
  /// The most bytes that computed tensors may need at a time, 512 MiB.
  private static let maximumBytes = 512 << 20

  /// Checks that each tensor is written once, and before it is read.
  ///
  /// The runtime gives memory to tensors from the operator that writes them to the last that reads them; what no one
  /// writes has none.
  func checkOrder() throws(MetadataError) {
    // What is known before the first operator.
    var isWritten = tensors.map { $0.isConstant || $0.isVariable }
    for input in inputs { isWritten[input] = true }
    for (position, node) in nodes.enumerated() {
      if let tensor = node.inputs.first(where: { $0 >= 0 && !isWritten[$0] }) {
        throw .damaged("operator \(position) reads tensor \(tensor), which nothing before it writes")
      }
      for output in node.outputs {
        // A tensor of no bytes counts as constant, but may be written.
        guard !isWritten[output] || tensors[output].byteCount == 0 else {
          throw .damaged("operator \(position) writes tensor \(output), which has its content already")
        }
        isWritten[output] = true
      }
    }
    if let output = outputs.first(where: { !isWritten[$0] }) {
      throw .damaged("the model gives tensor \(output), which nothing writes")
    }
  }

  /// Checks that what the model gives is computed: the runtime throws in one of its own threads where it is a constant.
  func checkOutputs() throws(MetadataError) {
    if let output = outputs.first(where: { tensors[$0].isConstant && tensors[$0].byteCount != 0 }) {
      throw .damaged("the model gives tensor \(output), which is a constant")
    }
  }

  /// Checks that the tensors that are needed at a time fit into memory.
  func checkMemory() throws(MetadataError) {
    var lastUse = [Int](repeating: -1, count: tensors.count)
    for (position, node) in nodes.enumerated() {
      for tensor in node.inputs + node.outputs where tensor >= 0 { lastUse[tensor] = position }
    }
    for tensor in inputs + outputs { lastUse[tensor] = nodes.count }
    var endings = [Int](repeating: 0, count: nodes.count + 1)
    func size(_ tensor: Int) -> Int { tensors[tensor].isConstant ? 0 : tensors[tensor].byteCount ?? 0 }
    // Each is at most 2^29, and a file has fewer than 2^31 tensors: the sum cannot overflow.
    var bytes = Set(inputs).reduce(0) { $0 + size($1) }
    for (position, node) in nodes.enumerated() {
      for output in node.outputs {
        bytes += size(output)
        endings[lastUse[output]] += size(output)
      }
      guard bytes <= Self.maximumBytes else {
        throw .damaged(
          "operator \(position) needs tensors of \(bytes) bytes at a time; at most \(Self.maximumBytes) are given"
        )
      }
      bytes -= endings[position]
    }
  }
}
