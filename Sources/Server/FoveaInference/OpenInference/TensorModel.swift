// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaRuntime
import Synchronization

/// A model's graph without Fovea's knowledge about it: tensors in, tensors out.
///
/// Its sessions are created at the first call: most servers only receive images.
package final class TensorModel: Sendable {
  /// A tensor with its values.
  struct Value: Sendable {
    /// The name, type and shape of this value.
    var tensor: TensorDescription
    /// The elements in row-major order, little endian.
    var bytes: [UInt8]
  }

  /// The inputs of a call; -1 is a size that the call chooses.
  let inputs: [TensorDescription]
  /// The outputs for the metadata.
  let outputs: [TensorDescription]
  private let model: Model
  private let count: Int
  private let pool = Mutex<Task<WorkerPool<Session>, any Error>?>(nil)

  /// Uses a model's first signature, with as many sessions as calls may run at a time.
  init(_ model: Model, inputs: [TensorDescription], outputs: [TensorDescription], sessions: Int) {
    let stated = model.signatures.first?.inputs ?? []
    // The caller chooses the sizes that the file leaves open; the others are the model's sizes at run time.
    self.inputs = zip(stated, inputs).map { $0.shape.contains { $0 < 0 } ? $0 : $1 }
    self.outputs = outputs
    self.model = model
    count = sessions
  }

  /// Runs the graph.
  /// - Parameter values: A value for each input, in order.
  /// - Returns: The outputs, with their shapes in this run.
  /// - Throws: `FoveaError` if the graph refuses a shape or fails; `cancelled`.
  func run(_ values: [Value]) async throws -> [Value] {
    try await sessions().callCancellable { session, token in
      try TensorModel.run(values, on: session, token)
    }
  }

  private static func run(
    _ values: [Value], on session: Session, _ token: CancellationToken
  ) throws(RuntimeError) -> [Value] {
    try session.allocate(inputShapes: values.map(\.tensor.shape))
    for (index, value) in values.enumerated() {
      // SAFETY: copies no more bytes than the shorter of the two has; the caller has checked that they are
      // equal.
      unsafe session.withUnsafeInputBytes(index) { target in
        unsafe target.copyBytes(from: value.bytes.prefix(target.count))
      }
    }
    try session.run(cancelledBy: token)
    return session.outputs.indices.map { index in
      // SAFETY: the bytes are copied before the session runs again.
      unsafe session.withUnsafeOutputBytes(index) { bytes in
        Value(tensor: session.outputs[index], bytes: unsafe Array(bytes))
      }
    }
  }

  /// Returns the sessions, created once, or again after a failure.
  private func sessions() async throws -> WorkerPool<Session> {
    let task = pool.withLock { pool in
      if let pool { return pool }
      let task = Task { [model, count] in
        try await WorkerPool(count: count) {
          try Session(model: model, options: SessionOptions(threads: 1))
        }
      }
      pool = task
      return task
    }
    do { return try await task.value } catch {
      pool.withLock { if $0 == task { $0 = nil } }
      if let error = error as? RuntimeError { throw FoveaError(error) }
      throw error
    }
  }
}
#endif
