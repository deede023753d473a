// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A reserved port of 127.0.0.1, for a server that must know its own address before it listens.
///
/// A socket that is bound but does not listen reserves it; a server that reuses addresses may still listen on
/// it.
public final class ReservedPort: Sendable {
  /// The port.
  public let number: Int
  private let descriptor: Int32

  /// Reserves a free port.
  /// - Throws: `TestFailure` if there is none.
  public init() throws(TestFailure) {
    #if canImport(Glibc)
    // A child of the tests must not inherit the port.
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw TestFailure("no socket: \(errno)") }
    var yes: Int32 = 1
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: the system reads and writes as many bytes as `size` states, of a value that lives until then.
    let found = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    self.descriptor = descriptor
    number = Int(UInt16(bigEndian: address.sin_port))
    guard found else { throw TestFailure("no port: \(errno)") }
  }

  deinit { close(descriptor) }
}
