// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host show`: one model with its versions.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the versions of a model: fovea host show bird")

  @Argument(help: ArgumentHelp("The name of the model.", valueName: "name"))
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
  /// `detector, 90 labels, 300 × 300`; a dash where nothing is known.
  fileprivate var text: String {
    var parts = [family ?? kind].compactMap { $0 }
    if let labelCount { parts.append("\(labelCount) labels") }
    if let inputWidth, let inputHeight { parts.append("\(inputWidth) × \(inputHeight)") }
    return parts.isEmpty ? "–" : parts.joined(separator: ", ")
  }
}
#endif
