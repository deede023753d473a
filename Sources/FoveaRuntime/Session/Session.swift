// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// A model made ready to run: its compiled form and the memory of its inputs and outputs, allocated once.
///
/// A session has one owner at a time and is not `Sendable`: write the inputs, `run()`, read the outputs. For several
/// callers make several sessions of one `Model`, for instance in a `WorkerPool`.
@safe
public final class Session {
  /// The model that the session runs.
  public let model: Model
  /// The input tensors, with their present shapes.
  public internal(set) var inputs: [TensorDescription]
  /// The output tensors, with their present shapes.
  public private(set) var outputs: [TensorDescription]
  /// The kernels that compute: those that were asked for, or LiteRT's own where XNNPACK cannot prepare the graph.
  public private(set) var kernels: SessionOptions.Kernels
  /// What its user should know of how the model is computed, a sentence each without the final stop: that XNNPACK could not
  /// prepare the graph, so that it runs slower; empty for nearly every model.
  public private(set) var notes: [String] = []

  // SAFETY: handles are made in init, used by the session's one owner, and destroyed in deinit in reverse order.
  private(set) var compiled: fovea_compiled_model
  let signature: Int
  private let options: SessionOptions
  // What LiteRT polls while the model runs; kept alive as long as LiteRT knows it.
  private var cancellation: CancellationToken
  // Stands for "no token": nobody else has it.
  private let never = CancellationToken()
  // Whether XNNPACK, or what computes in its place, has taken the graph.
  private var wasPrepared = false
  private var inputMemory: [TensorMemory] = []
  private var outputMemory: [OutputMemory] = []
  private var inputBuffers: [fovea_tensor_buffer] = unsafe []
  private var outputBuffers: [fovea_tensor_buffer] = unsafe []

  var functions: UnsafePointer<fovea_litert> { unsafe model.library.functions }

  /// Compiles a model and allocates its tensors.
  /// - Parameters:
  ///   - model: The model; it may be shared by many sessions.
  ///   - options: How to compute.
  ///   - signature: Which of the model's signatures to run, 0 by default.
  /// - Throws: `optionInvalid`, `modelUnsupported` with LiteRT's own messages.
  public convenience init(model: Model, options: SessionOptions = SessionOptions(), signature: Int = 0)
    throws(RuntimeError)
  {
    try self.init(compiling: model, options: options, signature: signature)
    try prepareBuffers()
  }

  /// Compiles a model and leaves its tensors without memory until `allocate(inputShapes:)`.
  ///
  /// For models that cannot work with the shapes they were exported with, and for callers who choose shapes first.
  /// - Parameters:
  ///   - model: The model; it may be shared by many sessions.
  ///   - options: How to compute.
  ///   - signature: Which of the model's signatures to run.
  /// - Throws: `optionInvalid`, `modelUnsupported` with LiteRT's own messages.
  package init(compiling model: Model, options: SessionOptions, signature: Int) throws(RuntimeError) {
    guard (1...256).contains(options.threads) else {
      throw RuntimeError(
        .optionInvalid, "'threads' is \(options.threads); it must be 1…256",
        remedy: "Give a number of threads in that range")
    }
    guard model.signatures.indices.contains(signature) else {
      throw RuntimeError(
        .optionInvalid, "Signature \(signature) was asked for; '\(model.name)' has \(model.signatures.count)",
        remedy: "Give an index below \(model.signatures.count)")
    }
    self.model = model
    self.signature = signature
    self.options = options
    cancellation = never
    inputs = model.signatures[signature].inputs
    outputs = model.signatures[signature].outputs
    do throws(RuntimeError) {
      unsafe compiled = try Self.compile(model, options: options, kernels: options.kernels)
      kernels = options.kernels
    } catch {
      guard options.kernels == .optimized,
        let plain = unsafe try? Self.compile(model, options: options, kernels: .builtin)
      else { throw error }
      unsafe compiled = unsafe plain
      kernels = .builtin
      notes.append(Self.note(model, error))
    }
    try readInputShapes()
  }

  deinit {
    releaseBuffers()
    unsafe functions.pointee.DestroyCompiledModel(compiled)
  }

  // MARK: Running

  /// Runs the model on what the inputs hold; afterwards the outputs hold the answer.
  /// - Parameter token: Stops the run when another thread cancels it; nil cannot be stopped.
  /// - Throws: `cancelled` when the token was cancelled before or while it ran; `runFailed` with LiteRT's messages.
  public func run(cancelledBy token: CancellationToken? = nil) throws(RuntimeError) {
    // Without a token LiteRT must not go on polling an earlier caller's, which may be cancelled at any time.
    let wanted = token ?? never
    if wanted !== cancellation {
      unsafe _ = functions.pointee.SetCompiledModelCancellationFunction(
        compiled, UnsafeMutableRawPointer(wanted.flag), fovea_cancellation_poll)
      cancellation = wanted
    }
    guard !cancellation.isCancelled else { throw cancelled() }
    guard isAllocated else {
      throw RuntimeError(
        .runFailed, "The tensors of '\(model.name)' have no memory",
        remedy: "Give its inputs a shape that works")
    }
    let status = unsafe functions.pointee.RunCompiledModel(
      compiled, signature, inputBuffers.count, &inputBuffers, outputBuffers.count, &outputBuffers)
    guard status == 0 else {
      if status == 100 || cancellation.isCancelled { throw cancelled() }
      throw RuntimeError(
        .runFailed, "The model '\(model.name)' failed while it ran (\(reason(status)))",
        remedy: "Check the model with the tool that exported it; its graph does not fit its own shapes")
    }
    try readOutputShapes()
  }

  /// Takes the shapes that the outputs have after a run: how many rows there are can depend on the input.
  private func readOutputShapes() throws(RuntimeError) {
    let count = outputs.count
    let status = unsafe withUnsafeTemporaryAllocation(of: fovea_layout.self, capacity: max(count, 1)) {
      layouts in
      unsafe layouts.initialize(repeating: fovea_layout())
      let status = unsafe functions.pointee.GetCompiledModelOutputTensorLayouts(
        compiled, signature, count, layouts.baseAddress.unsafelyUnwrapped, false)
      if status == 0 {
        for index in 0..<count where unsafe !layouts[index].has(shape: outputs[index].shape) {
          outputs[index].shape = unsafe layouts[index].shape
        }
      }
      return status
    }
    try check(status, "the shape of its outputs")
    for index in outputs.indices {
      guard let byteCount = outputs[index].byteCount, byteCount <= outputMemory[index].capacity else {
        throw RuntimeError(
          .runFailed,
          "Output \(index) of '\(model.name)' became \(outputs[index]), for which there is no memory"
            + " (\(outputMemory[index].capacity) bytes)",
          remedy: "Export the model with a limit for the number of its answers")
      }
      outputMemory[index].byteCount = byteCount
    }
  }

  // MARK: Tensor memory

  /// Gives the memory of an input for the length of `body`.
  /// - Parameters:
  ///   - index: Which input, from 0.
  ///   - body: Fills the bytes; the pointer is 64-byte aligned and must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withUnsafeInputBytes<R, E: Error>(
    _ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    unsafe try body(inputMemory[index].bytes)
  }

  /// Gives the memory of an output for the length of `body`.
  /// - Parameters:
  ///   - index: Which output, from 0.
  ///   - body: Reads the bytes; the pointer is 64-byte aligned and must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withUnsafeOutputBytes<R, E: Error>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    unsafe try body(UnsafeRawBufferPointer(outputMemory[index].bytes))
  }

  // MARK: Compiling

  private static func compile(
    _ model: Model, options: SessionOptions, kernels: SessionOptions.Kernels
  ) throws(RuntimeError) -> fovea_compiled_model {
    let library = model.library
    let functions = unsafe library.functions
    func failed(_ status: Int32, _ what: String) -> RuntimeError {
      RuntimeError(
        .modelUnsupported,
        "LiteRT cannot \(what) the model '\(model.name)' (\(RuntimeError.statusText(status)))",
        remedy: "Export it again with built-in operators only")
    }
    var settings: fovea_options?
    var status = unsafe functions.pointee.CreateOptions(&settings)
    guard status == 0, let settings = unsafe settings else { throw failed(status, "take options for") }
    defer { unsafe functions.pointee.DestroyOptions(settings) }
    status = unsafe functions.pointee.SetOptionsHardwareAccelerators(settings, 1)
    guard status == 0 else { throw failed(status, "choose the CPU for") }
    let mode =
      switch kernels {
      case .optimized: "delegate"
      case .builtin: "builtin"
      case .reference: "reference"
      }
    let groups = [
      ("xnnpack", "num_threads = \(options.threads)\nkernel_mode = \"\(mode)\"\n"),
      // Mode 2 collects error messages for us instead of printing them.
      ("runtime_options_string", "error_reporter_mode = 2\n"),
    ]
    for (identifier, text) in groups {
      var group: fovea_opaque_options?
      status = unsafe functions.pointee.CreateOpaqueOptions(identifier, fovea_copy(text), fovea_free, &group)
      guard status == 0, let group = unsafe group else { throw failed(status, "take options for") }
      status = unsafe functions.pointee.AddOpaqueOptions(settings, group)
      guard status == 0 else { throw failed(status, "take options for") }
    }
    var compiled: fovea_compiled_model?
    library.withoutChatter {
      status = unsafe functions.pointee.CreateCompiledModel(
        library.environment, model.handle, settings, &compiled)
    }
    guard status == 0, let compiled = unsafe compiled else { throw failed(status, "compile") }
    return unsafe compiled
  }

  /// Whether all tensors have memory.
  var isAllocated: Bool {
    unsafe inputBuffers.count == inputs.count && outputBuffers.count == outputs.count
  }

  private func readInputShapes() throws(RuntimeError) {
    for index in inputs.indices {
      var layout = fovea_layout()
      try check(
        unsafe functions.pointee.GetCompiledModelInputTensorLayout(compiled, signature, index, &layout),
        "the shape of input \(index)")
      inputs[index].shape = layout.shape
    }
  }

  /// Takes the shapes from LiteRT and makes the memory of all tensors anew; on failure none is left.
  ///
  /// Where that fails the first time, it is tried once more without XNNPACK.
  func prepareBuffers() throws(RuntimeError) {
    releaseBuffers()
    do {
      try makeBuffers()
    } catch {
      releaseBuffers()
      guard !wasPrepared, kernels == .optimized, prepareWithoutXNNPACK(error) else { throw error }
    }
    wasPrepared = true
  }

  /// Compiles the model again for LiteRT's own kernels, with the present shapes.
  /// - Returns: Whether that works; else everything is as before.
  private func prepareWithoutXNNPACK(_ failure: RuntimeError) -> Bool {
    guard let plain = unsafe try? Self.compile(model, options: options, kernels: .builtin) else {
      return false
    }
    let (first, shapes) = unsafe (compiled, inputs.map(\.shape))
    unsafe compiled = unsafe plain
    do throws(RuntimeError) {
      try readInputShapes()
      for index in inputs.indices where inputs[index].shape != shapes[index] {
        try check(resizeTensor(index, shapes[index]), "the shape of input \(index)")
      }
      try makeBuffers()
    } catch {
      releaseBuffers()
      unsafe compiled = unsafe first
      unsafe functions.pointee.DestroyCompiledModel(plain)
      for index in inputs.indices { inputs[index].shape = shapes[index] }
      return false
    }
    unsafe functions.pointee.DestroyCompiledModel(first)
    // LiteRT knows the old one's token only.
    cancellation = never
    kernels = .builtin
    notes.append(Self.note(model, failure))
    return true
  }

  private static func note(_ model: Model, _ failure: RuntimeError) -> String {
    "XNNPACK cannot prepare '\(model.name)', so LiteRT's own kernels compute it, which is slower"
  }

  private func makeBuffers() throws(RuntimeError) {
    try readInputShapes()
    var layouts = [fovea_layout](repeating: fovea_layout(), count: outputs.count)
    try check(
      unsafe functions.pointee.GetCompiledModelOutputTensorLayouts(
        compiled, signature, layouts.count, &layouts, true), "the shape of its outputs")
    for index in outputs.indices { outputs[index].shape = layouts[index].shape }
    for index in inputs.indices {
      var requirements: fovea_buffer_requirements?
      unsafe try check(
        functions.pointee.GetCompiledModelInputBufferRequirements(compiled, signature, index, &requirements),
        "the size of input \(index)")
      let (memory, buffer) = unsafe try makeBuffer(inputs[index], requirements, "input \(index)")
      inputMemory.append(memory)
      unsafe inputBuffers.append(buffer)
    }
    for index in outputs.indices {
      var requirements: fovea_buffer_requirements?
      unsafe try check(
        functions.pointee.GetCompiledModelOutputBufferRequirements(compiled, signature, index, &requirements),
        "the size of output \(index)")
      let (memory, buffer) = unsafe try makeOutputBuffer(outputs[index], requirements, "output \(index)")
      outputMemory.append(memory)
      unsafe outputBuffers.append(buffer)
    }
  }

  private func makeBuffer(
    _ tensor: TensorDescription, _ requirements: fovea_buffer_requirements?, _ what: String
  ) throws(RuntimeError) -> (TensorMemory, fovea_tensor_buffer) {
    let (byteCount, required) = unsafe try size(of: tensor, requirements, what)
    let memory = TensorMemory(byteCount: byteCount, required: required)
    let buffer = unsafe try wrap(memory.address, max(byteCount, required), as: tensor, what)
    return unsafe (memory, buffer)
  }

  private func makeOutputBuffer(
    _ tensor: TensorDescription, _ requirements: fovea_buffer_requirements?, _ what: String
  ) throws(RuntimeError) -> (OutputMemory, fovea_tensor_buffer) {
    let (byteCount, required) = unsafe try size(of: tensor, requirements, what)
    guard let memory = OutputMemory(byteCount: byteCount, required: required) else {
      throw unsupported("memory for \(what)", 2)
    }
    // All of the memory, so that LiteRT takes it again when the output has grown.
    let buffer = unsafe try wrap(memory.address, memory.capacity, as: tensor, what)
    return unsafe (memory, buffer)
  }

  /// The bytes of a tensor, and those that LiteRT asks for.
  private func size(
    of tensor: TensorDescription, _ requirements: fovea_buffer_requirements?, _ what: String
  ) throws(RuntimeError) -> (byteCount: Int, required: Int) {
    guard let byteCount = tensor.byteCount, let requirements = unsafe requirements else {
      throw RuntimeError(
        .modelUnsupported, "\(what) of '\(model.name)', \(tensor), has no size that is known before it runs",
        remedy: "Export the model with fixed shapes and without text tensors")
    }
    var required = 0
    unsafe try check(
      functions.pointee.GetTensorBufferRequirementsBufferSize(requirements, &required), "the size of \(what)")
    guard max(byteCount, required) <= Self.maximumTensorBytes else {
      throw RuntimeError(
        .modelUnsupported,
        "\(what) of '\(model.name)', \(tensor), needs \(max(byteCount, required)) bytes; "
          + "at most \(Self.maximumTensorBytes) are given",
        remedy: "Give the inputs smaller shapes")
    }
    return (byteCount, required)
  }

  private func wrap(
    _ address: UnsafeMutableRawPointer, _ size: Int, as tensor: TensorDescription, _ what: String
  ) throws(RuntimeError) -> fovea_tensor_buffer {
    var type = fovea_tensor_type()
    type.element_type = tensor.elementType.id
    type.layout = fovea_layout(shape: tensor.shape)
    var buffer: fovea_tensor_buffer?
    unsafe try check(
      functions.pointee.CreateTensorBufferFromHostMemory(&type, address, size, nil, &buffer),
      "memory for \(what)")
    guard let buffer = unsafe buffer else { throw unsupported("memory for \(what)", 2) }
    return unsafe buffer
  }

  private func releaseBuffers() {
    for index in unsafe outputBuffers.indices.reversed() {
      unsafe functions.pointee.DestroyTensorBuffer(outputBuffers[index])
    }
    for index in unsafe inputBuffers.indices.reversed() {
      unsafe functions.pointee.DestroyTensorBuffer(inputBuffers[index])
    }
    unsafe outputBuffers = []
    unsafe inputBuffers = []
    outputMemory = []
    inputMemory = []
  }

  // MARK: Errors

  private func check(_ status: fovea_status, _ what: String) throws(RuntimeError) {
    guard status == 0 else { throw unsupported(what, status) }
  }

  private func unsupported(_ what: String, _ status: Int32) -> RuntimeError {
    RuntimeError(
      .modelUnsupported,
      "LiteRT cannot prepare the model '\(model.name)': \(what) is not available (\(reason(status)))",
      remedy: "Export it again with built-in operators only")
  }

  private func cancelled() -> RuntimeError {
    RuntimeError(.cancelled, "The run of '\(model.name)' was cancelled", remedy: "Run it again")
  }

  /// What LiteRT says of the last failure: its own messages where there are any, and the status.
  func reason(_ status: Int32) -> String {
    var messages: UnsafeMutablePointer<CChar>?
    guard unsafe functions.pointee.CompiledModelGetErrorMessages(compiled, &messages) == 0,
      let messages = unsafe messages
    else { return RuntimeError.statusText(status) }
    defer { unsafe fovea_free(messages) }
    unsafe _ = functions.pointee.CompiledModelClearErrors(compiled)
    let text = unsafe String(cString: messages).split(whereSeparator: \.isNewline).joined(separator: "; ")
    return text.isEmpty ? RuntimeError.statusText(status) : "\(text); \(RuntimeError.statusText(status))"
  }
}

extension fovea_layout {
  /// Whether this is the layout of a tensor of a shape.
  fileprivate func has(shape: [Int]) -> Bool {
    guard Int(rank_and_flags & 0x7F) == shape.count, shape.count <= 8 else { return false }
    return unsafe withUnsafeBytes(of: dimensions) { bytes in
      let sizes = unsafe bytes.bindMemory(to: Int32.self)
      return shape.indices.allSatisfy { unsafe Int(sizes[$0]) == shape[$0] }
    }
  }

  /// A layout of at most eight dimensions, without strides.
  fileprivate init(shape: [Int]) {
    self.init()
    let sizes =
      shape.prefix(8).map { Int32(clamping: $0) } + Array(repeating: 0, count: max(0, 8 - shape.count))
    rank_and_flags = UInt32(min(shape.count, 8))
    dimensions = (sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6], sizes[7])
  }
}
