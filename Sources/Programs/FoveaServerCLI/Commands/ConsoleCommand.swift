// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host console`: prints a link that signs in to the console.
struct ConsoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console",
    abstract: "Sign in to the console.",
    discussion: """
      Prints a link that works once. Anyone who opens it within 10 minutes has
      the key's rights there. The host is not contacted.
      """)

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await CommandEnd.onFailure { () throws(HostError) in
      let link = try await client.client().consoleLink()
      try CommandEnd.print(client.output.json ? JSONText.line { $0.member("link", link) } : link + "\n")
    }
  }
}
#endif
