// SPDX-License-Identifier: Apache-2.0

/// The bytes of a model file as the runtime needs them: in place, aligned and immutable.
@safe
public final class ModelBytes: Sendable {
  private enum Storage: Sendable {
    case file(MappedFile)
    case memory(AlignedBytes)
    case permanent
  }

  /// The model's name in errors: its path, or the name given with its bytes.
  public let name: String
  // Keeps `pointer` alive.
  private let storage: Storage
  // SAFETY: the bytes that `storage` owns; immutable after init.
  nonisolated(unsafe) let pointer: UnsafeRawBufferPointer

  /// The maximum size of a model in bytes: 2 GiB less one byte, the limit of a FlatBuffer.
  package static let maximumCount = Int(Int32.max)

  /// Maps a file into memory; the file must not change while the object lives.
  /// - Parameter path: A `.tflite` file.
  /// - Throws: `modelUnreadable` with the system's reason.
  public init(path: String) throws(RuntimeError) {
    let file = try MappedFile(path: path, limit: Self.maximumCount)
    unsafe pointer = file.bytes
    storage = .file(file)
    name = path
  }

  /// Copies bytes.
  /// - Parameters:
  ///   - bytes: The content of a `.tflite` file.
  ///   - name: The model's name in errors.
  public init(_ bytes: [UInt8], name: String) {
    let copy = AlignedBytes(byteCount: bytes.count)
    unsafe copy.memory.copyBytes(from: bytes)
    unsafe pointer = UnsafeRawBufferPointer(start: copy.memory.baseAddress, count: bytes.count)
    storage = .memory(copy)
    self.name = name
  }

  /// Creates bytes in place.
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - name: The model's name in errors.
  ///   - fill: A closure that writes the bytes, which are initially zero.
  public init(count: Int, name: String, fill: (inout MutableSpan<UInt8>) -> Void) {
    let memory = AlignedBytes(byteCount: count)
    var span = unsafe MutableSpan(
      _unsafeStart: memory.memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self),
      count: count)
    fill(&span)
    unsafe pointer = UnsafeRawBufferPointer(start: memory.memory.baseAddress, count: count)
    storage = .memory(memory)
    self.name = name
  }

  /// Wraps bytes that live as long as the process, such as a constant; nothing is copied.
  /// - Parameters:
  ///   - bytes: The content of a `.tflite` file, 16-byte aligned, never freed and never changed.
  ///   - name: The model's name in errors.
  package init(permanent bytes: UnsafeRawBufferPointer, name: String) {
    unsafe pointer = bytes
    storage = .permanent
    self.name = name
  }

  /// The number of bytes.
  public var count: Int { unsafe pointer.count }

  /// Calls `body` with the bytes.
  /// - Parameter body: A closure that reads the bytes; the span must not escape it.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withSpan<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    unsafe try body(pointer.bindMemory(to: UInt8.self).span)
  }

  /// Returns a copy of the bytes.
  package func copied() -> [UInt8] {
    withSpan { span in
      // SAFETY: the bytes are copied within the call that lends them.
      unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }

  /// Returns the memory of a mapped file to the system until its bytes are read again; does nothing for other
  /// bytes.
  package func releasePages() {
    if case .file(let file) = storage { file.releasePages() }
  }
}

/// Zeroed memory, aligned to 64 bytes as LiteRT requires for tensors, freed with its owner.
@safe
final class AlignedBytes: @unchecked Sendable {
  // SAFETY: @unchecked Sendable: a Model never writes the memory after filling it; a Session's memory has the
  // session's one owner.
  let memory: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    unsafe memory = .allocate(byteCount: max(byteCount, 1), alignment: 64)
    unsafe _ = memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    unsafe memory.deallocate()
  }
}
