// SPDX-License-Identifier: Apache-2.0

import CLiteRT

extension Session {
  /// Changes the shape of an input; the shapes of the outputs follow, and all tensor contents are lost.
  /// - Parameters:
  ///   - index: The index of the input.
  ///   - shape: The new shape; of the same rank, all sizes 1 or more.
  /// - Throws: `tensorMismatch` for a shape that the model rejects, `modelUnsupported`; the session then
  ///   keeps its old shapes if LiteRT can restore them.
  public func resizeInput(_ index: Int, to shape: [Int]) throws(RuntimeError) {
    precondition(inputs.indices.contains(index), "input \(index) of \(inputs.count)")
    guard shape != inputs[index].shape else { return }
    var shapes = inputs.map(\.shape)
    shapes[index] = shape
    try allocate(inputShapes: shapes)
  }

  /// Sets the shapes of all inputs in one step and allocates the zeroed memory of all tensors.
  ///
  /// Inputs whose shapes depend on each other can change only together.
  /// - Parameter shapes: A shape for each input, of the same rank as now, all changed sizes 1 or more.
  /// - Throws: `tensorMismatch` for shapes that the model rejects, `modelUnsupported`; the session then
  ///   restores its old shapes, and has no memory if LiteRT rejects those too.
  package func allocate(inputShapes shapes: [[Int]]) throws(RuntimeError) {
    precondition(shapes.count == inputs.count, "\(shapes.count) shapes for \(inputs.count) inputs")
    let before = inputs
    let changed = inputs.indices.filter { shapes[$0] != before[$0].shape }
    guard let first = changed.first else {
      if !isAllocated { try prepareBuffers() }
      return
    }
    for index in changed {
      try checkShape(shapes[index], ofInput: index)
      try checkSize(shapes[index], ofInput: index)
    }
    var (refused, reason) = (first, "")
    for index in changed {
      let status = resizeTensor(index, shapes[index])
      guard status == 0 else {
        (refused, reason) = (index, self.reason(status))
        break
      }
      inputs[index].shape = shapes[index]
    }
    if reason.isEmpty {
      do {
        try prepareBuffers()
        return
      } catch {
        reason = error.message
      }
    }
    // The graph does not support these shapes: restore the old ones, so that the session stays usable.
    inputs = before
    for index in changed { _ = resizeTensor(index, before[index].shape) }
    try? prepareBuffers()
    throw shapeRefused(refused, shapes[refused], reason)
  }

  /// Verifies an input's new shape as far as possible without LiteRT.
  /// - Parameters:
  ///   - shape: The new shape.
  ///   - index: The index of the input.
  /// - Throws: `tensorMismatch` if the rank differs or a size is not 1…2³¹ − 1.
  package func checkShape(_ shape: [Int], ofInput index: Int) throws(RuntimeError) {
    let rank = inputs[index].shape.count
    guard shape.count == rank, shape.allSatisfy({ $0 > 0 && $0 <= Int(Int32.max) }) else {
      throw shapeRefused(index, shape, "its rank is \(rank), and sizes are 1 or more")
    }
  }

  /// Verifies that an input is not larger than `maximumTensorBytes`.
  private func checkSize(_ shape: [Int], ofInput index: Int) throws(RuntimeError) {
    var resized = inputs[index]
    resized.shape = shape
    guard let count = resized.byteCount, count <= Self.maximumTensorBytes else {
      let bytes = resized.byteCount.map { "\($0) bytes are" } ?? "bytes are"
      throw shapeRefused(index, shape, "its \(bytes) more than \(Self.maximumTensorBytes)")
    }
  }

  /// The maximum size of an input or output, 512 MiB: more is a mistake, and could crash the process.
  static let maximumTensorBytes = 512 << 20

  func resizeTensor(_ index: Int, _ shape: [Int]) -> fovea_status {
    let sizes = shape.map { Int32(clamping: $0) }
    return unsafe functions.pointee.CompiledModelResizeInputTensorNonStrict(
      compiled, signature, index, sizes, sizes.count)
  }

  private func shapeRefused(_ index: Int, _ shape: [Int], _ reason: String) -> RuntimeError {
    RuntimeError(
      .tensorMismatch,
      "Input \(index) of '\(model.name)', \(inputs[index]), cannot take the shape \(shape): \(reason)",
      remedy: "Use the model's own shape, or export it with a dynamic one")
  }
}
