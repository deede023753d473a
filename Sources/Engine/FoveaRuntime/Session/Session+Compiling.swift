// SPDX-License-Identifier: Apache-2.0

import CLiteRT

extension Session {
  /// Compiles a model for the CPU.
  /// - Parameters:
  ///   - model: The model.
  ///   - options: The number of threads.
  ///   - kernels: The kernels that compute the graph.
  /// - Returns: The compiled model, which the caller destroys.
  /// - Throws: `modelUnsupported` with LiteRT's status.
  static func compile(
    _ model: Model, options: SessionOptions, kernels: SessionOptions.Kernels
  ) throws(RuntimeError) -> fovea_compiled_model {
    let library = model.library
    let functions = unsafe library.functions
    func failed(_ status: Int32, _ what: String) -> RuntimeError {
      RuntimeError(
        .modelUnsupported,
        "LiteRT cannot \(what) \(theModel: model.name) (\(RuntimeError.statusText(status)))",
        remedy: "Export it again with built-in operators only")
    }
    var settings: fovea_options?
    var status = unsafe functions.pointee.CreateOptions(&settings)
    guard status == 0, let settings = unsafe settings else { throw failed(status, "create options for") }
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
      guard status == 0, let group = unsafe group else { throw failed(status, "create options for") }
      status = unsafe functions.pointee.AddOpaqueOptions(settings, group)
      guard status == 0 else { throw failed(status, "add options to") }
    }
    RuntimeWork.observer?(.compile(model.name))
    var compiled: fovea_compiled_model?
    library.withoutChatter {
      status = unsafe functions.pointee.CreateCompiledModel(
        library.environment, model.handle, settings, &compiled)
    }
    guard status == 0, let compiled = unsafe compiled else { throw failed(status, "compile") }
    return unsafe compiled
  }
}

/// The expensive LiteRT operations, for tests that count them.
package enum RuntimeWork: Sendable, Hashable {
  /// A model with this name is opened.
  case open(String)
  /// A model with this name is compiled.
  case compile(String)

  /// A closure to call with each such operation of the current task; default: nil.
  @TaskLocal package static var observer: (@Sendable (RuntimeWork) -> Void)?
}
