// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// The file of a model at its signed URL.
@Suite struct FileRouteTests {
  private static let native = "/v1/host/projects/test-project/models"
  private static let download =
    "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)"
  /// 100 bytes.
  private static let model = UploadTests.model

  private static func publish(_ host: RunningHost, _ text: String = model) throws -> String {
    let answer = try host.send(as: .publisher, "POST", "\(native)/birds/versions", body: text)
    guard answer.status == 200 else { throw TestFailure("not published: \(answer.body)") }
    return try target(host)
  }

  /// Path and query of the file's URL.
  private static func target(_ host: RunningHost) throws -> String {
    let body = try host.send("GET", download).body
    guard let start = body.firstRange(of: "\"downloadUri\": \"http://127.0.0.1")?.upperBound else {
      throw TestFailure("no address: \(body)")
    }
    return String(body[start...].prefix { $0 != "\"" })
  }

  @Test(arguments: [(599.999, 200), (600, 400), (601, 400), (86_400, 400), (-300, 200), (-301, 403)])
  func `a signed URL works until it expires`(later: Double, status: Int) async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host throws in
      let target = try Self.publish(host)
      clock.advance(seconds: later)
      let answer = try host.send("GET", target)
      #expect(answer.status == status, "\(answer.body)")
      #expect(status != 400 || answer.body.contains("expired"))
      #expect(try host.send("GET", Self.target(host)).status == 200)
    }
  }

  @Test func `If-Match holds, and other methods are told the allowed ones`() async throws {
    try await RunningHost.run { host throws in
      let target = try Self.publish(host)
      let plain = "/models/test-project/birds.tflite?key=\(RunningHost.appKey)"
      for target in [target, plain] {
        let tag = try #require(try host.send("GET", target).headers["etag"])
        for (header, status) in [
          (tag, 200), ("\"x\", \(tag)", 200), ("*", 200), ("\"x\"", 412), ("W/\(tag)", 412),
          (String(tag.dropFirst()), 412),
        ] {
          for method in ["GET", "HEAD"] {
            let answer = try host.send(method, target, headers: ["If-Match": header])
            #expect(answer.status == status, "\(method) \(header): \(answer.status)")
            #expect(
              answer.headers["etag"] == tag
                && (answer.body == Self.model) == (status == 200 && method == "GET"))
          }
        }
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
          let refused = try host.send(method, target)
          #expect(
            refused.status == 405 && refused.headers["allow"] == "GET, HEAD", "\(method): \(refused.status)"
          )
        }
      }
      let models = try host.send(as: .admin, "PUT", "/v1beta2/projects/test-project/models/1")
      #expect(models.status == 405 && models.headers["allow"] == "DELETE, GET, HEAD, PATCH")
      #expect(try host.send(as: .viewer, "HEAD", "/v1beta2/projects/test-project/models").status == 200)
      #expect(try host.send("PUT", "/no/such/route").status == 404)
    }
  }

  @Test func `a file replaced by a link is not followed`() async throws {
    try await RunningHost.run { host throws in
      let target = try Self.publish(host)
      let sha256 = try #require(
        host.models.catalogue.models(project: "test-project").first?.versions.first?.sha256)
      let blob = host.folder["blobs/sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2))"]
      try host.folder.write("secret", Self.model)
      try #require(unsafe rename(blob, blob + ".old") == 0)
      try #require(unsafe symlink(host.folder["secret"], blob) == 0)
      let answer = try host.send("GET", target)
      #expect(answer.status >= 400 && !answer.body.contains("TFL3"), "\(answer.status)")
    }
  }

  @Test func `each change of a signed URL is noticed`() async throws {
    try await RunningHost.run { host throws in
      let target = try Self.publish(host)
      let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
      let items = parts[1].split(separator: "&").map(String.init)
      #expect(items.count == 3)
      var changed = [
        parts[0], target + "&", target + "&a=b", target + "&" + items[0],
        parts[0] + "?" + items.reversed().joined(separator: "&"),
        parts[0] + "?" + items[0] + "&" + parts[1], parts[0] + "?" + parts[1].uppercased(),
        target.replacing("exp=1", with: "exp=2"), target.replacing("exp=", with: "exp=9"),
        target.replacing("exp=", with: "exp=%31"), target.replacing("kid=", with: "kid=0"),
        target.replacing("sig=", with: "sig=A"), String(target.dropLast()),
        target.replacing("/files/", with: "//files/"),
      ]
      for index in items.indices {
        var fewer = items
        fewer.remove(at: index)
        changed.append(parts[0] + "?" + fewer.joined(separator: "&"))
      }
      for text in changed {
        let answer = try host.send("GET", text)
        #expect([403, 404].contains(answer.status), "\(text): \(answer.status)")
        #expect(!answer.body.contains(Self.model))
      }
      // The signature of one file for another file, another project and another method.
      let other = String(repeating: "a", count: 64)
      #expect(try host.send("GET", "/files/test-project/\(other)?\(parts[1])").status == 403)
      #expect(
        try host.send("GET", target.replacing("test-project", with: "other-project")).status == 404)
      for method in ["POST", "PUT", "DELETE", "PATCH"] {
        #expect([403, 404, 405].contains(try host.send(method, target).status), "\(method)")
      }
      let head = try host.send("HEAD", target)
      #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "100")
      #expect(try host.send("GET", target).body == Self.model)
    }
  }

  @Test func `one rotation of the keys keeps a signed URL, the next ends it`() async throws {
    try await RunningHost.run { host throws in
      let target = try Self.publish(host)
      try host.ring.rotate()
      #expect(try host.send("GET", target).status == 200)
      #expect(try host.send("GET", Self.target(host)).status == 200)
      try host.ring.rotate()
      let answer = try host.send("GET", target)
      #expect(answer.status == 403 && answer.body.contains("not signed by this host"))
      #expect(try host.send("GET", Self.target(host)).status == 200)
    }
  }

  @Test func `a signed URL survives the end of publishing, and ends with a withdrawal or a deletion`()
    async throws
  {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host throws in
      let target = try Self.publish(host)
      let unpublished = try host.send(
        as: .admin, "PATCH", "/v1beta2/projects/test-project/models/birds?updateMask=state.published",
        body: #"{"state": {"published": false}}"#)
      #expect(unpublished.status == 200)
      #expect(try host.send("GET", Self.download).status == 404)
      clock.advance(seconds: 599)
      #expect(try host.send("GET", target).status == 200)
      clock.advance(seconds: 1)
      #expect(try host.send("GET", target).status == 400)
      let again = try Self.publish(host)
      #expect(try host.send("GET", again).status == 200)
      #expect(try host.send(as: .admin, "POST", "\(Self.native)/birds/versions/1:withdraw").status == 200)
      #expect(try host.send("GET", again).status == 404)
      let second = try Self.publish(host, Self.model + "2")
      #expect(try host.send(as: .admin, "DELETE", "\(Self.native)/birds").status == 200)
      #expect(try host.send("GET", second).status == 404)
    }
  }

  /// A range, and the response for a file of 100 bytes.
  struct Range: Sendable, CustomTestStringConvertible {
    let range: String
    var condition: String?
    var status = 206
    /// A single part.
    var bytes: Swift.Range<Int>?
    var testDescription: String { "\(range.prefix(40)) \(condition ?? "")" }
  }

  static let ranges: [Range] = [
    Range(range: "bytes=0-", bytes: 0..<100), Range(range: "bytes=0-0", bytes: 0..<1),
    Range(range: "bytes=-1", bytes: 99..<100), Range(range: "bytes=-1000", bytes: 0..<100),
    Range(range: "bytes=99-", bytes: 99..<100), Range(range: "bytes=10-1000", bytes: 10..<100),
    Range(range: "bytes=10-99999999999999999999", bytes: 10..<100),
    Range(range: "bytes=100-", status: 416), Range(range: "bytes=99999999999999999999-", status: 416),
    Range(range: "bytes=-0", status: 416), Range(range: "bytes=5-2", status: 200),
    Range(range: "bytes=9e99-", status: 200), Range(range: "bytes=", status: 200),
    Range(range: "bytes=a-b", status: 200), Range(range: "items=0-5", status: 200),
    Range(range: "bytes=0-5,10-15"), Range(range: "bytes=0-5,200-300", bytes: 0..<6),
    Range(range: "bytes=0-99,0-99", status: 200),
    Range(range: "bytes=" + Array(repeating: "0-0", count: 1_000).joined(separator: ","), status: 200),
    Range(range: "bytes=0-5", condition: "tag", bytes: 0..<6),
    Range(range: "bytes=0-5", condition: "\"old\"", status: 200),
    Range(range: "bytes=0-5", condition: "W/tag", status: 200),
    Range(range: "bytes=0-5", condition: "Fri, 15 Jan 2027 08:00:00 GMT", status: 200),
  ]

  @Test func `ranges are answered as in RFC 9110, never with more than the file`() async throws {
    try await RunningHost.run { host throws in
      let signed = try Self.publish(host)
      let plain = "/models/test-project/birds.tflite?key=\(RunningHost.appKey)"
      let tag = try #require(try host.send("HEAD", signed).headers["etag"])
      for target in [signed, plain] {
        for row in Self.ranges {
          var headers = ["Range": row.range]
          if let condition = row.condition { headers["If-Range"] = condition.replacing("tag", with: tag) }
          let answer = try host.send("GET", target, headers: headers)
          #expect(answer.status == row.status, "\(row)")
          #expect(answer.headers["content-length"] == String(answer.body.utf8.count), "\(row)")
          if row.status == 200 { #expect(answer.body == Self.model, "\(row)") }
          if row.status == 416 {
            #expect(answer.headers["content-range"] == "bytes */100" && answer.body.isEmpty, "\(row)")
          }
          if let bytes = row.bytes {
            #expect(answer.body.utf8.elementsEqual(Array(Self.model.utf8)[bytes]), "\(row)")
            #expect(
              answer.headers["content-range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/100")
          } else if row.status == 206 {
            #expect(answer.headers["content-type"]?.hasPrefix("multipart/byteranges; boundary=") == true)
            #expect(answer.body.contains("Content-Range: bytes 10-15/100"))
          }
          let head = try host.send("HEAD", target, headers: headers)
          #expect(head.status == 200 && head.body.isEmpty, "\(row)")
        }
      }
    }
  }

  @Test func `a download in progress continues when the file is withdrawn`() async throws {
    let model = markedModel(String(repeating: "0123456789abcdef", count: 190_000))
    try await RunningHost.run { host throws in
      let target = try Self.publish(host, model)
      let connections = try (0..<20).map { _ in
        let connection = try RawConnection(port: host.port)
        connection.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return connection
      }
      let heads = connections.map { $0.read(100) ?? [] }
      #expect(heads.allSatisfy { $0.starts(with: Array("HTTP/1.1 200 ".utf8)) })
      #expect(try host.send(as: .admin, "POST", "\(Self.native)/birds/versions/1:withdraw").status == 200)
      #expect(try host.storedFiles.isEmpty)
      #expect(try host.send("GET", target).status == 404)
      #expect(try host.send("GET", Self.download).status == 404)
      for (connection, head) in zip(connections, heads) {
        let text = String(decoding: head, as: UTF8.self) + connection.readToEnd()
        #expect(text.hasSuffix(model), "\(text.utf8.count) bytes")
      }
      let again = try Self.publish(host, model)
      #expect(try host.send("GET", again, headers: ["Range": "bytes=-4"]).body == "cdef")
    }
  }
}
#endif
