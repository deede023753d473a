// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// Files sent by Google's route whose check a stop of the host interrupted.
@Suite struct ResumedCheckTests {
  /// A waiting file at the start of a host, and its end.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var sender: AccessTable.Caller? = .publisher
    /// An id that is not a key's.
    var otherKey: String?
    var isRevoked = false
    var isReplaced = false
    /// The number of operations that had not ended.
    var operations = 1
    /// The status code of the refusal; nil for a file that becomes stable.
    var problem: Int?
  }

  /// Writes the state that a host leaves when it is killed while a file of a published model waits.
  private static func leave(_ name: String, _ row: Row, in host: RunningHost) async throws {
    let keys = try HostKeys.accounts.get()
    let object = try #require(
      try await host.models.metadata.object(bucket: RunningHost.bucket, name: "\(name).tflite"))
    var model = HostModel(
      project: RunningHost.project, id: ModelService.newSeed(), name: name, created: host.models.now(),
      seed: "s")
    model.source = "gs://\(object.bucket)/\(object.name)"
    model.sourceGeneration = object.generation - (row.isReplaced ? 1 : 0)
    model.sourceKey = row.otherKey ?? row.sender.flatMap { keys[$0]?.keyID }
    model.pendingOperations = (0..<row.operations).map { _ in ModelService.newSeed() }
    let entry = AuditEntry(
      time: host.models.now(), actor: "test", action: "test", project: RunningHost.project)
    try await host.models.metadata.create(model, entry: entry)
  }

  @Test(arguments: [
    Row(testDescription: "a valid key"),
    Row(testDescription: "the latest of three operations", operations: 3),
    Row(testDescription: "a key revoked meanwhile", isRevoked: true, problem: 16),
    Row(testDescription: "a key revoked long ago", sender: .revokedAdmin, problem: 16),
    Row(testDescription: "an expired key", sender: .expiredAdmin, problem: 16),
    Row(testDescription: "a key that does not exist", otherKey: "abcd", problem: 16),
    Row(testDescription: "the row of an older host", sender: nil, problem: 16),
    Row(testDescription: "another upload of that name", isReplaced: true, problem: 9),
  ])
  func `a file that waits while the host stops is published only for a valid key`(_ row: Row) async throws {
    let folder = try TemporaryFolder()
    let publisher = try #require(try HostKeys.accounts.get()[.publisher])
    try await RunningHost.serving(in: folder) { host in
      try await onOwnThread { _ = try host.upload("birds.tflite", UploadTests.model) }
      try await Self.leave("birds", row, in: host)
      if row.isRevoked {
        let entry = AuditEntry(
          time: host.models.now(), actor: "test", action: "key.revoke", project: RunningHost.project)
        try await host.models.metadata.revoke(key: publisher.keyID, at: host.models.now(), entry: entry)
      }
    }
    try await RunningHost.run(in: folder) { host throws in
      blockUntil { (try? host.models.model("birds").pendingOperations.isEmpty) == true }
      let model = try host.models.model("birds")
      #expect(model.problem?.code == row.problem, "\(String(describing: model.problem))")
      #expect(model.versions.map(\.author) == (row.problem == nil ? [publisher.email] : []))
    }
  }

  @Test func `the resumed files of several keys take turns`() async throws {
    let folder = try TemporaryFolder()
    try await RunningHost.serving(in: folder) { host in
      for number in 0..<5 {
        try await onOwnThread {
          _ = try host.upload("loop-\(number).tflite", markedModel("slow \(number)"))
        }
        try await Self.leave("loop-\(number)", Row(testDescription: ""), in: host)
      }
      try await onOwnThread { _ = try host.upload("quick.tflite", markedModel("quick")) }
      try await Self.leave("quick", Row(testDescription: "", sender: .admin), in: host)
    }
    let check = PublishRouteTests.HeldCheck()
    try await RunningHost.run(checker: check, in: folder) { host throws in
      blockUntil { check.waiting == 1 && (try? host.models.model("quick").versions.count) == 1 }
      #expect(try host.models.model("quick").versions.count == 1)
      #expect(check.waiting == 1)
      check.open()
      blockUntil { host.models.catalogue.counts.versions == 6 }
      #expect(host.models.catalogue.counts.versions == 6)
    }
  }
}
#endif
