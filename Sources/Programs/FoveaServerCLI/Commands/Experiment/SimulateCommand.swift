// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaCore
import FoveaHost
import Synchronization

/// `fovea host experiment simulate`: estimates the rate of wrong findings.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate experiments.",
    usage: "fovea host experiment simulate [options]",
    discussion: """
      Example: fovea host experiment simulate --runs 10000

      Prints the share of experiments that are called better, worse or hidden at any
      look. Without --lift and --biased, every such verdict is a false alarm.
      """)

  @Option(help: "The number of experiments.")
  var runs = 10_000

  @Option(help: "How often each is read.")
  var looks = 20

  @Option(help: "conversion, or mean: log-normal values.")
  var kind = "conversion"

  @Option(help: "The control's rate, or the scale of its values.")
  var baseline = 0.1

  @Option(help: "The variant's relative lift: 0.1 is 10 %.")
  var lift = 0.0

  @Option(help: "For means: the spread of the values' logarithms.")
  var sigma = 1.5

  @Option(help: "The control's true share of the units, expected to be 0.5.")
  var biased = 0.5

  @Option(help: "Units in both variants.")
  var planned = 10_000

  @Option(help: "The rate of false positives.")
  var alpha = 0.05

  @Option(help: "The seed of the random numbers.")
  var seed: UInt64 = 1

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard MetricKind(rawValue: kind) != nil else {
      throw ValidationError("--kind must be conversion or mean, got '\(kind)'.")
    }
  }

  func run() async throws {
    try await CommandEnd.printing { () throws(StatisticsError) in
      var simulation = ExperimentSimulation(runs: runs)
      simulation.looks = looks
      simulation.kind = MetricKind(rawValue: kind) ?? .conversion
      simulation.baseline = baseline
      simulation.lift = lift
      simulation.sigma = sigma
      simulation.controlShare = biased
      simulation.planned = planned
      simulation.alpha = alpha
      simulation.seed = seed
      let meter = SimulationMeter(runs: runs)
      defer { meter.end() }
      let result = try simulation.run(threads: Cores.available) { meter.show($0) }
      return output.json ? json(result) : text(result)
    }
  }

  private func json(_ result: ExperimentSimulation.Result) -> String {
    JSONText.line { json in
      json.member("runs", runs)
      json.member("looks", looks)
      for (name, value) in [
        ("better", result.better), ("worse", result.worse), ("hidden", result.hidden),
        ("open", result.open),
        ("units", result.units),
      ] {
        json.key(named: name)
        json.literal(value)
      }
    }
  }

  private func text(_ result: ExperimentSimulation.Result) -> String {
    func percent(_ share: Double) -> String { DecimalText.fixed(100 * share, places: 2) + " %" }
    return TextTable.text([
      ["RUNS", "BETTER", "WORSE", "HIDDEN", "OPEN", "UNITS USED"],
      [
        DecimalText.grouped(runs), percent(result.better), percent(result.worse), percent(result.hidden),
        percent(result.open), percent(result.units),
      ],
    ])
  }
}

/// The progress of a simulation, on a terminal.
private final class SimulationMeter: Sendable {
  private let runs: Int
  private let start = ContinuousClock.now
  private let shown = Mutex(-1)
  private let isTerminal = isatty(STDERR_FILENO) == 1

  init(runs: Int) { self.runs = runs }

  /// Shows whole percents, starting after one second.
  func show(_ done: Int) -> Bool {
    guard isTerminal, ContinuousClock.now - start > .seconds(1) else { return true }
    shown.withLock { shown in
      let percent = done * 100 / runs
      guard percent > shown else { return }
      shown = percent
      _ = Descriptor.write(Array("\r\(percent) %".utf8), to: STDERR_FILENO)
    }
    return true
  }

  func end() {
    guard shown.withLock({ $0 >= 0 }) else { return }
    _ = Descriptor.write(Array("\r     \r".utf8), to: STDERR_FILENO)
  }
}
#endif
