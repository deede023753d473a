// SPDX-License-Identifier: Apache-2.0

extension CheckedGraph {
  private static let fullyConnected: UInt32 = 9
  private static let densify: UInt32 = 124

  /// Checks that sparse tensors are read by operators that know of them: others read as many numbers as the shape has,
  /// past the end of the stored ones.
  ///
  /// **Source:** TensorFlow Lite, the uses of `TfLiteTensor.sparsity` in `lite/kernels`: `densify.cc`, and the weights of
  /// `fully_connected.cc`. Apache-2.0.
  func checkSparse() throws(MetadataError) {
    for (position, node) in nodes.enumerated() where node.kind.code != Self.densify {
      for (place, input) in node.inputs.enumerated() where input >= 0 && tensors[input].isSparse {
        guard node.kind.code == Self.fullyConnected, place == 1 else {
          throw .damaged("operator \(position) reads tensor \(input), which is sparse and was not made dense")
        }
      }
    }
  }
}
