// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment start`: assigns variants to shares of the units.
struct StartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Start an experiment.",
    usage: "fovea host experiment start <id> --variants <list> --metric <m> [options]",
    discussion: """
      fovea host experiment start birds-2 --model bird --variants 1:50,2:50
        --metric confirmed

      With --model, variants are versions: 1:50,2:50. They get the ids a, b, c; the
      first is the control. Without a model, variants have their own ids, a:50,b:50,
      and --parameters names a file with the parameters of each:
        {"a": {"model_name": "bird"}, "b": {"model_name": "bird-large"}}
      """)

  @OptionGroup var name: ExperimentName

  @Option(help: ArgumentHelp("The model whose versions are compared.", valueName: "name"))
  var model: String?

  @Option(help: ArgumentHelp("The variants and their weights, the control first.", valueName: "v:w,..."))
  var variants: WeightedVariants

  @Option(
    help: ArgumentHelp("The event to count, 1 to 40 letters, digits, '_', '.', '-'.", valueName: "name"))
  var metric: String

  @Option(
    help: ArgumentHelp(
      "conversion: whether a unit triggered the event; mean: the sum of the unit's values.",
      valueName: "kind"))
  var kind: String = "conversion"

  @Option(
    help: ArgumentHelp(
      "Count a unit's events for this time after its first exposure, up to 28d.", valueName: "time"))
  var window = TimeWindow(seconds: 86_400)

  @Option(help: ArgumentHelp("Planned units; 'plan' computes them.", valueName: "n"))
  var planned = 10_000

  @Option(help: ArgumentHelp("Randomize by installation or by user.", valueName: "unit"))
  var unit = "installation"

  @Option(help: ArgumentHelp("Experiments in one layer share no units.", valueName: "name"))
  var layer: String?

  @Option(
    help: ArgumentHelp("The share of the units that take part, in percent.", valueName: "p"),
    transform: DecimalNumber.option)
  var share: Double?

  @Option(
    help: ArgumentHelp(
      "The share of the units kept out of the layer's experiments, in percent.", valueName: "p"),
    transform: DecimalNumber.option)
  var holdout: Double?

  @Option(help: ArgumentHelp("The apps that take part, as in Remote Config.", valueName: "expression"))
  var condition: String?

  @Option(help: ArgumentHelp("A JSON file with the parameters of each variant.", valueName: "file"))
  var parameters: String?

  @Flag(help: "Only check and save it; 'resume' starts it.")
  var draft = false

  @OptionGroup var client: ClientOptions

  func validate() throws {
    if model != nil, variants.items.contains(where: { Int($0.name) == nil }) {
      throw ValidationError("With --model, --variants takes versions, such as 1:50,2:50.")
    }
    if model != nil, parameters != nil {
      throw ValidationError("--parameters is for an experiment without --model.")
    }
    // The ranges do not contain NaN, which no JSON can send to the host.
    for (name, percent) in [("--share", share), ("--holdout", holdout)] {
      guard percent.map((0...100).contains) ?? true else {
        throw ValidationError("\(name) must be between 0 and 100, got \(TextTable.percent(percent ?? 0)).")
      }
    }
  }

  /// Returns the experiment to send to the host.
  func experiment() throws(HostError) -> ExperimentDraft {
    let sets = try parameters.map { path throws(HostError) in
      try WeightedVariants.parameters(ConfigFile.bytes(of: path, limit: 1 << 20), name: "'\(path.printable)'")
    }
    var draft = ExperimentDraft(
      id: name.id,
      variants: try model == nil ? variants.variants(setting: sets ?? [:]) : variants.versions(),
      metric: ExperimentDraft.Metric(name: metric, kind: kind, window: window.seconds))
    draft.unit = unit
    draft.model = model
    draft.condition = condition
    draft.planned = planned
    draft.layer = layer
    draft.share = share
    draft.holdout = holdout
    if self.draft { draft.draft = true }
    return draft
  }

  func run() async throws {
    try await client.run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.start(experiment())
    }
  }
}
#endif
