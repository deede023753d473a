// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import NIOCore
import NIOPosix
import NIOSSL

/// Connects to a broker.
struct MQTTConnection: Sendable {
  typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  let options: MQTTOptions

  private static let patience = Duration.seconds(5)

  /// Opens a connection, whose TLS handshake may still fail.
  func open() async throws -> Channel {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(TimeAmount(MQTTConnection.patience))
      .connect(host: options.address.host, port: options.address.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          if options.isSecure { try channel.pipeline.syncOperations.addHandler(encryption()) }
          return try Channel(wrappingChannelSynchronously: channel)
        }
      }
  }

  private func encryption() throws -> NIOSSLClientHandler {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    if !options.authorities.isEmpty { configuration.trustRoots = .certificates(options.authorities) }
    // Only names may be part of the first handshake message.
    let host = options.address.host
    return try NIOSSLClientHandler(
      context: NIOSSLContext(configuration: configuration),
      serverHostname: InternetAddress(host) == nil ? host : nil)
  }

  /// Returns the reason for which a connection has ended.
  static func end(_ error: any Error) -> MQTTEnd {
    switch error {
    case let end as MQTTEnd: return end
    case NIOSSLError.handshakeFailed(let reason): return end(ofHandshake: "\(reason)")
    case is NIOSSLExtraError: return .insecure(.misnamed)
    case let error as NIOConnectionError:
      return .unreachable(
        error.connectionErrors.isEmpty
          ? "the name of the broker is unknown" : "nothing accepts connections at the address")
    case ChannelError.connectTimeout: return .unreachable("the broker does not answer in time")
    case ChannelError.alreadyClosed, ChannelError.ioOnClosedChannel, ChannelError.eof, is IOError,
      is NIOSSLError:
      return .closed
    // With TLS 1.3, a broker refuses a client without a certificate only after the handshake.
    case let error as BoringSSLError: return end(ofHandshake: "\(error)")
    default: return .unreachable("\(error)")
    }
  }

  /// Returns the end for BoringSSL's description of a failed handshake.
  static func end(ofHandshake reason: String) -> MQTTEnd {
    TLSFault(reason).map(MQTTEnd.insecure) ?? .unreachable("the TLS handshake failed: \(reason)")
  }
}
#endif
