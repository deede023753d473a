// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting

/// A Unix socket that receives datagrams, like a service manager's.
final class DatagramSocket: Sendable {
  private let descriptor: Int32

  /// Listens at a path, or at an abstract name, which starts with `@`.
  init(_ name: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if name.hasPrefix("@") { bytes[0] = 0 }
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw TestFailure("'\(name)' is too long for a socket")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    #if canImport(Glibc)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
    descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { throw TestFailure("no socket: \(errno)") }
    let count = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path) + bytes.count
    // SAFETY: the system reads as many bytes as the count states, of a value that lives until then.
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(count + (bytes.first == 0 ? 0 : 1)))
      }
    }
    guard bound == 0 else {
      close(descriptor)
      throw TestFailure("'\(name)' cannot be bound: \(errno)")
    }
  }

  deinit { close(descriptor) }

  /// The received datagram; nil if there is none.
  func next() -> String? {
    var bytes = [UInt8](repeating: 0, count: 256)
    // SAFETY: the system writes at most as many bytes as there are.
    let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Waits for a datagram equal to `text`; ignores others.
  func waits(for text: String) async throws {
    try await waitUntil("the manager gets \(text)") { next() == text }
  }
}
#endif
