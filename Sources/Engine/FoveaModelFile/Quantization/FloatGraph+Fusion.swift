// SPDX-License-Identifier: Apache-2.0

extension FloatGraph {
  /// Fuses each clipping activation with the operator that precedes it, if nothing else reads the output
  /// between them.
  ///
  /// Exporters leave some activations apart. In int8 XNNPACK has no kernel for them, but clips in all
  /// operators that fuse them, whose outputs then need no steps for the numbers that are clipped.
  mutating func fuse() {
    var reads = [Int](repeating: 0, count: tensors.count)
    for tensor in nodes.flatMap(\.inputs) + outputs where tensor >= 0 { reads[tensor] += 1 }
    var places: [Int: Int] = [:]
    var kept: [Node] = []
    for node in nodes {
      if let activation = node.kind.fusedActivation, let input = node.inputs.first, node.inputs.count == 1,
        let output = node.outputs.first, node.outputs.count == 1, input >= 0, reads[input] == 1,
        let place = places[input],
        let options = kept[place].options.fusing(activation, into: kept[place].kind),
        isFusable(kept[place], input, output)
      {
        (kept[place].outputs, kept[place].options) = ([output], options)
        places[output] = place
        continue
      }
      for output in node.outputs { places[output] = kept.count }
      kept.append(node)
    }
    nodes = kept
  }

  /// Whether an operator can make an activation's output instead of its own.
  private func isFusable(_ node: Node, _ own: Int, _ output: Int) -> Bool {
    node.outputs == [own] && tensors[own].isActivation && tensors[output].isActivation
      && tensors[own].shape == tensors[output].shape
      // An activation may turn NaN into 0, and the numbers of a damaged layer must be found.
      && node.inputs.allSatisfy { $0 < 0 || tensors[$0].isFinite }
  }
}

extension FloatGraph.Tensor {
  /// False for a float32 constant with infinity or NaN.
  fileprivate var isFinite: Bool {
    guard let content, type == GraphSchema.ElementType.float32 else { return true }
    // The exponent of such numbers has only ones.
    return stride(from: 3, to: content.count, by: 4).allSatisfy { place in
      content[place] & 0x7F != 0x7F || content[place - 1] & 0x80 == 0
    }
  }
}

extension OperatorName {
  /// The number of an activation in the options of operators that fuse it; nil for other operators.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, enum ActivationFunctionType.
  fileprivate var fusedActivation: UInt8? {
    switch builtin {
    case .relu: 1
    case .reluN1To1: 2
    case .relu6: 3
    default: nil
    }
  }
}
