// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaRuntime

/// The interface of a model for callers who prepare and decode themselves: its own tensors.
enum TensorInterface {
  /// The suffix of a model's name that selects its tensors.
  static let suffix = "@tensors"

  /// Returns the bytes of a call's inputs in the model's order, with their shapes.
  /// - Throws: A refusal that names the tensor, with the expected and the actual values.
  static func inputs(
    of request: InferRequest, for tensors: [TensorDescription]
  ) throws(Refusal) -> [TensorModel.Value] {
    let names = tensors.map { "'\($0.signatureName)'" }.joined(separator: ", ")
    guard request.inputs.count == tensors.count else {
      throw InferRequest.mismatch(
        "The model expects \(names), but the request has \(request.inputs.count) inputs: "
          + "\(request.inputNames)"
      )
    }
    var values: [TensorModel.Value] = []
    for tensor in tensors {
      guard let input = request.inputs.first(where: { $0.name == tensor.signatureName }) else {
        throw InferRequest.mismatch("The model expects \(names), but the request has \(request.inputNames)")
      }
      values.append(try value(input, tensor))
    }
    return values
  }

  private static func value(
    _ input: InferInput, _ tensor: TensorDescription
  ) throws(Refusal) -> TensorModel.Value {
    let (name, type) = (tensor.signatureName, tensor.elementType)
    guard input.type == type.protocolName else {
      throw InferRequest.mismatch(
        "The input '\(name)' has the type \(type.protocolName), but the request has "
          + "'\(input.type.prefix(20))'"
      )
    }
    let fits =
      input.shape.count == tensor.shape.count
      && zip(input.shape, tensor.shape).allSatisfy { $0 == $1 || $1 < 0 && $0 > 0 }
    var sized = tensor
    sized.shape = input.shape
    guard fits, let elements = sized.elementCount, let count = sized.byteCount else {
      throw InferRequest.mismatch(
        "The input '\(name)' has the shape \(tensor.shape), but the request has \(input.shape.prefix(10))")
    }
    switch input.values {
    case .bytes(let bytes):
      guard bytes.count == count else {
        throw InferRequest.mismatch(
          "The input '\(name)' of the shape \(input.shape) has \(count) bytes, but the request has "
            + "\(bytes.count)"
        )
      }
      return TensorModel.Value(tensor: sized, bytes: Array(bytes))
    case .numbers(let numbers):
      guard numbers.count == elements else {
        throw InferRequest.mismatch(
          "The input '\(name)' of the shape \(input.shape) has \(elements) values, but the request has "
            + "\(numbers.count)"
        )
      }
      guard let bytes = TensorNumbers.bytes(of: numbers, as: type) else {
        throw InferRequest.mismatch(
          "A value of the input '\(name)' is not \(type.protocolName), or JSON cannot represent it: send "
            + "binary data"
        )
      }
      return TensorModel.Value(tensor: sized, bytes: bytes)
    case .texts:
      throw InferRequest.mismatch(
        "The input '\(name)' has the type \(type.protocolName), but the request has strings")
    }
  }
}
#endif
