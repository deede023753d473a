// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaModels

/// Models of a host that publishes versions.
@Suite(.timeLimit(.minutes(10))) struct PublishedModelTests {
  typealias Version = PublishingServer.Version
  static let first = Version(1, TestModels.detector)
  static let second = Version(2, TestModels.classifier)

  @Test func `a model has its hash, and an unchanged one is neither sent nor read again`()
    async throws
  {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    let models = test.hosted(host.address)
    let model = try await test.pull(models)
    #expect(TestModels.bytes(model.path) == TestModels.detector)
    #expect(model.sha256 == Self.first.sha256 && model.published?.version == "1")
    #expect(test.files == TestModels.files(of: [TestModels.detector]))
    let request = try #require(host.informationRequests.first)
    #expect(
      request.target
        == "/v1beta2/projects/demo/models/my_model:download?key=\(PublishingServer.key)")
    #expect(try await test.pull(models) == model)
    #expect(host.informationRequests.map { $0.headers["if-none-match"] } == [nil, Self.first.sha256])
    #expect(host.fileRequests.count == 1)
  }

  @Test func `no secret of an address is shown or stored`() async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    let models = test.hosted(host.address)
    var reply = LoopbackServer.Reply.file(TestModels.detector, for: .init())
    reply.cutAfter = 50_000
    host.with { state in state.change = { [reply] _, answer in answer = reply } }
    let cut = await test.failure(models)
    #expect(cut?.code == .interrupted)
    #expect(cut?.message.contains("/files/\(Self.first.sha256)?exp=1&sig=…") == true)
    for file in test.files where !file.hasSuffix(".part") {
      #expect(
        !Self.isSecret(
          String(decoding: TestModels.bytes(test.folder + "/.hosted/" + file) ?? [], as: UTF8.self)))
    }
    host.with { state in state.change = nil }
    let model = try await test.pull(models)
    #expect(!Self.isSecret(model.url))
    let record = TestModels.bytes(test.folder + "/.hosted/my_model/current.json")
    #expect(!Self.isSecret(String(decoding: record ?? [], as: UTF8.self)))
    host.with { state in state.stable = nil }
    let error = await test.failure(models)
    #expect(error?.code == .notFound)
    #expect(
      error?.message.hasSuffix(
        "key=… answered with status 404 (Requested entity was not found.): the server has no such file")
        == true)
    #expect(!Self.isSecret(error?.description ?? PublishingServer.key))
  }

  private static func isSecret(_ text: String) -> Bool {
    text.contains(PublishingServer.key) || text.contains(PublishingServer.signature)
  }

  @Test func `a cut connection is continued, even at another address`() async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    host.with { state in
      state.change = { request, reply in if request.headers["range"] == nil { reply.cutAfter = 50_000 } }
    }
    #expect(await test.failure(test.hosted(host.address, attempts: 1))?.code == .interrupted)
    #expect(test.files.contains(".partial/my_model-\(Self.first.sha256).part"))
    let model = try await test.pull(test.hosted(host.address))
    #expect(TestModels.bytes(model.path) == TestModels.detector)
    #expect(host.fileRequests.map { $0.headers["range"] } == [nil, "bytes=50000-"])
    #expect(test.files == TestModels.files(of: [TestModels.detector]))
  }

  @Test(arguments: [(1, 2, true), (3, 4, true), (4, 4, false), (9, 4, false)])
  func `an expired address is requested again, three times`(
    _ expired: Int, _ requests: Int, _ arrives: Bool
  ) async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    host.with { state in state.expired = expired }
    let error = await test.failure(test.hosted(host.address))
    #expect((error == nil) == arrives)
    #expect(host.fileRequests.count == requests && host.informationRequests.count == requests)
    #expect(Set(host.fileRequests.map(\.target)).count == requests)
    if let error {
      #expect(error.message.hasSuffix("answered with status 400, which does not answer the request"))
    }
  }

  @Test func `an address that expires midway does not cost the downloaded bytes`() async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    host.with { state in
      state.change = { request, reply in if request.headers["range"] == nil { reply.cutAfter = 60_000 } }
    }
    #expect(await test.failure(test.hosted(host.address, attempts: 1)) != nil)
    host.with { state in state.expired = 1 }
    let model = try await test.pull(test.hosted(host.address))
    #expect(TestModels.bytes(model.path) == TestModels.detector)
    #expect(host.fileRequests.map { $0.headers["range"] } == [nil, "bytes=60000-", "bytes=60000-"])
  }

  @Test func `a version that changes while its address is renewed starts from the beginning`() async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    host.with { state in state.change = { _, reply in reply.cutAfter = 60_000 } }
    #expect(await test.failure(test.hosted(host.address, attempts: 1)) != nil)
    host.with { state in
      state.change = nil
      state.stable = Self.second
    }
    let model = try await test.pull(test.hosted(host.address))
    #expect(TestModels.bytes(model.path) == TestModels.classifier)
    #expect(test.files == TestModels.files(of: [TestModels.classifier]))
  }

  struct WrongFile: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: ModelStoreCode
    var change: @Sendable (inout LoopbackServer.Reply) -> Void
  }

  @Test(arguments: [
    WrongFile(testDescription: "zeros at the end", code: .wrongChecksum) { reply in
      reply.body = Array(reply.body.dropLast(4_096)) + [UInt8](repeating: 0, count: 4_096)
    },
    WrongFile(testDescription: "all zeros", code: .wrongChecksum) { reply in
      reply.body = [UInt8](repeating: 0, count: reply.body.count)
    },
    WrongFile(testDescription: "compressed on the way", code: .wrongSize) { reply in
      reply.headers["Content-Encoding"] = "gzip"
      reply.body = [0x1F, 0x8B, 8, 0] + reply.body[..<1_000]
    },
    WrongFile(testDescription: "a login page", code: .wrongSize) { reply in
      reply.headers["Content-Type"] = "text/html"
      reply.body = Array("<html> log in ".utf8)
    },
    WrongFile(testDescription: "another model", code: .wrongSize) { $0.body = TestModels.classifier },
    WrongFile(testDescription: "one byte too many", code: .wrongSize) { $0.body.append(0) },
    WrongFile(testDescription: "endless", code: .wrongSize) { reply in
      reply.body += reply.body
      reply.announcedLength = -1
    },
  ])
  func `a file that differs from the host's declaration is not installed, and the model in use stays`(
    _ wrong: WrongFile
  ) async throws {
    let host = try PublishingServer(Self.second)
    let test = TestModels()
    let models = test.hosted(host.address)
    let model = try await test.pull(models)
    host.with { state in
      state.stable = Self.first
      state.change = { _, reply in wrong.change(&reply) }
    }
    #expect(await test.failure(models)?.code == wrong.code)
    #expect(try models.store.installedModel(named: TestModels.name) == model)
    #expect(TestModels.bytes(model.path) == TestModels.classifier)
    host.with { state in state.change = nil }
    #expect(TestModels.bytes(try await test.pull(models).path) == TestModels.detector)
  }

  @Test func `a verified file is not read again until it changes`() async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    let models = test.hosted(host.address)
    let model = try await test.pull(models)
    let stamp = try #require(try models.store.record(of: TestModels.name)?.verified)
    #expect(stamp == FileStamp(model.path))
    // Other bytes with the same time stamp: only reading the file detects them.
    var times = [timespec(tv_sec: stamp.modified / 1_000_000_000, tv_nsec: stamp.modified % 1_000_000_000)]
    times.append(times[0])
    let handle = try #require(FileHandle(forWritingAtPath: model.path))
    try handle.write(contentsOf: Data([9]))
    try handle.close()
    _ = unsafe utimensat(AT_FDCWD, model.path, times, 0)
    #expect(stamp == FileStamp(model.path))
    #expect(models.store.intactModel(named: TestModels.name, sha256: nil) == model)
    #expect(throws: ModelStoreError.self) { try models.store.verify(TestModels.name) }
    // With another modification time, it is read.
    times[0].tv_sec -= 1
    times[1].tv_sec -= 1
    _ = unsafe utimensat(AT_FDCWD, model.path, times, 0)
    #expect(models.store.intactModel(named: TestModels.name, sha256: nil) == nil)
    #expect(TestModels.bytes(try await test.pull(models).path) == TestModels.detector)
  }

  @Test func `a copy of the folder is read once and trusted from then on`() async throws {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    let models = test.hosted(host.address)
    let model = try await test.pull(models)
    try FileManager.default.moveItem(atPath: model.path, toPath: model.path + "x")
    try FileManager.default.copyItem(atPath: model.path + "x", toPath: model.path)
    #expect(try models.store.record(of: TestModels.name)?.verified != FileStamp(model.path))
    #expect(try await test.pull(models) == model)
    #expect(try models.store.record(of: TestModels.name)?.verified == FileStamp(model.path))
    #expect(host.fileRequests.count == 1)
  }

  @Test func `a host with encryption cannot give an address without it`() throws {
    let place = try HostAddress("https://h.example/v1beta2/projects/p/models/{name}:download").place(of: "m")
    guard case .service(let service) = place else {
      Issue.record("not a service")
      return
    }
    #expect(service.address(ofFile: "http://h.example/file") == nil)
    #expect(service.address(ofFile: "https://other.example/file")?.allowsHTTP == false)
    #expect(service.address(ofFile: "file:///etc/passwd") == nil)
    #expect(service.reports?.url == "https://h.example/v1/host/projects/p/reports")
  }
}
