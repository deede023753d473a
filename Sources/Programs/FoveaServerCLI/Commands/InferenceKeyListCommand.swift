// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaInference

/// `fovea serve key list`: every key without its secret.
struct InferenceKeyListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys of a server: fovea serve key list")

  @ParentCommand var server: InferenceCommand
  @OptionGroup var file: KeyFileOption
  @OptionGroup var output: JSONOption

  func run() async throws {
    let path = try file.path(server)
    try await CommandEnd.printing { () throws(FoveaError) in
      let keys = try AccessKeyFile(path).keys
      return output.json ? json(keys) : text(keys)
    }
  }

  private func text(_ keys: [AccessKey]) -> String {
    TextTable.text(
      [["NAME", "SCOPES", "RATE"]]
        + keys.map { key in
          [
            key.name, ScopeList.text(key.scopes),
            key.rate.map { DecimalText.short($0, places: 3) + "/s" } ?? "–",
          ]
        })
  }

  private func json(_ keys: [AccessKey]) -> String {
    JSONText.line { json in
      json.objects("keys", keys) { json, key in
        json.member("name", key.name)
        json.member("scopes", ScopeList.text(key.scopes))
        json.member("rate", key.rate, places: 3)
      }
    }
  }
}
#endif
