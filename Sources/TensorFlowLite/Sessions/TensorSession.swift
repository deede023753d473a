// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import FoveaRuntime

/// A session as TensorFlow Lite's callers see one: inputs are resized, then allocated, then filled, then run.
///
/// Positions are those of the caller's lists; they must be in range.
final class TensorSession {
  private enum Phase {
    case resized, allocated, answered
  }

  private let session: Session
  // For each input and output of the caller's lists its position in the session's.
  private let inputOrder: [Int]
  private let outputOrder: [Int]
  // What the inputs are to have from the next allocation on, in the session's order.
  private var shapes: [[Int]]
  private var phase = Phase.resized

  /// Compiles a signature of a model; its tensors have no memory yet.
  init(model: Model, options: SessionOptions, signature: Int, inputs: [Int], outputs: [Int])
    throws(RuntimeError)
  {
    session = try Session(compiling: model, options: options, signature: signature)
    inputOrder = inputs
    outputOrder = outputs
    shapes = session.inputs.map(\.shape)
  }

  var inputCount: Int { inputOrder.count }
  var outputCount: Int { outputOrder.count }

  func resize(_ position: Int, to shape: [Int]) throws(TensorFailure) {
    let index = inputOrder[position]
    guard shape != shapes[index] else { return }
    do {
      try session.checkShape(shape, ofInput: index)
    } catch {
      throw .shapeRefused(error)
    }
    shapes[index] = shape
    phase = .resized
  }

  func allocate() throws(TensorFailure) {
    guard phase == .resized else { return }
    do {
      try session.allocate(inputShapes: shapes)
    } catch {
      throw .allocationFailed(error)
    }
    phase = .allocated
  }

  func invoke() throws(TensorFailure) {
    guard phase != .resized else { throw .notAllocated }
    phase = .allocated
    do {
      try session.run()
    } catch {
      throw .runFailed(error)
    }
    phase = .answered
  }

  /// Fills an input and gives the tensor that it then is, with the caller's own data instead of a copy of the input.
  @discardableResult
  func copy(_ data: Data, to position: Int) throws(TensorFailure) -> Tensor {
    let index = inputOrder[position]
    var description = session.inputs[index]
    description.shape = shapes[index]
    guard let required = description.byteCount, let dataType = Tensor.DataType(description.elementType) else {
      throw .unreadableType
    }
    guard data.count == required else { throw .wrongByteCount(provided: data.count, required: required) }
    guard phase != .resized else { throw .notAllocated }
    unsafe session.withUnsafeInputBytes(index) { bytes in
      // SAFETY: both have `required` bytes.
      unsafe data.withUnsafeBytes { source in unsafe bytes.copyMemory(from: source) }
    }
    // A slice of other data keeps its indices; a tensor's begin at 0.
    return Tensor(description, dataType: dataType, data: data.startIndex == 0 ? data : Data(data))
  }

  func input(_ position: Int) throws(TensorFailure) -> Tensor {
    let index = inputOrder[position]
    guard phase != .resized else { throw .notAllocated }
    let description = session.inputs[index]
    guard let dataType = Tensor.DataType(description.elementType) else { throw .unreadableType }
    let data = unsafe session.withUnsafeInputBytes(index) { unsafe Data(UnsafeRawBufferPointer($0)) }
    return Tensor(description, dataType: dataType, data: data)
  }

  func output(_ position: Int) throws(TensorFailure) -> Tensor {
    let index = outputOrder[position]
    guard phase == .answered else { throw .notInvoked }
    let description = session.outputs[index]
    guard let dataType = Tensor.DataType(description.elementType) else { throw .unreadableType }
    let data = unsafe session.withUnsafeOutputBytes(index) { unsafe Data($0) }
    return Tensor(description, dataType: dataType, data: data)
  }
}
