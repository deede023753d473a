// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser

/// `--folder`: the folder of a host that does not run, for what else asks a host that does.
struct StoppedHostOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of a host that is stopped, instead of --key.", valueName: "dir"))
  var folder: String?

  /// - Throws: `ValidationError` where a running host is named as well.
  func check(_ client: ClientOptions) throws {
    guard folder == nil || client.key == nil else {
      throw ValidationError("--folder is for a host that is stopped, --key for one that runs: give one.")
    }
  }
}
#endif
