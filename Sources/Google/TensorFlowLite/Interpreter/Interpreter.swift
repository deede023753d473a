// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaRuntime

/// Runs a TFLite model: bytes in, bytes out.
///
/// Make it, call `allocateTensors()`, and for each image `copy(_:toInputAt:)`, `invoke()` and `output(at:)`.
/// Inputs and outputs have the order of the model's graph, whatever its signatures say. A quantised model computes
/// with the integers that it stores.
///
/// An interpreter has one user at a time, as Google's has, and is not `Sendable`: give each thread its own.
public final class Interpreter {
  /// What the initializer was given.
  public let options: Options?

  /// What the initializer was given; nil or empty, because this platform runs no delegates.
  public let delegates: [any Delegate]?

  /// Why the last failing call failed, with what to do about it; nil when none failed or its error says everything.
  ///
  /// For instance LiteRT's own messages after `failedToAllocateTensors`, or after an `allocateTensorsRequired` that
  /// `invoke()` threw because the model failed while it ran. Google's class has nothing like it.
  public private(set) var failureReason: String?

  /// What was repaired in the model in memory before LiteRT saw it, and that XNNPACK cannot compute it.
  ///
  /// A sentence each without the final stop; empty for nearly every model. Google's class has nothing like it.
  public var notes: [String] { tensors.notes }

  private let model: Model
  private let tensors: TensorSession

  private init(_ source: LoadedModel.Source?, _ options: Options?, _ delegates: [any Delegate]?) throws {
    do throws(LoadedModel.Failure) {
      let loaded = try LoadedModel(source, options: options, delegates: delegates)
      model = loaded.model
      tensors = loaded.tensors
    } catch {
      throw error.error
    }
    self.options = options
    self.delegates = delegates
  }

  /// Makes an interpreter of a model file, which is mapped into memory and must not be changed meanwhile.
  /// - Parameters:
  ///   - modelPath: The path of a `.tflite` file.
  ///   - options: How to compute; nil for the defaults.
  ///   - delegates: Must be nil or empty on this platform.
  /// - Throws: `InterpreterError.failedToLoadModel` for a file that is missing, a folder, damaged or no model;
  ///   `.failedToCreateInterpreter` for a model that this runtime cannot run, for any delegate, and where LiteRT's
  ///   library is missing. ``failureReason(modelPath:options:delegates:)`` has the reason.
  public convenience init(modelPath: String, options: Options? = nil, delegates: [any Delegate]? = nil) throws
  {
    try self.init(.path(modelPath), options, delegates)
  }

  /// Makes an interpreter of a model file whose path may be nil.
  ///
  /// Google's guide passes the optional path that its model manager gave. A nil is `failedToLoadModel`.
  /// - Parameters:
  ///   - modelPath: The path of a `.tflite` file.
  ///   - options: How to compute; nil for the defaults.
  ///   - delegates: Must be nil or empty on this platform.
  /// - Throws: As the initializer with a path that is not optional.
  @_disfavoredOverload
  public convenience init(modelPath: String?, options: Options? = nil, delegates: [any Delegate]? = nil)
    throws
  {
    try self.init(modelPath.map(LoadedModel.Source.path), options, delegates)
  }

  /// Makes an interpreter of a model in memory, which is copied.
  /// - Parameters:
  ///   - modelData: The content of a `.tflite` file.
  ///   - options: How to compute; nil for the defaults.
  ///   - delegates: Must be nil or empty on this platform.
  /// - Throws: As the initializer with a path.
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

  /// Gives the tensors their memory; call it after making the interpreter and after resizing inputs.
  ///
  /// What was copied before is lost where a shape changed. A second call without resizing does nothing.
  /// - Throws: `InterpreterError.failedToAllocateTensors` when the graph has an operator that this runtime lacks,
  ///   cannot work with the shapes of its inputs, or has tensors whose size is not known before it runs;
  ///   ``failureReason`` says which.
  public func allocateTensors() throws {
    try naming(0) { () throws(TensorFailure) in try tensors.allocate() }
  }

  /// Changes the shape of an input from the next `allocateTensors()` on.
  ///
  /// Until then inputs cannot be filled or read, and there are no outputs. The same shape as before changes nothing.
  /// - Parameters:
  ///   - index: Which input, from 0.
  ///   - shape: The new shape: of the same rank, sizes 1 or more.
  /// - Throws: `InterpreterError.invalidTensorIndex`; `.failedToResizeInputTensor` for another rank or an
  ///   impossible size. A shape that is refused only by the graph is an error of `allocateTensors()`.
  public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
    try check(index, count: inputTensorCount)
    try naming(index) { () throws(TensorFailure) in try tensors.resize(index, to: shape.dimensions) }
  }

  // MARK: Running

  /// Fills an input.
  /// - Parameters:
  ///   - data: All elements in row-major order, in the machine's byte order.
  ///   - index: Which input, from 0.
  /// - Returns: The input with `data` as its content; nothing is copied a second time for it.
  /// - Throws: `InterpreterError.invalidTensorIndex`; `.invalidTensorDataCount` for another number of bytes than
  ///   the input has; `.allocateTensorsRequired` before `allocateTensors()`; `.invalidTensorDataType`.
  @discardableResult
  public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
    try check(index, count: inputTensorCount)
    return try naming(index) { () throws(TensorFailure) in try tensors.copy(data, to: index) }
  }

  /// Runs the model on what the inputs hold.
  /// - Throws: `InterpreterError.allocateTensorsRequired` before `allocateTensors()`, and, as Google's class does,
  ///   for anything else that fails while the model runs: ``failureReason`` distinguishes them.
  public func invoke() throws {
    try naming(0) { () throws(TensorFailure) in try tensors.invoke() }
  }

  /// Copies an input.
  /// - Parameter index: Which input, from 0.
  /// - Returns: The input and what was last copied to it, zeros before.
  /// - Throws: `InterpreterError.invalidTensorIndex`; `.allocateTensorsRequired` before `allocateTensors()`;
  ///   `.invalidTensorDataType`.
  public func input(at index: Int) throws -> Tensor {
    try check(index, count: inputTensorCount)
    return try naming(index) { () throws(TensorFailure) in try tensors.input(index) }
  }

  /// Copies an output.
  /// - Parameter index: Which output, from 0.
  /// - Returns: The output of the last run.
  /// - Throws: `InterpreterError.invalidTensorIndex`; `.invokeInterpreterRequired` before the first run that
  ///   succeeded with the present shapes, where Google's class may give zeros; `.invalidTensorDataType`.
  public func output(at index: Int) throws -> Tensor {
    try check(index, count: outputTensorCount)
    return try naming(index) { () throws(TensorFailure) in try tensors.output(index) }
  }

  /// Makes a runner for one of the model's signatures, with options as this interpreter's.
  ///
  /// It has tensors of its own: what it computes does not change this interpreter's inputs and outputs.
  /// - Parameter key: One of ``signatureKeys``.
  /// - Returns: A new runner.
  /// - Throws: `SignatureRunnerError.failedToCreateSignatureRunner` for a key that the model does not have;
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
