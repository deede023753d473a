// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// A server or network that fails, and settings that do not fit the bucket.
@Suite struct S3FaultTests {
  let folder: TemporaryFolder
  let s3: FakeS3

  init() throws {
    folder = try TemporaryFolder()
    s3 = try FakeS3()
  }

  struct Passing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reply: FakeS3.Reply

    init(_ name: String, _ reply: FakeS3.Reply, _ change: (inout FakeS3.Reply) -> Void = { _ in }) {
      var reply = reply
      change(&reply)
      (testDescription, self.reply) = (name, reply)
    }
  }

  @Test(arguments: [
    Passing("500", FakeS3.error(500, "InternalError")), Passing("502", FakeS3.Reply(status: 502)),
    Passing("SlowDown", FakeS3.error(503, "SlowDown")), Passing("429", FakeS3.Reply(status: 429)),
    Passing("RequestTimeout", FakeS3.error(400, "RequestTimeout")),
    Passing("a connection closed at once", FakeS3.Reply()) { $0.isSilent = true },
    Passing("a body cut after a byte", FakeS3.Reply(body: [9, 9, 9])) { $0.cutAfter = 1 },
  ])
  func `a failure that passes is repeated, and the bytes are right`(fault: Passing) async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let blob = try await store.add([1, 2, 3])
    // An answer to HEAD has no body that could be cut or hold the code of an error.
    let needsBody = fault.reply.cutAfter != nil || fault.reply.status == 400
    s3.fail { request, number in
      number < 2 && (request.method == "GET" || !needsBody) ? fault.reply : nil
    }
    let place = try TemporaryFolder()
    defer { withExtendedLifetime(place) {} }
    let other = try s3.store(in: place)
    #expect(try await other.localCopy(of: blob.sha256).bytes() == [1, 2, 3])
  }

  @Test func `a body cut each time is an error, and nothing of it stays`() async throws {
    defer { s3.server.stop() }
    let blob = try await s3.store(in: folder).add([1, 2, 3])
    s3.fail { request, _ in
      guard request.method == "GET" else { return nil }
      var reply = FakeS3.Reply(headers: ["ETag": "\"tag1\""], body: [1, 2, 3])
      reply.cutAfter = 2
      return reply
    }
    let other = try TemporaryFolder()
    let store = try s3.store(in: other)
    let error = await #expect(throws: HostError.self) { try await store.localCopy(of: blob.sha256) }
    #expect(error?.code == .unavailable)
    #expect(s3.server.requests.count(where: { $0.method == "GET" }) == S3Client.mostRepetitions + 1)
    #expect(try Folder.names(in: other["uploads"]).isEmpty)
    #expect(try Folder.names(in: other["blobs/sha256"]).isEmpty)
  }

  @Test func `after five failures requests are refused at once, for five seconds`() async throws {
    defer { s3.server.stop() }
    let client = try s3.client()
    s3.fail { _, _ in FakeS3.error(503, "SlowDown") }
    await #expect(throws: HostError.self) { _ = try await client.head("a") }
    #expect(s3.server.requests.count == 5)
    let error = await #expect(throws: HostError.self) { _ = try await client.head("a") }
    #expect(error?.code == .unavailable && s3.server.requests.count == 5)
    s3.fail(nil)
    s3.clock.advance(seconds: 4.9)
    await #expect(throws: HostError.self) { _ = try await client.head("a") }
    s3.clock.advance(seconds: 0.1)
    #expect(try await client.head("a") == nil)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var bucket = "models"
    var reply: FakeS3.Reply?
    let message: String
  }

  @Test(arguments: [
    Refusal(testDescription: "no bucket", bucket: "nothing", message: "The bucket does not exist"),
    Refusal(
      testDescription: "unknown key", reply: FakeS3.error(403, "InvalidAccessKeyId"),
      message: "does not know the key"),
    Refusal(
      testDescription: "wrong secret", reply: FakeS3.error(403, "SignatureDoesNotMatch"),
      message: "refused the signature"),
    Refusal(
      testDescription: "expired key", reply: FakeS3.error(400, "ExpiredToken"), message: "has expired"),
    Refusal(
      testDescription: "no rights", reply: FakeS3.error(403, "AccessDenied"),
      message: "may not use the bucket"),
    Refusal(
      testDescription: "wrong clock", reply: FakeS3.error(403, "RequestTimeTooSkewed"), message: "clocks"),
    Refusal(
      testDescription: "wrong region",
      reply: FakeS3.error(400, "AuthorizationHeaderMalformed", "<Region>eu-north-1</Region>"),
      message: "in another region, eu-north-1"),
    Refusal(
      testDescription: "a redirect to another address",
      reply: FakeS3.Reply(status: 301, headers: ["Location": "http://127.0.0.1:9/"]),
      message: "in another region"),
    Refusal(
      testDescription: "a proxy that answers HTML",
      reply: FakeS3.Reply(body: Array("<!DOCTYPE html><title>Sign in</title>".utf8)),
      message: "answered 200 with a page in HTML"),
    Refusal(
      testDescription: "another program", reply: FakeS3.Reply(body: Array("{}".utf8)),
      message: "answered 200 without what an S3 server sends"),
    Refusal(
      testDescription: "a proxy that refuses in HTML",
      reply: FakeS3.Reply(status: 407, body: Array("<html>no</html>".utf8)), message: "page in HTML"),
  ])
  func `a bucket that cannot be used is refused at the start, and nothing is left`(row: Refusal) async throws
  {
    defer { s3.server.stop() }
    let host = try Self.host(folder)
    if let reply = row.reply { s3.fail { _, _ in reply } }
    let client = try s3.client(s3.address(bucket: row.bucket))
    let error = await #expect(throws: HostError.self) { _ = try await host.store(in: client) }
    #expect(error?.message.contains(row.message) == true, "\(error?.message ?? "")")
    // Clients see the message, operators the address too.
    #expect(error?.message.contains("127.0.0.1") == false)
    #expect(error?.subject?.hasPrefix("s3://\(row.bucket)/prod") == true)
    #expect(!folder.exists("host/bucket.json") && s3.objects.isEmpty)
  }

  // MARK: Folder and bucket

  private static func host(_ folder: TemporaryFolder, _ name: String = "host") throws -> HostFolder {
    let settings = try HostSettings(project: "demo-project", url: "https://models.example")
    try HostFolder.create(folder[name]).close()
    try settings.write(folder[name] + "/host.json")
    return try HostFolder(folder[name])
  }

  @Test func `the files of a folder are copied to the bucket once, and damaged ones are left out`()
    async throws
  {
    defer { s3.server.stop() }
    let host = try Self.host(folder)
    let (good, bad) = (try await host.blobs.add([1]), try await host.blobs.add([2]))
    try folder.write("host/blobs/sha256/\(bad.sha256.prefix(2))/\(bad.sha256.dropFirst(2))", [3])
    let store = try await host.store(in: s3.client())
    #expect(try await store.all().map(\.sha256) == [good.sha256])
    #expect(try StoreMark.read(.bucket, in: folder["host"])?.address == s3.address().text)
    let writes = s3.server.requests.count { $0.method == "PUT" }
    _ = try await host.store(in: s3.client())
    #expect(s3.server.requests.count { $0.method == "PUT" } == writes)
    // Without the bucket, no file is reported missing.
    for error in [
      #expect(throws: HostError.self) { _ = try host.localStore() },
      await #expect(throws: HostError.self) { _ = try await host.check(repair: true, now: s3.clock.now) },
      await #expect(throws: HostError.self) { _ = try await host.export(to: folder["out"]) },
    ] {
      #expect(error?.code == .folder && error?.message.contains("in a bucket, s3://models/prod") == true)
    }
    #expect(!folder.exists("out"))
    #expect(try await host.backUp(to: folder["copy"], now: s3.clock.now) == [])
    #expect(folder.exists("copy/bucket.json") && folder.exists("copy/host.json"))
  }

  @Test func `a bucket is checked while it is in use: missing, changed and forgotten objects`() async throws {
    defer { s3.server.stop() }
    let host = try Self.host(folder)
    _ = try KeyRing.create(at: host.ring)
    var model = HostSamples.model()
    for number in 1...3 {
      let blob = try await host.blobs.add([UInt8(number), 7])
      model.add(
        NewVersion(sha256: blob.sha256, size: 2, created: Timestamp(milliseconds: 1), author: "ci"))
    }
    try await host.metadata.create(model, entry: HostSamples.entry())
    _ = try await host.store(in: s3.client())
    #expect(try host.bucket() == s3.address())
    let files = try await host.presentStore(in: s3.client())
    #expect(try await host.check(files, repair: false, now: s3.clock.now) == [])
    func key(_ sha256: String) -> String { "prod/blobs/sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2))" }
    s3.put(key(model.versions[0].sha256), nil)
    s3.put(key(model.versions[1].sha256), [2])
    s3.put(key(HostSamples.hash(9)), [9, 9, 9])
    // Young objects may be about to be used.
    s3.clock.advance(seconds: HostFolder.grace + 1)
    let problems = [
      "model 'bird': the file of version 1 is missing", "model 'bird': the file of version 2 is damaged",
      "1 file of 3 bytes is not used",
    ]
    #expect(
      try await host.check(files, repair: false, now: s3.clock.now) == problems.map { FolderFault($0) })
    #expect(
      try await host.check(files, repair: true, now: s3.clock.now)
        == problems.map { FolderFault($0, isRepaired: true) })
    #expect(try await host.check(files, repair: false, now: s3.clock.now) == [])
    #expect(try await files.all().map(\.sha256) == [model.versions[2].sha256])
    #expect(try await host.export(to: folder["out"], files: files).models == 1)
  }

  @Test func `only a host that serves moves its data`() async throws {
    defer { s3.server.stop() }
    let host = try Self.host(folder)
    let error = await #expect(throws: HostError.self) { _ = try await host.presentStore(in: s3.client()) }
    #expect(error?.code == .folder && error?.remedy.description == "Leave out --blobs")
    #expect(s3.objects.isEmpty && !folder.exists("host/bucket.json"))
    let path = folder["host"]
    let database = #expect(throws: HostError.self) {
      _ = try HostFolder(path, isShared: true, metadata: PostgresAddress("postgres://app@127.0.0.1:1/x"))
    }
    #expect(database?.code == .folder && database?.remedy.description == "Leave out --metadata")
    #expect(!folder.exists("host/database.json"))
    // The bucket of another host is not checked in its place.
    let other = try Self.host(folder, "other")
    _ = try await host.store(in: s3.client())
    _ = try await other.store(in: s3.client(s3.address("test")))
    let foreign = await #expect(throws: HostError.self) {
      _ = try await host.presentStore(in: s3.client(s3.address("test")))
    }
    #expect(foreign?.message.contains("another host") == true)
  }

  @Test func `a copy that was interrupted goes on`() async throws {
    defer { s3.server.stop() }
    let host = try Self.host(folder)
    for number in 0..<3 { try await host.blobs.add([UInt8(number)]) }
    let client = try s3.client()
    // The mark, and the first two of three files.
    s3.fail { request, number in
      request.method == "PUT" && number > 6 ? FakeS3.error(403, "AccessDenied") : nil
    }
    await #expect(throws: HostError.self) { _ = try await host.store(in: client) }
    s3.fail(nil)
    let store = try await host.store(in: client)
    #expect(try await store.all().count == 3)
  }

  @Test func `two hosts cannot share a prefix, and a bucket that was emptied is noticed`() async throws {
    defer { s3.server.stop() }
    let host = try Self.host(folder)
    _ = try await host.store(in: s3.client())
    let other = try Self.host(folder, "other")
    let error = await #expect(throws: HostError.self) { _ = try await other.store(in: s3.client()) }
    #expect(error?.code == .folder && error?.message.contains("another host") == true)
    #expect(!folder.exists("other/bucket.json"))
    _ = try await other.store(in: s3.client(s3.address("test")))
    s3.put("prod/bucket.json", nil)
    let empty = await #expect(throws: HostError.self) { _ = try await host.store(in: s3.client()) }
    #expect(empty?.message.contains("no files of this host") == true)
  }
}
#endif
