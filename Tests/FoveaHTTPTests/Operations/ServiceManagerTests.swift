// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Logging
import NIOPosix
import Synchronization
import Testing

@testable import FoveaHTTP

@Suite struct ServiceManagerTests {
  @Test(
    arguments: [
      ([:], nil), (["NOTIFY_SOCKET": "/run/notify"], nil),
      (["NOTIFY_SOCKET": "@notify", "WATCHDOG_USEC": "30000000"], .seconds(30)),
      (["NOTIFY_SOCKET": "@notify", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(30)),
      (["NOTIFY_SOCKET": "@notify", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
      (["NOTIFY_SOCKET": "@notify", "WATCHDOG_USEC": "0"], nil),
      (["NOTIFY_SOCKET": "@notify", "WATCHDOG_USEC": "-1"], nil),
      (["NOTIFY_SOCKET": "@notify", "WATCHDOG_USEC": "99999999999999999999"], nil),
      (["NOTIFY_SOCKET": "vsock:2:1234", "WATCHDOG_USEC": "1"], nil),
      (["NOTIFY_SOCKET": "notify", "WATCHDOG_USEC": "1"], nil),
    ] as [([String: String], Duration?)])
  func `the service manager is at the socket that the environment names`(
    _ variables: [String: String], _ watchdog: Duration?
  ) {
    let manager = ServiceManager({ variables[$0] }, process: 7)
    let socket = variables["NOTIFY_SOCKET"] ?? ""
    #expect((manager != nil) == (socket.hasPrefix("/") || socket.hasPrefix("@")))
    #expect(manager?.watchdog == watchdog)
  }

  @Test(arguments: [true, false])
  func `a server reports that it is ready, alive and stopping`(_ isAbstract: Bool) async throws {
    let folder = try TemporaryFolder()
    let name = isAbstract ? "@" + folder["notify"] : folder["notify"]
    let socket = try DatagramSocket(name)
    var options = ServerOptions()
    options.manager = ServiceManager { ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000"][$0] }
    let made = options
    try await RunningServer.serve(options: made) { _ in
      try await socket.waits(for: "READY=1")
      try await socket.waits(for: "WATCHDOG=1")
    }
    try await socket.waits(for: "STOPPING=1")
  }

  @Test func `a hanging server sends no keep-alive`() async throws {
    let folder = try TemporaryFolder()
    let socket = try DatagramSocket(folder["notify"])
    let manager = ServiceManager { ["NOTIFY_SOCKET": folder["notify"], "WATCHDOG_USEC": "30000"][$0] }
    let calls = Atomic(0)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let watchdog = Watchdog(
      notices: ManagerNotices(manager: manager, logger: logger),
      group: MultiThreadedEventLoopGroup.singleton
    ) {
      calls.add(1, ordering: .relaxed)
      return false
    }
    let task = Task { try await watchdog.run() }
    defer { task.cancel() }
    try await waitUntil("the watchdog has asked") { calls.load(ordering: .relaxed) > 3 }
    #expect(socket.next() == nil)
  }

  @Test func `a missing socket, or one with too long a name, is an error`() throws {
    let folder = try TemporaryFolder()
    let long = "/" + String(repeating: "a", count: 200)
    for (name, number) in [(folder["notify"], ENOENT), (long, ENAMETOOLONG)] {
      let manager = try #require(ServiceManager { $0 == "NOTIFY_SOCKET" ? name : nil })
      #expect(throws: SystemError(number)) { try manager.send(.ready) }
    }
  }
}
#endif
