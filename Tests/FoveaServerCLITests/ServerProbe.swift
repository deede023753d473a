// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting

/// Sends requests to a server in its own process; everything here blocks.
enum ServerProbe {
  /// The response to a GET; nil without one.
  static func answer(_ path: String, _ port: Int) -> HTTPAnswer? {
    guard let connection = try? RawConnection(port: port) else { return nil }
    connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    return try? HTTPAnswer(connection.readToEnd())
  }

  /// The status of the response to a GET; nil without one.
  static func status(_ path: String, _ port: Int) -> Int? { answer(path, port)?.status }

  /// Waits until something holds, at most two minutes.
  /// - Throws: `TestFailure` with what was waited for.
  static func wait(_ what: String, _ condition: () -> Bool) throws(TestFailure) {
    var holds = false
    blockUntil {
      holds = condition()
      return holds
    }
    if !holds { throw TestFailure("not within two minutes: \(what)") }
  }

  /// Sends SIGTERM until a draining server no longer answers: right after the first it would count as the
  /// same one.
  static func end(_ server: ChildProcess, _ port: Int) throws(TestFailure) {
    try wait("it has ended") {
      server.send(SIGTERM)
      return status("/livez", port) == nil
    }
  }
}
#endif
