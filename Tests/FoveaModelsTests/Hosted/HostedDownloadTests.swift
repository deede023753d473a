// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Synchronization
import Testing

@testable import FoveaModels

private typealias Reply = LoopbackServer.Reply

@Suite(.timeLimit(.minutes(10))) struct HostedDownloadTests {
  private static let detector = TestModels.detector
  private static let classifier = TestModels.classifier

  @Test func `a model is downloaded by name and available without a network afterwards`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.detector, for: request) }
    let test = TestModels()
    let log = ProgressLog()
    let model = try await test.hosted(server.url + "/v1/").download(TestModels.name) { log.add($0) }
    server.stop()
    #expect(server.requests.map(\.target) == ["/v1/my_model.tflite"])
    #expect(TestModels.bytes(model.path) == Self.detector)
    #expect(model.byteCount == 88_560 && model.sha256 == SHA256Text.of(Self.detector))
    #expect(test.files == TestModels.files(of: [Self.detector]))
    #expect(try test.hosted(nil).store.installedModel(named: TestModels.name) == model)
    #expect(try test.hosted(nil).store.installedNames() == [TestModels.name])
    #expect(log.all.last == DownloadProgress(phase: .verifying, bytesDone: 88_560, bytesTotal: 88_560))
    #expect(await test.failure(test.hosted(server.url))?.code == .unreachable)
    #expect(try test.hosted(nil).store.installedModel(named: TestModels.name) == model)
  }

  struct UnchangedCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var headers: [String: String]
    var asked: String
    var answer: String
  }

  @Test(arguments: [
    UnchangedCase(
      testDescription: "by a tag", headers: ["ETag": "\"v1\""], asked: "if-none-match", answer: "\"v1\""),
    UnchangedCase(
      testDescription: "by a weak tag", headers: ["ETag": "W/\"v1\""], asked: "if-none-match",
      answer: "W/\"v1\""),
    UnchangedCase(
      testDescription: "by a date", headers: ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
      asked: "if-modified-since", answer: "Sun, 06 Nov 1994 08:49:37 GMT"),
  ])
  func `an unchanged model is not sent again`(_ test: UnchangedCase) async throws {
    let server = try LoopbackServer { request, _ in
      request.headers[test.asked] == test.answer
        ? Reply(status: 304, headers: test.headers) : Reply(headers: test.headers, body: Self.detector)
    }
    defer { server.stop() }
    let models = TestModels()
    let first = try await models.pull(models.hosted(server.url))
    #expect(try await models.pull(models.hosted(server.url)) == first)
    #expect(server.requests.map { $0.headers[test.asked] } == [nil, test.answer])
    #expect(models.files == TestModels.files(of: [Self.detector]))
  }

  @Test func `a host without tags and dates sends the same again, and nothing changes`() async throws {
    let server = try LoopbackServer { _, _ in Reply(body: Self.detector) }
    defer { server.stop() }
    let test = TestModels()
    let first = try await test.pull(test.hosted(server.url))
    #expect(try await test.pull(test.hosted(server.url)) == first)
    #expect(server.requests.count == 2)
    #expect(test.files == TestModels.files(of: [Self.detector]))
  }

  @Test func `the tag of one host is not sent to another`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.detector, for: request) }
    defer { server.stop() }
    let test = TestModels()
    try await test.pull(test.hosted(server.url + "/a"))
    try await test.pull(test.hosted(server.url + "/b"))
    #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil])
  }

  @Test func `a newer model replaces the one in use and keeps only its file`() async throws {
    let versions = [Self.detector, Self.classifier, ModelServer.model("yolox")]
    let server = try LoopbackServer { request, number in
      .file(versions[number], for: request, tag: "v\(number)")
    }
    defer { server.stop() }
    let test = TestModels()
    var paths: [String] = []
    for version in versions {
      let model = try await test.pull(test.hosted(server.url))
      #expect(TestModels.bytes(model.path) == version)
      paths.append(model.path)
    }
    #expect(paths.map(FileSystem.exists) == [false, true, true])
    #expect(test.files == TestModels.files(of: Array(versions[1...])))
  }

  @Test func `a damaged file is not a model, and a download replaces it`() async throws {
    let server = try LoopbackServer { request, _ in
      request.headers["if-none-match"] == nil ? .file(Self.detector, for: request) : Reply(status: 304)
    }
    defer { server.stop() }
    let test = TestModels()
    let model = try await test.pull(test.hosted(server.url))
    let file = String(model.path.dropFirst(test.folder.count + 1))
    try test.write(Array(Self.detector.dropLast()), to: file)
    #expect(throws: ModelStoreError.self) {
      try test.hosted(nil).store.installedModel(named: TestModels.name)
    }
    var changed = Self.detector
    changed[80_000] ^= 1
    try test.write(changed, to: file)
    try await test.pull(test.hosted(server.url))
    #expect(TestModels.bytes(model.path) == Self.detector)
  }

  // MARK: Going on

  @Test func `a cut connection is continued where it ended`() async throws {
    let server = try LoopbackServer { request, number in
      var reply = Reply.file(Self.detector, for: request)
      if number < 2 { reply.cutAfter = 30_000 }
      return reply
    }
    defer { server.stop() }
    let test = TestModels()
    #expect(await test.failure(test.hosted(server.url, attempts: 1))?.code == .interrupted)
    let model = try await test.pull(test.hosted(server.url))
    #expect(TestModels.bytes(model.path) == Self.detector)
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=30000-", "bytes=60000-"])
    #expect(server.requests.map { $0.headers["if-range"] } == [nil, "\"v1\"", "\"v1\""])
    #expect(test.files == TestModels.files(of: [Self.detector]))
  }

  struct ContinueCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The headers of the first, truncated response, and the responses to the next requests.
    var firstTag: String? = "v1"
    var reply: @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply
    var ranges: [String?]
  }

  @Test(arguments: [
    ContinueCase(
      testDescription: "the model has changed", reply: { .file(TestModels.classifier, for: $0, tag: "v2") },
      ranges: [nil, "bytes=2000-"]),
    ContinueCase(
      testDescription: "the model has changed, and the host does not know If-Range",
      reply: { request in
        var request = request
        request.headers["if-range"] = nil
        return .file(TestModels.classifier, for: request, tag: "v2")
      }, ranges: [nil, "bytes=2000-", nil]),
    ContinueCase(
      testDescription: "the first answer had no tag", firstTag: nil,
      reply: { .file(TestModels.classifier, for: $0, tag: nil) }, ranges: [nil, nil]),
    ContinueCase(
      testDescription: "the changed model has no tag",
      reply: { .file(TestModels.classifier, for: $0, tag: nil) }, ranges: [nil, "bytes=2000-"]),
  ])
  func `parts of two models are never joined`(_ test: ContinueCase) async throws {
    let server = try LoopbackServer { request, number in
      guard number == 0 else { return test.reply(request) }
      var reply = Reply.file(Self.detector, for: request, tag: test.firstTag)
      reply.cutAfter = 2_000
      return reply
    }
    defer { server.stop() }
    let models = TestModels()
    #expect(await models.failure(models.hosted(server.url, attempts: 1))?.code == .interrupted)
    let model = try await models.pull(models.hosted(server.url))
    #expect(TestModels.bytes(model.path) == Self.classifier)
    #expect(server.requests.map { $0.headers["range"] } == test.ranges)
    #expect(models.files == TestModels.files(of: [Self.classifier]))
  }

  @Test func `a cancelled download keeps the downloaded bytes`() async throws {
    let server = try LoopbackServer { request, number in
      var reply = Reply.file(Self.detector, for: request)
      if number == 0 { reply.stallAfter = 30_000 }
      return reply
    }
    defer { server.stop() }
    let test = TestModels()
    let log = ProgressLog()
    var models = test.hosted(server.url)
    models.settings.options.stallTimeout = .seconds(600)
    let pull = Task { [models] () -> ModelStoreError? in
      do throws(ModelStoreError) {
        _ = try await models.download(TestModels.name) { log.add($0) }
        return nil
      } catch { return error }
    }
    try await waitUntil("30,000 bytes have arrived") { log.bytesDone >= 30_000 }
    pull.cancel()
    let error = await pull.value
    #expect(error?.code == .cancelled)
    try await test.pull(models)
    #expect(server.requests.last?.headers["range"] == "bytes=30000-")
  }
}
