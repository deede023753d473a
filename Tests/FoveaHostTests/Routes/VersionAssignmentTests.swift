// SPDX-License-Identifier: Apache-2.0
#if Server
import Testing

@testable import FoveaHost

@Suite struct VersionAssignmentTests {
  private static func model(percent: Int?) throws -> HostModel {
    var model = HostModel(
      project: "project", id: "1", name: "m", created: Timestamp(milliseconds: 0), seed: "seed")
    for digit in ["a", "b"] {
      model.add(
        NewVersion(
          sha256: String(repeating: digit, count: 64), size: 1, created: Timestamp(milliseconds: 0),
          author: "test"))
    }
    try model.point(HostModel.stable, at: 1)
    if let percent { try model.rollOut(2, microPercent: percent * 1_000_000) }
    return model
  }

  @Test func `an unpublished model has no assignment`() throws {
    var model = try Self.model(percent: nil)
    model.unpublish()
    #expect(VersionAssignment(model) == nil)
  }

  @Test(arguments: [(nil, 0), (0, 0), (100, 1000)] as [(Int?, Int)])
  func `no rollout, an empty one and a full one`(percent: Int?, count: Int) throws {
    #expect(try Self.installations(percent: percent).count == count)
  }

  @Test func `thirty percent of a thousand devices, and none of them leaves when it grows`() throws {
    var before: Set<Int> = []
    for percent in [1, 10, 30, 60, 100] {
      let now = try Self.installations(percent: percent)
      #expect(before.isSubset(of: now), "\(percent)")
      before = now
    }
    #expect(try (257...343).contains(Self.installations(percent: 30).count))
  }

  @Test func `a halted rollout gives everyone the stable version`() throws {
    var model = try Self.model(percent: 100)
    try model.haltRollout()
    #expect(VersionAssignment(model)?.choice(installation: "device").version.number == 1)
    #expect(VersionAssignment(model)?.items == [])
  }

  private static func installations(percent: Int?) throws -> Set<Int> {
    let model = try model(percent: percent)
    let assignment = try #require(VersionAssignment(model))
    return Set(
      (0..<1000).filter { assignment.choice(installation: "device-\($0)").version.number == 2 })
  }
}
#endif
