// SPDX-License-Identifier: Apache-2.0

import CLiteRT

extension Session {
  /// Returns the note that XNNPACK does not compute a model.
  static func note(_ model: Model) -> String {
    "XNNPACK cannot prepare '\(model.name)', so LiteRT's own kernels compute it, which is slower"
  }

  /// Compiles the model again for LiteRT's own kernels, with the present input shapes.
  /// - Parameter check: A closure that must succeed in addition.
  /// - Returns: Whether everything succeeded; if not, the session is unchanged.
  func goWithoutXNNPACK(_ check: () -> Bool = { true }) -> Bool {
    guard let plain = unsafe try? Self.compile(model, options: options, kernels: .builtin) else {
      return false
    }
    let (first, token) = unsafe (compiled, cancellation)
    let (shapes, answers) = (inputs.map(\.shape), outputs)
    var memory = buffers
    unsafe compiled = unsafe plain
    // The new compiled model has no token yet.
    cancellation = never
    guard allocateAgain(shapes), check() else {
      buffers = memory
      unsafe compiled = unsafe first
      cancellation = token
      unsafe functions.pointee.DestroyCompiledModel(plain)
      for index in inputs.indices { inputs[index].shape = shapes[index] }
      outputs = answers
      return false
    }
    memory = nil
    unsafe functions.pointee.DestroyCompiledModel(first)
    kernels = .builtin
    notes.append(Self.note(model))
    return true
  }

  /// Runs the model once more on the same inputs, without XNNPACK.
  ///
  /// After shapes that the graph computes, XNNPACK prepares its part only during a run.
  /// - Returns: Whether that succeeded; if not, the session is unchanged.
  func runWithoutXNNPACK(cancelledBy token: CancellationToken) -> Bool {
    let written = inputs.indices.map { index in
      unsafe withUnsafeInputBytes(index) { bytes in unsafe [UInt8](bytes) }
    }
    return goWithoutXNNPACK {
      for (index, content) in written.enumerated() {
        unsafe withUnsafeInputBytes(index) { bytes in unsafe bytes.copyBytes(from: content) }
      }
      poll(token)
      return runOnce() == 0
    }
  }

  private func allocateAgain(_ shapes: [[Int]]) -> Bool {
    do throws(RuntimeError) {
      try readInputShapes()
      for index in inputs.indices where inputs[index].shape != shapes[index] {
        try check(resizeTensor(index, shapes[index]), "the shape of input \(index)")
      }
      try makeBuffers()
      return true
    } catch {
      return false
    }
  }
}
