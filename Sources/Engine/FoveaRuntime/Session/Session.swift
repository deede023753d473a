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
  public internal(set) var outputs: [TensorDescription]
  /// The kernels that compute: those that were asked for, or LiteRT's own where XNNPACK cannot compute the graph.
  public internal(set) var kernels: SessionOptions.Kernels
  /// What its user should know of how the model is computed, a sentence each without the final stop: that XNNPACK could not
  /// compute the graph, so that it runs slower; empty for nearly every model.
  ///
  /// Graphs that compute shapes are prepared while they run, so that the note may come with the first run.
  public internal(set) var notes: [String] = []

  // SAFETY: handles are made in init, used by the session's one owner, and destroyed in deinit in reverse order.
  var compiled: fovea_compiled_model
  let signature: Int
  let options: SessionOptions
  // What LiteRT polls while the model runs; kept alive as long as LiteRT knows it.
  var cancellation: CancellationToken
  // Stands for "no token": no one else has it.
  let never = CancellationToken()
  // Whether XNNPACK, or what computes in its place, has taken the graph.
  private var wasPrepared = false
  // Whether a run has shown what computes the graph, and how often that was tried without XNNPACK: a failure can be the input's.
  private var wasRun = false
  private var retries = 0
  // The memory of all tensors; nil where LiteRT refused it.
  var buffers: TensorBuffers?

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
      notes.append(Self.note(model))
    }
    try readInputShapes()
  }

  deinit {
    buffers = nil
    unsafe functions.pointee.DestroyCompiledModel(compiled)
  }

  // MARK: Running

  /// Runs the model on what the inputs hold; afterwards the outputs hold the answer.
  ///
  /// Where the first run fails with XNNPACK, it is tried once more without.
  /// - Parameter token: Stops the run when another thread cancels it; nil cannot be stopped.
  /// - Throws: `cancelled` when the token was cancelled before or while it ran; `runFailed` with LiteRT's messages.
  public func run(cancelledBy token: CancellationToken? = nil) throws(RuntimeError) {
    let wanted = token ?? never
    poll(wanted)
    guard !cancellation.isCancelled else { throw cancelled() }
    guard isAllocated else {
      throw RuntimeError(
        .runFailed, "The tensors of '\(model.name)' have no memory",
        remedy: "Give its inputs a shape that works")
    }
    let status = runOnce()
    if status != 0 {
      if status == 100 || cancellation.isCancelled { throw cancelled() }
      let error = RuntimeError(
        .runFailed, "The model '\(model.name)' failed while it ran (\(reason(status)))",
        remedy: "Check the model with the tool that exported it; its graph does not fit its own shapes")
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

  /// Lets LiteRT poll a token while the model runs.
  ///
  /// Without a token it must not go on polling an earlier caller's, which may be cancelled at any time.
  func poll(_ token: CancellationToken) {
    guard token !== cancellation else { return }
    unsafe _ = functions.pointee.SetCompiledModelCancellationFunction(
      compiled, UnsafeMutableRawPointer(token.flag), fovea_cancellation_poll)
    cancellation = token
  }

  /// Runs the model on its memory.
  /// - Returns: LiteRT's status.
  func runOnce() -> fovea_status { allocated.run(self) }

  /// Takes the shapes that the outputs have after a run: how many rows there are can depend on the input.
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
          "Output \(index) of '\(model.name)' became \(outputs[index]), for which there is no memory"
            + " (\(capacity) bytes)",
          remedy: "Export the model with a limit for the number of its answers")
      }
      buffers.outputs[index].byteCount = byteCount
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
    unsafe try body(allocated.inputs[index].bytes)
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
    unsafe try body(UnsafeRawBufferPointer(allocated.outputs[index].bytes))
  }

  /// Whether all tensors have memory.
  var isAllocated: Bool { buffers != nil }

  /// The memory, which callers ask for only where there is some.
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

  /// Takes the shapes from LiteRT and makes the memory of all tensors again; on failure none is left.
  ///
  /// Where that fails the first time, it is tried once more without XNNPACK.
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
    RuntimeError(
      .modelUnsupported,
      "LiteRT cannot prepare the model '\(model.name)': \(what) is not available (\(reason(status)))",
      remedy: "Export it again with built-in operators only")
  }

  private func cancelled() -> RuntimeError {
    RuntimeError(.cancelled, "The run of '\(model.name)' was cancelled", remedy: "Run it again")
  }

  /// LiteRT's reason for the last failure: its own messages where there are any, and the status.
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
