// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModels

private typealias Reply = LoopbackServer.Reply

@Suite struct HostedFailureTests {
  struct FailureCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: ModelStoreCode
    /// With URL for the file's address.
    var message: String
    /// With HOST for the host's name.
    var remedy: String
    var requests = 1
    var reply: LoopbackServer.Reply
  }

  private static let later = "Download it again later, or set another host with HOST"
  private static let publish =
    "Publish the .tflite file again and download it again; the installed version is kept"
  private static let noModel =
    "The file from URL is not a usable model: The file is not a TFLite model: bytes 4 to 7 must be TFL3, "

  @Test(arguments: [
    FailureCase(
      testDescription: "not found", code: .notFound,
      message: "URL answered with status 404: the server has no such file",
      remedy: "Check the name of the model and the address of HOST", reply: Reply(status: 404)),
    FailureCase(
      testDescription: "forbidden", code: .refused,
      message: "URL answered with status 403: the server, or a proxy, does not allow it",
      remedy: "Check user name and password of the host or proxy, or set another host with HOST",
      reply: Reply(status: 403)),
    FailureCase(
      testDescription: "a failing server", code: .serverError, message: "URL answered with status 500",
      remedy: later, requests: 3, reply: Reply(status: 500)),
    FailureCase(
      testDescription: "unchanged, without a stored model", code: .serverError,
      message: "URL answered with status 304, which does not answer the request", remedy: later,
      reply: Reply(status: 304)),
    FailureCase(
      testDescription: "a redirect into the file system", code: .serverError,
      message: "URL redirects to file:///etc/passwd, which is not on a web server", remedy: later,
      reply: Reply(status: 302, headers: ["Location": "file:///etc/passwd"])),
    FailureCase(
      testDescription: "a web page", code: .invalidModel, message: noModel + "and it has 14 bytes",
      remedy: publish, reply: Reply(body: Array("<html> log in ".utf8))),
    FailureCase(
      testDescription: "nothing", code: .invalidModel, message: noModel + "and it has 0 bytes",
      remedy: publish, reply: Reply()),
    FailureCase(
      testDescription: "more than the limit", code: .wrongSize,
      message: "The server sends 100001 bytes instead of 100000 at most", remedy: later,
      reply: Reply(body: [UInt8](repeating: 7, count: 100_001))),
  ])
  func `a failing host leaves the model in use unchanged`(_ test: FailureCase) async throws {
    let server = try LoopbackServer { request, _ in
      request.target.hasPrefix("/good") ? .file(TestModels.detector, for: request) : test.reply
    }
    defer { server.stop() }
    let models = TestModels()
    var hosted = models.hosted(server.url)
    hosted.settings.options.sizeLimit = 100_000
    for isThere in [false, true] {
      if isThere { try await models.pull(models.hosted(server.url + "/good")) }
      let count = server.requests.count
      let error = await models.failure(hosted)
      #expect(error?.code == test.code)
      #expect(error?.message.replacing("\(server.url)/my_model.tflite", with: "URL") == test.message)
      #expect(
        error?.remedy.description
          == test.remedy.replacing("HOST", with: "ModelDownloader.Options.host"))
      #expect(server.requests.count == count + test.requests)
      #expect((try hosted.store.installedModel(named: TestModels.name) != nil) == isThere)
    }
    #expect(models.files.filter { !$0.hasPrefix(".partial") } == TestModels.files(of: [TestModels.detector]))
    #expect(models.files.filter { $0.hasSuffix(".part") && FileSystem.size(of: $0) ?? 0 > 0 } == [])
  }

  @Test(arguments: [4, 8, 30, 1_000, 2_255])
  func `a truncated model does not replace one that works`(_ count: Int) async throws {
    let server = try LoopbackServer { request, number in
      guard number > 0 else { return .file(TestModels.detector, for: request) }
      var reply = Reply(body: Array(TestModels.classifier[..<count]))
      reply.announcedLength = -1
      return reply
    }
    defer { server.stop() }
    let test = TestModels()
    let model = try await test.pull(test.hosted(server.url))
    #expect(await test.failure(test.hosted(server.url))?.code == .invalidModel)
    #expect(try test.hosted(nil).store.installedModel(named: TestModels.name) == model)
    #expect(TestModels.bytes(model.path) == TestModels.detector)
  }

  @Test func `a response that no web server sends is reported as such`() async throws {
    let server = try LoopbackServer { _, _ in
      var reply = Reply()
      reply.protocolVersion = "SSH-2.0"
      return reply
    }
    defer { server.stop() }
    let test = TestModels()
    let error = await test.failure(test.hosted(server.url))
    #expect(error?.code == .serverError)
    let message = "\(server.url)/my_model.tflite is not a web server: "
    #expect(error?.message.hasPrefix(message) == true)
    #expect(
      error?.remedy.description == "Check the address of ModelDownloader.Options.host"
    )
  }

  @Test(arguments: ["http://localhost:99999/", "http://localhost:1x"])
  func `an unusable address names the host's setting`(_ host: String) async throws {
    let test = TestModels()
    let error = await test.failure(test.hosted(host))
    #expect(error?.code == .invalidOption)
    #expect(error?.remedy.description == "Check the address of ModelDownloader.Options.host")
  }

  @Test(arguments: [nil, "", " ", " \n\t"])
  func `without a host the error explains how to set one`(_ host: String?) async throws {
    let test = TestModels()
    let error = await test.failure(test.hosted(host))
    #expect(error?.code == .hostMissing)
    #expect(
      error?.description == "No model host is set, so the model 'my_model' cannot be downloaded. Set "
        + "ModelDownloader.Options.host to an address such as https://models.example/folder, "
        + "file:///folder or a folder that has my_model.tflite.")
    #expect(test.files == [])
  }

  @Test(arguments: [
    "", ".", "..", "../secret", "a/b", "/etc/passwd", ".hidden", "a..b", "name with spaces", "%2e%2e", "näme",
    "a\u{0}b", "a\nb", "_first", "{name}", "a?b", "a#b", String(repeating: "a", count: 65),
  ])
  func `a hostile name is rejected before any request or write`(_ name: String) async throws {
    let server = try LoopbackServer { request, _ in .file(TestModels.detector, for: request) }
    defer { server.stop() }
    let test = TestModels()
    #expect(await test.failure(test.hosted(server.url), name)?.code == .invalidName)
    #expect(try test.hosted(nil).store.installedModel(named: name) == nil)
    #expect(throws: ModelStoreError.self) { try test.hosted(nil).store.remove(name) }
    #expect(server.connections == 0)
    #expect(!FileSystem.exists(test.folder))
  }

  @Test func `too little space is reported before a byte is written`() async throws {
    let server = try LoopbackServer { request, _ in .file(TestModels.detector, for: request) }
    defer { server.stop() }
    let test = TestModels()
    var models = test.hosted(server.url)
    models.settings.freeBytes = { _ in 88_559 }
    let error = await test.failure(models)
    #expect(error?.code == .diskFull)
    #expect(
      error?.message == "The download needs 88.6 kB, but '\(test.folder)/.hosted' has only 88.6 kB free")
    #expect(error?.remedy.description == "Free some space, or set FOVEA_MODELS to another folder")
    models.settings.freeBytes = { _ in 88_560 }
    try await test.pull(models)
  }

  @Test func `a manipulated record leads nowhere`() async throws {
    let test = TestModels()
    let sum = SHA256Text.of([1])
    let rows: [(version: String, bytes: String, previous: String)] = [
      ("../../x", "1", "null"), (String(sum.prefix(16)), "0", "null"),
      (String(sum.prefix(16)), "1", "\"../x\""),
      ("other", "1", "null"),
    ]
    for row in rows {
      let text =
        "{\"layout\": 1, \"version\": \"\(row.version)\", \"previous\": \(row.previous), "
        + "\"bytes\": \(row.bytes), \"sha256\": \"\(sum)\", \"source\": \"x\", \"validator\": {}}"
      try test.write(Array(text.utf8), to: ".hosted/my_model/current.json")
      #expect(throws: ModelStoreError.self) {
        try test.hosted(nil).store.installedModel(named: TestModels.name)
      }
    }
    try test.hosted(nil).store.remove(TestModels.name)
    #expect(test.files == [])
  }
}
