// SPDX-License-Identifier: Apache-2.0

/// The bytes of a model file, held as the runtime needs them: in place, aligned, and never changing.
@safe
public final class ModelBytes: Sendable {
  private enum Storage: Sendable {
    case file(MappedFile)
    case memory(AlignedBytes)
    case permanent
  }

  /// What errors call the model: the path it was read from, or the name given with its bytes.
  public let name: String
  // Keeps `pointer` alive.
  private let storage: Storage
  // SAFETY: the bytes that `storage` owns; immutable after init.
  nonisolated(unsafe) let pointer: UnsafeRawBufferPointer

  /// The largest model that is read, 2 GiB less one byte, the most that a FlatBuffer can hold.
  public static let maximumCount = Int(Int32.max)

  /// Maps a file into memory; it must not be changed while the object lives.
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
  ///   - name: What errors call it.
  public init(_ bytes: [UInt8], name: String) {
    let copy = AlignedBytes(byteCount: bytes.count)
    unsafe copy.memory.copyBytes(from: bytes)
    unsafe pointer = UnsafeRawBufferPointer(start: copy.memory.baseAddress, count: bytes.count)
    storage = .memory(copy)
    self.name = name
  }

  /// Makes bytes in place.
  /// - Parameters:
  ///   - count: How many there are.
  ///   - name: What errors call the model.
  ///   - fill: Writes them; they are 0 before.
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

  /// Takes bytes that live as long as the process, such as a constant of the program; nothing is copied.
  /// - Parameters:
  ///   - bytes: The content of a `.tflite` file, 16-byte aligned, never freed and never changed.
  ///   - name: What errors call it.
  public init(permanent bytes: UnsafeRawBufferPointer, name: String) {
    unsafe pointer = bytes
    storage = .permanent
    self.name = name
  }

  /// The number of bytes.
  public var count: Int { unsafe pointer.count }

  /// Gives the bytes for the length of `body`.
  /// - Parameter body: Reads the bytes; the span must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withSpan<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    unsafe try body(pointer.bindMemory(to: UInt8.self).span)
  }

  /// A copy of the bytes.
  package func copied() -> [UInt8] {
    withSpan { span in
      // SAFETY: the bytes are copied within the call that lends them.
      unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }
  }

  /// Gives the memory of a mapped file back to the system until the bytes are read again; other bytes stay.
  public func releasePages() {
    if case .file(let file) = storage { file.releasePages() }
  }
}

/// Zeroed memory, aligned to 64 bytes as LiteRT wants tensors, freed with its owner.
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
