// SPDX-License-Identifier: Apache-2.0

/// The inputs of a recurrent model that take what some of its outputs gave for the image before.
///
/// An input is state when exactly one output has its name, type, shape and quantisation. Names are compared behind
/// their last `/` and without a leading `init_`: AutoML's LSTM detectors call the two `raw_inputs/init_lstm_c` and
/// `raw_outputs/lstm_c`.
public struct StateTensors: Sendable, Hashable {
  /// An input and the output that it takes next time.
  public struct Pair: Sendable, Hashable {
    /// The position of the input.
    public var input: Int
    /// The position of the output.
    public var output: Int

    /// Makes a pair.
    public init(input: Int, output: Int) {
      self.input = input
      self.output = output
    }
  }

  /// The pairs, in the order of the inputs; empty for a model without state.
  public let pairs: [Pair]
  /// The positions of the inputs that are no state.
  public let inputs: [Int]
  /// The positions of the outputs that are no state.
  public let outputs: [Int]

  /// Finds the state of a model.
  /// - Parameter signature: Inputs and outputs with the shapes that they have when the model runs.
  public init(of signature: ModelSignature) {
    var pairs: [Pair] = []
    for (position, input) in signature.inputs.enumerated() {
      let matches = signature.outputs.indices.filter { Self.isNext(signature.outputs[$0], of: input) }
      guard matches.count == 1, !pairs.contains(where: { $0.output == matches[0] }) else { continue }
      pairs.append(Pair(input: position, output: matches[0]))
    }
    // A model whose inputs were all fed from its outputs would see nothing.
    if pairs.count == signature.inputs.count { pairs = [] }
    self.pairs = pairs
    inputs = signature.inputs.indices.filter { index in !pairs.contains { $0.input == index } }
    outputs = signature.outputs.indices.filter { index in !pairs.contains { $0.output == index } }
  }

  /// The inputs and outputs that are no state: what a model without memory would have.
  /// - Parameter signature: The signature that the state was found in.
  /// - Returns: The signature without state.
  public func visible(_ signature: ModelSignature) -> ModelSignature {
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

/// What a recurrent model remembers after an image; belongs to one stream of images.
public struct RecurrentState: Sendable, Hashable {
  /// The content of each state tensor, in the order of `StateTensors.pairs`.
  var tensors: [[UInt8]]
}

extension Session {
  /// Sets the state inputs to zero: the model has seen nothing yet.
  ///
  /// A quantised tensor is filled with its zero point, which stands for the number 0.
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

  /// Copies what the model remembers after its last run.
  /// - Parameter state: The state of this model.
  /// - Returns: The content of the state outputs, for `restore` before the stream's next image.
  public func remembered(_ state: StateTensors) -> RecurrentState {
    RecurrentState(
      tensors: state.pairs.map { pair in
        unsafe withUnsafeOutputBytes(pair.output) { bytes in unsafe [UInt8](bytes) }
      })
  }

  /// Sets the state inputs to what the model remembered, in this or another session.
  /// - Parameters:
  ///   - memory: What `remembered` gave.
  ///   - state: The state of this model.
  /// - Throws: `tensorMismatch` when `memory` is of another model.
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
