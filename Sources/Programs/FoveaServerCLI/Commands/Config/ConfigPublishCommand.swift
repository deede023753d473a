// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config publish`: makes a file the active template.
struct ConfigPublishCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish a template.",
    usage: "fovea host config publish <file> [options]",
    discussion: """
      Example: fovea host config publish template.json

      The etag that 'fovea host config get' writes into a template identifies the
      version it is based on. If a different version has become active since, nothing
      is published.
      """)

  @Argument(help: ArgumentHelp("A template as JSON, in Firebase's format.", valueName: "file"))
  var file: String

  @Flag(help: "Only check the template and show its changes.")
  var validateOnly = false

  @Flag(help: "Replace the active template, even if it has changed.")
  var force = false

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.publishConfig(
        ConfigFile.bytes(of: file), names.namespace, isForced: force, isDryRun: validateOnly)
    } text: { reply throws(HostError) in
      let made = try reply.decode(HostAnswer.PublishedConfig.self)
      let head =
        made.version == 0
        ? "valid for \(made.namespace.printable)\n"
        : "version \(made.version) of \(made.namespace.printable) is active\n"
      return head + ConfigText.changes(made)
    }
  }
}

/// Reads the files of `fovea host config`.
enum ConfigFile {
  static func bytes(of path: String, limit: Int = 8 << 20) throws(HostError) -> [UInt8] {
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: limit) } catch {
      throw HostError(
        .invalid, "'\(path.printable)' cannot be read: \(error.message)", remedy: "Choose another file")
    }
  }
}

/// The text that commands print about templates.
enum ConfigText {
  /// Returns a line for each kind of change and for each note.
  static func changes(_ made: HostAnswer.PublishedConfig) -> String {
    var lines: [String] = []
    for (what, names) in [
      ("parameters", made.parameters), ("conditions", made.conditions), ("groups of parameters", made.groups),
    ] {
      for (how, list) in [
        ("added", names?.added ?? []), ("removed", names?.removed ?? []), ("changed", names?.changed ?? []),
      ] where !list.isEmpty {
        lines.append("\(what) \(how): \(list.map(\.printable).joined(separator: ", "))")
      }
    }
    if made.reordered { lines.append("conditions reordered") }
    if lines.isEmpty { lines.append("no changes") }
    lines += made.notes.map { "note: \($0.printable)" }
    return lines.map { $0 + "\n" }.joined()
  }
}

/// `fovea host config rollback`: publishes an earlier version again.
struct ConfigRollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Publish an earlier version again.",
    usage: "fovea host config rollback <n> [options]")

  @Argument(help: ArgumentHelp("The version's number.", valueName: "n"))
  var version: Int

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.rollBackConfig(names.namespace, to: version)
    } text: { reply throws(HostError) in
      let made = try reply.decode(HostAnswer.PublishedConfig.self)
      return "version \(made.version) of \(made.namespace.printable) is version \(version) again\n"
        + ConfigText.changes(made)
    }
  }
}
#endif
