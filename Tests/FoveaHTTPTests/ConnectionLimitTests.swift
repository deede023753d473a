// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaTesting
import Logging
import Synchronization
import Testing

@Suite struct ConnectionLimitTests {
  @Test func `reaching the connection limit is logged once, and others wait`() {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { "now" }, write: { line in lines.withLock { $0.append(line) } })
    }
    var limit = ConnectionLimit(
      2, reason: "the process may have 256 files open (ulimit -n)", logger: logger)
    limit.connectionOpened()
    #expect(limit.isAcceptingNewConnections() && lines.withLock { $0.isEmpty })
    limit.connectionOpened()
    #expect(!limit.isAcceptingNewConnections())
    let line = lines.withLock { $0.first } ?? ""
    #expect(
      line.contains("The limit of open connections is reached: others wait") && line.contains("ulimit -n"))
    limit.connectionClosed()
    #expect(limit.isAcceptingNewConnections())
    // Not for each connection.
    limit.connectionOpened()
    #expect(lines.withLock { $0.count } == 1)
  }
}
#endif
