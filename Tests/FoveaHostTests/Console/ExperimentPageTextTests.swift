// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Testing

@testable import FoveaHost

/// The sentences of an experiment's pages, compared with what simulated units get.
@Suite struct ExperimentPageTextTests {
  typealias Hashes = (start: Int, end: Int)

  private static let units = (0..<4_000).map { "unit-\($0)" }
  private static let whole: Hashes = (0, 100_000_000)

  /// An experiment on versions 1, 2 and 3 of a model, without a model for parameters.
  private static func draft(
    _ range: Hashes = whole, unit: FoveaHost.Experiment.UnitKind = .installation, condition: String? = nil,
    onModel: Bool = true
  ) -> FoveaHost.Experiment {
    let time = Timestamp(milliseconds: 0)
    return FoveaHost.Experiment(
      project: "demo", id: "e", created: time, updated: time, unit: unit,
      range: DrawRange(seed: "e", start: range.start, end: range.end, holdout: 100_000_000),
      model: onModel ? "1" : nil,
      variants: [("a", 1), ("b", 2), ("c", 3)].map { id, version in
        .init(id: id, version: onModel ? version : nil, parameters: onModel ? [:] : ["color": id])
      }, condition: condition, metric: ExperimentMetric(name: "seen"), planned: 100, state: .draft,
      rows: [.init(from: time, weights: [50, 30, 20], isDrawn: false)])
  }

  private static func variants(_ experiment: FoveaHost.Experiment) -> [String?] {
    units.map { experiment.variant(of: $0)?.id }
  }

  @Test(
    arguments: [
      ((0, 100_000_000), 100), ((0, 30_000_000), 30), ((50_000_000, 60_000_000), 10),
      ((0, 60_000_000), 60),
    ] as [(Hashes, Int)])
  func `a start states the share of the units that take part, and of each variant`(
    _ range: Hashes, _ percent: Int
  ) throws {
    var experiment = Self.draft(range)
    let text = ExperimentPageText.start(experiment)
    let units = percent == 100 ? "the units" : "those that take part"
    let rest =
      percent == 100 ? "" : " \(percent) % of the units take part; all others get the stable version."
    #expect(
      text == "With their next request, 50 % of \(units) get version 1, 30 % of \(units) get version 2, "
        + "20 % of \(units) get version 3.\(rest)")
    try experiment.resume(at: Timestamp(milliseconds: 1))
    let found = Self.variants(experiment)
    let own = found.count { $0 != nil }
    #expect(abs(Double(own) / Double(found.count) - Double(percent) / 100) < 0.03)
    for (id, share) in [("a", 0.5), ("b", 0.3), ("c", 0.2)] {
      #expect(abs(Double(found.count { $0 == id }) / Double(own) - share) < 0.08, "\(id)")
    }
  }

  @Test(
    arguments: [
      (.user, nil, true, " Devices whose app sets no user id get the stable version."),
      (.user, nil, false, " Devices whose app sets no user id get what they get without it."),
      (.installation, "x", false, " Units that do not meet the condition get what they get without it."),
      (.installation, nil, true, "get version 3."),
    ] as [(FoveaHost.Experiment.UnitKind, String?, Bool, String)])
  func `a start states who takes no part`(
    _ unit: FoveaHost.Experiment.UnitKind, _ condition: String?, _ onModel: Bool, _ end: String
  ) throws {
    var experiment = Self.draft(unit: unit, condition: condition, onModel: onModel)
    let text = ExperimentPageText.start(experiment)
    #expect(text.hasSuffix(end), "\(text)")
    #expect(text.contains("50 % of those that take part get") == (condition != nil), "\(text)")
    guard onModel else { return }
    // The host does not know the user of a device.
    try experiment.resume(at: Timestamp(milliseconds: 1))
    let model = try HostSamples.published()
    let assignment = try #require(VersionAssignment(model, experiment: experiment))
    let chosen = Self.units.map { assignment.choice(installation: $0) }
    #expect(chosen.allSatisfy { $0.variant == nil && $0.version.number == 1 } == (unit == .user))
  }

  @Test(
    arguments: [
      (nil, true, " Each unit gets its earlier variant again."),
      ([50, 30, 20], true, " Each unit gets its earlier variant again."),
      ([5, 3, 2], true, " Each unit gets its earlier variant again."),
      (
        [10, 30, 60], false,
        " The weights were 50 : 30 : 20 before: units between the old and the new bounds get another variant "
          + "than before the pause."
      ),
    ] as [([Int]?, Bool, String)])
  func `a resumption states whether units get their earlier variants`(
    _ weights: [Int]?, _ isSame: Bool, _ text: String
  ) throws {
    var experiment = Self.draft()
    #expect(ExperimentPageText.sinceEarlier(experiment).isEmpty)
    try experiment.resume(at: Timestamp(milliseconds: 1))
    let before = Self.variants(experiment)
    try experiment.pause(at: Timestamp(milliseconds: 2))
    if let weights { try experiment.setWeights(weights, at: Timestamp(milliseconds: 3)) }
    #expect(ExperimentPageText.sinceEarlier(experiment) == text)
    try experiment.resume(at: Timestamp(milliseconds: 4))
    #expect((Self.variants(experiment) == before) == isSame)
  }

  @Test(
    arguments: [
      (true, [50, 30, 20], "The weights are 50 : 30 : 20 already."),
      (true, [5, 3, 2], "to 5 : 3 : 2. The shares are the same, so no unit gets another variant."),
      (true, [1, 1, 1], "units between the old and the new bounds get another variant."),
      (false, [1, 1, 1], "They apply when the experiment is running."),
    ] as [(Bool, [Int], String)])
  func `other weights move the units that the confirmation names`(
    _ isRunning: Bool, _ weights: [Int], _ end: String
  ) throws {
    var experiment = Self.draft()
    if isRunning { try experiment.resume(at: Timestamp(milliseconds: 1)) }
    var after = experiment
    try after.setWeights(weights, at: Timestamp(milliseconds: 2))
    let text = ExperimentPageText.weights(from: experiment, to: after)
    #expect(text.hasSuffix(end), "\(text)")
    let moves = Self.variants(experiment) != Self.variants(after)
    #expect(moves == text.contains("With their next request"), "\(text)")
  }

  @Test(
    arguments: [
      (
        [], "b",
        "The experiment is a draft: when it is running, the device gets version 2, and is not counted."
      ),
      (["resume"], "b", "With its next request, it gets version 2, and is not counted."),
      (["resume"], nil, "With its next request, it gets its random assignment."),
      (
        ["resume", "pause"], "c",
        "The experiment is paused: when it is running, the device gets version 3, and is not counted."
      ),
    ] as [([String], String?, String)])
  func `a test device gets its variant only while the experiment runs`(
    _ steps: [String], _ variant: String?, _ text: String
  ) throws {
    var experiment = Self.draft()
    for (index, step) in steps.enumerated() {
      let time = Timestamp(milliseconds: Int64(index + 1))
      if step == "pause" { try experiment.pause(at: time) } else { try experiment.resume(at: time) }
    }
    let random = experiment.variant(of: "phone")?.id
    try experiment.setOverride(variant, of: "phone")
    #expect(ExperimentPageText.override(of: "phone", in: experiment) == text)
    let isNow = text.hasPrefix("With its next request")
    #expect(experiment.variant(of: "phone")?.id == (isNow ? variant ?? random : nil))
  }

  @Test(arguments: [(nil, "Every app gets"), ("app.version >= 2", "Every app that meets the condition gets")])
  func `a rollout of parameters is for the apps that meet the condition`(
    _ condition: String?, _ start: String
  ) {
    let experiment = Self.draft(condition: condition, onModel: false)
    #expect(
      ExperimentPageText.rollOut(experiment.variants[1], of: experiment, besides: [])
        == "\(start) color = b, until the experiment is stopped.")
  }

  @Test(
    arguments: [
      (false, "b", nil, "The experiment is a draft: when it is running, the user gets version 2"),
      (
        true, "b", nil,
        "With the next request of an app that sets this user id, the user gets version 2"
      ),
      (
        true, "b", "app.version >= 2",
        "With the next request of an app that sets this user id, the user gets version 2 if the app meets the "
          + "condition"
      ),
      (
        true, nil, nil,
        "With the next request of an app that sets this user id, the user gets their random assignment"
      ),
    ] as [(Bool, String?, String?, String)])
  func `the override of an experiment on users is about a user`(
    _ isRunning: Bool, _ variant: String?, _ condition: String?, _ text: String
  ) throws {
    var experiment = Self.draft(unit: .user, condition: condition)
    if isRunning { try experiment.resume(at: Timestamp(milliseconds: 1)) }
    try experiment.setOverride(variant, of: "ada")
    let end = variant == nil ? "." : ", and is not counted."
    #expect(ExperimentPageText.override(of: "ada", in: experiment) == text + end)
  }
}
#endif
