// SPDX-License-Identifier: Apache-2.0
#if Server
  package import FoveaErrors
  package import Hummingbird
  internal import HummingbirdCore
  internal import HummingbirdTLS
  package import Logging
  internal import NIOCore
  internal import NIOPosix
  internal import NIOSSL
  internal import ServiceLifecycle

  /// Why a server does not start.
  package typealias ServerError = Failure<ServerCode>

  /// The kinds of ``ServerError``.
  package struct ServerCode: FailureCode {
    package static let domain = "server"
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The address is taken, not this machine's, or not allowed.
    package static let listen = Self(rawValue: "listen-failed")
    /// A certificate or key cannot be read, or they do not fit.
    package static let certificate = Self(rawValue: "certificate-invalid")
    /// The folder for what a server keeps cannot be read or written.
    package static let state = Self(rawValue: "state-unavailable")
    /// A server that is asked for its health does not answer that it is ready.
    package static let unhealthy = Self(rawValue: "unhealthy")
    /// The server ended by itself.
    package static let ended = Self(rawValue: "ended")
  }

  /// Listens, answers with a router, and drains on SIGTERM or SIGINT.
  package struct HTTPServer: Sendable {
    package var options: ServerOptions
    package var logger: Logger
    package var metrics: Metrics
    /// Called with the port once connections are taken.
    package var listening: @Sendable (_ port: Int) async -> Void = { _ in }
    /// Called when the server is asked to end, and goes on for ``ServerOptions/drainDelay``: balancers should leave it out.
    package var leaving: @Sendable () -> Void = {}
    /// Called when the drain begins.
    package var draining: @Sendable () -> Void = {}
    /// Called at each SIGHUP: what the server has read should be read again.
    package var reloading: @Sendable () async -> Void = {}
    /// Whether what the server does besides moving bytes goes on; a service manager ends a server that hangs.
    package var isAlive: @Sendable () -> Bool = { true }
    /// Whether SIGTERM and SIGINT end it, and SIGHUP is heard; not where it is part of another program, or of a test.
    package var takesSignals = true

    package init(options: ServerOptions, logger: Logger, metrics: Metrics) {
      self.options = options
      self.logger = logger
      self.metrics = metrics
    }

    /// Runs until a signal has come and the requests under way are answered, or the task is cancelled.
    package func run(_ router: Router<HTTPContext>) async throws(ServerError) {
      let builder = try builder()
      let listening = listening
      let notices = ManagerNotices(manager: options.manager, logger: logger)
      let group = MultiThreadedEventLoopGroup(numberOfThreads: options.loops)
      let connections = MaximumAvailableConnections(options.maximumConnections)
      let application = Application(
        router: router, server: builder,
        configuration: .init(
          address: .hostname(options.host, port: options.port), backlog: 1024, reuseAddress: true,
          availableConnectionsDelegate: connections),
        onServerRunning: { channel in
          await listening(channel.localAddress?.port ?? 0)
          notices.send(.ready)
        },
        eventLoopGroupProvider: .shared(group), logger: logger)
      let leaving = leaving
      let notice = DrainNotice(
        leaving: {
          leaving()
          notices.send(.stopping)
        }, delay: .seconds(options.drainDelay), draining: draining)
      let watchdog = Watchdog(notices: notices, group: group, isAlive: isAlive)
      var configuration = ServiceGroupConfiguration(
        services: [
          .init(service: application, successTerminationBehavior: .gracefullyShutdownGroup),
          .init(service: notice, successTerminationBehavior: .ignore),
          .init(service: watchdog, successTerminationBehavior: .ignore),
        ], logger: logger)
      configuration.maximumGracefulShutdownDuration = .seconds(options.drainDelay + options.drain)
      configuration.maximumCancellationDuration = .seconds(5)
      let services = ServiceGroup(configuration: configuration)
      let signals = takesSignals ? await ServerSignals(reloading: reloading, logger: logger) : nil
      let handling = Task { await signals?.handle(in: services) }
      defer { handling.cancel() }
      do {
        try await services.run()
      } catch let error as ServerError {
        throw error
      } catch is CancellationError {
        return
      } catch {
        throw HTTPServer.failure(error, options)
      }
      // A program leaves its threads to the end of the process: what is freed until then may still need them, and NIO
      // would complain on standard error.
      if !takesSignals { try? await group.shutdownGracefully() }
    }

    private func builder() throws(ServerError) -> HTTPServerBuilder {
      let rules = options.rules
      let times = options.times
      let metrics = metrics
      let live = options.live
      let isSecure = options.certificate != nil
      let plain = HTTPServerBuilder { responder in
        GatedChannel(
          responder: responder, rules: rules, times: times, live: live, isSecure: isSecure
        ) { refusal in
          metrics.add("fovea_refused_total", ["reason", refusal.code])
        }
      }
      guard let certificate = options.certificate, let key = options.privateKey else { return plain }
      let files = try CertificateFiles(certificate: certificate, privateKey: key)
      for warning in files.warnings { logger.warning("\(warning)") }
      let current = CurrentCertificate(files, logger: logger)
      var configuration = files.configuration
      // Not on the event loop: a certificate that cannot be used would leave its error in the middle of the handshake.
      configuration.sslContextCallback = { _, promise in
        promise.completeWithTask { current.override }
      }
      do { return try .tls(plain, tlsConfiguration: configuration) } catch {
        throw files.failure(error)
      }
    }

    private static func failure(_ error: any Error, _ options: ServerOptions) -> ServerError {
      let address = "\(options.host):\(options.port)"
      if let error = error as? IOError {
        let remedy: Advice =
          error.errnoCode == 98
          ? "End the program that listens there, or choose another port" : "Choose another address or port"
        return ServerError(
          .listen, "Cannot listen on \(address): \(HTTPServer.reason(error.errnoCode))", remedy: remedy)
      }
      let reason = error is SocketAddressError.UnknownHost ? "the name has no address" : "\(error)"
      return ServerError(
        .listen, "Cannot listen on \(address): \(reason)", remedy: "Choose another address or port")
    }

    private static func reason(_ code: CInt) -> String {
      switch code {
      case 98: "the address is in use"
      case 99: "the address is not one of this machine"
      case 13: "ports below 1024 need permission"
      default: "system error \(code)"
      }
    }
  }

  /// Passes on that the server is to end, and, after a delay, that the drain begins: services that were added before wait for it.
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
