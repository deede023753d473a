// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host list`: lists the host's models.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the models of a host.")

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.models()
    } text: { reply throws(HostError) in
      let models = try reply.decode(HostAnswer.Models.self).models
      return TextTable.text(
        [["NAME", "LATEST", "CHANNELS", "ROLLOUT", "UPDATED"]]
          + models.map { model in
            [
              model.name, model.latest.map(String.init) ?? "–", model.channelText, model.rolloutText,
              TextTable.minute(model.updated),
            ]
          })
    }
  }
}

/// `fovea host show`: shows a model with its versions.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the versions of a model.")

  @Argument(help: ArgumentHelp("The model's name.", valueName: "name"))
  var name: String

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.model(name)
    } text: { reply throws(HostError) in
      let model = try reply.decode(HostAnswer.Model.self)
      let rows = (model.versions ?? []).reversed().map { version in
        [
          String(version.version), String(version.size), String(version.sha256.prefix(12)),
          TextTable.minute(version.created), version.facts.text, version.loads?.text ?? "–",
          version.withdrawn ? "withdrawn" : version.notes,
        ]
      }
      return TextTable.line(model)
        + TextTable.text([["VERSION", "BYTES", "SHA-256", "CREATED", "MODEL", "LOADS", "NOTES"]] + rows)
    }
  }
}

extension HostAnswer.Version.Loads {
  /// `1,204, 3 failed`; a dash before the first report.
  fileprivate var text: String { LoadCountText.text(loaded: loaded, failed: failed + left) ?? "–" }
}

extension ModelFacts {
  /// `detector, 90 labels, 300 × 300`; a dash if nothing is known.
  fileprivate var text: String {
    var parts = [family ?? kind].compactMap { $0 }
    if let labelCount { parts.append(DecimalText.counted(labelCount, "label", "labels")) }
    if let inputWidth, let inputHeight { parts.append("\(inputWidth) × \(inputHeight)") }
    return parts.isEmpty ? "–" : parts.joined(separator: ", ")
  }
}

/// `fovea host history`: shows who changed a model and when.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show who changed a model.")

  @Argument(help: ArgumentHelp("The model's name.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The most changes to show, 1 to 1000.", valueName: "n"))
  var limit = 100

  @OptionGroup var client: ClientOptions

  func validate() throws {
    guard (1...1_000).contains(limit) else {
      throw ValidationError("--limit must be between 1 and 1000, got \(limit).")
    }
  }

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.history(name, limit: limit)
    } text: { reply throws(HostError) in
      let entries = try reply.decode(HostAnswer.History.self).entries
      return TextTable.text(
        [["TIME", "WHO", "WHAT", "CHANGE"]]
          + entries.map { [TextTable.minute($0.time), $0.actor, $0.action, $0.changeText ?? "–"] })
    }
  }
}
#endif
