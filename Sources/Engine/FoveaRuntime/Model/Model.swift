// SPDX-License-Identifier: Apache-2.0

import CLiteRT
public import FoveaModelFile

/// A TFLite model: verified, immutable, ready to make any number of sessions from.
@safe
public final class Model: Sendable {
  /// What errors call the model: the path it was read from, or the name given with its bytes.
  public var name: String { prepared.stored.name }
  /// The ways to call the model; at least one.
  public let signatures: [ModelSignature]

  let library: RuntimeLibrary
  // SAFETY: made in init and destroyed in deinit; LiteRT only reads it, from any thread.
  nonisolated(unsafe) let handle: fovea_model
  // LiteRT reads its bytes as long as the model lives.
  private let prepared: PreparedModel

  /// The largest model that is read, 2 GiB less one byte, the most that a FlatBuffer can hold.
  public static let maximumBytes = ModelBytes.maximumCount

  /// Reads a model from a file, which is mapped into memory and must not be changed while the model is in use.
  /// - Parameter path: A `.tflite` file.
  /// - Throws: `libraryMissing`, `libraryUnusable`, `modelUnreadable`, `modelInvalid`.
  public convenience init(path: String) throws(RuntimeError) {
    _ = try RuntimeLibrary.shared()
    try self.init(ModelBytes(path: path))
  }

  /// Makes a model from its bytes, which are copied.
  /// - Parameters:
  ///   - bytes: The content of a `.tflite` file.
  ///   - name: What errors call it.
  /// - Throws: `libraryMissing`, `libraryUnusable`, `modelInvalid`.
  public convenience init(bytes: [UInt8], name: String) throws(RuntimeError) {
    try self.init(ModelBytes(bytes, name: name))
  }

  /// Makes a model from bytes that live as long as the process, such as a constant of the program; nothing is copied.
  /// - Parameters:
  ///   - bytes: The content of a `.tflite` file, 16-byte aligned, never freed and never changed.
  ///   - name: What errors call it.
  /// - Throws: `libraryMissing`, `libraryUnusable`, `modelInvalid`.
  public convenience init(permanentBytes bytes: UnsafeRawBufferPointer, name: String) throws(RuntimeError) {
    unsafe try self.init(ModelBytes(permanent: bytes, name: name))
  }

  /// Makes a model from bytes that are in memory already.
  ///
  /// The graph is checked before LiteRT sees it: what LiteRT would follow outside its own memory is `modelInvalid`, with a
  /// `MetadataError` as its `cause`.
  /// - Parameter source: The content of a `.tflite` file.
  /// - Throws: `libraryMissing`, `libraryUnusable`, `modelInvalid`.
  public convenience init(_ source: ModelBytes) throws(RuntimeError) {
    _ = try RuntimeLibrary.shared()
    try self.init(PreparedModel(source))
  }

  /// Makes a model of bytes that were checked.
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

  /// What was changed in memory before LiteRT saw the model, and why; empty for nearly every model.
  ///
  /// The file and `withBytes` stay as they are.
  public var repairs: [ModelRepair] { prepared.repairs }

  /// `repairs` as sentences that name the model, without the final stop.
  package var notes: [String] { repairs.map { $0.sentence(of: name) } }

  /// The number of bytes of the model's file.
  public var byteCount: Int { prepared.stored.count }

  /// Gives the memory of a mapped file back to the system until its bytes are read again.
  ///
  /// Sessions have copies of the weights, in the order in which they compute.
  package func releasePages() { prepared.stored.releasePages() }

  /// Gives the model's bytes, the whole content of its file, for the length of `body`.
  /// - Parameter body: Reads the bytes; the span must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try prepared.stored.withSpan(body)
  }
}

extension RuntimeError {
  /// Why LiteRT does not open a model whose graph is in order as far as that was checked.
  fileprivate init(refused model: ModelBytes, _ status: fovea_status) {
    if status == Self.unsupportedStatus, let state = try? model.withSpan(GraphState.read) {
      self.init(
        .modelUnsupported,
        "LiteRT cannot open the model '\(model.name)': \(state.what), which it does not take"
          + " (\(RuntimeError.statusText(status)))",
        remedy: state.remedy)
      return
    }
    self.init(
      .modelInvalid,
      "The model '\(model.name)' (\(model.count) bytes) is damaged or cut off (\(RuntimeError.statusText(status)))",
      remedy: "Copy or download the file again and compare its size and checksum")
  }

  /// LiteRT's status for what it knows and does not have.
  private static var unsupportedStatus: fovea_status { 5 }
}
