// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct VersionDownloadTests {
  private static let model = ModelServer.classifier
  private static let refusal =
    #"{"error": {"code": "not-found", "message": "There is no model", "remedy": "Check it"}}"#

  private static func client(_ url: String, _ samples: KeySamples) throws -> HostClient {
    let first = KeySamples.first
    let account = ServiceAccount(
      project: first.project, keyID: first.keyID, email: first.email, clientID: first.clientID,
      privateKey: first.privateKey, tokenURI: url + "/token")
    return try HostClient(account) { samples.now }
  }

  /// A download, and the start of the error's message.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var sha256 = SHA256.hexadecimal(of: VersionDownloadTests.model.span)
    var size = VersionDownloadTests.model.count
    var path = "/files/p/1"
    var code: HostCode?
    var message = ""
  }

  @Test(arguments: [
    Row(testDescription: "the right file"),
    Row(
      testDescription: "another file", sha256: String(repeating: "0", count: 64), code: .unavailable,
      message: "Version 3 of 'bird' cannot be downloaded: "),
    Row(
      testDescription: "a longer file", size: 10, code: .unavailable,
      message: "Version 3 of 'bird' cannot"),
    Row(
      testDescription: "a missing file", path: "/none", code: .unavailable,
      message: "Version 3 of 'bird' cannot"),
    Row(testDescription: "no such version", path: "", code: .notFound, message: "There is no model"),
  ])
  func `a version is downloaded, and verified by its size and SHA-256`(_ row: Row) async throws {
    let port = TextBox()
    let server = try LoopbackServer { request, _ in
      if request.target == "/files/p/1" { return .file(Self.model, for: request) }
      guard request.target.hasPrefix("/v1/host/"), !row.path.isEmpty else {
        return LoopbackServer.Reply(status: 404, body: Array(Self.refusal.utf8))
      }
      let members =
        #""model": "bird", "version": 3, "sha256": "\#(row.sha256)", "size": \#(row.size), "expires": "t""#
      return LoopbackServer.Reply(body: Array(#"{\#(members), "url": "\#(port.text)\#(row.path)"}"#.utf8))
    }
    defer { server.stop() }
    port.append(server.url)
    let folder = try TemporaryFolder()
    let client = try Self.client(server.url, KeySamples())
    var found: HostError?
    do throws(HostError) { try await client.download(3, of: "bird", to: folder["m"]) } catch { found = error }
    #expect(found?.code == row.code)
    #expect(found?.message.hasPrefix(row.message) != false, "\(found?.message ?? "")")
    let request = try #require(server.requests.first)
    #expect(request.target == "\(HostClientTests.root)/models/bird/versions/3")
    // The key is the host's only.
    #expect(server.requests.dropFirst().allSatisfy { $0.headers["authorization"] == nil })
    if row.code == nil { #expect(try SmallFile.bytes(of: folder["m"], limit: 1 << 20) == Self.model) }
  }

  @Test func `a cancelled download ends`() async throws {
    let port = TextBox()
    let server = try LoopbackServer { request, _ in
      guard request.target.hasPrefix("/v1/host/") else {
        var reply = LoopbackServer.Reply.file(Self.model, for: request)
        reply.stallAfter = 7
        return reply
      }
      let sha256 = SHA256.hexadecimal(of: Self.model.span)
      return LoopbackServer.Reply(
        body: Array(
          (#"{"model": "bird", "version": 3, "sha256": "\#(sha256)", "size": \#(Self.model.count), "#
            + #""url": "\#(port.text)/f", "expires": "t"}"#).utf8))
    }
    defer { server.stop() }
    port.append(server.url)
    let folder = try TemporaryFolder()
    let client = try Self.client(server.url, KeySamples())
    let error = await #expect(throws: HostError.self) {
      try await client.download(3, of: "bird", to: folder["m"], isCancelled: { server.requests.count > 1 })
    }
    #expect(error?.code == .cancelled && error?.message == "Cancelled: nothing was published")
  }

  @Test(
    arguments: [
      (200, #""stable": 2, "beta": 3"#, "beta", 3), (200, #""stable": 2"#, "beta", nil),
      (200, "", "stable", nil), (404, "", "stable", nil),
    ] as [(Int, String, String, Int?)])
  func `a channel has a version, or none yet`(
    _ status: Int, _ channels: String, _ channel: String, _ version: Int?
  ) async throws {
    let model = #"{"name": "bird", "published": true, "channels": {\#(channels)}, "updated": ""}"#
    let server = try LoopbackServer { _, _ in
      LoopbackServer.Reply(status: status, body: Array((status == 200 ? model : Self.refusal).utf8))
    }
    defer { server.stop() }
    let client = try Self.client(server.url, KeySamples())
    #expect(try await client.version(of: "bird", channel: channel) == version)
    #expect(await code { _ = try await client.version(of: "bird", channel: "a b") } == .invalid)
  }

  /// A file, the versions of a model as `(SHA-256 matches, withdrawn)`, and the version that is known.
  struct KnownRow: Sendable {
    var file = "m"
    var status = 200
    var versions: [(isSame: Bool, isWithdrawn: Bool)] = []
    var known: Int?
  }

  @Test func `the version with the bytes of a file is found, if there is one`() async throws {
    let rows = [
      KnownRow(status: 404), KnownRow(), KnownRow(versions: [(false, false)]),
      KnownRow(versions: [(true, false)], known: 1), KnownRow(file: "none", versions: [(true, false)]),
      KnownRow(versions: [(true, true), (false, false)], known: 1),
      KnownRow(versions: [(true, false), (false, false), (true, true)], known: 1),
      KnownRow(versions: [(true, true), (true, false), (false, false)], known: 2),
      KnownRow(versions: [(true, true), (true, true)], known: 2),
    ]
    let folder = try TemporaryFolder()
    try folder.write("m", Self.model)
    let sha256 = SHA256.hexadecimal(of: Self.model.span)
    for row in rows {
      let versions = row.versions.enumerated().map { index, version in
        #"{"version": \#(index + 1), "sha256": "\#(version.isSame ? sha256 : "0")", "size": 1, "#
          + #""created": "", "author": "", "notes": "", "withdrawn": \#(version.isWithdrawn), "facts": {}}"#
      }
      let body =
        #"{"name": "bird", "published": true, "channels": {"stable": 1}, "updated": "", "#
        + #""versions": [\#(versions.joined(separator: ", "))]}"#
      let server = try LoopbackServer { _, _ in
        LoopbackServer.Reply(status: row.status, body: Array((row.status == 200 ? body : Self.refusal).utf8))
      }
      defer { server.stop() }
      let known = try await Self.client(server.url, KeySamples()).known(folder[row.file], of: "bird")
      #expect(known?.version?.version == row.known, "\(row)")
      #expect((known == nil) == (row.versions.isEmpty || row.file == "none"), "\(row)")
      #expect(known == nil || known?.channels == ["stable": 1])
      let hashes = Set(row.versions.map { $0.isSame ? sha256 : "0" })
      #expect(known == nil || known?.hashes == hashes, "\(row)")
      #expect(server.requests.first?.target == "\(HostClientTests.root)/models/bird")
    }
  }
}
#endif
