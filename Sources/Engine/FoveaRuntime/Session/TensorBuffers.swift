// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// The memory of all tensors of a session, for their shapes at its creation, and LiteRT's handles to it.
@safe
final class TensorBuffers {
  private(set) var inputs: [TensorMemory] = []
  var outputs: [OutputMemory] = []
  private let model: Model
  // SAFETY: handles are created in init, lent to LiteRT during a run, and destroyed in deinit in reverse
  // order.
  private var inputHandles: [fovea_tensor_buffer] = unsafe []
  private var outputHandles: [fovea_tensor_buffer] = unsafe []

  /// Allocates the memory for a session's tensors.
  /// - Parameter session: The session, whose shapes were read from LiteRT.
  /// - Throws: `modelUnsupported` for a tensor that is too large or of unknown size, or with LiteRT's
  ///   messages.
  init(_ session: Session) throws(RuntimeError) {
    model = session.model
    let (functions, compiled) = unsafe (session.functions, session.compiled)
    for (index, tensor) in session.inputs.enumerated() {
      var requirements: fovea_buffer_requirements?
      unsafe try session.check(
        functions.pointee.GetCompiledModelInputBufferRequirements(
          compiled, session.signature, index, &requirements), "the size of input \(index)")
      let size = unsafe try Self.size(of: tensor, requirements, "input \(index)", session)
      let memory = TensorMemory(byteCount: size.byteCount, required: size.required)
      let capacity = max(size.byteCount, size.required)
      unsafe inputHandles.append(
        try Self.wrap(memory.address, capacity, as: tensor, "input \(index)", session))
      inputs.append(memory)
    }
    for (index, tensor) in session.outputs.enumerated() {
      var requirements: fovea_buffer_requirements?
      unsafe try session.check(
        functions.pointee.GetCompiledModelOutputBufferRequirements(
          compiled, session.signature, index, &requirements), "the size of output \(index)")
      let size = unsafe try Self.size(of: tensor, requirements, "output \(index)", session)
      guard let memory = OutputMemory(byteCount: size.byteCount, required: size.required) else {
        throw session.unsupported("memory for output \(index)", 2)
      }
      // The handle covers all of the memory, so that LiteRT accepts it after the output has grown.
      unsafe outputHandles.append(
        try Self.wrap(memory.address, memory.capacity, as: tensor, "output \(index)", session))
      outputs.append(memory)
    }
  }

  deinit {
    let functions = unsafe model.library.functions
    for index in unsafe outputHandles.indices.reversed() {
      unsafe functions.pointee.DestroyTensorBuffer(outputHandles[index])
    }
    for index in unsafe inputHandles.indices.reversed() {
      unsafe functions.pointee.DestroyTensorBuffer(inputHandles[index])
    }
  }

  /// Runs a session's model on this memory.
  /// - Returns: LiteRT's status.
  func run(_ session: Session) -> fovea_status {
    unsafe session.functions.pointee.RunCompiledModel(
      session.compiled, session.signature, inputHandles.count, &inputHandles, outputHandles.count,
      &outputHandles)
  }

  /// Returns the size of a tensor in bytes, and the size that LiteRT requires.
  private static func size(
    of tensor: TensorDescription, _ requirements: fovea_buffer_requirements?, _ what: String,
    _ session: Session
  ) throws(RuntimeError) -> (byteCount: Int, required: Int) {
    guard let byteCount = tensor.byteCount, let requirements = unsafe requirements else {
      throw RuntimeError(
        .modelUnsupported,
        "\(what) of '\(session.model.name)', \(tensor), has a size that is unknown before it runs",
        remedy: "Export the model with fixed shapes and without text tensors")
    }
    var required = 0
    unsafe try session.check(
      session.functions.pointee.GetTensorBufferRequirementsBufferSize(requirements, &required),
      "the size of \(what)")
    guard max(byteCount, required) <= Session.maximumTensorBytes else {
      throw RuntimeError(
        .modelUnsupported,
        "\(what) of '\(session.model.name)', \(tensor), needs \(max(byteCount, required)) bytes; "
          + "at most \(Session.maximumTensorBytes) are allowed",
        remedy: "Resize the inputs to smaller shapes")
    }
    return (byteCount, required)
  }

  private static func wrap(
    _ address: UnsafeMutableRawPointer, _ size: Int, as tensor: TensorDescription, _ what: String,
    _ session: Session
  ) throws(RuntimeError) -> fovea_tensor_buffer {
    var type = fovea_tensor_type()
    type.element_type = tensor.elementType.id
    type.layout = fovea_layout(shape: tensor.shape)
    var buffer: fovea_tensor_buffer?
    unsafe try session.check(
      session.functions.pointee.CreateTensorBufferFromHostMemory(&type, address, size, nil, &buffer),
      "memory for \(what)")
    guard let buffer = unsafe buffer else { throw session.unsupported("memory for \(what)", 2) }
    return unsafe buffer
  }
}

/// The memory of one tensor of a session.
@safe
struct TensorMemory {
  // XNNPACK may read up to 128 bytes beyond a tensor's end.
  private static let margin = 128

  private let storage: AlignedBytes
  private let byteCount: Int

  init(byteCount: Int, required: Int) {
    storage = AlignedBytes(byteCount: max(byteCount, required) + Self.margin)
    self.byteCount = byteCount
  }

  /// The start of the tensor.
  var address: UnsafeMutableRawPointer { unsafe storage.memory.baseAddress.unsafelyUnwrapped }

  /// The tensor's own bytes, without the margin.
  var bytes: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: address, count: byteCount)
  }
}

extension fovea_layout {
  /// Returns whether this is the layout of a tensor with that shape.
  func has(shape: [Int]) -> Bool {
    guard Int(rank_and_flags & 0x7F) == shape.count, shape.count <= 8 else { return false }
    return unsafe withUnsafeBytes(of: dimensions) { bytes in
      let sizes = unsafe bytes.bindMemory(to: Int32.self)
      return shape.indices.allSatisfy { unsafe Int(sizes[$0]) == shape[$0] }
    }
  }

  /// Creates a layout of at most eight dimensions, without strides.
  init(shape: [Int]) {
    self.init()
    let sizes =
      shape.prefix(8).map { Int32(clamping: $0) } + Array(repeating: 0, count: max(0, 8 - shape.count))
    rank_and_flags = UInt32(min(shape.count, 8))
    dimensions = (sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6], sizes[7])
  }
}
