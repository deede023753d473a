// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaTesting
import Synchronization

@testable import FoveaHost

/// An S3 server on loopback with one bucket, `models`, which checks signatures and digests and can misbehave.
final class FakeS3: Sendable {
  typealias Request = LoopbackServer.Request
  typealias Reply = LoopbackServer.Reply
  /// Returns the answer to a request instead of the right one, by its number since the fault was set; nil for
  /// the right one.
  typealias Fault = @Sendable (_ request: Request, _ number: Int) -> Reply?

  struct Object: Sendable {
    var bytes: [UInt8]
    let tag: String
    let changed: Timestamp
  }

  fileprivate struct State {
    var objects: [String: Object] = [:]
    var parts: [String: [Int: [UInt8]]] = [:]
    var writes = 0
    var fault: Fault?
    var number = 0
  }

  /// The state that the server's threads share with the test.
  private final class Shared: Sendable {
    let state = Mutex(State())
    let clock: TestClock

    init(_ clock: TestClock) { self.clock = clock }
  }

  static let credentials = S3Credentials(key: "AKEY", secret: "a/secret+", token: nil)

  let server: LoopbackServer
  let clock: TestClock
  private let shared: Shared
  private let folder: TemporaryFolder

  init(clock: TestClock = TestClock()) throws {
    self.clock = clock
    let shared = Shared(clock)
    self.shared = shared
    folder = try TemporaryFolder()
    try folder.write(
      "credentials", "[default]\naws_access_key_id = AKEY\naws_secret_access_key = a/secret+\n")
    server = try LoopbackServer { request, _ in FakeS3.answer(request, shared) }
  }

  func address(_ prefix: String = "prod", bucket: String = "models") throws -> S3Address {
    try S3Address("s3://\(bucket)/\(prefix)?endpoint=\(server.url)&region=eu-west-1")
  }

  /// Returns a client that does not wait between repetitions.
  func client(_ address: S3Address? = nil) throws -> S3Client {
    S3Client(
      try address ?? self.address(), credentials: .file(folder["credentials"]), now: clock.now,
      pause: { _ in })
  }

  func store(in folder: TemporaryFolder) throws -> S3BlobStore {
    S3BlobStore(try client(), local: try FolderBlobStore(folder: folder.path))
  }

  /// Makes requests fail.
  func fail(_ fault: Fault?) {
    shared.state.withLock { state in
      state.fault = fault
      state.number = 0
    }
  }

  var objects: [String: Object] { shared.state.withLock { $0.objects } }

  /// Unfinished uploads in parts.
  var unfinished: Int { shared.state.withLock { $0.parts.count } }

  /// Writes an object as someone else does; nil removes it.
  func put(_ key: String, _ bytes: [UInt8]?) {
    shared.state.withLock { state in
      state.objects[key] = bytes.map { state.object($0, at: clock.now()) }
    }
  }

  static func error(_ status: Int, _ code: String, _ rest: String = "") -> Reply {
    Reply(
      status: status, body: Array("<?xml version=\"1.0\"?><Error><Code>\(code)</Code>\(rest)</Error>".utf8))
  }

  // MARK: Answers

  private static func answer(_ request: Request, _ shared: Shared) -> Reply {
    let fault = shared.state.withLock { state -> (Fault, Int)? in
      defer { state.number += 1 }
      return state.fault.map { ($0, state.number) }
    }
    if let (fault, number) = fault, let reply = fault(request, number) { return reply }
    let halves = request.target.split(separator: "?", maxSplits: 1).map(String.init)
    guard halves[0] == "/models" || halves[0].hasPrefix("/models/") else { return error(404, "NoSuchBucket") }
    var query: [String: String] = [:]
    for pair in halves.count > 1 ? halves[1].split(separator: "&") : [] {
      let parts = pair.split(separator: "=", maxSplits: 1)
      query[String(parts[0])] = parts.count > 1 ? PercentText.decode(parts[1]) : ""
    }
    let time = shared.clock.now()
    guard isSigned(request, halves, query, time) else { return error(403, "SignatureDoesNotMatch") }
    if let digest = request.headers["x-amz-content-sha256"], digest != BlobStoreSuite.sha256(request.body) {
      return error(400, "XAmzContentSHA256Mismatch")
    }
    let key = String(halves[0].dropFirst("/models/".count))
    return shared.state.withLock { $0.answer(request, key, query, time) }
  }

  private static func isSigned(
    _ request: Request, _ target: [String], _ query: [String: String], _ time: Timestamp
  ) -> Bool {
    let signature = S3Signature(credentials: credentials, region: "eu-west-1", time: time)
    guard let given = request.headers["authorization"] else {
      return request.method == "GET" && target.count > 1
        && target[1] == signature.query(target[0], host: request.headers["host"] ?? "", lifetime: 300)
    }
    let names = given.split(separator: ",").first { $0.hasPrefix("SignedHeaders=") }?.dropFirst(14) ?? ""
    var headers: [String: String] = [:]
    for name in names.split(separator: ";") where !["x-amz-date", "x-amz-content-sha256"].contains(name) {
      headers[String(name)] = request.headers[String(name)]
    }
    let expected = signature.headers(
      request.method, target[0], query: query, headers: headers,
      digest: request.headers["x-amz-content-sha256"] ?? "")
    return expected["authorization"] == given
  }
}

extension FakeS3.State {
  fileprivate mutating func object(_ bytes: [UInt8], at time: Timestamp) -> FakeS3.Object {
    writes += 1
    return FakeS3.Object(bytes: bytes, tag: "\"tag\(writes)\"", changed: time)
  }

  fileprivate mutating func answer(
    _ request: FakeS3.Request, _ key: String, _ query: [String: String], _ time: Timestamp
  ) -> FakeS3.Reply {
    switch (request.method, query["uploadId"]) {
    case ("GET", _) where key.isEmpty: return list(query)
    case ("GET", _), ("HEAD", _):
      guard let object = objects[key] else { return FakeS3.error(404, "NoSuchKey") }
      var reply = FakeS3.Reply.file(object.bytes, for: request, tag: nil)
      reply.headers["ETag"] = object.tag
      return reply
    case ("PUT", let id?):
      parts[id]?[Int(query["partNumber"] ?? "") ?? 0] = request.body
      return FakeS3.Reply(headers: ["ETag": "\"part\""])
    case ("PUT", nil):
      if request.headers["if-none-match"] == "*", objects[key] != nil {
        return FakeS3.error(412, "PreconditionFailed")
      }
      let object = object(request.body, at: time)
      objects[key] = object
      return FakeS3.Reply(headers: ["ETag": object.tag])
    case ("POST", nil):
      writes += 1
      parts["id\(writes)"] = [:]
      return FakeS3.Reply(body: Array("<R><UploadId>id\(writes)</UploadId></R>".utf8))
    case ("POST", let id?):
      guard let list = parts.removeValue(forKey: id) else { return FakeS3.error(404, "NoSuchUpload") }
      objects[key] = object(list.sorted { $0.key < $1.key }.flatMap(\.value), at: time)
      return FakeS3.Reply(body: Array("<R></R>".utf8))
    case ("DELETE", let id):
      if let id { parts[id] = nil } else { objects[key] = nil }
      return FakeS3.Reply(status: 204)
    default: return FakeS3.error(405, "MethodNotAllowed")
    }
  }

  /// Two objects a page.
  private func list(_ query: [String: String]) -> FakeS3.Reply {
    let found = objects.filter {
      $0.key.hasPrefix(query["prefix"] ?? "") && $0.key > query["start-after"] ?? ""
    }
    .sorted { $0.key < $1.key }
    let items = found.prefix(2).map { key, object in
      "<Contents><Key>\(key)</Key><LastModified>\(object.changed.text)</LastModified>"
        + "<ETag>&quot;x&quot;</ETag><Size>\(object.bytes.count)</Size></Contents>"
    }
    let text =
      "<ListBucketResult><IsTruncated>\(found.count > 2)</IsTruncated>\(items.joined())</ListBucketResult>"
    return FakeS3.Reply(body: Array(text.utf8))
  }
}
#endif
