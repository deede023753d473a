// SPDX-License-Identifier: Apache-2.0
#if Server
/// The address and limits of a server.
package struct ServerOptions: Sendable {
  /// A name or number, and a port; port 0 picks a free one.
  package var host = "127.0.0.1"
  package var port = 8080
  /// The address for health and metrics, without TLS and keys; nil for the main address.
  package var admin: ListenAddress?
  /// PEM files with the certificate chain and the private key; nil for no TLS.
  package var certificate: String?
  package var privateKey: String?
  /// The service manager to notify when the server is ready, shuts down or hangs; nil for none.
  package var manager: ServiceManager?
  /// Whether a trusted proxy forwards requests and adds the caller last in `X-Forwarded-For`.
  package var isBehindProxy = false
  /// The proxies trusted to report the caller, for the log of requests refused by their head.
  package var proxies = TrustedProxies.none
  /// The access log; requests refused by their head are logged only with ``AccessLog/all``.
  package var accessLog = AccessLog.slow
  package var rules = GateRules()
  /// The names allowed in `Host` besides the server's own, in lower case, without a port.
  package var allowedHosts: Set<String> = []
  package var times = ConnectionTimes()
  /// The paths that become WebSockets if a client requests it.
  package var live: [String: LiveRoute] = [:]
  /// The limit above which connections wait in the kernel's queue; nil to derive it from the limit of
  /// descriptors.
  package var maximumConnections: Int?
  /// The time for accepting new connections after SIGTERM, in seconds, while the server reports that it is
  /// not ready.
  package var drainDelay = 0.0
  /// The time for running requests after that, in seconds.
  package var drain = 25.0
  /// The number of event loops of a server that handles signals; a server inside another program shares the
  /// process's.
  package var loops = 2

  package init() {}

  /// Returns the names allowed in `Host`: on loopback, or if names are allowed, those and the server's own;
  /// otherwise nil for any.
  /// - Parameter own: Further names of the server.
  /// - Returns: The names in lower case, without a port.
  package func hostNames(_ own: [String] = []) -> Set<String>? {
    guard isLoopback || !allowedHosts.isEmpty else { return nil }
    return Set(["localhost", "127.0.0.1", "::1", host.lowercased()] + own).union(allowedHosts)
  }

  /// The time after the start of the drain by which calls that still run should answer: a moment later they
  /// are cancelled, and their connections closed.
  package var answerTime: Duration { .seconds(DrainTimes(delay: 0, drain: drain).answer) }

  /// Whether only this machine can connect.
  package var isLoopback: Bool { ListenAddress(host: host, port: port).isLoopback }
}
#endif
