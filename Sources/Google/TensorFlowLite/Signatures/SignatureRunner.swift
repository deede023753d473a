// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaRuntime

/// Runs one signature of a model, whose inputs and outputs have names.
///
/// ``Interpreter/signatureRunner(with:)`` makes one, with its memory allocated. It has tensors of its own; in
/// Google's class runners and interpreter share theirs.
///
/// A runner has one user at a time and is not `Sendable`.
public final class SignatureRunner {
  /// The signature's name.
  public let signatureKey: String

  /// The names of the inputs, in the order of the signature.
  public let inputs: [String]

  /// The names of the outputs, in the order of the signature.
  public let outputs: [String]

  /// Why the last failing call failed, with what to do about it; nil when none failed or its error says everything.
  public private(set) var failureReason: String?

  private let tensors: TensorSession

  /// Why there is no runner: the error of Google's class, and what it has no room for.
  struct Failure: Error {
    var error: SignatureRunnerError
    var reason: String?
  }

  init(model: Model, options: SessionOptions, key: String) throws(Failure) {
    guard let position = model.signatures.firstIndex(where: { $0.key == key }) else {
      let keys = model.signatures.compactMap(\.key)
      throw Failure(
        error: .failedToCreateSignatureRunner(signatureKey: key),
        reason: "The model '\(model.name)' has the signatures \(keys). Give one of these.")
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

  /// Gives the tensors their memory where an input was resized; `invoke(with:)` does it by itself.
  /// - Throws: `SignatureRunnerError.failedToAllocateTensors` when the graph cannot work with the shapes of its
  ///   inputs.
  public func allocateTensors() throws {
    try naming("") { () throws(TensorFailure) in try tensors.allocate() }
  }

  /// Changes the shape of an input from the next allocation on.
  /// - Parameters:
  ///   - name: The input's name in the signature.
  ///   - shape: The new shape: of the same rank, sizes 1 or more.
  /// - Throws: `SignatureRunnerError.failedToResizeInputTensor` for a name that the signature does not have,
  ///   another rank, or an impossible size.
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
  /// Memory is allocated first where an input was resized. Inputs that are not named keep what they hold.
  /// - Parameter inputs: From input names to all their elements, in row-major order and the machine's byte order.
  /// - Throws: `SignatureRunnerError` as `allocateTensors()` and `copy(_:toInputNamed:)` do, of several wrong
  ///   inputs for the first by name; `.failedToInvokeSignature` when the model fails while it runs.
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
  /// - Throws: `SignatureRunnerError.failedToGetTensor` for a name that the signature does not have;
  ///   `.invalidTensorDataCount`; `.allocateTensorsRequired` after resizing.
  public func copy(_ data: Data, toInputNamed name: String) throws {
    let position = try position(of: name, in: inputs, "input")
    _ = try naming(name) { () throws(TensorFailure) in try tensors.copy(data, to: position) }
  }

  /// Copies an input.
  /// - Parameter name: Its name in the signature.
  /// - Returns: The input and what was last copied to it, zeros before.
  /// - Throws: `SignatureRunnerError.failedToGetTensor` for a name that the signature does not have;
  ///   `.allocateTensorsRequired` after resizing; `.invalidTensorDataType`.
  public func input(named name: String) throws -> Tensor {
    let position = try position(of: name, in: inputs, "input")
    return try naming(name) { () throws(TensorFailure) in try tensors.input(position) }
  }

  /// Copies an output.
  /// - Parameter name: Its name in the signature.
  /// - Returns: The output of the last run.
  /// - Throws: `SignatureRunnerError.failedToGetTensor` for a name that the signature does not have;
  ///   `.allocateTensorsRequired` before the first run that succeeded with the present shapes, where Google's class
  ///   may give zeros; `.invalidTensorDataType`.
  public func output(named name: String) throws -> Tensor {
    let position = try position(of: name, in: outputs, "output")
    return try naming(name) { () throws(TensorFailure) in try tensors.output(position) }
  }

  private func position(of name: String, in names: [String], _ type: String) throws -> Int {
    guard let position = names.firstIndex(of: name) else {
      failureReason = "The signature '\(signatureKey)' has the \(type)s \(names). Give one of these."
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
