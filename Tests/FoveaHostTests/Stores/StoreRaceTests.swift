// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct StoreRaceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: TestDatabase.present)
  func `fifty publishes of one name get fifty numbers, and the same bytes get one`(database: TestDatabase)
    async throws
  {
    let store = try database.store(in: folder)
    try await store.create(HostSamples.model(), entry: HostSamples.entry())
    let numbers = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for index in 0..<50 {
        group.addTask {
          // Each file is sent twice.
          let file = HostSamples.file(index / 2 + 1)
          let model = try await Self.patiently { () throws(HostError) in
            try await store.change(project: "demo", id: "1", entry: HostSamples.entry()) {
              model throws(HostError) in
              model.add(file)
              try model.publish()
            }.model
          }
          let number = model.versions.first { $0.sha256 == file.sha256 }?.number
          return (index / 2, number ?? 0)
        }
      }
      var numbers: [Int: Set<Int>] = [:]
      for try await (file, number) in group { numbers[file, default: []].insert(number) }
      return numbers
    }
    #expect(numbers.count == 25)
    #expect(numbers.values.allSatisfy { $0.count == 1 }, "one number for the same bytes")
    #expect(Set(numbers.values.flatMap { $0 }) == Set(1...25))
    let model = try #require(try await store.models().first)
    #expect(model.versions.map(\.number) == Array(1...25))
    #expect(model.contradictions == [])
  }

  @Test(arguments: TestDatabase.present)
  func `fifty creations of one name create one model`(database: TestDatabase) async throws {
    let store = try database.store(in: folder)
    let codes = await withTaskGroup(of: HostCode?.self) { group in
      for index in 0..<50 {
        group.addTask {
          await code { () throws(HostError) in
            try await Self.patiently { () throws(HostError) in
              try await store.create(HostSamples.model(id: "\(index)"), entry: HostSamples.entry())
            }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.filter { $0 == nil }.count == 1)
    #expect(codes.filter { $0 == .alreadyExists }.count == 49)
    #expect(try await store.models().count == 1)
  }

  /// Calls `body` again as clients do after a 503: on a busy machine, fifty changes take longer than one of
  /// them waits for its turn, and the last ones are refused before they have begun.
  private static func patiently<Value: Sendable>(
    _ body: () async throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    for _ in 0..<100 {
      do throws(HostError) { return try await body() } catch {
        guard error.code == .unavailable else { throw error }
      }
    }
    return try await body()
  }

  /// The action of a random request, with its number.
  static func change(_ kind: Int, _ number: Int, _ model: inout HostModel) throws(HostError) {
    switch kind {
    case 0: model.add(HostSamples.file(number))
    case 1: try model.publish()
    case 2: try model.point(number % 2 == 0 ? "stable" : "beta", at: number % 9)
    case 3: try model.rollBack(number % 2 == 0 ? "stable" : "beta")
    case 4: try model.rollOut(number % 9, microPercent: number * 1_000)
    case 5: try model.haltRollout()
    case 6: try model.finishRollout()
    case 7: try model.withdraw(number % 20)
    case 8: model.unpublish()
    default: model.retire(keeping: 5, at: Timestamp(milliseconds: Int64(number)))
    }
  }

  /// The log is the order of the changes according to the store: repeating them one after the other on a
  /// plain model must give each response and the last state.
  @Test(arguments: TestDatabase.present)
  func `publishes, rollbacks and rollouts of eight writers run one after the other`(database: TestDatabase)
    async throws
  {
    let store = try database.store(in: folder)
    try await store.create(HostSamples.model(), entry: HostSamples.entry("0 0"))
    let answers = try await withThrowingTaskGroup(of: [Int64: HostModel].self) { group in
      for writer in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(writer))
          var answers: [Int64: HostModel] = [:]
          for _ in 0..<60 {
            let (kind, number) = (random.below(10), 1 + random.below(40))
            let answer = try? await store.change(
              project: "demo", id: "1", entry: HostSamples.entry("\(kind) \(number)")
            ) { model throws(HostError) in try Self.change(kind, number, &model) }
            if let answer { answers[answer.model.revision] = answer.model }
          }
          return answers
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
    let log = try await store.audit(project: "demo", model: "bird", limit: 1_000).reversed()
    var plain = HostSamples.model()
    for entry in log.dropFirst() {
      let words = entry.action.split(separator: " ").compactMap { Int($0) }
      try Self.change(words[0], words[1], &plain)
      plain.revision += 1
      plain.updated = entry.time
      if let answer = answers[plain.revision] { #expect(answer == plain) }
      #expect(plain.contradictions == [])
    }
    #expect(log.count > 100)
    #expect(try await store.models() == [plain])
    #expect(try await store.problems() == [])
  }
}
#endif
