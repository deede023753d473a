// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct ResumableUploadTests {
  static let model = UploadTests.model
  private static let first = String(model.prefix(40))
  private static let last = String(model.dropFirst(40))

  /// A request that contradicts the present state: 40 of 100 bytes.
  struct Wrong: Sendable, CustomTestStringConvertible {
    let range: String
    var text = last
    var hash: String?
    var status = 400
    let reason: String
    var testDescription: String { "\(range) \(text.count) bytes, \(hash ?? "no sum")" }
  }

  static let wrong: [Wrong] = [
    Wrong(
      range: "bytes 41-99/100", text: String(last.dropFirst()), reason: "40 bytes of the upload have arrived"),
    Wrong(range: "bytes 39-99/100", text: "x" + last, reason: "Content-Range begins at 39"),
    Wrong(range: "bytes 0-99/100", text: model, reason: "Content-Range begins at 0"),
    Wrong(range: "bytes 0-39/100", text: first, reason: "Content-Range begins at 0"),
    Wrong(range: "bytes 40-99/100", text: String(last.dropLast()), reason: "Content-Length is 59"),
    Wrong(range: "bytes 40-98/100", reason: "Content-Length is 60"),
    Wrong(range: "bytes 40-99/99", reason: "Content-Range is not"),
    Wrong(range: "bytes 40-99/101", reason: "announced with 100 bytes"),
    Wrong(range: "bytes 40-29/100", reason: "Content-Range is not"),
    Wrong(range: "bytes -40-99/100", reason: "Content-Range is not"),
    Wrong(range: "bytes 40-99999999999999999999/*", reason: "Content-Range is not"),
    Wrong(range: "bytes */39", text: "", reason: "announced with 100 bytes"),
    Wrong(range: "bytes */100", text: "x", reason: "Content-Range announces no bytes"),
    Wrong(range: "octets 40-99/100", reason: "Content-Range is not"),
    Wrong(range: "", reason: "Content-Range"),
    Wrong(range: "bytes 40-99/100", hash: "AAAAAA==", reason: "crc32c"),
    Wrong(
      range: "bytes 40-99/100", text: String(last.dropLast()) + "!", hash: RunningHost.checksum(model),
      reason: "crc32c"),
  ]

  @Test(arguments: wrong)
  func `a chunk that does not fit is rejected, and the upload is unchanged`(piece: Wrong) async throws {
    try await RunningHost.run { host throws in
      let session = try host.begin("a", headers: ["X-Upload-Content-Length": "100"])
      let begun = try host.piece(session, "bytes 0-39/100", Self.first)
      #expect(begun.status == 308 && begun.headers["range"] == "bytes=0-39")
      let refused = try host.piece(session, piece.range, piece.text, hash: piece.hash)
      #expect(refused.status == piece.status)
      #expect(refused.body.contains(piece.reason), "\(refused.body)")
      let state = try host.piece(session, "bytes */100")
      #expect(state.status == 308 && state.headers["range"] == "bytes=0-39")
      let ended = try host.piece(
        session, "bytes 40-99/100", Self.last, hash: RunningHost.checksum(Self.model))
      #expect(ended.status == 200 && ended.body.contains(#""size": "100""#), "\(ended.body)")
      // A last chunk that is sent again because its response was lost.
      #expect(try host.piece(session, "bytes 40-99/100", Self.last).body == ended.body)
      #expect(host.uploadsUnderWay == 0)
      #expect(try host.storedFiles.count == 1)
    }
  }

  @Test func `a chunk whose connection ends counts as far as it arrived`() async throws {
    try await RunningHost.run { host throws in
      let session = try host.begin("a")
      var state = try host.piece(session, "bytes */*")
      blockUntil {
        // A status request that arrives first holds the upload, and the chunk is rejected: clients send it
        // again.
        _ = try? host.sendRaw(
          ["PUT \(session) HTTP/1.1", "Content-Range: bytes 0-99/100", "Content-Length: 100"],
          body: Array(Self.first.utf8), closes: true)
        state = (try? host.piece(session, "bytes */*")) ?? state
        return state.status == 308 && state.headers["range"] != nil
      }
      #expect(state.headers["range"] == "bytes=0-39", "\(state.status)")
      // A chunk that was sent again may still hold the upload.
      blockUntil {
        state = (try? host.piece(session, "bytes 40-99/100", Self.last)) ?? state
        return state.status != 503
      }
      #expect(state.status == 200, "\(state.body)")
    }
  }

  @Test func `while one request writes, another is asked to retry`() async throws {
    try await RunningHost.run { host throws in
      let session = try host.begin("a")
      let connection = try RawConnection(port: host.port)
      connection.send(
        "PUT \(session) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Range: bytes 0-99/100\r\n"
          + "Content-Length: 100\r\nConnection: close\r\n\r\n" + Self.first)
      blockUntil { host.uploadSizes == [40] }
      let state = try host.piece(session, "bytes */*")
      #expect(state.status == 503)
      #expect(state.headers["retry-after"] != nil && state.body.contains("Another request is writing"))
      connection.send(Self.last)
      #expect(connection.readToEnd().hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test(arguments: [
    ["X-Upload-Content-Length": "100"], [:], ["X-Goog-Hash": "md5=\(RunningHost.md5(model))"],
  ])
  func `an upload continues after a restart of the host`(headers: [String: String]) async throws {
    let folder = try TemporaryFolder()
    let ring = KeyRing()
    // Before the files, so that no start finds them a day old.
    let now = TestClock(milliseconds: 1_700_000_000_000).now
    let session = try await RunningHost.run(now: now, in: folder, ring: ring) { host throws in
      let session = try host.begin("Firebase/ML/Models/m&x=ü.tflite", headers: headers)
      #expect(try host.piece(session, "bytes 0-39/100", Self.first).status == 308)
      return session
    }
    try await RunningHost.run(now: now, in: folder, ring: ring) { host throws in
      let state = try host.piece(session, "bytes */100")
      #expect(state.status == 308 && state.headers["range"] == "bytes=0-39")
      let ended = try host.piece(
        session, "bytes 40-99/100", Self.last, hash: RunningHost.checksum(Self.model))
      #expect(ended.status == 200 && ended.body.contains("m&x=ü.tflite"), "\(ended.body)")
    }
    // An upload that ended before a restart, or started at another host, starts again.
    try await RunningHost.run(now: now, in: folder, ring: ring) { host throws in
      #expect(try host.piece(session, "bytes */100").status == 404)
    }
    try await RunningHost.run { host throws in #expect(try host.piece(session, "bytes */100").status == 404)
    }
  }

  @Test func `a chunk that the disk has no room for leaves nothing behind`() async {
    await #expect(processExitsWith: .success) {
      // The second of the buffers that the second chunk arrives in.
      unsafe setenv("FOVEA_FAIL_AT", "blob.write:3-3=\(ENOSPC)", 1)
      try await RunningHost.run { host throws in
        let session = try host.begin("a")
        #expect(try host.piece(session, "bytes 0-39/*", ResumableUploadTests.first).status == 308)
        let text = String(repeating: "a", count: 1 << 20)
        let refused = try host.piece(session, "bytes 40-\(39 + text.utf8.count)/*", text)
        #expect(refused.status == 507 && refused.body.contains("no space left"), "\(refused.body)")
        #expect(host.uploadSizes == [40])
        let state = try host.piece(session, "bytes */*")
        #expect(state.status == 308 && state.headers["range"] == "bytes=0-39")
        let ended = try host.piece(session, "bytes 40-99/100", ResumableUploadTests.last)
        #expect(ended.status == 200, "\(ended.body)")
      }
    }
  }

  @Test func `an upload cancelled by its client is removed`() async throws {
    try await RunningHost.run { host throws in
      let session = try host.begin("a")
      #expect(try host.piece(session, "bytes 0-39/*", Self.first).status == 308)
      #expect(try host.send("DELETE", session).status == 499)
      #expect(host.uploadsUnderWay == 0)
      #expect(try host.piece(session, "bytes 40-99/100", Self.last).status == 404)
      #expect(try host.send("DELETE", session).status == 404)
      // A complete upload is an object, which has its own URL.
      let whole = try host.begin("b")
      #expect(try host.piece(whole, "bytes 0-99/100", Self.model).status == 200)
      #expect(try host.send("DELETE", whole).status == 404)
      #expect(try host.send(as: .admin, "GET", "/storage/v1/b/\(RunningHost.bucket)/o/b").status == 200)
    }
  }

  @Test func `an id that was never issued is not found`() async throws {
    try await RunningHost.run { host throws in
      let session = try host.begin("a")
      let path = String(session.prefix { $0 != "?" })
      for id in ["", "x", "..%2F..%2Fhost.sqlite", "a.b.c", String(session.suffix(60))] {
        let answer = try host.piece("\(path)?upload_id=\(id)", "bytes */*")
        #expect(answer.status == 404 && answer.body.contains("upload_id"), "\(answer.body)")
      }
      #expect(try host.piece(path, "bytes */*").status == 400)
      #expect(
        try host.piece(session.replacing(RunningHost.bucket, with: "other"), "bytes */*").status == 404)
    }
  }

  @Test func `a session of fovea 0.2, without an MD5, continues`() {
    let ring = KeyRing()
    let created = Timestamp(milliseconds: 1_700_000_000_000)
    let id = ring.seal(["u", "a", "100", "AAAAAA==", "1700000000000", "k"], for: .upload)
    let session = UploadSession(
      upload: "u", object: "a", key: "k", total: 100, crc32c: "AAAAAA==", md5: nil, created: created)
    #expect(UploadSession(id: id, ring: ring, now: created) == session)
    #expect(UploadSession(id: session.id(ring), ring: ring, now: created) == session)
  }

  @Test func `a session ends after a week`() async throws {
    let clock = TestClock()
    try await RunningHost.run(now: clock.now) { host throws in
      let session = try host.begin("a")
      clock.advance(seconds: 7 * 86_400 - 1)
      #expect(try host.piece(session, "bytes */*").status == 308)
      clock.advance(seconds: 1)
      #expect(try host.piece(session, "bytes */*").status == 404)
    }
  }

  @Test func `chunks together do not exceed the host's limit`() async throws {
    try await RunningHost.run(maximumUpload: 99) { host throws in
      let announced = try host.send(
        as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=resumable",
        headers: ["X-Upload-Content-Length": "100"], body: #"{"name": "a"}"#)
      #expect(announced.status == 413 && announced.body.contains("99 bytes"))
      for number in ["-1", "x", "1e3"] {
        let answer = try host.send(
          as: .publisher, "POST", "\(RunningHost.uploads)?uploadType=resumable",
          headers: ["X-Upload-Content-Length": number], body: #"{"name": "a"}"#)
        #expect(answer.status == 400 && answer.body.contains("X-Upload-Content-Length"))
      }
      let session = try host.begin("a")
      #expect(try host.piece(session, "bytes 0-39/*", Self.first).status == 308)
      #expect(try host.piece(session, "bytes 40-99/*", Self.last).status == 413)
      #expect(try host.piece(session, "bytes 40-41/100", "xx").status == 413)
      #expect(try host.piece(session, "bytes 40-41/42", "xx").status == 200)
    }
  }

  /// The bytes that were sent, and whether the host has restarted, so that it does not know its uploads.
  @Test(arguments: [(0, false), (40, false), (40, true), (100, false)])
  func `an upload ends with the key that started it`(sent: Int, hasRestarted: Bool) async throws {
    try await RunningHost.serving { host in
      let publisher = try #require(try RunningHost.accounts.get()[.publisher]).keyID
      let session = try await onOwnThread { () throws -> String in
        let session = try host.begin("a", headers: ["X-Upload-Content-Length": "100"])
        if sent > 0 {
          let text = String(Self.model.prefix(sent))
          let first = try host.piece(session, "bytes 0-\(sent - 1)/100", text)
          guard first.status == (sent == 100 ? 200 : 308) else {
            throw TestFailure("not taken: \(first.body)")
          }
        }
        return session
      }
      if hasRestarted { _ = host.models.uploads.removeAll(of: publisher) }
      try await host.service.keys.revoke(publisher, actor: "test")
      #expect(host.uploadsUnderWay == (hasRestarted ? 1 : 0))
      try await onOwnThread {
        let rest = String(Self.model.dropFirst(sent))
        let answer =
          try sent == 100
          ? host.piece(session, "bytes */100") : host.piece(session, "bytes \(sent)-99/100", rest)
        #expect(answer.status == 401, "\(answer.status) \(answer.body)")
        #expect(answer.body.contains("was revoked, or has expired"), "\(answer.body)")
        #expect(host.uploadsUnderWay == 0)
      }
      #expect(
        (try await host.models.metadata.object(bucket: RunningHost.bucket, name: "a") != nil)
          == (sent == 100))
    }
  }

  /// The announced range of the first part, of which 20 bytes arrive before the key is revoked.
  @Test(arguments: ["bytes 0-39/100", "bytes 0-39/40"])
  func `the bytes of a part that a revoked key is sending are removed`(range: String) async throws {
    try await RunningHost.run { host throws in
      let publisher = try #require(try RunningHost.accounts.get()[.publisher]).keyID
      let connection = try RawConnection(port: host.port)
      connection.send(
        "PUT \(try host.begin("a")) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
          + "Content-Range: \(range)\r\nContent-Length: 40\r\n\r\n\(Self.first.prefix(20))")
      blockUntil { host.uploadSizes == [20] }
      let revoked = try host.send(
        as: .admin, "DELETE", "/v1/host/projects/test-project/keys/\(publisher)")
      #expect(revoked.status == 200, "\(revoked.body)")
      connection.send(String(Self.first.dropFirst(20)))
      #expect(try RunningHost.Answer(connection.readToEnd()).status == 401)
      #expect(try host.uploadsUnderWay == 0 && host.storedFiles.isEmpty)
    }
  }
}
#endif
