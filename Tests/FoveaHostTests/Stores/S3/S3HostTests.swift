// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// A host whose files are in a bucket, over HTTP.
@Suite(.timeLimit(.minutes(5))) struct S3HostTests {
  private static let native = "/v1/host/projects/test-project/models"
  private static let plain = "/models/test-project/birds.tflite?key=\(RunningHost.appKey)"

  private static func serving(
    _ body: @escaping @Sendable (RunningHost, FakeS3) throws -> Void
  ) async throws {
    let s3 = try FakeS3()
    defer { s3.server.stop() }
    let client = try s3.client()
    try await RunningHost.serving(now: s3.clock.now, blobs: { S3BlobStore(client, local: $0) }) { host in
      try await onOwnThread { try body(host, s3) }
    }
  }

  private static func publish(_ host: RunningHost, _ text: String) throws -> RunningHost.Answer {
    try host.send(as: .publisher, "POST", "\(native)/birds/versions", body: markedModel(text))
  }

  /// Reads the address of a redirect, as a device does.
  private static func follow(
    _ answer: RunningHost.Answer, _ s3: FakeS3, method: String = "GET", headers: String = ""
  ) throws -> RunningHost.Answer {
    let location = try #require(answer.headers["location"])
    #expect(location.hasPrefix(s3.server.url + "/models/prod/blobs/sha256/"))
    let host = s3.server.url.dropFirst("http://".count)
    let port = try #require(host.split(separator: ":").last.flatMap { Int($0) })
    let connection = try RawConnection(port: port)
    connection.send(
      "\(method) \(location.dropFirst(s3.server.url.count)) HTTP/1.1\r\nHost: \(host)\r\n\(headers)\r\n")
    return try RunningHost.Answer(connection.readToEnd())
  }

  @Test func `a device is sent to the bucket, for the whole file and for the rest of it`() async throws {
    try await Self.serving { host, s3 throws in
      #expect(try Self.publish(host, "one").status == 200)
      // A range and a tag of the bucket are not the host's to compare.
      for headers in [[:], ["Range": "bytes=5-", "If-Match": "\"x\""], ["If-None-Match": "\"x\""]] {
        let answer = try host.send("GET", Self.plain, headers: headers)
        #expect(answer.status == 307 && answer.body.isEmpty, "\(answer.status) \(answer.body)")
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["repr-digest"]?.hasPrefix("sha-256=:") == true)
        #expect(try Self.follow(answer, s3).body == markedModel("one"))
        let rest = try Self.follow(answer, s3, headers: "Range: bytes=8-\r\n")
        #expect(rest.status == 206 && rest.body == "one")
        // The address is for GET and for this file only.
        #expect(try Self.follow(answer, s3, method: "DELETE").status == 403)
      }
    }
  }

  @Test func `HEAD is answered by the host`() async throws {
    try await Self.serving { host, s3 throws in
      #expect(try Self.publish(host, "one").status == 200)
      let head = try host.send("HEAD", Self.plain)
      #expect(head.status == 200 && head.headers["location"] == nil)
      #expect(head.headers["content-length"] == String(markedModel("one").utf8.count))
      let tag = try #require(head.headers["etag"])
      #expect(try host.send("HEAD", Self.plain, headers: ["If-None-Match": tag]).status == 304)
      #expect(s3.objects.keys.contains { $0.hasSuffix(tag.dropFirst(3).dropLast()) })
    }
  }

  @Test func `an object that was changed reaches no device, and publishing it again repairs it`() async throws
  {
    try await Self.serving { host, s3 throws in
      #expect(try Self.publish(host, "one").status == 200)
      let key = try #require(s3.objects.keys.first { $0.contains("sha256") })
      for bytes in [Array(markedModel("two").utf8), Array(markedModel("o").utf8), nil] {
        s3.put(key, bytes)
        s3.clock.advance(seconds: S3BlobStore.freshness)
        let answer = try host.send("GET", Self.plain)
        #expect(answer.status == 500 && answer.headers["location"] == nil, "\(answer.status)")
        #expect(!answer.body.contains("127.0.0.1") && !answer.body.contains("bucket"), "\(answer.body)")
        #expect(try host.send("GET", "/readyz").status == 503)
        #expect(try Self.publish(host, "one").status == 200)
        #expect(try Self.follow(host.send("GET", Self.plain), s3).body == markedModel("one"))
        #expect(try host.send("GET", "/readyz").status == 200)
      }
    }
  }

  @Test func `a withdrawn version is removed from the bucket, and its address ends`() async throws {
    try await Self.serving { host, s3 throws in
      #expect(try Self.publish(host, "one").status == 200)
      let answer = try host.send("GET", Self.plain)
      #expect(try host.send(as: .admin, "POST", "\(Self.native)/birds/versions/1:withdraw").status == 200)
      #expect(s3.objects.isEmpty)
      #expect(try host.send("GET", Self.plain).status == 404)
      #expect(try Self.follow(answer, s3).status == 404)
    }
  }

  @Test func `a store that fails stops writes, and nothing is incomplete`() async throws {
    try await Self.serving { host, s3 throws in
      #expect(try Self.publish(host, "one").status == 200)
      s3.fail { request, _ in request.method == "PUT" ? FakeS3.error(503, "SlowDown") : nil }
      let refused = try Self.publish(host, "two")
      #expect(refused.status == 503 && refused.headers["retry-after"] != nil, "\(refused.body)")
      #expect(!refused.body.contains(s3.server.url) && !refused.body.contains("s3://"), "\(refused.body)")
      #expect(host.models.catalogue.counts.versions == 1 && host.uploadsUnderWay == 0)
      s3.fail(nil)
      s3.clock.advance(seconds: S3Breaker.window)
      #expect(try Self.publish(host, "two").status == 200)
    }
  }

  @Test func `uploads, lists and downloads of Cloud Storage pass through the host`() async throws {
    try await Self.serving { host, s3 throws in
      let text = markedModel("an object")
      #expect(try host.upload("a", text).status == 200)
      let session = try host.begin("b")
      #expect(try host.piece(session, "bytes 0-3/*", String(text.prefix(4))).status == 308)
      let rest = String(text.dropFirst(4))
      let count = text.utf8.count
      #expect(try host.piece(session, "bytes 4-\(count - 1)/\(count)", rest).status == 200)
      let list = try host.send(as: .viewer, "GET", "/storage/v1/b/\(RunningHost.bucket)/o")
      #expect(list.status == 200 && list.body.contains("\"name\": \"b\""), "\(list.body)")
      let download = "/download/storage/v1/b/\(RunningHost.bucket)/o/b?alt=media"
      let answer = try host.send(as: .viewer, "GET", download, headers: ["Range": "bytes=8-9"])
      #expect(answer.status == 206 && answer.body == "an")
      #expect(s3.objects.count == 1)
    }
  }
}
#endif
