// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct HostModelTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Changes a model with three versions, of which the first is stable.
    let change: @Sendable (inout HostModel) throws(HostError) -> Void
    var stable: Int? = 1
    var beta: Int?
    var rollout: Rollout?
    var error: String?

    init(
      _ name: String, stable: Int? = 1, beta: Int? = nil, rollout: Rollout? = nil, error: String? = nil,
      _ change: @escaping @Sendable (inout HostModel) throws(HostError) -> Void
    ) {
      (testDescription, self.change) = (name, change)
      (self.stable, self.beta, self.rollout, self.error) = (stable, beta, rollout, error)
    }
  }

  static let channels: [Case] = [
    Case("publish uses the last named file", stable: 3) { m throws(HostError) in try m.publish() },
    Case("publish twice changes nothing more", stable: 1) { m throws(HostError) in
      try m.publish()
      try m.publish()
      try m.rollBack()
    },
    Case("the bytes of an older version publish that version", stable: 2) { m throws(HostError) in
      m.add(HostSamples.file(2))
      try m.publish()
    },
    Case("a refused file is not published", error: "Cannot publish a model that is not verified") {
      m throws(HostError) in
      m.refuse(FileProblem(code: 3, message: "Invalid flatbuffer format"))
      try m.publish()
    },
    Case("a withdrawn file is not published", error: "Cannot publish a model that is not verified") {
      m throws(HostError) in
      try m.withdraw(3)
      try m.publish()
    },
    Case("unpublish points at nothing", stable: nil) { m in m.unpublish() },
    Case("unpublish twice, roll back once") { m throws(HostError) in
      m.unpublish()
      m.unpublish()
      try m.rollBack()
    },
    Case("another channel", beta: 2) { m throws(HostError) in try m.point("beta", at: 2) },
    Case("no such version", error: "The model 'bird' has no version 4") { m throws(HostError) in
      try m.point("stable", at: 4)
    },
    Case("version 0", error: "The model 'bird' has no version 0") { m throws(HostError) in
      try m.point("stable", at: 0)
    },
    Case("an empty channel", error: "'' is not a valid channel name") { m throws(HostError) in
      try m.point("", at: 1)
    },
    Case("a channel that is a path", error: "'../x' is not a valid channel name") { m throws(HostError) in
      try m.point("../x", at: 1)
    },
    Case(
      "a channel of 33 letters", error: "'\(String(repeating: "a", count: 33))' is not a valid channel name"
    ) {
      m throws(HostError) in try m.point(String(repeating: "a", count: 33), at: 1)
    },
    Case("an unprintable channel", error: "'a\\nb' is not a valid channel name") {
      m throws(HostError) in try m.rollBack("a\nb")
    },
  ]

  static let steps: [Case] = [
    Case("rollback goes one step", stable: 2) { m throws(HostError) in
      try m.point("stable", at: 2)
      try m.point("stable", at: 3)
      let number = try m.rollBack()
      #expect(number == 2)
    },
    Case("two rollbacks go two steps") { m throws(HostError) in
      try m.point("stable", at: 2)
      try m.point("stable", at: 3)
      try m.rollBack()
      try m.rollBack()
    },
    Case("rollback of a channel") { m throws(HostError) in
      try m.point("beta", at: 2)
      try m.point("beta", at: 3)
      try m.rollBack("beta")
      #expect(m.channels["beta"] == 2)
      m.clear("beta")
    },
    Case(
      "nothing to go back to",
      error: "The channel 'stable' of the model 'bird' has no previous version"
    ) { m throws(HostError) in try m.rollBack() },
    Case("rollback skips withdrawn versions") { m throws(HostError) in
      try m.point("stable", at: 2)
      try m.point("stable", at: 3)
      try m.withdraw(2)
      try m.rollBack()
    },
    Case("rollback skips versions that are too old") { m throws(HostError) in
      try m.point("stable", at: 2)
      try m.point("stable", at: 3)
      m.retire(keeping: 0, at: Timestamp(milliseconds: 9))
      #expect(m.versions.map(\.isUsable) == [false, false, true])
      m.versions[0].retired = nil
      try m.rollBack()
    },
    Case("rollback ends a rollout first", stable: 2) { m throws(HostError) in
      try m.point("stable", at: 2)
      try m.rollOut(3, microPercent: 1)
      let number = try m.rollBack()
      #expect(number == 2)
    },
    Case("rollback of a halted rollout moves the channel") { m throws(HostError) in
      try m.point("stable", at: 2)
      try m.rollOut(3, microPercent: 1)
      try m.haltRollout()
      try m.rollBack()
    },
    Case("withdrawn: the channel goes back", beta: 2) { m throws(HostError) in
      try m.point("beta", at: 2)
      try m.point("beta", at: 3)
      try m.withdraw(3)
    },
    Case("withdrawn: the channel goes back past a damaged version", beta: 1) { m throws(HostError) in
      for number in 1...3 { try m.point("beta", at: number) }
      try m.withdraw(3, avoiding: [2])
      #expect(m.formerly["beta"] == nil)
    },
    Case("withdrawn: all former versions are damaged") { m throws(HostError) in
      for number in 1...3 { try m.point("beta", at: number) }
      try m.withdraw(3, avoiding: [1, 2])
      #expect(m.formerly["beta"] == [1, 2])
    },
    Case("withdrawn: the only one of a channel", stable: nil) { m throws(HostError) in try m.withdraw(1) },
    Case("withdrawn: its rollout ends") { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      try m.withdraw(2)
    },
    Case("withdrawn: a rollout to nothing ends", stable: nil) { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      try m.withdraw(1)
    },
    Case("withdrawn twice") { m throws(HostError) in
      try m.withdraw(2)
      let before = m
      try m.withdraw(2)
      #expect(m == before)
    },
    Case("withdrawn: no channel", error: "Version 2 of the model 'bird' was withdrawn") {
      m throws(HostError) in
      try m.withdraw(2)
      try m.point("beta", at: 2)
    },
  ]

  static let rollouts: [Case] = [
    Case("a share", rollout: Rollout(version: 2, microPercent: 10_000_000)) { m throws(HostError) in
      try m.rollOut(2, microPercent: 10_000_000)
    },
    Case("raised to all", rollout: Rollout(version: 2, microPercent: 100_000_000)) { m throws(HostError) in
      try m.rollOut(2, microPercent: 0)
      try m.rollOut(2, microPercent: 100_000_000)
    },
    Case("halted") { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      try m.haltRollout()
      #expect(m.rollout?.share == 0 && m.rollout?.microPercent == 5)
      m.rollout = nil
    },
    Case("continues after a halt", rollout: Rollout(version: 2, microPercent: 6)) { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      try m.haltRollout()
      try m.rollOut(2, microPercent: 6)
    },
    Case("another one after a halt", rollout: Rollout(version: 3, microPercent: 6)) { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      try m.haltRollout()
      try m.rollOut(3, microPercent: 6)
    },
    Case("finished", stable: 2) { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      try m.finishRollout()
    },
    Case("ended by another stable version", stable: 3) { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      try m.point("stable", at: 3)
    },
    Case(
      "finished while halted", rollout: Rollout(version: 2, microPercent: 5),
      error: "The rollout of version 2 of the model 'bird' is halted"
    ) { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      m.rollout?.isHalted = true
      defer { m.rollout?.isHalted = false }
      try m.finishRollout()
    },
    Case(
      "two at once", rollout: Rollout(version: 2, microPercent: 5),
      error: "A rollout of version 2 of the model 'bird' is running"
    ) { m throws(HostError) in
      try m.rollOut(2, microPercent: 5)
      try m.rollOut(3, microPercent: 5)
    },
    Case("below 0", error: "The share of the rollout is -1 millionths of a percent, not 0 to 100,000,000") {
      m throws(HostError) in
      try m.rollOut(2, microPercent: -1)
    },
    Case(
      "above all",
      error: "The share of the rollout is 100000001 millionths of a percent, not 0 to 100,000,000"
    ) {
      m throws(HostError) in try m.rollOut(2, microPercent: 100_000_001)
    },
    Case("of the stable version", error: "Version 1 of the model 'bird' is already the stable version") {
      m throws(HostError) in try m.rollOut(1, microPercent: 5)
    },
    Case(
      "of an unpublished model", stable: nil,
      error: "The model 'bird' is not published, so a rollout has no version to start from"
    ) { m throws(HostError) in
      m.unpublish()
      try m.rollOut(2, microPercent: 5)
    },
    Case("nothing to halt", error: "The model 'bird' has no rollout") { m throws(HostError) in
      try m.haltRollout()
    },
    Case("nothing to finish", error: "The model 'bird' has no rollout") { m throws(HostError) in
      try m.finishRollout()
    },
  ]

  @Test(arguments: channels + steps + rollouts)
  func `a change leaves channels and rollout consistent`(row: Case) throws {
    var model = try HostSamples.published()
    var message: String?
    do throws(HostError) { try row.change(&model) } catch { message = error.message }
    #expect(message == row.error)
    #expect(model.channels["stable"] == row.stable)
    #expect(model.channels["beta"] == row.beta)
    var rollout = model.rollout
    #expect((rollout == nil) == (rollout?.run == nil))
    rollout?.run = nil
    #expect(rollout == row.rollout)
    #expect(model.contradictions == [])
  }

  @Test(arguments: [([1], nil), ([1, 2], 1), ([1, 2, 3, 2], 3), ([1, 3], 1)] as [([Int], Int?)])
  func `a rollout of the stable version is refused with the way back, if there is one`(
    stable: [Int], former: Int?
  ) throws {
    var model = try HostSamples.published()
    for number in stable { try model.point("stable", at: number) }
    let before = model
    var remedy: String?
    do throws(HostError) { try model.rollOut(stable.last ?? 0, microPercent: 5) } catch {
      remedy = error.remedy.description
    }
    let expected =
      if let former {
        "Go back to version \(former) with 'fovea host rollback bird' first, or publish the next version "
          + "with --channel beta, which leaves 'stable' as it is"
      } else {
        "Publish the next version with 'fovea host publish --channel beta', and roll that out"
      }
    #expect(remedy == expected)
    #expect(model.channels == before.channels && model.formerly == before.formerly && model.rollout == nil)
  }

  @Test func `a failed call changes nothing`() throws {
    let before = try HostSamples.published()
    for row in Self.rollouts + Self.steps + Self.channels where row.error != nil && row.rollout == nil {
      var model = before
      guard (try? row.change(&model)) == nil, row.stable == 1 else { continue }
      #expect(
        model.channels == before.channels && model.formerly == before.formerly, "\(row.testDescription)")
    }
  }

  @Test func `numbers grow, and the same bytes give the same version`() throws {
    var model = HostSamples.model()
    #expect([1, 2, 1, 3, 2].map { model.add(HostSamples.file($0)).number } == [1, 2, 1, 3, 2])
    #expect(model.versions.map(\.number) == [1, 2, 3])
    #expect(model.current == 2)
    try model.withdraw(3)
    #expect(model.add(HostSamples.file(3)).number == 4, "a number is never used again")
    #expect(model.currentVersion?.sha256 == HostSamples.hash(3))
  }

  @Test(arguments: [(10, 15, [1, 6]), (0, 3, [1, 3]), (1, 1, [1]), (-1, 2, [1, 2]), (100, 5, [1, 2])])
  func `retention keeps the latest and the named versions`(count: Int, versions: Int, first: [Int])
    throws
  {
    var model = try HostSamples.published(versions)
    model.retire(keeping: count, at: Timestamp(milliseconds: 7))
    #expect(model.versions.filter(\.isUsable).map(\.number).prefix(2) == first[...])
    #expect(model.versions.filter { !$0.isUsable }.allSatisfy { $0.retired == Timestamp(milliseconds: 7) })
    let after = model
    model.retire(keeping: count, at: Timestamp(milliseconds: 8))
    #expect(model == after)
    #expect(model.contradictions == [])
  }

  @Test func `a channel remembers 32 versions`() throws {
    var model = try HostSamples.published(40)
    for number in 2...40 { try model.point("stable", at: number) }
    var count = 0
    while (try? model.rollBack()) != nil { count += 1 }
    #expect(count == 32)
    #expect(model.channels["stable"] == 8)
  }
}
#endif
