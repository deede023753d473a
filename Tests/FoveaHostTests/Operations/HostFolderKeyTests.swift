// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// Keys of a stopped host: write access to its folder makes an administrator.
@Suite struct HostFolderKeyTests {
  private static let now: Now = { Timestamp(milliseconds: 1_800_000_000_000) }

  private static func host(in folder: TemporaryFolder) async throws -> HostSetup {
    let settings = try HostSettings(project: "demo-project", url: "http://127.0.0.1:8080")
    return try await HostSetup.make(
      folder["host"], settings: settings, app: AppKey("test-api-key"), now: now)
  }

  @Test func `a lost administrator's key is replaced, and then revoked`() async throws {
    let folder = try TemporaryFolder()
    let setup = try await Self.host(in: folder)
    let host = try HostFolder(setup.folder)
    let lost = try #require(try await host.metadata.keys().first { $0.role == .admin })
    let made = try await host.addKey(KeyProperties(.admin, label: "new"), now: Self.now)
    #expect(made.key.role == .admin && made.key.label == "new" && made.text.contains("\"private_key\""))
    #expect(made.text.contains("\"token_uri\": \"http://127.0.0.1:8080/token\""))
    let entry = AuditEntry(time: Self.now(), actor: "new", action: "key.revoke", project: "demo-project")
    try await host.metadata.revoke(key: lost.id, at: Self.now(), entry: entry)
    let log = try await host.metadata.audit(project: "demo-project", model: nil, limit: 2)
    #expect(log[1].actor == "folder" && log[1].after?.contains(made.key.id) == true)
    #expect(
      try await host.metadata.keys().filter { $0.revoked == nil && $0.role == .admin }.map(\.id) == [
        made.key.id
      ])
  }

  @Test func `the folder of a running host gives no key`() async throws {
    let folder = try TemporaryFolder()
    let setup = try await Self.host(in: folder)
    let running = try HostFolder(setup.folder)
    defer { withExtendedLifetime(running) {} }
    let error = #expect(throws: HostError.self) { try HostFolder(setup.folder) }
    #expect(error?.remedy.description == "Stop that process first")
  }

  @Test func `the ring of a stopped host is rotated in its file`() async throws {
    let folder = try TemporaryFolder()
    let setup = try await Self.host(in: folder)
    let host = try HostFolder(setup.folder)
    let before = try KeyRing(path: host.ring).seal(["x"], for: .form)
    try await host.rotateRing(now: Self.now)
    #expect(try KeyRing(path: host.ring).open(before, for: .form) == ["x"])
    try await host.rotateRing(now: Self.now)
    #expect(try KeyRing(path: host.ring).open(before, for: .form) == nil)
    #expect(
      try await host.metadata.audit(project: "demo-project", model: nil, limit: 1)[0].action
        == "ring.rotate")
  }
}
#endif
