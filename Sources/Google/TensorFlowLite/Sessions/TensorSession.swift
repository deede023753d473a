// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaRuntime

/// A session with the call order of TensorFlow Lite: inputs are resized, then allocated, then filled, then
/// run.
///
/// Indices refer to the signature, whose tensors LiteRT lists in the order of the graph; they must be in
/// range.
final class TensorSession {
  private enum Phase {
    case resized, allocated, answered
  }

  private let session: Session
  // The shapes of the inputs from the next allocation on.
  private var shapes: [[Int]]
  private var phase = Phase.resized

  /// Compiles a signature of a model; its tensors have no memory yet.
  init(model: Model, options: SessionOptions, signature: Int) throws(RuntimeError) {
    session = try Session(compiling: model, options: options, signature: signature)
    shapes = session.inputs.map(\.shape)
  }

  /// Notes about repairs of the model, and about how it computes if that is unusual.
  var notes: [String] { session.model.notes + session.notes }

  var inputCount: Int { session.inputs.count }
  var outputCount: Int { session.outputs.count }

  func resize(_ index: Int, to shape: [Int]) throws(TensorFailure) {
    guard shape != shapes[index] else { return }
    do { try session.checkShape(shape, ofInput: index) } catch { throw .shapeRefused(error) }
    shapes[index] = shape
    phase = .resized
  }

  func allocate() throws(TensorFailure) {
    guard phase == .resized else { return }
    do { try session.allocate(inputShapes: shapes) } catch { throw .allocationFailed(error) }
    phase = .allocated
  }

  func invoke() throws(TensorFailure) {
    guard phase != .resized else { throw .notAllocated }
    phase = .allocated
    do { try session.run() } catch { throw .runFailed(error) }
    phase = .answered
  }

  /// Fills an input and returns its tensor, which holds the caller's data instead of a copy of the input.
  @discardableResult
  func copy(_ data: Data, to index: Int) throws(TensorFailure) -> Tensor {
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
    // A slice keeps the indices of its base; a tensor's data starts at 0.
    return Tensor(description, dataType: dataType, data: data.startIndex == 0 ? data : Data(data))
  }

  func input(_ index: Int) throws(TensorFailure) -> Tensor {
    guard phase != .resized else { throw .notAllocated }
    let description = session.inputs[index]
    guard let dataType = Tensor.DataType(description.elementType) else { throw .unreadableType }
    let data = unsafe session.withUnsafeInputBytes(index) { unsafe Data(UnsafeRawBufferPointer($0)) }
    return Tensor(description, dataType: dataType, data: data)
  }

  func output(_ index: Int) throws(TensorFailure) -> Tensor {
    guard phase == .answered else { throw .notInvoked }
    let description = session.outputs[index]
    guard let dataType = Tensor.DataType(description.elementType) else { throw .unreadableType }
    let data = unsafe session.withUnsafeOutputBytes(index) { unsafe Data($0) }
    return Tensor(description, dataType: dataType, data: data)
  }
}
