// SPDX-License-Identifier: Apache-2.0

/// The state of a recurrent model: the inputs that receive some of its outputs for the previous image.
///
/// An input is state if exactly one output has its name, type, shape and quantisation. Only the part of a
/// name after the last `/` counts, without a leading `init_`: AutoML's LSTM detectors have
/// `raw_inputs/init_lstm_c` and `raw_outputs/lstm_c`.
public struct StateTensors: Sendable, Hashable {
  /// An input and the output that it receives for the next image.
  public struct Pair: Sendable, Hashable {
    /// The index of the input.
    public var input: Int
    /// The index of the output.
    public var output: Int

    /// Creates a pair.
    package init(input: Int, output: Int) {
      self.input = input
      self.output = output
    }
  }

  /// The pairs, in the order of the inputs; empty for a model without state.
  public let pairs: [Pair]
  /// The indices of the inputs that are not state.
  public let inputs: [Int]
  /// The indices of the outputs that are not state.
  public let outputs: [Int]

  /// Finds the state of a model.
  /// - Parameter signature: The inputs and outputs with their shapes during a run.
  public init(of signature: ModelSignature) {
    var pairs: [Pair] = []
    for (position, input) in signature.inputs.enumerated() {
      let matches = signature.outputs.indices.filter { Self.isNext(signature.outputs[$0], of: input) }
      guard matches.count == 1, !pairs.contains(where: { $0.output == matches[0] }) else { continue }
      pairs.append(Pair(input: position, output: matches[0]))
    }
    // A model that received all its inputs from its outputs would have no image.
    if pairs.count == signature.inputs.count { pairs = [] }
    self.pairs = pairs
    inputs = signature.inputs.indices.filter { index in !pairs.contains { $0.input == index } }
    outputs = signature.outputs.indices.filter { index in !pairs.contains { $0.output == index } }
  }

  /// Returns a signature with only the inputs and outputs that are not state.
  /// - Parameter signature: The signature with which the state was found.
  /// - Returns: The signature without state.
  package func visible(_ signature: ModelSignature) -> ModelSignature {
    ModelSignature(
      key: signature.key, inputs: inputs.map { signature.inputs[$0] },
      outputs: outputs.map { signature.outputs[$0] })
  }

  private static func isNext(_ output: TensorDescription, of input: TensorDescription) -> Bool {
    baseName(input.name) == baseName(output.name) && !baseName(input.name).isEmpty
      && input.elementType == output.elementType && input.shape == output.shape
      && input.quantization == output.quantization
  }

  private static func baseName(_ name: String) -> Substring {
    let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return last.hasPrefix("init_") ? last.dropFirst("init_".count) : last
  }
}

/// The state of a recurrent model after an image; belongs to one stream of images.
public struct RecurrentState: Sendable, Hashable {
  /// The content of each state tensor, in the order of `StateTensors.pairs`.
  var tensors: [[UInt8]]
}

extension Session {
  /// Sets the state inputs to zero, as before the first image.
  ///
  /// A quantised tensor is filled with its zero point, which represents 0.
  /// - Parameter state: The state of this model.
  public func clear(_ state: StateTensors) {
    for pair in state.pairs {
      let tensor = inputs[pair.input]
      unsafe withUnsafeInputBytes(pair.input) { bytes in
        guard case .perTensor(_, let zeroPoint) = tensor.quantization, zeroPoint != 0,
          tensor.elementType == .uint8 || tensor.elementType == .int8
        else {
          unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
          return
        }
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: zeroPoint))
      }
    }
  }

  /// Returns a copy of the model's state after its last run.
  /// - Parameter state: The state of this model.
  /// - Returns: The content of the state outputs, for `restore` before the stream's next image.
  public func remembered(_ state: StateTensors) -> RecurrentState {
    RecurrentState(
      tensors: state.pairs.map { pair in
        unsafe withUnsafeOutputBytes(pair.output) { bytes in unsafe [UInt8](bytes) }
      })
  }

  /// Sets the state inputs to a saved state, from this or another session.
  /// - Parameters:
  ///   - memory: The result of `remembered`.
  ///   - state: The state of this model.
  /// - Throws: `tensorMismatch` if `memory` is from another model.
  public func restore(_ memory: RecurrentState, _ state: StateTensors) throws(RuntimeError) {
    let sizes = state.pairs.map { pair in inputs[pair.input].byteCount ?? -1 }
    guard memory.tensors.map(\.count) == sizes else {
      throw RuntimeError(
        .tensorMismatch,
        "The state has tensors of \(memory.tensors.map(\.count)) bytes; '\(model.name)' has \(sizes)",
        remedy: "Keep the state of each model and stream apart")
    }
    for (pair, content) in zip(state.pairs, memory.tensors) {
      unsafe withUnsafeInputBytes(pair.input) { bytes in unsafe bytes.copyBytes(from: content) }
    }
  }
}
