// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaRuntime

/// Runs a TFLite model: bytes in, bytes out.
///
/// Create it, call `allocateTensors()`, then for each image `copy(_:toInputAt:)`, `invoke()` and
/// `output(at:)`. Inputs and outputs are in the order of the model's graph, regardless of its signatures. A
/// quantised model computes with the integers that it stores.
///
/// An interpreter is for one thread at a time, like Google's, and is not `Sendable`: give each thread its
/// own.
public final class Interpreter {
  /// The options that were passed to the initializer.
  public let options: Options?

  /// The delegates that were passed to the initializer; nil or empty, since this platform supports none.
  public let delegates: [any Delegate]?

  /// The reason for the last failure, with a remedy; nil if no call failed or its error is complete.
  ///
  /// For instance LiteRT's own messages after `failedToAllocateTensors`, or after an
  /// `allocateTensorsRequired` that `invoke()` threw because the model failed while it ran. Google's class
  /// has no equivalent.
  public private(set) var failureReason: String?

  /// Repairs that were made to the model in memory before LiteRT read it, and a note if XNNPACK cannot
  /// compute it.
  ///
  /// Each is a sentence without the final period; empty for nearly every model. Google's class has no
  /// equivalent.
  public var notes: [String] { tensors.notes }

  private let model: Model
  private let tensors: TensorSession

  private init(_ source: CompiledModel.Source?, _ options: Options?, _ delegates: [any Delegate]?) throws {
    do throws(CompiledModel.Failure) {
      let loaded = try CompiledModel(source, options: options, delegates: delegates)
      model = loaded.model
      tensors = loaded.tensors
    } catch {
      throw error.error
    }
    self.options = options
    self.delegates = delegates
  }

  /// Creates an interpreter from a model file, which is mapped into memory and must not be changed meanwhile.
  /// - Parameters:
  ///   - modelPath: The path of a `.tflite` file.
  ///   - options: The options; nil for the defaults.
  ///   - delegates: Must be nil or empty on this platform.
  /// - Throws: `InterpreterError.failedToLoadModel` if the file is missing, a folder, damaged or not a model;
  ///   `.failedToCreateInterpreter` if this runtime cannot run the model, a delegate was given, or LiteRT's
  ///   library is missing. ``failureReason(modelPath:options:delegates:)`` has the reason.
  public convenience init(modelPath: String, options: Options? = nil, delegates: [any Delegate]? = nil) throws
  {
    try self.init(.path(modelPath), options, delegates)
  }

  /// Creates an interpreter from a model file whose path may be nil.
  ///
  /// Google's guide passes the optional path that its model manager returns. A nil path is
  /// `failedToLoadModel`.
  /// - Parameters:
  ///   - modelPath: The path of a `.tflite` file.
  ///   - options: The options; nil for the defaults.
  ///   - delegates: Must be nil or empty on this platform.
  /// - Throws: The errors of the initializer with a non-optional path.
  @_disfavoredOverload
  public convenience init(modelPath: String?, options: Options? = nil, delegates: [any Delegate]? = nil)
    throws
  {
    try self.init(modelPath.map(CompiledModel.Source.path), options, delegates)
  }

  /// Creates an interpreter from a model in memory, which is copied.
  /// - Parameters:
  ///   - modelData: The content of a `.tflite` file.
  ///   - options: The options; nil for the defaults.
  ///   - delegates: Must be nil or empty on this platform.
  /// - Throws: The errors of the initializer with a path.
  public convenience init(modelData: Data, options: Options? = nil, delegates: [any Delegate]? = nil) throws {
    try self.init(.data(modelData), options, delegates)
  }

  /// The number of inputs.
  public var inputTensorCount: Int { tensors.inputCount }

  /// The number of outputs.
  public var outputTensorCount: Int { tensors.outputCount }

  /// The names of the model's signatures, in their order; empty for a model without signatures.
  public var signatureKeys: [String] { model.signatures.compactMap(\.key) }

  // MARK: Preparing

  /// Allocates the tensors; call it after making the interpreter and after resizing inputs.
  ///
  /// Data copied earlier is lost if a shape changed. A second call without resizing does nothing.
  /// - Throws: `InterpreterError.failedToAllocateTensors` if the graph has an operator that this runtime does
  ///   not support, does not accept the shapes of its inputs, or has tensors whose size is not known before
  ///   it runs; ``failureReason`` distinguishes them.
  public func allocateTensors() throws {
    try naming(0) { () throws(TensorFailure) in try tensors.allocate() }
  }

  /// Changes the shape of an input, effective from the next `allocateTensors()`.
  ///
  /// Until then inputs cannot be filled or read, and there are no outputs. The same shape as before changes
  /// nothing.
  /// - Parameters:
  ///   - index: The index of the input, from 0.
  ///   - shape: The new shape: of the same rank, sizes 1 or more.
  /// - Throws: `InterpreterError.invalidTensorIndex`; `.failedToResizeInputTensor` for another rank or an
  ///   impossible size. A shape that only the graph refuses is an error of `allocateTensors()`.
  public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
    try check(index, count: inputTensorCount)
    try naming(index) { () throws(TensorFailure) in try tensors.resize(index, to: shape.dimensions) }
  }

  // MARK: Running

  /// Fills an input.
  /// - Parameters:
  ///   - data: All elements in row-major order, in the machine's byte order.
  ///   - index: The index of the input, from 0.
  /// - Returns: The input with `data` as its content, without another copy.
  /// - Throws: `InterpreterError.invalidTensorIndex`; `.invalidTensorDataCount` if the number of bytes
  ///   differs from the input's; `.allocateTensorsRequired` before `allocateTensors()`;
  ///   `.invalidTensorDataType`.
  @discardableResult
  public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
    try check(index, count: inputTensorCount)
    return try naming(index) { () throws(TensorFailure) in try tensors.copy(data, to: index) }
  }

  /// Runs the model on the current inputs.
  /// - Throws: `InterpreterError.allocateTensorsRequired` before `allocateTensors()` and, like Google's
  ///   class, for any other failure while the model runs; ``failureReason`` distinguishes them.
  public func invoke() throws {
    try naming(0) { () throws(TensorFailure) in try tensors.invoke() }
  }

  /// Copies an input.
  /// - Parameter index: The index of the input, from 0.
  /// - Returns: The input with the data last copied to it; zeros before.
  /// - Throws: `InterpreterError.invalidTensorIndex`; `.allocateTensorsRequired` before `allocateTensors()`;
  ///   `.invalidTensorDataType`.
  public func input(at index: Int) throws -> Tensor {
    try check(index, count: inputTensorCount)
    return try naming(index) { () throws(TensorFailure) in try tensors.input(index) }
  }

  /// Copies an output.
  /// - Parameter index: The index of the output, from 0.
  /// - Returns: The output of the last run.
  /// - Throws: `InterpreterError.invalidTensorIndex`; `.invokeInterpreterRequired` before the first
  ///   successful run with the current shapes, when Google's class may return zeros;
  ///   `.invalidTensorDataType`.
  public func output(at index: Int) throws -> Tensor {
    try check(index, count: outputTensorCount)
    return try naming(index) { () throws(TensorFailure) in try tensors.output(index) }
  }

  /// Creates a runner for one of the model's signatures, with this interpreter's options.
  ///
  /// It has its own tensors: its runs do not change this interpreter's inputs and outputs.
  /// - Parameter key: One of ``signatureKeys``.
  /// - Returns: A new runner.
  /// - Throws: `SignatureRunnerError.failedToCreateSignatureRunner` if the model does not have the key;
  ///   `.failedToAllocateTensors`.
  public func signatureRunner(with key: String) throws -> SignatureRunner {
    do throws(SignatureRunner.Failure) {
      return try SignatureRunner(model: model, options: options?.session ?? SessionOptions(), key: key)
    } catch {
      failureReason = error.reason
      throw error.error
    }
  }

  private func check(_ index: Int, count: Int) throws {
    guard index >= 0, index < count else {
      failureReason = nil
      throw InterpreterError.invalidTensorIndex(index: index, maxIndex: count - 1)
    }
  }

  private func naming<R>(_ index: Int, _ body: () throws(TensorFailure) -> R) throws -> R {
    do throws(TensorFailure) { return try body() } catch {
      failureReason = error.reason
      throw InterpreterError(error, index: index)
    }
  }
}
