// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging
import NIOCore
import ServiceLifecycle

/// Sends a server's notices to its service manager; a failure is only a warning.
struct ManagerNotices: Sendable {
  let manager: ServiceManager?
  let logger: Logger

  func send(_ notice: ServiceManager.Notice) {
    guard let manager else { return }
    do throws(SystemError) { try manager.send(notice) } catch {
      logger.warning(
        "service manager not notified",
        metadata: ["notice": "\(notice.rawValue)", "error": "\(error.message)"])
    }
  }
}

/// Sends the service manager a keep-alive notice while the server works.
///
/// An event loop that hangs delays it, and so do tasks that block all threads: then no notice is sent, and
/// the manager restarts the server.
struct Watchdog: Service {
  let notices: ManagerNotices
  let group: any EventLoopGroup
  let isAlive: @Sendable () -> Bool

  func run() async throws {
    guard let interval = notices.manager?.watchdog else { return }
    // A manager that is stopping the server does not wait for a notice.
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      if try await isWorking() { notices.send(.alive) }
      // The sleep ends early when the server shuts down, and with it the loop.
      try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval / 3) }
    }
  }

  private func isWorking() async throws -> Bool {
    for loop in group.makeIterator() { try await loop.submit {}.get() }
    return isAlive()
  }
}
#endif
