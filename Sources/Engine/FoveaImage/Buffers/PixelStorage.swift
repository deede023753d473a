// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The memory behind a pixel buffer: an array, memory with an owner, or memory that was lent for one call.
@safe final class PixelStorage: @unchecked Sendable {
  // SAFETY: everything is set in init; the pixels are not written while this lives, as its makers promise. What was lent
  // is read under `loan`'s lock, and not at all once the loan is over.

  /// Where each plane begins; the missing ones repeat another.
  @unsafe struct Bases {
    var first: UnsafePointer<UInt8>
    var second: UnsafePointer<UInt8>
    var third: UnsafePointer<UInt8>

    /// - Returns: nil where a plane has no memory.
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

  /// Memory that another may take back.
  private final class Loan: Sendable {
    let isOpen = Mutex(true)
  }

  private let bytes: [UInt8]
  private let offsets: [Int]
  private let bases: Bases?
  private let release: (@Sendable () -> Void)?
  private let loan: Loan?

  /// Keeps an array that holds the planes one after the other.
  init(bytes: [UInt8], offsets: [Int]) {
    self.bytes = bytes
    self.offsets = offsets
    unsafe bases = nil
    release = nil
    loan = nil
  }

  /// Keeps memory until `release` gives it back, when the last buffer that uses it is gone.
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

  /// Waits for a reader, and refuses every later one.
  func endLoan() {
    loan?.isOpen.withLock { $0 = false }
  }

  /// Gives the planes for the length of `body`.
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
      .bufferExpired, "the pixels were lent for one call, which is over",
      remedy: "Use the buffer inside the closure that it was given to, or make one that owns its bytes",
      subject: name)
  }
}
