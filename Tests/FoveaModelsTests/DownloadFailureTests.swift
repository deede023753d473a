// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaModels

private typealias Reply = LoopbackServer.Reply

@Suite struct DownloadFailureTests {
  struct FailureCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: ModelStoreCode
    /// With URL for the file's address.
    var message: String
    var requests = 1
    var size: Int? = TestStore.bytes.count
    var reply: @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply
  }

  static let corrupted: [UInt8] = {
    var bytes = TestStore.bytes
    bytes[199_999] ^= 0x80
    return bytes
  }()

  @Test(arguments: [
    FailureCase(
      testDescription: "not found", code: .notFound,
      message: "URL answered with status 404: the server has no such file"
    ) { _ in Reply(status: 404, body: Array("not here".utf8)) },
    FailureCase(
      testDescription: "gone, without a body", code: .notFound,
      message: "URL answered with status 410: the server has no such file"
    ) { _ in Reply(status: 410) },
    FailureCase(
      testDescription: "forbidden", code: .refused,
      message: "URL answered with status 403: the server, or a proxy, does not allow it"
    ) { _ in Reply(status: 403) },
    FailureCase(
      testDescription: "server error, asked again", code: .serverError,
      message: "URL answered with status 500", requests: 3
    ) { _ in Reply(status: 500, body: Array("oops".utf8)) },
    FailureCase(
      testDescription: "too many requests", code: .tooManyRequests,
      message: "URL answered with status 429, and asks to wait for 100000 s"
    ) { _ in Reply(status: 429, headers: ["Retry-After": "100000"]) },
    FailureCase(
      testDescription: "an unexpected status", code: .serverError,
      message: "URL answered with status 204, which does not answer the request"
    ) { _ in Reply(status: 204) },
    FailureCase(
      testDescription: "a redirect to itself", code: .serverError,
      message: "URL redirects too often: Maximum (5) redirects followed",
      requests: 6
    ) { request in Reply(status: 302, headers: ["Location": request.target]) },
    FailureCase(
      testDescription: "a redirect into the file system", code: .serverError,
      message: "URL redirects to file:///etc/passwd, which is not on a web server"
    ) { _ in Reply(status: 302, headers: ["Location": "file:///etc/passwd"]) },
    FailureCase(
      testDescription: "a wrong byte", code: .wrongChecksum,
      message: "The file from URL is not the model: its SHA-256 is \(SHA256Text.of(corrupted))"
        + " instead of \(TestStore.sha256)"
    ) { request in .file(corrupted, for: request) },
    FailureCase(
      testDescription: "a length that is too short", code: .wrongSize,
      message: "The server sends 199999 bytes instead of 200000"
    ) { request in .file(Array(TestStore.bytes.dropLast()), for: request) },
    FailureCase(
      testDescription: "a length that is too long", code: .wrongSize,
      message: "The server sends 200001 bytes instead of 200000"
    ) { request in .file(TestStore.bytes + [0], for: request) },
    FailureCase(
      testDescription: "too long, without a length", code: .wrongSize,
      message: "The server sends more than 200000 bytes instead of 200000"
    ) { _ in
      var reply = Reply(body: TestStore.bytes + TestStore.bytes)
      reply.announcedLength = -1
      return reply
    },
    FailureCase(
      testDescription: "endless, of unknown size", code: .wrongSize,
      message: "The server sends more than 250000 bytes instead of 250000 at most", requests: 2, size: nil
    ) { _ in
      var reply = Reply(body: TestStore.bytes + TestStore.bytes)
      reply.announcedLength = -1
      return reply
    },
    FailureCase(
      testDescription: "a declared length of 100 GB, of unknown size", code: .wrongSize,
      message: "The server sends 100000000000 bytes instead of 250000 at most", requests: 2, size: nil
    ) { request in
      var reply = Reply(body: TestStore.bytes)
      // Not declared in advance: the limit applies to the download itself.
      if request.method == "HEAD" { reply.status = 405 }
      reply.announcedLength = 100_000_000_000
      return reply
    },
    FailureCase(
      testDescription: "nothing at all, with a length of 0", code: .wrongSize,
      message: "The server sends 0 bytes instead of 200000"
    ) { _ in Reply() },
    FailureCase(
      testDescription: "too short, without a length", code: .interrupted,
      message: "URL sent 1000 of 200000 bytes",
      requests: 3
    ) { request in
      var reply = Reply(body: Array(TestStore.bytes[..<1_000]))
      reply.announcedLength = -1
      return reply
    },
    FailureCase(
      testDescription: "a login page", code: .wrongSize,
      message: "The server sends 14 bytes instead of 200000, a web page"
    ) { _ in
      Reply(headers: ["Content-Type": "text/html; charset=utf-8"], body: Array("<html> log in ".utf8))
    },
    FailureCase(
      testDescription: "closed without an answer", code: .interrupted,
      message: "The connection to URL ended early: Empty reply from server", requests: 3
    ) { _ in
      var reply = Reply()
      reply.isSilent = true
      return reply
    },
  ])
  func `a failing server is distinguished from the others`(_ test: FailureCase) async throws {
    let server = try LoopbackServer { request, _ in test.reply(request) }
    defer { server.stop() }
    let folder = try TestStore(size: test.size)
    let downloader = try folder.downloader(server.url, sizeLimit: test.size == nil ? 250_000 : nil)
    let error = await folder.failure(downloader)
    #expect(error?.code == test.code)
    #expect(
      error?.message.replacing("\(server.url)/\(TestStore.fileName)", with: "URL") == test.message)
    #expect(error?.remedy.description.isEmpty == false)
    #expect(server.requests.count == test.requests)
    #expect(!FileSystem.exists(folder.store.folder + "/" + TestStore.name), "nothing gets the name")
  }

  @Test func `a wrong checksum leaves nothing behind`() async throws {
    let server = try LoopbackServer { request, _ in .file(Self.corrupted, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    #expect(await test.failure(try test.downloader(server.url))?.code == .wrongChecksum)
    #expect(test.files.filter { !$0.hasSuffix(".lock") } == [])
  }

  @Test(arguments: [0, 60_000])
  func `a server that stops sending is not awaited`(_ count: Int) async throws {
    let server = try LoopbackServer { request, _ in
      var reply = Reply.file(TestStore.bytes, for: request)
      reply.stallAfter = count
      reply.isSilent = count == 0
      return reply
    }
    defer { server.stop() }
    let test = try TestStore()
    let stall = Duration.seconds(count == 0 ? 1 : 2)
    let error = await test.failure(try test.downloader(server.url, attempts: 1, stall: stall))
    #expect(error?.code == .timeout)
    #expect(error?.message.contains("stopped sending") == true, "\(error?.message ?? "")")
    #expect(try test.content(TestStore.part).count == count)
  }

  @Test func `a missing server is reported at once`() async throws {
    let server = try LoopbackServer { _, _ in Reply() }
    defer { server.stop() }
    server.stop()
    let test = try TestStore()
    let error = await test.failure(try test.downloader(server.url))
    #expect(error?.code == .unreachable)
    #expect(error?.remedy.description.contains("ModelDownloader.Options.host") == true)
    let nowhere = await test.failure(try test.downloader("http://no-such-host.invalid"))
    #expect(nowhere?.code == .unreachable)
  }

  @Test func `a redirect is followed on a host that was requested without encryption`() async throws {
    let server = try LoopbackServer { request, number in
      number == 0
        ? Reply(status: 302, headers: ["Location": "/elsewhere"]) : .file(TestStore.bytes, for: request)
    }
    defer { server.stop() }
    let test = try TestStore()
    try await test.pull(test.downloader(server.url))
    #expect(server.requests.map(\.target) == ["/\(TestStore.fileName)", "/elsewhere"])
  }

  @Test func `a redirect from https to http is rejected by the rules given to libcurl`() throws {
    let entry = try TestStore.catalogue().entries[0]
    #expect(!DownloadAddress(entry).allowsHTTP && !DownloadAddress(entry).allowsFile)
    #expect(!DownloadAddress(entry, host: "https://mirror.invalid").allowsHTTP)
    #expect(
      DownloadAddress(entry, host: "http://mirror.invalid/a/").url
        == "http://mirror.invalid/a/some_model.tflite")
  }

  @Test func `an address without encryption is not fetched unless requested`() async throws {
    let server = try LoopbackServer { request, _ in .file(TestStore.bytes, for: request) }
    defer { server.stop() }
    let entry = try TestStore.catalogue().entries[0]
    var address = DownloadAddress(entry, host: server.url)
    address = DownloadAddress(url: address.url, allowsHTTP: false, allowsFile: false)
    let transfer = HTTPTransfer(
      address: address, connectTimeout: .seconds(1), stallTimeout: .seconds(1), proxy: "")
    let outcome = try await HTTPAnswer.of(transfer, limit: 1_000_000).outcome
    #expect(outcome.failure(at: address)?.code == .invalidOption)
    #expect(server.connections == 0)
  }

  // MARK: The disk

  @Test func `too little space is reported before any request`() async throws {
    let server = try LoopbackServer { request, _ in .file(TestStore.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    try test.write(Array(TestStore.bytes[..<50_000]), to: TestStore.part)
    var downloader = try test.downloader(server.url)
    downloader.settings.freeBytes = { _ in 149_999 }
    let error = await test.failure(downloader)
    #expect(error?.code == .diskFull)
    #expect(
      error?.message == "The download needs 150.0 kB, but '\(test.store.folder)' has only 150.0 kB free")
    #expect(server.connections == 0)
    downloader.settings.freeBytes = { _ in 150_000 }
    try await test.pull(downloader)
  }

  @Test func `a full disk in the middle keeps the written bytes`() async throws {
    let full = unsafe PartialFile(descriptor: open("/dev/full", O_RDWR), path: "/dev/full")
    let error = #expect(throws: ModelStoreError.self) { try full.append([1, 2, 3].span) }
    #expect(error?.code == .diskFull)
    #expect(error?.message == "'/dev/full' cannot be written: No space left on device")
    #expect(full.count == 0)
    let device = #expect(throws: ModelStoreError.self) { try PartialFile(path: "/dev/full") }
    #expect(device?.message == "'/dev/full' cannot be written: it is not a file")
  }

  @Test func `partial files that cannot be removed or listed are reported`() throws {
    let layout = StoreLayout(root: "/dev/null")
    let tag = PartialFile.Tag(url: "https://host/x", path: layout.tag("x"))
    #expect(tag.read() == nil)
    tag.write("\"v1\"")
    let stays = #expect(throws: ModelStoreError.self) { try tag.remove() }
    #expect(stays?.message == "'/dev/null/.partial/x.etag' cannot be written: Not a directory")
    let names = #expect(throws: ModelStoreError.self) {
      try PartialFileNames(name: "x", layout: layout).present()
    }
    #expect(names?.message == "'/dev/null/.partial' cannot be read: Not a directory")
    let nothing = PartialFileNames(name: "x", layout: StoreLayout(root: "/no/such/folder"))
    #expect(try nothing.present() == [])
  }

  @Test func `a folder that cannot be created is reported`() async throws {
    let test = try TestStore(folder: "/dev/null/models")
    let server = try LoopbackServer { request, _ in .file(TestStore.bytes, for: request) }
    defer { server.stop() }
    let error = await test.failure(try test.downloader(server.url))
    #expect(error?.code == .storeUnwritable)
    #expect(server.connections == 0)
  }

  // MARK: The library and the options

  @Test func `a missing libcurl is an error with the command that installs it`() {
    let error = #expect(throws: TransferError.self) { try HTTPLibrary(names: ["libnothing.so.9"]) }
    #expect(error?.code == .libraryMissing)
    #expect(error?.message.contains("libnothing.so.9") == true)
    #expect(error?.remedy.description.hasPrefix("Install it: apt-get install libcurl4") == true)
    let other = #expect(throws: TransferError.self) { try HTTPLibrary(names: ["libm.so.6"]) }
    #expect(other?.message.contains("libm.so.6 has no function curl_global_init") == true)
  }

  @Test func `a truncated libcurl is an error, not a crash`() throws {
    let whole = try #require(
      [
        "/lib/x86_64-linux-gnu/libz.so.1", "/lib/aarch64-linux-gnu/libz.so.1", "/usr/lib/libz.so.1",
        "/lib64/libz.so.1",
      ]
      .first { FileManager.default.fileExists(atPath: $0) })
    let cut = NSTemporaryDirectory() + "fovea-curl-\(getpid()).so"
    defer { try? FileManager.default.removeItem(atPath: cut) }
    try Data(contentsOf: URL(fileURLWithPath: whole)).prefix(4_096).write(to: URL(fileURLWithPath: cut))
    let error = #expect(throws: TransferError.self) { try HTTPLibrary(names: [cut]) }
    #expect(error?.message.contains("\(cut): the file is shorter than its header declares") == true)
  }

  @Test(arguments: [
    "", "mirror.example", "ftp://mirror.example", "https://", "http://", "file://", "file://host",
    "https://a b", "https://a/\n", "https://a?x=1", "https://a#b", "https://a/\u{7F}", "https://ä",
    "javascript:1",
    "https://" + String(repeating: "a", count: 3_000),
  ])
  func `an invalid host is rejected`(_ host: String) throws {
    let test = try TestStore()
    let error = #expect(throws: ModelStoreError.self) { try test.downloader(host) }
    #expect(error?.code == .invalidOption)
  }

  @Test func `passwords in an address are not shown`() async throws {
    let test = try TestStore()
    let plan = try await test.downloader("http://user:secret@127.0.0.1:1/x").plan(for: TestStore.name)
    #expect(plan.url == "http://…@127.0.0.1:1/x/some_model.tflite")
    let error = await test.failure(try test.downloader("http://user:secret@127.0.0.1:1/x"))
    #expect(error?.code == .unreachable && error?.description.contains("secret") == false)
  }

  @Test func `options out of their ranges are rejected`() throws {
    let test = try TestStore()
    for change: (inout ModelDownloader.Options) -> Void in [
      { $0.attempts = 0 }, { $0.attempts = 101 }, { $0.sizeLimit = 0 }, { $0.connectTimeout = .zero },
      { $0.stallTimeout = .milliseconds(999) }, { $0.stallTimeout = .seconds(3_601) },
    ] {
      var options = ModelDownloader.Options()
      change(&options)
      let error = #expect(throws: ModelStoreError.self) {
        try ModelDownloader(store: test.store, options: options)
      }
      #expect(error?.code == .invalidOption)
    }
  }

  @Test func `an unknown name is not requested`() async throws {
    let server = try LoopbackServer { request, _ in .file(TestStore.bytes, for: request) }
    defer { server.stop() }
    let test = try TestStore()
    for name in ["other", "", "../../etc/passwd", "test-model/../x", "TEST-MODEL"] {
      let error = await #expect(throws: ModelStoreError.self) {
        try await test.downloader(server.url).plan(for: name)
      }
      #expect(error?.code == .unknownModel)
    }
    #expect(server.connections == 0)
  }
}
