// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The error of a failed call of an ``Interpreter``.
///
/// The cases and their descriptions are the same as in Google's class. If a case has no field for the reason,
/// the interpreter reports it: ``Interpreter/failureReason`` after a failed call, and
/// ``Interpreter/failureReason(modelPath:options:delegates:)`` if the initializer failed.
public enum InterpreterError: Error, Equatable, Hashable {
  /// There is no tensor with this index; `maxIndex` is the last valid index.
  case invalidTensorIndex(index: Int, maxIndex: Int)
  /// The number of bytes does not match the size of the input.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// The element type of the tensor is not in ``Tensor/DataType``.
  case invalidTensorDataType
  /// The model file is missing, unreadable, or not a valid TFLite model.
  case failedToLoadModel
  /// The model is valid but cannot run here: LiteRT does not compile it, a delegate was given, which this
  /// platform does not support, or LiteRT's library was not found.
  case failedToCreateInterpreter
  /// The input cannot have the shape.
  case failedToResizeInputTensor(index: Int)
  /// The data could not be copied; not thrown here, since only a wrong number of bytes can cause a failure.
  case failedToCopyDataToInputTensor
  /// The graph has an operator that this runtime does not support, does not accept the shapes of its inputs,
  /// or has tensors whose size is not known before it runs.
  case failedToAllocateTensors
  /// `allocateTensors()` was not called since the interpreter was created or an input was resized, or, from
  /// `invoke()`, the model failed while it ran.
  case allocateTensorsRequired
  /// `invoke()` has not succeeded yet with the current shapes, so there are no outputs.
  case invokeInterpreterRequired
  /// Another failure, with LiteRT's text; not thrown here.
  case tensorFlowLiteError(String)
}

extension InterpreterError: LocalizedError {
  /// The error in English, with the text of Google's class.
  public var errorDescription: String? {
    switch self {
    case .invalidTensorIndex(let index, let maxIndex):
      "Invalid tensor index \(index), max index is \(maxIndex)."
    case .invalidTensorDataCount(let provided, let required):
      "Provided data count \(provided) must match the required count \(required)."
    case .invalidTensorDataType:
      "Tensor data type is unsupported or could not be determined due to a model error."
    case .failedToLoadModel: "Failed to load the given model."
    case .failedToCreateInterpreter: "Failed to create the interpreter."
    case .failedToResizeInputTensor(let index): "Failed to resize input tensor at index \(index)."
    case .failedToCopyDataToInputTensor: "Failed to copy data to input tensor."
    case .failedToAllocateTensors: "Failed to allocate memory for input tensors."
    case .allocateTensorsRequired: "Must call allocateTensors()."
    case .invokeInterpreterRequired: "Must call invoke()."
    case .tensorFlowLiteError(let message): "TensorFlow Lite Error: \(message)"
    }
  }
}

extension InterpreterError: CustomStringConvertible {
  /// The same as `errorDescription`.
  public var description: String { errorDescription ?? "Unknown error." }
}

extension InterpreterError {
  /// Converts a failure with the tensor at `index` to the error of Google's class.
  init(_ failure: TensorFailure, index: Int) {
    self =
      switch failure {
      case .wrongByteCount(let provided, let required):
        .invalidTensorDataCount(provided: provided, required: required)
      case .unreadableType: .invalidTensorDataType
      case .shapeRefused: .failedToResizeInputTensor(index: index)
      case .allocationFailed: .failedToAllocateTensors
      case .notAllocated, .runFailed: .allocateTensorsRequired
      case .notInvoked: .invokeInterpreterRequired
      }
  }
}
