// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment plan`: computes how many units an experiment needs.
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Compute how many units an experiment needs.",
    usage: "fovea host experiment plan --baseline <p> --lift <l> [options]",
    discussion: "Example: fovea host experiment plan --baseline 0.1 --lift 0.1")

  @Option(
    help: ArgumentHelp("The current conversion rate, above 0 and below 1.", valueName: "p"),
    transform: DecimalNumber.option)
  var baseline: Double

  @Option(
    help: ArgumentHelp("The relative lift to detect: 0.1 is 10 %.", valueName: "l"),
    transform: DecimalNumber.option)
  var lift: Double

  @Option(help: "The probability of detecting it.")
  var power = 0.8

  @Option(help: "The rate of false positives.")
  var alpha = 0.05

  @Option(help: "The number of variants, including the control.")
  var variants = 2

  @Option(
    help: ArgumentHelp("The number of units per day.", valueName: "n"), transform: DecimalNumber.option)
  var unitsPerDay: Double?

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard unitsPerDay.map((1...1e9).contains) ?? true else {
      throw ValidationError(
        "--units-per-day must be between 1 and 1000000000, got \(TextTable.percent(unitsPerDay ?? 0)).")
    }
  }

  func run() async throws {
    try await CommandEnd.printing { () throws(StatisticsError) in
      var question = ExperimentPlan.Question(baseline: baseline, lift: lift)
      question.power = power
      question.alpha = alpha
      question.arms = variants
      let plan = try ExperimentPlan(question)
      return output.json ? json(plan) : text(plan)
    }
  }

  private func days(_ plan: ExperimentPlan) -> Int? {
    unitsPerDay.flatMap { plan.days(unitsPerDay: $0) }
  }

  private func json(_ plan: ExperimentPlan) -> String {
    JSONText.line { json in
      json.member("planned", plan.plannedUnits)
      json.member("fixed", plan.fixedUnits)
      json.member("price", plan.price, places: 3)
      json.member("averagePrice", plan.averagePrice, places: 3)
      if unitsPerDay != nil { json.member("days", days(plan)) }
    }
  }

  private func text(_ plan: ExperimentPlan) -> String {
    let (rate, target) = (100 * baseline, 100 * baseline * (1 + lift))
    var lines = [
      "\(DecimalText.grouped(plan.plannedUnits)) units in all variants: --planned \(plan.plannedUnits)",
      "detects \(DecimalText.short(target, places: 3)) % instead of \(DecimalText.short(rate, places: 3)) %, "
        + "with a probability of \(DecimalText.short(100 * power, places: 1)) %",
      "price: \(DecimalText.fixed(plan.price, places: 1)) times the \(DecimalText.grouped(plan.fixedUnits)) "
        + "units of a test that is read once, and "
        + "\(DecimalText.fixed(plan.averagePrice, places: 1)) times on average, "
        + "since it may be read every day and ends early",
    ]
    if let days = days(plan) {
      lines.insert(
        "\(DecimalText.counted(days, "day", "days")) at "
          + "\(DecimalText.short(unitsPerDay ?? 0, places: 1)) a day",
        at: 1)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
#endif
