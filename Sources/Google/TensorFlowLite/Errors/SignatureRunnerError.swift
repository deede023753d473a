// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The error of a failed call to a ``SignatureRunner``.
///
/// The cases and their descriptions are the same as in Google's class; ``SignatureRunner/failureReason``
/// reports further details.
public enum SignatureRunnerError: Error, Equatable, Hashable {
  /// The number of bytes does not match the size of the input.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// The element type of the tensor is not in ``Tensor/DataType``.
  case invalidTensorDataType
  /// The model has no signature of this name, or it cannot run here.
  case failedToCreateSignatureRunner(signatureKey: String)
  /// The signature has no tensor of this name; `tensorType` is "input" or "output".
  case failedToGetTensor(tensorType: String, nameInSignature: String)
  /// The input does not accept the requested shape.
  case failedToResizeInputTensor(inputName: String)
  /// The data could not be copied; not thrown here, since only a wrong number of bytes can cause a failure.
  case failedToCopyDataToInputTensor
  /// The graph has an operator that this runtime does not support, does not accept the shapes of its inputs,
  /// or has tensors whose size is not known before it runs.
  case failedToAllocateTensors
  /// The model failed while it ran.
  case failedToInvokeSignature(signatureKey: String)
  /// `allocateTensors()` was not called since an input was resized, or, from `output(named:)`, nothing has
  /// run yet.
  case allocateTensorsRequired
}

extension SignatureRunnerError: LocalizedError {
  /// The error in English, with the text of Google's class.
  public var errorDescription: String? {
    switch self {
    case .invalidTensorDataCount(let provided, let required):
      "Provided data count \(provided) must match the required count \(required)."
    case .invalidTensorDataType:
      "Tensor data type is unsupported or could not be determined due to a model error."
    case .failedToCreateSignatureRunner(let signatureKey):
      "Failed to create a signature runner. Signature with key (\(signatureKey)) not found."
    case .failedToGetTensor(let tensorType, let nameInSignature):
      "Failed to get \(tensorType) tensor with \(tensorType) name (\(nameInSignature))."
    case .failedToResizeInputTensor(let inputName):
      "Failed to resize input tensor with input name (\(inputName))."
    case .failedToCopyDataToInputTensor: "Failed to copy data to input tensor."
    case .failedToAllocateTensors: "Failed to allocate memory for input tensors."
    case .failedToInvokeSignature(let signatureKey):
      "Failed to invoke the signature runner with key (\(signatureKey))."
    case .allocateTensorsRequired: "Must call allocateTensors()."
    }
  }
}

extension SignatureRunnerError: CustomStringConvertible {
  /// The same as `errorDescription`.
  public var description: String { errorDescription ?? "Unknown error." }
}

extension SignatureRunnerError {
  /// Converts a failure with the tensor `name` of the signature `key` to the error of Google's class.
  init(_ failure: TensorFailure, name: String, key: String) {
    self =
      switch failure {
      case .wrongByteCount(let provided, let required):
        .invalidTensorDataCount(provided: provided, required: required)
      case .unreadableType: .invalidTensorDataType
      case .shapeRefused: .failedToResizeInputTensor(inputName: name)
      case .allocationFailed: .failedToAllocateTensors
      case .notAllocated, .notInvoked: .allocateTensorsRequired
      case .runFailed: .failedToInvokeSignature(signatureKey: key)
      }
  }
}
