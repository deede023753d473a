// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory of a pixel buffer: an array, memory of another owner, or memory lent for one call.
@safe final class PixelStorage: @unchecked Sendable {
  // SAFETY: everything is set in init; creators guarantee that the pixels are not written during its
  // lifetime. Lent memory is read under `loan`'s lock, and never after the loan has ended.

  /// The base address of each plane; missing planes repeat another.
  @unsafe struct Bases {
    var first: UnsafePointer<UInt8>
    var second: UnsafePointer<UInt8>
    var third: UnsafePointer<UInt8>

    /// - Returns: nil if a plane has no memory.
    init?(_ planes: [UnsafeRawBufferPointer]) {
      func base(_ index: Int) -> UnsafePointer<UInt8>? {
        unsafe planes[min(index, planes.count - 1)].baseAddress?.assumingMemoryBound(to: UInt8.self)
      }
      guard let first = unsafe base(0), let second = unsafe base(1), let third = unsafe base(2) else {
        return nil
      }
      unsafe self.first = first
      unsafe self.second = second
      unsafe self.third = unsafe third
    }

    init(_ base: UnsafePointer<UInt8>, _ offsets: [Int]) {
      unsafe first = base
      unsafe second = unsafe offsets.count > 1 ? base + offsets[1] : base
      unsafe third = unsafe offsets.count > 2 ? base + offsets[2] : base
    }
  }

  /// Memory that its owner may take back.
  private final class Loan: Sendable {
    let isOpen = Mutex(true)
  }

  private let bytes: [UInt8]
  private let offsets: [Int]
  private let bases: Bases?
  private let release: (@Sendable () -> Void)?
  private let loan: Loan?

  /// Keeps an array with consecutive planes.
  init(bytes: [UInt8], offsets: [Int]) {
    self.bytes = bytes
    self.offsets = offsets
    unsafe bases = nil
    release = nil
    loan = nil
  }

  /// Keeps memory until the last buffer that uses it is released, then calls `release`.
  init(planes: [UnsafeRawBufferPointer], release: @escaping @Sendable () -> Void) {
    bytes = []
    offsets = []
    unsafe bases = unsafe Bases(planes)
    self.release = release
    loan = nil
  }

  /// Uses memory until `endLoan()`.
  init(lent planes: [UnsafeRawBufferPointer]) {
    bytes = []
    offsets = []
    unsafe bases = unsafe Bases(planes)
    release = nil
    loan = Loan()
  }

  deinit { release?() }

  /// Waits for the current reader, then refuses all later ones.
  func endLoan() {
    loan?.isOpen.withLock { $0 = false }
  }

  /// Calls `body` with the base addresses of the planes.
  func withBases<R: Sendable>(name: String, _ body: (Bases) throws(ImageError) -> R) throws(ImageError) -> R {
    guard let bases = unsafe bases else {
      return try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(ImageError) in
        guard let base = bytes.baseAddress else { throw Self.expired(name) }
        return try unsafe body(Bases(base, offsets))
      }
    }
    guard let loan else {
      defer { withExtendedLifetime(self) {} }
      return try unsafe body(bases)
    }
    return try loan.isOpen.withLock { (isOpen) throws(ImageError) in
      guard isOpen else { throw Self.expired(name) }
      return try unsafe body(bases)
    }
  }

  private static func expired(_ name: String) -> ImageError {
    ImageError(
      .bufferExpired, "the pixels were lent for one call, which has ended",
      remedy: "Use the buffer inside the closure that receives it, or create one that owns its bytes",
      subject: name)
  }
}
