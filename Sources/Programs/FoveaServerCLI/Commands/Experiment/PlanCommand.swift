// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment plan`: how many units an experiment needs.
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Plan: fovea host experiment plan --baseline 0.1 --lift 0.1",
    usage: "fovea host experiment plan --baseline <p> --lift <l> [options]")

  @Option(help: ArgumentHelp("The conversion rate now, above 0 and below 1.", valueName: "p"))
  var baseline: Double

  @Option(help: ArgumentHelp("The lift to find, as a part of it: 0.1 is 10 %.", valueName: "l"))
  var lift: Double

  @Option(help: "The probability of finding it.")
  var power = 0.8

  @Option(help: "The rate of false findings.")
  var alpha = 0.05

  @Option(help: "The variants, the control included.")
  var variants = 2

  @Option(help: ArgumentHelp("How many units come on a day.", valueName: "n"))
  var unitsPerDay: Double?

  @OptionGroup var output: JSONOption

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
      "\(DecimalText.grouped(plan.plannedUnits)) units of all variants: --planned \(plan.plannedUnits)",
      "finds \(DecimalText.short(target, places: 3)) % where \(DecimalText.short(rate, places: 3)) % was, "
        + "with a probability of \(DecimalText.short(100 * power, places: 1)) %",
      "price: \(DecimalText.fixed(plan.price, places: 1)) times the \(DecimalText.grouped(plan.fixedUnits)) "
        + "units of a test that is read once, and "
        + "\(DecimalText.fixed(plan.averagePrice, places: 1)) times on average, "
        + "since it may be read every day and ends early",
    ]
    if let days = days(plan) {
      lines.insert(
        "\(DecimalText.counted(days, "day", "days")) at \(DecimalText.short(unitsPerDay ?? 0, places: 1)) a day",
        at: 1)
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
#endif
