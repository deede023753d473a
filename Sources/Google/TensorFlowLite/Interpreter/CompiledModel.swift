// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaRuntime

/// A model that was read and compiled for an interpreter.
struct CompiledModel {
  /// The source of a model.
  enum Source {
    case path(String)
    case data(Data)
  }

  /// The failure to load a model: the error of Google's class, and the reason, for which it has no field.
  struct Failure: Error {
    var error: InterpreterError
    var reason: String
  }

  let model: Model
  let tensors: TensorSession

  /// Reads and compiles a model; a nil source is a nil path.
  init(_ source: Source?, options: Interpreter.Options?, delegates: [any Delegate]?) throws(Failure) {
    guard let source else {
      throw Failure(error: .failedToLoadModel, reason: "The path is nil. Pass the path of a .tflite file.")
    }
    do throws(RuntimeError) { model = try Self.read(source) } catch {
      let isRuntime = error.code == .libraryMissing || error.code == .libraryUnusable
      throw Failure(
        error: isRuntime ? .failedToCreateInterpreter : .failedToLoadModel, reason: error.description)
    }
    guard delegates?.isEmpty ?? true else {
      throw Failure(
        error: .failedToCreateInterpreter,
        reason: "This platform does not support delegates. Pass none: XNNPACK is always used.")
    }
    do throws(RuntimeError) {
      tensors = try TensorSession(
        model: model, options: options?.session ?? SessionOptions(), signature: model.mainSignature())
    } catch {
      throw Failure(error: .failedToCreateInterpreter, reason: error.description)
    }
  }

  private static func read(_ source: Source) throws(RuntimeError) -> Model {
    switch source {
    case .path(let path): return try Model(path: path)
    case .data(let data):
      let bytes = ModelBytes(count: data.count, name: "model data") { span in
        // SAFETY: the span has as many bytes.
        unsafe span.withUnsafeMutableBytes { bytes in _ = unsafe data.copyBytes(to: bytes) }
      }
      return try Model(bytes)
    }
  }
}
