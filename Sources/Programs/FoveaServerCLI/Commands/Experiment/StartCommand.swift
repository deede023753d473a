// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment start`: variants go to shares of the units.
struct StartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract:
      "Start: fovea host experiment start birds-2 --model bird --variants 1:50,2:50 --metric confirmed",
    usage: "fovea host experiment start <id> --variants <list> --metric <m> [options]",
    discussion:
      "With --model the variants are versions: 1:50,2:50. They get the ids a, b, c; the\nfirst one is the control. Without a model the variants have ids of their own,\na:50,b:50, and --parameters names a file with what each of them sets:\n  {\"a\": {\"model_name\": \"bird\"}, \"b\": {\"model_name\": \"bird-large\"}}"
  )

  @OptionGroup var name: ExperimentName

  @Option(help: ArgumentHelp("The model whose versions are compared.", valueName: "name"))
  var model: String?

  @Option(help: ArgumentHelp("The variants and their weights, the control first.", valueName: "v:w,..."))
  var variants: WeightedVariants

  @Option(
    help: ArgumentHelp("The event that counts, 1 to 40 letters, digits, '_', '.', '-'.", valueName: "name"))
  var metric: String

  @Option(help: ArgumentHelp("conversion: a unit did it; mean: the sum of its values.", valueName: "kind"))
  var kind: String = "conversion"

  @Option(
    help: ArgumentHelp(
      "How long a unit's events count after its first exposure, up to 28d.", valueName: "time"))
  var window = Window(seconds: 86_400)

  @Option(help: ArgumentHelp("How many units are planned; 'plan' computes it.", valueName: "n"))
  var planned = 10_000

  @Option(help: ArgumentHelp("Whose id draws: installation or user.", valueName: "unit"))
  var unit = "installation"

  @Option(help: ArgumentHelp("Experiments of a layer share no unit.", valueName: "name"))
  var layer: String?

  @Option(help: ArgumentHelp("The share of the units that take part, in percent.", valueName: "p"))
  var share: Double?

  @Option(
    help: ArgumentHelp(
      "The share of the units that no experiment of the layer gets, in percent.", valueName: "p"))
  var holdout: Double?

  @Option(help: ArgumentHelp("Which apps take part, as in Remote Config.", valueName: "expression"))
  var condition: String?

  @Option(help: ArgumentHelp("A JSON file with the parameters of each variant.", valueName: "file"))
  var parameters: String?

  @Flag(help: "Only check and keep it; 'resume' starts it.")
  var draft = false

  @OptionGroup var client: ClientOptions

  func validate() throws {
    if model != nil, variants.items.contains(where: { Int($0.name) == nil }) {
      throw ValidationError("With --model, --variants has versions as in 1:50,2:50.")
    }
    if model != nil, parameters != nil {
      throw ValidationError("--parameters is for an experiment without --model.")
    }
  }

  /// What the host is asked for.
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
