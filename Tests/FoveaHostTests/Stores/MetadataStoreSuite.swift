// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Testing

@testable import FoveaHost

/// One requirement of a store, and its check.
struct StoreCase<Store: Sendable>: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let check: @Sendable (Store) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (Store) async throws -> Void) {
    (testDescription, self.check) = (name, check)
  }
}

/// The requirements of each metadata store.
///
/// Each case gets an empty store.
enum MetadataStoreSuite {
  typealias Case = StoreCase<MetadataStore>

  static let cases = models + changes + others

  static let models: [Case] = [
    Case("an empty store") { store async throws in
      #expect(try await store.models() == [])
      #expect(try await store.keys() == [])
      #expect(try await store.audit(project: "demo", model: nil, limit: 10) == [])
      #expect(try await store.hashesInUse(objectsSince: Timestamp(milliseconds: 0)) == [])
      #expect(try await store.problems() == [])
      #expect(await store.readProblem() == nil)
      #expect(await store.writeProblem() == nil)
    },
    Case("a model reads back unchanged") { store async throws in
      var model = try HostSamples.published()
      model.tags = ["ä", ""]
      model.source = "gs://bucket/a"
      model.sourceKey = "k"
      model.problem = FileProblem(code: 3, message: "m", detail: "d")
      model.pendingOperations = ["op"]
      model.versions[1].facts.milliseconds = 1.5
      model.versions[1].facts.kind = "detector"
      model.versions[2].isWithdrawn = true
      model.versions[2].retired = Timestamp(milliseconds: 5)
      try model.point("beta", at: 2)
      try model.rollOut(2, microPercent: 7)
      model.rollout?.isHalted = true
      try await store.create(model, entry: HostSamples.entry("model.create"))
      #expect(try await store.models() == [model])
    },
    Case("a name is taken in only one project") { store async throws in
      try await store.create(HostSamples.model(), entry: HostSamples.entry())
      await #expect(
        code { () throws(HostError) in
          try await store.create(HostSamples.model(id: "2"), entry: HostSamples.entry())
        } == .alreadyExists)
      try await store.create(HostSamples.model(project: "other"), entry: HostSamples.entry())
      #expect(try await store.models().count == 2)
    },
    Case("names differ in case") { store async throws in
      try await store.create(HostSamples.model("Bird"), entry: HostSamples.entry())
      try await store.create(HostSamples.model("bird", id: "2"), entry: HostSamples.entry())
      #expect(try await store.models().map(\.name) == ["Bird", "bird"])
    },
    Case("an id stays taken after its model is deleted, a name does not") { store async throws in
      try await store.create(HostSamples.published(), entry: HostSamples.entry())
      try await store.delete(project: "demo", id: "1", entry: HostSamples.entry())
      #expect(try await store.models() == [])
      await #expect(
        code { () throws(HostError) in
          try await store.create(HostSamples.model(), entry: HostSamples.entry())
        } == .conflict)
      try await store.create(HostSamples.model(id: "2"), entry: HostSamples.entry())
      #expect(try await store.models().map(\.versions) == [[]])
    },
    Case("texts that no query may swallow") { store async throws in
      for (index, name) in ["'; DROP TABLE model; --", "", "日本", "a\u{301}", "á", "?1", ":time"]
        .enumerated()
      {
        try await store.create(
          HostSamples.model(name, id: "\(index)"), entry: HostSamples.entry(model: name))
      }
      #expect(try await store.models().count == 7)
      #expect(try await store.audit(project: "demo", model: "日本", limit: 10).count == 1)
    },
  ]

  static let changes: [Case] = [
    Case("a change counts, dates and logs itself") { store async throws in
      try await store.create(HostSamples.published(), entry: HostSamples.entry("model.create"))
      let (changed, count) = try await store.change(
        project: "demo", id: "1", entry: HostSamples.entry("channel.set", at: 3_000)
      ) {
        model throws(HostError) in
        try model.point("beta", at: 2)
        return model.channels.count
      }
      #expect(count == 2)
      #expect(changed.channels == ["stable": 1, "beta": 2])
      #expect(changed.revision == 2 && changed.updated == Timestamp(milliseconds: 3_000))
      #expect(try await store.models() == [changed])
      let log = try await store.audit(project: "demo", model: "bird", limit: 10)
      #expect(log.map(\.action) == ["channel.set", "model.create"])
      #expect(log[0].before == nil && log[0].after == #"{"channel beta":"2"}"#)
      #expect(log[0].number > log[1].number && log[0].time == Timestamp(milliseconds: 3_000))
    },
    Case("nothing changed, nothing logged") { store async throws in
      try await store.create(HostSamples.published(), entry: HostSamples.entry())
      let same = try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) { $0.name }
      #expect(same.model.revision == 1 && same.value == "bird")
      #expect(try await store.audit(project: "demo", model: nil, limit: 10).count == 1)
    },
    Case("what a node does not know yet, and no more") { store async throws in
      var known = KnownState()
      func next() async throws -> StoredChanges { try await store.changes(of: "demo", besides: known) }
      try await store.create(HostSamples.model(), entry: HostSamples.entry())
      try await store.create(HostSamples.model("fish", id: "2"), entry: HostSamples.entry())
      try await store.create(HostSamples.model(project: "other"), entry: HostSamples.entry())
      let draft = ConfigDraft(project: "demo", namespace: .apps, text: "{}", kind: .update, expected: 0)
      let config = try await store.publish(draft, entry: HostSamples.entry())
      let made = try await store.addExperiment(project: "demo", model: nil, entry: HostSamples.entry()) {
        _, _ in
        HostSamples.experiment("e")
      }
      let first = try await next()
      let models = try first.models.get()
      #expect(models.changed.map(\.id).sorted() == ["1", "2"] && models.ids == ["1", "2"])
      #expect(try first.configs.get() == [config] && first.experiments.get() == [made.experiment])
      #expect(first.keys.isEmpty && first.keyFault == nil)
      known = KnownState(models: ["1": 1, "2": 1, "3": 1], configs: [.apps: 1], experiments: ["e": 1])
      let second = try await next()
      #expect(try second.models.get().changed.isEmpty && second.models.get().ids == ["1", "2"])
      #expect(try second.configs.get().isEmpty && second.experiments.get().isEmpty)
      let model = try await store.change(project: "demo", id: "2", entry: HostSamples.entry()) {
        $0.tags = ["a"]
      }.model
      #expect(try await next().models.get().changed == [model])
      let later = ConfigDraft(project: "demo", namespace: .servers, text: "{}", kind: .update, expected: 0)
      let servers = try await store.publish(later, entry: HostSamples.entry())
      #expect(try await next().configs.get() == [servers])
      let changed = try await store.changeExperiment(
        project: "demo", id: "e", entry: HostSamples.entry()
      ) { experiment, _, _ in experiment.state = .paused }
      #expect(try await next().experiments.get() == [changed.experiment])
    },
    Case("an error leaves everything unchanged") { store async throws in
      let model = try HostSamples.published()
      try await store.create(model, entry: HostSamples.entry())
      await #expect(
        code { () throws(HostError) in
          try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) {
            model throws(HostError) in
            model.add(HostSamples.file(9))
            try model.point("beta", at: 99)
          }
        } == .notFound)
      #expect(try await store.models() == [model])
      #expect(try await store.audit(project: "demo", model: nil, limit: 10).count == 1)
    },
    Case("no such model") { store async throws in
      try await store.create(HostSamples.model(), entry: HostSamples.entry())
      for (project, id) in [("demo", "2"), ("other", "1"), ("", "")] {
        await #expect(
          code { () throws(HostError) in
            try await store.change(project: project, id: id, entry: HostSamples.entry()) { _ in }
          } == .notFound)
        await #expect(
          code { () throws(HostError) in
            try await store.delete(project: project, id: id, entry: HostSamples.entry())
          } == .notFound)
      }
    },
    Case("a new name may not be taken") { store async throws in
      try await store.create(HostSamples.model(), entry: HostSamples.entry())
      try await store.create(HostSamples.model("fish", id: "2"), entry: HostSamples.entry())
      await #expect(
        code { () throws(HostError) in
          try await store.change(project: "demo", id: "2", entry: HostSamples.entry()) { $0.name = "bird" }
        } == .alreadyExists)
      let changed = try await store.change(project: "demo", id: "2", entry: HostSamples.entry()) {
        $0.name = "cat"
      }
      #expect(changed.model.name == "cat")
      try await store.create(HostSamples.model("fish", id: "3"), entry: HostSamples.entry())
    },
    Case("versions are added, changed and removed") { store async throws in
      try await store.create(HostSamples.published(), entry: HostSamples.entry())
      let (changed, _) = try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) {
        model in
        model.versions.remove(at: 1)
        model.versions[1].notes = "n"
        model.add(HostSamples.file(8))
      }
      #expect(changed.versions.map(\.number) == [1, 3, 4])
      #expect(try await store.models() == [changed])
    },
  ]

  static let others: [Case] = [
    Case("files in use") { store async throws in
      var model = try HostSamples.published(4)
      try model.withdraw(2)
      model.versions[2].retired = Timestamp(milliseconds: 100)
      model.versions[3].retired = Timestamp(milliseconds: 99)
      try await store.create(model, entry: HostSamples.entry())
      for (number, created) in [(5, Int64(99)), (6, 100)] {
        try await store.put(object("o\(number)", number, created: created))
      }
      let used = try await store.hashesInUse(objectsSince: Timestamp(milliseconds: 100))
      #expect(used == Set([1, 3, 6].map(HostSamples.hash)))
    },
    Case("a zero byte makes no other name") { store async throws in
      try await store.put(object("a", 1, created: 1))
      await #expect(
        code { () throws(HostError) in try await store.put(object("a\u{0}b", 2, created: 1)) } == .invalid)
      #expect(try await store.object(bucket: "b", name: "a\u{0}b") == nil)
      #expect(try await store.object(bucket: "b", name: "a")?.sha256 == HostSamples.hash(1))
      await #expect(
        code { () throws(HostError) in
          try await store.create(HostSamples.model("a\u{0}"), entry: HostSamples.entry())
        } == .invalid)
    },
    Case("an object replaces the previous one") { store async throws in
      try await store.put(object("a", 1, created: 1))
      // Later than the previous one, also if the clock was set back.
      var second = object("a", 2, created: 2)
      #expect(try await store.put(second).generation == 8)
      second.generation = 8
      #expect(try await store.object(bucket: "b", name: "a") == second)
      #expect(try await store.object(bucket: "c", name: "a") == nil)
      #expect(try await store.object(bucket: "b", name: "A") == nil)
    },
    Case("an object is put and removed only if its condition holds") { store async throws in
      let failed = HostError(.conditionFailed, "no", remedy: "none")
      await #expect(
        code { () throws(HostError) in
          try await store.put(object("a", 1, created: 1)) { present throws(HostError) in
            if present == nil { throw failed }
          }
        } == .conditionFailed)
      #expect(try await store.object(bucket: "b", name: "a") == nil)
      try await store.put(object("a", 1, created: 1))
      await #expect(
        code { () throws(HostError) in
          try await store.removeObject(bucket: "b", name: "a") { present throws(HostError) in
            if present != nil { throw failed }
          }
        } == .conditionFailed)
      #expect(try await store.object(bucket: "b", name: "a") != nil)
      try await store.removeObject(bucket: "b", name: "a") { _ throws(HostError) in }
      #expect(try await store.object(bucket: "b", name: "a") == nil)
    },
    Case("objects are listed in the order of their names' bytes") { store async throws in
      for name in ["b", "a/2", "ä", "a/1", "B", "a", "a%", "a_"] {
        try await store.put(object(name, 1, created: 1))
      }
      func names(_ prefix: String, after: String = "", limit: Int = 99) async throws -> [String] {
        try await store.objects(bucket: "b", prefix: prefix, after: after, limit: limit).map(\.name)
      }
      #expect(try await names("") == ["B", "a", "a%", "a/1", "a/2", "a_", "b", "ä"])
      #expect(try await names("a/") == ["a/1", "a/2"])
      #expect(try await names("a%") == ["a%"])
      #expect(try await names("", after: "a/1", limit: 2) == ["a/2", "a_"])
      #expect(try await store.objects(bucket: "c", prefix: "", after: "", limit: 9) == [])
    },
    Case("objects are deleted after a day, unless a version has their bytes") { store async throws in
      try await store.create(try HostSamples.published(), entry: HostSamples.entry())
      for (name, number) in [("version", 1), ("none", 77), ("young", 78)] {
        try await store.put(object(name, number, created: name == "young" ? 200 : 100))
      }
      try await store.removeObjects(before: Timestamp(milliseconds: 150))
      let left = try await store.objects(bucket: "b", prefix: "", after: "", limit: 9)
      #expect(left.map(\.name) == ["version", "young"])
    },
    Case("keys") { store async throws in
      for role in HostKey.Role.allCases {
        try await store.add(key(role), entry: HostSamples.entry("key.add", model: nil))
      }
      await #expect(
        code { () throws(HostError) in
          try await store.add(key(.app), entry: HostSamples.entry())
        } == .alreadyExists)
      try await store.revoke(
        key: "viewer", at: Timestamp(milliseconds: 5), entry: HostSamples.entry("key.revoke"))
      try await store.revoke(
        key: "viewer", at: Timestamp(milliseconds: 6), entry: HostSamples.entry("key.revoke"))
      await #expect(
        code { () throws(HostError) in
          try await store.revoke(key: "x", at: Timestamp(milliseconds: 5), entry: HostSamples.entry())
        } == .notFound)
      var expected = HostKey.Role.allCases.map(key).sorted { $0.id < $1.id }
      for index in expected.indices where expected[index].id == "viewer" {
        expected[index].revoked = Timestamp(milliseconds: 5)
      }
      #expect(try await store.keys() == expected)
      let log = try await store.audit(project: "demo", model: nil, limit: 100)
      #expect(log.count == 5)
      // The owner of the row: the key, its permissions, and its expiry.
      let facts = #""account":"n","expires":"1970-01-01T00:00:00.009Z","key":"viewer","role":"viewer""#
      #expect(log[0].before == "{\(facts)}" && log[0].after == #"{"revoked":"1970-01-01T00:00:00.005Z"}"#)
      #expect(log.contains { $0.action == "key.add" && $0.after == "{\(facts)}" })
      #expect(log.contains { $0.after == #"{"account":"n","key":"app","name":"of the app","role":"app"}"# })
    },
    Case("the last key of an administrator stays in any case") { store async throws in
      let entry = HostSamples.entry("key.revoke")
      func revoke(_ id: String, at time: Int64) async -> HostCode? {
        await code { () throws(HostError) in
          try await store.revoke(key: id, at: Timestamp(milliseconds: time), entry: entry)
        }
      }
      for (id, project, expires) in [
        ("a", "demo", nil), ("b", "demo", Int64(9)), ("c", "other", nil),
      ] as [(String, String, Int64?)] {
        let key = HostKey(
          id: id, project: project, role: .admin, name: "n", publicKey: "PEM", digest: nil,
          created: Timestamp(milliseconds: 1), expires: expires.map { Timestamp(milliseconds: $0) })
        try await store.add(key, entry: HostSamples.entry("key.add"))
      }
      try await store.add(key(.publisher), entry: HostSamples.entry("key.add"))
      // The other one has expired, or belongs to another project.
      #expect(await revoke("a", at: 9) == .precondition)
      #expect(await revoke("c", at: 5) == .precondition)
      // An expired one is not the last one.
      #expect(await revoke("b", at: 9) == nil)
      #expect(await revoke("a", at: 5) == .precondition)
      #expect(await revoke("publisher", at: 5) == nil)
      #expect(try await store.keys().filter { $0.revoked == nil }.map(\.id) == ["a", "c"])
    },
    Case("a key of an administrator stays while the others end within a day, and before it") {
      store async throws in
      let entry = HostSamples.entry("key.revoke")
      func revoke(_ id: String, at time: Int64) async -> String? {
        do throws(HostError) {
          try await store.revoke(key: id, at: Timestamp(milliseconds: time), entry: entry)
          return nil
        } catch {
          return "\(error.code.rawValue): \(error.description)"
        }
      }
      func refusal(_ end: String) -> String {
        "precondition: The last of the other keys of administrators expires at \(end), and without one no more "
          + "keys can be created. Create its replacement first: fovea host key add admin."
      }
      func add(_ id: String, until expires: Int64?) async throws {
        let key = HostKey(
          id: id, project: "demo", role: .admin, name: "n", publicKey: "PEM", digest: nil,
          created: Timestamp(milliseconds: 1), expires: expires.map { Timestamp(milliseconds: $0) })
        try await store.add(key, entry: HostSamples.entry("key.add"))
      }
      try await add("lasting", until: nil)
      try await add("short", until: 50_000_000)
      #expect(await revoke("lasting", at: 5) == refusal("1970-01-01T13:53:20.000Z"))
      try await add("day", until: 86_400_005)
      #expect(await revoke("lasting", at: 6) == refusal("1970-01-02T00:00:00.005Z"))
      #expect(await revoke("lasting", at: 5) == nil)
      // Of expiring keys, the one that expires first may be revoked.
      #expect(await revoke("day", at: 49_999_999) == refusal("1970-01-01T13:53:20.000Z"))
      #expect(await revoke("short", at: 49_999_999) == nil)
      #expect(try await store.keys().filter { $0.revoked == nil }.map(\.id) == ["day"])
    },
    Case("one of the last two keys stays if both are revoked at once") { store async throws in
      for id in ["a", "b"] {
        let key = HostKey(
          id: id, project: "demo", role: .admin, name: "n", publicKey: "PEM", digest: nil,
          created: Timestamp(milliseconds: 1))
        try await store.add(key, entry: HostSamples.entry("key.add"))
      }
      await withTaskGroup(of: Void.self) { group in
        for id in ["a", "b"] {
          group.addTask {
            try? await store.revoke(
              key: id, at: Timestamp(milliseconds: 5), entry: HostSamples.entry("key.revoke"))
          }
        }
      }
      #expect(try await store.keys().filter { $0.revoked == nil }.count == 1)
    },
    Case("a row can be added to the log by itself") { store async throws in
      try await store.note(HostSamples.entry("ring.rotate", model: nil))
      #expect(try await store.audit(project: "demo", model: nil, limit: 9).map(\.action) == ["ring.rotate"])
    },
    Case("the log has a limit") { store async throws in
      for id in 1...5 {
        try await store.create(
          HostSamples.model("m\(id)", id: "\(id)"), entry: HostSamples.entry(model: "m\(id)"))
      }
      #expect(try await store.audit(project: "demo", model: nil, limit: 2).map(\.model) == ["m5", "m4"])
      #expect(try await store.audit(project: "demo", model: nil, limit: 0) == [])
      #expect(try await store.audit(project: "demo", model: nil, limit: -1) == [])
      #expect(try await store.audit(project: "x", model: nil, limit: 2) == [])
    },
    Case("the log is queried by subject, page by page") { store async throws in
      for id in 1...5 {
        try await store.create(
          HostSamples.model("m\(id)", id: "\(id)"),
          entry: HostSamples.entry(id == 3 ? "model.import" : "model.create", model: "m\(id)"))
      }
      func found(_ limit: Int = 10, _ change: (inout AuditQuery) -> Void) async throws -> [String?] {
        var query = AuditQuery(project: "demo")
        change(&query)
        let found = try await store.audit(query, limit: limit)
        if limit == 10 { #expect(try await store.auditCount(query) == found.count) }
        return found.map(\.model)
      }
      #expect(try await found { _ in } == ["m5", "m4", "m3", "m2", "m1"])
      #expect(try await found { $0.project = "x" } == [])
      #expect(try await found { $0.action = "model.import" } == ["m3"])
      #expect(try await found { $0.model = "m2" } == ["m2"])
      #expect(try await found { $0.text = "IMPORT" } == ["m3"])
      for text in ["%", "_", "\\", "m_", "del.imp%"] { #expect(try await found { $0.text = text } == []) }
      #expect(try await found { $0.text = "' OR 1=1 --" } == [])
      #expect(try await found { $0.actor = "nobody" } == [])
      let all = try await store.audit(AuditQuery(project: "demo"), limit: 10)
      #expect(try await found { $0.actor = all[0].actor } == all.map(\.model))
      #expect(try await found(2) { $0.below = all[1].number } == ["m3", "m2"])
      #expect(try await found(2) { $0.above = all[3].number } == ["m4", "m3"])
      #expect(try await found { $0.from = all[0].time.advanced(seconds: 1) } == [])
      #expect(try await found { $0.until = all[0].time } == [])
      #expect(try await found(0) { _ in } == [])
      #expect(try await store.auditActions(project: "demo") == ["model.create", "model.import"])
    },
    Case("models that contradict themselves are problems") { store async throws in
      var model = try HostSamples.published()
      model.channels["beta"] = 9
      model.rollout = Rollout(version: 8, microPercent: 1)
      model.current = 7
      try await store.create(model, entry: HostSamples.entry())
      let label = "model 'bird' of project 'demo'"
      #expect(
        try await store.problems() == [
          "\(label): channel 'beta' points at version 9, which is not available",
          "\(label): the rollout names version 8, which is not available",
          "\(label): its file is version 7, which is missing",
        ])
    },
  ]

  static func object(_ name: String, _ number: Int, created: Int64) -> StoredObject {
    StoredObject(
      bucket: "b", name: name, sha256: HostSamples.hash(number), size: 4, crc32c: .max, generation: 7,
      created: Timestamp(milliseconds: created))
  }

  static func key(_ role: HostKey.Role) -> HostKey {
    HostKey(
      id: role.rawValue, project: "demo", role: role, name: "n", publicKey: role == .app ? nil : "PEM",
      digest: role == .app ? "d" : nil, created: Timestamp(milliseconds: 1),
      expires: role == .app ? nil : Timestamp(milliseconds: 9), label: role == .app ? "of the app" : nil)
  }
}
#endif
