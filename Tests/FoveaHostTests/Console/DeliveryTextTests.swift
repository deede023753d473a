// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Testing

@testable import FoveaHost

/// The sentences of a model's pages, compared with what simulated devices get.
@Suite struct DeliveryTextTests {
  typealias Change = @Sendable (inout HostModel) throws(HostError) -> Void

  /// Versions 1, 2 and 3, of which 2 is stable and 1 was, unless a name has others.
  private static let starts: [(String, Change)] = [
    ("nothing else", { (_) throws(HostError) in }),
    ("not published", { (model) throws(HostError) in model.unpublish() }),
    ("a rollout to nobody", { (model) throws(HostError) in try model.rollOut(3, microPercent: 0) }),
    ("a rollout to a tenth", { (model) throws(HostError) in try model.rollOut(3, microPercent: 10_000_000) }),
    ("a rollout to all", { (model) throws(HostError) in try model.rollOut(3, microPercent: 100_000_000) }),
    (
      "a halted rollout",
      { (model) throws(HostError) in
        try model.rollOut(3, microPercent: 50_000_000)
        try model.haltRollout()
      }
    ),
    ("a running experiment", { (model) throws(HostError) in owns(&model) }),
    ("a paused experiment", { (model) throws(HostError) in owns(&model) }),
    (
      "a running experiment without a stable version",
      { (model) throws(HostError) in
        model.unpublish()
        owns(&model)
      }
    ),
  ]

  private static func changes(of number: Int) -> [(String, Change)] {
    [
      ("point at \(number)", { (model) throws(HostError) in try model.point(HostModel.stable, at: number) }),
      ("withdraw \(number)", { (model) throws(HostError) in try model.withdraw(number) }),
      (
        "withdraw \(number) if 1 is damaged",
        { (model) throws(HostError) in try model.withdraw(number, avoiding: [1]) }
      ),
      (
        "roll \(number) out to a half",
        { (model) throws(HostError) in try model.rollOut(number, microPercent: 50_000_000) }
      ),
    ]
  }

  private static let otherChanges: [(String, Change)] = [
    ("roll back", { (model) throws(HostError) in _ = try model.rollBack() }),
    ("halt", { (model) throws(HostError) in try model.haltRollout() }),
    ("finish", { (model) throws(HostError) in try model.finishRollout() }),
    (
      "publish",
      { (model) throws(HostError) in
        model = try PublishForm.after(model, model.name, HostModel.stable)
      }
    ),
  ]

  private static func owns(_ model: inout HostModel) {
    model.experiment = ModelExperiment(id: "e", versions: [1, 3])
  }

  private static func experiment(_ state: FoveaHost.Experiment.State) -> FoveaHost.Experiment {
    let time = Timestamp(milliseconds: 0)
    return FoveaHost.Experiment(
      project: "demo", id: "e", created: time, updated: time, unit: .installation,
      range: DrawRange(seed: "e", start: 0, end: 60_000_000, holdout: 100_000_000), model: "1",
      variants: [.init(id: "a", version: 1), .init(id: "b", version: 3)], condition: nil,
      metric: ExperimentMetric(name: "seen"), planned: 100, state: state,
      rows: [.init(from: time, weights: [1, 1], isDrawn: state == .running)])
  }

  @Test(arguments: starts.indices)
  func `devices get what the sentences state`(_ index: Int) throws {
    let (name, start) = Self.starts[index]
    var before = try HostSamples.published()
    try before.point(HostModel.stable, at: 2)
    try start(&before)
    let experiment = before.experiment.map { _ in
      Self.experiment(name.contains("paused") ? .paused : .running)
    }
    let state = DeliveryState(before, experiment: experiment)
    let devices = Devices(before, state.running)
    #expect(devices.match(Claim(state: DeliveryText.state(state))), "\(name): \(DeliveryText.state(state))")
    var tried = 0
    for (change, make) in (1...3).flatMap(Self.changes) + Self.otherChanges {
      var after = before
      do throws(HostError) { try make(&after) } catch { continue }
      tried += 1
      let next = Devices(after, state.running)
      let (whole, effect) = (
        DeliveryText.change(from: state, to: after), DeliveryText.effect(from: state, to: after)
      )
      for text in [whole, effect] where text.contains("next request") {
        let claim = try #require(Claim(change: text, from: before, to: after), "\(text)")
        #expect(next.match(claim), "\(name), \(change): \(text) \(next.all)")
        #expect(claim.isOfOthers == (state.running != nil && after.isPublished), "\(text)")
      }
      if effect.isEmpty { #expect(next.all == devices.all, "\(name), \(change): \(whole)") }
      let ended = before.rollout.flatMap { $0.version == after.rollout?.version ? nil : $0.version }
      for text in [whole, effect] {
        #expect(text.contains("The rollout of version \(ended ?? 0) ends.") == (ended != nil), "\(text)")
      }
      let isKnown = state.running == nil || whole.contains("'e' runs, its units get its variants.")
      #expect(isKnown || !after.isPublished, "\(name), \(change): \(whole)")
    }
    #expect(tried > 4)
  }

  @Test(
    arguments: [
      // The version of the file, whether it is new, and the channel's one before.
      (4, false, 2, .published), (1, false, nil, .published), (1, true, 2, .publishedBefore),
      (1, true, nil, .publishedBefore), (2, true, 2, .publishedAgain),
    ] as [(Int, Bool, Int?, Notice)])
  func `the message after a publish states whether the file was known`(
    _ number: Int, _ isRepeated: Bool, _ before: Int?, _ notice: Notice
  ) throws {
    let model = try HostSamples.published(4)
    let published = PublishedVersion(
      model: model, version: try model.version(number), channel: HostModel.stable, isRepeated: isRepeated,
      before: before)
    #expect(PublishForm.notice(published) == notice)
  }

  /// The versions of simulated devices; nil for no version.
  private struct Devices {
    /// Of each device, and of those outside of an experiment.
    var all: [Int?] = []
    var others: [Int?] = []

    init(_ model: HostModel, _ running: FoveaHost.Experiment?) {
      let assignment = VersionAssignment(model, experiment: running)
      for number in 0..<2_000 {
        let choice = assignment?.choice(installation: "device-\(number)")
        all.append(choice?.version.number)
        if choice?.variant == nil { others.append(choice?.version.number) }
      }
    }

    func match(_ claim: Claim?) -> Bool {
      guard let claim else { return false }
      let own = claim.isOfOthers ? others : all
      return !own.isEmpty
        && Set(own).union(claim.shares.keys).allSatisfy { version in
          let share = Double(own.count { $0 == version }) / Double(own.count)
          let expected = claim.shares[version] ?? 0
          // Only a real share is a matter of chance.
          return expected == 0 || expected == 1
            ? share == expected : abs(share - expected) < 0.03
        }
    }
  }

  /// The shares of devices that a sentence states.
  private struct Claim {
    var shares: [Int?: Double] = [:]
    /// True if it is about the devices outside of an experiment.
    var isOfOthers = false

    /// Nil for a sentence of another form.
    init?(state text: String) {
      isOfOthers = text.contains("its units get its variants")
      if text.hasPrefix("Not published: no device gets this model.") {
        (shares, isOfOthers) = ([nil: 1], false)
      } else if let found = text.firstMatch(of: /^All devices get version (\d+) by its rollout\./) {
        shares = [Int(found.1): 1]
      } else if let found = text.firstMatch(
        of: /^Devices get version (\d+), and (\d+) % of the devices get version (\d+)\./)
      {
        shares = Self.mixed(Int(found.1), found.2, Int(found.3))
      } else if let found = text.firstMatch(of: /^Devices get version (\d+)\./) {
        shares = [Int(found.1): 1]
      } else {
        return nil
      }
    }

    /// Nil for a sentence of another form.
    init?(change text: String, from before: HostModel, to after: HostModel) {
      let new = after.versions.last?.number
      func number(_ text: Substring) -> Int? {
        text == "no version" ? nil : text == "the new version" ? new : Int(text.dropFirst("version ".count))
      }
      let simple = /all of them get (.+) with their next request\./
      let all = /With their next request, all (other )?devices get ([a-z]+ [a-z0-9]+( version)?)\./
      let mixed = /With their next request, devices get (.+), and (\d+) % of the devices get (version \d+)\./
      let some = /With their next request, (\d+) % of the devices get (version \d+)\./
      let none = /With their next request, no devices get (version \d+)\./
      let stable = before.channels[HostModel.stable]
      if let found = text.firstMatch(of: simple) {
        shares = [number(found.1): 1]
      } else if let found = text.firstMatch(of: all) {
        shares = [number(found.2): 1]
        isOfOthers = found.1 != nil
      } else if let found = text.firstMatch(of: mixed) {
        shares = Self.mixed(number(found.1), found.2, number(found.3))
      } else if let found = text.firstMatch(of: some) {
        shares = Self.mixed(stable, found.1, number(found.2))
      } else if text.contains(none) {
        shares = [stable: 1]
      } else {
        return nil
      }
    }

    private static func mixed(_ stable: Int?, _ percent: Substring, _ version: Int?) -> [Int?: Double] {
      let share = (Double(percent) ?? 0) / 100
      return [stable: 1 - share, version: share]
    }
  }
}
#endif
