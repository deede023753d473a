// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModels

private typealias Reply = LoopbackServer.Reply

@Suite struct DownloadTests {
  private static let bytes = TestStore.bytes

  @Test func `a model is downloaded whole and gets its name`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    let log = ProgressLog()
    let model = try await test.pull(test.downloader(server.url)) { log.add($0) }
    #expect(test.files == TestStore.installedFiles)
    #expect(try test.content(TestStore.installedFiles[0]) == Self.bytes)
    #expect(model == (try test.store.installedModel(named: TestStore.name)))
    #expect(model.byteCount == Self.bytes.count && model.sha256 == TestStore.sha256)
    #expect(model.url == "\(server.url)/\(TestStore.fileName)" && model.license == "CC0-1.0")
    #expect(server.requests.map(\.target) == ["/\(TestStore.fileName)"])
    let progress = log.all
    #expect(progress.last == DownloadProgress(phase: .verifying, bytesDone: 200_000, bytesTotal: 200_000))
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.bytesDone <= $1.bytesDone })
    #expect(progress.contains { $0.phase == .transferring && $0.bytesDone < 200_000 })
  }

  @Test func `an intact model is not requested again`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    let first = try await test.pull(test.downloader(server.url))
    let plan = try await test.downloader(server.url).plan(for: TestStore.name)
    #expect(plan.installed == first)
    #expect(try await test.pull(test.downloader(server.url)) == first)
    #expect(server.requests.count == 1)
  }

  @Test func `a damaged model is downloaded again`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    try await test.pull(test.downloader(server.url))
    var damaged = Self.bytes
    damaged[100_000] ^= 1
    try test.write(damaged, to: TestStore.installedFiles[0])
    #expect(throws: ModelStoreError.self) { try test.store.verify(TestStore.name) }
    try await test.pull(test.downloader(server.url))
    try test.store.verify(TestStore.name)
  }

  // MARK: Going on

  @Test func `a cut connection is continued where it ended`() async throws {
    let server = try LoopbackServer { request, number in
      var reply = Reply.file(Self.bytes, for: request)
      if number < 2 { reply.cutAfter = 70_000 }
      return reply
    }
    defer { server.stop() }
    let test = try TestStore()
    try await test.pull(test.downloader(server.url))
    #expect(try test.content(TestStore.installedFiles[0]) == Self.bytes)
    #expect(test.files == TestStore.installedFiles)
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=70000-", "bytes=140000-"])
    #expect(server.requests.map { $0.headers["if-range"] } == [nil, "\"v1\"", "\"v1\""])
  }

  @Test(arguments: [0, 1, 2, 4_095, 65_536, 199_999, 200_000])
  func `bytes of an earlier pull are not requested again`(_ count: Int) async throws {
    let server = try LoopbackServer { request, _ in .file(Self.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    try test.write(Array(Self.bytes[..<count]), to: TestStore.part)
    let plan = try await test.downloader(server.url).plan(for: TestStore.name)
    #expect(plan.presentBytes == count)
    try await test.pull(test.downloader(server.url))
    #expect(try test.content(TestStore.installedFiles[0]) == Self.bytes)
    let ranges = server.requests.map { $0.headers["range"] }
    #expect(ranges == (count == 0 ? [nil] : count == 200_000 ? [] : ["bytes=\(count)-"]))
  }

  @Test func `after the last attempt the partial file stays for the next pull`() async throws {
    let server = try LoopbackServer { request, number in
      var reply = Reply.file(Self.bytes, for: request)
      if number < 2 { reply.cutAfter = 50_000 }
      return reply
    }
    defer { server.stop() }
    let test = try TestStore()
    let error = await test.failure(try test.downloader(server.url, attempts: 2))
    #expect(error?.code == .interrupted)
    #expect(error?.remedy.description == "Download it again; it resumes where it stopped")
    #expect(try test.content(TestStore.part) == Array(Self.bytes[..<100_000]))
    #expect(try test.store.installedModel(named: TestStore.name) == nil)
    try await test.pull(test.downloader(server.url))
    #expect(server.requests.last?.headers["range"] == "bytes=100000-")
    #expect(test.files == TestStore.installedFiles)
  }

  struct ContinueCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The server's response to a request for the rest.
    var reply: @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply
    var requests = 1
  }

  @Test(arguments: [
    ContinueCase(testDescription: "the server ignores ranges") { _ in Reply(body: TestStore.bytes) },
    ContinueCase(testDescription: "the content has another tag") { request in
      .file(TestStore.bytes, for: request, tag: "v2")
    },
    ContinueCase(testDescription: "the server has no tags") { request in
      .file(TestStore.bytes, for: request, tag: nil)
    },
    ContinueCase(
      testDescription: "the range starts elsewhere",
      reply: { request in
        guard request.headers["range"] != nil else { return Reply(body: TestStore.bytes) }
        return Reply(
          status: 206, headers: ["Content-Range": "bytes 10-199999/200000"],
          body: Array(TestStore.bytes[10...]))
      }, requests: 2),
    ContinueCase(
      testDescription: "the range is not described",
      reply: { request in
        guard request.headers["range"] != nil else { return Reply(body: TestStore.bytes) }
        return Reply(status: 206, body: Array(TestStore.bytes[80_000...]))
      }, requests: 2),
    ContinueCase(
      testDescription: "the server reports that there is no such range",
      reply: { request in
        request.headers["range"] == nil ? Reply(body: TestStore.bytes) : Reply(status: 416)
      }, requests: 2),
  ])
  func `a server that cannot resume does no harm`(_ test: ContinueCase) async throws {
    let server = try LoopbackServer { request, _ in test.reply(request) }
    defer { server.stop() }
    let folder = try TestStore()
    try folder.write(Array(TestStore.bytes[..<80_000]), to: TestStore.part)
    try folder.write(
      Array("\(server.url)/\(TestStore.fileName)\n\"v1\"\n".utf8), to: TestStore.tag)
    try await folder.pull(folder.downloader(server.url))
    #expect(try folder.content(TestStore.installedFiles[0]) == TestStore.bytes)
    #expect(folder.files == TestStore.installedFiles)
    #expect(server.requests.count == test.requests)
    try #require(!server.requests.isEmpty)
    #expect(server.requests[0].headers["range"] == "bytes=80000-")
    #expect(server.requests[0].headers["if-range"] == "\"v1\"")
  }

  @Test(arguments: [100, 80_000, 200_000, 300_000])
  func `another file's partial file is detected and replaced`(_ count: Int) async throws {
    let server = try LoopbackServer { request, _ in .file(Self.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    try test.write([UInt8](repeating: 7, count: count), to: TestStore.part)
    try await test.pull(test.downloader(server.url))
    #expect(try test.content(TestStore.installedFiles[0]) == Self.bytes)
    #expect(server.requests.last?.headers["range"] == nil)
  }

  @Test func `the tag of another address is not sent`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    try test.write(Array(Self.bytes[..<80_000]), to: TestStore.part)
    try test.write(Array("http://other/\(TestStore.fileName)\n\"v0\"\n".utf8), to: TestStore.tag)
    try await test.pull(test.downloader(server.url))
    #expect(server.requests.map { $0.headers["if-range"] } == [nil])
    #expect(server.requests.map { $0.headers["range"] } == ["bytes=80000-"])
  }

  // MARK: Size, versions, mirrors

  @Test func `the server is asked for a size that the catalogue lacks`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore(size: nil)
    let plan = try await test.downloader(server.url).plan(for: TestStore.name)
    #expect(plan.byteCount == 200_000)
    #expect(server.requests.map(\.method) == ["HEAD"])
    try await test.pull(test.downloader(server.url))
    try test.store.verify(TestStore.name)
  }

  @Test func `a server that sends no size is accepted`() async throws {
    let server = try LoopbackServer { request, _ in
      var reply = Reply(status: request.method == "HEAD" ? 405 : 200, body: Self.bytes)
      reply.announcedLength = -1
      return reply
    }
    defer { server.stop() }
    let test = try TestStore(size: nil)
    let plan = try await test.downloader(server.url).plan(for: TestStore.name)
    #expect(plan.byteCount == nil)
    try await test.pull(test.downloader(server.url))
    try test.store.verify(TestStore.name)
  }

  @Test func `a newer version keeps the previous one, and no older one`() async throws {
    let versions = (0..<3).map { number in Self.bytes + [UInt8(number)] }
    let server = try LoopbackServer { request, number in .file(versions[number], for: request) }
    defer { server.stop() }
    let test = try TestStore()
    var names: [String] = []
    for version in versions {
      let sha256 = SHA256Text.of(version)
      names.append(String(sha256.prefix(16)))
      let store = ModelStore(
        folder: test.store.folder, catalogue: try TestStore.catalogue(size: version.count, sha256: sha256))
      var downloader = try ModelDownloader(store: store, options: test.downloader(server.url).options)
      downloader.settings.proxy = ""
      let model = try await downloader.download(downloader.plan(for: TestStore.name))
      #expect(model.version == names.last && model.previousVersion == names.dropLast().last)
    }
    #expect(
      test.files
        == (names[1...].map { "\(TestStore.name)/\($0)/model.tflite" } + ["\(TestStore.name)/current.json"])
        .sorted())
  }

  @Test func `a folder is a mirror`() async throws {
    let test = try TestStore()
    let mirror = try TestStore()
    try mirror.write(Self.bytes, to: TestStore.fileName)
    // An existing file is not requested: copying is quick.
    try test.write(Array(Self.bytes[..<80_000]), to: TestStore.part)
    try await test.pull(test.downloader("file://" + mirror.store.folder + "/"))
    #expect(try test.content(TestStore.installedFiles[0]) == Self.bytes)
    let missing = try TestStore()
    let error = await missing.failure(try missing.downloader("file:///nowhere"))
    #expect(error?.code == .notFound)
  }

  // MARK: Several at a time

  @Test func `two pulls of one model do not harm each other`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    let log = ProgressLog()
    let plan = try await test.downloader(server.url).plan(for: TestStore.name)
    try await withThrowingTaskGroup(of: InstalledModel.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await test.downloader(server.url).download(plan) { log.add($0) }
        }
      }
      for try await model in group { #expect(model.sha256 == TestStore.sha256) }
    }
    #expect(server.requests.count == 1)
    #expect(log.phases.contains(.waiting))
    #expect(test.files == TestStore.installedFiles)
  }

  @Test func `the waiting pull continues where the other failed`() async throws {
    let server = try LoopbackServer { request, number in
      var reply = Reply.file(Self.bytes, for: request)
      if number == 0 { reply.stallAfter = 60_000 }
      return reply
    }
    defer { server.stop() }
    let test = try TestStore()
    let first = Task { await test.failure(try test.downloader(server.url, attempts: 1, stall: .seconds(2))) }
    try await waitUntil("a request has arrived") { !server.requests.isEmpty }
    try await test.pull(test.downloader(server.url))
    #expect(try await first.value?.code == .timeout)
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=60000-"])
    try test.store.verify(TestStore.name)
  }

  @Test func `a cancelled task ends at once and keeps the downloaded bytes`() async throws {
    let server = try LoopbackServer { request, number in
      var reply = Reply.file(Self.bytes, for: request)
      if number == 0 { reply.stallAfter = 60_000 }
      return reply
    }
    defer { server.stop() }
    let test = try TestStore()
    let log = ProgressLog()
    let pull = Task { () -> ModelStoreError? in
      let downloader = try test.downloader(server.url, stall: .seconds(600))
      do throws(ModelStoreError) {
        try await test.pull(downloader) { log.add($0) }
        return nil
      } catch { return error }
    }
    try await waitUntil("60,000 bytes have arrived") { log.bytesDone >= 60_000 }
    pull.cancel()
    #expect(try await pull.value?.code == .cancelled)
    #expect(try test.content(TestStore.part).count == 60_000)
    try await test.pull(test.downloader(server.url))
    #expect(server.requests.last?.headers["range"] == "bytes=60000-")
  }
}
