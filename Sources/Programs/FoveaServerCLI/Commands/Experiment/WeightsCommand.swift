// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host experiment weights`: other shares from now on.
struct WeightsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "weights", abstract: "Change the shares: fovea host experiment weights birds-2 80 20",
    discussion:
      "Begins a new row, with expected shares of its own. Units between the old and the\nnew bounds get another variant; each counts as the one that it saw first."
  )

  @OptionGroup var name: ExperimentName

  @Argument(help: ArgumentHelp("A weight for each variant, in their order.", valueName: "weight"))
  var weights: [Int]

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run(printing: ExperimentText.line) { host throws(HostError) in
      try await host.setWeights(weights, of: name.id)
    }
  }
}
#endif
