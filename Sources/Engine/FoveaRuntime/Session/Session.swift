// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// A model that is ready to run: its compiled form and the memory of its inputs and outputs, allocated once.
///
/// A session has one owner at a time and is not `Sendable`: write the inputs, `run()`, read the outputs. For
/// several callers, create several sessions of one `Model`, such as in a `WorkerPool`.
@safe
public final class Session {
  /// The model that the session runs.
  public let model: Model
  /// The input tensors with their current shapes.
  public internal(set) var inputs: [TensorDescription]
  /// The output tensors with their current shapes.
  public internal(set) var outputs: [TensorDescription]
  /// The kernels in use: the requested ones, or LiteRT's own if XNNPACK cannot compute the graph.
  public internal(set) var kernels: SessionOptions.Kernels
  /// Notes for the user on how the model is computed, for example that it is slower because XNNPACK cannot
  /// compute the graph; each is a sentence without the final full stop.
  ///
  /// Empty for nearly every model.
  ///
  /// Graphs that compute shapes are prepared during a run, so a note may appear only after the first run.
  public internal(set) var notes: [String] = []

  // SAFETY: handles are created in init, used by the session's one owner, and destroyed in deinit in reverse
  // order.
  var compiled: fovea_compiled_model
  let signature: Int
  let options: SessionOptions
  // The token that LiteRT polls during a run; kept alive as long as LiteRT has it.
  var cancellation: CancellationToken
  // A token for runs without one; it is never cancelled.
  let never = CancellationToken()
  // Whether XNNPACK, or its replacement, has accepted the graph.
  private var wasPrepared = false
  // Whether a run has succeeded, and how often a retry without XNNPACK was tried: the input may be the cause
  // of a failure.
  private var wasRun = false
  private var retries = 0
  // The memory of all tensors; nil if LiteRT refused it.
  var buffers: TensorBuffers?

  var functions: UnsafePointer<fovea_litert> { unsafe model.library.functions }

  /// Compiles a model and allocates its tensors.
  /// - Parameters:
  ///   - model: The model; it may be shared by many sessions.
  ///   - options: The threads and kernels.
  ///   - signature: The index of the signature to run, 0 by default.
  /// - Throws: `optionInvalid`, `modelUnsupported` with LiteRT's own messages.
  public convenience init(model: Model, options: SessionOptions = SessionOptions(), signature: Int = 0)
    throws(RuntimeError)
  {
    try self.init(compiling: model, options: options, signature: signature)
    try prepareBuffers()
  }

  /// Compiles a model without allocating its tensors, which `allocate(inputShapes:)` does.
  ///
  /// It is for models that cannot run with their exported shapes, and for callers that choose shapes first.
  /// - Parameters:
  ///   - model: The model; it may be shared by many sessions.
  ///   - options: The threads and kernels.
  ///   - signature: The index of the signature to run.
  /// - Throws: `optionInvalid`, `modelUnsupported` with LiteRT's own messages.
  package init(compiling model: Model, options: SessionOptions, signature: Int) throws(RuntimeError) {
    guard (1...256).contains(options.threads) else {
      throw RuntimeError(
        .optionInvalid, "'threads' is \(options.threads); it must be 1…256",
        remedy: "Set a number of threads in that range")
    }
    guard model.signatures.indices.contains(signature) else {
      throw RuntimeError(
        .optionInvalid, "Signature \(signature) was requested; '\(model.name)' has \(model.signatures.count)",
        remedy: "Use an index below \(model.signatures.count)")
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
      notes.append(Self.note(model))
    }
    try readInputShapes()
  }

  deinit {
    buffers = nil
    unsafe functions.pointee.DestroyCompiledModel(compiled)
  }

  // MARK: Running

  /// Runs the model on the contents of the inputs and writes the results to the outputs.
  ///
  /// If the first run fails with XNNPACK, it is retried once without.
  /// - Parameter token: A token with which another thread can stop the run; nil for none.
  /// - Throws: `cancelled` if the token was cancelled before or during the run; `runFailed` with LiteRT's
  ///   messages.
  public func run(cancelledBy token: CancellationToken? = nil) throws(RuntimeError) {
    let wanted = token ?? never
    poll(wanted)
    guard !cancellation.isCancelled else { throw cancelled() }
    guard isAllocated else {
      throw RuntimeError(
        .runFailed, "The tensors of '\(model.name)' have no memory",
        remedy: "Resize its inputs to shapes that the model supports")
    }
    let status = runOnce()
    if status != 0 {
      if status == 100 || cancellation.isCancelled { throw cancelled() }
      let error = RuntimeError(
        .runFailed, "The model '\(model.name)' failed while it ran (\(reason(status)))",
        remedy: "Check the model with the tool that exported it: its graph does not match its shapes")
      let isOpen = !wasRun && retries < 2 && kernels == .optimized
      if isOpen { retries += 1 }
      guard isOpen, runWithoutXNNPACK(cancelledBy: wanted) else {
        if wanted.isCancelled { throw cancelled() }
        throw error
      }
    }
    wasRun = true
    try readOutputShapes()
  }

  /// Makes LiteRT poll a token during runs.
  ///
  /// Every run sets its token, because an earlier caller's may be cancelled at any time.
  func poll(_ token: CancellationToken) {
    guard token !== cancellation else { return }
    unsafe _ = functions.pointee.SetCompiledModelCancellationFunction(
      compiled, UnsafeMutableRawPointer(token.flag), fovea_cancellation_poll)
    cancellation = token
  }

  /// Runs the model on its memory.
  /// - Returns: LiteRT's status.
  func runOnce() -> fovea_status { allocated.run(self) }

  /// Reads the shapes of the outputs after a run, as the number of rows can depend on the input.
  private func readOutputShapes() throws(RuntimeError) {
    let (count, buffers) = (outputs.count, allocated)
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
      let capacity = buffers.outputs[index].capacity
      guard let byteCount = outputs[index].byteCount, byteCount <= capacity else {
        throw RuntimeError(
          .runFailed,
          "Output \(index) of '\(model.name)' became \(outputs[index]), too large for its memory"
            + " of \(capacity) bytes",
          remedy: "Export the model with a limit on the number of its results")
      }
      buffers.outputs[index].byteCount = byteCount
    }
  }

  // MARK: Tensor memory

  /// Calls `body` with the memory of an input.
  /// - Parameters:
  ///   - index: The index of the input, from 0.
  ///   - body: A closure that writes the bytes; the pointer is 64-byte aligned and must not escape it.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withUnsafeInputBytes<R, E: Error>(
    _ index: Int, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    unsafe try body(allocated.inputs[index].bytes)
  }

  /// Calls `body` with the memory of an output.
  /// - Parameters:
  ///   - index: The index of the output, from 0.
  ///   - body: A closure that reads the bytes; the pointer is 64-byte aligned and must not escape it.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withUnsafeOutputBytes<R, E: Error>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    unsafe try body(UnsafeRawBufferPointer(allocated.outputs[index].bytes))
  }

  /// Whether all tensors have memory.
  var isAllocated: Bool { buffers != nil }

  /// The memory, which callers may use only if `isAllocated`.
  var allocated: TensorBuffers {
    guard let buffers else { preconditionFailure("the tensors of '\(model.name)' have no memory") }
    return buffers
  }

  func readInputShapes() throws(RuntimeError) {
    for index in inputs.indices {
      var layout = fovea_layout()
      try check(
        unsafe functions.pointee.GetCompiledModelInputTensorLayout(compiled, signature, index, &layout),
        "the shape of input \(index)")
      inputs[index].shape = layout.shape
    }
  }

  /// Reads the shapes from LiteRT and reallocates the memory of all tensors; after a failure there is none.
  ///
  /// If that fails the first time, it is retried once without XNNPACK.
  func prepareBuffers() throws(RuntimeError) {
    buffers = nil
    do { try makeBuffers() } catch {
      guard !wasPrepared, kernels == .optimized, goWithoutXNNPACK() else { throw error }
    }
    wasPrepared = true
  }

  func makeBuffers() throws(RuntimeError) {
    try readInputShapes()
    var layouts = [fovea_layout](repeating: fovea_layout(), count: outputs.count)
    try check(
      unsafe functions.pointee.GetCompiledModelOutputTensorLayouts(
        compiled, signature, layouts.count, &layouts, true), "the shape of its outputs")
    for index in outputs.indices { outputs[index].shape = layouts[index].shape }
    buffers = try TensorBuffers(self)
  }

  // MARK: Errors

  func check(_ status: fovea_status, _ what: String) throws(RuntimeError) {
    guard status == 0 else { throw unsupported(what, status) }
  }

  func unsupported(_ what: String, _ status: Int32) -> RuntimeError {
    if let (role, tensor) = emptyTensor {
      return RuntimeError(
        .modelUnsupported,
        "LiteRT cannot prepare \(theModel: model.name): its \(role) is \(tensor), and a side of 0 has no"
          + " values (\(reason(status)))",
        remedy: "Export the model with a fixed size, in Keras: keras.Input((224, 224, 3))")
    }
    return RuntimeError(
      .modelUnsupported,
      "LiteRT cannot prepare \(theModel: model.name): \(what) is not available (\(reason(status)))",
      remedy: "Export it again with built-in operators only")
  }

  /// The first input or output with a side of 0, which needs no memory, so that LiteRT allocates none.
  private var emptyTensor: (role: String, tensor: TensorDescription)? {
    let tensors =
      inputs.enumerated().map { ("input \($0)", $1) } + outputs.enumerated().map { ("output \($0)", $1) }
    return tensors.first { $0.1.shape.contains(0) }
  }

  private func cancelled() -> RuntimeError {
    RuntimeError(.cancelled, "The run of '\(model.name)' was cancelled", remedy: "Run it again")
  }

  /// Returns LiteRT's reason for the last failure: its own messages, if any, and the status.
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
