// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaTesting
import NIOCore
import NIOEmbedded
import Testing

@testable import FoveaHTTP

@Suite struct ConnectionClockTests {
  /// Only the tested times are short: on a busy machine the others would run out first.
  private static func options(_ change: (inout ConnectionTimes) -> Void) -> ServerOptions {
    var options = ServerOptions()
    change(&options.times)
    return options
  }

  @Test(arguments: [
    ("a head that stops", "GET /hello HTTP/1.1\r\nHost: loc", "HTTP/1.1 408 "),
    (
      "a body that stops", "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
      "HTTP/1.1 408 "
    ),
  ])
  func `a stalled request is ended`(name: String, bytes: String, answer: String) async throws {
    let options = Self.options {
      $0.head = .milliseconds(300)
      $0.body = .milliseconds(300)
      $0.bodyRate = 1 << 20
    }
    try await RunningServer.run(options: options) { server in
      let connection = try server.connect()
      connection.send(bytes)
      let text = connection.readToEnd()
      #expect(text.hasPrefix(answer), "\(name): \(text.prefix(100))")
      #expect(try server.isAlive)
    }
  }

  /// A body with this many bytes per second, and the seconds until it is too slow; nil for never.
  @Test(arguments: [
    ("drips", 1, 11), ("half as fast as it must be", 32 << 10, 19), ("just fast enough", 64 << 10, nil),
  ])
  func `a body has ten seconds, and one more for each 64 KiB`(name: String, bytes: Int, seconds: Int?)
    throws
  {
    final class Flag { var isSet = false }
    let flag = Flag()
    let clock = ConnectionClock(times: ConnectionTimes()) { flag.isSet = true }
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(clock)
    clock.requestBegan()
    var found: Int?
    for second in 1...100 where found == nil {
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      if flag.isSet { found = second } else { clock.bodyGrew(by: bytes) }
    }
    #expect(found == seconds, "\(name)")
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `a connection without a request is ended`() async throws {
    try await RunningServer.run(options: Self.options { $0.idle = .milliseconds(300) }) { server in
      let text = try server.connect().readToEnd()
      #expect(text.isEmpty)
    }
  }

  @Test func `a reader that reads nothing is disconnected`() async throws {
    try await RunningServer.run(options: Self.options { $0.stalledAnswer = .milliseconds(300) }) { server in
      let connection = try server.connect()
      connection.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      // On a busy machine it may be disconnected before the first byte is read.
      _ = connection.read(1)
      #expect(try server.isAlive)
    }
  }
}
#endif
