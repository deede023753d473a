// SPDX-License-Identifier: Apache-2.0

import CLiteRT
import Foundation
import FoveaRuntime

/// A model run only through LiteRT's C functions, like a C program: the baseline of the interpreter.
///
/// One input and one output, caller-owned memory, one thread, XNNPACK.
@safe
final class DirectModel {
  // SAFETY: created in init, used by one thread, and never freed, because the process only runs the benchmark.
  private let functions: UnsafePointer<fovea_litert>
  private let compiled: fovea_compiled_model
  private var inputs: [fovea_tensor_buffer]
  private var outputs: [fovea_tensor_buffer]
  private let inputMemory: UnsafeMutableRawBufferPointer
  private let outputMemory: UnsafeMutableRawBufferPointer
  private let file: UnsafeMutableRawBufferPointer

  /// The number of bytes of the input.
  let inputCount: Int
  /// The buffer for the last frame's output, as in a C program.
  let answer: UnsafeMutableRawBufferPointer

  init(path: String) throws {
    let library = try RuntimeLibrary.shared()
    var detail = [CChar](repeating: 0, count: 256)
    var result = FOVEA_LOAD_OK
    guard let functions = unsafe fovea_litert_open(library.path, &result, &detail, detail.count) else {
      throw BenchmarkFailure("LiteRT could not be opened a second time")
    }
    unsafe self.functions = functions
    let options = [
      fovea_environment_option(tag: 25, reserved: 0, value_type: 2, padding: 0, value: 4),
      fovea_environment_option(tag: 24, reserved: 0, value_type: 2, padding: 0, value: 1),
    ]
    var environment: fovea_environment?
    try Self.check(unsafe functions.pointee.CreateEnvironment(2, options, &environment), "environment")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    unsafe file = .allocate(byteCount: bytes.count, alignment: 64)
    unsafe bytes.copyBytes(to: file)
    var model: fovea_model?
    try Self.check(
      unsafe functions.pointee.CreateModelFromBuffer(
        environment.unsafelyUnwrapped, file.baseAddress.unsafelyUnwrapped, file.count, &model), "model")
    unsafe compiled = try Self.compile(
      functions, environment.unsafelyUnwrapped, model.unsafelyUnwrapped)
    let session = try Session(model: try Model(path: path))
    guard session.inputs.count == 1, session.outputs.count == 1 else {
      throw BenchmarkFailure("\(path) does not have one input and one output")
    }
    var buffer: fovea_tensor_buffer?
    unsafe (inputMemory, buffer) = try Self.tensor(functions, session.inputs[0])
    unsafe inputs = [buffer.unsafelyUnwrapped]
    unsafe (outputMemory, buffer) = try Self.tensor(functions, session.outputs[0])
    unsafe outputs = [buffer.unsafelyUnwrapped]
    inputCount = session.inputs[0].byteCount ?? 0
    unsafe answer = .allocate(byteCount: session.outputs[0].byteCount ?? 0, alignment: 64)
  }

  /// Copies the input in, runs, and copies the output out.
  func frame(_ input: UnsafeRawBufferPointer) throws {
    unsafe inputMemory.copyMemory(from: input)
    try Self.check(unsafe functions.pointee.RunCompiledModel(compiled, 0, 1, &inputs, 1, &outputs), "run")
    unsafe answer.copyMemory(from: UnsafeRawBufferPointer(rebasing: outputMemory[..<answer.count]))
  }

  private static func compile(
    _ functions: UnsafePointer<fovea_litert>, _ environment: fovea_environment, _ model: fovea_model
  ) throws -> fovea_compiled_model {
    var options: fovea_options?
    try check(unsafe functions.pointee.CreateOptions(&options), "options")
    try check(
      unsafe functions.pointee.SetOptionsHardwareAccelerators(options.unsafelyUnwrapped, 1), "accelerator")
    var group: fovea_opaque_options?
    try check(
      unsafe functions.pointee.CreateOpaqueOptions(
        "xnnpack", fovea_copy("num_threads = 1\nkernel_mode = \"delegate\"\n"), fovea_free, &group), "threads"
    )
    try check(
      unsafe functions.pointee.AddOpaqueOptions(options.unsafelyUnwrapped, group.unsafelyUnwrapped), "threads"
    )
    var compiled: fovea_compiled_model?
    try check(
      unsafe functions.pointee.CreateCompiledModel(environment, model, options.unsafelyUnwrapped, &compiled),
      "compiled model")
    return unsafe compiled.unsafelyUnwrapped
  }

  private static func tensor(_ functions: UnsafePointer<fovea_litert>, _ description: TensorDescription)
    throws -> (UnsafeMutableRawBufferPointer, fovea_tensor_buffer?)
  {
    let count = description.byteCount ?? 0
    // XNNPACK may read beyond a tensor's end.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 128, alignment: 64)
    var type = fovea_tensor_type()
    type.element_type = Int32(elementType(description))
    type.layout.rank_and_flags = UInt32(description.shape.count)
    unsafe withUnsafeMutableBytes(of: &type.layout.dimensions) { dimensions in
      for (axis, size) in description.shape.enumerated() {
        unsafe dimensions.storeBytes(of: Int32(size), toByteOffset: axis * 4, as: Int32.self)
      }
    }
    var buffer: fovea_tensor_buffer?
    try check(
      unsafe functions.pointee.CreateTensorBufferFromHostMemory(
        &type, memory.baseAddress.unsafelyUnwrapped, count, nil, &buffer), "tensor")
    return unsafe (memory, buffer)
  }

  private static func elementType(_ description: TensorDescription) -> Int {
    switch description.elementType {
    case .uint8: 3
    case .int8: 9
    default: 1
    }
  }

  private static func check(_ status: fovea_status, _ what: String) throws {
    guard status == 0 else { throw BenchmarkFailure("LiteRT returns no \(what): status \(status)") }
  }
}
