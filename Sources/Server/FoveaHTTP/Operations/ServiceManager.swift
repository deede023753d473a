// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore

/// The service manager that started the process, which is notified of its state by datagrams.
///
/// **Source:** sd_notify(3) and sd_watchdog_enabled(3) of systemd.
package struct ServiceManager: Sendable, Equatable {
  /// A notice to the manager.
  package enum Notice: String, Sendable {
    /// The server accepts connections.
    case ready = "READY=1"
    /// The server shuts down once the running requests are answered.
    case stopping = "STOPPING=1"
    /// The server still works.
    case alive = "WATCHDOG=1"
  }

  /// A path, or a name in the abstract namespace if it starts with `@`.
  let socket: String
  /// The time without ``Notice/alive`` after which the manager restarts the server; nil for never.
  package let watchdog: Duration?

  /// Finds the manager of this process; nil if there is none.
  package init?(_ variable: (String) -> String? = Environment.value, process: Int32 = getpid()) {
    // Other kinds of addresses are for virtual machines.
    guard let socket = variable("NOTIFY_SOCKET"), socket.hasPrefix("/") || socket.hasPrefix("@") else {
      return nil
    }
    self.socket = socket
    let isMeant = variable("WATCHDOG_PID").map { Int32($0) == process } ?? true
    let microseconds = variable("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    watchdog = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  /// Sends a notice; a busy manager gets a few seconds to read it.
  /// - Throws: The system's error: `EAGAIN` if the manager does not read, `ENAMETOOLONG` if the path is too
  ///   long for an address.
  package func send(_ notice: Notice) throws(SystemError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(socket.utf8)
    if socket.hasPrefix("@") { name[0] = 0 }
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard name.count < room else { throw SystemError(ENAMETOOLONG) }
    // SAFETY: the path has space for that many bytes.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    // A path ends with a zero byte; a name in the abstract namespace has the length given by the address.
    let count = MemoryLayout<sockaddr_un>.size - room + name.count + (name[0] == 0 ? 0 : 1)
    #if canImport(Glibc)
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
    let kind = SOCK_DGRAM
    #endif
    let descriptor = systemSocket(kind)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { Descriptor.close(descriptor) }
    let text = Array(notice.rawValue.utf8)
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    // SAFETY: the system reads as many bytes as the counts state, of values that live until it has.
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let sent = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe sendto(descriptor, text, text.count, 0, $0, socklen_t(count))
      }
    }
    guard sent == text.count else { throw SystemError(errno) }
  }
}

// Outside of the structure, whose property `socket` would shadow it.
private func systemSocket(_ kind: Int32) -> Int32 { socket(AF_UNIX, kind, 0) }
#endif
