// SPDX-License-Identifier: Apache-2.0

/// One way to call a model: its inputs and outputs, in order.
public struct ModelSignature: Sendable, Hashable {
  /// The signature's name, for instance "serving_default"; nil in models without signatures, which have one way.
  public var key: String?
  /// The input tensors, in the order of the signature.
  public var inputs: [TensorDescription]
  /// The output tensors, in the order of the signature.
  public var outputs: [TensorDescription]

  /// Makes a signature.
  public init(key: String?, inputs: [TensorDescription], outputs: [TensorDescription]) {
    self.key = key
    self.inputs = inputs
    self.outputs = outputs
  }
}
