// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaHTTP

/// `--allow-origin`: the other sites whose pages may ask.
struct OriginOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A site whose pages may ask: https://app.example.", valueName: "origin"))
  var allowOrigin: [String] = []

  func validate() throws {
    if let origin = allowOrigin.first(where: { !AllowedOrigins.isOrigin($0) }) {
      throw ValidationError(
        "--allow-origin takes a scheme, a host and a port, as https://app.example, not '\(origin)'.")
    }
  }
}
#endif
