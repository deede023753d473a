// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config evaluate`: shows the values that an app would get, without a host.
struct ConfigEvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Show the values that an app would get.",
    usage: "fovea host config evaluate <file> [--id <id> | --ids <file>] [options]",
    discussion: """
      Example: fovea host config evaluate template.json --id device-1

      Experiments are ignored: the host assigns their variants.
      """)

  @Argument(help: ArgumentHelp("A template as JSON.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The installation's id.", valueName: "id"))
  var id = ""

  @Option(
    help: ArgumentHelp("Installation ids, one per line; prints a JSON line for each.", valueName: "file"))
  var ids: String?

  @Option(help: ArgumentHelp("The app's id, which includes its platform.", valueName: "id"))
  var app = "1:1:ios:1"

  @Option(help: ArgumentHelp("The app's version.", valueName: "version"))
  var appVersion: String?

  @Option(help: ArgumentHelp("The device's country, such as US.", valueName: "code"))
  var country: String?

  @Option(help: ArgumentHelp("The device's language, such as en-US.", valueName: "code"))
  var language: String?

  @Option(help: ArgumentHelp("A custom signal; may be repeated.", valueName: "name=value"))
  var signal: [String] = []

  @Option(help: ArgumentHelp("The time, such as 2026-11-22T19:16:23Z (default: now).", valueName: "time"))
  var at: String?

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard ids == nil || id.isEmpty else { throw ValidationError("Give either --id or --ids.") }
    guard at.map({ Timestamp(text: $0) != nil }) ?? true else {
      throw ValidationError("--at must be a time such as 2026-11-22T19:16:23Z.")
    }
    guard signal.allSatisfy({ $0.contains("=") }) else {
      throw ValidationError("--signal must be a name and a value: --signal level=3.")
    }
  }

  func run() async throws {
    try await CommandEnd.onFailure { () throws(HostError) in
      let template = try ConfigTemplate(ConfigFile.bytes(of: file), namespace: .apps)
      let time = at.flatMap { Timestamp(text: $0) } ?? SystemClock.now()
      guard let ids else {
        let found = FetchedConfig(template, for: unit(id), at: time, assignments: [])
        try CommandEnd.print(output.json ? line(found) : text(found))
        return
      }
      let lines = String(decoding: try ConfigFile.bytes(of: ids, limit: 64 << 20), as: UTF8.self).split(
        separator: "\n")
      var text = ""
      for id in lines {
        text += line(FetchedConfig(template, for: unit(String(id)), at: time, assignments: []))
      }
      try CommandEnd.print(text)
    }
  }

  private func unit(_ id: String) -> ConfigUnit {
    var unit = ConfigUnit(installation: id, appID: app)
    unit.version = appVersion
    unit.country = country
    unit.language = language
    for item in signal {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      unit.signals[String(parts[0])] = String(parts[1])
    }
    return unit
  }

  private func line(_ found: FetchedConfig) -> String {
    JSONText.line { json in
      for entry in found.entries {
        json.key(named: entry.key)
        json.string(entry.value)
      }
    }
  }

  private func text(_ found: FetchedConfig) -> String {
    TextTable.text([["KEY", "VALUE"]] + found.entries.map { [$0.key, $0.value] })
  }
}
#endif
