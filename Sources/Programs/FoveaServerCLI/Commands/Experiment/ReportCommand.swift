// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment report`: what may be said today.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Say what may be said today: fovea host experiment report birds-2",
    discussion:
      "It may be read every day: the intervals hold at all looks together. A day counts\nwhen it has ended, and a unit when its window has closed."
  )

  @OptionGroup var name: ExperimentName

  @Flag(help: "Print the counts as 'analyze' reads them.")
  var counts = false

  @OptionGroup var client: ClientOptions

  func validate() throws {
    if counts, client.output.json { throw ValidationError("--counts is JSON already: leave out --json.") }
  }

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.report(name.id)
    } text: { reply throws(HostError) in
      let report = try reply.decode(HostAnswer.Report.self)
      guard !counts else { return JSONText.line { $0.members(of: report.counts) } }
      return try ExperimentText.report(report, of: reply.decode(HostAnswer.Experiment.self))
    }
  }
}
#endif
