// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct S3BlobStoreTests {
  let folder: TemporaryFolder
  let s3: FakeS3

  init() throws {
    folder = try TemporaryFolder()
    s3 = try FakeS3()
  }

  private static func key(_ sha256: String) -> String {
    "prod/blobs/sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2))"
  }

  @Test(arguments: BlobStoreSuite.cases)
  func `the S3 store passes each check for blob stores`(row: BlobStoreSuite.Case) async throws {
    defer { s3.server.stop() }
    try await row.check(s3.store(in: folder))
  }

  @Test func `a list of several pages has each blob once, and nothing else`() async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    var names: [String] = []
    for number in 0..<5 { names.append(try await store.add([UInt8(number)]).sha256) }
    s3.put("prod/blobs/sha256/ab/README", [1])
    s3.put("prod/bucket.json", [1])
    s3.put("production/blobs/sha256/ab/" + String(repeating: "a", count: 62), [1])
    #expect(try await store.all().map(\.sha256) == names.sorted())
    #expect(try await store.collect(keeping: [], before: BlobStoreSuite.future) == 5)
    #expect(s3.objects.count == 3)
  }

  @Test func `a large file is sent in parts, and one that fails leaves none`() async throws {
    defer { s3.server.stop() }
    var client = try s3.client()
    (client.largestWhole, client.part) = (1_000, 400)
    let store = S3BlobStore(client, local: try FolderBlobStore(folder: folder.path))
    let bytes = BlobStoreSuite.random(1_001)
    let blob = try await store.add(bytes)
    #expect(s3.objects[Self.key(blob.sha256)]?.bytes == bytes && s3.unfinished == 0)
    s3.fail { request, _ in request.target.contains("partNumber=2") ? FakeS3.error(403, "AccessDenied") : nil
    }
    await #expect(throws: HostError.self) { try await store.add(BlobStoreSuite.random(1_200, 2)) }
    #expect(s3.objects.count == 1 && s3.unfinished == 0)
    // A failure with status 200.
    s3.fail { request, _ in
      request.method == "POST" && request.target.contains("uploadId") ? FakeS3.error(200, "Odd") : nil
    }
    await #expect(throws: HostError.self) { try await store.add(BlobStoreSuite.random(1_200, 2)) }
    #expect(s3.objects.count == 1 && s3.unfinished == 0)
  }

  @Test func `an upload that could not be sent is finished later`() async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let upload = try await store.upload(resuming: nil)
    try await upload.append([1, 2])
    s3.fail { _, _ in FakeS3.error(403, "AccessDenied") }
    await #expect(throws: HostError.self) { try await upload.finish() }
    try await upload.suspend()
    s3.fail(nil)
    let again = try await store.upload(resuming: upload.name)
    #expect(again.size == 2)
    let blob = try await again.finish()
    #expect(s3.objects[Self.key(blob.sha256)]?.bytes == [1, 2])
  }

  @Test func `a blob uploaded again repairs the object and makes it young`() async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let blob = try await store.add([1, 2, 3])
    s3.put(Self.key(blob.sha256), [1, 2])
    #expect(try await !store.isIntact(blob.sha256))
    s3.clock.advance(seconds: 100_000)
    try await store.add([1, 2, 3])
    #expect(try await store.isIntact(blob.sha256))
    #expect(try await store.all().map(\.changed) == [s3.clock.now()])
  }

  // MARK: Damage

  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]?
  }

  @Test(arguments: [
    Change(testDescription: "truncated", bytes: [1, 2]), Change(testDescription: "empty", bytes: []),
    Change(testDescription: "changed", bytes: [1, 2, 9]), Change(testDescription: "gone", bytes: nil),
  ])
  func `an object that someone has changed is noticed`(change: Change) async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let blob = try await store.add([1, 2, 3])
    _ = try await store.location(of: blob.sha256)
    s3.put(Self.key(blob.sha256), change.bytes)
    s3.clock.advance(seconds: S3BlobStore.freshness)
    let error = await #expect(throws: HostError.self) { _ = try await store.location(of: blob.sha256) }
    #expect(error?.code == (change.bytes == nil ? .notFound : .damaged))
    guard let bytes = change.bytes else { return }
    // A check reads the bytes of the object, not those of the copy.
    let copy = try await store.localCopy(of: blob.sha256)
    #expect(try copy.bytes() == bytes && !copy.isVerified)
    #expect(try await !store.isIntact(blob.sha256))
  }

  @Test func `an object is read once after a start, then only described`() async throws {
    defer { s3.server.stop() }
    let blob = try await s3.store(in: folder).add([1, 2, 3])
    let other = try TemporaryFolder()
    let store = try s3.store(in: other)
    let before = s3.server.requests.count
    for _ in 0..<3 { _ = try await store.location(of: blob.sha256) }
    #expect(s3.server.requests.dropFirst(before).map(\.method) == ["HEAD", "GET"])
    s3.clock.advance(seconds: S3BlobStore.freshness)
    _ = try await store.location(of: blob.sha256)
    #expect(s3.server.requests.last?.method == "HEAD")
  }

  @Test func `devices get the same address until the object is described again`() async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let blob = try await store.add([1, 2, 3])
    func address() async throws -> String {
      guard case .address(let text, let size) = try await store.location(of: blob.sha256), size == 3 else {
        throw TestFailure("no address")
      }
      return text
    }
    let first = try await address()
    #expect(first.hasPrefix("\(s3.server.url)/models/\(Self.key(blob.sha256))?"))
    s3.clock.advance(seconds: S3BlobStore.freshness - 1)
    #expect(try await address() == first)
    s3.clock.advance(seconds: 1)
    let second = try await address()
    #expect(second != first)
    // The clock was ahead, and so is the address.
    s3.clock.advance(seconds: -60)
    #expect(try await address() != second)
    s3.clock.advance(seconds: 60)
    // Written again, it has another state.
    try await store.add([1, 2, 3])
    s3.clock.advance(seconds: 1)
    #expect(try await address() != second)
    try await store.remove(blob.sha256)
    await #expect(throws: HostError.self) { _ = try await address() }
  }

  /// The limit, and whether the first, second and third of three addresses are still there.
  @Test(
    arguments: [
      (0, [false, false, false]), (1, [false, false, true]), (2, [false, true, true]),
      (3, [true, true, true]),
    ])
  func `only the latest addresses are kept`(limit: Int, kept: [Bool]) async throws {
    defer { s3.server.stop() }
    let store = S3BlobStore(
      try s3.client(), local: try FolderBlobStore(folder: folder.path), mostAddresses: limit)
    var blobs: [String] = []
    for number in 0..<3 { blobs.append(try await store.add([UInt8(number)]).sha256) }
    func address(_ number: Int) async throws -> String {
      guard case .address(let text, size: 1) = try await store.location(of: blobs[number]) else {
        throw TestFailure("no address")
      }
      return text
    }
    var first: [String] = []
    for number in 0..<3 { first.append(try await address(number)) }
    // A new address would have this time.
    s3.clock.advance(seconds: 1)
    // The latest ones first, because a new address takes the place of the oldest one.
    for number in [2, 1, 0] {
      let isKept = try await address(number) == first[number]
      #expect(isKept == kept[number], "\(number)")
    }
    // None of the objects was described again.
    #expect(s3.server.requests.count { $0.method == "HEAD" } == 3)
  }

  @Test func `a copy that the disk has changed is not used`() async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let blob = try await store.add([1, 2, 3])
    #expect(try await store.localCopy(of: blob.sha256).isVerified)
    try folder.write("blobs/sha256/\(blob.sha256.prefix(2))/\(blob.sha256.dropFirst(2))", [9, 9, 9])
    let copy = try await store.localCopy(of: blob.sha256)
    #expect(try copy.bytes() == [1, 2, 3] && copy.isVerified)
  }

  @Test func `collection removes copies, and keeps an object written again since it was listed`() async throws
  {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let blob = try await store.add([1, 2, 3])
    let now = s3.clock.now()
    s3.put(Self.key(blob.sha256), [1, 2, 3])
    s3.clock.advance(seconds: 1)
    let time = s3.clock.now()
    // Listed as old, although this process has just written it.
    s3.fail { request, _ in
      guard request.target.contains("list-type") else { return nil }
      let text =
        "<L><IsTruncated>false</IsTruncated><Contents><Key>\(Self.key(blob.sha256))</Key><LastModified>"
        + "\(now.text)</LastModified><Size>3</Size></Contents></L>"
      return FakeS3.Reply(body: Array(text.utf8))
    }
    try await store.add([1, 2, 3])
    #expect(try await store.collect(keeping: [], before: time) == 0)
    #expect(s3.objects[Self.key(blob.sha256)] != nil)
    s3.clock.advance(seconds: 1)
    #expect(try await store.collect(keeping: [], before: BlobStoreSuite.future) == 3)
    #expect(s3.objects.isEmpty)
    #expect(
      try Folder.names(in: folder["blobs/sha256"]).allSatisfy { name in
        try Folder.names(in: folder["blobs/sha256/" + name]).isEmpty
      })
  }

  @Test func `a host that may not remove what others see removes only its copies`() async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let blob = try await store.add([1, 2, 3])
    let refused = await code { () throws(HostError) in
      try await store.collect(keeping: [], before: BlobStoreSuite.future) { () throws(HostError) in
        throw HostError(.conflict, "Another node leads", remedy: "Wait")
      }
    }
    #expect(refused == .conflict)
    s3.clock.advance(seconds: 1)
    #expect(
      try await store.collect(keeping: nil, before: BlobStoreSuite.future) { () throws(HostError) in } == 0)
    #expect(s3.objects[Self.key(blob.sha256)] != nil)
    #expect(try await store.localCopy(of: blob.sha256).bytes() == [1, 2, 3])
  }

  @Test func `an object that another host has written again since it was listed stays`() async throws {
    defer { s3.server.stop() }
    let store = try s3.store(in: folder)
    let blob = try await store.add([1, 2, 3])
    s3.clock.advance(seconds: 10)
    let time = s3.clock.now()
    s3.clock.advance(seconds: 1)
    let again: @Sendable () async throws(HostError) -> Void = { [s3] () throws(HostError) in
      s3.put(Self.key(blob.sha256), [1, 2, 3])
    }
    #expect(try await store.collect(keeping: [], before: time, if: again) == 0)
    #expect(s3.objects[Self.key(blob.sha256)] != nil)
  }
}
#endif
