// SPDX-License-Identifier: Apache-2.0

import CCurl
import FoveaCore

/// The SHA-256 of a file's bytes. If possible, the system's libcrypto computes it: it uses the processor's
/// SHA instructions and is often loaded by libcurl anyway. Otherwise our own code computes it.
// SAFETY: only its owner, a partial file or a loop, uses it, one call at a time; the sum is freed once, in
// deinit.
@safe
package final class FileDigest: @unchecked Sendable {
  // SAFETY: filled once before it is used and never written again; the functions keep nothing between calls.
  nonisolated(unsafe) private static let system = unsafe fovea_digest_open()

  private let library: OpaquePointer?
  private var fast: UnsafeMutableRawPointer?
  private var own = SHA256()

  /// Creates the digest of no bytes.
  /// - Parameter isSystems: Whether libcrypto may be used; tests compare it with our own code.
  package init(isSystems: Bool = true) {
    unsafe library = isSystems ? Self.system : nil
    if let library = unsafe library { unsafe fast = fovea_digest_make(library) }
  }

  deinit {
    if let library = unsafe library, let fast = unsafe fast { unsafe fovea_digest_free(library, fast) }
  }

  /// Whether libcrypto is used.
  package var isFast: Bool { unsafe fast != nil }

  /// Discards all bytes added so far.
  package func restart() {
    own = SHA256()
    guard let library = unsafe library, let sum = unsafe fast else { return }
    // A sum that cannot restart would be wrong, so our own code takes over.
    if unsafe !fovea_digest_begin(library, sum) { dropFast() }
  }

  /// Adds bytes.
  package func update(_ bytes: Span<UInt8>) {
    guard let library = unsafe library, let sum = unsafe fast else { return own.update(bytes) }
    let isAdded = unsafe bytes.withUnsafeBytes { bytes in
      unsafe fovea_digest_update(library, sum, bytes.baseAddress, bytes.count)
    }
    precondition(isAdded, "libcrypto adds any bytes to a sum that it has started")
  }

  /// Returns the SHA-256 of the bytes so far, as 64 lowercase hexadecimal digits; more bytes may follow.
  package func sum() -> String {
    guard let library = unsafe library, let sum = unsafe fast else {
      var copy = own
      return copy.finish()
    }
    var digest = [UInt8](repeating: 0, count: 32)
    let isRead = unsafe fovea_digest_read(library, sum, &digest)
    precondition(isRead, "libcrypto finishes any sum that it has started")
    return Hexadecimal.encode(digest)
  }

  private func dropFast() {
    if let library = unsafe library, let sum = unsafe fast { unsafe fovea_digest_free(library, sum) }
    unsafe fast = nil
  }
}
