// SPDX-License-Identifier: Apache-2.0
#if Server
/// Where and how a server listens.
package struct ServerOptions: Sendable {
  /// A name or number, and a port; port 0 takes one that is free.
  package var host = "127.0.0.1"
  package var port = 8080
  /// Where health and metrics are, without TLS and keys; nil for the address of the others.
  package var admin: ListenAddress?
  /// Files in PEM: the chain of certificates, and the private key; nil for no TLS.
  package var certificate: String?
  package var privateKey: String?
  /// Who learns when the server is ready, ends or hangs; nil for no one.
  package var manager: ServiceManager?
  /// Whether a proxy that is trusted passes requests on, and names the caller last in `X-Forwarded-For`.
  package var isBehindProxy = false
  /// Who is believed when the log names the caller of a request that is refused by its head.
  package var proxies = TrustedProxies.none
  /// Whether such requests have a line in the log: with ``AccessLog/all`` alone.
  package var accessLog = AccessLog.slow
  package var rules = GateRules()
  /// Names that `Host` may have besides the server's own, lower case, without a port.
  package var allowedHosts: Set<String> = []
  package var times = ConnectionTimes()
  /// Paths that become WebSockets where a client asks for it.
  package var live: [String: LiveRoute] = [:]
  /// Above it connections wait in the kernel's queue; nil for what the limit of descriptors allows.
  package var maximumConnections: Int?
  /// How long new connections are taken after SIGTERM, in seconds, while the server says that it is not ready.
  package var drainDelay = 0.0
  /// How long requests that have begun may go on after that, in seconds.
  package var drain = 25.0
  /// Event loops that move bytes, of a server that takes signals; one within a program shares the process's.
  package var loops = 2

  package init() {}

  /// What `Host` may name: on loopback, and where some names are allowed, these and the server's own; else nil, which is any.
  /// - Parameter own: Further names of the server.
  /// - Returns: Names in lower case, without a port.
  package func hostNames(_ own: [String] = []) -> Set<String>? {
    guard isLoopback || !allowedHosts.isEmpty else { return nil }
    return Set(["localhost", "127.0.0.1", "::1", host.lowercased()] + own).union(allowedHosts)
  }

  /// Whether only this machine can connect.
  package var isLoopback: Bool { ListenAddress(host: host, port: port).isLoopback }
}
#endif
