// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Hummingbird
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Answers at one address, and reports why if it cannot.
struct Listener<A: ApplicationProtocol>: Service {
  let application: A
  let address: ListenAddress

  func run() async throws {
    do { try await application.run() } catch let error as CancellationError {
      throw error
    } catch {
      throw address.failure(error)
    }
  }
}

extension ListenAddress {
  /// Binds the address briefly, to detect an address in use before a server starts.
  /// - Throws: `listen-failed`.
  func check(on group: any EventLoopGroup) async throws(ServerError) {
    do {
      let bootstrap = ServerBootstrap(group: group).serverChannelOption(
        .socketOption(.so_reuseaddr), value: 1)
      try await bootstrap.bind(host: host, port: port).get().close()
    } catch {
      throw failure(error)
    }
  }

  /// Returns the error of an address that cannot be listened on.
  func failure(_ error: any Error) -> ServerError {
    if let error = error as? IOError {
      let remedy: Advice =
        error.errnoCode == 98
        ? "Stop the program that listens there, or choose another port" : "Choose another address or port"
      return ServerError(.listen, "Cannot listen on \(self): \(reason(error.errnoCode))", remedy: remedy)
    }
    let reason = error is SocketAddressError.UnknownHost ? "the name has no address" : "\(error)"
    return ServerError(
      .listen, "Cannot listen on \(self): \(reason)", remedy: "Choose another address or port")
  }

  private func reason(_ code: CInt) -> String {
    switch code {
    case 98: "the address is in use"
    case 99: "the address does not belong to this machine"
    case 13: "ports below 1024 need permission"
    default: "system error \(code)"
    }
  }
}
#endif
