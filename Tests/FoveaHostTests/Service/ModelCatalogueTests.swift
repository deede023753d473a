// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

/// The order in which states of a model arrive at the catalogue does not matter.
@Suite struct ModelCatalogueTests {
  private static func model(_ id: String, revision: Int64 = 1) -> HostModel {
    var model = HostSamples.model("model-\(id)", id: id)
    model.revision = revision
    return model
  }

  /// An event of the model `1`, whose revision 1 is entered first.
  enum Step: Sendable {
    case note, remove
    case enter(Int64)
    /// Enters a revision that was read after the last ``note``.
    case read(Int64)
  }

  @Test(
    arguments: [
      ("a change", [.enter(2)], 2),
      ("an older change", [.enter(3), .enter(2)], 3),
      ("a removal", [.remove], nil),
      ("a change whose commit was before a removal", [.remove, .enter(2)], nil),
      ("a reload that began before a removal", [.note, .remove, .read(2)], nil),
      ("a reload of the same revision", [.note, .remove, .read(1)], nil),
      ("two removals during a reload", [.remove, .note, .remove, .read(2)], nil),
      ("a reload after a removal that the database has lost", [.remove, .note, .read(2)], 2),
      ("a change after such a reload", [.remove, .note, .read(2), .enter(3)], 3),
    ] as [(String, [Step], Int64?)])
  func `a model that was removed is not entered again`(_ name: String, _ steps: [Step], _ revision: Int64?)
    throws
  {
    let catalogue = Catalogue()
    let first = Self.model("1")
    catalogue.enter(first)
    catalogue.enter(Self.model("2"))
    var known = catalogue.known(project: first.project)
    for step in steps {
      switch step {
      case .note: known = catalogue.known(project: first.project)
      case .remove: catalogue.remove(project: first.project, id: "1")
      case .enter(let revision): catalogue.enter(Self.model("1", revision: revision))
      case .read(let revision):
        catalogue.enter(Self.model("1", revision: revision), readAfter: known)
      }
    }
    #expect(catalogue.model(project: first.project, named: "1")?.revision == revision, "\(name)")
    #expect(catalogue.model(project: first.project, named: "model-1")?.revision == revision)
    #expect(catalogue.model(project: first.project, named: "2")?.revision == 1)
  }

  @Test func `thousands of removals leave no trace but the latest thousand`() throws {
    let catalogue = Catalogue()
    let project = Self.model("0").project
    let known = catalogue.known(project: project)
    for number in 0..<3_000 {
      catalogue.enter(Self.model(String(number)))
      catalogue.remove(project: project, id: String(number))
    }
    for number in 0..<3_000 { catalogue.enter(Self.model(String(number)), readAfter: known) }
    #expect(catalogue.counts.models == 2_000)
    #expect(catalogue.model(project: project, named: "1999") != nil)
    #expect(catalogue.model(project: project, named: "2000") == nil)
  }

  @Test func `a model that is deleted while a changed state of it is read stays deleted`() async throws {
    try await RunningHost.serving { host in
      let models = host.models
      let made = try await onOwnThread {
        try host.send(
          as: .publisher, "POST", "/v1/host/projects/test-project/models/birds/versions",
          body: markedModel("one"))
      }
      #expect(made.status == 200, "\(made.body)")
      let model = try models.model("birds")
      let known = models.catalogue.known(project: models.project)
      // Another node changes it, and this one reads that.
      _ = try await models.metadata.change(
        project: models.project, id: model.id, entry: models.entry("other", "model.tags")
      ) { $0.tags = ["a"] }
      let stored = try await models.metadata.models(of: models.project, besides: known.revisions)
      #expect(stored.changed.map(\.id) == [model.id])
      try await models.delete(model.id, actor: "test")
      models.enter(stored, besides: known)
      #expect(models.catalogue.counts == (0, 0) && models.catalogue.served.isEmpty)
      #expect(throws: HostError.self) { try models.model("birds") }
    }
  }
}
#endif
