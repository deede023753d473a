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
      return counts ? report.counts.line : ExperimentText.report(report)
    }
  }
}

extension HostAnswer.Report.Counts {
  /// One line of JSON.
  fileprivate var line: String {
    JSONText.line { json in
      json.key("alpha")
      json.literal(alpha)
      json.key("planned")
      json.literal(planned)
      json.member("kind", kind)
      json.member("weights", weights)
      json.member("looks", looks) { json, look in
        json.object { json in
          json.member("units", look.units)
          json.member("sum", look.sum)
          json.member("squares", look.squares)
          if let weights = look.weights { json.member("weights", weights) }
        }
      }
    }
  }
}
#endif
