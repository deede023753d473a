// SPDX-License-Identifier: Apache-2.0
#if Server
import FoundationEssentials
import FoveaCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Checks whether a server is ready for requests, like a container's health check.
package struct HealthProbe: Sendable {
  /// The address to check.
  package let url: String
  private let host: String
  private let port: Int
  private let target: String
  private let isSecure: Bool
  private let isInsecure: Bool
  private let limit: Duration

  /// - Parameters:
  ///   - url: `http://…` or `https://…`; without a path, `/readyz` is used.
  ///   - isInsecure: Whether to accept any certificate.
  ///   - limit: The time limit for the answer.
  /// - Throws: `unhealthy` if `url` is not such an address.
  package init(_ url: String, isInsecure: Bool, limit: Duration) throws(ServerError) {
    guard let parts = URL(string: url), let scheme = parts.scheme, ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty
    else {
      throw ServerError(
        .unhealthy, "'\(url)' is not the address of a server",
        remedy: "Give one such as http://127.0.0.1:8080/readyz")
    }
    self.url = url
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    isSecure = scheme == "https"
    port = parts.port ?? (isSecure ? 443 : 80)
    let path = ["", "/"].contains(parts.path()) ? "/readyz" : parts.path()
    target = parts.query().map { "\(path)?\($0)" } ?? path
    self.isInsecure = isInsecure
    self.limit = limit
  }

  /// Sends the request once.
  /// - Throws: `unhealthy` if the answer is not 200 or does not arrive in time.
  package func run() async throws(ServerError) {
    let status: Int
    do { status = try await answer() } catch NIOSSLError.handshakeFailed(let reason) {
      throw handshakeFailure("\(reason)")
    } catch {
      throw ServerError(
        .unhealthy, "\(url) does not answer: \(HealthProbe.reason(error, limit))",
        remedy: "Check that the server is running and listens there")
    }
    guard status == 200 else {
      throw ServerError(
        .unhealthy, "\(url) answers with status \(status)",
        remedy: status == 404
          ? "Check the path; '\(call: "serve --admin")' has its health only at the address of that option"
          : "Wait until the server is ready, or read its log")
    }
  }

  private func handshakeFailure(_ reason: String) -> ServerError {
    if reason.contains("CERTIFICATE_VERIFY_FAILED") {
      return ServerError(
        .unhealthy, "\(url) has a certificate that this machine does not trust",
        remedy: "Pass \(flag: "insecure") if it is self-signed, or install a trusted one")
    }
    if reason.contains("WRONG_VERSION_NUMBER") || reason.contains("HTTP_REQUEST") {
      return ServerError(
        .unhealthy, "\(url) answers without TLS", remedy: "Use http:// instead of https://")
    }
    return ServerError(
      .unhealthy, "\(url) failed the TLS handshake: \(reason)",
      remedy: "Check the address and the server's log")
  }

  private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

  private func answer() async throws -> Int {
    let end = NIODeadline.now() + TimeAmount(limit)
    let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(TimeAmount(limit))
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture { try handlers(channel) }
      }
    let channel = connection.channel
    let late = channel.eventLoop.scheduleTask(deadline: end) { channel.close(promise: nil) }
    defer { late.cancel() }
    return try await connection.executeThenClose { parts, writer in
      var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target)
      head.headers.add(name: "Host", value: (host.contains(":") ? "[\(host)]" : host) + ":\(port)")
      head.headers.add(name: "Connection", value: "close")
      var failure: any Error = ChannelError.eof
      do {
        try await writer.write(.head(head))
        try await writer.write(.end(nil))
      } catch {
        // The connection is closed: after an answer to the head, or because of an error that reading reports,
        // such as an untrusted certificate.
        failure = error
      }
      for try await part in parts {
        if case .head(let head) = part { return Int(head.status.code) }
      }
      throw failure
    }
  }

  private func handlers(_ channel: any Channel) throws -> Connection {
    let pipeline = channel.pipeline.syncOperations
    if isSecure {
      var configuration = TLSConfiguration.makeClientConfiguration()
      if isInsecure { configuration.certificateVerification = .none }
      // Only names may be part of the first handshake message.
      try pipeline.addHandler(
        NIOSSLClientHandler(
          context: NIOSSLContext(configuration: configuration),
          serverHostname: InternetAddress(host) == nil ? host : nil))
    }
    try pipeline.addHTTPClientHandlers()
    return try Connection(wrappingChannelSynchronously: channel)
  }

  private static func reason(_ error: any Error, _ limit: Duration) -> String {
    switch error {
    case ChannelError.eof: "the connection ended without an answer within \(Int(limit.milliseconds)) ms"
    case let error as NIOConnectionError: "nothing accepts connections on port \(error.port) of \(error.host)"
    default: "\(error)"
    }
  }
}
#endif
