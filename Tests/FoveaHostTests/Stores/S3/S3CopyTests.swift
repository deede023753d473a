// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// Copies of hosts to buckets and from them.
@Suite(.timeLimit(.minutes(5))) struct S3CopyTests {
  let folder: TemporaryFolder
  let s3: FakeS3

  init() throws {
    folder = try TemporaryFolder()
    s3 = try FakeS3()
  }

  @Test func `a host moves to a bucket, to another one, and back`() async throws {
    defer { s3.server.stop() }
    let host = try await HostCopyTests.make(in: folder.path)
    let (client, other) = (try s3.client(), try s3.client(s3.address("test")))
    let written = try await HostCopyTests.copy(host, to: folder["there"], bucket: client)
    #expect(written.files == 3 && written.present == 0 && written.faults == [])
    #expect(s3.objects.count == 4, "three files and the mark")
    try await HostCopyTests.check(folder["there"], host, files: client)
    let there = try HostFolder(folder["there"])
    #expect(try await there.blobs.all() == [], "the folder keeps no copies")
    #expect(
      try await HostCopyTests.copy(there, to: folder["other"], in: client, bucket: other).files == 3)
    try await HostCopyTests.check(folder["other"], host, files: other)
    let elsewhere = try HostFolder(folder["other"])
    #expect(try await elsewhere.blobs.all() == [])
    #expect(try await HostCopyTests.copy(elsewhere, to: folder["back"], in: other).files == 3)
    try await HostCopyTests.check(folder["back"], host)
    #expect(!folder.exists("back/bucket.json") && s3.objects.count == 8)
  }

  @Test func `a copy whose bucket fails is no host, and goes on`() async throws {
    defer { s3.server.stop() }
    let host = try await HostCopyTests.make(in: folder.path)
    let client = try s3.client()
    let path = folder["copy"]
    s3.fail { request, number in
      request.method == "PUT" && number > 6 ? FakeS3.error(403, "AccessDenied") : nil
    }
    let error = await #expect(throws: HostError.self) {
      _ = try await HostCopyTests.copy(host, to: path, bucket: client)
    }
    #expect(error?.message == "The key may not use the bucket")
    #expect(throws: HostError.self) { try HostFolder(path) }
    // Neither another bucket nor the folder continues it.
    for bucket in [nil, try s3.client(s3.address("test"))] {
      let error = await #expect(throws: HostError.self) {
        _ = try await HostCopyTests.copy(host, to: path, bucket: bucket)
      }
      #expect(error?.message.contains("interrupted copy with other options") == true)
    }
    s3.fail(nil)
    let written = try await HostCopyTests.copy(host, to: path, bucket: client)
    #expect(written.files == 3 && written.present > 0)
    try await HostCopyTests.check(path, host, files: client)
  }

  @Test func `the bucket of another host is refused`() async throws {
    defer { s3.server.stop() }
    let host = try await HostCopyTests.make(in: folder.path)
    let client = try s3.client()
    _ = try await HostCopyTests.copy(host, to: folder["first"], bucket: client)
    let path = folder["second"]
    let error = await #expect(throws: HostError.self) {
      _ = try await HostCopyTests.copy(host, to: path, bucket: client)
    }
    #expect(error?.code == .folder && error?.message.contains("another host") == true)
    #expect(throws: HostError.self) { try HostFolder(path) }
    try await HostCopyTests.check(folder["first"], host, files: client)
  }

  @Test(arguments: [[2], [9, 9], nil] as [[UInt8]?])
  func `a bad object leaves the copy incomplete`(bytes: [UInt8]?) async throws {
    defer { s3.server.stop() }
    let host = try await HostCopyTests.make(in: folder.path)
    let client = try s3.client()
    _ = try await HostCopyTests.copy(host, to: folder["there"], bucket: client)
    let sha256 = try await host.metadata.models()[0].versions[1].sha256
    s3.put("prod/blobs/sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2))", bytes)
    let there = try HostFolder(folder["there"])
    let state = bytes == nil ? "missing" : "damaged"
    #expect(
      try await HostCopyTests.copy(there, to: folder["back"], in: client).faults
        == [FolderFault("model 'bird': the file of version 2 is \(state)", isOfFile: true)])
    let path = folder["back"]
    #expect(throws: HostError.self) { try HostFolder(path) }
  }

  @Test func `a backup with files is served without the bucket, and names bad objects`() async throws {
    defer { s3.server.stop() }
    let host = try await HostCopyTests.make(in: folder.path)
    let client = try s3.client()
    _ = try await HostCopyTests.copy(host, to: folder["there"], bucket: client)
    let there = try HostFolder(folder["there"])
    #expect(try await there.backUp(to: folder["whole"], filesOf: client, now: s3.clock.now) == [])
    try await HostCopyTests.check(folder["whole"], host)
    #expect(!folder.exists("whole/bucket.json"))
    let sha256 = try await host.metadata.models()[0].versions[1].sha256
    s3.put("prod/blobs/sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2))", [1])
    #expect(
      try await there.backUp(to: folder["rest"], filesOf: client, now: s3.clock.now)
        == [FolderFault("model 'bird': the file of version 2 is damaged", isOfFile: true)])
    let rest = try HostFolder(folder["rest"])
    #expect(try await rest.metadata.models()[0].versions.map(\.isWithdrawn) == [false, true, false])
    #expect(try await rest.check(repair: false, now: s3.clock.now) == [])
    // Another bucket leaves no folder.
    let path = folder["none"]
    await #expect(throws: HostError.self) {
      try await there.backUp(to: path, filesOf: s3.client(s3.address("test")), now: s3.clock.now)
    }
    #expect(!folder.exists("none"))
  }

  @Test func `a bucket that loses bytes it has accepted leaves the copy incomplete`() async throws {
    defer { s3.server.stop() }
    let host = try await HostCopyTests.make(in: folder.path)
    let client = try s3.client()
    let path = folder["copy"]
    s3.fail { request, _ in
      request.method == "GET" && request.target.contains("sha256/") ? FakeS3.Reply(body: [1, 2]) : nil
    }
    let error = await #expect(throws: HostError.self) {
      _ = try await HostCopyTests.copy(host, to: path, bucket: client)
    }
    #expect(error?.code == .corrupted)
    #expect(throws: HostError.self) { try HostFolder(path) }
  }
}
#endif
