// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModels

/// A device's own assignment.
@Suite(.timeLimit(.minutes(5))) struct AssignmentTests {
  private typealias Version = PublishingServer.Version
  private static let (first, second) = (Version(1, TestModels.detector), Version(2, TestModels.classifier))

  @Test func `a number is stored only for a host that assigns, and it is not sent`()
    async throws
  {
    let host = try PublishingServer(Self.first)
    let test = TestModels()
    let models = test.hosted(host.address)
    try await test.pull(models)
    #expect(!FileSystem.exists(models.store.layout.installation))
    host.with { $0.choices = [.init(below: PercentHash.count, version: Self.second, variant: "b")] }
    let model = try await test.pull(models)
    #expect(model.sha256 == Self.second.sha256 && model.published?.variant == "b")
    let id = try InstallationID.of(models.store.layout).id
    #expect(id.utf8.count == 32)
    #expect(try InstallationID.of(models.store.layout).id == id)
    for request in host.server.requests {
      #expect(!"\(request)".contains(id))
    }
    // The rollout ends: the tag that is sent is the version's.
    host.with { state in
      state.choices = []
      state.stable = Self.second
    }
    #expect(try await test.pull(models).sha256 == Self.second.sha256)
    #expect(host.informationRequests.last?.headers["if-none-match"] == Self.second.sha256)
    #expect(host.fileRequests.count == 2)
  }

  @Test func `a device is assigned by its value, and stays assigned when the rollout grows`()
    async throws
  {
    let host = try PublishingServer(Self.first)
    let ids = (0..<20).map { "\($0 + 10)" + String(repeating: "0", count: 30) }
    var share: Set<String> = []
    for percent in [0.0, 30, 60, 100] {
      let bound = PercentHash.bound(percent: percent)
      host.with { $0.choices = [.init(below: bound, version: Self.second)] }
      var drawn: Set<String> = []
      for id in ids {
        let test = TestModels()
        try test.write(StoreJSON.encode(InstallationID(id: id)), to: ".hosted/installation.json")
        if try await test.pull(test.hosted(host.address)).sha256 == Self.second.sha256 { drawn.insert(id) }
      }
      #expect(drawn == Set(ids.filter { PercentHash.value(seed: "seed", id: $0) < bound }))
      #expect(drawn.isSuperset(of: share))
      share = drawn
    }
    #expect(share.count == ids.count)
  }

  @Test func `the first of several variants above the value is assigned`() async throws {
    let host = try PublishingServer(Self.first)
    let id = String(repeating: "0", count: 32)
    let value = PercentHash.value(seed: "seed", id: id)
    for (bounds, variant) in [
      ([value, value + 1, PercentHash.count], "1"), ([value + 1, PercentHash.count], "0"), ([0, value], nil),
      ([0, 0, value + 1], "2"), ([], nil),
    ] {
      let test = TestModels()
      try test.write(StoreJSON.encode(InstallationID(id: id)), to: ".hosted/installation.json")
      host.with { state in
        state.choices = bounds.enumerated().map { index, bound in
          .init(below: bound, version: Self.second, variant: "\(index)")
        }
      }
      #expect(try await test.pull(test.hosted(host.address)).published?.variant == variant)
    }
  }

  @Test func `two processes create one number`() async throws {
    let test = TestModels()
    let layout = test.hosted(nil).store.layout
    let ids = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<8 { group.addTask { try? InstallationID.of(layout).id } }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(ids.count == 1 && ids.first != .some(nil))
    try test.write(Array("{}".utf8), to: ".hosted/installation.json")
    #expect(try InstallationID.of(layout).id.utf8.count == 32, "an unreadable number is generated again")
  }
}
