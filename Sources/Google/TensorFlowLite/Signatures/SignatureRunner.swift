// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaRuntime

/// Runs one signature of a model, whose inputs and outputs have names.
///
/// ``Interpreter/signatureRunner(with:)`` creates one with allocated tensors. It has its own tensors; in
/// Google's class runners and interpreter share theirs.
///
/// A runner is for one thread at a time and is not `Sendable`.
public final class SignatureRunner {
  /// The signature's name.
  public let signatureKey: String

  /// The names of the inputs, in the order of the signature.
  public let inputs: [String]

  /// The names of the outputs, in the order of the signature.
  public let outputs: [String]

  /// The reason for the last failure, with a remedy; nil if no call failed or its error is complete.
  public private(set) var failureReason: String?

  private let tensors: TensorSession

  /// The failure to create a runner: the error of Google's class, and the reason, for which it has no field.
  struct Failure: Error {
    var error: SignatureRunnerError
    var reason: String?
  }

  init(model: Model, options: SessionOptions, key: String) throws(Failure) {
    guard let position = model.signatures.firstIndex(where: { $0.key == key }) else {
      let keys = model.signatures.compactMap(\.key)
      throw Failure(
        error: .failedToCreateSignatureRunner(signatureKey: key),
        reason: "The model '\(model.name)' has the signatures \(keys). Use one of them.")
    }
    let signature = model.signatures[position]
    signatureKey = key
    inputs = signature.inputs.map(\.signatureName)
    outputs = signature.outputs.map(\.signatureName)
    do throws(RuntimeError) {
      tensors = try TensorSession(model: model, options: options, signature: position)
    } catch {
      throw Failure(error: .failedToCreateSignatureRunner(signatureKey: key), reason: error.description)
    }
    do throws(TensorFailure) { try tensors.allocate() } catch {
      throw Failure(error: .failedToAllocateTensors, reason: error.reason)
    }
  }

  // MARK: Preparing

  /// Allocates the tensors after an input was resized; `invoke(with:)` does so automatically.
  /// - Throws: `SignatureRunnerError.failedToAllocateTensors` if the graph does not accept the shapes of its
  ///   inputs.
  public func allocateTensors() throws {
    try naming("") { () throws(TensorFailure) in try tensors.allocate() }
  }

  /// Changes the shape of an input, effective from the next allocation.
  /// - Parameters:
  ///   - name: The input's name in the signature.
  ///   - shape: The new shape: of the same rank, sizes 1 or more.
  /// - Throws: `SignatureRunnerError.failedToResizeInputTensor` for an unknown name, another rank, or an
  ///   impossible size.
  public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
    guard let position = inputs.firstIndex(of: name) else {
      failureReason = nil
      throw SignatureRunnerError.failedToResizeInputTensor(inputName: name)
    }
    try naming(name) { () throws(TensorFailure) in try tensors.resize(position, to: shape.dimensions) }
  }

  // MARK: Running

  /// Fills inputs and runs the signature.
  ///
  /// Allocates memory first if an input was resized. Inputs that are not named keep their data.
  /// - Parameter inputs: All elements of each input by name, in row-major order and the machine's byte order.
  /// - Throws: `SignatureRunnerError` as `allocateTensors()` and `copy(_:toInputNamed:)` do, for the first
  ///   wrong input by name; `.failedToInvokeSignature` if the model fails while it runs.
  public func invoke(with inputs: [String: Data]) throws {
    try allocateTensors()
    for (name, data) in inputs.sorted(by: { $0.key < $1.key }) {
      try copy(data, toInputNamed: name)
    }
    try naming("") { () throws(TensorFailure) in try tensors.invoke() }
  }

  /// Fills an input.
  /// - Parameters:
  ///   - data: All elements in row-major order, in the machine's byte order.
  ///   - name: The input's name in the signature.
  /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name; `.invalidTensorDataCount`;
  ///   `.allocateTensorsRequired` after resizing.
  public func copy(_ data: Data, toInputNamed name: String) throws {
    let position = try position(of: name, in: inputs, "input")
    _ = try naming(name) { () throws(TensorFailure) in try tensors.copy(data, to: position) }
  }

  /// Copies an input.
  /// - Parameter name: Its name in the signature.
  /// - Returns: The input with the data last copied to it; zeros before.
  /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name; `.allocateTensorsRequired` after
  ///   resizing; `.invalidTensorDataType`.
  public func input(named name: String) throws -> Tensor {
    let position = try position(of: name, in: inputs, "input")
    return try naming(name) { () throws(TensorFailure) in try tensors.input(position) }
  }

  /// Copies an output.
  /// - Parameter name: Its name in the signature.
  /// - Returns: The output of the last run.
  /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name; `.allocateTensorsRequired`
  ///   before the first successful run with the current shapes, when Google's class may return zeros;
  ///   `.invalidTensorDataType`.
  public func output(named name: String) throws -> Tensor {
    let position = try position(of: name, in: outputs, "output")
    return try naming(name) { () throws(TensorFailure) in try tensors.output(position) }
  }

  private func position(of name: String, in names: [String], _ type: String) throws -> Int {
    guard let position = names.firstIndex(of: name) else {
      failureReason = "The signature '\(signatureKey)' has the \(type)s \(names). Use one of them."
      throw SignatureRunnerError.failedToGetTensor(tensorType: type, nameInSignature: name)
    }
    return position
  }

  private func naming<R>(_ name: String, _ body: () throws(TensorFailure) -> R) throws -> R {
    do throws(TensorFailure) { return try body() } catch {
      failureReason = error.reason
      throw SignatureRunnerError(error, name: name, key: signatureKey)
    }
  }
}
