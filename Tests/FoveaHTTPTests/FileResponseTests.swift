// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import FoveaTesting
import NIOCore
import Testing

@Suite struct FileResponseTests {
  private static let size = 1_000_003

  private static func request(_ range: String?) -> String {
    "GET /file HTTP/1.1\r\nHost: localhost\r\n" + (range.map { "Range: bytes=\($0)\r\n" } ?? "") + "\r\n"
  }

  @Test(
    arguments: [
      (nil, 0..<size), ("0-0", 0..<1), ("999999-", 999_999..<size), ("-5", size - 5..<size),
      ("262143-262144", 262_143..<262_145), ("10-900000", 10..<900_001),
    ] as [(String?, Range<Int>)], [true, false])
  func `files are sent whole and in parts, twice on one connection, by the kernel or not`(
    part: (range: String?, bytes: Range<Int>), isHanded: Bool
  ) async throws {
    let file = try TestFile(count: Self.size, isHanded: isHanded)
    let request = Self.request(part.range)
    let expected = String(decoding: file.bytes[part.bytes], as: UTF8.self)
    try await RunningServer.run(file: file) { server in
      let connection = try server.connect()
      for _ in 0..<2 {
        connection.send(request)
        var text = connection.read(until: "\r\n\r\n")
        let headEnd = try #require(text.firstRange(of: "\r\n\r\n")).upperBound
        #expect(text.contains("Content-Length: \(part.bytes.count)\r\n"))
        var body = Array(text[headEnd...].utf8)
        while body.count < part.bytes.count, let piece = connection.read(65_536), !piece.isEmpty {
          body += piece
        }
        text = String(decoding: body, as: UTF8.self)
        #expect(text == expected)
      }
      #expect(server.counts("sent \(2 * part.bytes.count)"))
    }
  }

  @Test(arguments: [true, false])
  func `several parts are sent in one response`(isHanded: Bool) async throws {
    let file = try TestFile(count: Self.size, isHanded: isHanded)
    let first = String(decoding: file.bytes[0..<300_000], as: UTF8.self)
    let second = String(decoding: file.bytes[400_000..<700_000], as: UTF8.self)
    try await RunningServer.run(file: file) { server in
      let connection = try server.connect()
      connection.send(
        "GET /file HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Range: bytes=0-299999,400000-699999\r\n\r\n")
      let text = connection.readToEnd()
      #expect(text.hasPrefix("HTTP/1.1 206 "))
      #expect(text.contains("Content-Range: bytes 0-299999/1000003\r\n\r\n\(first)\r\n--"))
      #expect(text.contains("Content-Range: bytes 400000-699999/1000003\r\n\r\n\(second)\r\n--"))
      #expect(text.hasSuffix("--\r\n"))
    }
  }

  @Test(arguments: [true, false])
  func `the connection ends if a file has become shorter`(isHanded: Bool) async throws {
    let file = try TestFile(count: Self.size, isHanded: isHanded)
    try await RunningServer.run(file: file) { server in
      unsafe truncate(file.path, 500_000)
      let connection = try server.connect()
      connection.send(Self.request(nil))
      let text = connection.readToEnd()
      #expect(text.contains("Content-Length: \(Self.size)\r\n"))
      #expect(text.utf8.count < 600_000)
      #expect(try server.isAlive)
    }
  }

  @Test(arguments: [true, false])
  func `a reader that reads nothing of a file is disconnected`(isHanded: Bool) async throws {
    let file = try TestFile(count: 32 << 20, isHanded: isHanded)
    var options = ServerOptions()
    options.times.stalledAnswer = .milliseconds(300)
    try await RunningServer.run(options: options, file: file) { server in
      let connection = try server.connect()
      connection.send(Self.request(nil))
      #expect(server.counts("closed 1"))
      var count = 0
      while let piece = connection.read(1 << 20), !piece.isEmpty { count += piece.count }
      #expect(count < file.bytes.count)
    }
  }
}
#endif
