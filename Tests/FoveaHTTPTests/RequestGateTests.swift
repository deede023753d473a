// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaHTTP
import FoveaTesting
import Hummingbird
import Testing

@Suite struct RequestGateTests {
  /// Sent bytes, and the resulting status.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: String
    let status: String
    var testDescription: String { name }
  }

  static let host = "Host: localhost\r\n"
  static let malformed: [Case] = [
    Case(
      name: "two lengths",
      bytes: "POST /echo HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", status: "400"
    ),
    Case(
      name: "length and chunks",
      bytes:
        "POST /echo HTTP/1.1\r\n\(host)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      status: "400"),
    Case(
      name: "negative length", bytes: "POST /echo HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n",
      status: "400"),
    Case(
      name: "length of 30 digits",
      bytes: "POST /echo HTTP/1.1\r\n\(host)Content-Length: \(String(repeating: "9", count: 30))\r\n\r\n",
      status: "400"),
    Case(
      name: "bad chunk size",
      bytes: "POST /echo HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nxyz\r\n", status: "400"),
    Case(name: "NUL in a header", bytes: "GET /hello HTTP/1.1\r\n\(host)X: a\0b\r\n\r\n", status: "400"),
    Case(name: "folded header", bytes: "GET /hello HTTP/1.1\r\n\(host)X: a\r\n b\r\n\r\n", status: "400"),
    Case(
      name: "lines that end in LF alone", bytes: "GET /hello HTTP/1.1\nHost: localhost\n\n", status: "400"),
    Case(name: "no HTTP", bytes: "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", status: "400"),
    Case(
      name: "length beyond the limit",
      bytes: "POST /echo HTTP/1.1\r\n\(host)Content-Length: 2000000\r\n\r\n", status: "413"),
    Case(
      name: "length beyond the limit, asking first",
      bytes: "POST /echo HTTP/1.1\r\n\(host)Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n",
      status: "413"),
    Case(
      name: "101 headers",
      bytes: "GET /hello HTTP/1.1\r\n\(host)" + (0..<101).map { "X-\($0): 1\r\n" }.joined() + "\r\n",
      status: "431"),
    Case(
      name: "a header of 20 KiB",
      bytes: "GET /hello HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 20 << 10))\r\n\r\n",
      status: "431"),
    Case(
      name: "a path of 9 KiB",
      bytes: "GET /\(String(repeating: "a", count: 9 << 10)) HTTP/1.1\r\n\(host)\r\n", status: "414"),
    Case(
      name: "a page of another site",
      bytes: "GET /hello HTTP/1.1\r\n\(host)Sec-Fetch-Site: cross-site\r\n\r\n", status: "403"),
    Case(
      name: "two hosts", bytes: "GET /hello HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
      status: "400"),
    Case(
      name: "a coding besides chunked",
      bytes: "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      status: "501"),
    Case(
      name: "a page of another site that reads",
      bytes: "GET /hello HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n", status: "403"),
    Case(name: "a foreign host", bytes: "GET /hello HTTP/1.1\r\nHost: evil.example\r\n\r\n", status: "403"),
    Case(name: "no host", bytes: "GET /hello HTTP/1.1\r\n\r\n", status: "400"),
    Case(name: "an empty host", bytes: "GET /hello HTTP/1.1\r\nHost:\r\n\r\n", status: "400"),
    Case(name: "no host and HTTP/1.0", bytes: "GET /hello HTTP/1.0\r\n\r\n", status: "403"),
    Case(
      name: "an address without Host", bytes: "GET http://localhost/hello HTTP/1.1\r\n\r\n", status: "400"),
    Case(
      name: "a foreign address",
      bytes: "GET http://evil.example/hello HTTP/1.1\r\nHost: localhost\r\n\r\n", status: "403"),
    Case(
      name: "a foreign address behind a user",
      bytes: "GET HTTP://localhost@evil.example?/hello HTTP/1.1\r\nHost: localhost\r\n\r\n", status: "403"),
    Case(
      name: "an address with two hosts",
      bytes: "GET http://localhost/hello HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
      status: "400"),
  ]

  @Test(arguments: malformed)
  func `a malformed request is rejected, the connection closed, and the next one answered`(row: Case)
    async throws
  {
    var options = ServerOptions()
    options.rules.hosts = ["localhost"]
    try await RunningServer.run(options: options) { server in
      let connection = try server.connect()
      connection.send(row.bytes)
      let answer = connection.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 \(row.status) "), "\(answer.prefix(200))")
      #expect(answer.lowercased().contains("connection: close"))
      #expect(answer.contains("\"error\""))
      #expect(try server.isAlive)
    }
  }

  @Test(
    arguments: [
      ("GET /secret HTTP/1.1\r\n\(host)X-Request-Id: abc-1\r\n\r\n", "abc-1"),
      ("GET /secret HTTP/1.1\r\n\(host)\r\n", nil),
      ("GET /secret HTTP/1.1\r\n\(host)X-Request-Id: a b\r\n\r\n", nil),
      ("POST /secret HTTP/1.1\r\n\(host)X-Request-Id: abc-2\r\nContent-Length: 3\r\n\r\nabc", "abc-2"),
      ("POST /echo HTTP/1.1\r\n\(host)X-Request-Id: abc-3\r\nContent-Length: 2000000\r\n\r\n", "abc-3"),
      ("no HTTP\r\n\r\n", nil),
    ] as [(String, String?)])
  func `a response to a rejected head has the caller's id or a new one, and the date`(
    _ bytes: String, _ id: String?
  ) async throws {
    var options = ServerOptions()
    options.rules.admission = { head, _ in
      head.path == "/secret" ? Refusal(.unauthorized, "not-authorized", "No key", remedy: "Send one") : nil
    }
    try await RunningServer.run(options: options) { server in
      let connection = try server.connect()
      connection.send(bytes)
      let head = connection.read(until: "\r\n\r\n").lowercased()
      let found = head.components(separatedBy: "x-request-id: ").dropFirst().first?.prefix { $0 != "\r\n" }
      let name = found.map(String.init) ?? ""
      #expect(name == id || id == nil && name.count == 16, "\(head)")
      #expect(head.contains("\r\ndate: ") && head.contains(" gmt\r\n"), "\(head)")
    }
  }

  @Test func `a chunked body that grows over the limit is rejected before its end`() async throws {
    try await RunningServer.run { server in
      let connection = try server.connect()
      connection.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "10000\r\n" + String(repeating: "a", count: 65_536) + "\r\n"
      for _ in 0..<17 { connection.send(chunk) }
      #expect(connection.readToEnd().hasPrefix("HTTP/1.1 413 "))
      #expect(try server.isAlive)
    }
  }

  @Test func `a client that asks before it sends gets 100 Continue`() async throws {
    try await RunningServer.run { server in
      let connection = try server.connect()
      connection.send(
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      #expect(connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue\r\n"))
      connection.send("abc")
      #expect(connection.read(until: "}").contains("{\"bytes\": 3}"))
    }
  }

  @Test func `an early response closes the connection instead of reading ten gigabytes`() async throws {
    var options = ServerOptions()
    options.rules.bodyLimit = { _ in 10 << 30 }
    try await RunningServer.run(options: options) { server in
      let connection = try server.connect()
      connection.send("POST /ignore HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n\r\nabc")
      let answer = connection.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 401 "))
      #expect(answer.lowercased().contains("connection: close"))
      #expect(try server.isAlive)
    }
  }

  /// Requests in one piece, of which those for `/echo` are rejected, and the resulting statuses.
  static let refused: [(name: String, bytes: String, statuses: [String])] = [
    ("a small body", post("Content-Length: 3", "abc") + hello, ["503", "200"]),
    ("no body", post("Content-Length: 0") + hello, ["503", "200"]),
    ("no length", post("X: 1") + hello, ["503", "200"]),
    (
      "three in a row", String(repeating: post("Content-Length: 3", "abc"), count: 3) + hello,
      ["503", "503", "503", "200"]
    ),
    (
      "256 KiB", post("Content-Length: 262144", String(repeating: "a", count: 1 << 18)) + hello,
      ["503", "200"]
    ),
    ("a byte more", post("Content-Length: 262145", String(repeating: "a", count: 1 << 10)), ["503"]),
    ("chunks", post("Transfer-Encoding: chunked", "0\r\n\r\n") + hello, ["503"]),
    ("a client that asks first", post("Expect: 100-continue\r\nContent-Length: 3"), ["503"]),
    ("a client that closes", post("Connection: close\r\nContent-Length: 3", "abc"), ["503"]),
    ("too many requests", post("Content-Length: 3", "abc", to: "/share") + hello, ["429", "200"]),
    (
      "too many requests in a row",
      String(repeating: post("Content-Length: 3", "abc", to: "/share"), count: 3) + hello,
      ["429", "429", "429", "200"]
    ),
    ("after one that is answered", hi + post("Content-Length: 3", "abc"), ["200", "503"]),
  ]
  private static let hello = "GET /hello HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"
  private static let hi = "GET /hello HTTP/1.1\r\n\(host)\r\n"

  private static func post(_ headers: String, _ body: String = "", to path: String = "/echo") -> String {
    "POST \(path) HTTP/1.1\r\n\(host)\(headers)\r\n\r\n\(body)"
  }

  @Test(arguments: refused)
  func `a rejected caller keeps its connection if its body is small`(
    name: String, bytes: String, statuses: [String]
  ) async throws {
    var options = ServerOptions()
    options.rules.admission = { head, _ in
      switch head.path {
      case "/echo": Refusal(.serviceUnavailable, "server-busy", "Busy", remedy: "Come again")
      case "/share": Refusal(.tooManyRequests, "share-used", "Too many", remedy: "Come again")
      default: nil
      }
    }
    try await RunningServer.run(options: options) { server in
      let connection = try server.connect()
      connection.send(bytes)
      let answer = connection.readToEnd()
      let found = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
      #expect(found == statuses, "\(name): \(answer.prefix(300))")
      #expect(answer.lowercased().contains("connection: close") == (statuses.last == "503"), "\(name)")
      #expect(try server.isAlive)
    }
  }

  @Test
  func `a client with too many requests is told on its open connection, and may leave at any time`()
    async throws
  {
    var options = ServerOptions()
    options.rules.admission = { head, _ in
      head.path == "/share"
        ? Refusal(.tooManyRequests, "share-used", "Too many", remedy: "Come again") : nil
    }
    try await RunningServer.run(options: options) { server in
      let connection = try server.connect()
      for _ in 0..<3 {
        connection.send(Self.post("Content-Length: 3", "abc", to: "/share"))
        #expect(connection.read(until: "}}").hasPrefix("HTTP/1.1 429 "))
      }
      for _ in 0..<20 {
        let leaving = try server.connect()
        leaving.send(Self.post("Content-Length: 3", "abc", to: "/share"))
      }
      #expect(try server.isAlive)
    }
  }

  @Test(arguments: ["/ignore", "/nothing", "/busy"], [100_000, 658_000, 8 << 20])
  func `a client that keeps sending gets its response, and a moment to read it`(path: String, size: Int)
    async throws
  {
    var options = ServerOptions()
    options.rules.bodyLimit = { _ in 10 << 30 }
    options.rules.admission = { head, _ in
      head.path == "/busy" ? Refusal(.unauthorized, "not-authorized", "No key", remedy: "Send one") : nil
    }
    try await RunningServer.run(options: options) { server in
      let connection = try server.connect()
      connection.send("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(size)\r\n\r\n")
      // It writes while the response arrives, as Node's fetch does; no write may meet a closed connection.
      var sent = 0
      while sent < min(size, 200_000) {
        connection.send([UInt8](repeating: 97, count: 20_000))
        sent += 20_000
      }
      let answer = connection.read(until: "}}")
      #expect(
        answer.hasPrefix(path == "/nothing" ? "HTTP/1.1 404 " : "HTTP/1.1 401 "), "\(answer.prefix(80))")
      #expect(try server.isAlive)
    }
  }

  @Test(arguments: [false, true])
  func `a streamed response counts by its outcome`(leaves: Bool) async throws {
    try await RunningServer.run { server in
      do {
        let connection = try server.connect()
        connection.send("GET /pieces HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        if leaves { _ = connection.read(100) } else { _ = connection.readToEnd() }
      }
      #expect(server.counts(#"fovea_requests_total{route="/pieces",status="\#(leaves ? 499 : 200)"} 1"#))
      #expect(!server.metrics.text().contains(#"route="/pieces",status="\#(leaves ? 200 : 499)""#))
    }
  }

  @Test(arguments: [("none", 200), ("store", 503), ("refusal", 429), ("cancelled", 499)])
  func `a streamed response that fails counts as a failure, not as a client that has left`(
    problem: String, status: Int
  ) async throws {
    try await RunningServer.run { server in
      let connection = try server.connect()
      connection.send("GET /broken/\(problem) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      _ = connection.readToEnd()
      let count = #"fovea_requests_total{route="/broken/{problem}",status="\#(status)"} 1"#
      #expect(server.counts(count))
    }
  }

  @Test func `ten pipelined requests are answered in order`() async throws {
    try await RunningServer.run { server in
      let connection = try server.connect()
      let requests = (1...10).map {
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: \($0)\r\n\r\n"
          + String(repeating: "a", count: $0)
      }
      connection.send(
        requests.joined() + "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let answer = connection.readToEnd()
      let counts = answer.components(separatedBy: "{\"bytes\": ").dropFirst().compactMap {
        Int($0.prefix { $0 != "}" })
      }
      #expect(counts == Array(1...10))
      #expect(answer.hasSuffix("hello"))
    }
  }

  @Test(arguments: [
    ("HEAD /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 404"),
    ("GET /hello HTTP/1.0\r\n\r\n", "HTTP/1.1 200"),
    ("GET http://localhost/hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 200"),
    ("GET http://localhost:80/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "HTTP/1.1 404"),
    ("GET http://localhost HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "HTTP/1.1 404"),
    ("GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 404"),
    ("GET //v1/../hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 404"),
  ])
  func `other forms of requests`(bytes: String, answer: String) async throws {
    try await RunningServer.run { server in
      let connection = try server.connect()
      connection.send(bytes)
      let text = connection.readToEnd()
      #expect(text.hasPrefix(answer), "\(text.prefix(100))")
      #expect(try server.isAlive)
    }
  }
}
#endif
