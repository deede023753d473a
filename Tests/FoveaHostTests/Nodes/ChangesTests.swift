// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// Two hosts on one database; the second one reads what the first one has changed.
@Suite struct ChangesTests {
  private static let api = "/v1/host/projects/test-project"
  private static let download =
    "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)"

  private func together(
    _ body:
      @escaping @Sendable (
        _ first: RunningHost, _ second: RunningHost, _ read: @Sendable () async throws -> Void
      ) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let ring = KeyRing()
    try await RunningHost.serving(in: folder, ring: ring) { first in
      try await RunningHost.serving(in: folder, ring: ring) { second in
        let service = second.service
        try await body(first, second) {
          try await HostService.readChanges(
            service.models, service.config, service.experiments, service.authority)
        }
      }
    }
  }

  @Test func `models, their versions and their removal`() async throws {
    try await together { first, second, read in
      let publish = "\(Self.api)/models/birds/versions"
      try await onOwnThread { () throws in
        #expect(try first.send(as: .publisher, "POST", publish, body: markedModel("one")).status == 200)
        #expect(try second.send("GET", Self.download).status == 404)
      }
      try await read()
      try await onOwnThread { () throws in
        #expect(
          try second.send("GET", Self.download).headers["etag"]
            == first.send("GET", Self.download).headers["etag"])
        #expect(try first.send(as: .publisher, "POST", publish, body: markedModel("two")).status == 200)
        #expect(
          try second.send("GET", Self.download).headers["etag"]
            != first.send("GET", Self.download).headers["etag"])
      }
      try await read()
      #expect(
        first.models.catalogue.models(project: RunningHost.project)
          == second.models.catalogue.models(project: RunningHost.project))
      #expect(second.models.catalogue.counts == (1, 2))
      let id = first.models.catalogue.models(project: RunningHost.project)[0].id
      try await first.models.delete(id, actor: "test")
      try await read()
      #expect(second.models.catalogue.counts == (0, 0))
      #expect(second.models.catalogue.served.isEmpty)
    }
  }

  @Test func `a model with the name of one that was deleted meanwhile`() async throws {
    try await together { first, second, read in
      let publish = "\(Self.api)/models/birds/versions"
      try await onOwnThread { () throws in
        #expect(try first.send(as: .publisher, "POST", publish, body: markedModel("one")).status == 200)
      }
      try await read()
      let id = first.models.catalogue.models(project: RunningHost.project)[0].id
      try await first.models.delete(id, actor: "test")
      try await onOwnThread { () throws in
        #expect(try first.send(as: .publisher, "POST", publish, body: markedModel("two")).status == 200)
      }
      try await read()
      try await onOwnThread { () throws in
        let found = try second.send("GET", Self.download)
        #expect(found.status == 200)
        #expect(try found.headers["etag"] == first.send("GET", Self.download).headers["etag"])
      }
    }
  }

  @Test func `keys that were added and revoked`() async throws {
    try await together { first, second, read in
      let made = try await first.service.keys.add(KeyProperties(.app), actor: "test")
      // {"key": "…"}
      let text = String(made.text.split(separator: "\"")[3])
      #expect(throws: HostError.self) { try second.service.authority.app(key: text) }
      try await read()
      #expect(try second.service.authority.app(key: text).id == made.key.id)
      try await first.service.keys.revoke(made.key.id, actor: "test")
      try await read()
      #expect(throws: HostError.self) { try second.service.authority.app(key: text) }
    }
  }

  /// Rows as a newer program may write them, which this one cannot decode.
  @Test(
    arguments: [
      ("UPDATE experiment SET state = '{}', revision = revision + 1", "an experiment"),
      ("UPDATE model SET state = '{}', revision = revision + 1", "a model"),
      ("UPDATE config SET version = '{}', number = number + 1", "a template"),
      ("UPDATE hostKey SET role = 'auditor' WHERE label = 'other'", "a key"),
    ])
  func `a key is revoked even if another row cannot be decoded`(_ statement: String, _ kind: String)
    async throws
  {
    try await together { first, second, read in
      let service = second.service
      try await onOwnThread { () throws in
        let publish = "\(Self.api)/models/birds/versions"
        #expect(try first.send(as: .publisher, "POST", publish, body: markedModel("one")).status == 200)
      }
      let template = try ConfigService.ReadTemplate(Array("{}".utf8), .apps)
      _ = try await first.service.config.publish(template, basis: .any, isDryRun: false, actor: "test")
      _ = try await first.models.metadata.addExperiment(
        project: RunningHost.project, model: nil, entry: first.models.entry("test", "test")
      ) { _, _ in HostSamples.experiment("e", project: RunningHost.project) }
      _ = try await first.service.keys.add(KeyProperties(.viewer, label: "other"), actor: "test")
      func key() async throws -> (id: String, text: String) {
        let made = try await first.service.keys.add(KeyProperties(.app), actor: "test")
        return (made.key.id, String(made.text.split(separator: "\"")[3]))
      }
      let old = try await key()
      try await read()
      #expect(try service.authority.app(key: old.text).id == old.id)

      _ = try await first.models.metadata.write { try $0.execute(statement) }
      let new = try await key()
      try await first.service.keys.revoke(old.id, actor: "test")
      #expect(throws: HostError.self) { try first.service.authority.app(key: old.text) }
      for _ in 0..<2 {
        let fault = try await HostService.readChanges(
          service.models, service.config, service.experiments, service.authority)
        #expect(fault?.message == "The database has \(kind) that this host cannot read")
        #expect(throws: HostError.self) { try service.authority.app(key: old.text) }
        #expect(try service.authority.app(key: new.text).id == new.id)
      }
    }
  }

  @Test func `templates in force`() async throws {
    try await together { first, second, read in
      for number in 1...2 {
        let text = #"{"parameters": {"a": {"defaultValue": {"value": "\#(number)"}}}}"#
        let template = try ConfigService.ReadTemplate(Array(text.utf8), .apps)
        _ = try await first.service.config.publish(template, basis: .any, isDryRun: false, actor: "test")
        #expect(second.service.config.board.current(.apps).number == number - 1)
        try await read()
        #expect(second.service.config.board.current(.apps).number == number)
      }
    }
  }
}
#endif
