// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaErrors
  import FoveaHost
  import Testing

  /// One promise of a store, and how to see that it is kept.
  struct StoreCase<Store: Sendable>: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable (Store) async throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (Store) async throws -> Void) {
      (testDescription, self.check) = (name, check)
    }
  }

  /// What every metadata store promises.
  ///
  /// Each case gets an empty store.
  enum MetadataStoreSuite {
    typealias Case = StoreCase<any MetadataStore>

    static let cases = models + changes + others

    static let models: [Case] = [
      Case("an empty store") { store async throws in
        #expect(try await store.models() == [])
        #expect(try await store.keys() == [])
        #expect(try await store.audit(project: "demo", model: nil, limit: 10) == [])
        #expect(try await store.hashesInUse(objectsSince: Timestamp(milliseconds: 0)) == [])
        #expect(try await store.problems() == [])
        #expect(await store.isReady())
      },
      Case("a model comes back as it was") { store async throws in
        var model = try HostSamples.published()
        model.tags = ["ä", ""]
        model.source = "gs://bucket/a"
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
      Case("a name is taken in one project alone") { store async throws in
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
      Case("an id stays taken when its model is gone, a name does not") { store async throws in
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
        let changed = try await store.change(
          project: "demo", id: "1", entry: HostSamples.entry("channel.set", at: 3_000)
        ) { model throws(HostError) in try model.point("beta", at: 2) }
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
        let same = try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) { _ in }
        #expect(same.revision == 1)
        #expect(try await store.audit(project: "demo", model: nil, limit: 10).count == 1)
      },
      Case("what throws leaves everything as it was") { store async throws in
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
        #expect(changed.name == "cat")
        try await store.create(HostSamples.model("fish", id: "3"), entry: HostSamples.entry())
      },
      Case("versions change, come and go") { store async throws in
        try await store.create(HostSamples.published(), entry: HostSamples.entry())
        let changed = try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) { model in
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
      Case("an object takes the place of the one before") { store async throws in
        try await store.put(object("a", 1, created: 1))
        try await store.put(object("a", 2, created: 2))
        #expect(try await store.object(bucket: "b", name: "a") == object("a", 2, created: 2))
        #expect(try await store.object(bucket: "c", name: "a") == nil)
        #expect(try await store.object(bucket: "b", name: "A") == nil)
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
        #expect(try await store.audit(project: "demo", model: nil, limit: 100).count == 5)
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
        expires: role == .app ? nil : Timestamp(milliseconds: 9))
    }
  }
#endif
