// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaCore
package import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// The error of a server that does not start.
package typealias ServerError = Failure<ServerCode>

/// The kinds of ``ServerError``.
package struct ServerCode: FailureCode {
  package static let domain = "server"
  package var rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The address is in use, not this machine's, or not allowed.
  package static let listen = Self(rawValue: "listen-failed")
  /// A certificate or key cannot be read, or they do not match.
  package static let certificate = Self(rawValue: "certificate-invalid")
  /// The folder for a server's state cannot be read or written.
  package static let state = Self(rawValue: "state-unavailable")
  /// A server's health check does not answer that it is ready.
  package static let unhealthy = Self(rawValue: "unhealthy")
  /// The server stopped by itself.
  package static let ended = Self(rawValue: "ended")
}

/// Listens, answers with a router, and drains on SIGTERM or SIGINT.
package struct HTTPServer: Sendable {
  package var options: ServerOptions
  package var logger: Logger
  package var metrics: Metrics
  /// Called with the port once connections are accepted.
  package var listening: @Sendable (_ port: Int) async -> Void = { _ in }
  /// Called with the port of ``ServerOptions/admin`` once its connections are accepted.
  package var adminListening: @Sendable (_ port: Int) async -> Void = { _ in }
  /// Called when the server is asked to shut down and continues for ``ServerOptions/drainDelay``: load
  /// balancers should remove it.
  package var leaving: @Sendable () -> Void = {}
  /// Called when the drain starts.
  package var draining: @Sendable () -> Void = {}
  /// Called when the last request is answered: its writes belong to the drain, and end with it.
  package var finishing: @Sendable () async -> Void = {}
  /// Called at each SIGHUP: files should be read again.
  package var reloading: @Sendable () async -> Void = {}
  /// Returns whether the server's own work makes progress; a service manager restarts a server that hangs.
  package var isAlive: @Sendable () -> Bool = { true }
  /// Whether SIGTERM and SIGINT stop the server, and SIGHUP is handled; false inside another program or a
  /// test.
  package var takesSignals = true

  package init(options: ServerOptions, logger: Logger, metrics: Metrics) {
    self.options = options
    self.logger = logger
    self.metrics = metrics
  }

  /// Runs until a signal has arrived and the running requests are answered, or the task is cancelled.
  ///
  /// `admin` answers at ``ServerOptions/admin``, if set.
  package func run(
    _ router: Router<HTTPContext>, admin: Router<HTTPContext>? = nil
  ) async throws(ServerError) {
    let builder = try builder()
    let listening = listening
    let notices = ManagerNotices(manager: options.manager, logger: logger)
    // The server's own program keeps its threads until the process exits. A server inside another program
    // must not stop them either: Hummingbird may still be closing connections on them after it has returned.
    let group =
      takesSignals
      ? MultiThreadedEventLoopGroup(numberOfThreads: options.loops) : MultiThreadedEventLoopGroup.singleton
    let connections = ConnectionLimit(options, logger: logger)
    let application = Application(
      responder: RequestTasks(base: router.buildResponder()), server: builder,
      configuration: .init(
        address: .hostname(options.host, port: options.port), backlog: 1024, reuseAddress: true,
        availableConnectionsDelegate: connections),
      onServerRunning: { channel in
        await listening(channel.localAddress?.port ?? 0)
        notices.send(.ready)
      },
      eventLoopGroupProvider: .shared(group), logger: logger)
    let leaving = leaving
    let drain = DrainTimes(delay: options.drainDelay, drain: options.drain)
    let endsProcess = takesSignals
    let lastMoment = endsProcess ? LastMoment(logger: logger) : nil
    let notice = DrainNotice(
      leaving: {
        lastMoment?.arm(after: drain.end)
        leaving()
        notices.send(.stopping)
      }, delay: .seconds(options.drainDelay), draining: draining)
    let watchdog = Watchdog(notices: notices, group: group, isAlive: isAlive)
    let address = ListenAddress(host: options.host, port: options.port)
    var configuration = ServiceGroupConfiguration(
      services: [
        .init(
          service: Listener(application: application, address: address),
          successTerminationBehavior: .gracefullyShutdownGroup),
        .init(service: notice, successTerminationBehavior: .ignore),
        .init(service: watchdog, successTerminationBehavior: .ignore),
      ], logger: logger)
    if let admin, let address = options.admin {
      if address.port != 0 { try await address.check(on: group) }
      // Services stop in reverse order, so the admin routes answer until the last request is answered.
      configuration.services.insert(
        .init(
          service: Listener(application: adminApplication(admin, address, group), address: address),
          successTerminationBehavior: .ignore), at: 0)
    }
    configuration.maximumGracefulShutdownDuration = .seconds(endsProcess ? drain.cancellation : drain.end)
    // With a limit the group would crash the process, and leave its children behind.
    configuration.maximumCancellationDuration = nil
    let services = ServiceGroup(configuration: configuration)
    var signals: ServerSignals?
    if let lastMoment {
      // Armed here and not when the drain starts, which needs a free thread for tasks.
      signals = await ServerSignals(
        leaving: { lastMoment.arm(after: drain.end) }, reloading: reloading, logger: logger)
    }
    let handling = signals?.handling(in: services)
    defer {
      handling?.cancel()
      lastMoment?.disarm()
    }
    do throws(ServerError) { try await HTTPServer.serve(services) } catch {
      await finishing()
      throw error
    }
    await finishing()
  }

  private static func serve(_ services: ServiceGroup) async throws(ServerError) {
    do {
      try await services.run()
    } catch let error as ServerError {
      throw error
    } catch is CancellationError {
      return
    } catch {
      throw ServerError(.ended, "The server stopped: \(error)", remedy: "Start it again")
    }
  }

  /// Reads the certificate and the key for TLS; does nothing without them.
  /// - Throws: `certificate-invalid`.
  package func checkCertificate() throws(ServerError) { _ = try builder() }

  private func adminApplication(
    _ router: Router<HTTPContext>, _ address: ListenAddress, _ group: MultiThreadedEventLoopGroup
  ) -> some ApplicationProtocol {
    var rules = GateRules()
    if address.isLoopback { rules.hosts = Set(["localhost", "127.0.0.1", "::1", address.host.lowercased()]) }
    let times = options.times
    let adminListening = adminListening
    return Application(
      responder: RequestTasks(base: router.buildResponder()),
      server: HTTPServerBuilder { [rules] responder in
        GatedChannel(responder: responder, rules: rules, times: times, live: [:], isSecure: false) { _ in }
      },
      configuration: .init(address: .hostname(address.host, port: address.port), reuseAddress: true),
      onServerRunning: { channel in await adminListening(channel.localAddress?.port ?? 0) },
      eventLoopGroupProvider: .shared(group), logger: logger)
  }

  private func builder() throws(ServerError) -> HTTPServerBuilder {
    let rules = options.rules
    let times = options.times
    let metrics = metrics
    let logger = logger
    let accessLog = options.accessLog
    let proxies = options.proxies
    let live = options.live
    let isSecure = options.certificate != nil
    let plain = HTTPServerBuilder { responder in
      GatedChannel(
        responder: responder, rules: rules, times: times, live: live, isSecure: isSecure
      ) { request in
        metrics.add("fovea_refused_total", ["reason", request.refusal.code])
        request.log(to: logger, accessLog, proxies)
      }
    }
    guard let certificate = options.certificate, let key = options.privateKey else { return plain }
    let files = try CertificateFiles(certificate: certificate, privateKey: key)
    for warning in files.warnings { logger.warning("\(warning)") }
    let current = CurrentCertificate(files, logger: logger)
    var configuration = files.configuration
    // Not on the event loop: an unusable certificate would raise its error in the middle of the handshake.
    configuration.sslContextCallback = { _, promise in
      promise.completeWithTask { current.override }
    }
    do { return try .tls(plain, tlsConfiguration: configuration) } catch {
      throw files.failure(error)
    }
  }
}

/// Reports that the server shuts down, and after a delay that the drain starts: services that were added
/// earlier wait for it.
private struct DrainNotice: Service {
  let leaving: @Sendable () -> Void
  let delay: Duration
  let draining: @Sendable () -> Void

  func run() async throws {
    try? await gracefulShutdown()
    leaving()
    if delay > .zero { try? await Task.sleep(for: delay) }
    draining()
  }
}
#endif
