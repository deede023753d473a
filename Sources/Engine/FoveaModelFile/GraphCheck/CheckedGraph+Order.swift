// SPDX-License-Identifier: Apache-2.0

extension CheckedGraph {
  /// The maximum number of bytes that computed tensors may need at a time, 512 MiB.
  private static let maximumBytes = 512 << 20

  /// Verifies that each tensor is written once, before it is read.
  ///
  /// The runtime allocates a tensor from the operator that writes it to the last one that reads it; a tensor
  /// that is never written has no memory.
  func checkOrder() throws(MetadataError) {
    // The tensors with content before the first operator.
    var isWritten = tensors.map { $0.isConstant || $0.isVariable }
    for input in inputs { isWritten[input] = true }
    for (position, node) in nodes.enumerated() {
      if let tensor = node.inputs.first(where: { $0 >= 0 && !isWritten[$0] }) {
        throw .damaged("operator \(position) reads tensor \(tensor), which no earlier operator writes")
      }
      for output in node.outputs {
        // An empty tensor counts as constant, but may be written.
        guard !isWritten[output] || tensors[output].byteCount == 0 else {
          throw .damaged("operator \(position) writes tensor \(output), which already has content")
        }
        isWritten[output] = true
      }
    }
    if let output = outputs.first(where: { !isWritten[$0] }) {
      throw .damaged("the model's output is tensor \(output), which no operator writes")
    }
  }

  /// Verifies that the model's outputs are computed: the runtime throws in one of its own threads if an
  /// output is a constant.
  func checkOutputs() throws(MetadataError) {
    if let output = outputs.first(where: { tensors[$0].isConstant && tensors[$0].byteCount != 0 }) {
      throw .damaged("the model's output is tensor \(output), which is a constant")
    }
  }

  /// Verifies that the tensors needed at a time fit into memory.
  func checkMemory() throws(MetadataError) {
    var lastUse = [Int](repeating: -1, count: tensors.count)
    for (position, node) in nodes.enumerated() {
      for tensor in node.inputs + node.outputs where tensor >= 0 { lastUse[tensor] = position }
    }
    for tensor in inputs + outputs { lastUse[tensor] = nodes.count }
    var endings = [Int](repeating: 0, count: nodes.count + 1)
    func size(_ tensor: Int) -> Int { tensors[tensor].isConstant ? 0 : tensors[tensor].byteCount ?? 0 }
    // Each size is at most 2^29, and a file has fewer than 2^31 tensors, so the sum cannot overflow.
    var bytes = Set(inputs).reduce(0) { $0 + size($1) }
    for (position, node) in nodes.enumerated() {
      for output in node.outputs {
        bytes += size(output)
        endings[lastUse[output]] += size(output)
      }
      guard bytes <= Self.maximumBytes else {
        throw .damaged(
          "operator \(position) needs tensors of \(bytes) bytes at a time; at most \(Self.maximumBytes) are "
            + "allowed"
        )
      }
      bytes -= endings[position]
    }
  }
}
