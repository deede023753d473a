// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host key rotate`: a new secret for what the host itself signs.
struct KeyRotateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Change what signs tokens and addresses: fovea host key rotate",
    discussion:
      "What the host has signed before works until it expires. Where the secret itself\nis in the wrong hands, rotate twice: all of it is void at once, and apps\nregister again."
  )

  @OptionGroup var place: StoppedHostOption

  @OptionGroup var client: ClientOptions

  func validate() throws { try place.check(client) }

  func run() async throws {
    guard let folder = place.folder else {
      return try await client.run { host throws(HostError) in
        try await host.rotateRing()
      } text: { _ throws(HostError) in
        Self.done
      }
    }
    try await CommandEnd.onFailure { () throws(HostError) in
      try await HostFolder(folder).rotateRing(now: SystemClock.now)
      try CommandEnd.print(client.output.json ? JSONText.line { _ in } : Self.done)
    }
  }

  private static let done = "rotated\n"
}
#endif
