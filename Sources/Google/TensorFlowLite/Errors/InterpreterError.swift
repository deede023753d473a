// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Why a call of an ``Interpreter`` failed.
///
/// Cases and texts are those of Google's class. Where a case has no room for the reason, the interpreter keeps it:
/// ``Interpreter/failureReason`` after a call that failed, and
/// ``Interpreter/failureReason(modelPath:options:delegates:)`` where no interpreter came to be.
public enum InterpreterError: Error, Equatable, Hashable {
  /// There is no tensor with this index; `maxIndex` is the last one's.
  case invalidTensorIndex(index: Int, maxIndex: Int)
  /// The data have another number of bytes than the input.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// The tensor's elements are of a type that ``Tensor/DataType`` does not have.
  case invalidTensorDataType
  /// The model file is missing, cannot be read, or is no sound TFLite model.
  case failedToLoadModel
  /// The model is sound but cannot run here: LiteRT does not compile it, a delegate was given, which this platform
  /// does not run, or LiteRT's library was not found.
  case failedToCreateInterpreter
  /// The input cannot have the shape.
  case failedToResizeInputTensor(index: Int)
  /// The data could not be copied; not thrown here, since only a wrong number of bytes can go wrong.
  case failedToCopyDataToInputTensor
  /// The graph has an operator that this runtime lacks, cannot work with the shapes of its inputs, or has tensors
  /// whose size is not known before it runs.
  case failedToAllocateTensors
  /// `allocateTensors()` was not called, not since the last resizing, or, from `invoke()`, the model failed while it
  /// ran.
  case allocateTensorsRequired
  /// `invoke()` did not succeed yet with the present shapes, so there is no output.
  case invokeInterpreterRequired
  /// Another failure, with LiteRT's text; not thrown here.
  case tensorFlowLiteError(String)
}

extension InterpreterError: LocalizedError {
  /// What happened, in English, in the words of Google's class.
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
  /// The name that Google's class has for a failure with the tensor at `index`.
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
