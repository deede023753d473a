// SPDX-License-Identifier: Apache-2.0

import CLiteRT
public import FoveaModelFile

/// A TFLite model: verified, immutable, shared by any number of sessions.
@safe
public final class Model: Sendable {
  /// The model's name in errors: its path, or the name given with its bytes.
  public var name: String { prepared.stored.name }
  /// The signatures of the model; at least one.
  public let signatures: [ModelSignature]

  let library: RuntimeLibrary
  // SAFETY: created in init and destroyed in deinit; LiteRT only reads it, from any thread.
  nonisolated(unsafe) let handle: fovea_model
  // LiteRT reads these bytes as long as the model lives.
  private let prepared: PreparedModel

  /// Reads a model from a file, which is mapped into memory and must not change while the model is in use.
  /// - Parameter path: A `.tflite` file.
  /// - Throws: `libraryMissing`, `libraryUnusable`, `modelUnreadable`, `modelInvalid`.
  public convenience init(path: String) throws(RuntimeError) {
    _ = try RuntimeLibrary.shared()
    try self.init(ModelBytes(path: path))
  }

  /// Creates a model from its bytes, which are copied.
  /// - Parameters:
  ///   - bytes: The content of a `.tflite` file.
  ///   - name: The model's name in errors.
  /// - Throws: `libraryMissing`, `libraryUnusable`, `modelInvalid`.
  public convenience init(bytes: [UInt8], name: String) throws(RuntimeError) {
    try self.init(ModelBytes(bytes, name: name))
  }

  /// Creates a model from bytes in memory.
  ///
  /// The graph is checked before LiteRT reads it: a graph that would make LiteRT access memory out of bounds
  /// throws `modelInvalid`, with a `MetadataError` as its `cause`.
  /// - Parameter source: The content of a `.tflite` file.
  /// - Throws: `libraryMissing`, `libraryUnusable`, `modelInvalid`.
  public convenience init(_ source: ModelBytes) throws(RuntimeError) {
    _ = try RuntimeLibrary.shared()
    try self.init(PreparedModel(source))
  }

  /// Creates a model from checked bytes.
  /// - Parameter prepared: The checked bytes.
  /// - Throws: `libraryMissing`, `libraryUnusable`, `modelInvalid`.
  package init(_ prepared: PreparedModel) throws(RuntimeError) {
    let library = try RuntimeLibrary.shared()
    try ModelIdentifier.check(prepared.bytes)
    let bytes = unsafe prepared.bytes.pointer
    let name = prepared.bytes.name
    RuntimeWork.observer?(.open(name))
    var handle: fovea_model?
    let status = unsafe library.functions.pointee.CreateModelFromBuffer(
      library.environment, bytes.baseAddress.unsafelyUnwrapped, bytes.count, &handle)
    guard status == 0, let handle = unsafe handle else { throw RuntimeError(refused: prepared.bytes, status) }
    unsafe self.handle = handle
    self.prepared = prepared
    self.library = library
    do {
      signatures = unsafe try SignatureReader(library: library, model: handle, modelName: name).read()
    } catch {
      unsafe library.functions.pointee.DestroyModel(handle)
      throw error
    }
  }

  deinit {
    unsafe library.functions.pointee.DestroyModel(handle)
  }

  /// The changes made in memory before LiteRT read the model, with reasons; empty for nearly every model.
  ///
  /// The file and `withBytes` are unchanged.
  public var repairs: [ModelRepair] { prepared.repairs }

  /// The repairs as sentences that name the model, without the final full stop.
  package var notes: [String] { repairs.map { $0.sentence(of: name) } }

  /// The size of the model's file in bytes.
  public var byteCount: Int { prepared.stored.count }

  /// Returns the memory of a mapped file to the system until its bytes are read again.
  ///
  /// Sessions have their own copies of the weights, in their order of computation.
  package func releasePages() { prepared.stored.releasePages() }

  /// Calls `body` with the whole content of the model's file.
  /// - Parameter body: A closure that reads the bytes; the span must not escape it.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try prepared.stored.withSpan(body)
  }
}

extension RuntimeError {
  /// Creates the error for a model that LiteRT cannot open although its graph passed the check.
  fileprivate init(refused model: ModelBytes, _ status: fovea_status) {
    if status == Self.unsupportedStatus, let state = try? model.withSpan(GraphState.read) {
      self.init(
        .modelUnsupported,
        "LiteRT cannot open \(theModel: model.name): \(state.what), which it does not support"
          + " (\(RuntimeError.statusText(status)))",
        remedy: state.remedy)
      return
    }
    self.init(
      .modelInvalid,
      "\(theModel: model.name) (\(model.count) bytes) is damaged or truncated"
        + " (\(RuntimeError.statusText(status)))",
      remedy: "Copy or download the file again and compare its size and checksum")
  }

  /// LiteRT's status for an unsupported feature.
  private static var unsupportedStatus: fovea_status { 5 }
}
